package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
)

// Builder walks a flat tree and writes facts. Hooks get it to do their part. It serves one
// file at a time and keeps its buffers for the next.
type Builder struct {
	F *graph.Facts // what has been found so far

	l      *Language
	t      *Tree
	src    []byte
	ids    map[string]uint32
	paths  map[string]uint16
	named  map[member]int32 // the last symbol of a name in a container
	ahead  map[member]bool  // the members that types define in their own bodies
	in     int32
	frames []frame
	names  []bound
	doc    docRun
	// untaken are the places that the usual build leaves out, where that is known before they are visited.
	untaken []docRun
	nest    int
	space   string // what the path of names at the top begins with
	// typeParams is set while type parameters are read: they are not flagged as such yet.
	typeParams bool
	// branches are those that are hardly compiled, of C, and macros its macros, once they are judged.
	branches map[uint32]uint8
	macros   map[string]string
	judged   bool
	// macroDefs are the macros of C that the file defines, once they are asked for.
	macroDefs *cDefines
	// Scratch is for a language's hooks: what one node leaves for a later one.
	Scratch [4]int32
	// ruby is what Ruby's hooks note of the method that is read, php what PHP's note.
	ruby rubyNotes
	php  phpNotes
	// inBranch is where, among the names, those bound in the innermost branch begin.
	inBranch int
}

// maxNest bounds how deep nested nodes are followed; deeper parts are left out and told.
const maxNest = 4000

// NewBuilder returns a builder for any language.
func NewBuilder() *Builder {
	return &Builder{ids: map[string]uint32{}, paths: map[string]uint16{}, named: map[member]int32{}, ahead: map[member]bool{}}
}

// Build makes the facts of a parsed file of language l.
func (b *Builder) Build(l *Language, t *Tree) *graph.Facts {
	clear(b.ids)
	clear(b.paths)
	clear(b.named)
	clear(b.ahead)
	b.l, b.t, b.src, b.in, b.nest, b.space = l, t, t.Src, graph.None, 0, ""
	b.frames, b.names, b.doc, b.Scratch = b.frames[:0], b.names[:0], docRun{}, [4]int32{-1, -1, -1, -1}
	b.untaken = b.untaken[:0]
	b.branches, b.macros, b.judged, b.macroDefs = nil, nil, false, nil
	f := &graph.Facts{Language: l.Name, Strings: []string{""}, Lists: []int32{0}}
	n := len(t.Nodes)
	f.Exprs = make([]graph.Expr, 0, n/8+8)
	b.ids[""] = 0
	b.ruby, b.php, b.inBranch = rubyNotes{shared: &rubyShared{}}, phpNotes{}, 0
	b.F = f
	b.frames = append(b.frames, frame{kind: fileFrame, in: graph.None, sym: graph.None})
	if n > 0 {
		b.errors()
		if l.Start != nil {
			l.Start(b)
		}
		b.visitChildren(0)
	}
	for i := range f.Locals {
		if f.Locals[i].Symbol == symbolToCome {
			f.Locals[i].Symbol = graph.None
		}
	}
	if l.Finish != nil {
		l.Finish(b)
	}
	return f
}

// errors notes what the grammar could not take.
func (b *Builder) errors() {
	if b.t.Errors == 0 {
		return
	}
	for i := int32(0); i < int32(len(b.t.Nodes)); {
		n := &b.t.Nodes[i]
		if n.Kind == KindError {
			b.F.Errors = append(b.F.Errors, graph.ErrorSpan{Start: n.Start, End: n.End, Reason: "syntax error"})
			i = int32(n.Next)
			continue
		}
		i++
	}
	if len(b.F.Errors) == 0 { // only missing tokens
		b.F.Errors = append(b.F.Errors, graph.ErrorSpan{Reason: "missing token"})
	}
}

// Nodes.

// Kind is the grammar's name of node n; empty for None.
func (b *Builder) Kind(n int32) string {
	if n < 0 {
		return ""
	}
	return b.l.g.KindName(b.t.Nodes[n].Kind)
}

// Is reports whether n is a node of that kind.
func (b *Builder) Is(n int32, kind string) bool { return n >= 0 && b.Kind(n) == kind }

// Text is the source of n; empty for None.
func (b *Builder) Text(n int32) string {
	if n < 0 {
		return ""
	}
	return string(b.t.Text(n))
}

// Node is node n.
func (b *Builder) Node(n int32) *Node { return &b.t.Nodes[n] }

// First is the first child of n, or None.
func (b *Builder) First(n int32) int32 {
	if n >= 0 && int(n) < len(b.t.Nodes) && n+1 < int32(b.t.Nodes[n].Next) {
		return n + 1
	}
	return graph.None
}

// Next is the sibling after c, a child of n, or None.
func (b *Builder) Next(n, c int32) int32 {
	if x := b.t.Nodes[c].Next; x < b.t.Nodes[n].Next {
		return int32(x)
	}
	return graph.None
}

// Field is the first child of n in the field of that name, or None.
func (b *Builder) Field(n int32, field string) int32 {
	id := b.l.g.fields[field]
	if id == 0 {
		return graph.None
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.t.Nodes[c].Field == id {
			return c
		}
	}
	return graph.None
}

// InField reports whether c stands in the field of that name.
func (b *Builder) InField(c int32, field string) bool {
	id := b.l.g.fields[field]
	return id != 0 && b.t.Nodes[c].Field == id
}

// Child is the first child of n of one of the kinds, or None.
func (b *Builder) Child(n int32, kinds ...string) int32 {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		k := b.Kind(c)
		for _, want := range kinds {
			if k == want {
				return c
			}
		}
	}
	return graph.None
}

// Has reports whether n has a child of one of the kinds; tokens must be among the language's Tokens.
func (b *Builder) Has(n int32, kinds ...string) bool { return b.Child(n, kinds...) >= 0 }

// Find is the first node of one of the kinds below n, or None.
func (b *Builder) Find(n int32, kinds ...string) int32 {
	for i := n + 1; i < int32(b.t.Nodes[n].Next); i++ {
		k := b.Kind(i)
		for _, want := range kinds {
			if k == want {
				return i
			}
		}
	}
	return graph.None
}

func (b *Builder) in1(c int32, s *slot) bool {
	n := &b.t.Nodes[c]
	if n.Field != 0 {
		for _, f := range s.fields {
			if f == n.Field {
				return true
			}
		}
	}
	for _, k := range s.kinds {
		if k == n.Kind {
			return true
		}
	}
	return false
}

// child is the first child of n in slot s, or None.
func (b *Builder) child(n int32, s *slot) int32 {
	if s.empty() {
		return graph.None
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.in1(c, s) {
			return c
		}
	}
	return graph.None
}

func (b *Builder) rule(n int32) *compiled {
	if n < 0 { // a part that a broken source lacks
		return errorRule
	}
	k := b.t.Nodes[n].Kind
	if int(k) >= len(b.l.rules) {
		return errorRule
	}
	return b.l.rules[k]
}

var errorRule = &compiled{}

// Strings, lists and expressions.

// Str is the index of s among the facts' strings.
func (b *Builder) Str(s string) uint32 {
	if id, ok := b.ids[s]; ok {
		return id
	}
	return b.addStr(s)
}

func (b *Builder) addStr(s string) uint32 {
	id := uint32(len(b.F.Strings))
	b.F.Strings = append(b.F.Strings, s)
	b.ids[s] = id
	return id
}

func (b *Builder) nodeStr(n int32) uint32 {
	text := b.t.Text(n)
	if id, ok := b.ids[string(text)]; ok {
		return id
	}
	return b.addStr(string(text))
}

// List keeps items and returns the list's offset.
func (b *Builder) List(items ...int32) uint32 {
	if len(items) == 0 {
		return 0
	}
	at := uint32(len(b.F.Lists))
	b.F.Lists = append(b.F.Lists, int32(len(items)))
	b.F.Lists = append(b.F.Lists, items...)
	return at
}

// Expr adds an expression. Its In is set to the enclosing symbol.
func (b *Builder) Expr(e graph.Expr) int32 {
	e.In = b.in
	b.F.Exprs = append(b.F.Exprs, e)
	return int32(len(b.F.Exprs) - 1)
}

// Off is the offset at which n begins.
func (b *Builder) Off(n int32) uint32 { return b.t.Nodes[n].Start }

// Of adds an expression of operation op on x, at node n; None if x is None.
func (b *Builder) Of(op graph.Op, n, x int32) int32 {
	if x < 0 {
		return graph.None
	}
	return b.Expr(graph.Expr{Op: op, X: x, Off: b.Off(n)})
}

// Part adds part k of the tuple x.
func (b *Builder) Part(n, x int32, k int) int32 {
	if x < 0 {
		return graph.None
	}
	if e := &b.F.Exprs[x]; e.Op == graph.OpTuple {
		if kids := b.F.List(e.Kids); k < len(kids) {
			return kids[k]
		}
		return graph.None
	}
	return b.Expr(graph.Expr{Op: graph.OpTupleAt, X: x, N: uint16(k), Off: b.Off(n)})
}

// Literal adds a value of the language's type of that name.
func (b *Builder) Literal(n int32, typ string) int32 {
	return b.Expr(graph.Expr{Op: graph.OpLiteral, Name: b.Str(typ), Off: b.Off(n), X: graph.None})
}

// Scopes.
