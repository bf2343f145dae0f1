package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
)

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
