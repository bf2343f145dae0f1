package lang

import (
	"bytes"
	"strings"
)

// Condition is a stretch of a source, by byte offsets, that a build has only if all of When hold:
// conditions as they are written, but a macro that must be defined by its name alone, and with
// "not" before what must not hold.
type Condition struct {
	Start, End uint32
	When       []string
}

// cConditions are the conditional stretches of a source with a preprocessor like C's, outer ones
// before what stands in them. A guard against a second inclusion is none.
func cConditions(src []byte) []Condition {
	if !bytes.Contains(src, []byte("if")) || !bytes.Contains(src, []byte("#")) {
		return nil
	}
	return cConditionsAmong(src, cScan(src))
}

// cConditionsAmong are the conditional stretches of a source that is split into tokens.
func cConditionsAmong(src []byte, toks []cToken) []Condition {
	type group struct {
		open   int      // of the branch being read, an index into out; -1 in a guard
		before []string // conditions of the branches before
	}
	var out []Condition
	var groups []group
	var last cToken // the directive before
	begin := func(g *group, at int, when string) {
		var all []string
		if when != "" {
			all = append(all, when)
		}
		for i := len(g.before) - 1; i >= 0; i-- { // the nearest first
			all = append(all, negated(g.before[i]))
		}
		g.open = len(out)
		out = append(out, Condition{Start: uint32(at), End: uint32(len(src)), When: all})
		g.before = append(g.before, when)
	}
	for _, tok := range toks {
		if tok.kind != '#' {
			continue
		}
		word, rest := cDirective(src[tok.from:tok.to])
		when := conditionText(word, rest)
		top := len(groups) - 1
		switch word {
		case "if", "ifdef", "ifndef":
			groups = append(groups, group{})
			begin(&groups[top+1], tok.to, when)
		case "elif", "elifdef", "elifndef", "else":
			if top < 0 {
				break
			}
			g := &groups[top]
			if g.open >= 0 {
				out[g.open].End = uint32(tok.from)
			}
			begin(g, tok.to, when)
		case "endif":
			if top < 0 {
				break
			}
			if g := &groups[top]; g.open >= 0 {
				out[g.open].End = uint32(tok.from)
			}
			groups = groups[:top]
		case "define":
			if guard, of := cDirective(src[last.from:max(last.to, last.from+1)]); top == 0 && guard == "ifndef" && cFirstWord(of) == cFirstWord(rest) && groups[0].open == len(out)-1 {
				out = out[:len(out)-1]
				groups[0].open = -1
			}
		}
		last = tok
	}
	return out
}

// conditionText is what a directive asks, on one line and without its comments.
func conditionText(word, rest string) string {
	for {
		from := strings.Index(rest, "/*")
		if from < 0 {
			break
		}
		to := strings.Index(rest[from:], "*/")
		if to < 0 {
			rest = rest[:from]
			break
		}
		rest = rest[:from] + " " + rest[from+to+2:]
	}
	rest, _, _ = strings.Cut(rest, "//")
	rest = strings.Join(strings.Fields(strings.ReplaceAll(rest, "\\\n", " ")), " ")
	switch word {
	case "ifndef", "elifndef":
		return "not " + cFirstWord(rest)
	case "ifdef", "elifdef":
		return cFirstWord(rest)
	}
	of, not := strings.CutPrefix(rest, "!")
	if name, ok := strings.CutPrefix(of, "defined"); ok {
		name = strings.TrimSpace(name)
		if in, ok := strings.CutPrefix(name, "("); ok {
			name = strings.TrimSpace(strings.TrimSuffix(in, ")"))
		}
		if name != "" && cFirstWord(name) == name && not {
			return "not " + name
		} else if name != "" && cFirstWord(name) == name {
			return name
		}
	}
	return rest
}

// negated says that a condition must not hold.
func negated(when string) string {
	if of, ok := strings.CutPrefix(when, "not "); ok && cFirstWord(of) == of {
		return of
	}
	if cFirstWord(when) == when {
		return "not " + when
	}
	return "not (" + when + ")"
}
