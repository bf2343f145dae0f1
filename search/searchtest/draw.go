package searchtest

import (
	"strings"
	"unicode/utf16"

	"pgregory.net/rapid"

	"github.com/codegraph-dev/codegraph/search"
)

// pieces are what texts are put together from: few, so that patterns meet them,
// and with everything that makes case and encodings hard.
var pieces = []string{
	"a", "b", "ab", "abc", "foo", "Foo", "FOO", "bar", "k", "K", "\u212A", "s", "S", "ſ", "ß", "σ", "ς", "Σ", "é", "É", "e\u0301",
	" ", "  ", "\n", "\n\n", "\r\n", "\r", "\t", "_", "-", ".", "(", "0", "42", "日本", "😀", "\xff", "\xe9", "\xc3", "x",
}

// DrawText draws the raw bytes of a file: LF or CRLF, with and without byte
// order mark, UTF-16, invalid UTF-8, sometimes binary.
func DrawText(t *rapid.T) []byte {
	text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40).Draw(t, "text"), "")
	switch rapid.IntRange(0, 11).Draw(t, "encoding") {
	case 0:
		text = "\xEF\xBB\xBF" + text
	case 1, 2:
		return utf16Bytes(text, rapid.Bool().Draw(t, "big"))
	case 3:
		text += "\x00foo"
	}
	return []byte(text)
}

// utf16Bytes encodes a text with a byte order mark.
func utf16Bytes(text string, big bool) []byte {
	var out []byte
	for _, u := range append([]uint16{0xFEFF}, utf16.Encode([]rune(text))...) {
		if big {
			out = append(out, byte(u>>8), byte(u))
		} else {
			out = append(out, byte(u), byte(u>>8))
		}
	}
	return out
}

// atoms are what patterns are put together from.
var atoms = []string{
	"a", "b", "c", "ab", "abc", "foo", "Foo", "oo", "bar", "k", "K", "s", "ss", "ß", "σ", "Σ", "é", "日", "😀", "x", " ", "42",
	".", `\w`, `\W`, `\d`, `\s`, `\S`, `\D`, "[a-c]", "[^a]", "[fF]", "[ks]", `[\w-]`, "(?i:foo)", "(?i:k)", "(?i:e.x|ex)", "(?s:.)",
	"^", "$", `\b`, `\B`, `\n`, `\r`, `\pL`, `\x{212A}`, "(?i)", "",
}

// DrawPattern draws a regular expression.
func DrawPattern(t *rapid.T) string {
	return drawPattern(t, 3)
}

// drawPattern draws one of limited depth.
func drawPattern(t *rapid.T, depth int) string {
	if depth == 0 {
		return rapid.SampledFrom(atoms).Draw(t, "atom")
	}
	switch rapid.IntRange(0, 7).Draw(t, "form") {
	case 0:
		return drawPattern(t, depth-1) + "|" + drawPattern(t, depth-1)
	case 1, 2, 3, 4:
		return drawPattern(t, depth-1) + drawPattern(t, depth-1)
	case 5:
		return "(?:" + drawPattern(t, depth-1) + ")" + rapid.SampledFrom([]string{"*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{2,}", "{0,1}"}).Draw(t, "count")
	case 6:
		return "(" + drawPattern(t, depth-1) + ")"
	}
	return rapid.SampledFrom(atoms).Draw(t, "atom")
}

// DrawOptions draws a pattern with options.
func DrawOptions(t *rapid.T) search.Options {
	flag := func(name string) bool { return rapid.IntRange(0, 3).Draw(t, name) == 0 }
	opt := search.Options{
		Patterns:   []string{DrawPattern(t)},
		IgnoreCase: flag("ignore"), SmartCase: flag("smart"), Word: flag("word"), WholeLine: flag("whole"),
		Multiline: flag("multiline"), DotAll: flag("dotall"), Invert: flag("invert"), CRLF: flag("crlf"), Literal: flag("literal"),
	}
	if flag("two") {
		opt.Patterns = append(opt.Patterns, DrawPattern(t))
	}
	return opt
}
