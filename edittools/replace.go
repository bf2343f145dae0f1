package edittools

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/codegraph-dev/codegraph/workspace"
)

// ReplaceDescription is what a model reads of replace_block.
//
//go:embed replace_block.md
var ReplaceDescription string

// ReplaceParams are the arguments of replace_block: old and new, or blocks.
type ReplaceParams struct {
	Path       string  `json:"path" pos:"1" required:"true" doc:"the file, relative to the root"`
	Old        string  `json:"old,omitempty" doc:"the text to replace, exactly as it stands in the file; never a pattern"`
	New        string  `json:"new,omitempty" doc:"the text that takes its place; empty to delete"`
	Occurrence string  `json:"occurrence,omitempty" doc:"which one, where old stands several times: 1, 2, ... or all; without it old must be unique"`
	Blocks     []Block `json:"blocks,omitempty" doc:"several replacements in one call, each found in the file as it is now; all are made or none"`
	Common
}

// Block is one replacement.
type Block struct {
	Old        string `json:"old" required:"true" doc:"the text to replace"`
	New        string `json:"new" doc:"the text that takes its place"`
	Occurrence string `json:"occurrence,omitempty" doc:"which one: 1, 2, ... or all"`
}

// ReplaceBlock plans the replacement of parts of a file.
func ReplaceBlock(ctx context.Context, s *workspace.Snapshot, p ReplaceParams) (*Plan, error) {
	blocks, err := p.blocks()
	if err != nil {
		return nil, err
	}
	at, err := lookFile(ctx, s, p.Path)
	if err != nil {
		return nil, err
	}
	if at.State.Type == workspace.Absent && p.Expect == "" {
		return nil, missing(p.Path)
	}
	if err := checkExpect(p.Expect, at); err != nil {
		return nil, err
	}
	t := decode(at.Data)
	switch {
	case binary(at.Data):
		return nil, failed(codePrecondition, "edit it with the program that made it", "%s is binary: it has a zero byte near its start", p.Path)
	case !t.sound:
		return nil, failed(codePrecondition, "repair its encoding first", "%s is not valid UTF-16, so its bytes could not be kept", p.Path)
	}
	body, n, err := replaceAll(p.Path, t, blocks)
	if err != nil {
		return nil, err
	}
	plan := newPlan("replace_block")
	plan.Replaced = n
	plan.write(at, t.encode(body))
	return plan, nil
}

// blocks are the replacements of a call, checked as far as the file does not matter.
func (p *ReplaceParams) blocks() ([]Block, error) {
	blocks := p.Blocks
	if len(blocks) > 0 && (p.Old != "" || p.New != "") {
		return nil, failed(codeUsage, "put the pair into blocks as well", "old and new were given beside blocks")
	}
	if len(blocks) == 0 {
		blocks = []Block{{p.Old, p.New, p.Occurrence}}
	}
	for i := range blocks {
		b := &blocks[i]
		where := ""
		if len(blocks) > 1 {
			where = fmt.Sprintf(" of block %d", i+1)
		}
		switch {
		case b.Old == "":
			return nil, failed(codeUsage, "give the text to replace; to fill a file, use write_file", "old%s is empty", where)
		case lfOnly(b.Old) == lfOnly(b.New):
			return nil, failed(codeUsage, "give a new text that differs", "old and new%s are the same, nothing would change", where)
		}
		if n, err := strconv.Atoi(b.Occurrence); b.Occurrence != "" && b.Occurrence != "all" && (err != nil || n < 1) {
			return nil, failed(codeUsage, "give 1 for the first, 2 for the second, ..., or all", "occurrence%s has no value %q", where, b.Occurrence)
		}
	}
	return blocks, nil
}

// cut is one place to replace, in offsets of a plain text.
type cut struct {
	from, to int
	text     string
	block    int
}

// replaceAll finds every block in the text as it is, and then replaces all of them at once.
func replaceAll(path string, t *text, blocks []Block) (body []byte, n int, err error) {
	p := newPlain(t.body)
	var cuts []cut
	for i, b := range blocks {
		found, err := find(path, t, p, b)
		if err != nil {
			if len(blocks) > 1 {
				err.Message = fmt.Sprintf("block %d: %s", i+1, err.Message)
			}
			return nil, 0, err
		}
		for _, c := range found {
			c.block = i + 1
			cuts = append(cuts, c)
		}
	}
	slices.SortFunc(cuts, func(a, b cut) int { return cmp.Compare(a.from, b.from) })
	var out bytes.Buffer
	done := 0
	for i, c := range cuts {
		if i > 0 && c.from < cuts[i-1].to {
			return nil, 0, failed(codePrecondition, "make one block of them, or name one occurrence",
				"places to replace overlap: block %d and block %d, at line %d", cuts[i-1].block, c.block, p.line(c.from))
		}
		out.Write(t.body[done:p.off(c.from)])
		out.WriteString(p.fit(c.text, c.from, c.to))
		done = p.off(c.to)
	}
	out.Write(t.body[done:])
	return out.Bytes(), len(cuts), nil
}

// mostPlaces bounds how many places of a text are counted.
const mostPlaces = 100000

// find finds the places of one block.
func find(path string, t *text, p *plain, b Block) ([]cut, *Error) {
	old, text := lfOnly(b.Old), lfOnly(b.New)
	at := p.places(old, mostPlaces)
	if t.encoding == "8-bit" {
		o, okOld := latin1(old)
		n, okNew := latin1(text)
		if len(at) == 0 && okOld {
			at, old = p.places(o, mostPlaces), o
		}
		if !okNew && len(at) > 0 {
			return nil, failed(codePrecondition, "leave such characters out, or write the file anew as UTF-8", "%s has one byte a character, which new does not fit into", path)
		}
		text = n
	}
	cutAt := func(i int) cut { return cut{from: i, to: i + len(old), text: text} }
	switch n, _ := strconv.Atoi(b.Occurrence); {
	case len(at) == 0:
		return nil, nearMiss(path, p, old)
	case b.Occurrence == "all":
		var out []cut
		for _, i := range at { // from the left, as places that overlap cannot all be replaced
			if len(out) == 0 || i >= out[len(out)-1].to {
				out = append(out, cutAt(i))
			}
		}
		return out, nil
	case n > len(at):
		return nil, failed(codePrecondition, fmt.Sprintf("give an occurrence up to %d", len(at)), "old stands only %d times in %s: %s", len(at), path, linesOf(p, at))
	case n > 0:
		return []cut{cutAt(at[n-1])}, nil
	case len(at) > 1:
		return nil, failed(codePrecondition, "add lines around it to old until it is unique, or give occurrence: 1, 2, ... or all",
			"old matches %d places in %s, not one: %s", len(at), path, linesOf(p, at))
	}
	return []cut{cutAt(at[0])}, nil
}

// linesOf names the lines of places.
func linesOf(p *plain, at []int) string {
	var out []string
	for i, n := range at {
		if i == 20 {
			out = append(out, fmt.Sprintf("and %d more", len(at)-i))
			break
		}
		out = append(out, strconv.Itoa(p.line(n)))
	}
	if len(out) == 1 {
		return "line " + out[0]
	}
	return "lines " + strings.Join(out, ", ")
}
