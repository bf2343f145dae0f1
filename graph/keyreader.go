package graph

// KeyReader is a Reader that also gives back, for files, the keys that were put with them.
// An update compares them with those of the file's new record; Dump prints them. Every
// store of this project implements it.
type KeyReader interface {
	Reader
	// Exports are the files' exports, sorted by key and index.
	Exports(ids []FileID) ([][]Export, error)
	// Reads are the keys that the files' linking asked for, sorted.
	Reads(ids []FileID) ([][]Key, error)
}

// ModuleTarget is the target that stands for file f as a module. A store counts a link of
// an import to a module as a link to it, so that Referrers answers who imports a file.
func ModuleTarget(f FileID) Target { return Target{File: f} }
