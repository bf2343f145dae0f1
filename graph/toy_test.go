package graph_test

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/graph/graphtest"
)

// toy makes facts and links of outlines, whose own bytes are the source:
//
//	package net/http
//	import "net/url" src/net/url.go src/net/url.go#Parse
//	class Request exported
//	  method Write exported
//	    -> call src/net/http/url.go#Parse
//	    -> call ? missing
//
// Indentation nests; words after a name are flags; `-> ROLE TARGET` is a reference in the
// symbol above it, certain unless `possible` follows, unresolved when TARGET is `? NAME`.
type toy struct {
	files map[string]string
	ids   map[string]graph.FileID
}

// openToy is a store with the outlines.
func openToy(t testing.TB, files map[string]string) (*toy, *graphtest.Counter) {
	t.Helper()
	s := graphtest.Count(graphtest.NewMemory())
	y := &toy{files, map[string]graph.FileID{}}
	paths := slices.Sorted(maps.Keys(files))
	b := &graph.Batch{}
	err := s.View(context.Background(), func(r graph.Reader) error {
		ids, err := r.FileIDs(paths)
		for i, p := range paths {
			y.ids[p] = ids[i]
		}
		return err
	})
	for _, p := range paths {
		b.Put = append(b.Put, y.record(t, p))
	}
	if err == nil {
		_, err = s.Apply(context.Background(), b)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.Calls()
	return y, s
}

var toyKinds = map[string]graph.Kind{"func": graph.Function, "method": graph.Method, "class": graph.Class, "var": graph.Variable, "field": graph.Field}
var toyFlags = map[string]graph.Flags{"exported": graph.Exported, "declaration": graph.Declaration, "test": graph.Test, "anonymous": graph.Anonymous}
var toyRoles = map[string]graph.Role{"call": graph.Call, "read": graph.Read, "type": graph.TypeUse, "inherit": graph.Inherit}

func (y *toy) source(path string) ([]byte, error) { return []byte(y.files[path]), nil }

func (y *toy) target(id string) graph.Target {
	path, names, _ := strings.Cut(id, "#")
	file, ok := y.ids[path]
	if !ok {
		file = 1 << 20 // of no file
	}
	if names == "" {
		return graph.ModuleTarget(file)
	}
	ordinal := 1
	if n, ord, ok := strings.Cut(names, "~"); ok {
		names = n
		ordinal, _ = strconv.Atoi(ord)
	}
	qual, name := "", names
	if i := strings.LastIndexByte(names, '.'); i >= 0 {
		qual, name = names[:i], names[i+1:]
	}
	return graph.Target{File: file, Hash: uint32(graph.NewHash().String(qual).String(name).Int(uint64(ordinal)).Sum())}
}

func (y *toy) record(t testing.TB, path string) graph.FileRecord {
	src := y.files[path]
	f := &graph.Facts{Language: "toy", Strings: []string{""}, Lists: []int32{0}}
	l := &graph.Links{}
	str := func(s string) uint32 {
		if i := slices.Index(f.Strings, s); i >= 0 {
			return uint32(i)
		}
		f.Strings = append(f.Strings, s)
		return uint32(len(f.Strings) - 1)
	}
	var open []int32
	seen := map[string]uint16{}
	off := 0
	for line := range strings.Lines(src) {
		body := strings.TrimLeft(line, " ")
		start := off + len(line) - len(body)
		depth := (len(line) - len(body)) / 2
		off += len(line)
		if strings.TrimSpace(body) == "" {
			continue
		}
		words := strings.Fields(body)
		open = open[:min(len(open), depth)]
		in := graph.None
		if len(open) > 0 {
			in = open[len(open)-1]
		}
		for _, o := range open {
			f.Symbols[o].End = uint32(off)
		}
		switch words[0] {
		case "package":
			f.Package = words[1]
		case "import":
			im := graph.Imported{Module: str(strings.Trim(words[1], `"`)), ModuleOff: uint32(start + 7), In: graph.None}
			link := graph.ImportLink{Module: y.ids[words[2]], Status: graph.Certain, Reason: graph.ByModule}
			if len(words) > 3 {
				_, name, _ := strings.Cut(words[3], "#")
				im.Name, im.Local = str(name), str(name)
				link.First, link.N = uint32(len(l.Targets)), 1
				l.Targets = append(l.Targets, y.target(words[3]))
			}
			f.Imports, l.Imports = append(f.Imports, im), append(l.Imports, link)
		case "->":
			link := graph.Link{Expr: uint32(len(f.Exprs)), First: uint32(len(l.Targets)), Status: graph.Unresolved, Reason: graph.NotFound}
			name := words[len(words)-1]
			if words[2] != "?" {
				link.N, link.Status, link.Reason = 1, graph.Certain, graph.ByImport
				if name == "possible" {
					link.Status = graph.Possible
				}
				name = words[2][strings.LastIndexAny(words[2], "#.")+1:]
				l.Targets = append(l.Targets, y.target(words[2]))
			}
			f.Exprs = append(f.Exprs, graph.Expr{Op: graph.OpName, Role: toyRoles[words[1]], Name: str(name), Off: uint32(start + 3), X: graph.None, In: in})
			l.Refs = append(l.Refs, link)
		default:
			kind, ok := toyKinds[words[0]]
			if !ok {
				t.Fatalf("%s: no such thing: %s", path, line)
			}
			s := graph.Symbol{Kind: kind, Name: str(words[1]), NameOff: uint32(start + len(words[0]) + 1), Start: uint32(start), End: uint32(off),
				Container: in, Type: graph.None, Init: graph.None, Owner: graph.None}
			var quals []string
			for _, o := range open {
				quals = append(quals, f.Strings[f.Symbols[o].Name])
			}
			s.Qual = str(strings.Join(quals, "."))
			for _, w := range words[2:] {
				s.Flags |= toyFlags[w]
			}
			key := f.Strings[s.Qual] + "." + words[1]
			seen[key]++
			s.Ordinal = seen[key]
			open = append(open, int32(len(f.Symbols)))
			f.Symbols = append(f.Symbols, s)
		}
	}
	return graph.FileRecord{File: graph.File{ID: y.ids[path], Path: path, Language: "toy", Size: int64(len(src)), Lines: uint32(bytes.Count([]byte(src), []byte("\n"))),
		Symbols: uint32(len(f.Symbols)), Test: strings.Contains(path, "_test")}, Facts: f, Links: l,
		Exports: []graph.Export{{Key: graph.Scope("file", path).Key(""), Index: graph.FileItself, Shape: uint64(cmp.Compare(len(src), 0))}},
		Reads:   []graph.Key{graph.Scope("package", f.Package).Key("x")}}
}

func view(t testing.TB, s graph.Store, f func(graph.Reader) error) {
	t.Helper()
	if err := s.View(context.Background(), f); err != nil {
		t.Fatal(err)
	}
}
