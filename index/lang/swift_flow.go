package lang

import (
	"bytes"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// swiftConditions takes the conditions of a statement, which may bind names, up to its body, and
// gives the first child behind them.
func swiftConditions(b *Builder, n int32) int32 {
	name, typ := graph.None, graph.None
	var cases []int32 // names and patterns that wait for the value they take apart
	binds := false
	c := b.First(n)
	for ; c >= 0; c = b.Next(n, c) {
		switch {
		case b.Is(c, "statements"), b.Is(c, "else"):
			return c
		case b.Is(c, "value_binding_pattern"):
			binds = true
		case b.InField(c, "bound_identifier") && b.Is(c, "simple_identifier"):
			name = c
			if !swiftAssigned(b, n, c) { // if let x
				if b.Text(c) != "self" {
					v := b.Name(c, graph.Read, true)
					b.Local(b.nodeStr(c), b.Off(c), graph.None, v, 0)
				}
				name, binds = graph.None, false
			}
		case b.Is(c, "type_annotation"):
			typ = b.Type(c, graph.TypeUse)
		case b.Is(c, "pattern"), b.Is(c, "wildcard_pattern"), b.Is(c, "simple_identifier") && b.Off(c) > 0 && b.src[b.Off(c)-1] == '.' && swiftAssignedLater(b, n, c):
			cases = append(cases, c)
		case b.rule(c).Do == Comment:
		default:
			v := swiftExpect(b, c, typ)
			if name >= 0 && b.Text(name) != "self" {
				b.Local(b.nodeStr(name), b.Off(name), typ, v, 0)
			}
			swiftCases(b, cases, v, binds)
			name, typ, cases, binds = graph.None, graph.None, nil, false
		}
	}
	return c
}

// swiftCases takes value apart by the parts of a pattern.
func swiftCases(b *Builder, cases []int32, value int32, binds bool) {
	for _, p := range cases {
		if b.Is(p, "simple_identifier") {
			value = b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Read, X: value, Name: b.nodeStr(p), Off: b.Off(p)})
			value = graph.None
		} else {
			swiftPattern(b, p, value, binds)
		}
	}
}

// swiftAssigned reports whether = stands between c and the next child of n.
func swiftAssigned(b *Builder, n, c int32) bool {
	next := b.Next(n, c)
	if next < 0 {
		return false
	}
	if b.Is(next, "type_annotation") {
		return true
	}
	gap := b.src[b.Node(c).End:max(b.Node(c).End, b.Off(next))]
	return bytes.IndexByte(gap, '=') >= 0 && bytes.IndexByte(gap, ',') < 0
}

// swiftAssignedLater reports whether the condition at c is a pattern: = follows it, behind further parts
// of the pattern.
func swiftAssignedLater(b *Builder, n, c int32) bool {
	for c >= 0 && !b.Is(c, "statements") && !b.Is(c, "else") {
		if swiftAssigned(b, n, c) {
			return true
		}
		if c = b.Next(n, c); !b.Is(c, "pattern") && !b.Is(c, "simple_identifier") && !b.Is(c, "wildcard_pattern") {
			return false
		}
	}
	return false
}

// swiftPattern binds the names in the pattern at n, which takes value apart.
func swiftPattern(b *Builder, n, value int32, binds bool) {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if swiftIsType(b, c) && !nextIs(b.src, int(b.Node(c).End), '.') { // is T, as T
			value = b.Of(graph.OpInstance, c, b.Type(c, graph.TypeUse))
		}
	}
	parts := 0
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "pattern") {
			parts++
		}
	}
	tuple := b.src[b.Off(n)] == '(' && parts > 1
	k := 0
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.Is(c, "value_binding_pattern"):
			if binds = true; b.src[min(int(b.Node(c).End)+1, len(b.src)-1)] == '(' {
				tuple = parts > 1
			}
		case swiftIsType(b, c) && nextIs(b.src, int(b.Node(c).End), '.'): // A.b(...)
			value = b.Type(c, graph.TypeUse)
		case swiftIsType(b, c), b.rule(c).Do == Comment, b.rule(c).Do == Skip:
		case b.Is(c, "pattern"):
			part := value
			if tuple {
				part = b.Part(c, value, k)
			}
			swiftPattern(b, c, part, binds)
			k++
		case b.Is(c, "simple_identifier"):
			value = swiftPatternName(b, c, value, binds)
		default:
			swiftAlike(b, c, value)
		}
	}
}

// swiftPatternName is a name in a pattern: the case behind a dot, a label, a binding or a value. What is
// left is the value that further parts take apart.
func swiftPatternName(b *Builder, c, value int32, binds bool) int32 {
	switch off := b.Off(c); {
	case off > 0 && b.src[off-1] == '.':
		b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Read, X: value, Name: b.nodeStr(c), Off: off})
		return graph.None
	case nextIs(b.src, int(b.Node(c).End), ':'):
	case binds || b.InField(c, "bound_identifier"):
		if b.Text(c) != "_" {
			b.Local(b.nodeStr(c), off, graph.None, value, 0)
		}
	default:
		b.Name(c, graph.Read, true)
	}
	return value
}

func swiftIf(b *Builder, n int32) bool {
	swiftIfValue(b, n, graph.Read, false)
	return true
}

func swiftIfValue(b *Builder, n int32, role graph.Role, want bool) int32 {
	var kids []int32
	keep := func(v int32) {
		if v >= 0 {
			kids = append(kids, v)
		}
	}
	c := graph.None
	b.Scope(func() {
		if c = swiftConditions(b, n); b.Is(c, "statements") {
			keep(b.Value(c, graph.Read, want))
			c = b.Next(n, c)
		}
	})
	for ; c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "else") {
			b.Scope(func() { keep(b.Value(c, graph.Read, want)) })
		}
	}
	return b.anyValue(n, kids, want)
}

// swiftGuard: what its conditions bind is known behind it.
func swiftGuard(b *Builder, n int32) bool {
	for c := swiftConditions(b, n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "statements") {
			b.Scope(func() { b.visitChildren(c) })
		}
	}
	return true
}

func swiftWhile(b *Builder, n int32) bool {
	b.Scope(func() {
		for c := swiftConditions(b, n); c >= 0; c = b.Next(n, c) {
			b.Visit(c)
		}
	})
	return true
}

func swiftFor(b *Builder, n int32) bool {
	b.Scope(func() {
		v := b.Value(b.Field(n, "collection"), graph.Read, true)
		if item := b.Field(n, "item"); item >= 0 {
			swiftPattern(b, item, b.Of(graph.OpElem, n, v), true)
		}
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			if !b.InField(c, "item") && !b.InField(c, "collection") && !b.Is(c, "type_annotation") {
				b.Visit(c)
			}
		}
	})
	return true
}

func swiftCatch(b *Builder, n int32) bool {
	b.Scope(func() {
		if p := b.Field(n, "error"); p >= 0 {
			swiftPattern(b, p, graph.None, false)
		} else {
			b.Local(b.Str("error"), b.Off(n), graph.None, graph.None, 0)
		}
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			if !b.InField(c, "error") && !b.Is(c, "catch_keyword") {
				b.Visit(c)
			}
		}
	})
	return true
}

func swiftSwitch(b *Builder, n int32) bool {
	swiftSwitchValue(b, n, graph.Read, false)
	return true
}

func swiftSwitchValue(b *Builder, n int32, role graph.Role, want bool) int32 {
	subject := b.Value(b.Field(n, "expr"), graph.Read, true)
	var kids []int32
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "switch_entry") {
			continue
		}
		b.Scope(func() {
			for x := b.First(c); x >= 0; x = b.Next(c, x) {
				switch b.Kind(x) {
				case "switch_pattern":
					for p := b.First(x); p >= 0; p = b.Next(x, p) {
						swiftPattern(b, p, subject, false)
					}
				case "statements":
					if v := b.Value(x, graph.Read, want); v >= 0 && len(kids) < maxValues {
						kids = append(kids, v)
					}
				case "default_keyword", "where_keyword":
				default:
					b.Visit(x)
				}
			}
		})
	}
	return b.anyValue(n, kids, want)
}

// swiftBuiltins are the types that every file sees and that values of literals have.
var swiftBuiltins = func() map[string]string {
	m := map[string]string{}
	for _, w := range strings.Fields(`Int UInt Int8 Int16 Int32 Int64 UInt8 UInt16 UInt32 UInt64 Double Float Bool String Character Substring Void Any AnyObject Never Error
Equatable Hashable Comparable Codable Encodable Decodable Identifiable Sendable CaseIterable RawRepresentable CustomStringConvertible Regex
print fatalError precondition preconditionFailure assert assertionFailure min max abs zip stride type`) {
		m[w] = ""
	}
	return m
}()

// swiftLibrary: members of the standard library's collections.
var swiftLibrary = func() map[string]Yield {
	m := map[string]Yield{}
	for y, names := range map[Yield]string{
		YieldElem:   "first last randomElement popLast removeFirst removeLast remove min max next reduce",
		YieldSame:   "filter sorted reversed prefix suffix dropFirst dropLast shuffled makeIterator lazy drop",
		YieldList:   "values",
		YieldKeys:   "keys",
		YieldPairs:  "enumerated",
		YieldMapped: "map compactMap",
		YieldFlat:   "flatMap",
	} {
		for _, n := range strings.Fields(names) {
			m[n] = y
		}
	}
	return m
}()

// swiftCallbacks: which parameters of a function passed to them are elements.
var swiftCallbacks = func() map[string]uint8 {
	m := map[string]uint8{"sorted": 3, "sort": 3, "min": 3, "max": 3, "reduce": 2}
	for _, n := range strings.Fields("forEach map compactMap flatMap filter first last contains allSatisfy firstIndex lastIndex removeAll drop prefix partition") {
		m[n] = 1
	}
	return m
}()
