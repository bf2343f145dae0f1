package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
	tsjs "github.com/smacker/go-tree-sitter/javascript"
)

var javascript = &Language{
	Name:       "javascript",
	Aliases:    []string{"js", "jsx"},
	Extensions: []string{".js", ".jsx", ".mjs", ".cjs"},
	Shebangs:   []string{"node", "nodejs"},
	Tests:      scriptTests,
	Tokens:     scriptTokens,
	grammar:    tsjs.GetLanguage,
	Rules:      mergeRules(scriptRules, elementRules, plainRules),
	Semantics: func() Semantics {
		s := scriptSemantics
		s.AttributesByAssignment, s.AssignedModules = true, true
		s.OwnModule, s.OwnModuleOf = "exports", "module"
		s.Finish = jsFinish
		return s
	}(),
}

// plainRules are the nodes that JavaScript has in a form of its own.
var plainRules = map[string]Rule{
	"class_declaration":              {Do: Define, Kind: graph.Class, Hook: scriptClass, Name: "name", Bases: ".class_heritage", Body: "body"},
	"class":                          {Do: Define, Kind: graph.Class, Eval: scriptClassValue, Name: "name", Bases: ".class_heritage", Body: "body"},
	"function_declaration":           {Do: Define, Kind: graph.Function, Hook: scriptFunction, Name: "name", Params: "parameters", Body: "body"},
	"generator_function_declaration": {Do: Define, Kind: graph.Function, Flags: graph.Generator, Hook: scriptFunction, Name: "name", Params: "parameters", Body: "body"},
	"method_definition":              {Do: Define, Kind: graph.Method, Hook: scriptMethod, Name: "name", Params: "parameters", Body: "body"},
	"arrow_function":                 {Do: LambdaExpr, Params: "parameters|parameter", Body: "body"},
	"function_expression":            {Do: LambdaExpr, Eval: scriptFunctionValue, Name: "name", Params: "parameters", Body: "body"},
	"generator_function":             {Do: LambdaExpr, Eval: scriptFunctionValue, Name: "name", Params: "parameters", Body: "body"},
	"field_definition":               {Do: Declare, Kind: graph.Field, Hook: scriptField, Name: "property", Value: "value"},
	"parenthesized_expression":       {Do: ParenExpr, Eval: jsParen},
	"assignment_expression":          {Do: Assign, Eval: jsAssigned, Hook: jsAssign, Left: "left", Right: "right"},
}

func jsAssign(b *Builder, n int32) bool {
	jsAssigned(b, n, graph.Write, false)
	return true
}

// jsAssigned is an assignment. One that adds a member to a function, class, prototype or
// module defines it.
func jsAssigned(b *Builder, n int32, role graph.Role, want bool) int32 {
	left, right := b.Field(n, "left"), b.Field(n, "right")
	if left < 0 || right < 0 {
		b.visitChildren(n)
		return graph.None
	}
	if v, ok := jsExports(b, n, left, right); ok {
		return v
	}
	if v, ok := jsMember(b, n, left, right); ok {
		return v
	}
	return scriptAssign(b, n, left, right)
}

// jsMember is an assignment to a member of something that this file defines: a function, a
// class, an object, or the prototype of one.
func jsMember(b *Builder, n, left, right int32) (int32, bool) {
	if !b.Is(left, "member_expression") {
		return graph.None, false
	}
	of, prop := b.Field(left, "object"), b.Field(left, "property")
	if b.Is(of, "this") {
		return jsThis(b, n, left, right)
	}
	proto := string(b.t.Text(prop)) == "prototype"
	if b.Is(of, "member_expression") && string(b.t.Text(b.Field(of, "property"))) == "prototype" {
		of, proto = b.Field(of, "object"), false
	}
	if !b.Is(of, "identifier") {
		return graph.None, false
	}
	owner := jsOwner(b, of)
	if owner < 0 {
		return graph.None, false
	}
	if proto {
		scriptHold(b, right, owner)
		b.Value(of, graph.Read, false)
		return b.Value(right, graph.Read, true), true
	}
	if s := b.memberSymbol(owner, b.nodeStr(prop)); s >= 0 || !jsDefines(b, owner, right) {
		return graph.None, false
	}
	b.Value(b.Field(left, "object"), graph.Read, false)
	return jsDefineMember(b, n, left, right, owner), true
}

// jsDefines: members may be added to functions, classes and literals; to other variables
// only functions are.
func jsDefines(b *Builder, owner, right int32) bool {
	s := b.F.Symbols[owner]
	if s.Kind.Callable() || s.Kind == graph.Class || s.Kind == graph.Struct {
		return true
	}
	if s.Init >= 0 {
		switch e := b.F.Exprs[s.Init]; e.Op {
		case graph.OpObject, graph.OpSymbol:
			return true
		}
	}
	return scriptIsFunction(b, scriptUnwrap(b, right))
}

// jsOwner is the definition that an identifier names, or None.
func jsOwner(b *Builder, id int32) int32 {
	name := b.nodeStr(id)
	if l := b.local(name); l >= 0 {
		return b.F.Locals[l].Symbol
	}
	if s := b.memberSymbol(graph.None, name); s >= 0 && b.F.Symbols[s].Flags&graph.NestedDef == 0 {
		return s
	}
	return graph.None
}

// jsDefineMember defines the member that left names, of owner, with the value right.
func jsDefineMember(b *Builder, n, left, right, owner int32) int32 {
	prop := b.Field(left, "property")
	if b.memberSymbol(owner, b.nodeStr(prop)) >= 0 {
		v := b.Value(right, graph.Read, true)
		b.AssignTo(left, v, graph.None)
		return v
	}
	in := b.in
	b.in = owner
	fn := scriptUnwrap(b, right)
	extent := n
	switch {
	case scriptIsFunction(b, fn):
		sym := jsSymbol(b, graph.Method, prop, extent, in)
		scriptBody(b, sym, fn)
		b.in = in
		return b.Expr(graph.Expr{Op: graph.OpSymbol, X: sym, Off: b.Off(prop)})
	case b.Is(fn, "class"):
		sym := jsSymbol(b, graph.Class, prop, extent, in)
		b.Body(sym, fn, nil)
		b.in = in
		return b.Expr(graph.Expr{Op: graph.OpSymbol, X: sym, Off: b.Off(prop)})
	}
	sym := jsSymbol(b, graph.Field, prop, extent, in)
	b.in = in
	if b.Is(fn, "assignment_expression") {
		v := b.Value(right, graph.Read, true)
		b.Sym(sym).Init = v
		return v
	}
	hold := b.in
	if b.AtFile() {
		hold = sym
	}
	b.in = hold
	scriptHold(b, right, sym)
	v := b.Value(right, graph.Read, true)
	b.Sym(sym).Init = v
	b.in = in
	return v
}

// jsSymbol adds a member to the owner that is b's enclosing symbol now.
func jsSymbol(b *Builder, kind graph.Kind, prop, node, in int32) int32 {
	sym := b.Symbol(kind, prop, node, "")
	b.Sym(sym).Flags &^= graph.NestedDef
	return sym
}

// jsThis is an assignment to a member of the receiver: of the class, of the object whose
// method this is, or of what the function makes.
func jsThis(b *Builder, n, left, right int32) (int32, bool) {
	owner := jsReceiver(b)
	prop := b.Field(left, "property")
	if owner < 0 || prop < 0 || b.memberSymbol(owner, b.nodeStr(prop)) >= 0 {
		return graph.None, false
	}
	name := b.nodeStr(prop)
	s := graph.Symbol{Kind: graph.Field, Name: name, NameOff: b.Off(prop), Start: b.Off(n), End: b.t.Nodes[n].End,
		Container: owner, Type: graph.None, Init: graph.None, Owner: graph.None, Flags: graph.Exported | graph.AssignedMember}
	if b.in >= 0 && b.F.Symbols[b.in].Kind == graph.Constructor && b.F.Symbols[b.in].Container == owner {
		s.Flags &^= graph.AssignedMember
	}
	if b.doc.end > 0 {
		s.DocStart, s.DocEnd = b.doc.start, b.doc.end
		b.doc = docRun{}
	}
	if fn := scriptUnwrap(b, right); scriptIsFunction(b, fn) {
		s.Kind = graph.Method
		sym := b.addSymbol(s, b.qual(owner))
		scriptBody(b, sym, fn)
		return b.Expr(graph.Expr{Op: graph.OpSymbol, X: sym, Off: b.Off(prop)}), true
	}
	sym := b.addSymbol(s, b.qual(owner))
	scriptHold(b, right, sym)
	v := b.Value(right, graph.Read, true)
	b.Sym(sym).Init = v
	return v, true
}

// jsReceiver is the definition whose members `this` has here, or None.
func jsReceiver(b *Builder) int32 {
	for in := b.in; in >= 0; {
		s := b.F.Symbols[in]
		switch s.Kind {
		case graph.Method, graph.Constructor, graph.Field, graph.Property:
			return s.Container
		case graph.Function:
			return in
		case graph.Class:
			return in
		}
		in = s.Container
	}
	return graph.None
}
