package lang

import (
	"slices"
	"strconv"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// phpShaped reports whether a type of that name may be followed by what an array has at which keys.
func phpShaped(name string) bool {
	switch strings.ToLower(name) {
	case "array", "list", "non-empty-array", "non-empty-list":
		return true
	}
	return false
}

// shape is the rest of array{A, B} or array{a: A, b?: B}: a tuple where its keys count from nothing, else a
// map to any of them.
func (p *phpText) shape(off uint32) int32 {
	e := graph.Expr{Op: graph.OpTuple, X: graph.None, Off: off}
	var kids []int32
	p.eat('{')
	for p.at < len(p.src) {
		p.blank()
		for p.eat('.') { // and others
		}
		p.blank()
		if p.eat('}') {
			break
		}
		if key, ok := p.key(); ok && key != strconv.Itoa(len(kids)) {
			e.Op = graph.OpMap
		}
		p.blank()
		at := p.at
		kids = append(kids, p.union())
		p.blank()
		if p.eat(','); p.at == at {
			return graph.None
		}
	}
	switch {
	case len(kids) == 0:
		e.Op, e.Name = graph.OpLiteral, p.b.Str("array")
	case e.Op == graph.OpMap:
		known := slices.DeleteFunc(kids, func(k int32) bool { return k < 0 })
		e.Kids = p.b.List(p.b.Expr(graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: p.b.List(known...), Off: off}))
	default:
		e.Kids = p.b.List(kids...)
	}
	return p.b.Expr(e)
}

// key is the key of an entry of a shape, if one stands here.
func (p *phpText) key() (string, bool) {
	at := p.at
	if p.eat('\'') || p.eat('"') {
		for p.at < len(p.src) && p.src[p.at] != p.src[at] && p.src[p.at] != '\n' {
			p.at++
		}
		p.at++
	} else {
		p.word()
	}
	end := min(p.at, len(p.src))
	p.eat('?')
	if end == at || !p.eat(':') || p.at < len(p.src) && p.src[p.at] == ':' {
		p.at = at
		return "", false
	}
	return string(p.src[at:end]), true
}
