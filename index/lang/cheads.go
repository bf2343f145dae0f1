package lang

// heads blanks macros in the heads of the definitions at file level.
func (p *cPrep) heads() {
	for i := p.next(0); i < len(p.toks); {
		j := p.head(i)
		if j <= i {
			j = i + 1
		}
		i = p.next(j)
	}
}

// cTypeWords are the words that name a type, cWords the others that begin a declaration.
var (
	cTypeWords = cSet("void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool", "bool", "_Complex", "typeof", "__typeof__", "__signed__", "__int128")
	cTagWords  = cSet("struct", "union", "enum")
	cWords     = cSet("static", "extern", "inline", "const", "volatile", "register", "restrict", "auto", "typedef", "_Noreturn", "_Thread_local", "__inline", "__inline__",
		"__extension__", "__const", "__restrict", "__restrict__", "__volatile__", "_Atomic", "__thread", "noreturn")
	cCalls = cSet("__attribute__", "__attribute", "__declspec", "_Alignas", "alignas", "__asm__", "__asm", "asm", "_Static_assert", "static_assert")
)

func cSet(words ...string) map[string]bool {
	m := map[string]bool{}
	for _, w := range words {
		m[w] = true
	}
	return m
}

// head takes the statement at file level that begins at token i, and returns the token behind it.
func (p *cPrep) head(i int) int {
	switch {
	case p.kind(i) == ';' || p.kind(i) == '}':
		return i + 1
	case p.text(i) == "extern" && p.kind(p.next(i+1)) == '"':
		if k := p.next(p.next(i+1) + 1); p.kind(k) == '{' {
			return k + 1
		}
	case p.text(i) == "typedef":
		return p.statement(i)
	}
	names, typed := []int{}, false
	for k := i; k < len(p.toks); k = p.next(k + 1) {
		switch t := p.text(k); {
		case p.kind(k) == 'i' && cCalls[t]:
			if n := p.next(k + 1); p.kind(n) == '(' {
				k = p.close(n)
			}
		case p.kind(k) == 'i' && cTagWords[t]:
			typed = true
			if n := p.next(k + 1); p.kind(n) == 'i' && p.kind(p.next(n+1)) != 'i' || p.kind(n) == 'i' && !cMacroLike(p.text(n)) {
				k = n
			}
		case p.kind(k) == 'i' && cTypeWords[t]:
			typed = true
		case p.kind(k) == 'i' && cWords[t] || p.kind(k) == '*':
		case p.kind(k) == 'i':
			names = append(names, k)
		case p.kind(k) == '{' && typed && len(names) == 0: // the members of a type
			open := k
			k = p.closeBrace(k)
			p.members(open, k)
			for n := p.next(k + 1); p.kind(n) == 'i' && cMacroLike(p.text(n)) && p.kind(p.next(n+1)) == ';' && !cCalls[p.text(n)]; n = p.next(n + 1) {
				p.blank(n, cGone)
			}
		case p.kind(k) == '(' && len(names) > 0 && !typed && p.wrapsType(names, k):
			last, end := names[len(names)-1], p.close(k)
			names, typed = names[:len(names)-1], true
			for _, m := range [...]int{last, k, end} {
				p.blank(m, cGone)
			}
			k = end
		case p.kind(k) == '(' && len(names) > 0 && (typed || len(names) > 1) && p.counts(k):
			last := names[len(names)-1]
			names = names[:len(names)-1]
			end := p.close(k)
			p.blankAll(last, end+1, cGone)
			k = end
		case p.kind(k) == '(':
			if len(names) == 1 && names[0] == i && !typed {
				return p.macroCall(i, k)
			}
			return p.function(i, k, names, typed)
		default:
			p.specifiers(names, typed, true)
			return p.statement(k)
		}
	}
	return len(p.toks)
}

// members blanks attributes behind the names of members between open and end.
func (p *cPrep) members(open, end int) {
	for k := p.next(open + 1); k < end; k = p.next(k + 1) {
		after := p.next(k + 1)
		if p.kind(k) != 'i' || !cMacroLike(p.text(k)) || p.kind(after) != '(' && p.text(k)[0] != '_' {
			continue
		}
		last := k
		if p.kind(after) == '(' {
			last = p.close(after)
		}
		if prev := p.before(k); p.kind(p.next(last+1)) == ';' && (p.kind(prev) == ']' || p.kind(prev) == 'i' && !cTypeWords[p.text(prev)] && !p.opens(p.before(prev))) {
			p.blankAll(k, last+1, cGone)
		}
	}
}

// before is the token before k that is neither blanked nor a directive.
func (p *cPrep) before(k int) int {
	for k--; k >= 0 && (p.gone[k] || p.toks[k].kind == '#'); k-- {
	}
	return k
}

// counts reports whether the parentheses at open hold numbers and strings, and more follows: a macro
// before the name of a function, not its parameters.
func (p *cPrep) counts(open int) bool {
	end := p.close(open)
	for k := open + 1; k < end; k++ {
		if d := p.kind(k); d != '0' && d != ',' && d != '"' && !p.gone[k] {
			return false
		}
	}
	n := p.next(end + 1)
	return end > open+1 && (p.kind(n) == 'i' || p.kind(n) == '*')
}

// wrapsType reports whether the parentheses at open, behind the last of names, hold the type of the
// function whose name follows: EXPORT(char *) name(...).
func (p *cPrep) wrapsType(names []int, open int) bool {
	if !cMacroLike(p.text(names[len(names)-1])) {
		return false
	}
	end := p.close(open)
	for k := p.next(open + 1); k < end; k = p.next(k + 1) {
		if d := p.kind(k); d != 'i' && (d != '*' || k == p.next(open+1)) {
			return false
		}
	}
	n := p.next(end + 1)
	for p.kind(n) == '*' {
		n = p.next(n + 1)
	}
	t := p.text(n)
	return end > p.next(open+1) && p.kind(n) == 'i' && p.kind(p.next(n+1)) == '(' && !cCalls[t] && !cWords[t] && !cTypeWords[t] && (len(names) == 1 || !cMacroLike(t))
}

// conventions blanks calling conventions in pointers to functions: (CALL *name)(...).
func (p *cPrep) conventions() {
	for k := p.next(0); k < len(p.toks); k = p.next(k + 1) {
		if p.kind(k) != 'i' || p.kind(p.before(k)) != '(' || !cMacroLike(p.text(k)) {
			continue
		}
		star := p.next(k + 1)
		name := p.next(star + 1)
		if shut := p.next(name + 1); p.kind(star) == '*' && p.kind(name) == 'i' && p.kind(shut) == ')' && p.kind(p.next(shut+1)) == '(' {
			p.blank(k, cGone)
		}
	}
}

// specifiers blanks, of the identifiers in a head, those that are neither the type nor, where
// one is there, the name.
func (p *cPrep) specifiers(names []int, typed, named bool) {
	if named && len(names) > 0 {
		n := len(names) - 1
		for n > 0 && !typed && len(names) > 2 && cMacroLike(p.text(names[n])) && p.text(names[n])[0] == '_' {
			p.blank(names[n], cGone)
			n--
		}
		names = names[:n]
	}
	keep := -1
	if !typed {
		for _, n := range names {
			if !cMacroLike(p.text(n)) {
				keep = n
			}
		}
		if keep < 0 && len(names) > 0 {
			keep = names[len(names)-1]
		}
	}
	for _, n := range names {
		if n != keep {
			p.blank(n, cGone)
		}
	}
}

// cMacroLike reports whether a name looks like that of a macro.
func cMacroLike(s string) bool {
	if len(s) > 2 && s[0] == '_' && s[1] == '_' {
		return true
	}
	for i := range len(s) {
		if s[i] >= 'a' && s[i] <= 'z' {
			return false
		}
	}
	return len(s) > 1
}

// macroCall is a statement that begins with NAME(...): before a declaration it is an attribute.
func (p *cPrep) macroCall(i, open int) int {
	end := p.close(open)
	next := p.next(end + 1)
	if p.ended[end] {
		return next
	}
	if p.kind(next) != 'i' && p.kind(next) != '*' {
		if p.kind(next) == '{' {
			return p.closeBrace(next) + 1
		}
		return p.statement(next)
	}
	for k := next; k < len(p.toks) && p.kind(k) == 'i'; k = p.next(k + 1) { // old-style parameters?
		if n := p.next(k + 1); p.kind(n) == ';' && p.oldStyle(open, end) {
			return p.function(i, open, []int{i}, true)
		}
	}
	p.blankAll(i, end+1, cGone)
	return next
}

// function is a head up to the parenthesis at open, which holds parameters or the name.
func (p *cPrep) function(i, open int, names []int, typed bool) int {
	end := p.close(open)
	inner, after := p.next(open+1), p.next(end+1)
	switch {
	case p.kind(inner) == 'i' && p.next(inner+1) == end && p.kind(after) == '(' && (typed || len(names) > 0):
		p.specifiers(names, typed, false)
		p.blank(open, cGone)
		p.blank(end, cGone)
		open, end = after, p.close(after)
		after = p.next(end + 1)
	case p.kind(inner) == '*' || p.kind(inner) == '(':
		p.specifiers(names, typed, false)
		return p.statement(open)
	default:
		p.specifiers(names, typed, true)
	}
	p.parameters(open, end)
	return p.trailer(open, end, after)
}

// trailer blanks the macros between parameters and what ends the head.
func (p *cPrep) trailer(open, end, after int) int {
	old := p.oldStyle(open, end) && p.declares(after)
	var marks []int
	k := after
	for ; k < len(p.toks) && p.kind(k) == 'i' && !old; k = p.next(k + 1) {
		n := p.next(k + 1)
		if cCalls[p.text(k)] {
			if p.kind(n) == '(' {
				k = p.close(n)
			}
			continue
		}
		if cTypeWords[p.text(k)] || cTagWords[p.text(k)] || cWords[p.text(k)] {
			return p.statement(k)
		}
		marks = append(marks, k)
		if p.kind(n) == '(' {
			c := p.close(n)
			for m := n; m <= c; m++ {
				marks = append(marks, m)
			}
			k = c
		}
	}
	if p.kind(k) == ';' || p.kind(k) == '{' {
		for _, m := range marks {
			p.blank(m, cGone)
		}
	}
	for old && k < len(p.toks) && p.kind(k) != '{' {
		k = p.next(k + 1)
	}
	if p.kind(k) == '{' {
		return p.closeBrace(k) + 1
	}
	return p.statement(k)
}

// close is the token that closes the parenthesis at open.
func (p *cPrep) close(open int) int {
	if p.pairs != nil && p.kind(open) == '(' {
		return int(p.pairs[open])
	}
	return p.match(open, '(', ')')
}

func (p *cPrep) closeBrace(open int) int { return p.match(open, '{', '}') }

func (p *cPrep) match(open int, up, down byte) int {
	depth := 0
	for k := open; k < len(p.toks); k++ {
		if p.gone[k] {
			continue
		}
		switch p.toks[k].kind {
		case up:
			depth++
		case down:
			if depth--; depth == 0 {
				return k
			}
		}
	}
	return len(p.toks) - 1
}

// statement is the token behind the end of the statement that goes on at token k.
func (p *cPrep) statement(k int) int {
	for k < len(p.toks) {
		switch p.kind(k) {
		case ';':
			return k + 1
		case '(':
			k = p.close(k)
		case '{':
			k = p.closeBrace(k)
			if n := p.next(k + 1); p.kind(n) != ';' && p.kind(n) != ',' && p.kind(n) != '*' && !(p.kind(n) == 'i' && p.endsSoon(n)) {
				return k + 1
			}
		}
		k = p.next(k + 1)
	}
	return k
}

// endsSoon reports whether only declarators stand between token k and the statement's end.
func (p *cPrep) endsSoon(k int) bool {
	for ; k < len(p.toks); k = p.next(k + 1) {
		switch d := p.kind(k); d {
		case ';', '=', '[':
			return true
		case 'i', '*', ',':
			if cTypeWords[p.text(k)] || cTagWords[p.text(k)] || p.text(k) == "static" || p.text(k) == "extern" {
				return false
			}
		default:
			return false
		}
	}
	return false
}
