package main

import (
	"regexp"
	"strings"
)

var (
	generics   = regexp.MustCompile(`<[^<>]*>|\[[^\[\]]*\]`)
	separators = regexp.MustCompile(`::|[.#\\/]`)
)

// containerParts splits an owner at any of the separators that languages use. Type
// parameters and pointer marks are no part of a name. A companion object is transparent:
// its members are reached through its owner.
func containerParts(s string) []string {
	for t := ""; t != s; {
		t, s = s, generics.ReplaceAllString(s, "")
	}
	var out []string
	for _, p := range separators.Split(s, -1) {
		if p = strings.Trim(p, "*& ()"); p != "" && p != "Companion" {
			out = append(out, p)
		}
	}
	return out
}

// nameParts splits a name that carries its owner (Crane::Hook, Type.Method). Names made
// of signs stay whole.
func nameParts(s string) []string {
	if strings.HasPrefix(s, "operator") {
		return []string{strings.ReplaceAll(s, " ", "")}
	}
	if i := strings.LastIndex(s, "::operator"); i >= 0 {
		return append(containerParts(s[:i]), nameParts(s[i+2:])...)
	}
	parts := strings.Split(strings.ReplaceAll(s, "::", "."), ".")
	for _, p := range parts {
		if p == "" {
			return []string{s}
		}
	}
	return parts
}

// qualified is the full path of a name below its container.
func qualified(container, name string) []string {
	return append(containerParts(container), nameParts(name)...)
}

// sameName reports whether a reported symbol is the one a case names. The shorter path has
// to be a tail of the longer; a name with an owner never matches one without.
func sameName(want, got []string) bool {
	n := min(len(want), len(got))
	if n == 0 || len(want) > 1 && n < 2 {
		return false
	}
	for i := 1; i <= n; i++ {
		if want[len(want)-i] != got[len(got)-i] {
			return false
		}
	}
	return true
}

// kindNames folds spellings of one kind.
var kindNames = map[string]string{
	"enummember": "enum_member", "enumerator": "enum_member", "enum_constant": "enum_member", "const": "constant", "var": "variable",
	"typedef": "type", "type_alias": "type", "alias": "type", "getter": "accessor", "setter": "accessor", "func": "function",
}

func kindName(s string) string {
	s = strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(s)))
	if n, ok := kindNames[s]; ok {
		return n
	}
	return s
}

// kindSet is a set of folded kinds; the empty set holds every kind.
type kindSet map[string]bool

func kindsOf(v any) kindSet {
	set := kindSet{}
	for _, k := range texts(v) {
		set[kindName(k)] = true
	}
	return set
}

func (s kindSet) has(kind string) bool { return len(s) == 0 || s[kindName(kind)] }

// kindWords reads "functions, methods and classes".
func kindWords(s string) kindSet {
	set := kindSet{}
	for _, w := range regexp.MustCompile(`[,\s]+`).Split(strings.ToLower(s), -1) {
		switch {
		case w == "" || w == "and" || w == "all" || w == "or":
		case strings.HasSuffix(w, "sses"):
			set[kindName(strings.TrimSuffix(w, "es"))] = true
		case strings.HasSuffix(w, "ies"):
			set[kindName(strings.TrimSuffix(w, "ies")+"y")] = true
		default:
			set[kindName(strings.TrimSuffix(w, "s"))] = true
		}
	}
	return set
}

func callable(kind string) bool {
	switch kindName(kind) {
	case "function", "method", "constructor", "destructor", "accessor", "operator", "property":
		return true
	}
	return false
}
