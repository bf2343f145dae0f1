//go:build unix

package main

import (
	"context"
	"runtime"
	"time"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// linkResult is what linking takes beside the parser, measured one after the other in one process.
type linkResult struct {
	Files int     `json:"files"`
	Names int     `json:"names"`
	Parse float64 `json:"parse_cpu_seconds"`
	Link  float64 `json:"link_cpu_seconds"`
}

// benchLink parses all files, makes their facts, which is not counted, and links all names in them.
func (a *app) benchLink(ctx context.Context) (*linkResult, error) {
	files, err := a.benchFiles(ctx)
	if err != nil {
		return nil, err
	}
	r := &linkResult{Files: len(files)}
	cpu := cpuTime()
	parseAll(ctx, files)
	r.Parse = (cpuTime() - cpu).Seconds()
	u := &memory{files: make([]graph.File, len(files)), facts: make([]*graph.Facts, len(files)), keys: map[graph.Key][]graph.Handle{}}
	spread(ctx, len(files), func() func(int) {
		p, b := lang.NewParser(), lang.NewBuilder()
		return func(i int) { u.facts[i] = extract(p, b, files[i]) }
	})
	for i, f := range files {
		u.files[i] = graph.File{ID: graph.FileID(i), Path: f.path, Language: f.l.Name}
		for _, x := range index.Exports(f.path, u.facts[i]) {
			u.keys[x.Key] = append(u.keys[x.Key], graph.Handle{File: graph.FileID(i), Index: x.Index})
		}
	}
	runtime.GC()
	names := make([]int, len(files))
	cpu = cpuTime()
	spread(ctx, len(files), func() func(int) {
		l := index.NewLinker(u)
		return func(i int) {
			links, _ := l.Link(graph.FileID(i))
			names[i] = len(links.Refs)
		}
	})
	r.Link = (cpuTime() - cpu).Seconds()
	for _, n := range names {
		r.Names += n
	}
	return r, ctx.Err()
}

// extract makes the facts of a file, or nil where it cannot be parsed.
func extract(p *lang.Parser, b *lang.Builder, f benchFile) *graph.Facts {
	src := f.src
	if f.l.Prepare != nil {
		src = f.l.Prepare(src)
	}
	t, err := p.Parse(f.l.Grammar(), src, 10*time.Second)
	if err != nil {
		return nil
	}
	t.Whole = f.src
	return b.Build(f.l, t)
}

// memory is a universe that is all in memory.
type memory struct {
	files []graph.File
	facts []*graph.Facts
	keys  map[graph.Key][]graph.Handle
}

func (m *memory) Lookup(k graph.Key) []graph.Handle { return m.keys[k] }

func (m *memory) Facts(id graph.FileID) *graph.Facts {
	if int(id) < len(m.facts) {
		return m.facts[id]
	}
	return nil
}

func (m *memory) File(id graph.FileID) *graph.File {
	if int(id) < len(m.files) {
		return &m.files[id]
	}
	return nil
}
