package lang

import (
	"bytes"
	"slices"
	"strings"
)

// A class may make its members in a loop over names, or with names of such a list in them:
//
//	%w(read write).each { |m| define_method("#{m}_all") { ... } }
//
// What such a list holds is worked out from literals, constants of literals and the operators of
// lists, so that the definitions have their names.

// rubyShared is what Ruby's hooks note of a whole file.
type rubyShared struct {
	lists map[int32][]string // what constants hold, by symbol
	sets  []rubySet
	soles []rubySole
	texts int // evaluated so far
}

// rubySole is a method that does no more than to call the one of that name on itself.
type rubySole struct {
	sym  int32
	name uint32
}

// rubySet is self.name = value.
type rubySet struct {
	owner, value int32
	name         uint32
}

// rubyLoop is a variable of a block that runs for each of a list of names.
type rubyLoop struct {
	name   uint32
	values []string
	known  bool
}

// rbName is a name that a node spells, and where.
type rbName struct {
	text string
	off  uint32
}

// maxNames bounds how many names one node stands for.
const maxNames = 64

// rbNames are the names that n may spell: a literal's, or those of the loop around it.
func rbNames(b *Builder, n int32) []rbName {
	if word, off := rbWord(b, n); word != "" && !b.Is(n, "identifier") && !b.rbTemplate(n) {
		return []rbName{{word, off}}
	}
	var out []rbName
	off := b.Off(n)
	if b.Is(n, "string") || b.Is(n, "delimited_symbol") {
		off = b.Off(max(b.First(n), n))
	}
	for _, s := range rbSpellings(b, n) {
		out = append(out, rbName{s, off})
	}
	return out
}

// rbSpellings are the texts that n may have: of a variable of a loop, and of what is made of it.
func rbSpellings(b *Builder, n int32) []string {
	switch b.Kind(n) {
	case "identifier":
		if b.rbTemplate(n) {
			return rbExpand(b, n)
		}
		return rbLoopValues(b, b.nodeStr(n))
	case "constant", "instance_variable", "class_variable", "setter", "simple_symbol":
		if b.rbTemplate(n) {
			return rbExpand(b, n)
		}
		return []string{strings.TrimPrefix(b.Text(n), ":")}
	case "call":
		switch b.Text(b.Field(n, "method")) {
		case "to_s", "to_sym", "name", "intern", "dup", "freeze":
			return rbSpellings(b, b.Field(n, "receiver"))
		}
	case "interpolation":
		return rbSpellings(b, b.First(n))
	case "string", "delimited_symbol", "bare_string", "bare_symbol":
		out := []string{""}
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			part := []string{b.Text(c)}
			if b.Is(c, "interpolation") {
				part = rbSpellings(b, c)
			}
			out = rbJoin(out, part)
		}
		return out
	}
	return nil
}

// rbJoin are all texts of one of a and one of b.
func rbJoin(a, b []string) []string {
	var out []string
	for _, x := range a {
		for _, y := range b {
			if len(out) < maxNames {
				out = append(out, x+y)
			}
		}
	}
	return out
}

func rbLoopValues(b *Builder, name uint32) []string {
	for i := len(b.ruby.loops) - 1; i >= 0; i-- {
		if l := b.ruby.loops[i]; l.name == name {
			return l.values
		}
	}
	return nil
}

// rbList are the words of the list at n; ok is false where they are not known.
func rbList(b *Builder, n int32) (list []string, ok bool) {
	switch b.Kind(n) {
	case "array", "string_array", "symbol_array":
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			x := c
			switch {
			case b.rule(c).Do == Comment:
				continue
			case b.Is(c, "array"):
				x = b.First(c)
			case b.Is(c, "splat_argument"):
				more, ok := rbList(b, rbLast(b, c))
				if !ok {
					return nil, false
				}
				list = append(list, more...)
				continue
			}
			word, _ := rbWord(b, x)
			if word == "" || b.Is(x, "identifier") || len(list) >= maxNames {
				return nil, false
			}
			list = append(list, word)
		}
		return list, len(list) > 0
	case "hash":
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			k := b.Field(c, "key")
			word, _ := rbWord(b, k)
			if b.Is(k, "hash_key_symbol") {
				word = b.Text(k)
			}
			if word == "" || b.Is(k, "identifier") || len(list) >= maxNames {
				return nil, false
			}
			list = append(list, word)
		}
		return list, len(list) > 0
	case "constant":
		for o := b.rbOwner(); ; o = b.Sym(o).Container {
			if s := b.memberSymbol(o, b.nodeStr(n)); s >= 0 {
				list, ok = b.ruby.shared.lists[s]
				return list, ok
			}
			if o < 0 {
				return nil, false
			}
		}
	case "parenthesized_statements":
		if c := b.First(n); c >= 0 && b.Next(n, c) < 0 {
			return rbList(b, c)
		}
	case "call":
		switch b.Text(b.Field(n, "method")) {
		case "freeze", "dup", "sort", "uniq", "to_a", "keys", "map", "collect", "each", "reverse", "to_set":
			if args := b.Field(n, "arguments"); b.Field(n, "block") < 0 && (args < 0 || b.Has(args, "block_argument")) {
				return rbList(b, b.Field(n, "receiver"))
			}
		}
	case "binary":
		x, ok := rbList(b, b.Field(n, "left"))
		y, also := rbList(b, b.Field(n, "right"))
		if ok && also {
			return rbCombine(b, n, x, y)
		}
	}
	return nil, false
}

// rbCombine are the words of two lists that the operator of n makes one of.
func rbCombine(b *Builder, n int32, x, y []string) ([]string, bool) {
	switch {
	case b.Has(n, "+"):
		return slices.Concat(x, y), true
	case b.Has(n, "-"):
		return slices.DeleteFunc(slices.Clone(x), func(s string) bool { return slices.Contains(y, s) }), true
	}
	return nil, false
}

// rbLoop notes the variable of the block of a call of name on the list at recv.
func rbLoop(b *Builder, recv, block int32, name string) bool {
	switch name {
	case "each", "map", "each_pair", "each_key", "each_with_index", "each_with_object", "flat_map":
	default:
		return false
	}
	p := b.First(b.Field(block, "parameters"))
	if b.Is(p, "destructured_parameter") {
		p = b.First(p)
	}
	if !b.Is(p, "identifier") {
		return false
	}
	list, ok := rbList(b, recv)
	b.ruby.loops = append(b.ruby.loops[:len(b.ruby.loops):len(b.ruby.loops)], rubyLoop{b.nodeStr(p), list, ok})
	return true
}

// rbAmong runs yes where the test at cond, `LIST.include?(name)`, holds of the loop's name, and no
// where it does not.
func rbAmong(b *Builder, cond int32, yes, no func()) {
	loops := b.ruby.loops
	arg := b.First(b.Field(cond, "arguments"))
	if len(loops) == 0 || !b.Is(cond, "call") || b.Text(b.Field(cond, "method")) != "include?" || !b.Is(arg, "identifier") {
		yes()
		no()
		return
	}
	last := loops[len(loops)-1]
	list, ok := rbList(b, b.Field(cond, "receiver"))
	if !ok || last.name != b.nodeStr(arg) {
		yes()
		no()
		return
	}
	in := rubyLoop{name: last.name, values: list, known: true}
	out := rubyLoop{name: last.name, known: last.known}
	if last.known {
		in.values = nil
		for _, s := range last.values {
			if slices.Contains(list, s) {
				in.values = append(in.values, s)
			} else {
				out.values = append(out.values, s)
			}
		}
	}
	b.ruby.loops = append(slices.Clone(loops), in)
	yes()
	b.ruby.loops = append(slices.Clone(loops), out)
	no()
	b.ruby.loops = loops
}

// rbTemplate reports whether n, in code that a string holds, has parts that the string puts in.
func (b *Builder) rbTemplate(n int32) bool {
	return n >= 0 && b.ruby.text != nil && bytes.Contains(b.ruby.text[b.Off(n):b.Node(n).End], []byte("#{"))
}

// rbExpand are the texts that n, of which rbTemplate tells, may have; without a known list just what
// the source says.
func rbExpand(b *Builder, n int32) []string {
	text := string(b.ruby.text[b.Off(n):b.Node(n).End])
	out := []string{""}
	for rest := strings.TrimPrefix(text, ":"); rest != ""; {
		before, after, found := strings.Cut(rest, "#{")
		out = rbJoin(out, []string{before})
		if !found {
			break
		}
		name, tail, _ := strings.Cut(after, "}")
		values := rbLoopValues(b, b.Str(strings.TrimSuffix(strings.TrimSuffix(name, ".to_s"), ".to_sym")))
		if values == nil {
			return []string{text}
		}
		out, rest = rbJoin(out, values), tail
	}
	return out
}
