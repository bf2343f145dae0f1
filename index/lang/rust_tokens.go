package lang

import (
	"bytes"

	"github.com/codegraph-dev/codegraph/graph"
)

// rustTokens takes what a macro is given. The grammar leaves it as tokens; paths, members and
// calls are put together again by what stands between them. The result is the first value.
func rustTokens(b *Builder, n int32) int32 {
	t := rustTokenRun{b: b, n: n, x: graph.None, first: graph.None, end: b.Off(n) + 1}
	t.all()
	return t.first
}

// rustTokenRun is the state of rustTokens: x is the value of the tokens just before.
type rustTokenRun struct {
	b        *Builder
	n        int32
	x, first int32
	end      uint32
	from     uint32 // where the value began
	call     bool
	rules    bool // the body of a macro
}

func (t *rustTokenRun) all() {
	for c := t.b.First(t.n); c >= 0; c = t.b.Next(t.n, c) {
		t.token(c)
	}
	t.close()
}

func (t *rustTokenRun) close() {
	if t.first < 0 && t.x >= 0 {
		t.first = t.x
	}
	t.x, t.call = graph.None, false
}

func (t *rustTokenRun) token(c int32) {
	b, nd := t.b, t.b.Node(c)
	gap := bytes.TrimSpace(b.src[min(t.end, nd.Start):nd.Start])
	after := b.src[nd.End:]
	t.end = nd.End
	switch {
	case b.Is(c, "token_tree"), b.Is(c, "token_repetition"):
		t.tree(c, gap)
	case t.rules && len(gap) > 0 && rustDefines[rustLastWord(gap)]:
		t.close()
	case len(gap) > 0 && string(gap) != "." && string(gap) != "::":
		t.close()
		t.start(c, after)
	case len(gap) > 0 && t.x >= 0:
		t.member(c, after, string(gap))
	default:
		t.close()
		if len(gap) == 0 {
			t.start(c, after)
		}
	}
}

// tree is a bracketed group: the arguments or index of what stands before it, or a group of its own.
func (t *rustTokenRun) tree(c int32, gap []byte) {
	b := t.b
	if mark := bytes.TrimSuffix(gap, []byte("!")); bytes.HasSuffix(mark, []byte("#")) && b.src[b.Off(c)] == '[' { // an attribute
		t.close()
		return
	}
	x := t.x
	inner := rustTokenRun{b: b, n: c, x: graph.None, first: graph.None, end: b.Off(c) + 1, rules: t.rules}
	inner.all()
	v := inner.first
	if x < 0 || len(gap) > 0 {
		t.close()
		t.x = v
		return
	}
	switch b.src[b.Off(c)] {
	case '(':
		if t.call && v >= 0 && t.from < b.Off(c) && rustSeenThrough[rustLastTwo(string(b.src[t.from:b.Off(c)]))] {
			t.x = v
		} else if t.call {
			t.x = b.Expr(graph.Expr{Op: graph.OpCall, X: x, Off: b.F.Exprs[x].Off})
		}
	case '[':
		t.x = b.Expr(graph.Expr{Op: graph.OpIndex, X: x, Off: b.Off(c)})
	default:
		t.close()
	}
	t.call = false
}

// called reports whether arguments follow.
func (t *rustTokenRun) called(after []byte) bool {
	t.call = len(after) > 0 && after[0] == '('
	return t.call
}

func (t *rustTokenRun) start(c int32, after []byte) {
	b := t.b
	t.from = b.Off(c)
	switch b.Kind(c) {
	case "metavariable":
		if b.Text(c) == "$crate" {
			t.x = rustModule(b, c, "crate")
		}
	case "self":
		if bytes.HasPrefix(after, []byte("::")) {
			t.x = rustModule(b, c, "self")
			return
		}
		t.x = b.Expr(graph.Expr{Op: graph.OpSelf, X: graph.None, Off: b.Off(c)})
	case "crate", "super":
		t.x = rustModule(b, c, b.Text(c))
	case "primitive_type":
		t.x = b.Literal(c, b.Text(c))
	case "identifier":
		t.name(c, after)
	case "string_literal", "char_literal", "integer_literal", "float_literal", "boolean_literal":
		t.x = b.Literal(c, b.rule(c).Lit)
	}
}

// name is an identifier that nothing stands before. One that is neither called nor a path is taken
// for a name only where it is a variable or begins like a type: macros have words of their own.
func (t *rustTokenRun) name(c int32, after []byte) {
	b := t.b
	next := bytes.TrimLeft(after, " \t\r\n")
	path := bytes.HasPrefix(next, []byte("::"))
	switch {
	case t.rules && len(b.t.Text(c)) == 1: // a type parameter, most likely
	case b.Text(c) == "Self":
		t.called(after)
		t.x = b.Expr(graph.Expr{Op: graph.OpSelf, X: graph.None, Off: b.Off(c)})
	case len(after) > 1 && after[0] == '!' && after[1] != '=':
		name := b.nodeStr(c)
		if b.Text(c) == rustTryMacro {
			name = b.Str("try")
		}
		b.Expr(graph.Expr{Op: graph.OpName, Role: graph.MacroUse, Name: name, Off: b.Off(c), X: graph.None})
	case path:
		t.x = rustPrefix(b, c)
	case t.called(after):
		t.x = b.Name(c, graph.Call, true)
	case len(next) > 0 && (next[0] == ':' || next[0] == '=' && (len(next) < 2 || next[1] != '=' && next[1] != '>')):
	case rustUpper(b, c) || b.local(b.nodeStr(c)) >= 0:
		t.x = b.Name(c, graph.Read, true)
	}
}

func (t *rustTokenRun) member(c int32, after []byte, by string) {
	b := t.b
	role := graph.Read
	if t.called(after) {
		role = graph.Call
	}
	switch {
	case b.Is(c, "integer_literal"):
		role = graph.NoRole
	case by == "::" && b.Is(c, "super"):
		if e := b.F.Exprs[t.x]; e.Op == graph.OpImport {
			t.x = rustModule(b, c, b.F.Str(b.F.Imports[e.X].Module)+"::super")
			return
		}
	case !b.Is(c, "identifier") || b.Text(c) == "await":
		t.close()
		return
	case by == "::" && bytes.HasPrefix(bytes.TrimLeft(after, " \t\r\n"), []byte("::")):
		role = graph.TypeUse
	}
	t.x = b.Expr(graph.Expr{Op: graph.OpMember, Role: role, X: t.x, Name: b.nodeStr(c), Off: b.Off(c)})
}
