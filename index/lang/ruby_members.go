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
	case "def_delegator", "def_delegators", "def_instance_delegators", "delegate":
		rbDelegate(b, args, name)
	}
	return false
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
	notes := b.ruby
	b.ruby = rubyNotes{block: blockUse{on: graph.None, taken: graph.None}}
	b.push(funcFrame, sym)
	if p := b.Field(block, "parameters"); p >= 0 {
		b.Params(sym, p)
	}
	if body := b.Field(block, "body"); body >= 0 {
		b.body(sym, body)
	}
	b.pop()
	b.ruby = notes
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
