package lang

import (
	"bytes"
	"regexp"

	"github.com/codegraph-dev/codegraph/graph"
)

// rustMacroRules takes the bodies of a macro's rules: what they name by paths, as types, in calls and as
// macros is what a use of the macro names. What a body defines itself, and what it is given, is nothing here.
func rustMacroRules(b *Builder, n, sym int32) {
	b.push(typeFrame, sym)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "macro_rule") {
			continue
		}
		right := b.Field(c, "right")
		if right < 0 {
			continue
		}
		t := rustTokenRun{b: b, n: right, x: graph.None, first: graph.None, end: b.Off(right) + 1, rules: true}
		t.all()
		if b.Sym(sym).Init < 0 && rustHoldsArgument(b.t.Text(right)) {
			e := b.Expr(graph.Expr{Op: graph.OpTupleAt, X: graph.None, Off: b.Off(right)})
			b.Sym(sym).Init = e
		}
	}
	b.pop()
}

var (
	rustMatched = regexp.MustCompile(`\bmatch\s+\(?\s*\$\w+`)
	rustHeldArm = regexp.MustCompile(`\b(?:Some|Ok|Ready)\s*\(\s*(\w+)\s*\)\s*=>\s*\{?\s*(\w+)\s*[,}]`)
)

// rustHoldsArgument reports whether a macro's body yields what its argument holds if all went well, and
// leaves the function otherwise.
func rustHoldsArgument(body []byte) bool {
	if !rustMatched.Match(body) {
		return false
	}
	m := rustHeldArm.FindSubmatch(body)
	return m != nil && bytes.Equal(m[1], m[2])
}

// rustDefines are the words before a name that is defined.
var rustDefines = rustWords(`struct enum union trait fn type const static mod macro_rules! let mut ref for`)

// rustLastWord is the last word of what stands between two tokens.
func rustLastWord(gap []byte) string {
	i := bytes.LastIndexAny(gap, " \t\r\n;{}()")
	return string(gap[i+1:])
}
