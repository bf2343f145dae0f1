package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
)

// rubyNotes are what Ruby's hooks note while they read: of a method what it does with its block, and
// of the blocks around a place what they may be run on.
type rubyNotes struct {
	block blockUse
	on    uint32 // a list: what the code here may be run on, the innermost first
	next  int32  // one more than what the next block may be run on

	loops  []rubyLoop
	text   []byte // the file, while code is read that a string of it holds
	shared *rubyShared
}

// enter are the notes for a method in what b notes.
func (r rubyNotes) enter() rubyNotes {
	return rubyNotes{block: blockUse{on: graph.None, taken: graph.None}, loops: r.loops, text: r.text, shared: r.shared}
}

// blockUse is what a method does with its block: what it hands to it (of each parameter all that it
// may be), what it runs it on, and what it passes it on to.
type blockUse struct {
	yields    [][]int32
	on, taken int32
}

// rbSelf is self, which in a block may be what the block is run on.
func rbSelf(b *Builder, n int32, role graph.Role, want bool) int32 {
	return b.rbReceiver(b.Off(n))
}

// rbReceiver is the receiver of the code at off.
func (b *Builder) rbReceiver(off uint32) int32 {
	return b.Expr(graph.Expr{Op: graph.OpSelf, X: graph.None, Kids: b.ruby.on, Off: off})
}

// rbRuns reports whether the method of that name runs its block on its receiver.
func rbRuns(name string) bool {
	switch name {
	case "instance_eval", "instance_exec", "class_eval", "class_exec", "module_eval", "module_exec":
		return true
	}
	return false
}

// rbRunOn notes what the block of a call of x may be run on: the receiver, for methods that do that,
// else what the called method says.
func rbRunOn(b *Builder, n, x int32, name string) {
	if x < 0 {
		return
	}
	on := graph.None
	if e := b.F.Exprs[x]; rbRuns(name) && e.Op == graph.OpMember {
		on = e.X
	} else {
		on = b.Expr(graph.Expr{Op: graph.OpArg, X: x, N: graph.LastArg<<8 | graph.ArgReceiver, Off: b.Off(n)})
	}
	b.ruby.next = on + 1
}

// rbEnterBlock makes what was noted for this block the innermost value that its code may be run on.
func rbEnterBlock(b *Builder) {
	on := b.ruby.next - 1
	b.ruby.next = 0
	if on < 0 {
		return
	}
	list := append([]int32{on}, b.F.List(b.ruby.on)...)
	b.ruby.on = b.List(list[:min(len(list), maxValues)]...)
}

// rbYield hands values to the block of the method around it.
func rbYield(b *Builder, n int32, role graph.Role, want bool) int32 {
	rbHands(b, b.First(n))
	return graph.None
}

// rbHands notes the arguments in the list at n as what the method around it hands to its block.
func rbHands(b *Builder, n int32) {
	i := 0
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.rule(c).Do == Comment {
			continue
		}
		v := b.Value(c, graph.Read, true)
		if i == len(b.ruby.block.yields) {
			b.ruby.block.yields = append(b.ruby.block.yields, nil)
		}
		if ys := b.ruby.block.yields[i]; v >= 0 && len(ys) < maxValues {
			b.ruby.block.yields[i] = append(ys, v)
		}
		i++
	}
}

// rbOwnBlock reports whether n names the block parameter of the method around it.
func rbOwnBlock(b *Builder, n int32) bool {
	if !b.Is(n, "identifier") {
		return false
	}
	l := b.rbLocal(b.nodeStr(n))
	if l < 0 {
		return false
	}
	x := &b.F.Locals[l]
	return x.Flags&graph.Param != 0 && x.Off > 0 && b.src[x.Off-1] == '&'
}

// rbBlockArgument is &block or &:name, a function that asks its parameter for name.
func rbBlockArgument(b *Builder, n int32, role graph.Role, want bool) int32 {
	c := b.First(n)
	word, off := rbWord(b, c)
	if word == "" || !b.Is(c, "simple_symbol") {
		return b.Value(c, role, want)
	}
	l := b.Local(0, off, graph.None, graph.None, graph.InnerParam)
	p := b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Off: off})
	m := b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Call, X: p, Name: b.Str(word), Off: off})
	call := b.Expr(graph.Expr{Op: graph.OpCall, X: m, N: 1, Off: off})
	return b.Expr(graph.Expr{Op: graph.OpFunc, X: b.Of(graph.OpTypeOf, n, call), Kids: b.List(p), Off: b.Off(n)})
}

// rbPassesOn notes what the call of x does with the block of the method around it, which the argument
// at n passes on.
func rbPassesOn(b *Builder, n, x int32, name string) {
	if x < 0 || !rbOwnBlock(b, b.First(n)) {
		return
	}
	if e := b.F.Exprs[x]; rbRuns(name) && e.Op == graph.OpMember {
		b.ruby.block.on = e.X
	} else if b.ruby.block.taken < 0 {
		b.ruby.block.taken = b.Expr(graph.Expr{Op: graph.OpTaken, X: x, N: graph.LastArg, Off: b.Off(n)})
	}
}

// rbBlockType gives the block parameter of method sym the type that follows from what the method does
// with its block. A method that names no block has one all the same.
func rbBlockType(b *Builder, sym int32) {
	use := &b.ruby.block
	if use.on < 0 && use.taken < 0 && len(use.yields) == 0 {
		return
	}
	in, off := b.in, b.Sym(sym).NameOff
	b.in = sym
	defer func() { b.in = in }()
	t := graph.None
	if use.on < 0 && len(use.yields) == 0 {
		t = b.Expr(graph.Expr{Op: graph.OpTypeOf, X: use.taken, Off: off})
	} else {
		var kids []int32
		for _, ys := range use.yields {
			kids = append(kids, b.Expr(graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(ys...), Off: off}))
			if len(ys) == 1 {
				kids[len(kids)-1] = ys[0]
			}
		}
		e := graph.Expr{Op: graph.OpFunc, X: graph.None, Off: off}
		if use.on >= 0 {
			kids, e.N = append(kids, use.on), graph.HasReceiver
		}
		e.Kids = b.List(kids...)
		t = b.Expr(e)
	}
	params := b.F.List(b.Sym(sym).Params)
	if k := len(params); k > 0 {
		if l := &b.F.Locals[params[k-1]]; l.Off > 0 && b.src[l.Off-1] == '&' {
			l.Type = t
			return
		}
	}
	l := b.Local(0, off, t, graph.None, graph.Param|graph.OptionalParam)
	list := b.List(append(append([]int32{}, params...), l)...)
	b.Sym(sym).Params = list
}
