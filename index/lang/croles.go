package lang

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// What a macro does with its parameters says what a name means that is handed to it: a member of another
// argument, the tag of a type, a function that is called, or nothing, if it becomes a part of a name or text.

// cRole is what a macro does with one parameter; of is the value that has the member.
type cRole struct {
	kind uint8
	of   cOperand
}

const (
	cPlainRole uint8 = iota
	cPasted
	cCalledRole
	cTagRole
	cMemberRole
)

// cOperand is a value in a macro's text: an argument, or a value of the type that it names, and the path of
// members from there.
type cOperand struct {
	param int
	typed bool
	path  []string
}

// cRoles reads the text of one macro.
type cRoles struct {
	d    *cDefines
	m    *cDefine
	toks []cToken
	out  []cRole
	bare []bool // parameters that are mentioned as what they are
}

// roles are what macro m does with its parameters.
func (d *cDefines) roles(m *cDefine) []cRole {
	if out, ok := d.known[m]; ok {
		return out
	}
	if d.known == nil {
		d.known = map[*cDefine][]cRole{}
	}
	d.known[m] = nil // while it is being worked out
	r := &cRoles{d: d, m: m, toks: m.text, out: make([]cRole, len(m.params)), bare: make([]bool, len(m.params))}
	r.read()
	for p := range r.out {
		if r.out[p].kind == cPlainRole && !r.bare[p] && d.pasted(m, m.params[p]) {
			r.out[p].kind = cPasted
		}
	}
	d.known[m] = r.out
	return r.out
}

func (r *cRoles) word(i int) string {
	if i < 0 || i >= len(r.toks) {
		return ""
	}
	return r.d.word(r.toks[i])
}

// param is the parameter that token i names, or -1.
func (r *cRoles) param(i int) int {
	if i < 0 || i >= len(r.toks) || r.toks[i].kind != 'i' {
		return -1
	}
	return slices.Index(r.m.params, r.word(i))
}

// cOpenCall is a parenthesis of a call in a macro's text, and the argument that is being read.
type cOpenCall struct {
	name string
	args [][2]int
}

// read finds the role of each parameter.
func (r *cRoles) read() {
	var open []*cOpenCall
	for i, t := range r.toks {
		switch t.kind {
		case '(':
			o := &cOpenCall{args: [][2]int{{i + 1, i + 1}}}
			if i > 0 && r.toks[i-1].kind == 'i' && r.param(i-1) < 0 {
				o.name = r.word(i - 1)
			}
			open = append(open, o)
		case ')':
			if n := len(open); n > 0 {
				r.close(open[n-1], i)
				open = open[:n-1]
			}
		case ',':
			if n := len(open); n > 0 {
				o := open[n-1]
				o.args[len(o.args)-1][1] = i
				o.args = append(o.args, [2]int{i + 1, i + 1})
			}
		case 'i':
			if p := r.param(i); p >= 0 {
				r.mention(p, i)
			}
		}
	}
}

// better gives parameter p a role, unless it has one that says as much.
func (r *cRoles) better(p int, role cRole) {
	if role.kind > r.out[p].kind {
		r.out[p] = role
	}
}

// mention reads the mention of parameter p at token i.
func (r *cRoles) mention(p, i int) {
	before, next := r.word(i-1), r.word(i+1)
	switch {
	case before == "#", next == "#" && r.word(i+2) == "#":
		return
	case before == "." || before == ">" && r.word(i-2) == "-":
		at := i - 1
		if before == ">" {
			at--
		}
		r.bare[p] = true
		if of, ok := r.operandBefore(at); ok {
			r.better(p, cRole{kind: cMemberRole, of: of})
		}
	case cTagWords[before]:
		r.bare[p] = true
		r.better(p, cRole{kind: cTagRole})
	case next == "(" || before == "(" && next == ")" && r.word(i+2) == "(":
		r.bare[p] = true
		r.better(p, cRole{kind: cCalledRole})
	case (before == "(" || before == ",") && (next == ")" || next == ","): // see close
	default:
		r.bare[p] = true
	}
}

// close reads the arguments of what call o, which token end closes, calls.
func (r *cRoles) close(o *cOpenCall, end int) {
	o.args[len(o.args)-1][1] = end
	var m *cDefine
	var roles []cRole
	if o.name != "" {
		if m = r.d.at(o.name, uint32(len(r.d.src))); m != nil && m.function {
			roles = r.d.roles(m)
		}
	}
	for n, a := range o.args {
		p := r.param(a[0])
		if p < 0 || a[1] != a[0]+1 {
			continue
		}
		switch {
		case n == 1 && (o.name == "offsetof" || o.name == "__builtin_offsetof"):
			r.bare[p] = true
			if of, ok := r.typeOperand(o.args[0]); ok {
				r.better(p, cRole{kind: cMemberRole, of: of})
			}
		case n >= len(roles):
			r.bare[p] = true
		case roles[n].kind == cMemberRole:
			r.bare[p] = true
			if of, ok := r.handedOn(roles[n].of, o.args); ok {
				r.better(p, cRole{kind: cMemberRole, of: of})
			}
		case roles[n].kind != cPasted:
			r.bare[p] = true
			r.better(p, roles[n])
		}
	}
}

// typeOperand is a value of the type that the tokens name.
func (r *cRoles) typeOperand(a [2]int) (cOperand, bool) {
	i := a[0]
	if cTagWords[r.word(i)] {
		i++
	}
	p := r.param(i)
	return cOperand{param: p, typed: true}, p >= 0
}

// handedOn is operand of of a macro that is called with args in this macro's text, seen from this one.
func (r *cRoles) handedOn(of cOperand, args [][2]int) (cOperand, bool) {
	if of.param >= len(args) {
		return of, false
	}
	a := args[of.param]
	if of.typed {
		o, ok := r.typeOperand(a)
		o.path = of.path
		return o, ok
	}
	o, ok := r.operand(a[0], a[1])
	o.path = append(o.path[:len(o.path):len(o.path)], of.path...)
	return o, ok
}

// operandBefore is the operand that ends before token end.
func (r *cRoles) operandBefore(end int) (cOperand, bool) {
	i := end - 1
	for i >= 0 {
		for i >= 0 && r.toks[i].kind == ']' {
			i = r.opens(i) - 1
		}
		switch {
		case i < 0:
			return cOperand{}, false
		case r.toks[i].kind == ')':
			if i = r.opens(i); i < 0 || i > 0 && r.toks[i-1].kind == 'i' && !cControl[r.word(i-1)] {
				return cOperand{}, false
			}
		case r.toks[i].kind != 'i':
			return cOperand{}, false
		}
		switch {
		case r.word(i-1) == ".":
			i -= 2
		case r.word(i-1) == ">" && r.word(i-2) == "-":
			i -= 3
		default:
			return r.operand(i, end)
		}
	}
	return cOperand{}, false
}

// opens is the token that opens what token i closes, or -1.
func (r *cRoles) opens(i int) int {
	depth := 0
	for ; i >= 0; i-- {
		switch r.toks[i].kind {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// operand reads the tokens from i to end.
func (r *cRoles) operand(i, end int) (cOperand, bool) {
	var o cOperand
	for i < end && (r.word(i) == "*" || r.word(i) == "&") {
		i++
	}
	switch {
	case i >= end:
		return o, false
	case r.toks[i].kind == '(':
		shut := cShut(r.toks[:end], i)
		if shut < 0 {
			return o, false
		}
		if t, ok := r.typeOperand([2]int{i + 1, shut}); ok && r.word(shut-1) == "*" { // a cast
			return t, true
		}
		if after := r.word(shut + 1); shut+1 < end && after != "." && after != "-" && after != "[" {
			return r.operand(shut+1, end)
		}
		var ok bool
		if o, ok = r.operand(i+1, shut); !ok {
			return o, false
		}
		i = shut + 1
	case r.param(i) >= 0:
		o.param = r.param(i)
		i++
	default:
		if o.param = r.declared(r.word(i)); o.param < 0 {
			return o, false
		}
		o.typed = true
		i++
	}
	for i < end {
		switch {
		case r.word(i) == "[":
			i = cShut(r.toks[:end], i)
			if i < 0 {
				return o, false
			}
			i++
			continue
		case r.word(i) == "-" && r.word(i+1) == ">":
			i += 2
		case r.word(i) == ".":
			i++
		default:
			return o, false
		}
		if i >= end || r.toks[i].kind != 'i' || r.param(i) >= 0 {
			return o, false
		}
		o.path = append(o.path[:len(o.path):len(o.path)], r.word(i))
		i++
	}
	return o, true
}

// declared is the parameter that names the type of the variable that the text declares under that name, or -1.
func (r *cRoles) declared(name string) int {
	for i := 1; i < len(r.toks); i++ {
		if r.word(i) != name || r.word(i-1) != "*" {
			continue
		}
		k := i - 1
		for r.word(k) == "*" {
			k--
		}
		if p := r.param(k); p >= 0 && cTagWords[r.word(k-1)] {
			return p
		}
	}
	return -1
}

// cCalled keeps the parameters of macro sym, defined at n, if its text says what is meant by what is handed to it.
func cCalled(b *Builder, n, sym int32) {
	m := b.defines().of(b.Off(n))
	if m == nil || !m.function {
		return
	}
	roles := b.macroDefs.roles(m)
	if !slices.ContainsFunc(roles, func(r cRole) bool { return r.kind != cPlainRole }) {
		return
	}
	from := len(b.F.Locals)
	b.push(funcFrame, sym)
	params, p := b.Field(n, "parameters"), 0
	var locals []int32
	for c := b.First(params); c >= 0 && p < len(roles); c = b.Next(params, c) {
		if b.rule(c).Do != Ident {
			continue
		}
		flags := graph.Param
		switch roles[p].kind {
		case cCalledRole:
			flags |= graph.Called
		case cPasted:
			flags |= graph.Pasted
		}
		locals = append(locals, b.Local(b.nodeStr(c), b.Off(c), graph.None, graph.None, flags))
		p++
	}
	for p, l := range locals {
		b.F.Locals[l].Type = cRoleType(b, roles[p], locals, b.F.Locals[l])
	}
	b.pop()
	b.KeepParams(sym, from)
}

// cRoleType says as the type of a macro's parameter what stands for it: a member is an OpMember without a name
// of the value that has it, a tag an OpName.
func cRoleType(b *Builder, r cRole, locals []int32, l graph.Local) int32 {
	switch {
	case r.kind == cTagRole:
		return b.Expr(graph.Expr{Op: graph.OpName, N: 1, Name: l.Name, Off: l.Off, X: graph.None})
	case r.kind != cMemberRole || r.of.param >= len(locals):
		return graph.None
	}
	x := b.Expr(graph.Expr{Op: graph.OpLocal, X: locals[r.of.param], Off: l.Off})
	if r.of.typed {
		x = b.Expr(graph.Expr{Op: graph.OpInstance, X: x, Off: l.Off})
	}
	for _, name := range append(r.of.path, "") {
		x = b.Expr(graph.Expr{Op: graph.OpMember, X: x, Name: b.Str(name), Off: l.Off})
	}
	return x
}

//go:embed library/cmacros.txt
var cMacroText string

// Argument is what a macro of the system does with one of its arguments: it names a tag, or a member of
// the value that argument Of is, or of the type that it names.
type Argument struct {
	Tag, Member bool
	Of          int
}

// cSystemMacros are what the macros of the system do with their arguments, by their names.
var cSystemMacros = cReadMacros(cMacroText)

// cReadMacros reads lines of a macro's name and a word for each argument: tag, a number where it is a member
// of that argument, or a dot.
func cReadMacros(text string) map[string][]Argument {
	out := map[string][]Argument{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		var args []Argument
		for _, w := range words[1:] {
			a := Argument{Tag: w == "tag"}
			if n, err := strconv.Atoi(w); err == nil {
				a.Member, a.Of = true, n
			}
			args = append(args, a)
		}
		out[words[0]] = args
	}
	return out
}
