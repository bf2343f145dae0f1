package lang

import "github.com/codegraph-dev/codegraph/graph"

// pyOutcomes say what well-known functions of Python's library yield, and what they hand to the functions
// that are passed to them. See Outcome for the spelling.
var pyOutcomes = map[string]Outcome{
	"list": {Yields: "[*0]"}, "tuple": {Yields: "[*0]"}, "set": {Yields: "[*0]"}, "frozenset": {Yields: "[*0]"},
	"sorted": {Yields: "[*0]", Hands: "*0"}, "reversed": {Yields: "[*0]"}, "iter": {Yields: "[*0]"}, "aiter": {Yields: "[*0]"},
	"next": {Yields: "*0"}, "anext": {Yields: "*0"}, "enumerate": {Yields: "[(_,*0)]"}, "zip": {Yields: "[%*#]"},
	"max": {Yields: "?*0|+#", Hands: "?*0|+#"}, "min": {Yields: "?*0|+#", Hands: "?*0|+#"},
	"filter": {Yields: "[*1]", Hands: "*1"}, "map": {Yields: "[!0]", Hands: "*1*2*3", Differ: true},
	"dict": {Yields: "$0"}, "type": {Yields: "^0"}, "abs": {Yields: "0"}, ".__new__": {Yields: "&0"},

	"copy.copy": {Yields: "0"}, "copy.deepcopy": {Yields: "0"}, "weakref.proxy": {Yields: "0"}, "dataclasses.replace": {Yields: "0"},
	"functools.partial": {Yields: "0"}, "functools.reduce": {Yields: "*1", Hands: "*1", Alike: true},
	"contextlib.closing": {Yields: "0"}, "contextlib.aclosing": {Yields: "0"}, "contextlib.nullcontext": {Yields: "0"},
	".enter_context": {Yields: "@0"}, ".enter_async_context": {Yields: "@0"},
	"operator.index": {Yields: "0"}, "random.choice": {Yields: "*0"}, "random.sample": {Yields: "[*0]"},
	"heapq.heappop": {Yields: "*0"}, "heapq.nlargest": {Yields: "[*1]", Hands: "*1"}, "heapq.nsmallest": {Yields: "[*1]", Hands: "*1"},

	"itertools.chain": {Yields: "[+*#]"}, "itertools.chain.from_iterable": {Yields: "[**0]"}, "itertools.islice": {Yields: "[*0]"},
	"itertools.takewhile": {Yields: "[*1]", Hands: "*1"}, "itertools.dropwhile": {Yields: "[*1]", Hands: "*1"},
	"itertools.filterfalse": {Yields: "[*1]", Hands: "*1"}, "itertools.cycle": {Yields: "[*0]"}, "itertools.repeat": {Yields: "[0]"},
	"itertools.tee": {Yields: "[[*0]]"}, "itertools.permutations": {Yields: "[[*0]]"}, "itertools.combinations": {Yields: "[[*0]]"},
	"itertools.product": {Yields: "[%*#]"}, "itertools.zip_longest": {Yields: "[%*#]"}, "itertools.pairwise": {Yields: "[(*0,*0)]"},
	"itertools.starmap": {Yields: "[!0]"}, "itertools.groupby": {Yields: "[(_,[*0])]", Hands: "*0"},
	"collections.deque": {Yields: "[*0]"}, "collections.OrderedDict": {Yields: "$0"}, "collections.defaultdict": {Yields: "{_:!0}"},

	"asyncio.gather": {Yields: "%~#"}, "asyncio.run": {Yields: "~0"}, "asyncio.create_task": {Yields: "~0"},
	"asyncio.ensure_future": {Yields: "~0"}, "asyncio.wait_for": {Yields: "~0"}, "asyncio.shield": {Yields: "~0"},
	".run_until_complete": {Yields: "~0"}, ".create_task": {Yields: "~0"},
}

// pyEnums are the standard library's classes whose derived classes have their values as members.
var pyEnums = []string{"enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"}

// pyKeyword is an argument that names the parameter that takes it.
func pyKeyword(b *Builder, n int32, role graph.Role, want bool) int32 {
	v := b.Value(b.Field(n, "value"), graph.Read, want)
	if !want || v < 0 {
		return graph.None
	}
	name := b.Field(n, "name")
	if name < 0 {
		return v
	}
	return b.Expr(graph.Expr{Op: graph.OpNamed, Name: b.nodeStr(name), X: v, Off: b.Off(n)})
}
