package lang

import (
	"path"
	"strings"
	"sync"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/codegraph-dev/codegraph/graph"
)

// Language is everything that is known of a language.
type Language struct {
	Name       string
	Aliases    []string
	Extensions []string // with the dot, lower case
	Filenames  []string
	Shebangs   []string // interpreters
	// Claims decides for files whose names leave the language open; head is the beginning of the bytes.
	Claims func(path string, head []byte) bool
	Tests  []string // globs of test files, on the path's base name or with folders

	Tokens []string // anonymous tokens that rules look at
	Rules  map[string]Rule

	Semantics

	grammar func() *sitter.Language
	once    sync.Once
	g       *Grammar
	rules   []*compiled
}

// Grammar is the language's grammar, made ready at the first call.
func (l *Language) Grammar() *Grammar {
	l.once.Do(l.compile)
	return l.g
}

// SpaceOf is the scope of the top-level names of a file.
func (l *Language) SpaceOf(p string, f *graph.Facts) graph.ScopeID {
	if l.Space == nil {
		return FileScope(p)
	}
	kind, name := l.Space(p, f)
	if l.NestedSpaces {
		return graph.Scope(kind, "").Path(name)
	}
	return graph.Scope(kind, name)
}

// FileScope is the scope of what only one file sees, and of the names of file modules.
func FileScope(p string) graph.ScopeID { return graph.Scope("file", p) }

// IsTest reports whether the path is a test file by the language's conventions.
func (l *Language) IsTest(p string) bool {
	base := path.Base(p)
	for _, g := range l.Tests {
		if dir, ok := strings.CutSuffix(g, "/"); ok {
			if strings.HasPrefix(p, dir+"/") || strings.Contains(p, "/"+dir+"/") {
				return true
			}
		} else if ok, _ := path.Match(g, base); ok {
			return true
		}
	}
	return false
}

// Core names types of a language's library by what the language makes of them, as far as linking asks
// for them.
type Core struct {
	Value    string // the base of types that always have a value
	Delegate string // the base of types of functions
	Later    string // the end of the names of types whose values come later
	List     string // a sequence that has the bases an array has
	Array    string // the base of arrays, or their type
	Map      string // the type of maps that are written out
	Function string // the type of functions without a name
}
