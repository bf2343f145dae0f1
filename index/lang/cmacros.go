package lang

import (
	"bytes"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// cCondition is conditional code with whole statements. Of two definitions of one thing, that in a
// branch which is hardly compiled is the less likely one.
func cCondition(b *Builder, n int32) bool {
	other := b.Field(n, "alternative")
	from, imports := len(b.F.Symbols), len(b.F.Imports)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.rule(c).Do == Comment {
			b.comment(c)
			continue
		}
		if c == other {
			b.unlikely(n, from, imports)
		}
		doc := b.doc
		b.Visit(c)
		if b.doc == doc {
			b.doc = docRun{}
		}
	}
	if other < 0 {
		b.unlikely(n, from, imports)
	}
	return true
}

// unlikely marks the symbols behind the first from of them and the imports behind those, which the branch
// that begins at node n has added, if that branch is hardly compiled.
func (b *Builder) unlikely(n int32, from, imports int) {
	if from == len(b.F.Symbols) && imports == len(b.F.Imports) {
		return
	}
	b.judge()
	u := b.branches[b.Off(n)]
	if u == 0 {
		return
	}
	asked := !cConfigured(b, n)
	for i := from; i < len(b.F.Symbols); i++ {
		s := &b.F.Symbols[i]
		switch {
		case u <= cAsLikely && b.l.Inclusion && asked && (s.Kind == graph.TypeAlias || s.Kind.Callable()): // another branch defines it where nobody asks for this one
			s.Flags |= graph.Rarer
			continue
		case u <= cAsLikely && s.Kind != graph.Macro && !(s.Kind.Type() && cSystemTypes[b.F.Strings[s.Name]]):
			continue
		case s.Flags&graph.Conditional != 0: // by a condition inside this one
			s.Flags |= graph.Rarer
		case s.Kind == graph.Macro && u >= cHardly && (cSystemName(b.F.Strings[s.Name]) || cLibrary[b.F.Strings[s.Name]]): // for systems that lack it
			s.Flags |= graph.Unbuilt
		}
		s.Flags |= graph.Conditional
	}
	for i := imports; i < len(b.F.Imports); i++ {
		if u > cAsLikely {
			b.F.Imports[i].Flags |= graph.Seldom
		}
	}
}

// cConfigured reports whether the condition at node n is one that a build finds out about its system, or asks for
// the value of a macro, which some file then defines.
func cConfigured(b *Builder, n int32) bool {
	line, _, _ := bytes.Cut(b.src[b.Off(n):], []byte("\n"))
	return bytes.Contains(line, []byte("HAVE_")) || !bytes.Contains(line, []byte("def"))
}

// judge finds out about the file's conditions and macros.
func (b *Builder) judge() {
	if b.judged {
		return
	}
	src := b.whole()
	b.branches, b.macros = cBranches(src, cScan(src), b.l.Inclusion)
	b.judged = true
}

// cStandsFor notes what macro sym, defined at n, stands for: another name, or the namespaces that it
// opens, which are declared there.
func cStandsFor(b *Builder, n, sym int32) {
	v := b.Field(n, "value")
	text := strings.TrimSpace(b.Text(v))
	if v < 0 || text == "" {
		return
	}
	if cFirstWord(text) == text {
		if text[0] > '9' && !cTypeWords[text] && !cWords[text] && !cppWords[text] && text != b.F.Strings[b.Sym(sym).Name] {
			b.Sym(sym).Init = b.Expr(graph.Expr{Op: graph.OpName, Name: b.Str(text), Off: b.Off(v), X: graph.None})
		}
		return
	}
	if !strings.Contains(text, "namespace") {
		return
	}
	b.judge()
	path := cppScopeOf(text, b.macros).path()
	if path == "" {
		return
	}
	b.Sym(sym).Init = b.Expr(graph.Expr{Op: graph.OpSpace, Name: b.Str(path), Off: b.Off(v), X: graph.None})
	in := b.in
	b.in = graph.None
	for space := range strings.SplitSeq(path, ".") {
		b.in = b.Symbol(graph.Namespace, graph.None, n, space)
		if i := strings.Index(text, space); i >= 0 {
			b.Sym(b.in).NameOff = b.Off(v) + uint32(i)
		}
	}
	b.in = in
}

// cFinish notes the macros that were blanked before the parse.
func cFinish(b *Builder) {
	whole, src := b.t.Whole, b.t.Src
	if len(whole) != len(src) {
		return
	}
	for i := range b.F.Symbols {
		low := uint32(0) // what a macro made before is no part of it
		if i > 0 && b.F.Symbols[i-1].End <= b.F.Symbols[i].Start {
			low = b.F.Symbols[i-1].End
		}
		cExtend(&b.F.Symbols[i], src, whole, int(low))
	}
	for i := 0; i < len(src); i++ {
		if src[i] != cGone || whole[i] == cGone || whole[i] <= ' ' {
			continue
		}
		from := i
		for i < len(src) && src[i] == cGone && whole[i] != '\n' {
			i++
		}
		cMacros(b, whole[from:i], uint32(from))
	}
}

// cMacros notes the names in text, a directive or names from a head, as uses of macros.
func cMacros(b *Builder, text []byte, at uint32) {
	toks := cScan(text)
	if len(toks) == 1 && toks[0].kind == '#' {
		i := 1
		for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
			i++
		}
		from := i
		for i < len(text) && cLetter(text[i]) {
			i++
		}
		switch string(text[from:i]) {
		case "define":
		case "include":
			cIncluded(b, text[i:], at+uint32(i))
		default:
			cMacros(b, text[i:], at+uint32(i))
		}
		return
	}
	names := make([]int32, len(toks))
	for i, t := range toks {
		names[i] = graph.None
		word := string(text[t.from:t.to])
		if t.kind != 'i' || word == "defined" || cTypeWords[word] || cWords[word] || cppWords[word] || word == "true" || word == "false" {
			continue
		}
		names[i] = b.Expr(graph.Expr{Op: graph.OpName, Role: graph.Read, Name: b.Str(word), Off: at + uint32(t.from), X: graph.None})
	}
	for i := range toks {
		if names[i] >= 0 && i+1 < len(toks) && toks[i+1].kind == '(' {
			b.cBlankedCall(toks, names, i)
		}
	}
}

// cBlankedCall notes the arguments of the macro at token i that are plain names, whose expressions are in names.
func (b *Builder) cBlankedCall(toks []cToken, names []int32, i int) {
	end := cShut(toks, i+1)
	if end < 0 {
		return
	}
	var args []int32
	for a := i + 2; a <= end; a++ {
		first := a
		for depth := 0; a < end && (depth > 0 || toks[a].kind != ','); a++ {
			switch toks[a].kind {
			case '(':
				depth++
			case ')':
				depth--
			}
		}
		arg := graph.None
		if a == first+1 {
			arg = names[first]
		}
		args = append(args, arg)
	}
	b.Expr(graph.Expr{Op: graph.OpCall, X: names[i], Kids: b.List(args...), N: uint16(len(args) + 1), Off: b.F.Exprs[names[i]].Off})
}

// cIncluded is an #include in a list: text is what follows the word, at offset at.
func cIncluded(b *Builder, text []byte, at uint32) {
	open := bytes.IndexAny(text, "\"<")
	if open < 0 {
		return
	}
	end := bytes.IndexAny(text[open+1:], "\">")
	if end < 1 {
		return
	}
	imp := graph.Imported{Module: b.Str(string(text[open+1 : open+1+end])), ModuleOff: at + uint32(open) + 1, Flags: graph.Include, In: graph.None}
	if text[open] == '<' {
		imp.Flags |= graph.SystemPath
	}
	b.F.Imports = append(b.F.Imports, imp)
}

// cExtend makes the macros that were blanked before a definition, from offset low on, part of it.
func cExtend(s *graph.Symbol, src, whole []byte, low int) {
	for i := int(s.Start) - 1; i >= low && src[i] <= ' ' && src[i] != cDead; i-- {
		switch {
		case whole[i] == '#':
			return
		case whole[i] > ' ':
			s.Start = uint32(i)
		}
	}
}
