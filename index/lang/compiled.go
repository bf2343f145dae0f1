package lang

import (
	"strings"
)

type compiled struct {
	Rule
	name, typ, value, typeParams, params, result, bases, body, of, args, left, right, cond, els slot
}

// slot is where a rule's part is: a field id, or kinds of children.
type slot struct {
	fields []uint16
	kinds  []uint16
}

func (s slot) empty() bool { return len(s.fields) == 0 && len(s.kinds) == 0 }

func (l *Language) compile() {
	l.g = newGrammar(l.grammar(), l.Tokens)
	l.rules = make([]*compiled, len(l.g.kinds))
	byName := map[string]*compiled{}
	for k, r := range l.Rules {
		byName[k] = &compiled{Rule: r, name: l.slot(r.Name), typ: l.slot(r.Type), value: l.slot(r.Value), typeParams: l.slot(r.TypeParams),
			params: l.slot(r.Params), result: l.slot(r.Result), bases: l.slot(r.Bases), body: l.slot(r.Body), of: l.slot(r.Of),
			args: l.slot(r.Args), left: l.slot(r.Left), right: l.slot(r.Right), cond: l.slot(r.Cond), els: l.slot(r.Else)}
	}
	pass := &compiled{}
	for i, k := range l.g.kinds {
		if l.rules[i] = byName[k]; l.rules[i] == nil {
			l.rules[i] = pass
		}
	}
}

func (l *Language) slot(spec string) slot {
	var s slot
	if spec == "" {
		return s
	}
	for _, p := range strings.Split(spec, "|") {
		if k, ok := strings.CutPrefix(p, "."); ok {
			for i, name := range l.g.kinds {
				if name == k {
					s.kinds = append(s.kinds, uint16(i))
				}
			}
		} else if id, ok := l.g.fields[p]; ok {
			s.fields = append(s.fields, id)
		}
	}
	return s
}

// unknown lists the names in the table that the grammar does not have, for tests.
func (l *Language) unknown() []string {
	g := l.Grammar()
	kinds := map[string]bool{}
	for _, k := range g.kinds {
		kinds[k] = true
	}
	var bad []string
	for k, r := range l.Rules {
		if !kinds[k] {
			bad = append(bad, "kind "+k)
		}
		for _, spec := range []string{r.Name, r.Type, r.Value, r.TypeParams, r.Params, r.Result, r.Bases, r.Body, r.Of, r.Args, r.Left, r.Right, r.Cond, r.Else} {
			for _, p := range strings.Split(spec, "|") {
				if c, ok := strings.CutPrefix(p, "."); ok && !kinds[c] {
					bad = append(bad, k+": child "+c)
				} else if _, ok := g.fields[p]; !ok && p != "" && p[0] != '.' {
					bad = append(bad, k+": field "+p)
				}
			}
		}
	}
	return bad
}
