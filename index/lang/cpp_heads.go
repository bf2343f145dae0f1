package lang

import (
	"bytes"
	"strings"
)

// Macros in the heads of declarations are blanked, or read for what they stand for: attributes around names and
// words, results, calls that declare by themselves.

// classWord leaves, of a macro at token i around the word of a class, the word: ALIGNED(class) Name {.
func (p *cPrep) classWord(i int) {
	open := p.next(i + 1)
	word := p.next(open + 1)
	shut := p.next(word + 1)
	if p.macroLike(i) && p.kind(open) == '(' && cppClassWords[p.text(word)] && p.kind(shut) == ')' && p.kind(p.next(shut+1)) == 'i' {
		p.blank(i, cGone)
		p.blank(open, cGone)
		p.blank(shut, cGone)
	}
}

// typeWords leaves, of a macro at token i around the words of a type before a name, the words:
// static ALIGNED(const unsigned int) mask[].
func (p *cPrep) typeWords(i int) {
	open := p.next(i + 1)
	if i == 0 || p.gone[i] || !p.macroLike(i) || p.kind(open) != '(' {
		return
	}
	if d := p.kind(i - 1); d != ';' && d != '{' && d != '}' && p.text(i-1) != "static" && p.text(i-1) != "const" {
		return
	}
	k := p.next(open + 1)
	for ; p.kind(k) == 'i'; k = p.next(k + 1) {
		if t := p.text(k); !cTypeWords[t] && t != "const" {
			return
		}
	}
	if p.kind(k) == ')' && k > p.next(open+1) && p.plainName(p.next(k+1)) {
		p.blank(i, cGone)
		p.blank(open, cGone)
		p.blank(k, cGone)
	}
}

// parameterized is the token behind the template's parameters at token i. Before a class that is a friend the
// grammar takes none.
func (p *cPrep) parameterized(i int) int {
	n := p.next(p.angles(p.next(i + 1)))
	if p.text(n) == "friend" && cppClassWords[p.text(p.next(n+1))] {
		p.blankAll(i, n, cDead)
	}
	return n
}

// result puts a result in the place of the call of a macro at token i that stands for one, before the name of a
// function: ENABLED(condition, (T&)) f(T t). What it is shows where the function returns.
func (p *cPrep) result(i int) bool {
	const auto = "auto"
	open := p.next(i + 1)
	if !p.macroLike(i) || p.kind(open) != '(' {
		return false
	}
	end := p.close(open)
	n := p.next(end + 1)
	if p.kind(n) != 'i' || p.macroLike(n) || p.text(n) != "operator" && (!p.plainName(n) || p.classNamed(p.text(n))) {
		return false
	}
	params := p.path(n)
	if p.text(n) == "operator" {
		params = p.operator(n)
	}
	if p.kind(params) != '(' {
		return false
	}
	if k := p.next(p.close(params) + 1); p.kind(k) != '{' && p.kind(k) != ';' && !cppTrailing[p.text(k)] {
		return false
	}
	at := p.toks[open].from
	if p.toks[end].to-at < len(auto) || bytes.IndexByte(p.src[at:at+len(auto)], '\n') >= 0 {
		return false
	}
	p.blank(i, cGone)
	p.blankAll(open, end+1, cDead)
	copy(p.out[at:], auto)
	return true
}

// made blanks the word at token i before a dependent type that makes a value: f(typename T::Text(s)).
func (p *cPrep) made(i int) {
	if p.text(i) == "typename" && !p.gone[i] && p.kind(p.path(p.next(i+1))) == '(' {
		p.blank(i, cDead)
	}
}

// typedCall blanks the arguments of a macro's call that stands as a declaration of its own, at token i, if
// words for types are among them: FLAG(bool, verbose, false); is nothing that the grammar takes. It
// returns the token behind the call, or 0.
func (p *cPrep) typedCall(i int) int {
	open := p.next(i + 1)
	if !p.macroLike(i) || p.kind(open) != '(' || p.before(open) != i {
		return 0
	}
	end := p.close(open)
	if after := p.next(end + 1); p.kind(after) != ';' {
		return 0
	}
	typed, comma := false, false
	for k := p.next(open + 1); k < end; k = p.next(k + 1) {
		switch d := p.kind(k); {
		case d == '(' || d == '{' || d == '=':
			return 0
		case d == ',':
			comma = true
		}
		typed = typed || cTypeWords[p.text(k)] && (p.kind(p.next(k+1)) == ',' || p.next(k+1) == end)
	}
	if !typed || !comma || p.classNamed(p.text(i)) { // a constructor
		return 0
	}
	p.blankAll(open+1, end, cGone)
	return end + 1
}

// classNamed reports whether the source begins a class of that name.
func (p *cPrep) classNamed(name string) bool {
	if p.classes == nil {
		p.classes = map[string]bool{}
		for i := range p.toks {
			if !cppClassWords[p.text(i)] {
				continue
			}
			for k := p.next(i + 1); p.kind(k) == 'i'; k = p.next(k + 1) {
				p.classes[p.text(k)] = true
			}
		}
	}
	return p.classes[name]
}

// classHead blanks the macros around a class's name, behind its keyword at token k.
func (p *cPrep) classHead(k int) {
	var names []int
	n := p.next(k + 1)
	for p.kind(n) == 'i' {
		t := p.text(n)
		if t == "final" {
			break
		}
		if !cppClassWords[t] {
			names = append(names, n)
		}
		n = p.next(n + 1)
		if p.kind(n) == '(' && cMacroLike(t) {
			n = p.next(p.close(n) + 1)
		}
	}
	if len(names) < 2 {
		return
	}
	if d := p.kind(n); d != '{' && d != ':' && d != ';' && d != '<' && p.text(n) != "final" {
		return
	}
	name := len(names) - 1
	if p.kind(p.next(names[name]+1)) == '(' { // behind the name
		name--
	}
	for i := name; i >= 0; i-- { // as others may be that look like macros
		if !p.macroLike(names[i]) && !cppMarked(p.text(names[i])) {
			name = i
			break
		}
	}
	for i, m := range names {
		if i == name || !p.macroLike(m) && !(p.kind(n) == '{' || p.kind(n) == ':') {
			continue
		}
		if i > name && !p.macroLike(m) || !p.macroLike(m) && !cppMarked(p.text(m)) {
			continue
		}
		end := m + 1
		if o := p.next(m + 1); p.kind(o) == '(' {
			end = p.close(o) + 1
		}
		p.blankAll(m, end, cGone)
	}
}

// cppMarked reports whether a name ends like those of macros: Library_API.
func cppMarked(name string) bool {
	i := strings.LastIndexByte(name, '_')
	return i > 0 && len(name)-i > 2 && cMacroLike(name[i+1:])
}

// leading blanks a macro before a declaration, the one at token i, and returns where it begins then.
func (p *cPrep) leading(i int) int {
	if !p.macroLike(i) {
		return i
	}
	n, end := p.next(i+1), i+1
	if p.kind(n) == '(' {
		end = p.close(n) + 1
		n = p.next(end)
	}
	t := p.text(n)
	switch {
	case p.kind(n) != 'i':
		return i
	case cppAccess[t] || cppClassWords[t] || t == "virtual" || t == "static" || t == "explicit" || t == "inline" || t == "extern" || t == "template" || t == "typedef" || t == "using" || t == "enum" || t == "friend" || t == "constexpr":
	case p.names(n) < 2 && !p.makes(n):
		return i
	}
	p.blankAll(i, end, cGone)
	return p.declared(n)
}

// makes reports whether a constructor with initializers begins at token n.
func (p *cPrep) makes(n int) bool {
	open := p.next(p.angles(p.next(n + 1)))
	for p.kind(open) == ':' && p.kind(p.next(open+1)) == ':' { // Type<T>::Type
		open = p.next(p.angles(p.next(p.next(p.next(open+1)+1) + 1)))
	}
	if p.kind(open) != '(' {
		return false
	}
	k := p.next(p.close(open) + 1)
	for p.macroLike(k) || cppTrailing[p.text(k)] {
		if k = p.next(k + 1); p.kind(k) == '(' {
			k = p.next(p.close(k) + 1)
		}
	}
	return p.kind(k) == ':' && p.kind(p.next(k+1)) == 'i'
}

// path is the token behind the path of names that begins at token n, and behind the template arguments in it.
func (p *cPrep) path(n int) int {
	k := p.next(n + 1)
	for {
		after := p.next(p.angles(k))
		if p.kind(after) != ':' || p.kind(p.next(after+1)) != ':' {
			return k
		}
		if k = p.next(p.next(after+1) + 1); p.kind(k) == '~' {
			k = p.next(k + 1)
		}
		if p.kind(k) != 'i' {
			return k
		}
		if k = p.next(k + 1); p.text(k-1) == "operator" {
			return p.operator(k - 1)
		}
	}
}

// declared takes further macros before a declaration.
func (p *cPrep) declared(n int) int {
	if cppAccess[p.text(n)] {
		return n
	}
	return p.leading(n)
}

// names counts the names and types from token n to what ends a declarator's name.
func (p *cPrep) names(n int) int {
	count := 0
	for k := n; k < len(p.toks); k = p.next(k + 1) {
		switch p.kind(k) {
		case 'i':
			if t := p.text(k); !cWords[t] || t == "auto" {
				count++
			}
		case '<':
			k = p.angles(k) - 1
		case ':':
			count--
			k = p.next(k + 1)
		case '*', '&', '~':
		default:
			return count
		}
	}
	return count
}

// trailing reports whether the macro at token k follows a declarator or stands before its name, and
// the token behind it; prev and before are the tokens before it.
func (p *cPrep) trailing(k, prev, before int) (int, bool) {
	n, end := p.next(k+1), k+1
	called := p.kind(n) == '('
	if called {
		end = p.close(n) + 1
		n = p.next(end)
	}
	ends := false
	switch d := p.kind(n); d {
	case ';', '{', '=', ',':
		ends = true
	case 'i':
		ends = p.macroLike(n) || cppTrailing[p.text(n)]
	case ':':
		ends = p.kind(prev) == ')'
	}
	switch {
	case p.kind(prev) == ')' || prev >= 0 && cppTrailing[p.text(prev)] && p.kind(before) == ')':
		return end, ends
	case called && ends && (p.plainName(prev) || p.kind(prev) == ']'):
		b := p.kind(before)
		if p.text(before) == "const" { // behind a star it belongs to the name
			k := before - 1
			for k > 0 && p.gone[k] {
				k--
			}
			b = p.kind(k)
		}
		return end, b == '*' || b == '&' || b == '>' || b == ']' || p.kind(prev) == ']' || b == 'i' && !p.word(before) || cTypeWords[p.text(before)]
	case !called && p.plainName(n) && p.kind(p.path(n)) == '(' && prev >= 0:
		d := p.kind(prev)
		return end, d == '*' || d == '&' || d == '>' || cTypeWords[p.text(prev)] || p.plainName(prev) || p.word(prev) && (p.makes(n) || p.classNamed(p.text(n)))
	case !called && p.kind(n) == 'i' && p.names(n) >= 2 && prev >= 0 && p.word(prev):
		return end, true
	}
	return end, false
}
