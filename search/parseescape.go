package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// note remembers what smart case looks at.
func (p *parser) note(r rune) {
	p.hasLetter = true
	if unicode.IsUpper(r) {
		p.upper = true
	}
}

// foreign names escapes of other dialects and what to write instead.
var foreign = map[byte][2]string{
	'k': {"back-reference", "spell the text out; RE2 has no back-references"},
	'g': {"back-reference", "spell the text out; RE2 has no back-references"},
	'K': {"\\K", "match the whole and look at the columns"},
	'G': {"\\G", "leave it out"},
	'Z': {"\\Z", "use $ or \\z"},
	'X': {"\\X", "use a class"},
	'R': {"\\R", "use \\r?\\n with multiline"},
	'N': {"\\N", "use [^\\n]"},
	'C': {"\\C", "use a dot"},
	'h': {"\\h", "use [ \\t]"},
	'H': {"\\H", "use [^ \\t]"},
	'V': {"\\V", "use [^\\n\\v\\f\\r]"},
	'u': {"\\u", "write \\x{...}"},
	'e': {"\\e", "write \\x1B"},
	'c': {"control escape", "write \\x and two digits"},
}

// escape reads a backslash outside a class.
func (p *parser) escape(f flags) (*node, error) {
	start := p.pos
	if p.pos+1 < len(p.src) {
		var l look
		switch p.src[p.pos+1] {
		case 'A':
			l = lookTextStart
		case 'z':
			l = lookTextEnd
		case 'b':
			l = lookWord
		case 'B':
			l = lookNotWord
		case 'E':
			p.pos += 2
			return nil, nil
		}
		if l != 0 {
			p.pos += 2
			return &node{op: opLook, look: l}, nil
		}
	}
	set, r, err := p.escaped(f)
	if err != nil {
		return nil, err
	}
	if set != nil {
		return &node{op: opSet, set: set}, nil
	}
	return p.literal(r, f.fold, start), nil
}

// escaped reads an escape that stands for a set or for one character.
func (p *parser) escaped(f flags) (runeSet, rune, error) {
	start := p.pos
	if p.pos+1 >= len(p.src) {
		return nil, 0, p.fail(start, `\`, "trailing backslash", `write \\ for a backslash, or search literally (literal: true)`)
	}
	c := p.src[p.pos+1]
	if s, ok := perlClass(c); ok {
		p.pos += 2
		return s, 0, nil
	}
	switch c {
	case 'p', 'P':
		s, err := p.property(f)
		return s, 0, err
	case 'x':
		r, err := p.hex()
		return nil, r, err
	}
	if c >= '0' && c <= '9' {
		r, err := p.octal()
		return nil, r, err
	}
	if i := strings.IndexByte("afnrtv", c); i >= 0 {
		p.pos += 2
		return nil, rune("\a\f\n\r\t\v"[i]), nil
	}
	r, n := utf8.DecodeRuneInString(p.src[p.pos+1:])
	if r < utf8.RuneSelf && !isWordByte(c) || r == '_' {
		p.pos += 1 + n
		return nil, r, nil
	}
	if w, ok := foreign[c]; ok {
		return nil, 0, p.fail(start, p.src[start:start+2], w[0]+" is not supported", w[1])
	}
	return nil, 0, p.fail(start, p.src[start:start+1+n], "unknown escape", literalHint)
}

// octal reads \0, \07, \123; a single digit that is not 0 would be a
// back-reference.
func (p *parser) octal() (rune, error) {
	start, i := p.pos, p.pos+1
	r := rune(0)
	for i < len(p.src) && i < start+4 && p.src[i] >= '0' && p.src[i] <= '7' {
		r = r*8 + rune(p.src[i]-'0')
		i++
	}
	if p.src[start+1] != '0' && i < start+3 {
		return 0, p.fail(start, p.src[start:start+2], "back-reference is not supported",
			"spell the text out; RE2 has no back-references")
	}
	p.pos = i
	return r, nil
}

// hex reads \x41 or \x{10FFFF}.
func (p *parser) hex() (rune, error) {
	start := p.pos
	digits, end := "", p.pos+4
	if strings.HasPrefix(p.src[start+2:], "{") {
		n := strings.IndexByte(p.src[start:], '}')
		if n < 0 {
			return 0, p.fail(start, p.src[start:], "missing closing }", `write \x{10FFFF}`)
		}
		digits, end = p.src[start+3:start+n], start+n+1
	} else if end <= len(p.src) {
		digits = p.src[start+2 : end]
	}
	r, ok := rune(0), digits != ""
	for i := 0; ok && i < len(digits); i++ {
		d := strings.IndexByte("0123456789abcdef", digits[i]|0x20)
		if digits[i] < '0' || d < 0 || r > unicode.MaxRune {
			ok = false
			break
		}
		r = r*16 + rune(d)
	}
	if !ok || r > unicode.MaxRune || 0xD800 <= r && r <= 0xDFFF {
		return 0, p.fail(start, p.src[start:min(end, len(p.src))], "invalid code point", `write \x41 or \x{10FFFF}`)
	}
	p.pos = end
	return r, nil
}

// property reads \pL, \p{Greek}, \p{^Greek} and \P{Greek}.
func (p *parser) property(f flags) (runeSet, error) {
	start := p.pos
	negate := p.src[p.pos+1] == 'P'
	name, end := "", p.pos+3
	if strings.HasPrefix(p.src[start+2:], "{") {
		n := strings.IndexByte(p.src[start:], '}')
		if n < 0 {
			return nil, p.fail(start, p.src[start:], "missing closing }", `write \p{Greek}`)
		}
		name, end = p.src[start+3:start+n], start+n+1
	} else if start+2 < len(p.src) {
		_, n := utf8.DecodeRuneInString(p.src[start+2:])
		name, end = p.src[start+2:start+2+n], start+2+n
	}
	if strings.HasPrefix(name, "^") {
		negate, name = !negate, name[1:]
	}
	s, ok := unicodeClass(name)
	if !ok {
		return nil, p.fail(start, p.src[start:min(end, len(p.src))], "unknown Unicode class", `use a category such as \p{Lu} or a script such as \p{Greek}`)
	}
	p.pos = end
	if f.fold {
		s = s.fold()
	}
	if negate {
		s = s.negate()
	}
	return s, nil
}

// class reads [...].
func (p *parser) class(f flags) (*node, error) {
	start := p.pos
	p.pos++
	negate := false
	if p.pos < len(p.src) && p.src[p.pos] == '^' {
		negate = true
		p.pos++
	}
	var s runeSet
	for first := true; ; first = false {
		if p.pos >= len(p.src) {
			return nil, p.fail(start, p.src[start:], "missing closing ]", literalHint)
		}
		if p.src[p.pos] == ']' && !first {
			p.pos++
			break
		}
		item, err := p.classItem(f)
		if err != nil {
			return nil, err
		}
		s = append(s, item...)
	}
	s = s.normal()
	if negate {
		return &node{op: opSet, set: s.negate()}, nil
	}
	n := setNode(s)
	if n.op == opRune && n.r == '\n' && !p.hasNewline {
		p.hasNewline, p.nlOff = true, start
	}
	return n, nil
}

// classItem reads a range, a character, an escape or [:name:].
func (p *parser) classItem(f flags) (runeSet, error) {
	start := p.pos
	if strings.HasPrefix(p.src[p.pos:], "[:") {
		if end := strings.Index(p.src[p.pos:], ":]"); end >= 0 {
			return p.posix(end, f)
		}
	}
	set, lo, err := p.classRune(f)
	if err != nil || set != nil {
		return set, err
	}
	hi := lo
	if rest := p.src[p.pos:]; len(rest) >= 2 && rest[0] == '-' && rest[1] != ']' {
		p.pos++
		if set, hi, err = p.classRune(f); err != nil {
			return nil, err
		}
		if set != nil || hi < lo {
			return nil, p.fail(start, p.src[start:p.pos], "invalid range in a class", "write the lower end first, or escape the hyphen")
		}
	}
	s := runeSet{{lo, hi}}
	if f.fold {
		s = s.fold()
	}
	return s, nil
}

// posix reads [:name:] or [:^name:] whose end is known.
func (p *parser) posix(end int, f flags) (runeSet, error) {
	start := p.pos
	name := p.src[start+2 : start+end]
	negate := strings.HasPrefix(name, "^")
	s, ok := posixClasses[strings.TrimPrefix(name, "^")]
	if !ok {
		return nil, p.fail(start, p.src[start:start+end+2], "unknown class", "use [:alpha:], [:digit:], [:alnum:], [:space:] and the like")
	}
	p.pos += end + 2
	if f.fold {
		s = s.fold()
	}
	if negate {
		s = s.negate()
	}
	return s, nil
}

// classRune reads one character or an escape inside a class.
func (p *parser) classRune(f flags) (runeSet, rune, error) {
	if p.pos >= len(p.src) {
		return nil, 0, p.fail(p.pos, "", "missing closing ]", literalHint)
	}
	if p.src[p.pos] != '\\' {
		r, n := utf8.DecodeRuneInString(p.src[p.pos:])
		p.pos += n
		p.note(r)
		return nil, r, nil
	}
	set, r, err := p.escaped(f)
	if err == nil && set == nil {
		p.note(r)
	}
	return set, r, err
}
