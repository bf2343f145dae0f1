package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// The types that comments of JavaScript spell: those of TypeScript, and a few forms of older tools
// (?T, !T, T=, *, function(T): U).

// jsTypes reads types out of a comment. Names in them are no references.
type jsTypes struct {
	b     *Builder
	text  string  // the comment without its stars, each byte in its place
	off   int     // of text in the file
	in    int32   // the symbol that the comment speaks of
	scope []int32 // the type parameters, locals, that are seen besides those of in and what is around it
	at    int
	end   int
	nest  int
}

// jsDocNothing are the words for types that say nothing.
var jsDocNothing = map[string]bool{"": true, "any": true, "unknown": true, "object": true, "Object": true, "Function": true, "mixed": true,
	"undefined": true, "null": true, "void": true, "never": true}

// typ is the type between two places of the text, or None where it says nothing.
func (p *jsTypes) typ(from, to int) int32 {
	p.at, p.end = from, to
	return p.any()
}

func (p *jsTypes) expr(e graph.Expr) int32 {
	e.Off = uint32(p.off + p.at)
	x := p.b.Expr(e)
	p.b.F.Exprs[x].In = p.in
	return x
}

func (p *jsTypes) blanks() {
	for p.at < p.end && tsBlank(p.text[p.at]) {
		p.at++
	}
}

// peek is the next byte that is no blank, or 0.
func (p *jsTypes) peek() byte {
	p.blanks()
	if p.at < p.end {
		return p.text[p.at]
	}
	return 0
}

// take steps over s, if that is next.
func (p *jsTypes) take(s string) bool {
	p.blanks()
	if !strings.HasPrefix(p.text[p.at:p.end], s) || tsWord(s[0]) && p.at+len(s) < p.end && tsWord(p.text[p.at+len(s)]) {
		return false
	}
	p.at += len(s)
	return true
}

func (p *jsTypes) word() string {
	p.blanks()
	n := jsWordLen(p.text[p.at:p.end])
	p.at += n
	return p.text[p.at-n : p.at]
}

// any is a type, perhaps one of two by a condition.
func (p *jsTypes) any() int32 {
	if p.nest++; p.nest > maxNest {
		p.at = p.end
		p.nest--
		return graph.None
	}
	defer func() { p.nest-- }()
	t := p.union()
	if !p.take("extends") {
		return t
	}
	known := len(p.scope)
	p.union()
	if p.take("?") {
		yes := p.any()
		p.scope = p.scope[:known]
		if p.take(":") {
			t = p.either(yes, p.any())
		}
	}
	p.scope = p.scope[:known]
	return t
}

// either is any of the types that say something.
func (p *jsTypes) either(types ...int32) int32 {
	var kids []int32
	for _, t := range types {
		if t >= 0 {
			kids = append(kids, t)
		}
	}
	switch len(kids) {
	case 0:
		return graph.None
	case 1:
		return kids[0]
	}
	return p.expr(graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: p.b.List(kids...)})
}

// union is any of several types, or all of them at once.
func (p *jsTypes) union() int32 {
	var all []int32
	for {
		if c := p.peek(); c == '|' || c == '&' {
			p.at++
			continue
		}
		all = append(all, p.postfix())
		if c := p.peek(); c != '|' && c != '&' {
			return p.either(all...)
		}
	}
}

// postfix is a type and what stands behind it: [] for a sequence, [K] for a member, and marks that say no more.
func (p *jsTypes) postfix() int32 {
	t := p.primary()
	for {
		switch p.peek() {
		case '[':
			p.at++
			if p.take("]") {
				t = p.expr(graph.Expr{Op: graph.OpArray, X: t})
				continue
			}
			t = p.lookup(t)
		case '=', '!':
			if strings.HasPrefix(p.text[p.at:p.end], "=>") {
				return t
			}
			p.at++
		case '?':
			at := p.at
			p.at++
			if c := p.peek(); c != 0 && !strings.ContainsRune("|)},>=]", rune(c)) {
				p.at = at
				return t
			}
		default:
			return t
		}
	}
}

// lookup is the member of t that the text in brackets names, or any of its elements.
func (p *jsTypes) lookup(t int32) int32 {
	name := ""
	if c := p.peek(); c == '"' || c == '\'' {
		name = p.quoted()
	} else {
		p.any()
	}
	p.take("]")
	switch {
	case t < 0:
		return graph.None
	case name != "":
		return p.expr(graph.Expr{Op: graph.OpMember, X: t, Name: p.b.Str(name)})
	}
	return p.expr(graph.Expr{Op: graph.OpElem, X: t})
}

// quoted is the text of the string that is next.
func (p *jsTypes) quoted() string {
	n := strings.IndexByte(p.text[p.at+1:p.end], p.text[p.at])
	if n < 0 {
		p.at = p.end
		return ""
	}
	s := p.text[p.at+1 : p.at+1+n]
	p.at += n + 2
	return s
}

func (p *jsTypes) literal(name string) int32 {
	return p.expr(graph.Expr{Op: graph.OpLiteral, X: graph.None, Name: p.b.Str(name)})
}

func (p *jsTypes) primary() int32 {
	switch c := p.peek(); {
	case c == 0:
		return graph.None
	case c == '(':
		if p.isFunction() {
			return p.function()
		}
		p.at++
		t := p.any()
		p.take(")")
		return t
	case c == '<': // the type parameters of a function
		known := len(p.scope)
		p.params()
		t := p.primary()
		p.scope = p.scope[:known]
		return t
	case c == '{':
		return p.object()
	case c == '[':
		p.at++
		return p.tuple()
	case c == '"' || c == '\'' || c == '`':
		p.quoted()
		return p.literal("string")
	case c == '*':
		p.at++
		return graph.None
	case c == '?' || c == '!':
		p.at++
		return p.postfix()
	case strings.HasPrefix(p.text[p.at:p.end], "..."):
		p.at += 3
		if t := p.postfix(); t >= 0 {
			return p.expr(graph.Expr{Op: graph.OpArray, X: t})
		}
		return graph.None
	case c >= '0' && c <= '9' || c == '-':
		p.at++
		p.word()
		return p.literal("number")
	case tsWord(c):
		return p.named()
	}
	p.at++
	return graph.None
}

// named is a type that begins with a word.
func (p *jsTypes) named() int32 {
	at := p.at
	switch word := p.word(); word {
	case "typeof":
		if x := p.path(p.word()); x >= 0 {
			return p.expr(graph.Expr{Op: graph.OpTypeOf, X: x})
		}
		return graph.None
	case "keyof":
		p.postfix()
		return p.literal("string")
	case "readonly", "unique", "abstract":
		return p.postfix()
	case "infer":
		l := p.param(p.word())
		if p.take("extends") {
			p.union()
		}
		return p.expr(graph.Expr{Op: graph.OpLocal, X: l})
	case "asserts":
		name := p.word()
		if !p.take("is") {
			return graph.None
		}
		return p.shows(name)
	case "new":
		return p.primary()
	case "function":
		if p.peek() == '(' {
			return p.function()
		}
		return graph.None
	case "true", "false":
		return p.literal("boolean")
	case "string", "number", "boolean", "bigint", "symbol":
		if p.peek() != '.' {
			return p.literal(word)
		}
	default:
		if p.take("is") {
			return p.shows(word)
		}
	}
	p.at = at
	word := p.word()
	if jsDocNothing[word] && p.peek() != '<' && p.peek() != '.' {
		return graph.None
	}
	return p.generic(word, p.path(word))
}

// shows is the result of a function that holds where its parameter called name is of the type that is next.
func (p *jsTypes) shows(name string) int32 {
	yes := p.literal("boolean")
	t := p.postfix()
	if t < 0 {
		return yes
	}
	return p.expr(graph.Expr{Op: graph.OpShows, X: t, Name: p.b.Str(name), Kids: p.b.List(yes)})
}

// generic applies x, spelled name, to the type arguments that are next, if there are any.
func (p *jsTypes) generic(name string, x int32) int32 {
	if p.peek() == '.' && strings.HasPrefix(p.text[p.at:p.end], ".<") {
		p.at++
	}
	if p.peek() != '<' {
		return x
	}
	p.at++
	var kids []int32
	for p.peek() != '>' && p.at < p.end {
		if c := p.peek(); x >= 0 && len(kids) > 0 && (name == "Omit" || name == "Pick") && (c == '"' || c == '\'') {
			kids = append(kids, p.keys(kids[0])...)
		} else {
			kids = append(kids, p.any())
		}
		if !p.take(",") {
			break
		}
	}
	p.take(">")
	switch {
	case name == "Array" && len(kids) == 1:
		return p.expr(graph.Expr{Op: graph.OpArray, X: kids[0]})
	case (name == "Object" || name == "Record") && len(kids) == 2:
		return p.expr(graph.Expr{Op: graph.OpMap, X: kids[0], Kids: p.b.List(kids[1])})
	case x < 0:
		return graph.None
	}
	return p.expr(graph.Expr{Op: graph.OpIndex, X: x, Kids: p.b.List(kids...)})
}

// keys are the members of type t that the strings that are next name.
func (p *jsTypes) keys(t int32) []int32 {
	var out []int32
	for c := p.peek(); c == '"' || c == '\''; c = p.peek() {
		out = append(out, p.expr(graph.Expr{Op: graph.OpMember, X: t, Name: p.b.Str(p.quoted())}))
		if !p.take("|") {
			break
		}
	}
	return out
}
