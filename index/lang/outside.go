package lang

import (
	_ "embed"
	"iter"
	"strings"
	"sync"
)

// Outside is what is known of the types of a language's library: their bases, and what their methods
// yield. It is read from a text when it is first asked. A line `= package` begins the types of a package;
// any other line is a type, by its name in the package:
//
//	Outer.Name < Base Base; Result method method .attribute; ~Result method
//
// The result ? is one that is not known. Names of attributes have a dot before them. A result may have type arguments in angle brackets; $0 is the
// first type argument of the type. One behind ~ has type arguments that are left out. Java's methods without
// a result, of several results, or of one that is a type parameter of their own are not listed so; of those
// whose result follows from type arguments, and of those that take functions, groups of another form say all
// that they take. They and that of an interface that functions are values of are
//
//	:method Result Parameter Parameter...
//	=> Result Parameter Parameter
//
// in which %0 is the first type parameter of the method itself, ? anything, and ... behind the last parameter
// any number of it. A base may have type arguments, too.
type Outside struct {
	text  string
	also  map[string]string // other names of types
	once  sync.Once
	types map[string][]*outsideType // by bare name
}

type outsideType struct {
	space, name string
	bases       []string // without type arguments
	applied     []string // with them
	results     map[string]string
	methods     map[string][]Signature
	sole        *Signature
}

// Signature is what a method takes and yields, as the table of a library spells it.
type Signature struct {
	Result   string
	Params   []string
	Variadic bool // the last parameter takes any number
}

func signature(words []string) Signature {
	s := Signature{Result: words[0], Params: words[1:]}
	if n := len(s.Params); n > 0 {
		s.Params[n-1], s.Variadic = strings.CutSuffix(s.Params[n-1], "...")
	}
	return s
}

//go:embed library/java.txt
var javaLibraryText string

// javaOutside are the public types of java.base that programs use, as Java 17 has them.
var javaOutside = &Outside{text: javaLibraryText}

func (o *Outside) read() {
	o.types = map[string][]*outsideType{}
	space := ""
	for line := range strings.Lines(o.text) {
		line = strings.TrimSpace(line)
		if s, ok := strings.CutPrefix(line, "= "); ok {
			space = s
			continue
		}
		head, rest, _ := strings.Cut(line, "; ")
		name, bases, _ := strings.Cut(head, " < ")
		t := &outsideType{space: space, name: name, applied: strings.Fields(bases), results: map[string]string{}}
		for _, b := range t.applied {
			b, _, _ = strings.Cut(b, "<")
			t.bases = append(t.bases, b)
		}
		for _, group := range strings.Split(rest, "; ") {
			if words := strings.Fields(group); len(words) > 1 {
				t.take(words)
			}
		}
		bare := name[strings.LastIndexByte(name, '.')+1:]
		o.types[bare] = append(o.types[bare], t)
	}
}

// take takes one group of what is said of a type.
func (t *outsideType) take(words []string) {
	method, ok := strings.CutPrefix(words[0], ":")
	switch {
	case words[0] == "=>":
		s := signature(words[1:])
		t.sole = &s
	case ok:
		if t.methods == nil {
			t.methods = map[string][]Signature{}
		}
		t.methods[method] = append(t.methods[method], signature(words[1:]))
	default:
		for _, m := range words[1:] {
			t.results[m] = words[0]
		}
	}
}

// find is the type of that name, which may leave out what it is in, or nil. Of several, the last that
// is in no other type, if there is one.
func (o *Outside) find(name string) *outsideType {
	o.once.Do(o.read)
	i := strings.LastIndexByte(name, '.')
	if s, ok := o.also[name[i+1:]]; ok {
		name = name[:i+1] + s
	}
	var found *outsideType
	for _, t := range o.types[name[i+1:]] {
		if full := t.space + "." + t.name; full == name || strings.HasSuffix(full, "."+name) {
			if found == nil || !strings.Contains(t.name, ".") || strings.Contains(found.name, ".") {
				found = t
			}
		}
	}
	return found
}

// Has reports whether there is a type of that full name.
func (o *Outside) Has(full string) bool {
	t := o.find(full)
	return t != nil && t.space+"."+t.name == full
}

// Distance is how many steps type name is from its base: 0 is the type itself, -1 none of its bases. It
// is not known where one of them is not.
func (o *Outside) Distance(name, base string) (steps int, known bool) {
	t, b := o.find(name), o.find(base)
	if t == nil || b == nil {
		return 0, false
	}
	for x, steps := range o.up(name) {
		if x == b {
			return steps, true
		}
	}
	return -1, true
}

// up goes over a type and its bases, each once, the nearest first, with how many steps they are away.
func (o *Outside) up(name string) iter.Seq2[*outsideType, int] {
	return func(yield func(*outsideType, int) bool) {
		seen := map[*outsideType]bool{nil: true}
		level := []string{name}
		for steps := 0; len(level) > 0; steps++ {
			var next []string
			for _, n := range level {
				t := o.find(n)
				if seen[t] {
					continue
				}
				if seen[t] = true; !yield(t, steps) {
					return
				}
				next = append(next, t.bases...)
			}
			level = next
		}
	}
}

// Result is the type that a method of type name yields, with [] behind it for a sequence, or "". It is
// whole where no type arguments are left out of it.
func (o *Outside) Result(name, method string) (result string, whole bool) {
	for t := range o.up(name) {
		if r := t.results[method]; r != "" && r != "?" {
			bare := strings.TrimPrefix(r, "~")
			return bare, bare == r
		}
	}
	return "", false
}

// Bases are the bases of type name, with the type arguments that they have in its terms.
func (o *Outside) Bases(name string) []string {
	if t := o.find(name); t != nil {
		return t.applied
	}
	return nil
}

// Methods are the signatures of the methods of that name that type name itself has, as far as they are listed.
func (o *Outside) Methods(name, method string) []Signature {
	if t := o.find(name); t != nil {
		return t.methods[method]
	}
	return nil
}

// Sole is the signature of the one method of an interface that functions are values of, nil for other types.
func (o *Outside) Sole(name string) (s *Signature, known bool) {
	t := o.find(name)
	if t == nil {
		return nil, false
	}
	return t.sole, true
}

// Member reports whether type name is known to have a method of that name.
func (o *Outside) Member(name, method string) bool {
	for t := range o.up(name) {
		if t.results[method] != "" {
			return true
		}
	}
	return false
}
