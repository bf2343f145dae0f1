package lang

import (
	"bytes"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// Macros may stand for the braces of namespaces: `#define LIB_BEGIN namespace lib {` and
// `#define LIB_END }`. Where a file that defines such macros uses a pair of them, the grammar gets
// a linkage block in their place:
//
//	LIB_BEGIN  is read as  extern""{
//	LIB_END                }
//
// What they stand for is found again from the bytes that were there. Where another file defines the
// macros, a pair is known by its names: NAMESPACE or NS, and BEGIN or OPEN in one, END or CLOSE in the
// other. What is between is then in a namespace without a name that has that of the macro, which
// linking follows; its members keep their paths.

// cppOpener is how a block begins in the place of a macro, which is at least as long.
const cppOpener = `extern""{`

// cppScope is what a macro for braces does: the namespaces that it opens, those without a name empty,
// and the number of braces, below zero if it closes them.
type cppScope struct {
	names  []string
	braces int
}

// path is the dotted path of the namespaces that have names.
func (s cppScope) path() string {
	var named []string
	for _, n := range s.names {
		if n != "" {
			named = append(named, n)
		}
	}
	return strings.Join(named, ".")
}

// cppScopeOf is what the macro with that text does; others is the text of other macros.
func cppScopeOf(text string, others map[string]string) cppScope {
	p := cppScopeReader{others: others}
	if !p.read(text, 0) {
		return cppScope{}
	}
	return p.scope
}

type cppScopeReader struct {
	others map[string]string
	scope  cppScope
}

// read takes the text of a macro; it reports whether nothing but braces of namespaces is in it.
func (r *cppScopeReader) read(text string, depth int) bool {
	src := []byte(text)
	toks := cScan(src)
	word := func(i int) string { return string(src[toks[i].from:toks[i].to]) }
	for i := 0; i < len(toks); i++ {
		inline := toks[i].kind == 'i' && word(i) == "inline"
		if inline {
			i++
		}
		switch {
		case i == len(toks):
			return false
		case toks[i].kind == '}' && r.scope.braces <= 0:
			r.scope.braces--
			continue
		case toks[i].kind == ';' && r.scope.braces < 0:
			continue
		case toks[i].kind != 'i' || r.scope.braces < 0:
			return false
		}
		if w := word(i); w != "namespace" && w != "extern" {
			if other, ok := r.others[w]; !ok || depth > 4 || !r.read(other, depth+1) {
				return false
			}
			continue
		}
		named := word(i) == "namespace"
		name := ""
		for i++; i < len(toks) && toks[i].kind != '{'; i++ {
			switch k := toks[i].kind; {
			case k == ';' || k == '}' || !named && k != '"':
				return false
			case k == 'i':
				if name != "" {
					name += "."
				}
				name += r.spelled(word(i))
			}
		}
		if i == len(toks) {
			return false
		}
		r.scope.braces++
		if named && !inline {
			r.scope.names = append(r.scope.names, strings.Split(name, ".")...)
		}
	}
	return r.scope.braces != 0
}

// spelled is a name, which may be a macro for another one.
func (r *cppScopeReader) spelled(name string) string {
	for range 4 {
		text, ok := r.others[name]
		if !ok || cFirstWord(text) != text || text == "" {
			break
		}
		name = text
	}
	return name
}

// scopes puts braces in the place of pairs of macros that stand for them.
func (p *cPrep) scopes() {
	type opened struct{ tok, braces int }
	known := map[string]cppScope{}
	var open []opened
	for i := range p.toks {
		if p.toks[i].kind != 'i' {
			continue
		}
		name := p.text(i)
		if _, ok := p.macros[name]; !ok {
			if shut := cppCloser(name); shut != "" && len(name) >= len(cppOpener) && p.kind(i+1) != '(' {
				open = append(open, opened{i, 0})
				known[shut] = cppScope{}
			} else if _, ok := known[name]; ok && len(open) > 0 && cppCloser(p.text(open[len(open)-1].tok)) == name {
				p.stand(open[len(open)-1].tok, cppOpener)
				p.stand(i, "}")
				open = open[:len(open)-1]
			}
			continue
		}
		s, ok := known[name]
		if !ok {
			s = cppScopeOf(p.macros[name], p.macros)
			known[name] = s
		}
		switch {
		case s.braces > 0 && len(name) >= len(cppOpener):
			open = append(open, opened{i, s.braces})
		case s.braces < 0 && len(open) > 0 && open[len(open)-1].braces == -s.braces:
			p.stand(open[len(open)-1].tok, cppOpener)
			p.stand(i, "}")
			open = open[:len(open)-1]
		}
	}
}

// cppCloser is the name of the macro that closes the namespace which the one of that name opens, as far
// as names tell; empty for any other name.
func cppCloser(name string) string {
	parts := strings.Split(name, "_")
	space, at := false, -1
	for i, p := range parts {
		space = space || p == "NAMESPACE" || p == "NS"
		if p == "BEGIN" || p == "OPEN" {
			at = i
		}
	}
	if !space || at < 0 {
		return ""
	}
	parts[at] = map[string]string{"BEGIN": "END", "OPEN": "CLOSE"}[parts[at]]
	return strings.Join(parts, "_")
}

// stand puts text, which ends with a brace, in the place of token i.
func (p *cPrep) stand(i int, text string) {
	if p.out == nil {
		p.out = append([]byte(nil), p.src...)
	}
	t := &p.toks[i]
	n := copy(p.out[t.from:t.to], text)
	for k := t.from + n; k < t.to; k++ {
		p.out[k] = cDead
	}
	t.kind = text[len(text)-1]
}

// cppMacroAt is the macro that stood at off before the parse; empty if none did.
func cppMacroAt(b *Builder, off uint32) string {
	whole := b.t.Whole
	if len(whole) != len(b.src) || int(off) >= len(whole) {
		return ""
	}
	word := cFirstWord(string(whole[off:min(int(off)+200, len(whole))]))
	if bytes.HasPrefix(b.src[off:], []byte(word)) { // stands there still
		return ""
	}
	return word
}

// cppLinkage is code with the linkage of another language, or in the namespaces of a macro.
func cppLinkage(b *Builder, n int32) bool {
	body := b.Field(n, "body")
	if body < 0 {
		return true
	}
	name := cppMacroAt(b, b.Off(n))
	if name == "" {
		b.Visit(body)
		return true
	}
	end := b.Node(body).End - 1
	b.Expr(graph.Expr{Op: graph.OpName, Role: graph.Read, Name: b.Str(name), Off: b.Off(n), X: graph.None})
	b.judge()
	s := cppSpaces{outer: b.in, from: graph.None}
	if text, ok := b.macros[name]; !ok || text == "" { // see above
		region := b.Symbol(graph.Namespace, graph.None, n, name)
		b.Sym(region).Flags |= graph.Anonymous
		s.open(b, region, body)
	}
	for _, space := range cppScopeOf(b.macros[name], b.macros).names {
		if space == "" {
			s.hide(b)
			continue
		}
		s.open(b, b.Symbol(graph.Namespace, graph.None, n, space), body)
	}
	b.visitChildren(body)
	s.close(b)
	if name := cppMacroAt(b, end); name != "" {
		b.Expr(graph.Expr{Op: graph.OpName, Role: graph.Read, Name: b.Str(name), Off: end, X: graph.None})
	}
	return true
}

// cppSpaces are namespaces that are open. What one without a name holds is seen in its file only.
type cppSpaces struct {
	outer int32 // what is around the one without a name
	from  int32 // the first symbol in it, or None
	depth int
}

// open enters namespace sym.
func (s *cppSpaces) open(b *Builder, sym, body int32) {
	if body >= 0 {
		b.Sym(sym).Body = b.Off(body)
	}
	b.push(fileFrame, sym)
	s.depth++
}

// hide enters a namespace without a name.
func (s *cppSpaces) hide(b *Builder) {
	if s.from < 0 {
		s.outer, s.from = b.in, int32(len(b.F.Symbols))
	}
}

// close leaves all of them.
func (s *cppSpaces) close(b *Builder) {
	for range s.depth {
		b.pop()
	}
	for i := s.from; s.from >= 0 && i < int32(len(b.F.Symbols)); i++ {
		if y := &b.F.Symbols[i]; y.Container == s.outer {
			y.Flags = y.Flags&^graph.Exported | graph.FileLocal
		}
	}
}
