package lang

import (
	"path"
	"sort"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// rbAlias is `alias new old`.
func rbAlias(b *Builder, n int32) bool {
	rbOtherName(b, n, b.Field(n, "name"), b.Field(n, "alias"))
	return true
}

// rbOtherName: the method named at new is the one named at old.
func rbOtherName(b *Builder, n, new, old int32) {
	names, olds := rbNames(b, new), rbNames(b, old)
	if b.Is(new, "identifier") && len(names) == 0 { // alias takes plain names
		names, olds = rbPlain(b, new), rbPlain(b, old)
	}
	for i, x := range names {
		what := olds
		if len(olds) == len(names) {
			what = olds[i : i+1]
		}
		if len(what) == 1 && !strings.HasPrefix(x.text, "$") {
			rbAliased(b, n, x, what[0])
		}
	}
}

// rbPlain is the name that a plain word spells.
func rbPlain(b *Builder, n int32) []rbName {
	if word, off := rbWord(b, n); word != "" {
		return []rbName{{word, off}}
	}
	return nil
}

func rbAliased(b *Builder, n int32, name, old rbName) {
	owner := b.rbOwner()
	sym := rbMember(b, graph.Method, name.text, name.off, n)
	if owner < 0 {
		b.Sym(sym).Kind = graph.Function
	}
	in := b.in
	b.in = sym
	self := b.Expr(graph.Expr{Op: graph.OpSelf, X: graph.None, Off: old.off})
	e := graph.Expr{Op: graph.OpMember, X: self, Name: b.Str(old.text), Off: old.off}
	if b.rbSpelled(old) {
		e.Role = graph.Read
	}
	target := b.Expr(e)
	b.in = in
	b.Sym(sym).Init = target
	b.Sym(sym).Flags |= graph.Alias
}

// rbSpelled reports whether the source has the name at its place.
func (b *Builder) rbSpelled(x rbName) bool {
	src := b.src
	if b.ruby.text != nil {
		src = b.ruby.text
	}
	end := int(x.off) + len(x.text)
	return end <= len(src) && string(src[x.off:end]) == x.text
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
		rbMixIn(b, args, graph.None, name)
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
	case "def_delegator", "def_delegators", "def_instance_delegator", "def_instance_delegators", "delegate":
		rbDelegate(b, args, strings.Replace(name, "_instance", "", 1))
	case "class_eval", "module_eval":
		rbEvalText(b, n, args, name)
	}
	return false
}

// rbAttributes are members that read and write an instance variable.
func rbAttributes(b *Builder, args int32, name string) {
	for c := b.First(args); c >= 0; c = b.Next(args, c) {
		for _, x := range rbListed(b, c) {
			rbAttributeNamed(b, c, x, name)
		}
	}
}

// rbListed are the names that argument n stands for: its own, or those of a list that it spreads.
func rbListed(b *Builder, n int32) []rbName {
	if !b.Is(n, "splat_argument") {
		return rbNames(b, n)
	}
	list, _ := rbList(b, rbLast(b, n))
	var out []rbName
	for _, s := range list {
		out = append(out, rbName{s, b.Off(n)})
	}
	return out
}

func rbAttributeNamed(b *Builder, n int32, x rbName, name string) {
	if name == "attr_writer" {
		b.Sym(rbMember(b, graph.Property, x.text+"=", x.off, n)).Flags |= graph.Setter
		return
	}
	sym := rbMember(b, graph.Property, x.text, x.off, n)
	if strings.HasSuffix(name, "attr_accessor") || strings.HasSuffix(name, "attr_reader") || name == "attr" {
		in := b.in
		b.in = sym
		self := b.Expr(graph.Expr{Op: graph.OpSelf, X: graph.None, Off: x.off})
		init := b.Expr(graph.Expr{Op: graph.OpMember, X: self, Name: b.Str("@" + x.text), Off: x.off})
		b.in = in
		b.Sym(sym).Init = init
	}
	if name == "cattr_accessor" || name == "mattr_accessor" || name == "cattr_reader" || name == "mattr_reader" || name == "class_attribute" {
		b.Sym(sym).Flags |= graph.Static
	}
}

// rbDefine is define_method with a name that is known and a block.
func rbDefine(b *Builder, n, args int32, name string) bool {
	names := rbNames(b, b.First(args))
	block := b.Field(n, "block")
	if len(names) == 0 || block < 0 || b.rbOwner() < 0 {
		return false
	}
	sym := rbMember(b, graph.Method, names[0].text, names[0].off, n)
	switch {
	case name == "define_singleton_method":
		b.Sym(sym).Flags |= graph.Static
	case b.in >= 0 && b.Sym(b.in).Kind.Callable(): // a method of the class that is asked to define it
		b.Sym(sym).Flags &^= graph.Static
	}
	notes := b.ruby
	b.ruby = notes.enter()
	b.push(funcFrame, sym)
	b.frame().sym = graph.None // a block: it sees the locals around it
	if p := b.Field(block, "parameters"); p >= 0 {
		b.Params(sym, p)
	}
	if body := b.Field(block, "body"); body >= 0 {
		b.body(sym, body)
	}
	b.pop()
	b.ruby = notes
	rbMoreNames(b, sym, n, names[1:])
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
	to := graph.None
	if name != "delegate" {
		to = b.First(args)
	}
	var names []rbName
	for c := b.First(args); c >= 0; c = b.Next(args, c) {
		switch {
		case c == to:
		case b.Is(c, "pair") && b.Text(b.Field(c, "key")) == "to":
			to = b.Field(c, "value")
		case b.Is(c, "pair"):
		default:
			names = append(names, rbListed(b, c)...)
		}
	}
	if name == "def_delegator" && len(names) > 1 { // name of the other object's method, own name
		rbHandsOn(b, names[1], names[0], to)
		return
	}
	for _, x := range names {
		rbHandsOn(b, x, x, to)
	}
}

// rbHandsOn defines a method that returns what the one of that name of what to names returns.
func rbHandsOn(b *Builder, own, other rbName, to int32) {
	n := max(to, 0)
	word, off := rbWord(b, to)
	sym := rbMember(b, graph.Method, own.text, own.off, n)
	b.Sym(sym).Start, b.Sym(sym).End = own.off, own.off+uint32(len(own.text))
	if word == "" {
		return
	}
	in := b.in
	b.in = sym
	x := b.Expr(graph.Expr{Op: graph.OpSelf, X: graph.None, Off: off})
	if strings.HasPrefix(word, "@") {
		x = b.Expr(graph.Expr{Op: graph.OpMember, X: x, Name: b.Str(word), Off: off})
	} else {
		x = b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Call, X: x, Name: b.Str(word), Off: off})
		x = b.Expr(graph.Expr{Op: graph.OpCall, X: x, N: 1, Off: off})
	}
	e := graph.Expr{Op: graph.OpMember, X: x, Name: b.Str(other.text), Off: other.off}
	if b.rbSpelled(other) {
		e.Role = graph.Call
	}
	call := b.Expr(graph.Expr{Op: graph.OpCall, X: b.Expr(e), Off: other.off})
	b.in = in
	b.addReturn(sym, call)
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
