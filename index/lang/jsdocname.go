package lang

import "github.com/codegraph-dev/codegraph/graph"

// Names in the types that comments of JavaScript spell, and the type parameters that they may mean.

// path is word and the names behind it, with dots between them; import("module") may be the first.
func (p *jsTypes) path(word string) int32 {
	x := graph.None
	switch {
	case word == "import" && p.take("("):
		c := p.peek()
		if c != '"' && c != '\'' {
			return graph.None
		}
		from := p.at + 1
		module := p.quoted()
		p.take(")")
		p.b.F.Imports = append(p.b.F.Imports, graph.Imported{Module: p.b.Str(module), ModuleOff: uint32(p.off + from), Flags: graph.TypeOnly, In: graph.None})
		x = p.expr(graph.Expr{Op: graph.OpImport, X: int32(len(p.b.F.Imports) - 1)})
	case word == "this":
		x = p.expr(graph.Expr{Op: graph.OpSelf, X: graph.None})
	case word == "":
		return graph.None
	default:
		if l := p.paramNamed(word); l >= 0 {
			return p.expr(graph.Expr{Op: graph.OpLocal, X: l})
		}
		x = p.expr(graph.Expr{Op: graph.OpName, X: graph.None, Name: p.b.Str(word)})
	}
	for p.peek() == '.' && p.at+1 < p.end && tsWord(p.text[p.at+1]) {
		p.at++
		x = p.expr(graph.Expr{Op: graph.OpMember, X: x, Name: p.b.Str(p.word())})
	}
	return x
}

// paramNamed is the type parameter of that name, or None.
func (p *jsTypes) paramNamed(name string) int32 {
	f := p.b.F
	for i := len(p.scope) - 1; i >= 0; i-- {
		if f.Str(f.Locals[p.scope[i]].Name) == name {
			return p.scope[i]
		}
	}
	for s := p.in; s >= 0; s = f.Symbols[s].Container {
		for _, l := range f.List(f.Symbols[s].TypeParams) {
			if f.Str(f.Locals[l].Name) == name {
				return l
			}
		}
	}
	return graph.None
}

// param makes a type parameter.
func (p *jsTypes) param(name string) int32 {
	l := p.local(name, graph.None, graph.TypeParam)
	p.scope = append(p.scope, l)
	return l
}

// local makes a local without a place among the names of the file.
func (p *jsTypes) local(name string, typ int32, flags graph.LocalFlags) int32 {
	f := p.b.F
	f.Locals = append(f.Locals, graph.Local{Name: p.b.Str(name), Off: uint32(p.off + p.at), Type: typ, Init: graph.None, Symbol: graph.None, In: p.in, Flags: flags})
	return int32(len(f.Locals) - 1)
}

// params takes the type parameters in the brackets that are next into the scope.
func (p *jsTypes) params() {
	p.at++
	for p.peek() != '>' && p.at < p.end {
		name := p.word()
		if name == "" {
			break
		}
		if p.peek(); name == "const" && p.at < p.end && tsWord(p.text[p.at]) {
			name = p.word()
		}
		l := p.param(name)
		if p.take("extends") {
			t := p.any()
			p.b.F.Locals[l].Type = t
		}
		if p.take("=") {
			t := p.any()
			p.b.F.Locals[l].Init = t
		}
		if !p.take(",") {
			break
		}
	}
	p.take(">")
}
