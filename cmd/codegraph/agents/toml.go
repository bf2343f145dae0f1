package agents

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlText is TOML. The value is a table with a header of its own; one that is written
// inline or with dotted keys is only read.
type tomlText struct{}

// expression is a header or a key with its value: the keys that it names from the top, and
// the line on which it begins.
type expression struct {
	header bool
	array  bool // the header of an array of tables
	keys   []string
	line   int // 0-based
}

func (tomlText) decode(src []byte) (any, error) {
	m := map[string]any{}
	err := toml.Unmarshal(src, &m)
	if err == nil {
		return m, nil
	}
	var place *toml.DecodeError
	if errors.As(err, &place) {
		line, _ := place.Position()
		return nil, problem(line, "%s", strings.TrimPrefix(place.Error(), "toml: "))
	}
	return nil, problem(0, "%v", err)
}

// expressions are those of a text that can be decoded.
func expressions(src []byte) []expression {
	var p unstable.Parser
	p.Reset(src)
	var out []expression
	var table []string
	for p.NextExpression() {
		n := p.Expression()
		if n.Kind != unstable.KeyValue && n.Kind != unstable.Table && n.Kind != unstable.ArrayTable {
			continue
		}
		e := expression{header: n.Kind != unstable.KeyValue, array: n.Kind == unstable.ArrayTable, line: -1}
		for it := n.Key(); it.Next(); {
			k := it.Node()
			e.keys = append(e.keys, string(k.Data))
			if e.line < 0 {
				e.line = lineAt(src, int(k.Raw.Offset)) - 1
			}
		}
		if e.header {
			table = e.keys
		} else {
			e.keys = append(slices.Clone(table), e.keys...)
		}
		out = append(out, e)
	}
	return out
}

// below reports whether keys lead to a path or further.
func below(keys, path []string) bool {
	return len(keys) >= len(path) && slices.Equal(keys[:len(path)], path)
}

// lines splits a text; each has its end.
func lines(src []byte) []string { return strings.SplitAfter(string(src), "\n") }

// end is the line after the last one that belongs to expression i: blank lines and comments
// before the next belong to that.
func end(ls []string, all []expression, i int) int {
	n := len(ls)
	if i+1 < len(all) {
		n = all[i+1].line
	}
	for n > all[i].line+1 && idle(ls[n-1]) {
		n--
	}
	return n
}

// idle reports whether a line is blank or a comment.
func idle(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || line[0] == '#'
}

func (t tomlText) put(src []byte, path []string, v any) ([]byte, error) {
	e, ok := v.(Entry)
	if !ok {
		return nil, problem(0, "only tables can be put here")
	}
	all, ls, eol := expressions(src), lines(src), eolOf(src)
	for i, x := range all {
		switch {
		case x.header && !x.array && slices.Equal(x.keys, path):
			return t.fill(src, path, e, i)
		case x.array && below(path, x.keys):
			return nil, problem(x.line+1, "%s is an array of tables", strings.Join(x.keys, "."))
		case !x.header && below(path, x.keys), !x.header && below(x.keys, path) && !slices.ContainsFunc(all, func(h expression) bool { return h.header && slices.Equal(h.keys, path) }):
			decoded, err := t.decode(src)
			if err != nil {
				return nil, err
			}
			if got, _ := at(decoded, path); holds(got, e) {
				return src, nil
			}
			return nil, problem(x.line+1, "%s is written inline; give it a table of its own, [%s]", strings.Join(x.keys, "."), strings.Join(path, "."))
		}
	}
	var b strings.Builder
	b.Write(src)
	if n := len(ls); n > 0 && ls[n-1] != "" {
		b.WriteString(eol)
	}
	if len(bytes.TrimSpace(src)) > 0 {
		b.WriteString(eol)
	}
	b.WriteString("[" + strings.Join(path, ".") + "]" + eol)
	for _, f := range e {
		b.WriteString(f.Key + " = " + tomlValue(f.Value) + eol)
	}
	return []byte(b.String()), nil
}

// fill sets the keys of the table whose header is expression i.
func (t tomlText) fill(src []byte, path []string, e Entry, i int) ([]byte, error) {
	all, ls, eol := expressions(src), lines(src), eolOf(src)
	decoded, err := t.decode(src)
	if err != nil {
		return nil, err
	}
	for _, f := range e {
		keys := append(slices.Clone(path), f.Key)
		got, found := at(decoded, keys)
		if same(got, f.Value) {
			continue
		}
		text := f.Key + " = " + tomlValue(f.Value) + eol
		from := all[i].line + 1
		to := from
		if found {
			j := slices.IndexFunc(all, func(x expression) bool { return !x.header && slices.Equal(x.keys, keys) })
			if j < 0 {
				return nil, problem(from, "%s is not written as one key", strings.Join(keys, "."))
			}
			from, to = all[j].line, end(ls, all, j)
		} else if !strings.HasSuffix(ls[from-1], "\n") {
			text = eol + text
		}
		out := strings.Join(ls[:from], "") + text + strings.Join(ls[to:], "")
		return t.put([]byte(out), path, e)
	}
	return src, nil
}

func (t tomlText) cut(src []byte, path []string, _ int) ([]byte, error) {
	for {
		all, ls := expressions(src), lines(src)
		i := slices.IndexFunc(all, func(x expression) bool { return x.header && below(x.keys, path) })
		if i < 0 {
			break
		}
		last := i
		for last+1 < len(all) && !all[last+1].header {
			last++
		}
		from, to := all[i].line, end(ls, all, last)
		if from > 0 && strings.TrimSpace(ls[from-1]) == "" {
			from--
		}
		src = []byte(strings.Join(ls[:from], "") + strings.Join(ls[to:], ""))
	}
	for _, x := range expressions(src) {
		if !x.header && below(x.keys, path) {
			return nil, problem(x.line+1, "%s is written inline; take it out by hand", strings.Join(path, "."))
		}
	}
	return src, nil
}

// tomlValue is a value on one line.
func tomlValue(v any) string {
	if e, ok := v.(Entry); ok {
		parts := make([]string, len(e))
		for i, f := range e {
			parts[i] = f.Key + " = " + tomlValue(f.Value)
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	}
	return flatJSON(v)
}
