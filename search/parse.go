package search

import (
	"strings"
	"unicode/utf8"
)

// maxRepeat is the largest count in x{n,m}, as in RE2.
const maxRepeat = 1000

// maxDepth bounds the nesting of groups, so that no pattern overflows a stack.
const maxDepth = 250

// flags are the switches of (?imsU).
type flags struct {
	fold    bool // i: ignore case
	oneLine bool // m switched off: ^ and $ are anchors of the text
	dotAll  bool // s: a dot matches a line feed
	lazy    bool // U: repetitions are lazy, and greedy with ?
}

// parser reads RE2 syntax into a tree. It also notes what smart case wants to
// know.
type parser struct {
	src        string
	pos        int
	depth      int
	hasLetter  bool // a literal occurs
	upper      bool // an upper-case literal occurs
	hasNewline bool // the pattern spells out a line feed outside a set
	nlOff      int
}

// parse reads a whole pattern.
func parse(src string, f flags) (*node, *parser, error) {
	p := &parser{src: src}
	if !utf8.ValidString(src) {
		return nil, nil, p.fail(0, "", "is not valid UTF-8", `spell bytes of text as the characters they stand for`)
	}
	n, err := p.alternation(f)
	if err != nil {
		return nil, nil, err
	}
	if p.pos < len(p.src) {
		return nil, nil, p.fail(p.pos, ")", "unexpected )", literalHint)
	}
	return n, p, nil
}

// literalHint is the next step for most syntax errors.
const literalHint = `escape it with a backslash, or search for the same text literally (literal: true)`

// fail makes the error for a construct at off.
func (p *parser) fail(off int, construct, reason, next string) error {
	return &PatternError{Pattern: p.src, Construct: construct, Off: off, Reason: reason, Next: next}
}

// alternation reads branches up to ) or the end. Flags set inside hold to the
// end of the group, over branches, as in RE2.
func (p *parser) alternation(f flags) (*node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail(p.pos, "", "groups are nested too deeply", "simplify the pattern")
	}
	defer func() { p.depth-- }()
	var branches []*node
	for {
		n, err := p.sequence(&f)
		if err != nil {
			return nil, err
		}
		branches = append(branches, n)
		if p.pos >= len(p.src) || p.src[p.pos] != '|' {
			break
		}
		p.pos++
	}
	if len(branches) == 1 {
		return branches[0], nil
	}
	return &node{op: opAlt, subs: branches}, nil
}

// sequence reads one branch.
func (p *parser) sequence(f *flags) (*node, error) {
	var subs []*node
	for p.pos < len(p.src) && p.src[p.pos] != '|' && p.src[p.pos] != ')' {
		if strings.HasPrefix(p.src[p.pos:], `\Q`) {
			subs = append(subs, p.quoted(f)...)
			continue
		}
		n, err := p.atom(f)
		if err != nil {
			return nil, err
		}
		if n == nil {
			continue
		}
		if n, err = p.repeats(n, *f); err != nil {
			return nil, err
		}
		subs = append(subs, n)
	}
	return concat(subs...), nil
}

// quoted reads \Q...\E; what follows may repeat its last character.
func (p *parser) quoted(f *flags) []*node {
	text := p.src[p.pos+2:]
	end := strings.Index(text, `\E`)
	if end < 0 {
		p.pos = len(p.src)
	} else {
		text = text[:end]
		p.pos += 2 + end + 2
	}
	var out []*node
	for _, r := range text {
		out = append(out, p.literal(r, f.fold, p.pos))
	}
	if len(out) > 0 {
		if n, err := p.repeats(out[len(out)-1], *f); err == nil {
			out[len(out)-1] = n
		}
	}
	return out
}

// literal makes a node of one character and notes it.
func (p *parser) literal(r rune, fold bool, off int) *node {
	p.note(r)
	if r == '\n' && !p.hasNewline {
		p.hasNewline, p.nlOff = true, off
	}
	return runeNode(r, fold)
}

// atom reads one item without its repetition. It returns nil for a mere change
// of flags.
func (p *parser) atom(f *flags) (*node, error) {
	start := p.pos
	switch c := p.src[p.pos]; c {
	case '(':
		return p.group(f)
	case '[':
		return p.class(*f)
	case '.':
		p.pos++
		s := anySet()
		if !f.dotAll {
			s = s.cut('\n', '\n')
		}
		return &node{op: opSet, set: s}, nil
	case '^':
		p.pos++
		return &node{op: opLook, look: pick(f.oneLine, lookTextStart, lookLineStart)}, nil
	case '$':
		p.pos++
		return &node{op: opLook, look: pick(f.oneLine, lookTextEnd, lookLineEnd)}, nil
	case '*', '+', '?':
		return nil, p.fail(start, p.src[start:start+1], "nothing to repeat before it", literalHint)
	case '\\':
		return p.escape(*f)
	}
	r, n := utf8.DecodeRuneInString(p.src[p.pos:])
	p.pos += n
	return p.literal(r, f.fold, start), nil
}

// pick returns a when cond holds, else b.
func pick(cond bool, a, b look) look {
	if cond {
		return a
	}
	return b
}

// repeats wraps n in the repetition that follows it, if any.
func (p *parser) repeats(n *node, f flags) (*node, error) {
	start := p.pos
	lo, hi, ok, err := p.count()
	if err != nil || !ok {
		return n, err
	}
	lazy := f.lazy
	if p.pos < len(p.src) && p.src[p.pos] == '?' {
		p.pos++
		lazy = !lazy
	}
	end := p.pos
	if p.pos < len(p.src) && p.src[p.pos] == '+' {
		return nil, p.fail(start, p.src[start:end+1], "possessive repetition is not supported",
			"drop the last +; matching takes linear time without it")
	}
	if _, _, again, err := p.count(); err != nil {
		return nil, err
	} else if again {
		return nil, p.fail(start, p.src[start:p.pos], "repetition of a repetition", "put the inner one into a group (?:...)")
	}
	if size := repeatSize(n) * max(lo, hi, 1); size > maxRepeat*10 {
		return nil, p.fail(start, p.src[start:end], "nested repetition is too large", "use smaller counts")
	}
	return &node{op: opRepeat, subs: []*node{n}, min: lo, max: hi, lazy: lazy}, nil
}

// repeatSize is the product of the counts nested in n.
func repeatSize(n *node) int {
	size := 1
	for _, s := range n.subs {
		size = max(size, repeatSize(s))
	}
	if n.op == opRepeat {
		size *= max(n.min, n.max, 1)
	}
	return size
}

// count reads *, +, ? or {n,m}. A { that starts no count is a literal.
func (p *parser) count() (lo, hi int, ok bool, err error) {
	if p.pos >= len(p.src) {
		return 0, 0, false, nil
	}
	switch p.src[p.pos] {
	case '*':
		p.pos++
		return 0, -1, true, nil
	case '+':
		p.pos++
		return 1, -1, true, nil
	case '?':
		p.pos++
		return 0, 1, true, nil
	case '{':
	default:
		return 0, 0, false, nil
	}
	start, end := p.pos, strings.IndexByte(p.src[p.pos:], '}')
	if end < 0 {
		return 0, 0, false, nil
	}
	loText, hiText, comma := strings.Cut(p.src[start+1:start+end], ",")
	lo, ok = number(loText)
	if !ok {
		return 0, 0, false, nil
	}
	switch {
	case !comma:
		hi = lo
	case hiText == "":
		hi = -1
	default:
		if hi, ok = number(hiText); !ok {
			return 0, 0, false, nil
		}
	}
	p.pos = start + end + 1
	if lo > maxRepeat || hi > maxRepeat || hi >= 0 && lo > hi {
		return 0, 0, false, p.fail(start, p.src[start:p.pos], "invalid repetition count", "counts ascend and go up to 1000")
	}
	return lo, hi, true, nil
}

// number reads a decimal count; a huge one becomes maxRepeat+1.
func number(s string) (int, bool) {
	if s == "" || len(s) > 1 && s[0] == '0' {
		return 0, false
	}
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = min(n*10+int(s[i]-'0'), maxRepeat+1)
	}
	return n, true
}
