package lang

import "github.com/codegraph-dev/codegraph/graph"

// Functions, variables and the scopes that bind them.

// scriptIsFunction reports whether n is a function written out.
func scriptIsFunction(b *Builder, n int32) bool {
	return b.Is(n, "arrow_function") || b.Is(n, "function_expression") || b.Is(n, "generator_function")
}

// scriptDefine makes the function at fn a definition called name (or text) that extends over node.
func scriptDefine(b *Builder, kind graph.Kind, name int32, text string, node, fn int32) int32 {
	sym := b.Symbol(kind, name, node, text)
	if b.Is(name, "string") {
		b.Sym(sym).NameOff++
	}
	b.bindNested(sym)
	scriptBody(b, sym, fn)
	return sym
}

// scriptBody fills sym with the parts of the function at fn, whose own name is visible only in it.
func scriptBody(b *Builder, sym, fn int32) {
	s := b.Sym(sym)
	s.Flags |= b.rule(fn).Flags
	if b.Has(fn, "async") {
		s.Flags |= graph.Async
	}
	if b.Has(fn, "*") || b.Is(fn, "generator_function") {
		s.Flags |= graph.Generator
	}
	own := b.Field(fn, "name")
	if d := b.rule(fn).Do; d != LambdaExpr {
		own = graph.None
	}
	if own >= 0 {
		b.push(blockFrame, graph.None)
		l := b.Local(b.nodeStr(own), b.Off(own), graph.None, graph.None, 0)
		b.F.Locals[l].Symbol = sym
	}
	b.Body(sym, fn, nil)
	if own >= 0 {
		b.pop()
	}
	scriptAwaited(b, sym)
}

// scriptAwaited: the result of an async function is what its declared promise is of.
func scriptAwaited(b *Builder, sym int32) {
	s := b.Sym(sym)
	if s.Flags&graph.Async == 0 || s.Type < 0 {
		return
	}
	e := b.F.Exprs[s.Type]
	if kids := b.F.List(e.Kids); e.Op == graph.OpIndex && e.X >= 0 && len(kids) == 1 && b.F.Str(b.F.Exprs[e.X].Name) == "Promise" {
		s.Type = kids[0]
	}
}

// scriptFunction is a function declaration.
func scriptFunction(b *Builder, n int32) bool {
	name := b.Field(n, "name")
	if name < 0 {
		return false
	}
	scriptDefine(b, graph.Function, name, "", n, n)
	return true
}

// scriptFunctionValue is a function expression: one with a name is a definition.
func scriptFunctionValue(b *Builder, n int32, role graph.Role, want bool) int32 {
	name := b.Field(n, "name")
	if name < 0 {
		return b.lambda(n, b.rule(n), want)
	}
	doc := b.doc
	b.doc = docRun{}
	b.push(blockFrame, graph.None)
	sym := scriptDefine(b, graph.Function, name, "", n, n)
	b.pop()
	b.doc = doc
	return b.ifWanted(want, graph.Expr{Op: graph.OpSymbol, X: sym, Off: b.Off(n)})
}

// scriptVariables is a declaration of variables. With one name, the statement is the definition's extent.
func scriptVariables(b *Builder, n int32) bool {
	kind, count := graph.Variable, 0
	if b.Has(n, "const") {
		kind = graph.Constant
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "variable_declarator") {
			count++
		}
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.Is(c, "variable_declarator"):
			extent := c
			if count == 1 {
				extent = n
			}
			scriptVariable(b, extent, c, kind)
			b.doc = docRun{}
		case b.rule(c).Do == Comment:
			b.comment(c)
		default:
			b.Visit(c)
		}
	}
	return true
}

func scriptVariable(b *Builder, extent, n int32, kind graph.Kind) {
	name, typ, value := b.Field(n, "name"), b.Field(n, "type"), b.Field(n, "value")
	if name < 0 {
		b.visitChildren(n)
		return
	}
	if inner := jsExportChain(b, value); inner >= 0 && b.rule(name).Do == Ident {
		b.Scratch[2] = int32(len(b.F.Symbols))
		value = inner
		defer func() { b.F.Symbols[b.Scratch[2]].Flags |= graph.Default }()
	}
	fn := scriptUnwrap(b, value)
	if b.rule(name).Do == Ident && scriptIsFunction(b, fn) {
		sym := scriptDefine(b, graph.Function, name, "", extent, fn)
		scriptDeclaredAs(b, sym, typ)
		return
	}
	if b.rule(name).Do == Ident && b.Is(fn, "class") {
		scriptNamedClass(b, name, "", extent, fn)
		return
	}
	if scriptRequired(b, name, value) {
		return
	}
	if b.rule(name).Do != Ident {
		init := b.Value(value, graph.Read, true)
		if typ >= 0 {
			if t := b.Type(typ, graph.TypeUse); t >= 0 {
				init = b.Expr(graph.Expr{Op: graph.OpCast, X: init, Kids: b.List(t), Off: b.Off(name)})
			}
		}
		r := &compiled{Rule: Rule{Kind: kind}}
		b.declarePattern(name, n, r, init)
		return
	}
	if b.InFunction() {
		t := b.Type(typ, graph.TypeUse)
		v := b.Value(value, graph.Read, true)
		if t >= 0 {
			b.expect(v, b.typeContext(t))
		}
		b.DeclareLocal(name, t, v)
		return
	}
	sym := b.Symbol(kind, name, extent, "")
	scriptTypeAndValue(b, sym, typ, value)
}

// scriptDeclaredAs gives the function sym the declared type at typ, if there is one.
func scriptDeclaredAs(b *Builder, sym, typ int32) {
	if typ < 0 {
		return
	}
	t := b.Type(typ, graph.TypeUse)
	if t < 0 {
		return
	}
	init := b.Expr(graph.Expr{Op: graph.OpCast, X: graph.None, Kids: b.List(t), Off: b.Sym(sym).NameOff})
	b.Sym(sym).Init = init
	b.expectCallable(sym, b.typeContext(t))
}

// scriptTypeAndValue gives sym its declared type and its value.
func scriptTypeAndValue(b *Builder, sym, typ, value int32) {
	doc := b.doc
	b.doc = docRun{}
	in := b.in
	b.in = sym
	if typ >= 0 {
		scriptHold(b, typ, sym)
		t := b.Type(typ, graph.TypeUse)
		b.Sym(sym).Type = t
	}
	if value >= 0 {
		if t := scriptUnwrap(b, typ); !b.Is(t, "object_type") {
			scriptHold(b, value, sym)
		}
		v := b.Value(value, graph.Read, true)
		b.Sym(sym).Init = v
		if t := b.Sym(sym).Type; t >= 0 {
			b.expect(v, b.typeContext(t))
		}
	}
	b.in, b.doc = in, doc
}

// scriptForIn binds the loop's name for the loop alone, unless it is declared with var.
func scriptForIn(b *Builder, n int32) bool {
	left, right := b.Field(n, "left"), b.Field(n, "right")
	b.Scope(func() {
		v := b.Value(right, graph.Read, true)
		elem := b.Of(graph.OpElem, n, v)
		if elem >= 0 && !b.Has(n, "of") {
			b.F.Exprs[elem].N = 1
		}
		switch {
		case left < 0:
		case b.Field(n, "kind") >= 0:
			b.BindPattern(left, elem)
		default:
			b.AssignTo(left, elem, graph.None)
		}
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			if c != left && c != right {
				b.Visit(c)
			}
		}
	})
	return true
}

func scriptCatch(b *Builder, n int32) bool {
	b.Scope(func() {
		param := b.Field(n, "parameter")
		t := b.Type(b.Field(n, "type"), graph.TypeUse)
		if param >= 0 && b.rule(param).Do == Ident {
			b.Local(b.nodeStr(param), b.Off(param), t, graph.None, 0)
		} else if param >= 0 {
			b.BindPattern(param, t)
		}
		if body := b.Field(n, "body"); body >= 0 {
			b.Visit(body)
		}
	})
	return true
}

// scriptPatternParameter is a pattern, perhaps with a default, in the place of a parameter.
func scriptPatternParameter(b *Builder, n int32) bool {
	left, init, flags := n, graph.None, graph.Param
	if b.Is(n, "assignment_pattern") {
		left = b.Field(n, "left")
		init = b.Value(b.Field(n, "right"), graph.Read, true)
		flags |= graph.OptionalParam
	}
	if left >= 0 && b.rule(left).Do == Ident {
		b.Local(b.nodeStr(left), b.Off(left), graph.None, init, flags)
		return true
	}
	l := b.Local(0, b.Off(n), graph.None, init, flags)
	if left >= 0 {
		b.BindPattern(left, b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Off: b.Off(n)}))
	}
	return true
}

func scriptRestParameter(b *Builder, n int32) bool {
	scriptRest(b, n, graph.None)
	return true
}

// scriptRest is a last parameter that takes all further arguments.
func scriptRest(b *Builder, n, typ int32) {
	if typ < 0 {
		typ = b.Expr(graph.Expr{Op: graph.OpArray, X: graph.None, Off: b.Off(n)})
	}
	id := b.First(n)
	flags := graph.Param | graph.VariadicParam
	if id >= 0 && b.rule(id).Do == Ident {
		b.Local(b.nodeStr(id), b.Off(id), typ, graph.None, flags)
		return
	}
	l := b.Local(0, b.Off(n), typ, graph.None, flags)
	if id >= 0 {
		b.BindPattern(id, b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Off: b.Off(n)}))
	}
}
