package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
)

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
