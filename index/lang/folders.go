package lang

// Folders are the rules of a language in which the files of a folder that name one package are that
// package, and imports name folders: what has to be known to take a file from one package into
// another. Sources are given and taken as they are written; where one cannot be parsed nothing
// is found and nothing changes.
type Folders struct {
	// Clause is where a file names its package.
	Clause func(src []byte) (from, to int, ok bool)
	// Beside ends the names of packages that stand beside another in its folder and import it.
	Beside string
	// Program is the package that nothing can import.
	Program string
	// Path is how a folder is imported, empty if that cannot be told; read reads a file of the workspace.
	Path func(dir string, read func(path string) []byte) string
	// Name is what the files of a new folder call their package.
	Name func(dir string) string
	// Visible reports whether the package that is imported as one path may import another.
	Visible func(importer, path string) bool
	// Bound says in words what keeps a file in its folder; empty if nothing does.
	Bound func(src []byte) string
	// Imports are the imports of a file.
	Imports func(src []byte) []FolderImport
	// Import adds an import, Drop takes one away.
	Import func(src []byte, i FolderImport) []byte
	Drop   func(src []byte, path string) []byte
	// Qualifies counts the names in a source that stand behind an import's name, and Mentions
	// reports whether a name occurs as any other.
	Qualifies func(src []byte, local string) int
	Mentions  func(src []byte, name string) bool
}

// FolderImport is an import of a folder: its path, and the name that the file gives to it, if it does.
type FolderImport struct{ Path, Local string }
