package index

import (
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// outcomeOf is what is known of a function of type t from outside the workspace, by its full name or, of a
// member of something, by its last part behind a dot.
func outcomeOf(l *lang.Language, t *typ) (lang.Outcome, bool) {
	if l.Outcomes == nil || t == nil || t.kind != tBuiltin && t.kind != tExternal {
		return lang.Outcome{}, false
	}
	o, ok := l.Outcomes[t.name]
	if !ok && t.kind == tExternal {
		o, ok = l.Outcomes["."+lastName(t.name)]
	}
	return o, ok
}

// outcome reads a text of lang.Outcome for a call in c with the arguments args.
type outcome struct {
	k    *linker
	c    *filectx
	args []int32 // those without a name
	of   []*typ  // the type arguments
	text string
	each int32 // the argument that # stands for
}

// outcome is the type that a text of lang.Outcome spells for a call in c with these arguments.
func (k *linker) outcome(c *filectx, text string, args []int32, of ...*typ) *typ {
	o := &outcome{k: k, c: c, text: text, each: graph.None, of: of}
	for _, a := range args {
		if a < 0 || c.f.Exprs[a].Op != graph.OpNamed {
			o.args = append(o.args, a)
		}
	}
	return o.read()
}

func (o *outcome) next() byte {
	if o.text == "" {
		return 0
	}
	b := o.text[0]
	o.text = o.text[1:]
	return b
}

func (o *outcome) read() *typ {
	k := o.k
	switch b := o.next(); b {
	case '[':
		t := sequence(o.read())
		o.next()
		return t
	case '(':
		t := &typ{kind: tTuple}
		for more := true; more; more = o.next() == ',' {
			t.args = append(t.args, o.read())
		}
		return t
	case '{':
		t := &typ{kind: tDict, key: o.read()}
		o.next()
		t.elem = o.read()
		o.next()
		return t
	case '*':
		return k.element(o.read(), false, 0)
	case '!':
		return k.result(o.read(), nil, nil)
	case '~':
		return k.awaited(o.read())
	case '@':
		return k.entered(o.c, o.read())
	case '&':
		return k.instances(o.read())
	case '^':
		return classOf(o.read())
	case '$':
		return k.mapped(o.read())
	case '+':
		return union(o.all()...)
	case '%':
		return &typ{kind: tTuple, args: o.all()}
	case '?':
		one := o.read()
		o.next()
		if many := o.read(); len(o.args) != 1 {
			return many
		}
		return one
	case '<':
		t := o.read()
		if len(o.of) > 0 {
			return o.of[0]
		}
		return t
	case '=':
		t := o.read()
		if f := strip(t); f != nil && (f.kind == tFunc || f.kind == tCallable) {
			return k.result(f, nil, nil)
		}
		return t
	case '#':
		return k.value(o.c, o.each)
	case '_', 0:
		return nil
	default:
		if i := int(b - '0'); i < len(o.args) {
			return k.value(o.c, o.args[i])
		}
		return nil
	}
}

// all is what follows for each of the arguments.
func (o *outcome) all() []*typ {
	text := o.text
	var out []*typ
	for _, a := range o.args {
		o.text, o.each = text, a
		out = append(out, o.read())
	}
	return out
}

// classOf is the type of a value of type t, as a value.
func classOf(t *typ) *typ {
	t = strip(t)
	switch {
	case t == nil:
	case t.kind == tNamed:
		return &typ{kind: tMeta, h: t.h, args: t.args}
	case t.kind == tUnion:
		var parts []*typ
		for _, p := range t.args {
			parts = append(parts, classOf(p))
		}
		return union(parts...)
	}
	return nil
}

// mapped is the map that is made of t: a map, or pairs.
func (k *linker) mapped(t *typ) *typ {
	if t = strip(t); t == nil || t.kind == tDict {
		return t
	}
	pair := k.element(t, false, 0)
	if pair == nil {
		return nil
	}
	return &typ{kind: tDict, key: k.part(pair, 0), elem: k.part(pair, 1)}
}

// handsOn is what parameter par of the function gets that is passed to a function from outside of type t;
// i is the expression that asks.
func (k *linker) handsOn(c *filectx, t *typ, i int32) (*typ, bool) {
	o, ok := outcomeOf(c.l, t)
	if !ok || o.Hands == "" {
		return nil, false
	}
	call := callOf(c.f, i)
	if call < 0 {
		return nil, true
	}
	hands := o.Hands
	if par := int(c.f.Exprs[i].N & 0xff); o.Differ && par < len(hands)/2 {
		hands = hands[2*par : 2*par+2]
	} else if par > 0 && !o.Alike {
		return nil, true
	}
	return k.outcome(c, hands, c.f.List(c.f.Exprs[call].Kids)), true
}

// parameterOf is the type of the parameter that expression i of c, e, asks for: one of a function that is
// passed to a call.
func (k *linker) parameterOf(c *filectx, i int32, e *graph.Expr) *typ {
	of := k.value(c, e.X)
	if t, ok := k.handsOn(c, of, i); ok {
		return t
	}
	if e.Name != 0 {
		if call := callOf(c.f, i); call >= 0 && c.l.Overloads && of != nil && of.kind == tCallable {
			of = k.overloaded(c, of, &c.f.Exprs[call])
		}
		return k.boundBy(c, i, k.parameter(k.takenAs(of, c.f.Str(e.Name)), int(e.N&0xff)))
	}
	if c.l.Contextual {
		var call *graph.Expr
		if x := callOf(c.f, i); x >= 0 {
			call = &c.f.Exprs[x]
		}
		if t := k.handedOn(c, strip(of), call, int(e.N>>8), int(e.N&0xff)); t != nil {
			return t
		}
		if t := k.passedBy(c, of, call, int(e.N>>8), int(e.N&0xff)); t != nil {
			return k.boundBy(c, i, t)
		}
	}
	return k.boundBy(c, i, k.passed(c, of, int(e.N>>8), int(e.N&0xff)))
}

// isEnum reports whether type h derives from an enum of the language's library.
func (k *linker) isEnum(c *filectx, h graph.Handle) bool {
	if len(c.l.EnumBases) == 0 {
		return false
	}
	if e, ok := k.enums[h]; ok {
		return e
	}
	if k.enums == nil {
		k.enums = map[graph.Handle]bool{}
	}
	k.enums[h] = false
	for _, x := range k.linearization(named(h)) {
		for _, b := range k.allBases(x) {
			if b != nil && b.kind == tExternal && slices.Contains(c.l.EnumBases, b.name) {
				k.enums[h] = true
			}
		}
	}
	return k.enums[h]
}
