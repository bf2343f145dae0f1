package lang

import (
	"bytes"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// Conditional code of C# is read before its preprocessor runs. All directives are blanked, offset for
// offset. Of the branches of a condition the likeliest stays; the others stay beside it where each
// is made of whole statements or members, and are blanked elsewhere. What symbols a build defines
// cannot be known from one file: those of today's framework count as defined, those of others do not, and
// anybody's own does. Where a less likely branch stays, its directive leaves csUnlikely behind and the
// one after it csLikely as its second character, by which csFinish knows what the usual build leaves out.
const (
	csUnlikely = '\v'
	csLikely   = '\f'
)

// csBranch is a branch of a condition: its directive and the code up to the next one.
type csBranch struct {
	dirFrom, dirTo int
	to             int
	holds          bool
}

// csGroup is a condition that is being read.
type csGroup struct {
	branches []csBranch
	before   csToken // the last token before it
}

// csToken is a token as far as matters here: a word, a literal or a character.
type csToken struct {
	text string
	at   int
}

type csReader struct {
	src, out []byte
	own      map[string]bool // symbols that the file itself defines or removes
	open     []csGroup
	last     csToken
	toks     []csToken // those in conditions
}

// csPrepare blanks what the grammar cannot take.
func csPrepare(src []byte) []byte {
	if !bytes.Contains(src, []byte("#")) {
		return src
	}
	r := &csReader{src: src, own: map[string]bool{}}
	r.read()
	if r.out == nil {
		return src
	}
	return r.out
}

// read goes through the source once, over comments and literals.
func (r *csReader) read() {
	line := true
	for i := 0; i < len(r.src); {
		ch := r.src[i]
		switch {
		case ch == '\n':
			line = true
			i++
		case ch <= ' ' || ch >= 0x80 && line:
			i++
		case ch == '#' && line:
			end := len(r.src)
			if n := bytes.IndexByte(r.src[i:], '\n'); n >= 0 {
				end = i + n
			}
			r.directive(i, end)
			i = end
		case ch == '/' && i+1 < len(r.src) && (r.src[i+1] == '/' || r.src[i+1] == '*'):
			i = cComment(r.src, i)
		default:
			line = false
			end := csTokenEnd(r.src, i)
			r.last = csToken{string(r.src[i:end]), i}
			if len(r.open) > 0 {
				r.toks = append(r.toks, r.last)
			}
			i = end
		}
	}
}

// csTokenEnd is the end of the word, literal or character at i.
func csTokenEnd(src []byte, i int) int {
	j := i
	for j < len(src) && (src[j] == '@' || src[j] == '$') {
		j++
	}
	switch {
	case j < len(src) && src[j] == '"':
		return csStringEnd(src, j, bytes.IndexByte(src[i:j], '@') >= 0)
	case src[i] == '\'':
		for j = i + 1; j < len(src) && src[j] != '\'' && src[j] != '\n'; j++ {
			if src[j] == '\\' {
				j++
			}
		}
		return min(j+1, len(src))
	}
	for j = i; j < len(src) && (cLetter(src[j]) || src[j] >= '0' && src[j] <= '9' || src[j] >= 0x80); j++ {
	}
	return max(j, i+1)
}

// csStringEnd is the end of the string literal whose quote is at i.
func csStringEnd(src []byte, i int, verbatim bool) int {
	n := 0
	for i+n < len(src) && src[i+n] == '"' {
		n++
	}
	if n >= 3 && !verbatim {
		if at := bytes.Index(src[i+n:], bytes.Repeat([]byte{'"'}, n)); at >= 0 {
			return i + n + at + n
		}
		return len(src)
	}
	for j := i + 1; j < len(src); j++ {
		switch {
		case src[j] == '\\' && !verbatim:
			j++
		case src[j] == '"' && verbatim && j+1 < len(src) && src[j+1] == '"':
			j++
		case src[j] == '"' || src[j] == '\n' && !verbatim:
			return j + 1
		}
	}
	return len(src)
}

// directive takes the one at from and blanks it.
func (r *csReader) directive(from, to int) {
	word, rest := cDirective(r.src[from:to])
	rest, _, _ = strings.Cut(rest, "//")
	rest = strings.TrimSpace(rest)
	r.blank(from, to)
	n := len(r.open)
	switch word {
	case "define", "undef":
		r.own[rest] = word == "define"
	case "if":
		r.open = append(r.open, csGroup{before: r.last, branches: []csBranch{{dirFrom: from, dirTo: to, holds: r.holds(rest)}}})
	case "elif", "else":
		if n == 0 {
			return
		}
		g := &r.open[n-1]
		g.branches[len(g.branches)-1].to = from
		g.branches = append(g.branches, csBranch{dirFrom: from, dirTo: to, holds: word == "else" || r.holds(rest)})
		r.last = g.before
	case "endif":
		if n == 0 {
			return
		}
		g := &r.open[n-1]
		g.branches[len(g.branches)-1].to = from
		r.settle(g)
		if r.open = r.open[:n-1]; len(r.open) == 0 {
			r.toks = r.toks[:0]
		}
	}
}

// blank puts spaces over the source, but for the ends of lines.
func (r *csReader) blank(from, to int) {
	if r.out == nil {
		r.out = bytes.Clone(r.src)
	}
	for i := from; i < to; i++ {
		if r.out[i] != '\n' && r.out[i] != '\r' {
			r.out[i] = ' '
		}
	}
}

// settle decides which branches of g stay.
func (r *csReader) settle(g *csGroup) {
	likely := -1
	whole := csBegins(g.before)
	for i, b := range g.branches {
		if likely < 0 && b.holds {
			likely = i
		}
		first, balanced := r.whole(b)
		whole = whole && balanced && !csGoesOn(first)
		if len(g.branches) == 1 && balanced && csGoesOn(first) { // a further part of what is complete without it
			whole = true
		}
	}
	for i, b := range g.branches {
		switch {
		case i == likely:
		case whole:
			r.out[b.dirFrom], r.out[b.to+1] = csUnlikely, csLikely
		default:
			r.blank(b.dirTo, b.to)
			r.forget(b.dirTo, b.to)
		}
	}
	if n := len(r.toks); n > 0 {
		r.last = r.toks[n-1]
	}
}

// forget drops the tokens of a branch that is left out.
func (r *csReader) forget(from, to int) {
	kept := r.toks[:0]
	for _, t := range r.toks {
		if t.at < from || t.at >= to {
			kept = append(kept, t)
		}
	}
	r.toks = kept
}

// csBegins reports whether a statement or a member may begin after token t.
func csBegins(t csToken) bool {
	switch t.text {
	case "", ";", "{", "}", "]", ":":
		return true
	}
	return false
}

// csGoesOn reports whether what begins with that token is the rest of something.
func csGoesOn(first string) bool {
	switch first {
	case "else", "catch", "finally", ".", "?", ":", "&", "|", ",", "=", "+", "-", "where":
		return true
	}
	return false
}

// whole says what branch b begins with, and whether it ends where a statement, a member or a label does
// and closes what it opens.
func (r *csReader) whole(b csBranch) (first string, ok bool) {
	var open []byte
	last := ""
	for _, t := range r.toks {
		if t.at < b.dirTo || t.at >= b.to {
			continue
		}
		if first == "" {
			first = t.text
		}
		last = t.text
		switch t.text {
		case "(", "[", "{":
			open = append(open, t.text[0])
		case ")", "]", "}":
			if len(open) == 0 || open[len(open)-1] != csOpening(t.text[0]) {
				return first, false
			}
			open = open[:len(open)-1]
		}
	}
	switch last {
	case "", ";", "}", ":":
		return first, len(open) == 0
	}
	return first, false
}

func csOpening(ch byte) byte {
	switch ch {
	case ')':
		return '('
	case ']':
		return '['
	}
	return '{'
}

// holds reports whether a condition is likely to hold.
func (r *csReader) holds(cond string) bool {
	e := &csCondition{text: cond, r: r}
	return e.or()
}

// csCondition reads a condition.
type csCondition struct {
	text string
	r    *csReader
}

func (e *csCondition) take(op string) bool {
	e.text = strings.TrimLeft(e.text, " \t")
	if !strings.HasPrefix(e.text, op) {
		return false
	}
	e.text = e.text[len(op):]
	return true
}

func (e *csCondition) or() bool {
	v := e.and()
	for e.take("||") {
		w := e.and()
		v = v || w
	}
	return v
}

func (e *csCondition) and() bool {
	v := e.equal()
	for e.take("&&") {
		w := e.equal()
		v = v && w
	}
	return v
}

func (e *csCondition) equal() bool {
	v := e.unary()
	for {
		switch {
		case e.take("=="):
			v = v == e.unary()
		case e.take("!="):
			v = v != e.unary()
		default:
			return v
		}
	}
}

func (e *csCondition) unary() bool {
	if e.take("!") {
		return !e.unary()
	}
	if e.take("(") {
		v := e.or()
		e.take(")")
		return v
	}
	word := cFirstWord(e.text)
	e.text = e.text[len(word):]
	return e.r.defined(word)
}

// defined reports whether a symbol is likely to be defined.
func (r *csReader) defined(name string) bool {
	if v, ok := r.own[name]; ok {
		return v
	}
	switch name {
	case "false", "", "NETFRAMEWORK", "NETSTANDARD", "SILVERLIGHT", "PORTABLE", "PORTABLE40", "NETFX_CORE", "WINDOWS_PHONE", "WINDOWS_UWP", "WINDOWS_APP", "DNXCORE50",
		"NETCF", "DOTNET", "PCL", "MONOTOUCH", "__IOS__", "__ANDROID__", "__MonoCS__":
		return false
	case "NETCOREAPP":
		return true
	}
	if rest, ok := strings.CutPrefix(name, "NET"); ok && rest != "" {
		switch {
		case strings.HasSuffix(rest, "_OR_GREATER"): // of today's framework and of those before it
			return true
		case strings.HasPrefix(rest, "STANDARD") || strings.HasPrefix(rest, "COREAPP"):
			return false
		case rest[0] >= '0' && rest[0] <= '9':
			return strings.HasSuffix(rest, "_0") && (len(rest) > 3 || rest[0] >= '5') // NET5_0 and later
		}
	}
	return true
}

// csFinish marks what stands in a less likely branch as what the usual build leaves out.
func csFinish(b *Builder) {
	if bytes.IndexByte(b.src, csUnlikely) < 0 {
		return
	}
	depth, at := 0, uint32(0)
	for i := range b.F.Symbols {
		s := &b.F.Symbols[i]
		for ; at < s.Start && int(at) < len(b.src); at++ {
			switch b.src[at] {
			case csUnlikely:
				depth++
			case csLikely:
				depth = max(depth-1, 0)
			}
		}
		if depth > 0 {
			s.Flags |= graph.Unbuilt
		}
	}
}
