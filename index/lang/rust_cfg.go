package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// rustUnbuilt reports whether the attributes from attr on leave their item out of the usual build:
// Linux on 64-bit x86, all features but unstable ones, of the flags of a build script's own those that name abilities.
func rustUnbuilt(b *Builder, attr int32) bool {
	for ; attr >= 0 && int(attr) < len(b.t.Nodes) && (b.Is(attr, "attribute_item") || b.rule(attr).Do == Comment); attr = int32(b.Node(attr).Next) {
		if a := b.Child(attr, "attribute"); a >= 0 && b.Text(b.First(a)) == "cfg" {
			if args := b.Field(a, "arguments"); args >= 0 && !rustHolds(rustInside(b.Text(args)), 0) {
				return true
			}
		}
	}
	return false
}

// rustMarkUnbuilt marks the symbols from sym on as left out.
func rustMarkUnbuilt(b *Builder, sym int32) {
	for i := sym; i >= 0 && int(i) < len(b.F.Symbols); i++ {
		b.F.Symbols[i].Flags |= graph.Unbuilt
	}
}

// rustHolds evaluates a condition of conditional compilation.
func rustHolds(cond string, depth int) bool {
	cond = strings.TrimSpace(cond)
	if depth > 20 {
		return true
	}
	if op, rest, ok := strings.Cut(cond, "("); ok && strings.HasSuffix(rest, ")") {
		parts := rustConditions(rest[:len(rest)-1])
		switch strings.TrimSpace(op) {
		case "not":
			return len(parts) > 0 && !rustHolds(parts[0], depth+1)
		case "all":
			for _, p := range parts {
				if !rustHolds(p, depth+1) {
					return false
				}
			}
			return true
		case "any":
			for _, p := range parts {
				if rustHolds(p, depth+1) {
					return true
				}
			}
			return false
		}
		return true
	}
	key, value, ok := strings.Cut(cond, "=")
	key, value = strings.TrimSpace(key), strings.Trim(value, "\" ")
	switch key {
	case "test", "unix", "debug_assertions", "panic":
		return true
	case "feature": // these need a compiler that is not the usual one
		return value != "nightly" && value != "unstable"
	case "target_os":
		return value == "linux"
	case "target_family":
		return value == "unix"
	case "target_arch":
		return value == "x86_64"
	case "target_pointer_width":
		return value == "64"
	case "target_endian":
		return value == "little"
	}
	return ok || rustAbility(key)
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
