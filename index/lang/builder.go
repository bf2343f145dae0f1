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
	nest   int
	space  string // what the path of names at the top begins with
	// typeParams is set while type parameters are read: they are not flagged as such yet.
	typeParams bool
	// branches are those that are hardly compiled, of C, and macros its macros, once they are judged.
	branches map[uint32]uint8
	macros   map[string]string
	judged   bool
	// Scratch is for a language's hooks: what one node leaves for a later one.
	Scratch [4]int32
	// ruby is what Ruby's hooks note of the method that is read.
	ruby rubyNotes
}

type frameKind uint8

const (
	fileFrame frameKind = iota
	typeFrame
	funcFrame
	blockFrame
)

type frame struct {
	kind frameKind
	base int     // of names
	in   int32   // the enclosing symbol outside
	sym  int32   // the symbol that the frame belongs to
	rets []int32 // what an anonymous function returns
}

type member struct {
	in   int32
	name uint32
}

type bound struct {
	name  uint32
	local int32
}

// symbolToCome marks a local whose definition has been seen but not been taken yet.
const symbolToCome int32 = -2

type docRun struct{ start, end uint32 }

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
	b.branches, b.macros, b.judged = nil, nil, false
	f := &graph.Facts{Language: l.Name, Strings: []string{""}, Lists: []int32{0}}
	n := len(t.Nodes)
	f.Exprs = make([]graph.Expr, 0, n/8+8)
	b.ids[""] = 0
	b.ruby = rubyNotes{shared: &rubyShared{}}
	b.F = f
	b.frames = append(b.frames, frame{kind: fileFrame, in: graph.None, sym: graph.None})
	if n > 0 {
		b.errors()
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

func (b *Builder) frame() *frame { return &b.frames[len(b.frames)-1] }

// push opens a frame; sym becomes the enclosing symbol unless it is None.
func (b *Builder) push(k frameKind, sym int32) {
	b.frames = append(b.frames, frame{kind: k, base: len(b.names), in: b.in, sym: sym})
	if sym >= 0 {
		b.in = sym
	}
}

func (b *Builder) pop() {
	f := b.frame()
	b.names, b.in = b.names[:f.base], f.in
	b.frames = b.frames[:len(b.frames)-1]
}

// Scope runs f in a block scope.
func (b *Builder) Scope(f func()) {
	b.push(blockFrame, graph.None)
	f()
	b.pop()
}

// InType, InFunction and AtFile tell what kind of scope is innermost.
func (b *Builder) InType() bool { return b.frame().kind == typeFrame }

// InFunction reports whether variables declared here are locals.
func (b *Builder) InFunction() bool { k := b.frame().kind; return k == funcFrame || k == blockFrame }

// AtFile reports whether the innermost scope is the file's.
func (b *Builder) AtFile() bool { return b.frame().kind == fileFrame }

// Enclosing is the innermost symbol being built, or None.
func (b *Builder) Enclosing() int32 { return b.in }

// EnclosingType is the innermost type that encloses the current place, or None.
func (b *Builder) EnclosingType() int32 {
	for i := len(b.frames) - 1; i >= 0; i-- {
		if b.frames[i].kind == typeFrame {
			return b.frames[i].sym
		}
	}
	return graph.None
}

// local finds the visible local of that name, or None.
func (b *Builder) local(name uint32) int32 {
	for i := len(b.names) - 1; i >= 0; i-- {
		if b.names[i].name == name {
			return b.names[i].local
		}
	}
	return graph.None
}

// funcBase is where the names of the innermost function begin.
func (b *Builder) funcBase() int {
	for i := len(b.frames) - 1; i >= 0; i-- {
		if b.frames[i].kind == funcFrame {
			return b.frames[i].base
		}
	}
	return 0
}

// ownLocal finds the local of that name in the innermost function, or None.
func (b *Builder) ownLocal(name uint32) int32 {
	for i := len(b.names) - 1; i >= b.funcBase(); i-- {
		if b.names[i].name == name {
			return b.names[i].local
		}
	}
	return graph.None
}

// blockLocal finds the local of that name in the innermost frame, or None.
func (b *Builder) blockLocal(name uint32) int32 {
	for i := len(b.names) - 1; i >= b.frame().base; i-- {
		if b.names[i].name == name {
			return b.names[i].local
		}
	}
	return graph.None
}

// Local binds a new local; the name is visible from here to the end of the frame.
func (b *Builder) Local(name uint32, off uint32, typ, init int32, flags graph.LocalFlags) int32 {
	id := int32(len(b.F.Locals))
	b.F.Locals = append(b.F.Locals, graph.Local{Name: name, Off: off, Type: typ, Init: init, Symbol: graph.None, In: b.in, Flags: flags})
	if name != 0 {
		b.names = append(b.names, bound{name, id})
	}
	return id
}

// addInit gives a local another value: its type is then any of them.
func (b *Builder) addInit(local, value int32) {
	if l := &b.F.Locals[local]; l.Type < 0 {
		init := b.anyOf(l.Init, value)
		b.F.Locals[local].Init = init
	}
}

// maxValues bounds how many values of one variable are told apart.
const maxValues = 8

// anyOf is the value that is old, an earlier result of anyOf or None, or value.
func (b *Builder) anyOf(old, value int32) int32 {
	switch {
	case value < 0 || old == value:
		return old
	case old < 0:
		return value
	}
	e := &b.F.Exprs[old]
	if e.Op == graph.OpUnion && e.Role == graph.NoRole && e.N == 1 {
		if kids := b.F.List(e.Kids); len(kids) < maxValues {
			list := b.List(append(append([]int32{}, kids...), value)...)
			b.F.Exprs[old].Kids = list
		}
		return old
	}
	return b.Expr(graph.Expr{Op: graph.OpUnion, N: 1, X: graph.None, Off: e.Off, Kids: b.List(old, value)})
}

// Symbols.

// Symbol adds a definition: node is its whole extent, name its name's node (None: then
// text names it), inside the enclosing symbol. The pending doc comment becomes its own.
func (b *Builder) Symbol(kind graph.Kind, name, node int32, text string) int32 {
	n := b.t.Nodes[node]
	s := graph.Symbol{Kind: kind, Start: n.Start, End: n.End, NameOff: n.Start, Container: b.in,
		Type: graph.None, Init: graph.None, Owner: graph.None}
	if name >= 0 {
		s.NameOff = b.t.Nodes[name].Start
		if text == "" {
			s.Name = b.nodeStr(name)
		}
	}
	if text != "" {
		s.Name = b.Str(text)
	}
	if b.doc.end > 0 {
		s.DocStart, s.DocEnd = b.doc.start, b.doc.end
		b.doc = docRun{}
	}
	if b.InFunction() {
		s.Flags |= graph.NestedDef
	}
	if b.l.Export == nil || b.l.Export(b.F.Strings[s.Name]) {
		s.Flags |= graph.Exported
	}
	return b.addSymbol(s, b.qual(b.in))
}

func (b *Builder) addSymbol(s graph.Symbol, qual string) int32 {
	s.Qual = b.Str(qual)
	path := b.F.Strings[s.Name]
	if qual != "" {
		path = qual + "." + path
	}
	b.paths[path]++
	s.Ordinal = b.paths[path]
	if s.Flags&graph.NestedDef == 0 {
		b.named[member{s.Container, s.Name}] = int32(len(b.F.Symbols))
	}
	b.F.Symbols = append(b.F.Symbols, s)
	return int32(len(b.F.Symbols) - 1)
}

// qual is the path of names of what symbol in owns.
func (b *Builder) qual(in int32) string {
	if in < 0 {
		return b.space
	}
	switch s := &b.F.Symbols[in]; {
	case s.Flags&graph.Anonymous == 0:
	case s.Owner >= 0:
		return b.ownerPath(s)
	case s.Kind == graph.Namespace: // a macro's, see cppRegion
		return b.F.Strings[s.Qual]
	}
	return b.F.Scope(in)
}

// ownerPath is the path of names of the type that a block without a name adds members to.
func (b *Builder) ownerPath(s *graph.Symbol) string {
	name := ""
	for e := s.Owner; e >= 0 && name == ""; {
		x := &b.F.Exprs[e]
		name, e = b.F.Strings[x.Name], x.X
		for e >= 0 && x.Op == graph.OpMember && b.l.Separator == "" { // the types around it
			x = &b.F.Exprs[e]
			if n := b.F.Strings[x.Name]; n != "" {
				name = n + "." + name
			}
			e = x.X
		}
	}
	if name == "" {
		name = b.F.Strings[s.Name]
	}
	if q := b.F.Strings[s.Qual]; q != "" {
		return q + "." + name
	}
	return name
}

// Sym is symbol i, to be completed.
func (b *Builder) Sym(i int32) *graph.Symbol { return &b.F.Symbols[i] }

// nameOfScope binds a definition's name where it is nested in a function.
func (b *Builder) bindNested(sym int32) {
	s := b.Sym(sym)
	if s.Flags&graph.NestedDef == 0 || s.Name == 0 || s.Flags&graph.Anonymous != 0 {
		return
	}
	if l := b.blockLocal(s.Name); l >= 0 && b.F.Locals[l].Symbol < 0 && b.F.Locals[l].Flags == 0 {
		b.F.Locals[l].Symbol = sym
		return
	}
	l := b.Local(s.Name, s.NameOff, graph.None, graph.None, 0)
	b.F.Locals[l].Symbol = sym
}
