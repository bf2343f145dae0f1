package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// pyGenerics say what the standard library's generic types are, by the shape of their values:
// "optional", "union", "seq", "map", "tuple", "func", "type", "first" (the first argument
// itself), "held" (entering one yields it), "value" (arguments are values).
var pyGenerics = map[string]string{
	"Optional": "optional", "Union": "union", "Callable": "func", "Type": "type", "type": "type", "Tuple": "tuple", "tuple": "tuple",
	"List": "seq", "list": "seq", "Set": "seq", "set": "seq", "FrozenSet": "seq", "frozenset": "seq", "Sequence": "seq",
	"MutableSequence": "seq", "Iterable": "seq", "Iterator": "seq", "Collection": "seq", "AbstractSet": "seq", "MutableSet": "seq",
	"Deque": "seq", "deque": "seq", "Generator": "seq", "AsyncIterator": "seq", "AsyncIterable": "seq", "AsyncGenerator": "seq",
	"Container": "seq", "Reversible": "seq", "KeysView": "seq", "ValuesView": "seq",
	"Dict": "map", "dict": "map", "Mapping": "map", "MutableMapping": "map", "DefaultDict": "map", "defaultdict": "map",
	"OrderedDict": "map", "Counter": "map", "ChainMap": "map",
	"ClassVar": "first", "Final": "first", "Annotated": "first", "Required": "first", "NotRequired": "first", "ReadOnly": "first",
	"Literal":        "value",
	"ContextManager": "held", "AsyncContextManager": "held", "AbstractContextManager": "held", "AbstractAsyncContextManager": "held",
}

// pyTypingName is the name in the standard library that the plain name means in this file, or "".
func pyTypingName(b *Builder, name string) string {
	for i := len(b.F.Imports) - 1; i >= 0; i-- {
		if imp := &b.F.Imports[i]; b.F.Strings[imp.Local] == name {
			if pyTypingModules[b.F.Strings[imp.Module]] {
				return b.F.Strings[imp.Name]
			}
			return ""
		}
	}
	if _, ok := pyBuiltins[name]; ok && b.memberSymbol(graph.None, b.Str(name)) < 0 {
		return name
	}
	return ""
}

// pyTypingModule reports whether the name stands for one of the modules that define the
// standard generic types.
func pyTypingModule(b *Builder, name string) bool {
	if pyTypingModules[name] {
		name, _, _ = strings.Cut(name, ".")
	}
	for i := len(b.F.Imports) - 1; i >= 0; i-- {
		if imp := &b.F.Imports[i]; b.F.Strings[imp.Local] == name {
			m := b.F.Strings[imp.Module]
			if n := b.F.Strings[imp.Name]; n != "" {
				m += "." + n
			}
			return pyTypingModules[m] || m == "collections"
		}
	}
	return false
}

var pyTypingModules = map[string]bool{"typing": true, "typing_extensions": true, "collections.abc": true, "collections": true}

// pyShape is the shape in pyGenerics of the type expression e, or "".
func pyShape(b *Builder, e int32) string {
	if e < 0 {
		return ""
	}
	x := b.F.Exprs[e]
	switch {
	case x.Op == graph.OpName:
		return pyGenerics[pyTypingName(b, b.F.Strings[x.Name])]
	case x.Op == graph.OpMember && x.X >= 0 && b.F.Exprs[x.X].Op == graph.OpName:
		if pyTypingModule(b, b.F.Strings[b.F.Exprs[x.X].Name]) {
			return pyGenerics[b.F.Strings[x.Name]]
		}
	}
	return ""
}

// pyGeneric is T[A, B] in a type position.
func pyGeneric(b *Builder, n int32, role graph.Role) int32 {
	of := b.Field(n, "value")
	if of < 0 {
		of = b.First(n)
	}
	base := b.Type(of, role)
	return pyApplied(b, n, of, base, pyShape(b, base))
}

// pyApplied is the generic type base of that shape, which node of spells, with its arguments in n.
func pyApplied(b *Builder, n, of, base int32, shape string) int32 {
	var args []int32
	for c := b.Next(n, of); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "type_parameter") {
			for k := b.First(c); k >= 0; k = b.Next(c, k) {
				args = append(args, pyArgument(b, k, shape, len(args)))
			}
			continue
		}
		args = append(args, pyArgument(b, c, shape, len(args)))
	}
	return pyApply(b, base, shape, args, b.Off(n))
}

func pyArgument(b *Builder, c int32, shape string, k int) int32 {
	if x := b.First(c); b.Is(c, "type") && x >= 0 {
		c = x
	}
	switch {
	case shape == "value" || shape == "first" && k > 0:
		return b.Value(c, graph.Read, false)
	case shape == "tuple" && b.Is(c, "ellipsis"):
		return graph.None
	}
	return b.Type(c, graph.TypeUse)
}

// pyApply is the type expression of a generic type of that shape with its arguments.
func pyApply(b *Builder, base int32, shape string, args []int32, off uint32) int32 {
	if base < 0 {
		return graph.None
	}
	arg := func(i int) int32 {
		if i < len(args) {
			return args[i]
		}
		return graph.None
	}
	e := graph.Expr{X: graph.None, Off: off}
	switch shape {
	case "optional", "first":
		return arg(0)
	case "union":
		var kids []int32
		for _, a := range args {
			if a >= 0 {
				kids = append(kids, a)
			}
		}
		if len(kids) == 1 {
			return kids[0]
		}
		e.Op, e.Kids = graph.OpUnion, b.List(kids...)
	case "seq":
		e.Op, e.X = graph.OpArray, arg(0)
	case "map":
		e.Op, e.X, e.Kids = graph.OpMap, arg(0), b.List(arg(1))
	case "tuple":
		if len(args) == 2 && args[1] < 0 {
			e.Op, e.X = graph.OpArray, arg(0)
		} else {
			e.Op, e.Kids = graph.OpTuple, b.List(args...)
		}
	case "func":
		e.Op, e.X, e.Kids = graph.OpFunc, arg(1), pyTaken(b, arg(0))
	case "type":
		e.Op, e.X = graph.OpTypeOf, arg(0)
	case "value":
		return b.Expr(graph.Expr{Op: graph.OpLiteral, Name: b.Str("str"), X: graph.None, Off: off})
	default:
		e.Op, e.X, e.Kids = graph.OpIndex, base, b.List(args...)
	}
	return b.Expr(e)
}

// pyTaken are the parameters of a function type, which list spells, as values of their types.
func pyTaken(b *Builder, list int32) uint32 {
	if list < 0 || b.F.Exprs[list].Op != graph.OpTuple {
		return 0
	}
	var kids []int32
	for _, t := range b.F.List(b.F.Exprs[list].Kids) {
		kids = append(kids, b.Expr(graph.Expr{Op: graph.OpInstance, X: t, Off: b.F.Exprs[list].Off}))
	}
	return b.List(kids...)
}

func pyNoType(b *Builder, n int32, role graph.Role) int32 { return b.Value(n, graph.Read, false) }

func pyMemberType(b *Builder, n int32, role graph.Role) int32 {
	of := b.First(n)
	x := b.Type(of, graph.Read)
	if id := b.Next(n, of); id >= 0 && x >= 0 {
		return b.Expr(graph.Expr{Op: graph.OpMember, Role: role, X: x, Name: b.nodeStr(id), Off: b.Off(id)})
	}
	return x
}

// pyStringType is an annotation written as a string: names, dots, brackets and bars.
func pyStringType(b *Builder, n int32, role graph.Role) int32 {
	c := b.Child(n, "string_content")
	if c < 0 || b.Has(n, "interpolation") || b.First(c) >= 0 {
		return b.Value(n, graph.Read, false)
	}
	return pyTypeText(b, b.Off(c), b.Node(c).End, role)
}

// pyText reads a type from a string's text.
type pyText struct {
	b    *Builder
	src  []byte
	off  uint32
	at   int
	nest int
	role graph.Role
}

func (p *pyText) space() {
	for p.at < len(p.src) && (p.src[p.at] == ' ' || p.src[p.at] == '\n') {
		p.at++
	}
}

func (p *pyText) eat(c byte) bool {
	p.space()
	if p.at < len(p.src) && p.src[p.at] == c {
		p.at++
		p.space()
		return true
	}
	return false
}

func (p *pyText) union() int32 {
	t := p.generic()
	for p.eat('|') {
		if u := p.generic(); t < 0 {
			t = u
		} else if u >= 0 {
			t = p.b.Expr(graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: p.b.List(t, u), Off: p.off})
		}
	}
	return t
}

func (p *pyText) generic() int32 {
	if p.nest++; p.nest > 50 {
		return graph.None
	}
	defer func() { p.nest-- }()
	base := p.dotted()
	if !p.eat('[') {
		return base
	}
	var args []int32
	for p.at < len(p.src) && !p.eat(']') {
		at := p.at
		args = append(args, p.union())
		if p.eat(','); p.at == at {
			return graph.None
		}
	}
	return pyApply(p.b, base, pyShape(p.b, base), args, p.off)
}

func (p *pyText) dotted() int32 {
	x, first := graph.None, true
	for {
		p.space()
		from := p.at
		for p.at < len(p.src) && identByte(p.src[p.at]) {
			p.at++
		}
		if p.at == from {
			return x
		}
		word := string(p.src[from:p.at])
		if first && word == "None" {
			return graph.None
		}
		e := graph.Expr{Op: graph.OpName, Role: graph.Read, Name: p.b.Str(word), Off: p.off + uint32(from), X: x}
		dot := p.eat('.')
		if !dot {
			e.Role = p.role
		}
		if !first {
			e.Op = graph.OpMember
		} else if l := p.b.local(e.Name); l >= 0 {
			e.Op, e.X = graph.OpLocal, l
			if p.b.F.Locals[l].Symbol < 0 {
				e.Role = graph.NoRole
			}
		}
		x, first = p.b.Expr(e), false
		if !dot {
			return x
		}
	}
}

func identByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

// pyObject are the members that all values have.
const pyObject = `__init__ __new__ __class__ __dict__ __doc__ __module__ __repr__ __str__ __eq__ __ne__ __hash__ __lt__ __le__ __gt__ __ge__ __getattribute__
__setattr__ __delattr__ __dir__ __format__ __reduce__ __reduce_ex__ __sizeof__ __init_subclass__ __subclasshook__ __name__ __qualname__ __mro__ __bases__
__subclasses__ __annotations__ __slots__ mro`

// pyBuiltins are the predeclared names, with the type of the value of a constant or of the
// result of a function.
var pyBuiltins = func() map[string]string {
	m := map[string]string{}
	for _, w := range strings.Fields(`abs aiter anext any:bool all:bool ascii:str bin:str bool breakpoint bytearray bytes callable:bool chr:str classmethod
compile complex copyright credits delattr dict dir:list divmod:tuple enumerate eval exec exit filter float format:str frozenset getattr globals:dict
hasattr:bool hash:int help hex:str id:int input:str int isinstance:bool issubclass:bool iter len:int license list locals:dict map max memoryview min next
object oct:str open ord:int pow print property quit range repr:str reversed round set setattr slice sorted staticmethod str sum super tuple type vars:dict
zip __import__ __name__:str __file__:str __doc__:str __package__:str __spec__ __loader__ __path__:list __builtins__ __debug__:bool __build_class__
__annotations__:dict __class__ __dict__:dict __module__:str __qualname__:str reveal_type reveal_locals
Ellipsis NotImplemented True:bool False:bool None WindowsError
ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError BufferError BytesWarning
ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError EncodingWarning
EnvironmentError Exception ExceptionGroup FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError
ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError
NameError NotADirectoryError NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError RecursionError
ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError
TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning
ValueError Warning ZeroDivisionError unicode basestring long unichr xrange raw_input reduce cmp execfile file reload`) {
		name, typ, _ := strings.Cut(w, ":")
		m[name] = typ
	}
	return m
}()
