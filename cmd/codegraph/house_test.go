package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/codegraph-dev/codegraph/index/lang"
)

// module is the module's path.
const module = "github.com/codegraph-dev/codegraph"

// rows are the packages from the highest to the lowest; one imports only those of rows
// below its own. A name that ends in /... stands for the packages below as well.
var rows = [][]string{
	{"cmd/codegraph", "bench/..."},
	{"cmd/codegraph/agents"}, // wiring of its own: it knows agents and none of the rooms
	{"mcpserver"},
	{"readtools", "edittools"},
	{"workspace", "workspace/daemon"},
	{"index"},
	{"graph/bolt", "search/bleve", "search/trigram"},
	{"index/lang", "workspace/ignore"},
	{"graph", "search"},
}

// suites are for tests alone: conformance suites and oracles, which may import what they
// test and what is below it.
var suites = []string{"graph/graphtest", "search/searchtest"}

// folders are the only ones at the top. The documents are no code: a test runs the commands
// in them and compares what they list with what the program has.
var folders = []string{"docs", "cmd", "index", "graph", "search", "readtools", "edittools", "mcpserver", "workspace", "bench", "testdata"}

// file is a Go file of the module.
type file struct {
	path string // relative, with slashes
	dir  string
	test bool
	ast  *ast.File
	set  *token.FileSet
}

func (f *file) at(n ast.Node) string {
	return fmt.Sprintf("%s:%d", f.path, f.set.Position(n.Pos()).Line)
}

// house parses every Go file of the module.
func house(t *testing.T) []*file {
	t.Helper()
	root := filepath.Join("..", "..")
	var files []*file
	set := token.NewFileSet()
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if name == "testdata" || p != root && strings.HasPrefix(name, ".") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		tree, err := parser.ParseFile(set, p, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, p)
		rel = filepath.ToSlash(rel)
		files = append(files, &file{path: rel, dir: path.Dir(rel), test: strings.HasSuffix(name, "_test.go"), ast: tree, set: set})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// rowOf is the row of a package, or -1.
func rowOf(dir string) int {
	return slices.IndexFunc(rows, func(r []string) bool {
		return slices.ContainsFunc(r, func(p string) bool {
			base, all := strings.CutSuffix(p, "/...")
			return dir == base || all && strings.HasPrefix(dir, base+"/")
		})
	})
}

// TestImportOrder holds every package to its row. Tests may import anything below
// cmd/codegraph, since they wire what they test.
func TestImportOrder(t *testing.T) {
	for _, f := range house(t) {
		if f.test || slices.Contains(suites, f.dir) {
			continue
		}
		from := rowOf(f.dir)
		if from < 0 {
			t.Errorf("%s: package %s is in no row of the import order: give it a place in rows, with its reason in the commit", f.path, f.dir)
			continue
		}
		for _, im := range f.ast.Imports {
			p, _ := strconv.Unquote(im.Path.Value)
			dir, ours := strings.CutPrefix(p, module+"/")
			switch {
			case !ours:
				if from == len(rows)-1 && strings.Contains(p, ".") {
					t.Errorf("%s: %s imports %s: the lowest row uses the standard library only, so that every store and every tool can build on it", f.at(im), f.dir, p)
				}
				if p == sdkPath || strings.HasPrefix(p, sdkPath+"/") {
					if f.dir != "mcpserver" {
						t.Errorf("%s: only mcpserver uses the MCP SDK, so that it can be exchanged", f.at(im))
					}
				}
			case slices.Contains(suites, dir):
				t.Errorf("%s: %s imports %s, which is for tests", f.at(im), f.dir, dir)
			case dir == f.dir || strings.HasPrefix(f.dir, "bench/") && strings.HasPrefix(dir, "bench/"):
			case rowOf(dir) <= from:
				t.Errorf("%s: %s imports %s: a row imports only rows below it, so that no change below can depend on one above", f.at(im), f.dir, dir)
			case rowOf(dir) == storesRow && from > 0:
				t.Errorf("%s: %s names the store %s: stores are named only where the program is wired, so that another one can take its place", f.at(im), f.dir, dir)
			}
		}
	}
}

const (
	sdkPath   = "github.com/mark3labs/mcp-go"
	storesRow = 6
)

// TestCgo keeps C where the grammars are: everything else builds, tests and profiles as Go.
func TestCgo(t *testing.T) {
	for _, f := range house(t) {
		for _, im := range f.ast.Imports {
			if im.Path.Value == `"C"` && f.dir != "index/lang" {
				t.Errorf("%s: only index/lang may use cgo", f.at(im))
			}
		}
	}
}

// englishWords are names of languages that are common words or file formats; as literals
// they mean those.
var englishWords = []string{"c", "go", "r"}

// TestLanguageNames keeps the names of languages where languages are data, so that a new
// one is one file: code that asks for a language by name would have to be found and changed.
func TestLanguageNames(t *testing.T) {
	names := map[string]bool{}
	for _, l := range lang.All() {
		for _, n := range append([]string{l.Name}, l.Aliases...) {
			names[n] = !slices.Contains(englishWords, n)
		}
	}
	for _, f := range house(t) {
		if f.test || f.dir == "index/lang" || strings.HasPrefix(f.dir, "bench") {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			if s, err := strconv.Unquote(lit.Value); err == nil && names[strings.ToLower(s)] {
				t.Errorf("%s: the literal %s names a language: outside index/lang no code knows one", f.at(lit), lit.Value)
			}
			return true
		})
	}
}

// writers are the packages that may change files: the workspace is the only hand that
// changes the user's sources, and the stores keep their own state files. The configuration of
// agents is neither: most of it lies in the home, and it is backed up and taken back as one. The
// daemon has its socket and its log.
var writers = []string{"cmd/codegraph/agents", "workspace", "workspace/daemon", "graph/bolt", "search/bleve", "search/trigram"}

// changes are the functions of package os that change files.
var changes = []string{"WriteFile", "Create", "CreateTemp", "Rename", "Remove", "RemoveAll", "Mkdir", "MkdirAll", "MkdirTemp", "Truncate",
	"Chmod", "Chtimes", "Chown", "Symlink", "Link"}

// TestWriters keeps writing where its owner is: what changes files elsewhere would go round
// the checks, the journal and the refresh that a change needs.
func TestWriters(t *testing.T) {
	for _, f := range house(t) {
		if f.test || slices.Contains(writers, f.dir) || slices.Contains(suites, f.dir) || strings.HasPrefix(f.dir, "bench") {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "os" && slices.Contains(changes, sel.Sel.Name) {
				t.Errorf("%s: os.%s: only workspace changes files, and stores their own", f.at(sel), sel.Sel.Name)
			}
			return true
		})
	}
}

// TestNetwork keeps the network where it is listened to: the server over HTTP and the
// daemon's socket. Nothing else speaks to anybody, and only the daemon's clients dial.
func TestNetwork(t *testing.T) {
	listeners := map[string]bool{"mcpserver": true, "workspace/daemon": true, "cmd/codegraph": true}
	dials := []string{"net.Dial", "net.DialTimeout", "net.Dialer", "net.Resolver", "net.LookupHost", "net.LookupIP", "net.LookupAddr", "tls.Dial",
		"http.Get", "http.Post", "http.PostForm", "http.Head", "http.Client", "http.DefaultClient", "http.NewRequest", "http.NewRequestWithContext", "http.Transport", "http.DefaultTransport"}
	for _, f := range house(t) {
		if f.test || strings.HasPrefix(f.dir, "bench") {
			continue
		}
		for _, im := range f.ast.Imports {
			p, _ := strconv.Unquote(im.Path.Value)
			network := p == "net" || strings.HasPrefix(p, "net/") && p != "net/url" && p != "net/netip" && p != "net/textproto" || p == "crypto/tls"
			if network && !listeners[f.dir] {
				t.Errorf("%s: %s imports %s: nothing but the server over HTTP and the daemon's socket has to do with the network", f.at(im), f.dir, p)
			}
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok || f.dir == "workspace/daemon" {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && slices.Contains(dials, x.Name+"."+sel.Sel.Name) {
				t.Errorf("%s: %s.%s: nothing that ships calls anybody", f.at(sel), x.Name, sel.Sel.Name)
			}
			return true
		})
	}
}

// TestPackageDocs wants every package to say what it is for.
func TestPackageDocs(t *testing.T) {
	docs := map[string]bool{}
	for _, f := range house(t) {
		if !f.test {
			docs[f.dir] = docs[f.dir] || f.ast.Doc != nil && len(strings.Fields(f.ast.Doc.Text())) > 8
		}
	}
	for dir, ok := range docs {
		if !ok {
			t.Errorf("package %s has no doc that says what it is for", dir)
		}
	}
}

// TestTopFolders keeps the map of the house: whoever looks for something knows where.
func TestTopFolders(t *testing.T) {
	entries, err := os.ReadDir(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !slices.Contains(folders, e.Name()) {
			t.Errorf("folder %s is not one of %v", e.Name(), folders)
		}
	}
}

// TestFileNames catches files that the go command leaves out of every build on this
// machine because of the end of their names, without a word.
func TestFileNames(t *testing.T) {
	systems := []string{"js", "wasm", "wasip1", "plan9", "arm", "arm64", "386", "mips", "s390x", "solaris", "illumos", "aix", "android", "ios"}
	for _, f := range house(t) {
		name := strings.TrimSuffix(strings.TrimSuffix(path.Base(f.path), ".go"), "_test")
		if i := strings.LastIndexByte(name, '_'); i > 0 && slices.Contains(systems, name[i+1:]) {
			t.Errorf("%s: the go command leaves it out for its name", f.path)
		}
	}
}
