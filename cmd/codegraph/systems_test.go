package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// listed is a package as `go list` tells it.
type listed struct {
	ImportPath, Dir   string
	GoFiles, CgoFiles []string
	ImportMap         map[string]string
	Standard          bool
}

// TestOtherSystems checks the types of the whole program as it is built for other systems, C left
// out, since none of their compilers is here.
func TestOtherSystems(t *testing.T) {
	if testing.Short() {
		t.Skip("reads many packages")
	}
	for _, system := range []string{"darwin/arm64", "freebsd/amd64", "windows/amd64"} {
		t.Run(system, func(t *testing.T) {
			goos, arch, _ := strings.Cut(system, "/")
			c := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,CgoFiles,ImportMap,Standard", ".")
			c.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+arch, "CGO_ENABLED=1")
			out, err := c.Output()
			if err != nil {
				t.Fatal(err)
			}
			s := &otherSystem{t: t, set: token.NewFileSet(), done: map[string]*types.Package{"unsafe": types.Unsafe}, sizes: types.SizesFor("gc", arch)}
			for d := json.NewDecoder(strings.NewReader(string(out))); ; {
				var p listed
				if err := d.Decode(&p); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				s.check(&p)
			}
		})
	}
}

// otherSystem is the checking of the packages of a program, each after those that it imports.
type otherSystem struct {
	t     *testing.T
	set   *token.FileSet
	done  map[string]*types.Package
	sizes types.Sizes
}

// check checks a package: of ours all of it, of others what is seen from outside.
func (s *otherSystem) check(p *listed) {
	if p.ImportPath == "unsafe" {
		return
	}
	ours := strings.HasPrefix(p.ImportPath, module)
	var files []*ast.File
	for _, name := range append(p.GoFiles, p.CgoFiles...) {
		f, err := parser.ParseFile(s.set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			s.t.Fatal(err)
		}
		files = append(files, f)
	}
	told := 0
	config := types.Config{
		FakeImportC: len(p.CgoFiles) > 0, IgnoreFuncBodies: !ours, Sizes: s.sizes,
		Importer: importing(func(path string) (*types.Package, error) {
			if to := p.ImportMap[path]; to != "" {
				path = to
			}
			if q := s.done[path]; q != nil {
				return q, nil
			}
			return nil, fmt.Errorf("package %s is not there", path)
		}),
		Error: func(err error) {
			if told++; ours && told <= 20 {
				s.t.Error(err)
			}
		},
	}
	s.done[p.ImportPath], _ = config.Check(p.ImportPath, s.set, files, nil)
}

// importing is a types.Importer.
type importing func(path string) (*types.Package, error)

// Import implements types.Importer.
func (f importing) Import(path string) (*types.Package, error) { return f(path) }
