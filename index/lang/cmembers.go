package lang

import (
	"bytes"

	"github.com/codegraph-dev/codegraph/graph"
)

// Members and enumerators that macros stand for. A macro that stands for members of a type has them itself,
// wherever it is defined, and what names it among its members has those, too. What stands for enumerators is
// expanded, since their names may be pasted together: that takes macros of the same file.

// cParts visits the parts of a type's body at n, which extends from from to end, and takes the macros between
// them for what they stand for.
func (b *Builder) cParts(n int32, from, end uint32) {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		b.cGap(from, b.Off(c), true)
		from = b.t.Nodes[c].End
		if b.rule(c).Do == Comment {
			b.comment(c)
			continue
		}
		if b.doc.end > 0 && !b.adjacent(b.doc.end, b.Off(c)) {
			b.doc = docRun{}
		}
		doc := b.doc
		b.Visit(c)
		if do := b.rule(c).Do; do != Pass && do != Skip || b.doc == doc {
			b.doc = docRun{}
		}
	}
	b.cGap(from, end, true)
}

// cGap takes the macros that were blanked between two parts of a type, or of an initializer.
func (b *Builder) cGap(from, end uint32, members bool) {
	whole := b.whole()
	if members && b.in < 0 || len(b.t.Whole) != len(b.t.Src) || end > uint32(len(whole)) {
		return
	}
	for i := from; i < end; i++ {
		if b.src[i] != cGone || whole[i] <= ' ' {
			continue
		}
		start := i
		for i < end && (b.src[i] == cGone || b.src[i] == '\n') {
			i++
		}
		b.cStand(start, i, members)
	}
}

// cBlankedMacro is a #define among the parts of a type or of an initializer.
func (b *Builder) cBlankedMacro(t cToken) {
	if word, _ := cDirective(b.whole()[t.from:t.to]); word != "define" {
		return
	}
	m := b.defines().of(uint32(t.from))
	if m == nil || m.name == "" {
		return
	}
	at := uint32(t.from + bytes.Index(b.whole()[t.from:t.to], []byte(m.name)))
	flags := graph.FileLocal | graph.Exported
	if m.unlikely > 0 {
		flags |= graph.Conditional
	}
	b.addSymbol(graph.Symbol{Kind: graph.Macro, Name: b.Str(m.name), NameOff: at, Start: m.off, End: uint32(t.to), Container: graph.None,
		Type: graph.None, Init: graph.None, Owner: graph.None, Flags: flags}, "")
}

// cStand takes the blanked text from start to end for macros that are defined there and, where members is set, for
// members or enumerators of the type around it.
func (b *Builder) cStand(start, end uint32, members bool) {
	var toks []cToken
	for _, t := range cScan(b.whole()[start:end]) {
		if t.from, t.to = t.from+int(start), t.to+int(start); t.kind == '#' {
			b.cBlankedMacro(t)
		} else {
			toks = append(toks, t)
		}
	}
	if len(toks) == 0 || !members {
		return
	}
	if b.Sym(b.in).Kind == graph.Enum {
		b.cEnumerated(toks)
		return
	}
	depth := 0
	for i, t := range toks {
		switch {
		case t.kind == '(':
			depth++
		case t.kind == ')':
			depth--
		case t.kind == 'i' && depth == 0 && b.ownLine(uint32(t.from), i == len(toks)-1 || toks[i+1].kind != '('):
			b.cEmbed(uint32(t.from), uint32(t.to))
		}
	}
}

// cEnumerated adds the enumerators that the macros in toks stand for, each where it stands.
func (b *Builder) cEnumerated(toks []cToken) {
	d := b.defines()
	for i := 0; i < len(toks); i++ {
		from, last := i, i
		if i+1 < len(toks) && toks[i+1].kind == '(' {
			if last = cShut(toks, i+1); last < 0 {
				return
			}
		}
		at := uint32(toks[from].from)
		b.cListed(d.expand(d.use(toks[from:last+1]), at, nil), at, uint32(toks[last].to))
		i = last
	}
}

// ownLine reports whether nothing stands before offset i on its line and, where whole is set, behind the word there.
func (b *Builder) ownLine(i uint32, whole bool) bool {
	src := b.whole()
	from := bytes.LastIndexByte(src[:i], '\n') + 1
	if len(bytes.TrimSpace(src[from:i])) > 0 {
		return false
	}
	for whole && i < uint32(len(src)) && (cLetter(src[i]) || cDigit(src[i])) {
		i++
	}
	rest := src[i:]
	if n := bytes.IndexByte(rest, '\n'); n >= 0 {
		rest = rest[:n]
	}
	rest = bytes.TrimRight(rest, " \t\r\\")
	return !whole || len(bytes.TrimSpace(rest)) == 0 || bytes.HasPrefix(bytes.TrimSpace(rest), []byte("/"))
}

// cEmbed makes the macro that is named from start to end part of the type around it.
func (b *Builder) cEmbed(start, end uint32) {
	name := b.Str(string(b.whole()[start:end]))
	in := b.in
	e := b.Expr(graph.Expr{Op: graph.OpName, Name: name, Off: start, X: graph.None})
	b.addSymbol(graph.Symbol{Kind: graph.Field, Name: name, NameOff: start, Start: start, End: end, Container: in,
		Type: e, Init: graph.None, Owner: graph.None, Flags: graph.Embedded}, b.qual(in))
	s := b.Sym(in)
	s.Bases = b.List(append(append([]int32(nil), b.F.List(s.Bases)...), e)...)
}

// cListed adds the enumerators in a list that macros have made where the text from start to end stands.
func (b *Builder) cListed(toks []cText, start, end uint32) {
	depth, first := 0, true
	for _, t := range toks {
		switch t.kind {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			depth--
		case ',':
			if depth == 0 {
				first = true
				continue
			}
		case 'i':
			if first && depth == 0 {
				at := start
				if t.at > 0 {
					at = t.at
				}
				b.cMadeEnumerator(t.text, at, max(end, at))
			}
		}
		first = false
	}
}

// cMadeEnumerator adds an enumerator that a macro makes at offset at.
func (b *Builder) cMadeEnumerator(name string, at, end uint32) {
	b.addSymbol(graph.Symbol{Kind: graph.EnumMember, Name: b.Str(name), NameOff: at, Start: at, End: end, Container: b.in,
		Type: graph.None, Init: graph.None, Owner: graph.None, Flags: graph.FileLocal | graph.Exported}, "")
}

// cBody keeps the members that the text of macro sym stands for, if it stands for members.
func cBody(b *Builder, sym int32, m *cDefine) {
	if m == nil || !cIsMembers(b.macroDefs, m.text) {
		return
	}
	in := b.in
	b.in = sym
	cMembersOf(b, m.text)
	b.in = in
	b.Sym(sym).Type = b.Expr(graph.Expr{Op: graph.OpObject, X: sym, Off: m.off})
}

// cIsMembers reports whether a macro's text declares members, and nothing else.
func cIsMembers(d *cDefines, toks []cToken) bool {
	n := len(toks)
	if n < 3 || toks[0].kind != 'i' {
		return false
	}
	any := false
	for i := 0; i < n; {
		end, names, ok := cPiece(d, toks, i)
		if !ok {
			return false
		}
		any = any || names
		i = end
	}
	return any
}

// cPiece is the end of the declaration of members, or of the macro by itself, that begins at token i, and
// whether it is the former.
func cPiece(d *cDefines, toks []cToken, i int) (end int, names, ok bool) {
	if toks[i].kind != 'i' {
		return 0, false, false
	}
	if first := d.word(toks[i]); cControl[first] || first == "extern" || first == "static" {
		return 0, false, false
	}
	if cMacroLike(d.word(toks[i])) && (i+1 == len(toks) || toks[i+1].kind == 'i' && bytes.IndexByte(d.src[toks[i].to:toks[i+1].from], '\n') >= 0) {
		return i + 1, false, true
	}
	words := 0
	for k := i; k < len(toks); k++ {
		switch t := toks[k]; t.kind {
		case ';':
			return k + 1, true, words > 1
		case 'i':
			words++
		case '{':
			if k == i || !cTagWords[d.word(toks[i])] {
				return 0, false, false
			}
			shut := cShut(toks, k)
			if shut < 0 || !cIsMembers(d, toks[k+1:shut]) {
				return 0, false, false
			}
			k, words = shut, words+1
		case '(':
			if k+1 < len(toks) && toks[k+1].kind != '*' {
				return 0, false, false
			}
			if k = cShut(toks, k); k < 0 || k+1 >= len(toks) || toks[k+1].kind != '(' {
				return 0, false, false
			}
			if k, words = cShut(toks, k+1), words+1; k < 0 {
				return 0, false, false
			}
		case '*', ',', '[', ']', '0', ':', '+':
		default:
			return 0, false, false
		}
	}
	return 0, false, false
}

// cShut is the token that closes what opens at token i, or -1.
func cShut(toks []cToken, i int) int {
	depth := 0
	for ; i < len(toks); i++ {
		switch toks[i].kind {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// cMembersOf adds the members that toks declare to the symbol around.
func cMembersOf(b *Builder, toks []cToken) {
	d := b.macroDefs
	for i := 0; i < len(toks); {
		end, names, ok := cPiece(d, toks, i)
		if !ok {
			return
		}
		if names {
			cMemberPiece(b, toks[i:end-1])
		} else {
			b.cEmbed(uint32(toks[i].from), uint32(toks[i].to))
		}
		i = end
	}
}

// cMemberPiece adds the members that one declaration of a macro's text declares.
func cMemberPiece(b *Builder, toks []cToken) {
	d, i := b.macroDefs, 0
	for i < len(toks) && cWords[d.word(toks[i])] {
		i++
	}
	if i >= len(toks) {
		return
	}
	start, typ := uint32(toks[0].from), graph.None
	body := -1
	switch word := d.word(toks[i]); {
	case cTagWords[word]:
		if i++; i < len(toks) && toks[i].kind == 'i' {
			typ = b.Expr(graph.Expr{Op: graph.OpName, Role: graph.TypeUse, N: 1, Name: b.Str(d.word(toks[i])), Off: uint32(toks[i].from), X: graph.None})
			i++
		}
		if i < len(toks) && toks[i].kind == '{' {
			body = i
			i = cShut(toks, i) + 1
		}
	case cTypeWords[word]:
		for i < len(toks) && cTypeWords[d.word(toks[i])] {
			i++
		}
		typ = b.Expr(graph.Expr{Op: graph.OpLiteral, Name: b.Str(word), Off: start, X: graph.None})
	default:
		typ = b.Expr(graph.Expr{Op: graph.OpName, Role: graph.TypeUse, Name: b.Str(word), Off: uint32(toks[i].from), X: graph.None})
		i++
	}
	if body >= 0 {
		kind := graph.Struct
		if d.word(toks[0]) == "union" {
			kind = graph.Union
		}
		if i >= len(toks) { // its members are those of what it stands in
			cMembersOf(b, toks[body+1:cShut(toks, body)])
			return
		}
		sym := b.addSymbol(graph.Symbol{Kind: kind, Name: b.Str("(" + kind.String() + ")"), NameOff: start, Start: start, End: uint32(toks[len(toks)-1].to), Container: b.in,
			Type: graph.None, Init: graph.None, Owner: graph.None, Flags: graph.Anonymous}, b.qual(b.in))
		in := b.in
		b.in = sym
		cMembersOf(b, toks[body+1:cShut(toks, body)])
		b.in = in
		typ = b.Expr(graph.Expr{Op: graph.OpObject, X: sym, Off: start})
	}
	for i < len(toks) {
		i = cMemberName(b, toks, i, start, typ) + 1
	}
}

// cMemberName adds the member that the declarator at token i declares, and returns the token behind it.
func cMemberName(b *Builder, toks []cToken, i int, start uint32, typ int32) int {
	d, name := b.macroDefs, -1
	for ; i < len(toks) && toks[i].kind != ','; i++ {
		switch t := toks[i]; t.kind {
		case '*':
			typ = b.Expr(graph.Expr{Op: graph.OpPointer, X: typ, Off: uint32(t.from)})
		case 'i':
			if !cWords[d.word(t)] {
				name = i
			}
		case '[':
			typ = b.Expr(graph.Expr{Op: graph.OpArray, X: typ, Off: uint32(t.from)})
			i = cShut(toks, i)
		case '(':
			if name < 0 {
				continue // (*name)
			}
			typ = b.Expr(graph.Expr{Op: graph.OpFunc, X: typ, Off: uint32(t.from)})
			i = cShut(toks, i)
		case ':':
			for i+1 < len(toks) && toks[i+1].kind != ',' {
				i++
			}
		}
		if i < 0 {
			return len(toks)
		}
	}
	if name >= 0 {
		t := toks[name]
		b.addSymbol(graph.Symbol{Kind: graph.Field, Name: b.Str(d.word(t)), NameOff: uint32(t.from), Start: min(start, uint32(t.from)), End: uint32(toks[len(toks)-1].to), Container: b.in,
			Type: typ, Init: graph.None, Owner: graph.None, Flags: graph.Exported}, b.qual(b.in))
	}
	return i
}
