package lang

import (
	"path"
	"sort"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// What Builder.Scratch holds while a class is read: whether its singleton class is open, and
// which flags methods get that follow a bare private or protected.
const (
	rbOpen = iota
	rbHidden
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
		if b.Is(super, "call") && rbMakes(b, super) != graph.NoKind {
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
	saved := b.Scratch
	b.Scratch[rbOpen], b.Scratch[rbHidden] = 0, 0
	b.push(typeFrame, sym)
	f()
	b.pop()
	b.Scratch = saved
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
	sym := b.Symbol(r.Kind, name, n, "")
	s := b.Sym(sym)
	if s.Flags |= r.Flags; s.Flags&(graph.Private|graph.Protected) != 0 {
		s.Flags &^= graph.Exported
	}
	saved := b.Scratch
	b.Scratch[rbHidden] = 0
	b.Body(sym, n, &r)
	b.Scratch = saved
	b.in = in
	b.pop()
	if owner >= 0 && r.Flags&graph.Static != 0 && b.Text(name) == "included" {
		rbIncluded(b, owner, n)
	}
	return true
}

// rbIncluded: a module whose hook extends the class that includes it gives the class those members.
func rbIncluded(b *Builder, owner, n int32) {
	base := b.Text(b.First(b.Field(n, "parameters")))
	for i := n + 1; i < int32(b.Node(n).Next); i++ {
		if !b.Is(i, "call") || b.Text(b.Field(i, "method")) != "extend" || b.Text(b.Field(i, "receiver")) != base {
			continue
		}
		if x := b.First(b.Field(i, "arguments")); b.Is(x, "constant") || b.Is(x, "scope_resolution") {
			in := b.in
			b.in = owner
			b.AddBases(owner, b.Of(graph.OpEnter, x, b.typeQuiet(x)))
			b.in = in
		}
	}
}

// rbDefinition is a definition used as a value: the name of what it defines.
func rbDefinition(b *Builder, n int32, role graph.Role, want bool) int32 {
	rbMethod(b, n)
	return b.ifWanted(want, graph.Expr{Op: graph.OpLiteral, Name: b.Str("Symbol"), X: graph.None, Off: b.Off(n)})
}

// rbAlias is `alias new old`.
func rbAlias(b *Builder, n int32) bool {
	rbOtherName(b, n, b.Field(n, "name"), b.Field(n, "alias"))
	return true
}

// rbOtherName: the method named at new is the one named at old.
func rbOtherName(b *Builder, n, new, old int32) {
	name, off := rbWord(b, new)
	what, at := rbWord(b, old)
	owner := b.rbOwner()
	if name == "" || what == "" || strings.HasPrefix(name, "$") {
		return
	}
	sym := rbMember(b, graph.Method, name, off, n)
	if owner < 0 {
		b.Sym(sym).Kind = graph.Function
	}
	in := b.in
	b.in = sym
	self := b.Expr(graph.Expr{Op: graph.OpSelf, X: graph.None, Off: at})
	target := b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Read, X: self, Name: b.Str(what), Off: at})
	b.in = in
	b.Sym(sym).Init = target
	b.Sym(sym).Flags |= graph.Alias
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

// rbDirective takes calls without a receiver that say something of the class around them. It
// reports whether the call's arguments are done with.
func rbDirective(b *Builder, n, args int32, name string) bool {
	switch name {
	case "require", "require_relative", "load", "autoload":
		rbRequire(b, args, name)
	case "include", "prepend", "extend":
		if !b.InType() || b.rbOwner() < 0 || args < 0 {
			return false
		}
		rbMixIn(b, args, name)
		return true
	case "attr", "attr_reader", "attr_writer", "attr_accessor", "cattr_accessor", "mattr_accessor", "cattr_reader", "mattr_reader", "class_attribute":
		if b.rbOwner() >= 0 {
			rbAttributes(b, args, name)
		}
	case "alias_method":
		if x := b.First(args); x >= 0 && b.rbOwner() >= 0 {
			rbOtherName(b, n, x, b.Next(args, x))
		}
	case "define_method", "define_singleton_method":
		return rbDefine(b, n, args, name)
	case "private", "protected", "public", "private_class_method":
		rbVisibility(b, args, name)
	case "module_function":
		if o := b.rbOwner(); o >= 0 {
			b.Sym(o).Flags |= graph.Static
		}
	case "def_delegator", "def_delegators", "def_instance_delegators", "delegate":
		rbDelegate(b, args, name)
	}
	return false
}

// rbMixIn: the last module to be included is searched first, and before the superclass. What extends
// the class is a base of the class as a value; a module that extends itself has its methods itself.
func rbMixIn(b *Builder, args int32, name string) {
	owner := b.rbOwner()
	var ids []int32
	for c := b.First(args); c >= 0; c = b.Next(args, c) {
		if b.Is(c, "self") {
			if name == "extend" {
				b.Sym(owner).Flags |= graph.Static
			}
			continue
		}
		if !b.Is(c, "constant") && !b.Is(c, "scope_resolution") {
			b.Value(c, graph.Read, false)
			continue
		}
		t := b.Type(c, graph.Inherit)
		if name == "extend" || b.Scratch[rbOpen] == 1 {
			t = b.Of(graph.OpTypeOf, c, t)
		}
		if t >= 0 {
			ids = append(ids, t)
		}
	}
	list := b.List(append(ids, b.F.List(b.Sym(owner).Bases)...)...)
	b.Sym(owner).Bases = list
}

// rbAttributes are members that read and write an instance variable.
func rbAttributes(b *Builder, args int32, name string) {
	for c := b.First(args); c >= 0; c = b.Next(args, c) {
		word, off := rbWord(b, c)
		if word == "" {
			continue
		}
		if name == "attr_writer" {
			b.Sym(rbMember(b, graph.Property, word+"=", off, c)).Flags |= graph.Setter
			continue
		}
		sym := rbMember(b, graph.Property, word, off, c)
		if strings.HasSuffix(name, "attr_accessor") || strings.HasSuffix(name, "attr_reader") || name == "attr" {
			in := b.in
			b.in = sym
			self := b.Expr(graph.Expr{Op: graph.OpSelf, X: graph.None, Off: off})
			init := b.Expr(graph.Expr{Op: graph.OpMember, X: self, Name: b.Str("@" + word), Off: off})
			b.in = in
			b.Sym(sym).Init = init
		}
		if name == "cattr_accessor" || name == "mattr_accessor" || name == "cattr_reader" || name == "mattr_reader" || name == "class_attribute" {
			b.Sym(sym).Flags |= graph.Static
		}
	}
}

// rbDefine is define_method with a literal name and a block.
func rbDefine(b *Builder, n, args int32, name string) bool {
	word, off := rbWord(b, b.First(args))
	block := b.Field(n, "block")
	if word == "" || block < 0 || b.rbOwner() < 0 {
		return false
	}
	sym := rbMember(b, graph.Method, word, off, n)
	if name == "define_singleton_method" {
		b.Sym(sym).Flags |= graph.Static
	}
	b.push(funcFrame, sym)
	if p := b.Field(block, "parameters"); p >= 0 {
		b.Params(sym, p)
	}
	if body := b.Field(block, "body"); body >= 0 {
		b.body(sym, body)
	}
	b.pop()
	return true
}

// rbVisibility: without names it holds for the methods that follow.
func rbVisibility(b *Builder, args int32, name string) {
	var f graph.Flags
	switch name {
	case "private", "private_class_method":
		f = graph.Private
	case "protected":
		f = graph.Protected
	}
	if args < 0 {
		b.Scratch[rbHidden] = int32(f)
		return
	}
	for c := b.First(args); c >= 0; c = b.Next(args, c) {
		word, _ := rbWord(b, c)
		if s := b.memberSymbol(b.rbOwner(), b.Str(word)); word != "" && s >= 0 {
			y := b.Sym(s)
			y.Flags &^= graph.Private | graph.Protected | graph.Exported
			if y.Flags |= f; f == 0 {
				y.Flags |= graph.Exported
			}
		}
	}
}

// rbDelegate: members that hand their call on to another object.
func rbDelegate(b *Builder, args int32, name string) {
	if b.rbOwner() < 0 {
		return
	}
	k := 0
	for c := b.First(args); c >= 0; c, k = b.Next(args, c), k+1 {
		word, off := rbWord(b, c)
		switch {
		case word == "" || strings.HasPrefix(word, "@") || k == 0 && name != "delegate" || name == "def_delegator" && k == 1 && b.Next(args, c) >= 0:
		default:
			rbMember(b, graph.Method, word, off, c)
		}
	}
}

// rbRequire: the file that a literal names is imported.
func rbRequire(b *Builder, args int32, name string) {
	x := b.First(args)
	if name == "autoload" && x >= 0 {
		x = b.Next(args, x)
	}
	word, off := rbWord(b, x)
	if word == "" {
		return
	}
	if name == "require_relative" {
		word = "./" + word
	}
	b.F.Imports = append(b.F.Imports, graph.Imported{Module: b.Str(word), ModuleOff: off, In: b.in})
}

// rbPlaces are the files that a required name may mean.
func rbPlaces(q ModuleQuery) []Candidate {
	name := q.Module
	if path.Ext(name) != ".rb" {
		name += ".rb"
	}
	if strings.HasPrefix(name, ".") {
		return []Candidate{{Path: path.Join(path.Dir(q.From), name)}}
	}
	for _, p := range []string{path.Join("lib", name), path.Clean(name)} {
		if q.File(p) {
			return []Candidate{{Path: p}}
		}
	}
	var hits []string
	for _, p := range q.Base(path.Base(name)) {
		if dir, ok := strings.CutSuffix(p, "/"+name); ok {
			switch path.Base(dir) {
			case "lib", "app", "test", "spec", "ext":
				hits = append(hits, p)
			}
		}
	}
	sort.SliceStable(hits, func(i, j int) bool { return sharedFolders(q.From, hits[i]) > sharedFolders(q.From, hits[j]) })
	var out []Candidate
	for _, p := range hits {
		out = append(out, Candidate{Path: p})
	}
	return out
}

// sharedFolders counts the folders that two paths begin with alike.
func sharedFolders(a, b string) int {
	x, y := strings.Split(path.Dir(a), "/"), strings.Split(path.Dir(b), "/")
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
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

// rbMadeOf takes the call n, of which rbMakes tells, as the base and the members of sym.
func rbMadeOf(b *Builder, sym, n int32) {
	recv := b.Field(n, "receiver")
	text := b.Text(recv)
	args := b.Field(n, "arguments")
	if strings.HasSuffix(text, "Struct") || text == "Data" {
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
