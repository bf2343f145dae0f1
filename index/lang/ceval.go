package lang

import (
	"maps"
	"strconv"
	"strings"
)

// cEval reads the expression of a condition.
type cEval struct {
	w     *cWorld
	src   []byte
	toks  []cToken
	i     int
	depth int
	bad   bool
}

func (e *cEval) text() string {
	if e.i >= len(e.toks) {
		return ""
	}
	return string(e.src[e.toks[e.i].from:e.toks[e.i].to])
}

// take reports whether the operator op comes next, and passes it.
func (e *cEval) take(op string) bool {
	if e.i+len(op) > len(e.toks) {
		return false
	}
	at := 0
	for k := range len(op) {
		t := e.toks[e.i+k]
		if t.kind != op[k] || k > 0 && t.from != at {
			return false
		}
		at = t.to
	}
	if n := e.i + len(op); len(op) == 1 && n < len(e.toks) && e.toks[n].from == at && strings.ContainsRune("=<>&|", rune(e.toks[n].kind)) && strings.Contains("== <= >= != << >> && ||", op+string(e.toks[n].kind)) {
		return false
	}
	e.i += len(op)
	return true
}

func (e *cEval) ternary() cValue {
	v := e.binary(0)
	if !e.take("?") {
		return v
	}
	yes := e.ternary()
	if !e.take(":") {
		e.bad = true
		return v
	}
	no := e.ternary()
	if v.holds() {
		no = yes
	}
	return cValue{n: no.n, doubt: max(no.doubt, v.doubt), unsigned: no.unsigned}
}

// cLevels are the binary operators from the weakest to the strongest.
var cLevels = [...][]string{{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

func (e *cEval) binary(level int) cValue {
	if level == len(cLevels) {
		return e.unary()
	}
	v := e.binary(level + 1)
	for {
		op := ""
		for _, o := range cLevels[level] {
			if e.take(o) {
				op = o
				break
			}
		}
		if op == "" {
			return v
		}
		v = cApply(op, v, e.binary(level+1))
	}
}

// cApply is the value of an operator's application; what one operand settles leaves no doubt of the other.
func cApply(op string, a, b cValue) cValue {
	doubt := max(a.doubt, b.doubt)
	truth := func(t bool) cValue {
		if t {
			return cValue{n: 1, doubt: doubt}
		}
		return cValue{doubt: doubt}
	}
	less := a.n < b.n
	if a.unsigned || b.unsigned {
		less = uint64(a.n) < uint64(b.n)
	}
	switch op {
	case "||", "&&":
		settles := op == "||"
		switch {
		case a.holds() == settles && b.holds() == settles:
			doubt = min(a.doubt, b.doubt)
		case a.holds() == settles:
			doubt = a.doubt
		case b.holds() == settles:
			doubt = b.doubt
		default:
			return truth(!settles)
		}
		return truth(settles)
	case "==":
		return truth(a.n == b.n)
	case "!=":
		return truth(a.n != b.n)
	case "<":
		return truth(less)
	case ">":
		return truth(!less && a.n != b.n)
	case "<=":
		return truth(less || a.n == b.n)
	case ">=":
		return truth(!less)
	}
	return cValue{n: cCompute(op, a, b), doubt: doubt, unsigned: a.unsigned || b.unsigned}
}

func cCompute(op string, a, b cValue) int64 {
	switch op {
	case "|":
		return a.n | b.n
	case "^":
		return a.n ^ b.n
	case "&":
		return a.n & b.n
	case "<<":
		return a.n << (uint64(b.n) & 63)
	case ">>":
		if a.unsigned {
			return int64(uint64(a.n) >> (uint64(b.n) & 63))
		}
		return a.n >> (uint64(b.n) & 63)
	case "+":
		return a.n + b.n
	case "-":
		return a.n - b.n
	case "*":
		return a.n * b.n
	}
	switch {
	case b.n == 0:
		return 0
	case op == "/":
		return a.n / b.n
	}
	return a.n % b.n
}

func (e *cEval) unary() cValue {
	if e.depth++; e.depth > 100 {
		e.bad = true
	}
	defer func() { e.depth-- }()
	switch {
	case e.bad || e.i >= len(e.toks):
		e.bad = true
		return cValue{doubt: cGuess}
	case e.take("!"):
		v := e.unary()
		if v.holds() {
			return cValue{doubt: v.doubt}
		}
		return cValue{n: 1, doubt: v.doubt}
	case e.take("-"):
		v := e.unary()
		return cValue{n: -v.n, doubt: v.doubt}
	case e.take("+"):
		return e.unary()
	case e.take("~"):
		v := e.unary()
		return cValue{n: ^v.n, doubt: v.doubt}
	case e.take("("):
		v := e.ternary()
		e.bad = e.bad || !e.take(")")
		return v
	}
	t := e.text()
	kind := e.toks[e.i].kind
	e.i++
	switch {
	case kind == '0':
		return cNumber(t)
	case kind != 'i':
		e.bad = true
		return cValue{doubt: cGuess}
	case t == "defined":
		open := e.take("(")
		name := e.text()
		e.i++
		e.bad = e.bad || name == "" || open && !e.take(")")
		return e.w.defined(name)
	case e.i < len(e.toks) && e.toks[e.i].kind == '(': // a question to the compiler, or a macro of the file's
		return e.w.apply(t, e.arguments(), e.depth)
	}
	return e.w.value(t, e.depth)
}

// arguments are the texts between the parentheses that open at the current token and the commas there.
func (e *cEval) arguments() []string {
	var out []string
	from := e.toks[e.i].to
	for depth := 0; e.i < len(e.toks); e.i++ {
		switch t := e.toks[e.i]; t.kind {
		case '(':
			depth++
		case ')', ',':
			if t.kind == ')' {
				depth--
			}
			if depth == 0 || depth == 1 && t.kind == ',' {
				out = append(out, string(e.src[from:t.from]))
				from = t.to
			}
			if depth == 0 {
				e.i++
				return out
			}
		}
	}
	e.bad = true
	return out
}

// apply is the value of macro name with arguments.
func (w *cWorld) apply(name string, args []string, depth int) cValue {
	text, ok := w.own[name]
	end := strings.IndexByte(text, ')')
	if !ok || end < 0 || text[0] != '(' || depth > 8 {
		if strings.HasPrefix(name, "__has_") {
			return cValue{n: 1, doubt: cGuess}
		}
		return cValue{doubt: cGuess}
	}
	params := strings.Split(text[1:end], ",")
	if len(params) != len(args) {
		return cValue{doubt: cGuess}
	}
	inner := *w
	inner.own = maps.Clone(w.own)
	for i, p := range params {
		inner.own[strings.TrimSpace(p)] = strings.TrimSpace(args[i])
	}
	e := cEval{w: &inner, src: []byte(text[end+1:]), depth: depth + 1}
	e.toks = cScan(e.src)
	if v := e.ternary(); !e.bad && e.i == len(e.toks) {
		return v
	}
	return cValue{doubt: cGuess}
}

func cNumber(t string) cValue {
	t = strings.TrimRight(strings.ReplaceAll(t, "'", ""), "uUlL")
	n, err := strconv.ParseInt(t, 0, 64)
	if err != nil {
		return cValue{n: 1, doubt: cGuess}
	}
	return cValue{n: n}
}
