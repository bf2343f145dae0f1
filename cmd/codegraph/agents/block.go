package agents

import (
	"bytes"
	"strings"
)

// block is a text of any kind with one marked block of lines in it, which is ours. The
// value is a string, the lines between the marks; the path is without meaning.
type block struct{}

// The marks are comments of HTML, which readers of Markdown do not see.
const (
	blockStart = "<!-- codegraph:start -->"
	blockEnd   = "<!-- codegraph:end -->"
)

// blockText tells an agent, and agents that it starts, that the server is there.
const blockText = `## Finding and reading code

This project has an index that is checked against the files before each answer. For
everything inside the code base prefer the tools of the MCP server codegraph over Grep, Glob
and Read, and over grep, rg, find and cat in a shell:

- ` + "`codebase_explore`" + `: how something works, who calls it, what a change would touch
- ` + "`grep`" + `: exact text, definitions (` + "`in: symbols`" + `), uses of a symbol (` + "`in: references`" + `)
- ` + "`read_open`" + `: files, line ranges and symbols by name
- ` + "`read_discover`" + `: files and folders by name, glob or language

Without MCP the same is at hand in a shell: ` + "`codegraph explore`, `grep`, `open`, `discover`" + `.
`

// span is where the block is, marks included; ok is false if there is none.
func (block) span(src []byte) (from, to int, ok bool, err error) {
	from = bytes.Index(src, []byte(blockStart))
	to = bytes.Index(src, []byte(blockEnd))
	switch {
	case from < 0 && to < 0:
		return 0, 0, false, nil
	case from < 0 || to < from:
		return 0, 0, false, problem(lineAt(src, max(from, to)), "one of the marks %s and %s is missing", blockStart, blockEnd)
	}
	return from, to + len(blockEnd), true, nil
}

// decode is a map of what is before, in and after the block; what is white space beside the
// block counts for nothing.
func (b block) decode(src []byte) (any, error) {
	from, to, ok, err := b.span(src)
	if err != nil {
		return nil, err
	}
	if !ok {
		return map[string]any{"rest": strings.TrimSpace(string(src))}, nil
	}
	inner := string(src[from+len(blockStart) : to-len(blockEnd)])
	rest := strings.TrimRight(string(src[:from]), "\r\n") + "\n" + strings.TrimLeft(string(src[to:]), "\r\n")
	return map[string]any{"rest": strings.TrimSpace(rest), "block": strings.ReplaceAll(strings.TrimLeft(inner, "\r\n"), "\r\n", "\n")}, nil
}

func (b block) put(src []byte, path []string, v any) ([]byte, error) {
	text, _ := v.(string)
	eol := eolOf(src)
	text = blockStart + eol + strings.ReplaceAll(text, "\n", eol) + blockEnd
	from, to, ok, err := b.span(src)
	if err != nil {
		return nil, err
	}
	if ok {
		return splice(src, from, to, text), nil
	}
	lead := ""
	if n := len(src); n > 0 {
		if src[n-1] != '\n' {
			lead = eol
		}
		lead += eol
	}
	return splice(src, len(src), len(src), lead+text+eol), nil
}

func (b block) cut(src []byte, _ []string, _ int) ([]byte, error) {
	from, to, ok, err := b.span(src)
	if err != nil || !ok {
		return src, err
	}
	eol := eolOf(src)
	if bytes.HasPrefix(src[to:], []byte(eol)) {
		to += len(eol)
	}
	if from == len(eol) && bytes.HasPrefix(src, []byte(eol)) || bytes.HasSuffix(src[:from], []byte(eol+eol)) {
		from -= len(eol)
	}
	return splice(src, from, to, ""), nil
}
