package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// What Builder.Scratch holds while a class is read: whether its singleton class is open, and
// which flags methods get that follow a bare private or protected; and what a call hands to its block.
const (
	rbOpen = iota
	rbHidden
	rbGiven   // one more than the value that a block gets
	rbGivenAt // as which parameter
)

// rbPath splits the name of a class or module at n: the path of what owns it, from the root or
// from here, and the node of its last part.
func rbPath(b *Builder, n int32) (owner string, rooted bool, name int32) {
	if !b.Is(n, "scope_resolution") {
		return "", false, n
	}
	name = b.Field(n, "name")
	scope := b.Field(n, "scope")
	if scope < 0 {
		return "", true, name
	}
	text := strings.ReplaceAll(strings.Join(strings.Fields(b.Text(scope)), ""), "::", ".")
	if strings.Trim(text, ".ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") != "" {
		return "", true, name
	}
	return strings.TrimPrefix(text, "."), strings.HasPrefix(text, "."), name
}

// rbType defines a class or module: what it is in, its body and its bases come after.
func rbType(b *Builder, kind graph.Kind, at, n int32) int32 {
	owner, rooted, name := rbPath(b, at)
	if name < 0 {
		return graph.None
	}
	nd := b.t.Nodes[n]
	s := graph.Symbol{Kind: kind, Name: b.nodeStr(name), NameOff: b.Off(name), Start: nd.Start, End: nd.End,
		Container: b.rbOwner(), Type: graph.None, Init: graph.None, Owner: graph.None, Flags: graph.Exported}
	if b.doc.end > 0 {
		s.DocStart, s.DocEnd = b.doc.start, b.doc.end
		b.doc = docRun{}
	}
	qual := ""
	if !rooted {
		qual = b.qual(s.Container)
	}
	if qual != "" && owner != "" {
		qual += "."
	}
	if at != name && b.Field(at, "scope") >= 0 {
		b.Value(b.Field(at, "scope"), graph.Read, false)
	}
	return b.addSymbol(s, qual+owner)
}

// rbOwner is the innermost class or module around this place, or None.
func (b *Builder) rbOwner() int32 {
	for s := b.in; s >= 0; s = b.Sym(s).Container {
		if k := b.Sym(s).Kind; k == graph.Class || k == graph.Module {
			return s
		}
	}
	return graph.None
}

// rbClass is a class or module; it may have been opened before, here or in another file.
func rbClass(b *Builder, n int32) bool {
	sym := rbType(b, b.rule(n).Kind, b.Field(n, "name"), n)
	if sym < 0 {
		return true
	}
	super := rbLast(b, b.Field(n, "superclass"))
	var made []int32
	if super >= 0 {
		if b.Is(super, "call") && (rbMakes(b, super) != graph.NoKind || rbMakesLike(b, super)) {
			made = append(made, super)
		} else if t := b.Type(super, graph.Inherit); t >= 0 && b.F.Exprs[t].Op != graph.OpCall {
			b.AddBases(sym, t)
		}
	}
	b.rbMembers(sym, n, func() {
		for _, c := range made {
			rbMadeOf(b, sym, c)
		}
		rbBody(b, sym, b.Field(n, "body"))
		rbConcern(b, sym)
	})
	return true
}

// rbLast is the last child of n, behind the tokens before it, or None.
func rbLast(b *Builder, n int32) int32 {
	last := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		last = c
	}
	return last
}

// rbMembers runs f, which takes the members of sym, in the scope of its body.
func (b *Builder) rbMembers(sym, n int32, f func()) {
	saved, notes := b.Scratch, b.ruby
	b.Scratch[rbOpen], b.Scratch[rbHidden] = 0, 0
	b.ruby.on = 0
	b.push(typeFrame, sym)
	f()
	b.pop()
	b.Scratch, b.ruby = saved, notes
}

func rbBody(b *Builder, sym, body int32) {
	b.doc = docRun{}
	if body < 0 {
		return
	}
	if s := b.Sym(sym); s.Body == 0 {
		s.Body = b.Off(body)
	}
	b.visitChildren(body)
	b.doc = docRun{}
}

// rbSingleton opens the singleton class of self: what it holds belongs to the class itself.
func rbSingleton(b *Builder, n int32) bool {
	if v := b.Field(n, "value"); !b.Is(v, "self") && v >= 0 {
		b.Value(v, graph.Read, false)
	}
	saved := b.Scratch
	b.Scratch[rbOpen], b.Scratch[rbHidden] = 1, 0
	if body := b.Field(n, "body"); body >= 0 {
		b.visitChildren(body)
	}
	b.Scratch = saved
	return true
}

// rbMethod is a method of the class around it or of what it names; at the top it is one of every object.
func rbMethod(b *Builder, n int32) bool {
	r := *b.rule(n)
	name := b.child(n, &r.name)
	if name < 0 {
		return false
	}
	owner := b.rbOwner()
	r.Flags |= graph.Flags(max(b.Scratch[rbHidden], 0))
	if b.Scratch[rbOpen] == 1 {
		r.Flags |= graph.Static
	}
	object := b.Field(n, "object")
	switch {
	case object >= 0 && !b.Is(object, "self"):
		b.Value(object, graph.Read, false)
		if b.Is(object, "identifier") { // a method of one object
			r.Flags |= graph.NestedDef
		}
	case owner < 0:
		r.Kind = graph.Function
	case b.Text(name) == "initialize" && r.Flags&graph.Static == 0:
		r.Kind, r.Flags = graph.Constructor, r.Flags|graph.Private
	}
	b.push(typeFrame, graph.None)
	in := b.in
	b.in = owner
	text := ""
	var more []rbName
	if names := rbNames(b, name); len(names) > 0 && b.rbTemplate(name) {
		text, more = names[0].text, names[1:]
	}
	sym := b.Symbol(r.Kind, name, n, text)
	s := b.Sym(sym)
	if body := rbSoleStatement(b, b.Field(n, "body")); rbAsks(b, body) {
		s.Flags |= graph.Abstract
	} else if b.Is(body, "call") && b.Field(body, "receiver") < 0 {
		b.ruby.shared.soles = append(b.ruby.shared.soles, rubySole{sym, b.nodeStr(b.Field(body, "method"))})
	}
	if s.Flags |= r.Flags; s.Flags&(graph.Private|graph.Protected) != 0 {
		s.Flags &^= graph.Exported
	}
	saved, notes := b.Scratch, b.ruby
	b.Scratch[rbHidden] = 0
	b.ruby = notes.enter()
	b.Body(sym, n, &r)
	rbBlockType(b, sym)
	b.Scratch, b.ruby = saved, notes
	rbMoreNames(b, sym, n, more)
	b.in = in
	b.pop()
	if owner >= 0 && r.Flags&graph.Static != 0 {
		rbClassHook(b, owner, sym, n, b.Text(name))
	}
	return true
}

// rbSoleStatement is the only statement of the body at n, else n.
func rbSoleStatement(b *Builder, n int32) int32 {
	if b.Is(n, "body_statement") {
		if c := b.First(n); c >= 0 && b.Next(n, c) < 0 {
			return c
		}
	}
	return n
}

// rbAsks reports whether a method whose body is that statement asks those that derive for one: all it does is to
// say that it is not implemented.
func rbAsks(b *Builder, body int32) bool {
	if !b.Is(body, "call") || b.Field(body, "receiver") >= 0 {
		return false
	}
	switch b.Text(b.Field(body, "method")) {
	case "raise", "fail":
		x := b.First(b.Field(body, "arguments"))
		for b.Is(x, "call") {
			x = b.Field(x, "receiver")
		}
		return strings.HasSuffix(b.Text(x), "NotImplementedError")
	}
	return false
}

// rbDefinition is a definition used as a value: the name of what it defines.
func rbDefinition(b *Builder, n int32, role graph.Role, want bool) int32 {
	rbMethod(b, n)
	return b.ifWanted(want, graph.Expr{Op: graph.OpLiteral, Name: b.Str("Symbol"), X: graph.None, Off: b.Off(n)})
}

// rbWord is the name that a node spells, an identifier, a symbol or a string, and its offset.
func rbWord(b *Builder, n int32) (string, uint32) {
	switch b.Kind(n) {
	case "identifier", "constant", "operator", "setter", "global_variable":
		return b.Text(n), b.Off(n)
	case "simple_symbol":
		return strings.TrimPrefix(b.Text(n), ":"), b.Off(n) + 1
	case "string", "delimited_symbol", "bare_symbol", "bare_string":
		if c := b.First(n); c >= 0 && b.Is(c, "string_content") && b.Next(n, c) < 0 {
			return b.Text(c), b.Off(c)
		}
	}
	return "", 0
}

// rbMember adds a member of that name to the class around this place.
func rbMember(b *Builder, kind graph.Kind, name string, off uint32, n int32) int32 {
	owner := b.rbOwner()
	s := graph.Symbol{Kind: kind, Name: b.Str(name), NameOff: off, Start: b.Off(n), End: b.Node(n).End,
		Container: owner, Type: graph.None, Init: graph.None, Owner: graph.None, Flags: graph.Exported}
	if b.doc.end > 0 {
		s.DocStart, s.DocEnd = b.doc.start, b.doc.end
	}
	s.Flags |= graph.Flags(max(b.Scratch[rbHidden], 0))
	if b.Scratch[rbOpen] == 1 && (kind.Callable() || kind == graph.Property) {
		s.Flags |= graph.Static
	}
	if s.Flags&(graph.Private|graph.Protected) != 0 {
		s.Flags &^= graph.Exported
	}
	return b.addSymbol(s, b.qual(owner))
}

// rbMakes is the kind of thing that a call makes which a constant may name: Class.new, Module.new,
// Struct.new or Data.define; NoKind for other calls.
func rbMakes(b *Builder, n int32) graph.Kind {
	switch b.Text(b.Field(n, "receiver")) + "." + b.Text(b.Field(n, "method")) {
	case "Class.new", "Struct.new", "Data.define", "::Class.new", "::Struct.new":
		return graph.Class
	case "Module.new", "::Module.new":
		return graph.Module
	}
	return graph.NoKind
}

// rbMakesLike reports whether the call at n, of which a class is made, is of a class that itself derives from
// one that makes classes: what it passes are names of members.
func rbMakesLike(b *Builder, n int32) bool {
	recv := b.Field(n, "receiver")
	if b.Text(b.Field(n, "method")) != "new" || !b.Is(recv, "constant") && !b.Is(recv, "scope_resolution") || rbMakes(b, n) != graph.NoKind {
		return false
	}
	return b.Is(b.First(b.Field(n, "arguments")), "simple_symbol")
}

// rbMadeOf takes the call n, of which rbMakes tells, as the base and the members of sym.
func rbMadeOf(b *Builder, sym, n int32) {
	recv := b.Field(n, "receiver")
	text := b.Text(recv)
	args := b.Field(n, "arguments")
	if strings.HasSuffix(text, "Struct") || text == "Data" || rbMakesLike(b, n) {
		b.AddBases(sym, b.Type(recv, graph.Read))
		for c := b.First(args); c >= 0; c = b.Next(args, c) {
			if word, off := rbWord(b, c); word != "" && b.Is(c, "simple_symbol") {
				rbMember(b, graph.Property, word, off, c)
			}
		}
	} else {
		b.Value(recv, graph.Read, false)
		if x := b.First(args); b.Is(x, "constant") || b.Is(x, "scope_resolution") {
			b.AddBases(sym, b.Type(x, graph.Inherit))
		} else if x >= 0 {
			b.Value(x, graph.Read, false)
		}
	}
	if block := b.Field(n, "block"); block >= 0 {
		rbBody(b, sym, b.Field(block, "body"))
	}
}
