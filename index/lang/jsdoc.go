package lang

import (
	"bytes"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// JavaScript has types in the comments that document its definitions, as its type checker reads them: @param {T}
// name, @returns {T}, @type {T}, @template T, @extends {T}, @this {T}; and before a value in parentheses, where
// @type {T} is a cast. What such a comment says of a parameter, a result, a field or a variable is its declared
// type.

// A typedef of a type in another module, and import("module").T in place of a name, are imports.

// jsDocTypes gives what has such comments the types that these say.
func jsDocTypes(b *Builder) {
	if !bytes.Contains(b.src, []byte("/**")) {
		return
	}
	symbols, locals, exprs := len(b.F.Symbols), len(b.F.Locals), len(b.F.Exprs)
	jsDocImports(b)
	jsDocTypedefs(b)
	for i := range symbols {
		s := b.F.Symbols[i]
		end := s.Start // also what stands apart from it
		if s.DocEnd > 0 {
			end = s.DocEnd
		}
		if c := jsCommentBefore(b, end); c != nil {
			c.in = int32(i)
			c.symbol(int32(i))
		}
	}
	for i := range locals {
		if l := &b.F.Locals[i]; l.Type < 0 && l.Symbol < 0 && l.Flags&(graph.TypeParam|graph.Narrowed) == 0 {
			if c := jsCommentBefore(b, jsDeclares(b, l.Off)); c != nil {
				c.in = l.In
				c.variable(int32(i))
			}
		}
	}
	for i := range exprs {
		switch e := &b.F.Exprs[i]; {
		case e.Op == graph.OpFunc || e.Op == graph.OpCast && e.Kids == 0:
			if c := jsCommentBefore(b, e.Off); c != nil {
				c.in = e.In
				c.value(int32(i))
			}
		}
	}
}

// jsDeclares is where the declaration of a variable begins whose name stands at off.
func jsDeclares(b *Builder, off uint32) uint32 {
	text := bytes.TrimRight(b.src[:min(int(off), len(b.src))], " \t\r\n")
	for _, word := range []string{"const", "let", "var"} {
		if rest, ok := bytes.CutSuffix(text, []byte(word)); ok {
			return uint32(len(rest))
		}
	}
	return off
}

// jsComment is a comment with tags.
type jsComment struct {
	jsTypes
	tags []jsDocTag
}

// jsDocTag is a tag of a comment: its word, where the braces that it has are (or -1), and the name behind them.
type jsDocTag struct {
	word       string
	from, to   int // of the type
	name       string
	nameAt     int
	tail       int
	undeclared bool // the name stands in brackets
}

// jsCommentBefore is the comment with tags right before off, or nil.
func jsCommentBefore(b *Builder, off uint32) *jsComment {
	text := bytes.TrimRight(b.src[:min(int(off), len(b.src))], " \t\r\n")
	if !bytes.HasSuffix(text, []byte("*/")) {
		return nil
	}
	at := bytes.LastIndex(text, []byte("/*"))
	if at < 0 || !bytes.HasPrefix(text[at:], []byte("/**")) || bytes.IndexByte(text[at:], '@') < 0 {
		return nil
	}
	return jsCommentAt(b, at, len(text)-2)
}

func jsCommentAt(b *Builder, from, to int) *jsComment {
	c := &jsComment{jsTypes: jsTypes{b: b, text: jsDocPlain(b.src[from:to]), off: from, in: graph.None}}
	c.tags = jsDocTags(c.text)
	return c
}

// jsDocPlain is a comment without the stars that begin its lines, each byte in its place.
func jsDocPlain(comment []byte) string {
	out := bytes.Clone(comment)
	begins := false
	for i, c := range out {
		switch {
		case c == '\n':
			begins = true
		case c == '*' && begins:
			out[i], begins = ' ', false
		case c != ' ' && c != '\t' && c != '\r':
			begins = false
		}
	}
	return string(out)
}

var jsDocWords = map[string]bool{"param": true, "arg": true, "argument": true, "returns": true, "return": true, "type": true, "typedef": true, "callback": true,
	"property": true, "prop": true, "template": true, "extends": true, "augments": true, "this": true, "satisfies": true}

func jsDocTags(text string) []jsDocTag {
	var out []jsDocTag
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '@')
		if i < 0 {
			return out
		}
		at += i + 1
		n := jsWordLen(text[at:])
		tag := jsDocTag{word: text[at : at+n], from: -1, to: -1}
		at += n
		if !jsDocWords[tag.word] {
			continue
		}
		open := at + len(text[at:]) - len(strings.TrimLeft(text[at:], " \t\r\n"))
		if open < len(text) && text[open] == '{' {
			shut := jsShut(text, open)
			if shut < 0 {
				return out
			}
			tag.from, tag.to, at = open+1, shut, shut+1
		}
		name := at + len(text[at:]) - len(strings.TrimLeft(text[at:], " \t\r\n"))
		if name < len(text) && text[name] == '[' {
			name++
			tag.undeclared = true
		}
		k := name
		for k < len(text) && (tsWord(text[k]) || text[k] == '.' || text[k] == '[' && k+1 < len(text) && text[k+1] == ']' || text[k] == ']' && text[k-1] == '[') {
			k++
		}
		tag.name, tag.nameAt, tag.tail = text[name:k], name, k
		out = append(out, tag)
	}
}

// of is the type that a tag says, or None.
func (c *jsComment) of(tag jsDocTag) int32 {
	if tag.from < 0 {
		return graph.None
	}
	return c.typ(tag.from, tag.to)
}

// symbol applies the tags to the symbol that they stand before.
func (c *jsComment) symbol(i int32) {
	b := c.b
	if b.F.Symbols[i].Kind == graph.Class || b.F.Symbols[i].Kind.Callable() {
		c.templates(i)
	}
	if b.F.Symbols[i].Kind.Callable() {
		c.params(b.F.List(b.F.Symbols[i].Params))
	}
	for _, tag := range c.tags {
		s := b.F.Symbols[i]
		switch {
		case s.Kind == graph.Class && (tag.word == "extends" || tag.word == "augments"):
			c.extends(i, tag)
		case (tag.word == "returns" || tag.word == "return") && s.Kind.Callable() && s.Type < 0 && s.Flags&graph.Generator == 0:
			t := c.of(tag)
			b.F.Symbols[i].Type = t
			scriptAwaited(b, i)
		case tag.word == "type" && s.Kind.Callable():
			if t := c.of(tag); t >= 0 {
				if s.Kind != graph.Method && s.Init < 0 {
					v := c.expr(graph.Expr{Op: graph.OpCast, X: graph.None, Kids: b.List(t)})
					b.F.Symbols[i].Init = v
				}
				b.expectCallable(i, b.typeContext(t))
			}
		case tag.word == "type" && (s.Kind == graph.Field || s.Kind == graph.Property || s.Kind == graph.Variable || s.Kind == graph.Constant) && s.Type < 0:
			if bytes.HasPrefix(b.src[s.Start:s.End], []byte("this.")) { // a type of its own makes no member of its own
				b.F.Symbols[i].Flags |= graph.AssignedMember
			}
			if t := c.of(tag); t >= 0 {
				b.F.Symbols[i].Type = t
				b.expect(s.Init, b.typeContext(t))
			}
		case tag.word == "this" && s.Kind.Callable():
			c.receiver(i, tag)
		}
	}
}

// templates makes the type parameters of symbol i that the comment declares.
func (c *jsComment) templates(i int32) {
	if c.b.F.Symbols[i].TypeParams != 0 {
		return
	}
	in, known := c.in, len(c.scope)
	c.in = i
	for _, tag := range c.tags {
		if tag.word == "template" {
			c.template(tag)
		}
	}
	list := c.b.List(c.scope[known:]...)
	c.b.F.Symbols[i].TypeParams = list
	c.in, c.scope = in, c.scope[:known]
}

// template makes the type parameters that one tag declares: T, U or [T=Default], perhaps with a bound.
func (c *jsComment) template(tag jsDocTag) {
	b := c.b
	bound := c.of(tag)
	c.at, c.end = tag.nameAt, len(c.text)
	for name := c.word(); name != ""; name = c.word() {
		l := c.param(name)
		b.F.Locals[l].Type = bound
		if tag.undeclared && c.take("=") {
			t := c.any()
			b.F.Locals[l].Init = t
		}
		if !c.take(",") {
			break
		}
	}
}

// params gives the parameters, locals, the types that the comment says; one without a name goes by its place.
func (c *jsComment) params(locals []int32) {
	b, n := c.b, 0
	for _, tag := range c.tags {
		if tag.word != "param" && tag.word != "arg" && tag.word != "argument" {
			continue
		}
		if name, rest, ok := strings.Cut(tag.name, "."); ok {
			c.part(locals, strings.TrimSuffix(name, "[]"), tag, tag.nameAt+len(tag.name)-len(rest), rest)
			continue
		}
		for k, l := range locals {
			named := b.F.Str(b.F.Locals[l].Name)
			if b.F.Locals[l].Type < 0 && (named == tag.name || named == "" && k == n) {
				t := c.of(tag)
				if t >= 0 && b.F.Locals[l].Flags&graph.VariadicParam != 0 && b.F.Exprs[t].Op != graph.OpArray {
					t = c.expr(graph.Expr{Op: graph.OpArray, X: t})
				}
				b.F.Locals[l].Type = t
			}
		}
		n++
	}
}

// part makes a member of the object that parameter name is, which the comment describes part by part.
func (c *jsComment) part(locals []int32, name string, tag jsDocTag, at int, member string) {
	b := c.b
	for _, l := range locals {
		if b.F.Str(b.F.Locals[l].Name) != name || strings.ContainsAny(member, ".[") || member == "" {
			continue
		}
		t := b.F.Locals[l].Type
		if t < 0 {
			from := uint32(c.off + at)
			s := graph.Symbol{Kind: graph.Interface, Name: b.Str("(interface)"), NameOff: from, Start: from, End: from,
				Container: c.in, Type: graph.None, Init: graph.None, Owner: graph.None, Flags: graph.Anonymous}
			sym := b.addSymbol(s, b.qual(c.in))
			t = c.expr(graph.Expr{Op: graph.OpObject, X: sym})
			b.F.Locals[l].Type = t
		}
		if e := b.F.Exprs[t]; e.Op == graph.OpObject && e.X >= 0 && b.F.Symbols[e.X].Flags&graph.Anonymous != 0 {
			m := c.jsTypes.member(e.X, member, at, graph.None)
			of := c.of(tag)
			b.F.Symbols[m].Type = of
		}
	}
}

// extends gives class i the base that the comment says, with its type arguments.
func (c *jsComment) extends(i int32, tag jsDocTag) {
	b := c.b
	if len(b.F.List(b.F.Symbols[i].Bases)) != 1 || tag.from < 0 || !strings.Contains(c.text[tag.from:tag.to], "<") {
		return
	}
	if t := c.of(tag); t >= 0 && b.F.Exprs[t].Op == graph.OpIndex {
		b.F.Exprs[t].X = b.F.List(b.F.Symbols[i].Bases)[0]
		list := b.List(t)
		b.F.Symbols[i].Bases = list
	}
}

// receiver says what function i is run on.
func (c *jsComment) receiver(i int32, tag jsDocTag) {
	if t := c.of(tag); t >= 0 {
		scriptReceiver(c.b, i, t)
	}
}

// scriptReceiver says that function i is run on values of the type at expression t.
func scriptReceiver(b *Builder, i, t int32) {
	on := b.Expr(graph.Expr{Op: graph.OpCast, X: graph.None, Kids: b.List(t), Off: b.F.Exprs[t].Off})
	for x := range b.F.Exprs {
		if e := &b.F.Exprs[x]; e.Op == graph.OpSelf && e.In == i && e.Kids == 0 {
			e.Kids = b.List(on)
		}
	}
}

// variable applies the tags to a local variable or parameter.
func (c *jsComment) variable(l int32) {
	for _, tag := range c.tags {
		if tag.word != "type" {
			continue
		}
		if t := c.of(tag); t >= 0 {
			c.b.F.Locals[l].Type = t
			c.b.expect(c.b.F.Locals[l].Init, c.b.typeContext(t))
		}
		return
	}
}

// value applies the tags to a function without a name, or to a value in parentheses.
func (c *jsComment) value(x int32) {
	b := c.b
	if b.F.Exprs[x].Op == graph.OpCast {
		for _, tag := range c.tags {
			if tag.word == "type" || tag.word == "satisfies" {
				if t := c.of(tag); t >= 0 {
					list := b.List(t)
					b.F.Exprs[x].Kids = list
					b.expect(b.F.Exprs[x].X, b.typeContext(t))
				}
				return
			}
		}
		return
	}
	var locals []int32
	for _, k := range b.F.List(b.F.Exprs[x].Kids) {
		if e := &b.F.Exprs[k]; e.Op == graph.OpLocal {
			locals = append(locals, e.X)
		}
	}
	c.params(locals)
}

// jsParen is a value in parentheses: a cast where a comment before it says so.
func jsParen(b *Builder, n int32, role graph.Role, want bool) int32 {
	v := b.paren(n, role, want)
	text := bytes.TrimRight(b.src[:min(int(b.Off(n)), len(b.src))], " \t\r\n")
	if !want || !bytes.HasSuffix(text, []byte("*/")) {
		return v
	}
	at := bytes.LastIndex(text, []byte("/*"))
	if at < 0 || !bytes.HasPrefix(text[at:], []byte("/**")) || !bytes.Contains(text[at:], []byte("@type")) {
		return v
	}
	return b.Expr(graph.Expr{Op: graph.OpCast, X: v, Off: b.Off(n)})
}
