package lang

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// What a macro is handed whole may be built under a condition that the macro sets: rustUnwrap took the
// items out of it, and here they get the condition. A build script says what flags it sets.

// rustFinish notes the conditions of items that macros were handed, those that macros set, and the flags
// that a build script says.
func rustFinish(b *Builder) {
	for i := int32(0); int(i) < len(b.t.Nodes); i++ {
		switch b.Kind(i) {
		case "macro_invocation":
			rustHanded(b, i)
		case "string_literal":
			if !rustByFeature(b.src[:b.Off(i)]) {
				rustSays(b, b.Text(i))
			}
		}
	}
	for i := range b.F.Symbols {
		if s := &b.F.Symbols[i]; s.Kind == graph.Macro {
			if cond := rustSets(b.src[s.Start:s.End]); cond != "" {
				b.Expr(graph.Expr{Op: graph.OpBuilt, N: graph.SetsCondition, X: int32(i), Name: b.Str(cond)})
			}
		}
	}
}

// rustHanded gives what the macro at n was handed the condition that the macro sets.
func rustHanded(b *Builder, n int32) {
	whole, nd := b.t.Whole, b.Node(n)
	m := b.Field(n, "macro")
	if m < 0 || len(whole) != len(b.src) || !b.Is(m, "identifier") || !bytes.HasSuffix(b.t.Text(n), []byte("!{}")) {
		return
	}
	l := rustLexer{src: whole}
	open := l.skip(int(nd.Start)+len(b.Text(m)), len(whole))
	if open < len(whole) && whole[open] == '!' {
		open = l.skip(open+1, len(whole))
	}
	if open >= len(whole) || whole[open] != '{' || b.src[open] == '{' {
		return
	}
	from, to := uint32(open), uint32(l.match(open, len(whole)))
	cond := macroCondition + b.Text(m)
	if own := rustInnerCondition(l, open+1, int(to)); own != "" {
		cond = own
	}
	for i := range b.F.Symbols {
		s := &b.F.Symbols[i]
		if s.Start > from && s.Start < to && (s.Container < 0 || b.F.Symbols[s.Container].Start < from) {
			rustBuiltIf(b, int32(i), cond)
		}
	}
	for i := range b.F.Imports {
		if at := max(b.F.Imports[i].NameOff, b.F.Imports[i].ModuleOff); at > from && at < to {
			rustBuiltIf(b, graph.ConditionOfImport(int32(i)), cond)
		}
	}
}

// rustInnerCondition is the condition that the attribute at the beginning of what a macro is handed spells.
func rustInnerCondition(l rustLexer, i, to int) string {
	for _, mark := range [...]byte{'#', '!', '['} {
		if i = l.skip(i, to); i >= to || l.src[i] != mark {
			return ""
		}
		i++
	}
	text := strings.Join(strings.Fields(string(l.src[i:l.match(i-1, to)])), " ")
	if inside, ok := strings.CutPrefix(text, "cfg("); ok {
		return strings.TrimSuffix(inside, ")")
	}
	for _, p := range [...]string{"feature", "all(", "any(", "not(", "target_"} {
		if strings.HasPrefix(text, p) {
			return text
		}
	}
	return ""
}

var (
	rustItems   = regexp.MustCompile(`\$\w+\s*:\s*(?:item|tt)\b`)
	rustCfgOpen = regexp.MustCompile(`#\s*\[\s*cfg\s*\(`)
)

// rustSets is the condition that a macro gives the items that it is handed, if it does so.
func rustSets(text []byte) string {
	at := rustCfgOpen.FindIndex(text)
	if at == nil || !rustItems.Match(text[:at[0]]) {
		return ""
	}
	l := rustLexer{src: text}
	cond := strings.Join(strings.Fields(string(text[at[1]:l.match(at[1]-1, len(text))])), " ")
	if strings.Contains(cond, "$") { // what the use says
		return ""
	}
	return cond
}

// rustByFeature reports whether what is said at the end of text is said only for a feature or a compiler that
// is not the usual one.
func rustByFeature(text []byte) bool {
	text = text[max(0, len(text)-300):]
	i := bytes.LastIndex(text, []byte("if "))
	if i < 0 {
		return false
	}
	if end := bytes.IndexByte(text[i:], '{'); end > 0 {
		text = text[i : i+end]
	}
	for _, either := range bytes.Split(text, []byte("||")) {
		if !rustUncommon.Match(rustUncommonNot.ReplaceAll(either, nil)) {
			return false
		}
	}
	return true
}

var (
	rustUncommon    = regexp.MustCompile(`feature|FEATURE|nightly|unstable|exempt`)
	rustUncommonNot = regexp.MustCompile(`!\s*[\w.]*(?:nightly|unstable|exempt)`)
)

// rustSays notes the flag that a build script's line of output sets.
func rustSays(b *Builder, text string) {
	text = strings.Trim(text, `"`)
	for _, p := range [...]string{"cargo:rustc-cfg=", "cargo::rustc-cfg="} {
		if flag, ok := strings.CutPrefix(text, p); ok && flag != "" && !strings.ContainsAny(flag, `{}\`) {
			b.Expr(graph.Expr{Op: graph.OpBuilt, N: graph.SaysOfBuild, X: graph.None, Name: b.Str(flag)})
		}
	}
}
