package lang

import (
	"time"

	"github.com/codegraph-dev/codegraph/graph"
)

// maxTexts and maxText bound how many strings of code are taken in one file, and how long they may be.
const (
	maxTexts = 64
	maxText  = 1 << 16
)

// rbEvalText takes the code in the string that is the first argument of class_eval and its like, as if
// it stood there: it is parsed by itself, at its place, with names in the place of what is put in.
func rbEvalText(b *Builder, n, args int32, name string) {
	x := b.First(args)
	if b.rbOwner() < 0 || b.ruby.text != nil || b.ruby.shared.texts >= maxTexts {
		return
	}
	switch name {
	case "class_eval", "module_eval":
	default:
		return
	}
	switch b.Kind(x) {
	case "string":
	case "heredoc_beginning":
		for x = n; x < int32(len(b.t.Nodes)); x++ {
			if b.Is(x, "heredoc_body") {
				break
			}
		}
	default:
		return
	}
	if x >= int32(len(b.t.Nodes)) || b.Node(x).End-b.Off(x) > maxText {
		return
	}
	b.ruby.shared.texts++
	if t := b.rbParseText(x); t != nil {
		rbVisitText(b, t)
	}
}

// rbParseText parses what the string at n holds; the tree's offsets are those of the file.
func (b *Builder) rbParseText(n int32) *Tree {
	start, end := b.Off(n), b.Node(n).End
	src := make([]byte, end)
	for i := range src {
		src[i] = ' '
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		from, to := b.Off(c), b.Node(c).End
		switch b.Kind(c) {
		case "interpolation":
			for i := from; i < to; i++ {
				src[i] = 'q'
			}
		case "string_content", "heredoc_content":
			copy(src[from:to], b.src[from:to])
		case "escape_sequence":
			src[to-1] = b.src[to-1]
		}
	}
	p := NewParser()
	defer p.Close()
	t, err := p.Parse(b.l.Grammar(), src[start:end], time.Second)
	if err != nil || t.Errors > 0 {
		return nil
	}
	for i := range t.Nodes {
		t.Nodes[i].Start += start
		t.Nodes[i].End += start
	}
	t.Src = src
	return t
}

// rbVisitText takes the code of tree t in the class around this place.
func rbVisitText(b *Builder, t *Tree) {
	file, src, scratch, doc := b.t, b.src, b.Scratch, b.doc
	b.ruby.text = src
	b.t, b.src, b.doc = t, t.Src, docRun{}
	b.Scratch[rbOpen], b.Scratch[rbHidden] = 0, 0
	b.push(typeFrame, graph.None)
	b.visitChildren(0)
	b.pop()
	b.t, b.src, b.Scratch, b.doc = file, src, scratch, doc
	b.ruby.text = nil
}

// rbMoreNames defines method sym, whose name is made in a loop, under the other names, too.
func rbMoreNames(b *Builder, sym, n int32, names []rbName) {
	for _, x := range names {
		first := b.F.Symbols[sym]
		s := first
		s.Name, s.NameOff = b.Str(x.text), x.off
		s.Flags &^= graph.NestedDef
		b.addSymbol(s, b.F.Strings[first.Qual])
	}
}
