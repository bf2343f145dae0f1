package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// Arguments that are no expressions: paths of members, operators. Types are in cbodies.go.

// memberPath blanks, of the path of members that the offsetof whose parentheses begin at open asks for, all
// but the first; cOffsetof reads them again.
func (p *cPrep) memberPath(open int) {
	end := p.close(open)
	k := p.next(open + 1)
	for k < end && p.kind(k) != ',' {
		if p.kind(k) == '(' {
			k = p.close(k)
		}
		k = p.next(k + 1)
	}
	if m := p.next(k + 1); m < end && p.kind(m) == 'i' {
		p.blankAll(m+1, end, cDead)
	}
}

// operators makes numbers of the operators that are handed to a macro, whose arguments begin at open.
func (p *cPrep) operators(open int) {
	end := p.close(open)
	for a := p.next(open + 1); a < end; {
		b := a
		for b < end && strings.IndexByte("+-*/%&|^<>=!~", p.kind(b)) >= 0 {
			b = p.next(b + 1)
		}
		if b > a && (b >= end || p.kind(b) == ',') {
			p.blankAll(a, b, cDead)
			p.out[p.toks[a].from] = '0'
		}
		for b < end && p.kind(b) != ',' {
			if p.kind(b) == '(' {
				b = p.close(b)
			}
			b = p.next(b + 1)
		}
		a = p.next(b + 1)
	}
}

// cOffsetof is a member's place in a type; the member may be one of a member's.
func cOffsetof(b *Builder, n int32, role graph.Role, want bool) int32 {
	t := b.Type(b.Field(n, "type"), graph.TypeUse)
	if m := b.Field(n, "member"); m >= 0 {
		of := b.Of(graph.OpInstance, n, t)
		e := b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Read, X: of, Name: b.nodeStr(m), Off: b.Off(m)})
		b.memberPath(e, int(b.t.Nodes[m].End))
	}
	return graph.None
}

// memberPath reads the members of value e that the text from offset i on names: .a[0].b
func (b *Builder) memberPath(e int32, i int) {
	src := b.whole()
	for i < len(src) {
		switch from := i + 1; {
		case src[i] == '.':
			for from < len(src) && src[from] <= ' ' {
				from++
			}
			i = from
			for i < len(src) && (cLetter(src[i]) || cDigit(src[i])) {
				i++
			}
			if i == from {
				return
			}
			e = b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Read, X: e, Name: b.Str(string(src[from:i])), Off: uint32(from)})
		case src[i] == '[':
			for i < len(src) && src[i] != ']' {
				i++
			}
			i++
			e = b.Expr(graph.Expr{Op: graph.OpElem, X: e, Off: uint32(from)})
		case src[i] <= ' ':
			i++
		default:
			return
		}
	}
}
