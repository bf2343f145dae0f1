package lang

import (
	"bytes"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// kotlinUserType is a.b.C<D>: names with type arguments behind any of them.
func kotlinUserType(b *Builder, n int32, role graph.Role) int32 {
	last := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "type_identifier") {
			last = c
		}
	}
	x := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		how := graph.TypeUse
		if c == last {
			how = role
		}
		switch {
		case b.Is(c, "type_arguments"):
			if kids := kotlinTypeArgs(b, c); x >= 0 {
				x = b.Expr(graph.Expr{Op: graph.OpIndex, X: x, Kids: kids, Off: b.Off(n)})
			}
		case !b.Is(c, "type_identifier"):
			b.Visit(c)
		case x < 0:
			x = b.Name(c, how, true)
		default:
			x = b.Expr(graph.Expr{Op: graph.OpMember, Role: how, X: x, Name: b.nodeStr(c), Off: b.Off(c)})
		}
	}
	return x
}

func kotlinTypeArgs(b *Builder, n int32) uint32 {
	var kids []int32
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		kids = append(kids, b.Type(c, graph.TypeUse))
	}
	return b.List(kids...)
}

// kotlinIsType reports whether n is a type, as the grammar writes them.
func kotlinIsType(b *Builder, n int32) bool {
	switch b.Kind(n) {
	case "user_type", "nullable_type", "parenthesized_type", "function_type", "not_nullable_type":
		return true
	}
	return false
}

// kotlinInner is the type inside ?, parentheses or a projection.
func kotlinInner(b *Builder, n int32, role graph.Role) int32 {
	t := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if kotlinIsType(b, c) {
			t = b.Type(c, role)
		} else if b.Is(c, "type_modifiers") {
			b.Visit(c)
		}
	}
	return t
}

// kotlinFuncType is R.(A, b: B) -> C. A receiver is the last of the kids and no parameter: N says
// that there is one.
func kotlinFuncType(b *Builder, n int32, role graph.Role) int32 {
	recv := graph.None
	params := b.Child(n, "function_type_parameters")
	if f := b.First(n); f >= 0 && f != params {
		recv = b.Type(f, graph.TypeUse)
	} else {
		recv = kotlinHiddenReceiver(b, n)
	}
	var kids []int32
	add := func(name uint32, off uint32, t int32) {
		l := b.Local(name, off, t, graph.None, graph.InnerParam)
		kids = append(kids, b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Off: off}))
	}
	b.push(blockFrame, graph.None)
	for c := b.First(params); c >= 0; c = b.Next(params, c) {
		if b.Is(c, "parameter") {
			id, t := kotlinParam(b, c)
			add(b.nodeStr(id), b.Off(id), t)
		} else if kotlinIsType(b, c) {
			add(0, b.Off(c), b.Type(c, graph.TypeUse))
		}
	}
	result := graph.None
	for c := params; c >= 0; c = b.Next(n, c) {
		if kotlinIsType(b, c) {
			result = b.Type(c, graph.TypeUse)
		}
	}
	b.pop()
	e := graph.Expr{Op: graph.OpFunc, X: result, Off: b.Off(n)}
	if recv >= 0 {
		l := b.Local(0, b.Off(n), recv, graph.None, graph.InnerParam|graph.SelfParam)
		kids = append(kids, b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Off: b.Off(n)}))
		e.N = graph.HasReceiver
	}
	e.Kids = b.List(kids...)
	return b.Expr(e)
}

// kotlinHiddenReceiver is the receiver's type that was blanked before the function type at n.
func kotlinHiddenReceiver(b *Builder, n int32) int32 {
	end := int(b.Off(n))
	if b.t.Whole == nil || end == 0 || end > len(b.t.Whole) || b.t.Whole[end-1] != '.' || b.src[end-1] != ' ' {
		return graph.None
	}
	start := end - 1
	for start > 0 && b.src[start-1] == ' ' && b.t.Whole[start-1] != ' ' {
		start--
	}
	return b.spelledType(start, bytes.TrimRight(b.t.Whole[start:end], "?."))
}

// spelledType is the dotted type written as text at offset off, in a part that was blanked. What
// stands in angle brackets is left out.
func (b *Builder) spelledType(off int, text []byte) int32 {
	x, depth := graph.None, 0
	for i := 0; i < len(text); {
		j := i
		for j < len(text) && wordByte(text[j]) {
			j++
		}
		if j == i {
			depth += strings.Count("<", string(text[i:i+1])) - strings.Count(">", string(text[i:i+1]))
			i++
			continue
		}
		if name := b.Str(string(text[i:j])); depth == 0 && x < 0 {
			x = b.Expr(graph.Expr{Op: graph.OpName, Role: graph.TypeUse, X: graph.None, Name: name, Off: uint32(off + i)})
		} else if depth == 0 {
			x = b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.TypeUse, X: x, Name: name, Off: uint32(off + i)})
		}
		i = j
	}
	return x
}

func wordByte(c byte) bool {
	return c == '_' || c == '`' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// kotlinTypeParam is a type parameter, visible in its own bound.
func kotlinTypeParam(b *Builder, n int32) bool {
	id := b.Child(n, "type_identifier")
	if id < 0 {
		return true
	}
	l := b.Local(b.nodeStr(id), b.Off(id), graph.None, graph.None, graph.TypeParam)
	for c := b.Next(n, id); c >= 0; c = b.Next(n, c) {
		if kotlinIsType(b, c) {
			t := b.Type(c, graph.TypeUse)
			b.F.Locals[l].Type = t
		}
	}
	return true
}

// kotlinTypes takes a constraint: what it says is a bound of the type parameter it names.
func kotlinTypes(b *Builder, n int32) bool {
	l := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "type_identifier") {
			l = b.local(b.nodeStr(c))
		} else if t := b.Type(c, graph.TypeUse); l >= 0 && b.F.Locals[l].Type < 0 {
			b.F.Locals[l].Type = t
		}
	}
	return true
}

// kotlinBuiltins are the types that every file sees and that values of literals have.
var kotlinBuiltins = func() map[string]string {
	m := map[string]string{}
	for _, w := range strings.Fields(`Any Unit Nothing Int Long Short Byte Double Float Boolean Char String UInt ULong UByte UShort Number CharSequence Comparable
Throwable Exception RuntimeException Error IllegalArgumentException IllegalStateException UnsupportedOperationException IndexOutOfBoundsException
NoSuchElementException NullPointerException ClassCastException NumberFormatException Enum Annotation Function Lazy Pair Triple
println print error require check requireNotNull checkNotNull TODO lazy repeat`) {
		m[w] = ""
	}
	return m
}()

// kotlinLibrary: members of the standard library's collections, and what all values have.
var kotlinLibrary = func() map[string]Yield {
	m := map[string]Yield{}
	for y, names := range map[Yield]string{
		YieldElem: `get first last single elementAt removeAt removeFirst removeLast firstOrNull lastOrNull singleOrNull elementAtOrNull getOrNull find findLast
			random max min maxBy minBy maxByOrNull minByOrNull maxOrNull minOrNull getOrPut getOrDefault getOrElse getValue next reduce value remove put poll pop peek`,
		YieldSame: `also apply takeIf takeUnless filter filterNot filterNotNull sorted sortedBy sortedByDescending sortedWith reversed distinct distinctBy take takeLast takeWhile
			drop dropLast dropWhile toList toMutableList toSet toMutableSet asSequence asIterable onEach iterator subList shuffled plus minus filterKeys filterValues
			filterIndexed union intersect subtract asReversed ifEmpty orEmpty toTypedArray`,
		YieldList:   "values",
		YieldKeys:   "keys",
		YieldPairs:  "entries withIndex",
		YieldKey:    "key",
		YieldMapped: "map mapNotNull mapIndexed mapIndexedNotNull",
		YieldFlat:   "flatMap",
		YieldResult: "let run use fold lazy with",
	} {
		for _, n := range strings.Fields(names) {
			m[n] = y
		}
	}
	return m
}()

// kotlinCallbacks: which parameters of a function passed to them are elements or the value itself.
var kotlinCallbacks = func() map[string]uint8 {
	m := map[string]uint8{}
	for _, n := range strings.Fields(`forEach map mapNotNull filter filterNot flatMap any all none count find findLast first last firstOrNull lastOrNull single singleOrNull onEach
		sortedBy sortBy sortedByDescending sortByDescending distinctBy groupBy associateBy associateWith associate sumOf sumBy maxBy minBy maxByOrNull minByOrNull partition takeWhile dropWhile removeAll removeIf indexOfFirst indexOfLast joinToString`) {
		m[n] = 1
	}
	for _, n := range strings.Fields("forEachIndexed mapIndexed filterIndexed mapIndexedNotNull fold") {
		m[n] = 2
	}
	for _, n := range strings.Fields("let also takeIf takeUnless use") {
		m[n] = CallbackSelf
	}
	return m
}()
