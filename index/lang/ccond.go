package lang

import (
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
	guessed map[string]int    // how many branches define it that are compiled by a guess only
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
	w := &cWorld{cpp: cpp, own: map[string]string{}, removed: map[string]bool{}, open: map[string]bool{}, texts: map[string]string{}, functions: map[string]bool{}, guessed: map[string]int{}}
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
	if name == "" || unlikely > cHardly {
		return
	}
	if unlikely == cHardly {
		w.guessed[name]++
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
	if w.guessed[name] > 1 { // one of several alternatives
		return cValue{n: 1, doubt: cOpen}
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
