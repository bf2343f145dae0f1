package graphtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// Size is how much a random record holds.
type Size struct {
	Symbols int // at most
	Exprs   int // at most
	Names   int // distinct names to draw from
	Keys    int // distinct keys to draw from
}

// Small is a size for tests of behaviour: names and keys meet often.
var Small = Size{Symbols: 6, Exprs: 30, Names: 12, Keys: 20}

// RandomKey is the i-th key that random records draw from.
func RandomKey(i int) graph.Key { return graph.Scope("random", "").Key(fmt.Sprint(i)) }

// RandomName is the i-th name that random records draw from; the first ones are odd.
func RandomName(i int) string {
	odd := []string{"naïve", "a\x00b", "a", "a\x00", "\xff\xfe", strings.Repeat("long", 400), strings.Repeat("long", 400) + "er"}
	if i < len(odd) {
		return odd[i]
	}
	return fmt.Sprintf("name%d", i)
}

// RandomRecord is a record for the file at path with id, drawn from r: well-formed facts
// and links to symbols of the peers' random names. The same r gives the same record but
// for the ids.
func RandomRecord(r *rand.Rand, path string, id graph.FileID, peers []graph.FileID, size Size) graph.FileRecord {
	rec := graph.FileRecord{File: graph.File{ID: id, Path: path, Language: "toy", Size: r.Int64N(1 << 20), Lines: r.Uint32N(1 << 16),
		Test: r.IntN(4) == 0, Generated: r.IntN(9) == 0}}
	for i := range rec.File.Hash {
		rec.File.Hash[i] = byte(r.Uint32())
	}
	if r.IntN(8) == 0 {
		rec.File.Skip = "binary"
		return rec
	}
	f := RandomFacts(r, size)
	rec.Facts, rec.File.Symbols = f, uint32(len(f.Symbols))
	for i := range f.Symbols {
		if r.IntN(3) > 0 {
			rec.Exports = append(rec.Exports, graph.Export{Key: RandomKey(r.IntN(size.Keys)), Index: int32(i), Shape: r.Uint64N(4)})
		}
	}
	for i := range f.Imports {
		if r.IntN(3) == 0 {
			rec.Exports = append(rec.Exports, graph.Export{Key: RandomKey(r.IntN(size.Keys)), Index: int32(-1 - i), Shape: r.Uint64()})
		}
	}
	if r.IntN(2) == 0 {
		rec.Exports = append(rec.Exports, graph.Export{Key: RandomKey(r.IntN(size.Keys)), Index: graph.FileItself})
	}
	for range r.IntN(size.Keys) {
		rec.Reads = append(rec.Reads, RandomKey(r.IntN(size.Keys)))
	}
	slices.Sort(rec.Reads)
	if r.IntN(8) > 0 {
		rec.Links = RandomLinks(r, f, peers, size)
	}
	return rec
}

// RandomLinks are links for the references of f: to top-level symbols of random names in
// the peers, of which there may be none.
func RandomLinks(r *rand.Rand, f *graph.Facts, peers []graph.FileID, size Size) *graph.Links {
	l := &graph.Links{}
	target := func() graph.Target {
		h := graph.NewHash().String("").String(RandomName(r.IntN(size.Names))).Int(1).Sum()
		return graph.Target{File: peers[r.IntN(len(peers))], Hash: uint32(h)}
	}
	draw := func() (first uint32, n uint16, s graph.Status, why graph.Reason) {
		first = uint32(len(l.Targets))
		if s = graph.Status(r.IntN(4)); s == graph.Certain || s == graph.Possible {
			for range 1 + r.IntN(2) {
				l.Targets = append(l.Targets, target())
				n++
			}
			return first, n, s, graph.ByPackage
		}
		return first, 0, s, graph.NotFound
	}
	for i := range f.Exprs {
		if f.Exprs[i].Role == graph.NoRole {
			continue
		}
		link := graph.Link{Expr: uint32(i), Role: f.Exprs[i].Role}
		link.First, link.N, link.Status, link.Reason = draw()
		l.Refs = append(l.Refs, link)
	}
	for range f.Imports {
		link := graph.ImportLink{Module: graph.NoFile}
		if r.IntN(2) == 0 {
			link.Module = peers[r.IntN(len(peers))]
		}
		link.First, link.N, link.Status, link.Reason = draw()
		l.Imports = append(l.Imports, link)
	}
	return l
}

// RandomFacts are well-formed facts: symbols nest, indexes are in range, references lie
// in the symbols that enclose them.
func RandomFacts(r *rand.Rand, size Size) *graph.Facts {
	b := builder{r: r, f: &graph.Facts{Language: "toy", Package: fmt.Sprintf("pkg%d", r.IntN(3)), Lists: []int32{0}, Variant: uint8(r.IntN(3))}}
	b.str("")
	n := r.IntN(size.Symbols + 1)
	for i := range n {
		b.symbol(int32(i), n, size)
	}
	for i := range r.IntN(size.Exprs + 1) {
		b.expr(int32(i), size)
	}
	for range r.IntN(4) {
		b.f.Imports = append(b.f.Imports, graph.Imported{Local: b.name(size), Module: b.str(fmt.Sprintf("mod%d", r.IntN(5))), Name: b.name(size),
			Off: r.Uint32N(100), ModuleOff: r.Uint32N(100), NameOff: r.Uint32N(100), Flags: graph.ImportFlags(r.IntN(512)), In: graph.None})
	}
	if r.IntN(5) == 0 {
		b.f.Errors = append(b.f.Errors, graph.ErrorSpan{Start: 3, End: 9, Reason: "unexpected token"})
	}
	return b.f
}

// builder makes facts.
type builder struct {
	r     *rand.Rand
	f     *graph.Facts
	index map[string]uint32
	off   uint32
	seen  map[string]uint16
}

func (b *builder) str(s string) uint32 {
	if b.index == nil {
		b.index, b.seen = map[string]uint32{}, map[string]uint16{}
	}
	i, ok := b.index[s]
	if !ok {
		i = uint32(len(b.f.Strings))
		b.f.Strings = append(b.f.Strings, s)
		b.index[s] = i
	}
	return i
}

func (b *builder) name(size Size) uint32 { return b.str(RandomName(b.r.IntN(size.Names))) }

func (b *builder) list(items ...int32) uint32 {
	if len(items) == 0 {
		return 0
	}
	at := uint32(len(b.f.Lists))
	b.f.Lists = append(append(b.f.Lists, int32(len(items))), items...)
	return at
}

// symbol adds symbol i of n: every second top-level symbol is a type, and the ones after
// it may be its members. A symbol takes 100 bytes, a type as many as its members and one.
func (b *builder) symbol(i int32, n int, size Size) {
	s := graph.Symbol{Name: b.name(size), NameOff: uint32(i)*100 + 5, Start: uint32(i) * 100, End: uint32(i)*100 + 100,
		Container: graph.None, Type: graph.None, Init: graph.None, Owner: graph.None, Kind: graph.Function,
		Flags: graph.Flags(b.r.Uint32N(1 << 14))}
	if prev := i - 1; prev >= 0 && b.r.IntN(2) == 0 {
		owner := prev
		if b.f.Symbols[prev].Kind == graph.Method {
			owner = b.f.Symbols[prev].Container
		}
		if o := &b.f.Symbols[owner]; o.Kind == graph.Class {
			s.Kind, s.Container, s.Qual = graph.Method, owner, o.Name
			o.End = s.End
		}
	}
	if s.Container == graph.None && b.r.IntN(2) == 0 {
		s.Kind = graph.Class
		s.Bases = b.list(b.r.Int32N(9), b.r.Int32N(9))
	}
	path := b.f.Strings[s.Qual] + "." + b.f.Strings[s.Name]
	b.seen[path]++
	s.Ordinal = b.seen[path]
	b.f.Symbols = append(b.f.Symbols, s)
	b.f.Locals = append(b.f.Locals, graph.Local{Name: b.name(size), Off: s.Start + 30, Type: graph.None, Init: graph.None, Symbol: graph.None, In: i, Flags: graph.Param})
}

// expr adds expression i, inside one of the symbols or at file level.
func (b *builder) expr(i int32, size Size) {
	e := graph.Expr{Op: graph.OpName, Name: b.name(size), X: graph.None, In: graph.None, Role: graph.Role(b.r.IntN(8)), N: uint16(b.r.IntN(2))}
	if i > 0 && b.r.IntN(2) == 0 {
		e.Op, e.X = graph.OpMember, b.r.Int32N(i)
	}
	if i > 0 && b.r.IntN(5) == 0 {
		e.Kids = b.list(b.r.Int32N(i))
	}
	if n := len(b.f.Symbols); n > 0 && b.r.IntN(5) > 0 {
		e.In = b.r.Int32N(int32(n))
		e.Off = b.f.Symbols[e.In].Start + 40 + b.r.Uint32N(20)
	} else {
		e.Off = uint32(n)*100 + b.r.Uint32N(200)
	}
	b.f.Exprs = append(b.f.Exprs, e)
}
