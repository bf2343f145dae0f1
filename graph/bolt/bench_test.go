package bolt

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/codegraph-dev/codegraph/graph"
)

// The benchmarks use a made-up repository of the size of Go's standard library: 8,000
// files, 2.5 million expressions, 250,000 symbols with 150,000 distinct names.

const (
	benchFiles   = 8000
	benchExprs   = 312
	benchSymbols = 31
	benchNames   = 150_000
	benchKeys    = 400_000
)

// benchFacts are facts with the regularities of real ones: expressions in the order of
// the source, operands near by, names in the order of their first use.
func benchFacts(r *rand.Rand, exprs, symbols int) *graph.Facts {
	f := &graph.Facts{Language: "toy", Package: "pkg", Lists: []int32{0}, Strings: []string{""}}
	for range symbols {
		f.Strings = append(f.Strings, benchName(r))
	}
	for range exprs / 3 {
		f.Strings = append(f.Strings, fmt.Sprintf("word%d", r.IntN(40_000)))
	}
	off, e := uint32(100), 0
	for i := range symbols {
		start := off
		for ; e < exprs*(i+1)/symbols; e++ {
			off += 3 + r.Uint32N(60)
			x := graph.Expr{Op: graph.OpName, Role: graph.Read, Name: r.Uint32N(uint32(1 + symbols + e/3)), Off: off, X: graph.None, In: int32(i)}
			if e > 0 && r.IntN(2) == 0 {
				x.Op, x.X = graph.OpMember, int32(e-1)
			}
			if e > 2 && r.IntN(4) == 0 {
				x.Op, x.Role, x.Kids = graph.OpCall, graph.Call, uint32(len(f.Lists))
				f.Lists = append(f.Lists, 2, int32(e-2), int32(e-1))
			}
			f.Exprs = append(f.Exprs, x)
		}
		off += 20
		f.Symbols = append(f.Symbols, graph.Symbol{Name: uint32(i + 1), NameOff: start + 5, Start: start, End: off, Body: start + 30,
			Container: graph.None, Type: int32(e - 1), Init: graph.None, Owner: graph.None, Kind: graph.Function, Flags: graph.Exported, Ordinal: 1})
		for range 3 {
			f.Locals = append(f.Locals, graph.Local{Name: r.Uint32N(uint32(len(f.Strings))), Off: start + 10, Type: int32(e - 1), Init: graph.None, Symbol: graph.None, In: int32(i), Flags: graph.Param})
		}
	}
	return f
}

func benchName(r *rand.Rand) string {
	if r.IntN(3) == 0 {
		return fmt.Sprintf("common%d", r.IntN(500))
	}
	return fmt.Sprintf("SomeName%d", r.IntN(benchNames))
}

func benchPath(i int) string { return fmt.Sprintf("src/area%d/package%d/file%d.toy", i/500, i/20, i) }

func benchRecord(i int, seed uint64, id graph.FileID) graph.FileRecord {
	r := rand.New(rand.NewPCG(uint64(i), seed))
	f := benchFacts(r, benchExprs/2+r.IntN(benchExprs), benchSymbols/2+r.IntN(benchSymbols))
	rec := graph.FileRecord{File: graph.File{ID: id, Path: benchPath(i), Language: "toy", Size: 9000, Lines: 300, Symbols: uint32(len(f.Symbols))}, Facts: f}
	for j := range f.Symbols {
		rec.Exports = append(rec.Exports, graph.Export{Key: graph.Scope("dir", fmt.Sprint(i/20)).Key(f.Strings[f.Symbols[j].Name]), Index: int32(j), Shape: r.Uint64()})
	}
	l := &graph.Links{}
	for j := range f.Exprs {
		link := graph.Link{Expr: uint32(j), First: uint32(len(l.Targets))}
		if r.IntN(3) > 0 {
			link.N, link.Status, link.Reason = 1, graph.Certain, graph.ByPackage
			near := max(0, min(benchFiles-1, i+r.IntN(40)-20))
			l.Targets = append(l.Targets, graph.Target{File: graph.FileID(near), Hash: uint32(mix(uint64(r.IntN(30)*benchFiles + near)))})
		}
		l.Refs = append(l.Refs, link)
	}
	rec.Links = l
	for range 200 {
		k := r.IntN(benchKeys)
		if r.IntN(3) == 0 {
			k = r.IntN(300)
		}
		rec.Reads = append(rec.Reads, graph.Scope("k", "").Key(fmt.Sprint(k)))
	}
	return rec
}

// benchStore builds the repository once for all benchmarks, and gives what it cost.
var benchStore = sync.OnceValues(func() (string, string) {
	dir, err := os.MkdirTemp("", "graph-bench")
	if err != nil {
		return "", err.Error()
	}
	path := filepath.Join(dir, "graph.db")
	s, err := Open(path, Options{})
	if err != nil {
		return "", err.Error()
	}
	b := &graph.Batch{}
	paths := make([]string, benchFiles)
	for i := range paths {
		paths[i] = benchPath(i)
	}
	var ids []graph.FileID
	err = s.View(context.Background(), func(r graph.Reader) (err error) { ids, err = r.FileIDs(paths); return err })
	exprs := 0
	for i := range ids {
		b.Put = append(b.Put, benchRecord(i, 1, ids[i]))
		exprs += len(b.Put[i].Facts.Exprs)
	}
	start := time.Now()
	if err == nil {
		_, err = s.Apply(context.Background(), b)
	}
	took := time.Since(start)
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		return "", err.Error()
	}
	fi, _ := os.Stat(path)
	return path, fmt.Sprintf("%d files, %d exprs: %.2f s, %.0f MB", benchFiles, exprs, took.Seconds(), float64(fi.Size())/1e6)
})

func openBench(b *testing.B) *Store {
	path, note := benchStore()
	if path == "" {
		b.Fatal(note)
	}
	b.Log(note)
	s, err := Open(path, Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	return s
}

func benchView(b *testing.B, f func(r graph.Reader) error) {
	s := openBench(b)
	b.ResetTimer()
	if err := s.View(context.Background(), f); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkOpen(b *testing.B) {
	path, note := benchStore()
	if path == "" {
		b.Fatal(note)
	}
	for b.Loop() {
		s, err := Open(path, Options{})
		if err != nil {
			b.Fatal(err)
		}
		_ = s.Close()
	}
}

// BenchmarkUpdate puts one file again, edited so that all of its symbols move.
func BenchmarkUpdate(b *testing.B) {
	s := openBench(b)
	i := 0
	for b.Loop() {
		i++
		rec := benchRecord(i%benchFiles, 1, graph.FileID(i%benchFiles))
		for j := range rec.Facts.Symbols {
			rec.Facts.Symbols[j].Start += uint32(i)
		}
		for j := range rec.Facts.Exprs {
			rec.Facts.Exprs[j].Off += uint32(i)
		}
		for j := range 5 {
			rec.Reads[j] += graph.Key(i)
			rec.Links.Targets[j].Hash += uint32(i)
		}
		rec.Facts.Strings[1] += "x"
		rec.Exports[0].Key++
		if _, err := s.Apply(context.Background(), &graph.Batch{Put: []graph.FileRecord{rec}}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReplace puts other contents in place of one file.
func BenchmarkReplace(b *testing.B) {
	s := openBench(b)
	i := 0
	for b.Loop() {
		i++
		rec := benchRecord(i%benchFiles, uint64(i), graph.FileID(i%benchFiles))
		if _, err := s.Apply(context.Background(), &graph.Batch{Put: []graph.FileRecord{rec}}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLookup(b *testing.B) {
	benchView(b, func(r graph.Reader) error {
		keys := make([]graph.Key, 1000)
		rng := rand.New(rand.NewPCG(1, 1))
		for i := range keys {
			dir := rng.IntN(benchFiles / 20)
			keys[i] = graph.Scope("dir", fmt.Sprint(dir)).Key(benchName(rng))
			if i%2 == 0 {
				x, err := r.(graph.KeyReader).Exports([]graph.FileID{graph.FileID(rng.IntN(benchFiles))})
				if err != nil {
					return err
				}
				keys[i] = x[0][0].Key
			}
		}
		n := 0
		for b.Loop() {
			if _, err := r.Lookup(keys[n%1000 : n%1000+1]); err != nil {
				return err
			}
			n++
		}
		return nil
	})
}

func BenchmarkFiles(b *testing.B) {
	benchView(b, func(r graph.Reader) error {
		for b.Loop() {
			r.(*reader).store.listing.Store(nil)
			if _, err := r.Files(); err != nil {
				return err
			}
		}
		return nil
	})
}

func BenchmarkNamed(b *testing.B) {
	benchView(b, func(r graph.Reader) error {
		n := 0
		for b.Loop() {
			n = 0
			err := r.Named(func(name string) bool { n++; return name == "common7" }, func(string, []graph.Handle) bool { return true })
			if err != nil {
				return err
			}
		}
		b.ReportMetric(float64(n), "names")
		return nil
	})
}

func BenchmarkReadFacts(b *testing.B) {
	benchView(b, func(r graph.Reader) error {
		i, n := 0, 0
		for b.Loop() {
			f, err := r.Facts([]graph.FileID{graph.FileID(i % benchFiles)})
			if err != nil {
				return err
			}
			i++
			n += len(f[0].Exprs)
		}
		b.ReportMetric(float64(n)/float64(i), "exprs")
		return nil
	})
}

func BenchmarkDecodeFacts(b *testing.B) {
	frame := encodeFacts(1, benchFacts(rand.New(rand.NewPCG(1, 1)), 500, 50))
	b.ReportMetric(float64(len(frame)), "bytes")
	for b.Loop() {
		if _, err := decodeFacts(1, frame); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncodeFacts(b *testing.B) {
	f := benchFacts(rand.New(rand.NewPCG(1, 1)), 500, 50)
	for b.Loop() {
		encodeFacts(1, f)
	}
}
