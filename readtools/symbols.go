package readtools

import (
	"bytes"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// maxSignature is the longest signature that is shown, in bytes.
const maxSignature = 400

// symbol describes a definition from the bytes as they are now; nil if it is not there any
// more, which is counted.
func (rd *reading) symbol(h graph.Handle) *Symbol {
	f, s := rd.def(h)
	file := rd.file(h.File)
	if s == nil || file == nil {
		return nil
	}
	t := rd.source(file.Path)
	if t == nil || !t.holds(s.NameOff, f.Str(s.Name)) || int(s.End) > len(t.data) {
		rd.gone++
		return nil
	}
	out := brief(file, f, h.Index)
	out.Path, out.Language = file.Path, file.Language
	out.Line, out.Column = t.place(s.NameOff)
	out.StartLine, _ = t.place(s.Start)
	out.EndLine, _ = t.place(max(s.Start, s.End-1))
	out.Signature = signature(f, s, t)
	out.Condition = t.condition(file.Language, s.NameOff)
	return out
}

// brief is what a definition is called, without its place.
func brief(file *graph.File, f *graph.Facts, i int32) *Symbol {
	s := &f.Symbols[i]
	return &Symbol{ID: f.IDOf(file.Path, i), Name: f.Str(s.Name), Kind: s.Kind.String(), Container: f.Str(s.Qual)}
}

// short describes a definition by its place alone, for answers with many.
func (rd *reading) short(h graph.Handle) *Symbol {
	s := rd.symbol(h)
	if s != nil {
		s.Signature, s.Language = "", ""
	}
	return s
}

// name describes a definition by what it is called; nil for none.
func (rd *reading) name(h graph.Handle) *Symbol {
	f, s := rd.def(h)
	file := rd.file(h.File)
	if s == nil || file == nil {
		return nil
	}
	return brief(file, f, h.Index)
}

// symbols describes several definitions; those that are gone are left out.
func (rd *reading) symbols(hs []graph.Handle) []Symbol {
	var out []Symbol
	whole := rd.whole
	rd.whole = false
	defer func() { rd.whole = whole }()
	if rd.loadHandles(hs) != nil {
		return nil
	}
	for _, h := range hs {
		if s := rd.symbol(h); s != nil {
			out = append(out, *s)
		}
	}
	return out
}

// signature is what a definition says before its body, on one line.
func signature(f *graph.Facts, s *graph.Symbol, t *source) string {
	end := s.End
	if s.Body > s.Start && s.Body <= end {
		end = s.Body
	}
	if s.Start >= end || int(end) > len(t.data) {
		return ""
	}
	text := t.data[t.keywords(s.Start):end]
	if !s.Kind.Callable() && !s.Kind.Type() {
		if i := bytes.IndexByte(text, '\n'); i >= 0 && int(s.NameOff) < int(end)-len(text)+i {
			text = text[:i]
		}
	}
	if i := bytes.IndexByte(text, '\n'); i > 0 && s.Kind.Type() && bytes.HasSuffix(bytes.TrimRight(text[:i], " \t\r"), []byte("{")) {
		text = text[:i] // its members are definitions of their own
	}
	if len(text) > 4*maxSignature {
		text = text[:4*maxSignature]
	}
	line := strings.Join(strings.Fields(valid(text)), " ")
	line = strings.TrimRight(line, " {:=")
	if len(line) > maxSignature {
		line = cutText(line, maxSignature)
	}
	return line
}

// keywords is where the words in front of a definition on its line begin, such as type, var
// or export; off itself if something else stands there.
func (t *source) keywords(off uint32) uint32 {
	line, _ := t.lines.Position(off)
	start, _ := t.lines.Start(line)
	if line == 1 {
		start = max(start, t.bom)
	}
	for _, c := range t.data[start:max(start, off)] {
		if !(c == ' ' || c == '\t' || c >= 'a' && c <= 'z') {
			return off
		}
	}
	return min(start, off)
}

// cutText is s cut to at most n bytes and a sign that it was cut.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}

// docOf is the text of a definition's comment, without the signs that make it one.
func (rd *reading) docOf(h graph.Handle) string {
	_, s := rd.def(h)
	file := rd.file(h.File)
	if s == nil || file == nil || s.DocEnd <= s.DocStart {
		return ""
	}
	t := rd.source(file.Path)
	if t == nil || int(s.DocEnd) > len(t.data) {
		return ""
	}
	var out []string
	for line := range strings.SplitSeq(valid(t.data[s.DocStart:s.DocEnd]), "\n") {
		out = append(out, bareComment(line))
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

// bareComment is a line of a comment without its signs.
func bareComment(line string) string {
	line = strings.TrimSpace(line)
	for _, sign := range []string{"///", "//!", "//", "/**", "/*", "#", `"""`, "'''", "--", ";"} {
		if rest, ok := strings.CutPrefix(line, sign); ok {
			line = rest
			break
		}
	}
	line = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(line, "*/"), `"""`), "'''")
	if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "* "); ok {
		line = rest
	} else if strings.TrimSpace(line) == "*" {
		line = ""
	}
	return strings.TrimPrefix(strings.TrimRight(line, " \t"), " ")
}

// members are the definitions that belong to h, in the order of the source; those in other
// files of the same namespace are not among them.
func (rd *reading) members(h graph.Handle) []graph.Handle {
	f, s := rd.def(h)
	if s == nil {
		return nil
	}
	path := f.Path(h.Index)
	var out []graph.Handle
	for i := range f.Symbols {
		m := &f.Symbols[i]
		if int32(i) == h.Index || f.Str(m.Name) == "" {
			continue
		}
		if m.Container == h.Index || s.Kind.Type() && f.Str(m.Qual) == path && m.Flags&graph.NestedDef == s.Flags&graph.NestedDef {
			out = append(out, graph.Handle{File: h.File, Index: int32(i)})
		}
	}
	return out
}

// sorted puts handles in the order of their paths and places, each once.
func (rd *reading) sorted(hs []graph.Handle) []graph.Handle {
	slices.SortFunc(hs, rd.compareHandles)
	return slices.Compact(hs)
}

func (rd *reading) compareHandles(a, b graph.Handle) int {
	if a.File != b.File {
		if c := strings.Compare(rd.pathOf(a.File), rd.pathOf(b.File)); c != 0 {
			return c
		}
	}
	return int(a.Index) - int(b.Index)
}

func (rd *reading) pathOf(id graph.FileID) string {
	if f := rd.file(id); f != nil {
		return f.Path
	}
	return ""
}
