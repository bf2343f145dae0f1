package lang

import (
	"maps"
	"strconv"
	"strings"
)

// Which branch of conditional code is compiled cannot be known from one file. What can be said is
// which is the likely one: a file's own definitions count, of the macros that compilers and systems
// define those of a usual Unix system do, and any other macro is one that somebody would have to
// define. Whoever builds a project often does define what it is to use or what a system has.

// cValue is the value of a condition, or of a part of one, and how little is known of it.
type cValue struct {
	n        int64
	doubt    uint8
	unsigned bool
}

// The doubts, and what they make of a branch: one that is hardly compiled for all that is known, by a
// guess, or as likely as not, in which case only macros yield to others of their name.
const (
	cSure uint8 = iota
	cGuess
	cOpen

	cAsLikely uint8 = 1
	cHardly   uint8 = 2
	cNever    uint8 = 3
)

func (v cValue) holds() bool { return v.n != 0 }

// cKnown are macros with their values on a usual system; cForeign are those that are not defined there.
var (
	cKnown = map[string]int64{
		"__GNUC__": 12, "__GNUC_MINOR__": 2, "__GNUC_PATCHLEVEL__": 0, "__STDC__": 1, "__STDC_VERSION__": 201710, "__STDC_HOSTED__": 1,
		"__linux__": 1, "__linux": 1, "linux": 1, "__unix__": 1, "__unix": 1, "unix": 1, "__x86_64__": 1, "__x86_64": 1, "__amd64__": 1,
		"__LP64__": 1, "_LP64": 1, "__ELF__": 1, "__SSE2__": 1, "__BYTE_ORDER__": 1234, "__ORDER_LITTLE_ENDIAN__": 1234, "__ORDER_BIG_ENDIAN__": 4321,
		"__CHAR_BIT__": 8, "__SIZEOF_POINTER__": 8, "__SIZEOF_INT128__": 16, "__EXCEPTIONS": 1, "__GLIBC__": 2, "__GLIBC_MINOR__": 36,
		"_GLIBCXX_RELEASE": 12, "true": 1, "false": 0, "CHAR_BIT": 8, "INT_MAX": 1<<31 - 1, "LONG_MAX": 1<<63 - 1, "LLONG_MAX": 1<<63 - 1, "INTPTR_MAX": 1<<63 - 1,
		"UINT_MAX": 1<<32 - 1, "ULONG_MAX": -1, "ULLONG_MAX": -1, "SIZE_MAX": -1, "UINTPTR_MAX": -1,
	}
	cForeign = cSet("_WIN32", "_WIN64", "WIN32", "__WIN32__", "_MSC_VER", "__MINGW32__", "__MINGW64__", "__CYGWIN__", "__APPLE__", "__MACH__", "__BORLANDC__",
		"__TURBOC__", "__WATCOMC__", "__DJGPP__", "__MSDOS__", "MSDOS", "__OS2__", "__sun", "__sun__", "__hpux", "_AIX", "__FreeBSD__", "__NetBSD__", "__OpenBSD__",
		"__DragonFly__", "__HAIKU__", "__ANDROID__", "__EMSCRIPTEN__", "__INTEL_COMPILER", "__SUNPRO_C", "__SUNPRO_CC", "__IBMC__", "__IBMCPP__", "_ARM_", "__arm__",
		"__aarch64__", "_M_IX86", "_M_X64", "_M_ARM64", "__i386__", "__i386", "__powerpc__", "__mips__", "__OBJC__", "SWIG", "__VMS", "VMS", "__TANDEM", "__MVS__", "_WIN32_WCE", "__CUDACC__", "__NVCC__")
)

// cWorld is what is known of macros at some place in a file.
type cWorld struct {
	cpp     bool
	own     map[string]string // defined by the file itself
	removed map[string]bool
	open    map[string]bool   // of its own, those that it may or may not define
	texts   map[string]string // of all that it has defined

	functions map[string]bool // its own that take arguments; the text begins with their parameters
}

// cGroup is conditional code that is being read: how unlikely what is around it is, whether one of the
// branches before is taken, how unlikely the branch is, and whether one of its conditions is open.
type cGroup struct {
	around, taken, now uint8
	open               bool
}

// cBranches says of every directive that begins a branch, by its offset in src, whether the branch is
// an unlikely one of its group; and what each macro without parameters stands for that the file defines.
func cBranches(src []byte, toks []cToken, cpp bool) (out map[uint32]uint8, macros map[string]string) {
	w := &cWorld{cpp: cpp, own: map[string]string{}, removed: map[string]bool{}, open: map[string]bool{}, texts: map[string]string{}, functions: map[string]bool{}}
	var open []cGroup
	for _, t := range toks {
		if t.kind != '#' {
			continue
		}
		now, doubtful := uint8(0), false
		if len(open) > 0 {
			g := open[len(open)-1]
			now, doubtful = max(g.around, g.now), g.open
		}
		word, rest := cDirective(src[t.from:t.to])
		switch word {
		case "if", "ifdef", "ifndef":
			open = append(open, cGroup{around: now, open: doubtful})
		case "elif", "else", "elifdef", "elifndef":
		case "define":
			w.define(rest, now, doubtful)
			continue
		case "undef":
			w.undefine(cFirstWord(rest), now)
			continue
		case "endif":
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
			continue
		default:
			continue
		}
		if len(open) == 0 {
			continue
		}
		g := &open[len(open)-1]
		g.next(w.condition(word, rest))
		if g.now > 0 {
			if out == nil {
				out = map[uint32]uint8{}
			}
			out[uint32(t.from)] = g.now
		}
	}
	return out, w.texts
}

// next is the next branch, under a condition of value v.
func (g *cGroup) next(v cValue) {
	g.now, g.open = g.taken, g.open || v.doubt == cOpen
	weight := cNever - v.doubt
	if v.holds() {
		g.taken = max(g.taken, weight)
	} else {
		g.now = max(g.now, weight)
	}
}

// cDirective is the word of a directive and what follows it.
func cDirective(text []byte) (word, rest string) {
	t := strings.TrimLeft(string(text[1:]), " \t")
	n := 0
	for n < len(t) && cLetter(t[n]) {
		n++
	}
	return t[:n], strings.TrimSpace(t[n:])
}

func cFirstWord(s string) string {
	n := 0
	for n < len(s) && (cLetter(s[n]) || s[n] >= '0' && s[n] <= '9') {
		n++
	}
	return s[:n]
}

// define notes a #define in a branch that is that unlikely.
func (w *cWorld) define(rest string, unlikely uint8, open bool) {
	name := cFirstWord(rest)
	if name == "" || unlikely >= cHardly {
		return
	}
	text := strings.TrimSpace(rest[len(name):])
	function := strings.HasPrefix(rest[len(name):], "(")
	_, had := w.own[name]
	_, known := w.texts[name]
	if !function && (unlikely == 0 || !known) {
		w.texts[name] = text
	}
	w.functions[name] = function
	if unlikely > 0 {
		w.open[name] = w.open[name] || !had
		return
	}
	w.open[name] = open && (!had || w.open[name])
	delete(w.removed, name)
	w.own[name] = text
}

func (w *cWorld) undefine(name string, unlikely uint8) {
	if unlikely == 0 {
		delete(w.own, name)
		w.removed[name] = true
	}
}

func (w *cWorld) condition(word, rest string) cValue {
	switch word {
	case "else":
		return cValue{n: 1}
	case "ifdef", "elifdef":
		return w.defined(cFirstWord(rest))
	case "ifndef", "elifndef":
		v := w.defined(cFirstWord(rest))
		return cValue{n: 1 - v.n, doubt: v.doubt}
	}
	e := cEval{w: w, src: []byte(rest)}
	e.toks = cScan(e.src)
	v := e.ternary()
	if e.bad || e.i < len(e.toks) {
		return cValue{n: 1, doubt: cGuess}
	}
	return v
}

// defined is whether a macro is defined.
func (w *cWorld) defined(name string) cValue {
	if _, ok := w.own[name]; ok {
		if w.open[name] {
			return cValue{n: 1, doubt: cOpen}
		}
		return cValue{n: 1}
	}
	if w.open[name] {
		return cValue{doubt: cOpen}
	}
	_, known := cKnown[name]
	switch {
	case w.removed[name]:
		return cValue{n: 0}
	case name == "__cplusplus":
		return w.flag(w.cpp)
	case known && name != "true" && name != "false":
		return cValue{n: 1}
	case cForeign[name]:
		return cValue{n: 0}
	case cSystemName(name):
		return cValue{n: 1, doubt: cGuess}
	case strings.HasPrefix(name, "HAVE_"), strings.HasPrefix(name, "_POSIX"):
		return cValue{n: 1, doubt: cOpen}
	}
	for part := range strings.SplitSeq(strings.ToUpper(name), "_") {
		if part == "HAVE" || part == "HAS" {
			return cValue{n: 1, doubt: cOpen}
		}
		if cFeature[part] {
			return cValue{doubt: cOpen}
		}
	}
	return cValue{doubt: cGuess}
}

// cFeature are parts of the names of macros that builds define.
var cFeature = cSet("USE", "USES", "WITH", "ENABLE", "ENABLED", "SUPPORT", "SUPPORTS", "CONFIG", "FEATURE", "BUILD", "POSIX", "UNIX", "LINUX")

func (w *cWorld) flag(b bool) cValue {
	if b {
		return cValue{n: 1}
	}
	return cValue{}
}

// value is what a macro stands for in a condition.
func (w *cWorld) value(name string, depth int) cValue {
	if text, ok := w.own[name]; ok {
		if text == "" || text[0] == '(' && w.functions[name] || depth > 8 {
			return cValue{n: 1, doubt: cGuess}
		}
		e := cEval{w: w, src: []byte(text), depth: depth + 1}
		e.toks = cScan(e.src)
		if v := e.ternary(); !e.bad && e.i == len(e.toks) {
			return v
		}
		return cValue{n: 1, doubt: cGuess}
	}
	if n, ok := cKnown[name]; ok && !w.removed[name] {
		return cValue{n: n, unsigned: n == -1}
	}
	if name == "__cplusplus" {
		if w.cpp {
			return cValue{n: 201703}
		}
		return cValue{}
	}
	return w.defined(name)
}

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
