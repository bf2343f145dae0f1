package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
)

// truth is what a compiler says the names of a project refer to. The format is that of the
// accuracy yardstick: one JSON object a line, told apart by `t`.
type truth struct {
	meta    truthMeta
	defs    []truthDef
	refs    []truthRef
	none    []truthRef
	edges   []truthEdge
	files   map[string]bool
	unknown map[callKey]bool     // calls that the producer could not resolve
	headers map[place][]truthDef // the definitions whose header spans a line
	kindOf  map[place][]truthDef // the definitions of a name's line

	callables map[string][]truthDef // by file, made when asked for
}

type place struct {
	file string
	line int
}

type callKey struct {
	from place
	name string
}

type truthMeta struct {
	Project  string      `json:"project"`
	Language string      `json:"language"`
	Grade    string      `json:"grade"`
	Source   truthSource `json:"source"`
	Sample   struct {
		Ref  float64 `json:"ref"`
		None float64 `json:"none"`
	} `json:"sample"`
}

type truthSource struct {
	Kind, Package, Version, Subdir string
}

type truthDef struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

type truthRef struct {
	File    string            `json:"file"`
	Line    int               `json:"line"`
	Col     int               `json:"col"`
	Name    string            `json:"name"`
	Kind    string            `json:"kind"`
	DefFile string            `json:"def_file"`
	DefLine int               `json:"def_line"`
	Alt     []json.RawMessage `json:"alt"`
	alts    []place
}

type truthEdge struct {
	FromFile string            `json:"from_file"`
	FromLine int               `json:"from_line"`
	ToFile   string            `json:"to_file"`
	ToLine   int               `json:"to_line"`
	ToName   string            `json:"to_name"`
	Alt      []json.RawMessage `json:"alt"`
	Impl     []json.RawMessage `json:"impl"`
}

// readTruth reads a truth file; with metaOnly only its first line.
func readTruth(name string, metaOnly bool) (*truth, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	t := &truth{files: map[string]bool{}, unknown: map[callKey]bool{}, headers: map[place][]truthDef{}, kindOf: map[place][]truthDef{}}
	err = eachLine(z, func(line []byte) error {
		if metaOnly && t.meta.Project != "" {
			return io.EOF
		}
		return t.add(line)
	})
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	t.meta.Sample.Ref, t.meta.Sample.None = orOne(t.meta.Sample.Ref), orOne(t.meta.Sample.None)
	return t, nil
}

func orOne(x float64) float64 {
	if x == 0 {
		return 1
	}
	return x
}

// eachLine calls f with each line that is not empty.
func eachLine(r io.Reader, f func(line []byte) error) error {
	s := bufio.NewScanner(r)
	s.Buffer(nil, 64<<20)
	for s.Scan() {
		if len(s.Bytes()) > 0 {
			if err := f(s.Bytes()); err != nil {
				return err
			}
		}
	}
	return s.Err()
}

func (t *truth) add(line []byte) error {
	var kind struct {
		T    string `json:"t"`
		File string `json:"file"`
	}
	if err := json.Unmarshal(line, &kind); err != nil {
		return err
	}
	var err error
	switch kind.T {
	case "meta":
		err = json.Unmarshal(line, &t.meta)
	case "file":
		t.files[kind.File] = true
	case "def":
		var d truthDef
		if err = json.Unmarshal(line, &d); err == nil {
			t.addDef(d)
		}
	case "ref", "none":
		var r truthRef
		if err = json.Unmarshal(line, &r); err == nil {
			r.alts = places(r.Alt)
			if kind.T == "ref" {
				t.refs = append(t.refs, r)
			} else {
				t.none = append(t.none, r)
			}
		}
	case "edge":
		var e truthEdge
		if err = json.Unmarshal(line, &e); err == nil {
			t.edges = append(t.edges, e)
		}
	case "unkedge":
		var e truthEdge
		if err = json.Unmarshal(line, &e); err == nil {
			t.unknown[callKey{place{e.FromFile, e.FromLine}, e.ToName}] = true
		}
	}
	return err
}

func (t *truth) addDef(d truthDef) {
	t.defs = append(t.defs, d)
	t.kindOf[place{d.File, d.Line}] = append(t.kindOf[place{d.File, d.Line}], d)
	for line := max(d.Start, d.Line-30); line <= d.Line; line++ {
		at := place{d.File, line}
		t.headers[at] = append(t.headers[at], d)
	}
}

// places reads pairs of a file and a line.
func places(raw []json.RawMessage) []place {
	var out []place
	for _, m := range raw {
		var pair []any
		if json.Unmarshal(m, &pair) == nil && len(pair) >= 2 {
			file, _ := pair[0].(string)
			line, _ := pair[1].(float64)
			out = append(out, place{file, int(line)})
		}
	}
	return out
}

// canon is the line that a definition is known by, from any line of its header.
func (t *truth) canon(at place, name string) place {
	c := t.headers[at]
	if len(c) == 0 {
		return at
	}
	if name != "" {
		var named []truthDef
		for _, d := range c {
			if d.Name == name {
				named = append(named, d)
			}
		}
		if len(named) > 0 {
			c = named
		}
	}
	best := c[0]
	for i, d := range c {
		if d.Line == at.line {
			return at
		}
		if i > 0 && less(d, best, at.line) {
			best = d
		}
	}
	return place{at.file, best.Line}
}

func less(a, b truthDef, line int) bool {
	rank := func(d truthDef) int {
		if slices.Contains([]string{"function", "method", "constructor", "class"}, d.Kind) {
			return 0
		}
		return 1
	}
	if rank(a) != rank(b) {
		return rank(a) < rank(b)
	}
	return a.Line-line < b.Line-line
}

// right reports whether the candidate is what the reference refers to.
func (t *truth) right(r *truthRef, cand place, name string) bool {
	if name == "" {
		name = r.Name
	}
	for _, want := range append([]place{{r.DefFile, r.DefLine}}, r.alts...) {
		if want.line == 0 {
			if cand.file == want.file || path.Dir(cand.file) == want.file || want.file == "." && !strings.Contains(cand.file, "/") {
				return true
			}
		} else if cand.file == want.file && (cand.line == want.line || t.canon(cand, name) == want) {
			return true
		}
	}
	return false
}

// function reports whether a callable is defined at the place.
func (t *truth) function(at place) bool {
	for _, d := range t.kindOf[at] {
		if d.Kind == "function" || d.Kind == "method" || d.Kind == "constructor" {
			return true
		}
	}
	return false
}
