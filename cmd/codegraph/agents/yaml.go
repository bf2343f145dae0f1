package agents

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// yamlText is YAML of one document. Values go in as lines; where a parent is written in
// flow style they go in on its line.
type yamlText struct{}

var yamlPlace = regexp.MustCompile(`^yaml: (?:unmarshal errors:\s*)?line (\d+): (.*)$`)

func yamlProblem(err error) error {
	if m := yamlPlace.FindStringSubmatch(err.Error()); m != nil {
		line, _ := strconv.Atoi(m[1])
		return problem(line, "%s", m[2])
	}
	return problem(1, "%s", strings.TrimPrefix(err.Error(), "yaml: ")) // the decoder leaves the first line out
}

// parseYAML is the top node of the only document; nil if there is nothing but comments.
func parseYAML(src []byte) (*yaml.Node, error) {
	if i := oddBreak(src); i >= 0 {
		return nil, problem(lineAt(src, i), "a line ends with something else than a line feed")
	}
	d := yaml.NewDecoder(bytes.NewReader(src))
	var doc, more yaml.Node
	if err := d.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, yamlProblem(err)
	}
	if err := d.Decode(&more); !errors.Is(err, io.EOF) {
		if err != nil {
			return nil, yamlProblem(err)
		}
		return nil, problem(more.Line, "there is more than one document")
	}
	top := doc.Content[0]
	if top.Kind == yaml.ScalarNode && top.ShortTag() == "!!null" && top.Value == "" {
		return nil, nil
	}
	if top.Kind != yaml.MappingNode {
		return nil, problem(top.Line, "the whole is no mapping")
	}
	return top, nil
}

// oddBreak is where a line ends in a way that YAML knows and editors do not, or -1: positions
// in such a text do not mean the same to both.
func oddBreak(src []byte) int {
	if i := bytes.IndexAny(src, "\u0085\u2028\u2029"); i >= 0 {
		return i
	}
	for i, c := range src {
		if c == '\r' && (i+1 == len(src) || src[i+1] != '\n') {
			return i
		}
	}
	return -1
}

func (yamlText) decode(src []byte) (any, error) {
	top, err := parseYAML(src)
	if top == nil || err != nil {
		return nil, err
	}
	var v map[string]any
	if err := top.Decode(&v); err != nil {
		return nil, yamlProblem(err)
	}
	return v, nil
}

// place is a node on the way down: its key (nil at the top and in a list) and the 0-based
// line at which what follows it begins.
type place struct {
	key, node *yaml.Node
	limit     int
}

// child is the value of a key of a mapping, or the element of that name of a list.
func child(p place, key string) (place, bool) {
	n := p.node
	step := 2
	if n.Kind == yaml.SequenceNode {
		step = 1
	}
	for i := 0; i+step <= len(n.Content); i += step {
		c := place{node: n.Content[i], limit: p.limit}
		if step == 2 {
			c.key, c.node = n.Content[i], n.Content[i+1]
		}
		if i+step < len(n.Content) {
			c.limit = n.Content[i+step].Line - 1
		}
		if step == 2 && c.key.Value == key || step == 1 && nameOf(c.node) == key {
			return c, true
		}
	}
	return place{}, false
}

// nameOf is the name of an element of a list.
func nameOf(n *yaml.Node) string {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == "name" {
			return n.Content[i+1].Value
		}
	}
	return ""
}

// find follows a path as far as it goes.
func find(src []byte, path []string) (p place, have int, err error) {
	top, err := parseYAML(src)
	if top == nil || err != nil {
		return place{}, 0, err
	}
	p = place{node: top, limit: len(lines(src))}
	for i, l := range lines(src) {
		if strings.TrimRight(l, "\r\n") == "..." {
			p.limit = i
		}
	}
	for have < len(path) {
		next, ok := child(p, path[have])
		if !ok {
			return p, have, nil
		}
		if next.node.Kind == yaml.AliasNode {
			return p, have, problem(next.node.Line, "%s is an alias; edit it by hand", strings.Join(path[:have+1], "."))
		}
		p, have = next, have+1
	}
	return p, have, nil
}

func (y yamlText) put(src []byte, path []string, v any) ([]byte, error) {
	eol := eolOf(src)
	if n := len(src); n > 0 && src[n-1] != '\n' {
		src = append(bytes.Clone(src), eol...)
	}
	p, have, err := find(src, path)
	switch {
	case err != nil:
		return nil, err
	case p.node == nil:
		return append(bytes.Clone(src), blockYAML(wrap(path, v).(Entry), "", eol)...), nil
	case have < len(path):
		return insertYAML(src, p, path[have], wrap(path[have+1:], v))
	}
	decoded, err := y.decode(src)
	if err != nil {
		return nil, err
	}
	if got, _ := at(decoded, path); holds(got, v) {
		return src, nil
	}
	if e, ok := v.(Entry); ok && p.node.Kind == yaml.MappingNode {
		for _, f := range e {
			if got, _ := at(decoded, append(path[:len(path):len(path)], f.Key)); !same(got, f.Value) {
				if src, err = y.put(src, append(path[:len(path):len(path)], f.Key), f.Value); err != nil {
					return nil, err
				}
			}
		}
		return src, nil
	}
	if out, ok := swapScalar(src, p.node, v); ok {
		return out, nil
	}
	out, err := cutLines(src, p)
	if err != nil {
		return nil, err
	}
	return y.put(out, path, v)
}

// swapScalar replaces a scalar of one line by another value of one line, where it stands.
func swapScalar(src []byte, n *yaml.Node, v any) ([]byte, bool) {
	if _, ok := v.(Entry); ok || n.Kind != yaml.ScalarNode || n.Anchor != "" {
		return nil, false
	}
	from := offset(src, n)
	for _, token := range []string{n.Value, `"` + n.Value + `"`, "'" + n.Value + "'"} {
		if token != "" && bytes.HasPrefix(src[from:], []byte(token)) {
			return splice(src, from, from+len(token), flatYAML(v)), true
		}
	}
	return nil, false
}

// offset is where a node begins.
func offset(src []byte, n *yaml.Node) int {
	off := 0
	for range n.Line - 1 {
		off += 1 + bytes.IndexByte(src[off:], '\n')
	}
	for range n.Column - 1 {
		_, size := utf8.DecodeRune(src[off:])
		off += size
	}
	return off
}

// indentOf is the column of a child of a block collection: of its key, or of its dash.
func indentOf(src []byte, n *yaml.Node) int {
	first := n.Content[0]
	if n.Kind == yaml.MappingNode {
		return first.Column - 1
	}
	off := offset(src, first)
	return bytes.LastIndexByte(src[lineStart(src, off):off], '-')
}

// bottom is the line before which a further line of a block with that indentation goes:
// before what follows, but after the comments that are as deep as the block.
func bottom(ls []string, limit, first, indent int) int {
	for limit > first {
		line := ls[limit-1]
		text := strings.TrimSpace(line)
		if text != "" && (text[0] != '#' || strings.IndexByte(line, '#') >= indent) {
			break
		}
		limit--
	}
	return limit
}

// insertYAML adds a key to the collection at p.
func insertYAML(src []byte, p place, key string, v any) ([]byte, error) {
	n, eol := p.node, eolOf(src)
	base, first := 0, n.Line
	if p.key != nil {
		base, first = p.key.Column+1, p.key.Line
	}
	list := n.Kind == yaml.SequenceNode
	switch {
	case n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null":
		if n.Value != "" {
			from := offset(src, n)
			src = splice(src, from, from+len(n.Value), "")
		}
	case n.Kind != yaml.MappingNode && !list:
		return nil, problem(n.Line, "%s is no mapping", p.key.Value)
	case n.Style&yaml.FlowStyle != 0:
		from := offset(src, n)
		if len(n.Content) > 0 {
			return splice(src, from+1, from+1, flowItem(key, v, list)+", "), nil
		}
		to := from + 1 + bytes.IndexAny(src[from:], "}]")
		src = splice(src, from, to, "")
		if p.key == nil && len(bytes.TrimSpace(bytes.Split(src[lineStart(src, from):], []byte("\n"))[0])) == 0 {
			src = splice(src, lineStart(src, from), from, "")
			first-- // the text takes the place of the braces
		}
	default:
		base = indentOf(src, n)
	}
	ls := lines(src)
	line := bottom(ls, min(p.limit, len(ls)), min(first, len(ls)), base)
	text := blockYAML(Entry{{key, v}}, strings.Repeat(" ", base), eol)
	if list {
		text = itemYAML(key, v, strings.Repeat(" ", base), eol)
	}
	return []byte(strings.Join(ls[:line], "") + text + strings.Join(ls[line:], "")), nil
}

func (y yamlText) cut(src []byte, path []string, keep int) ([]byte, error) {
	p, have, err := find(src, path)
	if err != nil || have < len(path) {
		return src, err
	}
	parent, _, err := find(src, path[:len(path)-1])
	if err != nil {
		return nil, err
	}
	if parent.node.Style&yaml.FlowStyle != 0 {
		return cutFlow(src, parent.node, p, path[len(path)-1])
	}
	only := len(parent.node.Content) <= 2 && parent.node.Kind == yaml.MappingNode || len(parent.node.Content) == 1
	if only && len(path)-1 > keep {
		return y.cut(src, path[:len(path)-1], keep)
	}
	if src, err = cutLines(src, p); err != nil || !only || parent.key == nil {
		return src, err
	}
	k := offset(src, parent.key)
	colon := k + bytes.IndexByte(src[k:], ':') + 1
	return splice(src, colon, colon, " "+map[yaml.Kind]string{yaml.MappingNode: "{}", yaml.SequenceNode: "[]"}[parent.node.Kind]), nil
}

// cutLines is the text without the lines of a key or an element of a block.
func cutLines(src []byte, p place) ([]byte, error) {
	ls := lines(src)
	from, indent := p.node.Line-1, 0
	if p.key != nil {
		from, indent = p.key.Line-1, p.key.Column-1
	} else {
		indent = strings.IndexByte(ls[from], '-')
	}
	to := bottom(ls, min(p.limit, len(ls)), from+1, indent+1)
	if lead := strings.TrimSpace(ls[from][:min(indent, len(ls[from]))]); lead != "" {
		return nil, problem(from+1, "it shares its line with something else; edit it by hand")
	}
	return []byte(strings.Join(ls[:from], "") + strings.Join(ls[to:], "")), nil
}

// cutFlow takes a value out of a collection in flow style, if it is written as put writes it.
func cutFlow(src []byte, parent *yaml.Node, p place, key string) ([]byte, error) {
	var v any
	if err := p.node.Decode(&v); err != nil {
		return nil, yamlProblem(err)
	}
	from := offset(src, parent)
	rest := src[from+1:]
	i := bytes.Index(rest, []byte(", "))
	for ; i >= 0 && i < len(rest); i++ {
		if !bytes.HasPrefix(rest[i:], []byte(", ")) {
			continue
		}
		var got any
		text := rest[:i]
		if parent.Kind == yaml.MappingNode {
			text = []byte("{" + string(text) + "}")
		}
		if yaml.Unmarshal(text, &got) != nil {
			continue
		}
		if m, ok := got.(map[string]any); ok && (len(m) == 1 && same(m[key], v) || same(got, v)) {
			return splice(src, from+1, from+1+i+2, ""), nil
		}
	}
	return nil, problem(parent.Line, "%s is written in flow style; take it out by hand", key)
}

// blockYAML is an entry as lines.
func blockYAML(e Entry, indent, eol string) string {
	var b strings.Builder
	for _, f := range e {
		b.WriteString(indent + wordYAML(f.Key) + ":")
		if sub, ok := f.Value.(Entry); ok && len(sub) > 0 {
			b.WriteString(eol + blockYAML(sub, indent+"  ", eol))
			continue
		}
		b.WriteString(" " + flatYAML(f.Value) + eol)
	}
	return b.String()
}

// itemYAML is an entry as an element of a list that has a name.
func itemYAML(name string, v any, indent, eol string) string {
	e, _ := v.(Entry)
	text := blockYAML(append(Entry{{"name", name}}, e...), indent+"  ", eol)
	return indent + "- " + text[len(indent)+2:]
}

func flowItem(key string, v any, list bool) string {
	if list {
		e, _ := v.(Entry)
		return flatYAML(append(Entry{{"name", key}}, e...))
	}
	return wordYAML(key) + ": " + flatYAML(v)
}

// flatYAML is a value on one line.
func flatYAML(v any) string { return flat(v, wordYAML) }

var plainWord = regexp.MustCompile(`^[A-Za-z_/][A-Za-z0-9_./-]*$`)

// wordYAML is a string, without quotes if it means itself.
func wordYAML(s string) string {
	var v any
	if plainWord.MatchString(s) && yaml.Unmarshal([]byte(s), &v) == nil && v == any(s) {
		return s
	}
	return quote(s)
}
