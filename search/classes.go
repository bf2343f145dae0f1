package search

import (
	"strings"
	"sync"
	"unicode"
)

// wordSet is \w: Alphabetic, M, Nd, Pc and Join_Control (UTS 18, annex C).
// Built on first use; never changed afterwards.
var wordSet = sync.OnceValue(func() runeSet {
	var s runeSet
	for _, t := range []*unicode.RangeTable{
		unicode.L, unicode.Nl, unicode.Other_Alphabetic,
		unicode.M, unicode.Nd, unicode.Pc, unicode.Join_Control,
	} {
		s = s.addTable(t)
	}
	return s.normal()
})

// digitSet is \d.
var digitSet = sync.OnceValue(func() runeSet { return runeSet(nil).addTable(unicode.Nd).normal() })

// spaceSet is \s.
var spaceSet = sync.OnceValue(func() runeSet { return runeSet(nil).addTable(unicode.White_Space).normal() })

// anySet is every code point.
func anySet() runeSet { return runeSet(nil).negate() }

// isWordRune reports whether r is a word character, fast for ASCII.
func isWordRune(r rune) bool {
	if r < 0x80 {
		return isWordByte(byte(r))
	}
	return wordSet().has(r)
}

// isWordByte reports whether an ASCII byte is a word character.
func isWordByte(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// perlClass returns the set of \d, \s, \w or one of their negations.
func perlClass(c byte) (runeSet, bool) {
	var s runeSet
	switch c | 0x20 {
	case 'd':
		s = digitSet()
	case 's':
		s = spaceSet()
	case 'w':
		s = wordSet()
	default:
		return nil, false
	}
	if c < 'a' {
		return s.negate(), true
	}
	return s, true
}

// posixClasses are the ASCII classes of [[:name:]].
var posixClasses = map[string]runeSet{
	"alnum":  {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}},
	"alpha":  {{'A', 'Z'}, {'a', 'z'}},
	"ascii":  {{0, 0x7F}},
	"blank":  {{'\t', '\t'}, {' ', ' '}},
	"cntrl":  {{0, 0x1F}, {0x7F, 0x7F}},
	"digit":  {{'0', '9'}},
	"graph":  {{'!', '~'}},
	"lower":  {{'a', 'z'}},
	"print":  {{' ', '~'}},
	"punct":  {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}},
	"space":  {{'\t', '\r'}, {' ', ' '}},
	"upper":  {{'A', 'Z'}},
	"word":   {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}},
	"xdigit": {{'0', '9'}, {'A', 'F'}, {'a', 'f'}},
}

// unicodeClass returns the set of \p{name}: a general category, a script, a
// property, a category's long name, Any, ASCII or Assigned. Names are compared
// without regard to case, spaces, hyphens and underscores.
func unicodeClass(name string) (runeSet, bool) {
	switch looseName(name) {
	case "any":
		return anySet(), true
	case "ascii":
		return posixClasses["ascii"], true
	case "alphabetic", "alpha":
		return unionOf(unicode.L, unicode.Nl, unicode.Other_Alphabetic), true
	case "lowercase", "lower":
		return unionOf(unicode.Ll, unicode.Other_Lowercase), true
	case "uppercase", "upper":
		return unionOf(unicode.Lu, unicode.Other_Uppercase), true
	case "assigned":
		return unionOf(unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.C), true
	}
	for _, tables := range []map[string]*unicode.RangeTable{unicode.Categories, unicode.Scripts, unicode.Properties} {
		if t := findTable(tables, name); t != nil {
			return unionOf(t), true
		}
	}
	for alias, short := range unicode.CategoryAliases {
		if looseName(alias) == looseName(name) {
			return unionOf(unicode.Categories[short]), true
		}
	}
	return nil, false
}

// unionOf returns the normal union of Unicode tables.
func unionOf(tables ...*unicode.RangeTable) runeSet {
	var s runeSet
	for _, t := range tables {
		s = s.addTable(t)
	}
	return s.normal()
}

// findTable looks a name up, first as written and then loosely.
func findTable(tables map[string]*unicode.RangeTable, name string) *unicode.RangeTable {
	if t := tables[name]; t != nil {
		return t
	}
	for k, t := range tables {
		if looseName(k) == looseName(name) {
			return t
		}
	}
	return nil
}

// looseName drops what Unicode ignores when it compares property names.
func looseName(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}
