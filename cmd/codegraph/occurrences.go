//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/workspace"
)

// exportOccurrences prints an `ans` line for each reference that is bound to something, and
// an `ansedge` line for each call from one function to another. Where a name stands on a line
// once more and means nothing of the workspace there, as in `let depth = self.depth`, an `ans`
// line without a column and without definitions says so first: who goes by line and name must
// not take the answer for the one for an answer for the other.
func exportOccurrences(ctx context.Context, s *workspace.Snapshot, w *bufio.Writer) error {
	x := &occurrences{ctx: ctx, s: s, g: s.Graph(), w: w, files: map[graph.FileID]*occFile{}, paths: map[graph.FileID]string{}}
	for _, f := range s.Files() {
		x.paths[f.ID] = f.Path
	}
	for _, f := range s.Files() {
		if err := x.file(f); err != nil {
			return err
		}
	}
	return nil
}

// occurrences is one export.
type occurrences struct {
	ctx   context.Context
	s     *workspace.Snapshot
	g     graph.Reader
	w     *bufio.Writer
	files map[graph.FileID]*occFile
	paths map[graph.FileID]string
	edges map[edgeLine]bool // of the file at hand
	told  map[lineName]int  // of the file at hand: how often a name on a line is answered
}

// lineName is a name on a line.
type lineName struct {
	line int
	name string
}

// occFile is what is needed of a file to name its definitions: for each target its line and
// name.
type occFile struct {
	path string
	defs map[uint32]place
}

type place struct {
	line     int
	name     string
	declares bool // only
}

type answerLine struct {
	T    string  `json:"t"`
	File string  `json:"file"`
	Line int     `json:"line"`
	Col  int     `json:"col"`
	Name string  `json:"name"`
	Defs [][]any `json:"defs"`
	// How the name was bound, beyond what the format asks for.
	Role   string `json:"role"`
	Status string `json:"status"`
	Reason string `json:"reason"`
}

// silentLine is the answer that there is none for a name on a line where no column says otherwise.
type silentLine struct {
	T    string   `json:"t"`
	File string   `json:"file"`
	Line int      `json:"line"`
	Name string   `json:"name"`
	Defs [][2]any `json:"defs"`
}

type edgeLine struct {
	T        string `json:"t"`
	FromFile string `json:"from_file"`
	FromLine int    `json:"from_line"`
	FromName string `json:"from_name"`
	ToFile   string `json:"to_file"`
	ToLine   int    `json:"to_line"`
	ToName   string `json:"to_name"`
}

// file prints the lines of one file.
func (x *occurrences) file(file graph.File) error {
	facts, err := x.g.Facts([]graph.FileID{file.ID})
	if err != nil {
		return err
	}
	links, err := x.g.Links([]graph.FileID{file.ID})
	if err != nil {
		return err
	}
	if facts[0] == nil || links[0] == nil {
		return nil
	}
	data, table, err := x.lines(file.Path)
	if err != nil {
		return err
	}
	answered := func(s *graph.Site) bool {
		return len(s.Targets) > 0 && (s.Status == graph.Certain || s.Status == graph.Possible)
	}
	x.edges, x.told = map[edgeLine]bool{}, map[lineName]int{}
	graph.Sites(file.ID, facts[0], links[0], func(s graph.Site) {
		if answered(&s) {
			line, _ := table.Position(s.Off)
			x.told[lineName{line, facts[0].Str(s.Name)}]++
		}
	})
	graph.Sites(file.ID, facts[0], links[0], func(s graph.Site) {
		if err == nil && answered(&s) {
			if err = x.silence(file.Path, facts[0].Str(s.Name), data, table, s.Off); err == nil {
				err = x.site(file, facts[0], table, s)
			}
		}
	})
	return err
}

// silence prints before the first answer for a name on a line that there is none for where it
// stands besides.
func (x *occurrences) silence(path, name string, data []byte, table graph.LineTable, off uint32) error {
	line, col := table.Position(off)
	key := lineName{line, name}
	told := x.told[key]
	delete(x.told, key)
	if told == 0 || name == "" || int(off) > len(data) {
		return nil
	}
	text := data[int(off)-(col-1):]
	if end := bytes.IndexByte(text, '\n'); end >= 0 {
		text = text[:end]
	}
	if mentions(text, name) <= told {
		return nil
	}
	return x.print(silentLine{T: "ans", File: path, Line: line, Name: name, Defs: [][2]any{}})
}

// mentions counts where a name stands in a text by itself.
func mentions(text []byte, name string) int {
	n := 0
	for from := 0; ; {
		i := bytes.Index(text[from:], []byte(name))
		if i < 0 {
			return n
		}
		at := from + i
		from = at + len(name)
		if (at == 0 || !ofName(text[at-1])) && (from == len(text) || !ofName(text[from])) {
			n++
		}
	}
}

// ofName reports whether a byte may be part of a name.
func ofName(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func (x *occurrences) lines(path string) ([]byte, graph.LineTable, error) {
	data, _, err := x.s.Open(x.ctx, path, nil)
	if err != nil {
		return nil, nil, err
	}
	return data, graph.NewLineTable(data), nil
}

// site prints the lines of one reference.
func (x *occurrences) site(file graph.File, f *graph.Facts, table graph.LineTable, s graph.Site) error {
	a := answerLine{T: "ans", File: file.Path, Name: f.Str(s.Name), Role: s.Role.String(), Status: s.Status.String(), Reason: s.Reason.String()}
	a.Line, a.Col = table.Position(s.Off)
	var to []edgeLine
	declares := 0 // edges before which all but the first lead to declarations
	for _, t := range s.Targets {
		of, err := x.target(t.File)
		if err != nil {
			return err
		}
		if t == graph.ModuleTarget(t.File) {
			a.Defs = append(a.Defs, []any{of.path, 0})
			continue
		}
		p, ok := of.defs[t.Hash]
		if !ok {
			continue
		}
		a.Defs = append(a.Defs, []any{of.path, p.line, p.name})
		if len(to) == declares && (declares == 0 || p.declares) {
			declares++
		}
		to = append(to, edgeLine{T: "ansedge", FromFile: file.Path, ToFile: of.path, ToLine: p.line, ToName: p.name})
	}
	if len(a.Defs) == 0 {
		return nil
	}
	if err := x.print(a); err != nil || s.Role != graph.Call && s.Also != graph.Call {
		return err
	}
	if s.Status == graph.Certain {
		to = to[:declares] // a definition and what declares it; the others are the same thing, too
	}
	for _, e := range to {
		if s.In != graph.None {
			e.FromLine, _ = table.Position(f.Symbols[s.In].NameOff)
			e.FromName = f.Str(f.Symbols[s.In].Name)
		}
		if x.edges[e] {
			continue
		}
		x.edges[e] = true
		if err := x.print(e); err != nil {
			return err
		}
	}
	return nil
}

// target reads what is needed of a file that is referred to, once.
func (x *occurrences) target(id graph.FileID) (*occFile, error) {
	if of := x.files[id]; of != nil {
		return of, nil
	}
	of := &occFile{path: x.paths[id], defs: map[uint32]place{}}
	facts, err := x.g.Facts([]graph.FileID{id})
	if err != nil {
		return nil, err
	}
	if f := facts[0]; f != nil {
		_, table, err := x.lines(of.path)
		if err != nil {
			return nil, err
		}
		for i := range f.Symbols {
			line, _ := table.Position(f.Symbols[i].NameOff)
			y := &f.Symbols[i]
			of.defs[f.TargetHash(int32(i))] = place{line, f.Str(y.Name), y.Flags&graph.Declaration != 0}
		}
	}
	x.files[id] = of
	return of, nil
}

func (x *occurrences) print(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if _, err = x.w.Write(b); err != nil {
		return err
	}
	return x.w.WriteByte('\n')
}
