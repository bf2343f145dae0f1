package search

import (
	"strings"
	"unicode"
)

// unsupported names what other dialects put after "(?".
var unsupported = []struct{ prefix, name, next string }{
	{"(?=", "look-ahead", "match the text around it and look at the columns, or filter with a second search"},
	{"(?!", "negative look-ahead", "search for the rest of the pattern and leave lines out with a second search (invert)"},
	{"(?<=", "look-behind", "match the text before it as well"},
	{"(?<!", "negative look-behind", "match the text before it as well, as a negated class"},
	{"(?>", "atomic group", "use (?:...); matching takes linear time without it"},
	{"(?#", "comment", "leave it out"},
	{"(?|", "branch reset", "use (?:...)"},
	{"(?(", "conditional", "write both branches as an alternation"},
	{"(?P=", "back-reference", "spell the text out; RE2 has no back-references"},
	{"(?P>", "recursion", "RE2 has no recursion"},
	{"(?R", "recursion", "RE2 has no recursion"},
	{"(?&", "recursion", "RE2 has no recursion"},
	{"(?'", "quoted group name", "use (?P<name>...)"},
	{"(*", "verb", "leave it out"},
}

// group reads (...) in its forms. It returns nil for (?flags).
func (p *parser) group(f *flags) (*node, error) {
	start, rest := p.pos, p.src[p.pos:]
	for _, u := range unsupported {
		if strings.HasPrefix(rest, u.prefix) && !(u.prefix == "(*") {
			return nil, p.fail(start, u.prefix, u.name+" is not supported", u.next)
		}
	}
	inner := *f
	switch {
	case strings.HasPrefix(rest, "(?P<"), strings.HasPrefix(rest, "(?<"):
		end := strings.IndexByte(rest, '>')
		open := strings.IndexByte(rest, '<')
		if end < 0 || !validName(rest[open+1:end]) {
			return nil, p.fail(start, rest[:open+1], "invalid group name", "use letters, digits and underscores: (?P<name>...)")
		}
		p.pos += end + 1
	case strings.HasPrefix(rest, "(?"):
		done, err := p.groupFlags(f, &inner)
		if err != nil || done {
			return nil, err
		}
	default:
		p.pos++
	}
	n, err := p.alternation(inner)
	if err != nil {
		return nil, err
	}
	if p.pos >= len(p.src) {
		return nil, p.fail(start, p.src[start:], "missing closing )", literalHint)
	}
	p.pos++
	return &node{op: opConcat, subs: []*node{n}}, nil
}

// validName reports whether s may name a group.
func validName(s string) bool {
	for _, r := range s {
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return s != ""
}

// groupFlags reads (?flags) or (?flags: and reports whether that was all. With
// a colon the flags go to inner, else to the group around.
func (p *parser) groupFlags(outer, inner *flags) (done bool, err error) {
	start := p.pos
	on := true
	f := *outer
	for p.pos += 2; p.pos < len(p.src); p.pos++ {
		switch c := p.src[p.pos]; c {
		case 'i':
			f.fold = on
		case 'm':
			f.oneLine = !on
		case 's':
			f.dotAll = on
		case 'U':
			f.lazy = on
		case '-':
			if !on {
				return false, p.fail(start, p.src[start:p.pos+1], "invalid flags", "write (?i-s:...)")
			}
			on = false
		case ':':
			*inner = f
			p.pos++
			return false, nil
		case ')':
			*outer = f
			p.pos++
			return true, nil
		default:
			return false, p.fail(start, p.src[start:p.pos+1], "flag "+string(rune(c))+" is not supported", "the flags are i, m, s and U")
		}
	}
	return false, p.fail(start, p.src[start:], "missing closing )", literalHint)
}
