package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// rbFinish adds what only a whole file shows: what attributes are set to through self, and what
// calls in the file pass as parameters that nothing else tells of.
func rbFinish(b *Builder) {
	rbAskThrough(b)
	for _, s := range b.ruby.shared.sets {
		if at := b.memberSymbol(s.owner, b.Str("@"+b.F.Strings[s.name])); at >= 0 {
			b.moreInit(at, graph.None, s.value)
		} else if at := b.memberSymbol(s.owner, s.name); at >= 0 && b.Sym(at).Kind == graph.Property {
			b.moreInit(at, graph.None, s.value)
		}
	}
	for i := range b.F.Exprs {
		if e := &b.F.Exprs[i]; e.Op == graph.OpCall && e.X >= 0 && e.N > 1 && b.F.Exprs[e.X].Op == graph.OpMember {
			rbPasses(b, e)
		}
	}
}

// rbAskThrough: methods that leave it to another of their class to say that they are not implemented ask for
// one that is; the other does not.
func rbAskThrough(b *Builder) {
	said := map[int32]bool{}
	for _, x := range b.ruby.shared.soles {
		if by := b.memberSymbol(b.Sym(x.sym).Container, x.name); by >= 0 && by != x.sym && b.Sym(by).Flags&graph.Abstract != 0 {
			b.Sym(x.sym).Flags |= graph.Abstract
			said[by] = true
		}
	}
	for by := range said {
		b.Sym(by).Flags &^= graph.Abstract
	}
}

// rbPasses gives the parameters of a method of the class around call e, which it calls on itself or on
// a new value, the arguments as what they may be.
func rbPasses(b *Builder, e *graph.Expr) {
	m := b.F.Exprs[e.X]
	if m.X < 0 || b.F.Exprs[m.X].Kids != 0 && b.F.Exprs[m.X].Op == graph.OpSelf {
		return
	}
	owner, name := graph.None, m.Name
	switch x := &b.F.Exprs[m.X]; x.Op {
	case graph.OpSelf:
		owner = b.rbClassOf(e.In)
	case graph.OpName:
		owner = b.rbClassNamed(e.In, x.Name)
	}
	made := b.F.Strings[name] == "new"
	if owner < 0 || !made && b.F.Exprs[m.X].Op != graph.OpSelf {
		return
	}
	if made {
		name = b.Str("initialize")
	}
	sym := b.memberSymbol(owner, name)
	if sym < 0 || !b.Sym(sym).Kind.Callable() {
		return
	}
	args := b.F.List(e.Kids)
	for i, p := range b.F.List(b.Sym(sym).Params) {
		if i >= len(args) || i >= int(e.N)-1 {
			return
		}
		l := &b.F.Locals[p]
		end := l.Off + uint32(len(b.F.Strings[l.Name]))
		if l.Flags&graph.VariadicParam != 0 || int(end) < len(b.src) && b.src[end] == ':' {
			return
		}
		rbMayBe(b, p, args[i])
	}
}

// rbMayBe notes that parameter p may be v, if it is not known from its own declaration.
func rbMayBe(b *Builder, p, v int32) {
	l := &b.F.Locals[p]
	if v < 0 || l.Type >= 0 || l.Init >= 0 && l.Flags&graph.Guessed == 0 {
		return
	}
	switch x := &b.F.Exprs[v]; x.Op {
	case graph.OpLocal:
		if x.X == p {
			return
		}
	case graph.OpLiteral:
		return
	}
	init := b.anyOf(l.Init, v)
	l = &b.F.Locals[p]
	l.Init, l.Flags = init, l.Flags|graph.Guessed
}

// rbClassOf is the class or module around symbol in, or None.
func (b *Builder) rbClassOf(in int32) int32 {
	for ; in >= 0; in = b.Sym(in).Container {
		if k := b.Sym(in).Kind; k == graph.Class || k == graph.Module {
			return in
		}
	}
	return graph.None
}

// rbClassNamed is the class of that name in this file that code in symbol in sees, or None.
func (b *Builder) rbClassNamed(in int32, name uint32) int32 {
	for o := b.rbClassOf(in); ; o = b.rbClassOf(b.Sym(o).Container) {
		if s := b.memberSymbol(o, name); s >= 0 && b.Sym(s).Kind == graph.Class {
			return s
		}
		if o < 0 {
			return graph.None
		}
	}
}

// rbEnter takes the types that YARD's comments declare: `@param name [Type]` and `@return [Type]`.
func rbEnter(b *Builder, sym, n int32) {
	s := b.Sym(sym)
	if s.DocEnd == 0 || b.ruby.text != nil {
		return
	}
	for _, line := range strings.Split(string(b.src[s.DocStart:s.DocEnd]), "\n") {
		line = strings.TrimSpace(strings.TrimLeft(line, " \t#"))
		tag, rest, _ := strings.Cut(line, " ")
		switch tag {
		case "@return":
			if t, _ := b.rbDocType(rest); t >= 0 && b.Sym(sym).Type < 0 {
				b.Sym(sym).Type = t
			}
		case "@param", "@option":
			rbDocParam(b, sym, rest)
		}
	}
}

// rbDocParam is the text of a @param: a name and a type in brackets, in either order.
func rbDocParam(b *Builder, sym int32, text string) {
	t, rest := b.rbDocType(text)
	name, after, _ := strings.Cut(strings.TrimSpace(rest), " ")
	if t < 0 {
		if t, _ = b.rbDocType(after); t < 0 {
			return
		}
	}
	for _, p := range b.F.List(b.Sym(sym).Params) {
		if l := &b.F.Locals[p]; b.F.Strings[l.Name] == strings.Trim(name, "*&:") && l.Type < 0 && l.Flags&graph.VariadicParam == 0 {
			l.Type = t
		}
	}
}

// rbDocType is the type in brackets that the text begins with, or None, and the rest of the text.
func (b *Builder) rbDocType(text string) (int32, string) {
	inner, ok := strings.CutPrefix(strings.TrimSpace(text), "[")
	if !ok {
		return graph.None, text
	}
	end := strings.IndexByte(inner, ']')
	if end < 0 {
		return graph.None, text
	}
	var kids []int32
	depth, from := 0, 0
	for i := 0; i <= end; i++ {
		switch c := inner[i]; {
		case c == '<' || c == '{' || c == '(':
			depth++
		case c == '>' || c == '}' || c == ')':
			depth--
		case depth == 0 && (c == ',' || i == end):
			if t := b.rbDocName(strings.TrimSpace(inner[from:i])); t >= 0 {
				kids = append(kids, t)
			}
			from = i + 1
		}
	}
	rest := inner[end+1:]
	switch len(kids) {
	case 0:
		return graph.None, rest
	case 1:
		return kids[0], rest
	}
	return b.Expr(graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(kids...)}), rest
}

// rbDocName is the type of that name in a comment: Name::Space, Array<Of>, Hash{Key => Value}.
func (b *Builder) rbDocName(name string) int32 {
	head, args, generic := strings.Cut(name, "<")
	if !generic {
		head, args, generic = strings.Cut(name, "{")
	}
	if generic {
		args = strings.TrimRight(args, ">}")
		if _, value, ok := strings.Cut(args, "=>"); ok {
			args = strings.TrimSpace(value)
		}
		of := b.rbDocName(args)
		switch head {
		case "Array", "Set", "Enumerable", "Enumerator":
			return b.Expr(graph.Expr{Op: graph.OpArray, X: of})
		case "Hash":
			return b.Expr(graph.Expr{Op: graph.OpMap, X: graph.None, Kids: b.List(of)})
		}
		return graph.None
	}
	switch head {
	case "String", "Symbol", "Integer", "Float", "Array", "Hash", "Proc", "Regexp", "Range":
		return b.Expr(graph.Expr{Op: graph.OpLiteral, Name: b.Str(head), X: graph.None})
	case "", "Object", "Class", "Module", "Boolean", "BasicObject":
		return graph.None
	}
	x := graph.None
	for i, part := range strings.Split(strings.TrimPrefix(head, "::"), "::") {
		if part == "" || part[0] < 'A' || part[0] > 'Z' || strings.ContainsAny(part, " #.,(") {
			return graph.None
		}
		if i == 0 && !strings.HasPrefix(head, "::") {
			x = b.Expr(graph.Expr{Op: graph.OpName, Name: b.Str(part), X: graph.None})
			continue
		}
		if i == 0 {
			x = b.Expr(graph.Expr{Op: graph.OpSpace, X: graph.None})
		}
		x = b.Expr(graph.Expr{Op: graph.OpMember, X: x, Name: b.Str(part)})
	}
	return x
}
