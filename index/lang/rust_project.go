package lang

import (
	"bytes"

	"github.com/codegraph-dev/codegraph/graph"
)

// Attributes that pin a type make others of the same variants and fields, named in them: `project = Name`.

// rustProjections defines the types that the attributes from attr on make of the type that is built next;
// rustProjected says of which.
func rustProjections(b *Builder, n, attr int32) (from, to int) {
	from = len(b.F.Symbols)
	if attr < 0 || !b.Is(n, "struct_item") && !b.Is(n, "enum_item") {
		return from, from
	}
	for ; attr < n && int(attr) < len(b.t.Nodes); attr = int32(b.Node(attr).Next) {
		if !b.Is(attr, "attribute_item") {
			continue
		}
		key := graph.None
		for i := attr + 1; i < int32(b.Node(attr).Next); i++ {
			if !b.Is(i, "identifier") {
				continue
			}
			if key >= 0 && string(bytes.TrimSpace(b.src[b.Node(key).End:b.Off(i)])) == "=" {
				b.Symbol(graph.TypeAlias, i, i, "")
			}
			key = graph.None
			switch b.Text(i) {
			case "project", "project_ref", "project_replace":
				key = i
			}
		}
	}
	return from, len(b.F.Symbols)
}

// rustProjected says that the types from from to to, which attributes make, are as type sym.
func rustProjected(b *Builder, from, to int, sym int32) {
	for i := from; i < to; i++ {
		b.push(typeFrame, int32(i))
		e := b.Expr(graph.Expr{Op: graph.OpSymbol, X: sym, Off: b.F.Symbols[i].NameOff})
		b.pop()
		b.F.Symbols[i].Type = e
	}
}
