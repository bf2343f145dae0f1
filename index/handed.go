package index

import (
	"github.com/codegraph-dev/codegraph/graph"
)

// A macro may call what it is handed: its argument is called where the macro is used.

// argument is argument n of a call.
type argument struct{ call, n int32 }

// handedOver are the plain names among the arguments of calls, in a language with macros.
func handedOver(c *filectx) map[int32]argument {
	if !c.l.ExternalLinkage {
		return nil
	}
	out := map[int32]argument{}
	for i := range c.f.Exprs {
		e := &c.f.Exprs[i]
		if e.Op != graph.OpCall || e.X < 0 || c.f.Exprs[e.X].Op != graph.OpName {
			continue
		}
		for n, kid := range c.f.List(e.Kids) {
			if kid >= 0 && c.f.Exprs[kid].Op == graph.OpName && c.f.Exprs[kid].Role == graph.Read {
				out[kid] = argument{int32(i), int32(n)}
			}
		}
	}
	return out
}

// calledByMacro reports whether the function that b means is what a macro calls: it is argument a of the macro.
func (k *linker) calledByMacro(c *filectx, a argument, b binding) bool {
	if len(b.hs) == 0 {
		return false
	}
	if _, s := k.sym(b.hs[0]); s == nil || s.Kind != graph.Function {
		return false
	}
	callee := &c.f.Exprs[c.f.Exprs[a.call].X]
	for _, h := range k.name(c, c.f.Str(callee.Name), callee.In).hs {
		hc, s := k.sym(h)
		if s == nil || s.Kind != graph.Macro {
			return false
		}
		if params := hc.f.List(s.Params); int(a.n) < len(params) {
			return hc.f.Locals[params[a.n]].Flags&graph.Called != 0
		}
	}
	return false
}
