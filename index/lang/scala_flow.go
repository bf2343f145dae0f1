package lang

import (
	"bytes"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// scalaBlock visits statements; the last one's value is theirs. Definitions are known before they
// are reached.
func scalaBlock(b *Builder, n int32, role graph.Role, want bool) int32 {
	v := graph.None
	b.Scope(func() {
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			switch b.Kind(c) {
			case "function_definition", "class_definition", "object_definition", "trait_definition":
				if id := b.Field(c, "name"); id >= 0 && b.InFunction() {
					l := b.Local(b.nodeStr(id), b.Off(id), graph.None, graph.None, 0)
					b.F.Locals[l].Symbol = symbolToCome
				}
			}
		}
		v = kotlinStatements(b, n, role, want)
	})
	return v
}

func scalaMatch(b *Builder, n int32, role graph.Role, want bool) int32 {
	v := b.Value(b.Field(n, "value"), graph.Read, true)
	return scalaClauses(b, b.Field(n, "body"), v, want)
}

// scalaClauses takes the cases below n of value.
func scalaClauses(b *Builder, n, value int32, want bool) int32 {
	var kids []int32
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "case_clause") {
			continue
		}
		b.Scope(func() {
			for x := b.First(c); x >= 0; x = b.Next(c, x) {
				switch {
				case b.InField(x, "pattern"):
					scalaPattern(b, x, value)
				case b.InField(x, "body"):
					if v := b.Value(x, graph.Read, want); v >= 0 && len(kids) < maxValues {
						kids = append(kids, v)
					}
				default:
					b.Visit(x)
				}
			}
		})
	}
	return b.anyValue(n, kids, want)
}

// scalaCases is { case ... }, a function of one parameter.
func scalaCases(b *Builder, n int32, role graph.Role, want bool) int32 {
	b.push(funcFrame, graph.None)
	b.frame().sym = graph.None
	l := b.Local(0, b.Off(n), graph.None, graph.None, graph.InnerParam)
	kid := b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Off: b.Off(n)})
	v := scalaClauses(b, n, kid, true)
	b.pop()
	return b.ifWanted(want, graph.Expr{Op: graph.OpFunc, X: b.Of(graph.OpTypeOf, n, v), Kids: b.List(kid), Off: b.Off(n)})
}

// scalaPattern binds the names in the pattern at n, which takes value apart.
func scalaPattern(b *Builder, n, value int32) {
	switch b.Kind(n) {
	case "":
	case "identifier":
		if name := b.Text(n); scalaBinds(name) {
			b.Local(b.nodeStr(n), b.Off(n), graph.None, value, 0)
		} else {
			b.Name(n, graph.Read, false)
		}
	case "typed_pattern":
		t := b.Type(b.Field(n, "type"), graph.TypeUse)
		scalaPattern(b, b.Field(n, "pattern"), b.Of(graph.OpInstance, n, t))
	case "capture_pattern":
		part := b.Field(n, "pattern")
		v := value
		if b.Is(part, "typed_pattern") || b.Is(part, "case_class_pattern") {
			v = b.Of(graph.OpInstance, n, b.typeQuiet(b.Field(part, "type")))
		}
		if id := b.Field(n, "name"); id >= 0 {
			b.Local(b.nodeStr(id), b.Off(id), graph.None, v, 0)
		}
		scalaPattern(b, part, value)
	case "case_class_pattern":
		t := b.Type(b.Field(n, "type"), graph.TypeUse)
		k := 0
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			if b.InField(c, "pattern") {
				part := graph.None
				if t >= 0 {
					part = b.Expr(graph.Expr{Op: graph.OpTaken, X: t, N: uint16(k), Off: b.Off(c)})
				}
				scalaPattern(b, c, part)
				k++
			}
		}
	case "tuple_pattern":
		k := 0
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			scalaPattern(b, c, b.Part(c, value, k))
			k++
		}
	case "alternative_pattern":
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			scalaPattern(b, c, value)
		}
	case "infix_pattern":
		scalaPattern(b, b.Field(n, "left"), b.Of(graph.OpElem, n, value))
		scalaPattern(b, b.Field(n, "right"), value)
	case "wildcard", "repeat_pattern":
	default:
		b.Value(n, graph.Read, false)
	}
}

func scalaTry(b *Builder, n int32, role graph.Role, want bool) int32 {
	var kids []int32
	keep := func(v int32) {
		if v >= 0 {
			kids = append(kids, v)
		}
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.InField(c, "body"):
			keep(b.Value(c, graph.Read, want))
		case b.Is(c, "catch_clause"):
			for x := b.First(c); x >= 0; x = b.Next(c, x) {
				if b.Is(x, "case_block") || b.Is(x, "indented_cases") {
					keep(scalaClauses(b, x, graph.None, want))
				} else {
					b.Visit(x)
				}
			}
		default:
			b.Visit(c)
		}
	}
	return b.anyValue(n, kids, want)
}

// scalaFor binds the names of its enumerators, each known to the next. What it yields is a sequence.
func scalaFor(b *Builder, n int32, role graph.Role, want bool) int32 {
	v := graph.None
	b.Scope(func() {
		list := b.Field(n, "enumerators")
		for c := b.First(list); c >= 0; c = b.Next(list, c) {
			scalaEnumerator(b, c)
		}
		v = b.Value(b.Field(n, "body"), graph.Read, want)
	})
	return b.ifWanted(want && v >= 0, graph.Expr{Op: graph.OpArray, X: graph.None, Kids: b.List(v), Off: b.Off(n)})
}

// scalaEnumerator is p <- xs, p = x, or a guard, which may follow.
func scalaEnumerator(b *Builder, n int32) {
	pattern := b.First(n)
	if pattern < 0 || b.Is(pattern, "guard") {
		b.visitChildren(n)
		return
	}
	x := b.Next(n, pattern)
	if x < 0 {
		b.Visit(pattern)
		return
	}
	v := b.Value(x, graph.Read, true)
	if gap := b.src[b.Node(pattern).End:max(b.Node(pattern).End, b.Off(x))]; bytes.Contains(gap, []byte("<-")) || bytes.Contains(gap, []byte("←")) {
		v = b.Of(graph.OpElem, n, v)
	}
	scalaPattern(b, pattern, v)
	for c := b.Next(n, x); c >= 0; c = b.Next(n, c) {
		b.Visit(c)
	}
}

func scalaThrow(b *Builder, n int32) bool {
	b.visitChildren(n)
	return true
}

// scalaBuiltins are the types that every file sees and that values of literals have.
var scalaBuiltins = func() map[string]string {
	m := map[string]string{}
	for _, w := range strings.Fields(`Any AnyRef AnyVal Unit Nothing Null Int Long Short Byte Double Float Boolean Char String Object CharSequence Number
Throwable Exception RuntimeException Error IllegalArgumentException IllegalStateException UnsupportedOperationException IndexOutOfBoundsException
NullPointerException ClassCastException NumberFormatException Serializable Product println print require assert assume locally implicitly summon ???`) {
		m[w] = ""
	}
	return m
}()

// scalaLibrary: members of the standard library's collections and options.
var scalaLibrary = func() map[string]Yield {
	m := map[string]Yield{}
	for y, names := range map[Yield]string{
		YieldElem: `apply head last get getOrElse orElse min max minBy maxBy next reduce reduceLeft remove dequeue pop getOrElseUpdate value`,
		YieldSame: `filter filterNot withFilter sorted sortBy sortWith reverse distinct take takeRight takeWhile drop dropRight dropWhile tail init toList toSeq toVector
			toSet toArray toIterator iterator headOption lastOption find minOption maxOption slice filterKeys toIndexedSeq view tapEach distinctBy`,
		YieldList:   "values",
		YieldKeys:   "keys keySet",
		YieldPairs:  "zipWithIndex",
		YieldMapped: "collect",
		YieldFlat:   "flatMap",
		YieldResult: "fold foldLeft foldRight pipe",
	} {
		for _, n := range strings.Fields(names) {
			m[n] = y
		}
	}
	m["map"] = YieldMappedSame
	return m
}()

// scalaCallbacks: which parameters of a function passed to them are elements.
var scalaCallbacks = func() map[string]uint8 {
	m := map[string]uint8{"foldLeft": 2, "foldRight": 1, "sortWith": 3, "reduce": 3, "reduceLeft": 3}
	for _, n := range strings.Fields(`foreach map flatMap filter filterNot withFilter exists forall find count collect partition sortBy minBy maxBy groupBy takeWhile dropWhile
		indexWhere tapEach distinctBy span foldMap`) {
		m[n] = 1
	}
	return m
}()
