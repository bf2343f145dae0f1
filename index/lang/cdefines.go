package lang

import (
	"bytes"
	"slices"
	"strings"
)

// The macros that a file defines, and what they stand for where the file itself uses them. A macro of another
// file is not seen here: what it makes of its arguments is a matter of linking.

// cText is a token of an expansion: at is where it stands in the file, or 0 if it was pasted or stands in a
// macro's text.
type cText struct {
	text string
	kind byte
	at   uint32
}

// cDefine is one #define: its text is the tokens of the file from from to to.
type cDefine struct {
	name     string
	params   []string
	function bool
	text     []cToken
	off      uint32 // of the directive
	until    uint32 // offset of the #undef behind it, or of the file's end
	unlikely uint8  // see cBranches
	spare    bool   // it stands under the condition that there is none yet
}

// cDefines are the macros of a file by their names, in the order of their places.
type cDefines struct {
	src    []byte
	named  map[string][]*cDefine
	placed map[uint32]*cDefine // by their offsets
	left   int                 // tokens that may still be made
	known  map[*cDefine][]cRole
}

// maxExpanded bounds the tokens that expanding the macros of one file may make.
const maxExpanded = 60000

// defines are the macros that the file defines.
func (b *Builder) defines() *cDefines {
	if b.macroDefs != nil {
		return b.macroDefs
	}
	b.judge()
	src := b.whole()
	d := &cDefines{src: src, named: map[string][]*cDefine{}, placed: map[uint32]*cDefine{}, left: maxExpanded}
	b.macroDefs = d
	var around []uint8
	var absent []string // the macros that must not be defined where the branches around stand
	for _, t := range cDirectives(src) {
		word, rest := cDirective(src[t.from:t.to])
		u := b.branches[uint32(t.from)]
		switch word {
		case "if", "ifdef", "ifndef":
			if n := len(around); n > 0 {
				u = max(u, around[n-1])
			}
			around = append(around, u)
			absent = append(absent, cAbsent(word, rest))
		case "elif", "else", "elifdef", "elifndef":
			if n := len(around); n > 0 {
				if n > 1 {
					u = max(u, around[n-2])
				}
				around[n-1], absent[n-1] = u, ""
			}
		case "endif":
			around = around[:max(0, len(around)-1)]
			absent = absent[:len(around)]
		case "undef":
			for _, m := range d.named[cFirstWord(rest)] {
				m.until = min(m.until, uint32(t.from))
			}
		case "define":
			m := d.read(t)
			if n := len(around); n > 0 {
				m.unlikely = around[n-1]
				m.spare = slices.Contains(absent, m.name)
			}
			d.named[m.name] = append(d.named[m.name], m)
			d.placed[m.off] = m
		}
	}
	return d
}

// cAbsent is the macro that a condition wants not to be defined, or nothing.
func cAbsent(word, rest string) string {
	if word == "ifndef" {
		return cFirstWord(rest)
	}
	if word != "if" || !strings.HasPrefix(rest, "!") {
		return ""
	}
	rest, ok := strings.CutPrefix(strings.TrimSpace(rest[1:]), "defined")
	if !ok {
		return ""
	}
	return cFirstWord(strings.TrimLeft(rest, " \t("))
}

// whole is the file's text before anything was blanked in it.
func (b *Builder) whole() []byte {
	if len(b.t.Whole) == len(b.t.Src) {
		return b.t.Whole
	}
	return b.t.Src
}

// cDirectives are the directives among the tokens of src.
func cDirectives(src []byte) []cToken {
	return slices.DeleteFunc(cScan(src), func(t cToken) bool { return t.kind != '#' })
}

// read takes the #define at token t apart.
func (d *cDefines) read(t cToken) *cDefine {
	m := &cDefine{off: uint32(t.from), until: uint32(len(d.src))}
	line := d.src[t.from:t.to]
	i := bytes.Index(line, []byte("define")) + len("define")
	toks := cScan(bytes.ReplaceAll(line[i:], []byte("\\\n"), []byte("  "))) // a # in it begins no directive
	for k := range toks {
		toks[k].from += t.from + i
		toks[k].to += t.from + i
	}
	if len(toks) == 0 || toks[0].kind != 'i' {
		return m
	}
	m.name, toks = d.word(toks[0]), toks[1:]
	if len(toks) == 0 || toks[0].kind != '(' || d.src[toks[0].from-1] <= ' ' {
		m.text = toks
		return m
	}
	m.function = true
	for k, x := range toks {
		switch x.kind {
		case 'i':
			m.params = append(m.params, d.word(x))
		case '.':
			if n := len(m.params); d.src[x.from-1] != '.' && (n == 0 || toks[k-1].kind != 'i') {
				m.params = append(m.params, "__VA_ARGS__")
			}
		case ')':
			m.text = toks[k+1:]
			return m
		}
	}
	return m
}

func (d *cDefines) word(t cToken) string { return string(d.src[t.from:t.to]) }

// of is the #define whose directive begins at offset off, or nil.
func (d *cDefines) of(off uint32) *cDefine { return d.placed[off] }

// at is the macro of that name as it is at offset off: the last of the likeliest before it; nil if there is none.
func (d *cDefines) at(name string, off uint32) *cDefine {
	var best *cDefine
	for _, m := range d.named[name] {
		if m.off < off && off <= m.until && (best == nil || m.unlikely <= best.unlikely) {
			best = m
		}
	}
	return best
}

// use reads tokens of the file as they stand at its top.
func (d *cDefines) use(toks []cToken) []cText {
	out := make([]cText, len(toks))
	for i, t := range toks {
		out[i] = cText{d.word(t), t.kind, uint32(t.from)}
	}
	return out
}

// expand replaces the macros among toks, which stand at offset off, but those in hide.
func (d *cDefines) expand(toks []cText, off uint32, hide []string) []cText {
	var out []cText
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		var m *cDefine
		if t.kind == 'i' && len(hide) < 20 && !slices.Contains(hide, t.text) {
			m = d.at(t.text, off)
		}
		if m == nil || m.function && (i+1 >= len(toks) || toks[i+1].kind != '(') {
			out = append(out, t)
			continue
		}
		var args [][]cText
		if m.function {
			args, i = cArguments(toks, i+1)
		}
		made := d.replace(m, args)
		if d.left -= len(made) + 1; d.left < 0 {
			return nil
		}
		out = append(out, d.expand(made, off, append(hide[:len(hide):len(hide)], m.name))...)
	}
	return out
}

// cArguments are the arguments in the parentheses that open at token i, and the token that closes them.
func cArguments(toks []cText, i int) (args [][]cText, end int) {
	depth := 0
	args = [][]cText{nil}
	for ; i < len(toks); i++ {
		switch k := toks[i].kind; {
		case k == '(' || k == '{' || k == '[':
			if depth++; depth == 1 {
				continue
			}
		case k == ')' || k == '}' || k == ']':
			if depth--; depth == 0 {
				return args, i
			}
		case k == ',' && depth == 1:
			args = append(args, nil)
			continue
		}
		args[len(args)-1] = append(args[len(args)-1], toks[i])
	}
	return args, i
}

// replace is the text of m with args for its parameters.
func (d *cDefines) replace(m *cDefine, args [][]cText) []cText {
	var out []cText
	paste := false
	put := func(toks ...cText) {
		if paste && len(out) > 0 && len(toks) > 0 {
			last := &out[len(out)-1]
			*last = cText{text: last.text + toks[0].text, kind: last.kind}
			toks = toks[1:]
		}
		out = append(out, toks...)
		paste = false
	}
	for i := 0; i < len(m.text); i++ {
		t := m.text[i]
		if text := d.word(t); t.kind == '#' || text == "#" {
			if i+1 < len(m.text) && d.word(m.text[i+1]) == "#" {
				i++
				paste = true
			}
			continue
		}
		word := d.word(t)
		p := -1
		if t.kind == 'i' {
			p = slices.Index(m.params, word)
		}
		switch {
		case p < 0:
			put(cText{text: word, kind: t.kind})
		case word == "__VA_ARGS__":
			for k := p; k < len(args); k++ {
				if k > p {
					put(cText{text: ",", kind: ','})
				}
				put(args[k]...)
			}
		case p < len(args):
			put(args[p]...)
		}
		if p >= 0 {
			paste = false
		}
	}
	return out
}

// pasted reports whether every mention of parameter p in the text of m is pasted to something or made a string:
// what stands for it is no name.
func (d *cDefines) pasted(m *cDefine, p string) bool {
	any := false
	for i, t := range m.text {
		if t.kind != 'i' || d.word(t) != p {
			continue
		}
		any = true
		before := i > 0 && d.word(m.text[i-1]) == "#"
		after := i+2 < len(m.text) && d.word(m.text[i+1]) == "#" && d.word(m.text[i+2]) == "#"
		if !before && !after {
			return false
		}
	}
	return any
}
