package lang

import (
	"path"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// verdict is whether a condition holds, as far as a file alone tells.
type verdict uint8

const (
	rustNever verdict = iota
	rustMaybe         // that depends on features, flags and whether tests are built
	rustAlways
)

// rustCondition is whether the attributes from attr on leave their item in the usual build, Linux on 64-bit
// x86, and where the file does not tell the condition.
func rustCondition(b *Builder, attr int32) (verdict, string) {
	v, cond := rustAlways, ""
	for ; attr >= 0 && int(attr) < len(b.t.Nodes) && (b.Is(attr, "attribute_item") || b.rule(attr).Do == Comment); attr = int32(b.Node(attr).Next) {
		a := b.Child(attr, "attribute")
		if a < 0 || b.Text(b.First(a)) != "cfg" {
			continue
		}
		args := b.Field(a, "arguments")
		if args < 0 {
			continue
		}
		text := rustInside(b.Text(args))
		switch rustHolds(text, rustTold, 0) {
		case rustNever:
			return rustNever, ""
		case rustMaybe:
			if v = rustMaybe; cond != "" {
				text = "all(" + cond + ", " + text + ")"
			}
			cond = text
		}
	}
	return v, cond
}

// rustConditional notes for symbol sym what the attributes from attr on say of the build.
func rustConditional(b *Builder, attr, sym int32) {
	switch v, cond := rustCondition(b, attr); v {
	case rustNever:
		for i := sym; i >= 0 && int(i) < len(b.F.Symbols); i++ {
			b.F.Symbols[i].Flags |= graph.Unbuilt
		}
	case rustMaybe:
		rustBuiltIf(b, sym, cond)
	}
}

// rustConditionalImports notes the same for the imports from from on.
func rustConditionalImports(b *Builder, attr int32, from int) {
	v, cond := rustCondition(b, attr)
	for i := from; i < len(b.F.Imports); i++ {
		switch v {
		case rustNever:
			b.F.Imports[i].Flags |= graph.UnbuiltImport
		case rustMaybe:
			rustBuiltIf(b, graph.ConditionOfImport(int32(i)), cond)
		}
	}
}

func rustBuiltIf(b *Builder, x int32, cond string) {
	b.Expr(graph.Expr{Op: graph.OpBuilt, X: x, Name: b.Str(strings.Join(strings.Fields(cond), " "))})
}

// rustHolds evaluates a condition of conditional compilation; fact says whether one without parts holds.
func rustHolds(cond string, fact func(key, value string, pair bool) verdict, depth int) verdict {
	cond = strings.TrimSpace(cond)
	if depth > 20 {
		return rustAlways
	}
	if op, rest, ok := strings.Cut(cond, "("); ok && strings.HasSuffix(rest, ")") {
		parts := rustConditions(rest[:len(rest)-1])
		var vs []verdict
		for _, p := range parts {
			vs = append(vs, rustHolds(p, fact, depth+1))
		}
		switch strings.TrimSpace(op) {
		case "not":
			if len(vs) == 0 {
				return rustNever
			}
			return rustAlways - vs[0]
		case "all":
			return slices.Min(append(vs, rustAlways))
		case "any":
			return slices.Max(append(vs, rustNever))
		}
		return rustAlways
	}
	key, value, pair := strings.Cut(cond, "=")
	return fact(strings.TrimSpace(key), strings.Trim(value, "\" "), pair)
}

// rustTold is what every file tells of a condition without parts.
func rustTold(key, value string, pair bool) verdict {
	is := func(holds bool) verdict {
		if holds {
			return rustAlways
		}
		return rustNever
	}
	switch key {
	case "unix", "debug_assertions", "panic", "target_has_atomic":
		return rustAlways
	case "windows":
		return rustNever
	case "feature": // these need a compiler that is not the usual one
		if value == "nightly" || value == "unstable" {
			return rustNever
		}
		return rustMaybe
	case "target_os":
		return is(value == "linux")
	case "target_family":
		return is(value == "unix")
	case "target_arch":
		return is(value == "x86_64")
	case "target_pointer_width":
		return is(value == "64")
	case "target_endian":
		return is(value == "little")
	case "target_env":
		return is(value == "gnu")
	case "target_feature":
		return is(value == "sse" || value == "sse2" || value == "fxsr")
	}
	if pair || rustAbility(key) {
		return rustAlways
	}
	return rustMaybe
}

// rustAbility reports whether a flag of a build script's own, by the way it is named, says that the
// compiler or the system can do something, which the usual ones can.
func rustAbility(flag string) bool {
	for _, p := range [...]string{"has_", "have_", "supports_"} {
		if strings.HasPrefix(flag, p) {
			return true
		}
	}
	return false
}

// macroCondition begins the condition of what a macro was handed: whatever the macro says.
const macroCondition = "macro "

// rustBuilt reports whether the usual build has what stands under a condition: tests are no part of it, of
// the features it has the default ones and, where a crate has a feature for all of it, those of that, of
// flags those that the build script says and that are no matter of an unusual compiler. What stands under a
// condition sees what stands under the same.
func rustBuilt(q BuildQuery, cond string) bool {
	if name, ok := strings.CutPrefix(cond, macroCondition); ok {
		for _, c := range q.Sets(name) {
			if !rustBuilt(q, c) {
				return false
			}
		}
		return true
	}
	dir, known := cargoFolder(q)
	assumed := rustAssumed(q)
	return rustHolds(cond, func(key, value string, pair bool) verdict {
		if v := rustTold(key, value, pair); v != rustMaybe {
			return v
		}
		atom := key + "=" + value
		holds := false
		if v, ok := assumed[atom]; ok {
			holds = v
		} else if key == "feature" {
			holds = !known || len(q.Config(graph.Scope("config", "Cargo.toml"), featureKey+dir+" "+value)) > 0
		} else if key != "test" {
			holds = q.Said(dir, key) && !rustUnusual(key)
		}
		if holds {
			return rustAlways
		}
		return rustNever
	}, 0) == rustAlways
}

// rustUnusual reports whether a flag is named like those for compilers or uses that are not the usual ones.
func rustUnusual(flag string) bool {
	for _, p := range [...]string{"no_", "not_", "nightly", "unstable", "exempt", "doc", "fuzz", "miri", "loom"} {
		if strings.HasPrefix(flag, p) || strings.Contains(flag, "_"+p) {
			return true
		}
	}
	return false
}

// rustAssumed is what the conditions around a mention say of conditions without parts.
func rustAssumed(q BuildQuery) map[string]bool {
	out := map[string]bool{}
	var note func(cond string, holds bool, depth int)
	note = func(cond string, holds bool, depth int) {
		cond = strings.TrimSpace(cond)
		op, rest, ok := strings.Cut(cond, "(")
		if !ok || !strings.HasSuffix(rest, ")") {
			key, value, _ := strings.Cut(cond, "=")
			out[strings.TrimSpace(key)+"="+strings.Trim(value, "\" ")] = holds
			return
		}
		parts := rustConditions(rest[:len(rest)-1])
		switch op = strings.TrimSpace(op); {
		case depth > 20:
		case op == "not" && len(parts) == 1:
			note(parts[0], !holds, depth+1)
		case op == "all" && holds || op == "any" && !holds || len(parts) == 1:
			for _, p := range parts {
				note(p, holds, depth+1)
			}
		}
	}
	for _, cond := range q.Assumed {
		if name, ok := strings.CutPrefix(cond, macroCondition); ok {
			for _, c := range q.Sets(name) {
				note(c, true, 0)
			}
			continue
		}
		note(cond, true, 0)
	}
	return out
}

// cargoFolder is the folder of the crate that the file of q belongs to, where the crate says so.
func cargoFolder(q BuildQuery) (dir string, ok bool) {
	dir = path.Dir(q.From)
	for range 12 {
		if len(q.Config(graph.Scope("config", "Cargo.toml"), packageKey+dir)) > 0 {
			return dir, true
		}
		if dir == "." {
			break
		}
		dir = path.Dir(dir)
	}
	return "", false
}

// rustInside is what a pair of brackets holds.
func rustInside(s string) string {
	if len(s) < 2 {
		return ""
	}
	return s[1 : len(s)-1]
}

// rustConditions parts a list at the commas that no brackets enclose.
func rustConditions(s string) []string {
	var out []string
	depth, from := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, s[from:i])
				from = i + 1
			}
		}
	}
	if strings.TrimSpace(s[from:]) != "" {
		out = append(out, s[from:])
	}
	return out
}
