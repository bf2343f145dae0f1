package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
)

// ModuleQuery is the question where a module is. Exists tells whether a path is a file or
// folder of the workspace; Lookup asks for the names of configuration facts in a scope. Both are
// recorded: the answer is asked for again when theirs changes.
type ModuleQuery struct {
	From   string // path of the importing file
	Module string // as written, without quotes
	Import *graph.Imported
	Space  string   // the dotted path of the namespace of the importing file
	Opened []string // the namespaces that the file imports whole, for imports inside of its package
	File   func(path string) bool
	Folder func(path string) bool
	Base   func(name string) []string // paths of files with that base name
	Config func(scope graph.ScopeID, name string) []ConfigHit
}

// BuildQuery is what Built may ask.
type BuildQuery struct {
	From    string   // path of the file in which the condition stands
	Assumed []string // the conditions under which the mention stands for which the question is asked
	Config  func(scope graph.ScopeID, name string) []ConfigHit
	Said    func(folder, name string) bool // whether a file of the folder says it of its build
	Sets    func(macro string) []string    // the conditions that a macro sets for what it is handed
}

// ConfigHit is a configuration fact: the file it stands in and its value.
type ConfigHit struct{ Path, Value string }

// Candidate is a place where a module may be: a file, or a scope that many files share.
// Member is a path of names inside it that the module's text already spells (a class in a package).
type Candidate struct {
	Path   string        // a file; empty for a scope
	Scope  graph.ScopeID // a package
	Member string
	Dir    string // the folder of the package, where it has one
	Space  string // the dotted path of the namespace, which some file must have names in
	Filled bool   // some file must have names in Scope
	Folder string // a folder that is itself the module, with no file for it
}
