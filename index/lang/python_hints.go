package lang

import (
	"bytes"

	"github.com/codegraph-dev/codegraph/graph"
)

// Types that stand elsewhere than in annotations: in comments behind assignments and in functions, and as
// values, where a name is to stand for a type.

// pyAssign: `x: Final = v` says nothing of a type, `X: TypeAlias = T` makes a name for one, and a comment
// `# type: T` behind an assignment declares what an annotation would.
func pyAssign(b *Builder, n int32) bool {
	r := b.rule(n)
	typ, take := graph.None, b.read
	switch c := b.Field(n, "type"); {
	case c >= 0:
		typ = b.Type(c, graph.TypeUse)
		switch pyTypingOf(b, typ) {
		case "Final", "ClassVar":
			typ = graph.None
		case "TypeAlias":
			typ, take = graph.None, func(right int32) int32 { return b.Of(graph.OpTypeOf, right, b.Type(right, graph.TypeUse)) }
		}
	default:
		if d := b.rule(b.Field(n, "left")).Do; d == Ident || d == Member {
			typ = pyTypeComment(b, b.Node(n).End)
		}
	}
	b.assignTyped(n, r, typ, take)
	return true
}

// pyTypingOf is what type expression e is called in the standard library's modules of types, or "".
func pyTypingOf(b *Builder, e int32) string {
	if e < 0 {
		return ""
	}
	x := b.F.Exprs[e]
	switch {
	case x.Op == graph.OpName:
		return pyTypingName(b, b.F.Strings[x.Name])
	case x.Op == graph.OpMember && x.X >= 0 && b.F.Exprs[x.X].Op == graph.OpName && pyTypingModule(b, b.F.Strings[b.F.Exprs[x.X].Name]):
		return b.F.Strings[x.Name]
	}
	return ""
}

// pyHint finds the type in a comment `# type: T` that is all that stands between from and the end of its
// line, but for commas and the end of a list of parameters: the offsets of its text.
func pyHint(b *Builder, from uint32) (start, end uint32, ok bool) {
	line := b.src[from:]
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	at := bytes.IndexByte(line, '#')
	if at < 0 || len(bytes.Trim(line[:at], " \t,):")) > 0 {
		return 0, 0, false
	}
	text := bytes.TrimLeft(line[at+1:], " \t")
	rest, found := bytes.CutPrefix(text, []byte("type:"))
	if rest = bytes.TrimLeft(rest, " \t"); !found || bytes.HasPrefix(rest, []byte("ignore")) {
		return 0, 0, false
	}
	start = from + uint32(len(line)-len(rest))
	if i := bytes.IndexByte(rest, '#'); i >= 0 {
		rest = rest[:i]
	}
	rest = bytes.TrimRight(rest, " \t\r")
	return start, start + uint32(len(rest)), len(rest) > 0
}

// pyTypeComment is the type that a comment behind offset from gives, or None.
func pyTypeComment(b *Builder, from uint32) int32 {
	start, end, ok := pyHint(b, from)
	if !ok || b.src[start] == '(' {
		return graph.None
	}
	return pyTypeText(b, start, end, graph.TypeUse)
}

// pyTypeText reads the type that is written out between two offsets, or None.
func pyTypeText(b *Builder, start, end uint32, role graph.Role) int32 {
	p := &pyText{b: b, src: b.src[start:end], off: start, role: role}
	if t := p.union(); p.at == len(p.src) {
		return t
	}
	return graph.None
}

// pySignature takes the types of a function's parameters and result from comments: one behind each
// parameter, and `# type: (A, B) -> R` before the body's first statement.
func pySignature(b *Builder, sym, n int32) {
	params := b.F.List(b.Sym(sym).Params)
	list := b.Field(n, "parameters")
	if list < 0 || !bytes.Contains(b.src[b.Off(n):b.Node(n).End], []byte("# type:")) {
		return
	}
	for c := b.First(list); c >= 0; c = b.Next(list, c) {
		if b.rule(c).Do == Comment {
			continue
		}
		for _, p := range params {
			if l := b.F.Locals[p]; l.Type < 0 && l.Off >= b.Off(c) && l.Off < b.Node(c).End {
				t := pyTypeComment(b, b.Node(c).End)
				b.F.Locals[p].Type = t
			}
		}
	}
	body := b.Field(n, "body")
	if body < 0 || b.Sym(sym).Type >= 0 {
		return
	}
	from := b.Node(list).End
	head := b.src[from:b.Node(body).Start]
	i := bytes.LastIndex(head, []byte("# type:"))
	if i < 0 && b.First(body) >= 0 { // a comment may be the body's own first part
		head = b.src[from:b.Node(b.First(body)).End]
		i = bytes.Index(head, []byte("# type:"))
	}
	if i < 0 {
		return
	}
	if start, end, ok := pyHint(b, from+uint32(i)); ok && b.src[start] == '(' {
		pySignatureText(b, sym, params, start, end)
	}
}

// pySignatureText takes `(A, B) -> R`. Where it has a type less than there are parameters, the first of
// these is the receiver.
func pySignatureText(b *Builder, sym int32, params []int32, start, end uint32) {
	p := &pyText{b: b, src: b.src[start:end], off: start, role: graph.TypeUse}
	var types []int32
	p.eat('(')
	for p.at < len(p.src) && !p.eat(')') {
		at := p.at
		for p.eat('*') {
		}
		if bytes.HasPrefix(p.src[p.at:], []byte("...")) {
			p.at += 3
			types = nil
		} else {
			types = append(types, p.union())
		}
		if p.eat(','); p.at == at {
			return
		}
	}
	if n := len(params) - len(types); len(types) > 0 && (n == 0 || n == 1) {
		for i, t := range types {
			l := &b.F.Locals[params[i+n]]
			switch {
			case t < 0 || l.Type >= 0 && l.Flags&graph.VariadicParam == 0:
			case l.Flags&graph.KeywordParam != 0:
				b.F.Exprs[l.Type].Kids = b.List(t)
			case l.Flags&graph.VariadicParam != 0:
				b.F.Exprs[l.Type].X = t
			default:
				l.Type = t
			}
		}
	}
	if p.space(); bytes.HasPrefix(p.src[p.at:], []byte("->")) {
		p.at += 2
		if t := p.union(); p.at == len(p.src) {
			b.Sym(sym).Type = t
		}
	}
}

// pyForm is the type that a subscript written as a value stands for, as in `Names = List[Name]`, where
// the value x before the brackets is a generic type of the standard library; else None.
func pyForm(b *Builder, n, of, x int32) int32 {
	shape := pyShape(b, x)
	if shape == "" || shape == "value" {
		return graph.None
	}
	return b.Of(graph.OpTypeOf, n, pyApplied(b, n, of, x, shape))
}
