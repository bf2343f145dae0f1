package lang

import (
	"strings"
	"testing"
)

func TestConditions(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"#ifdef A\na;\n#endif\nz;\n", "a: A; z: "},
		{"#ifndef A_H\n#define A_H\na;\n#if X > 3 /* old */\nb;\n#elif defined(Y) // new\nc;\n#else\nd;\n#endif\n#endif\n",
			"a: ; b: X > 3; c: Y+not (X > 3); d: not Y+not (X > 3)"},
		{"#if 0\na;\n#ifndef B\nb;\n#else\nc;\n#endif\n#endif\n", "a: 0; b: 0, not B; c: 0, B"},
		{"#if !defined( A )\na;\n#elif defined B || C\nb;\n#endif\n", "a: not A; b: defined B || C+A"},
		{"#if A && \\\n  B\na;\n", "a: A && B"},
		{"#endif\n#else\na;\nchar *b = \"\\n#if X\";\n", "a: ; b: "},
		{"/*\n#if X\n*/\na;\n#ifdef X\n#define Y 1\nb;\n#endif\n", "a: ; b: X"},
	} {
		var got []string
		for _, name := range strings.Fields("a b c d z") {
			at := strings.Index(c.src, name+";")
			if at < 0 {
				at = strings.Index(c.src, "*"+name+" =")
			}
			if at < 0 {
				continue
			}
			var when []string
			for _, x := range cConditions([]byte(c.src)) {
				if int(x.Start) <= at && at < int(x.End) {
					when = append(when, strings.Join(x.When, "+"))
				}
			}
			got = append(got, name+": "+strings.Join(when, ", "))
		}
		if g := strings.Join(got, "; "); g != c.want {
			t.Errorf("%q:\ngot  %s\nwant %s", c.src, g, c.want)
		}
	}
}

// Whatever the source, each stretch lies in it.
func FuzzConditions(f *testing.F) {
	f.Add([]byte("#ifndef A\n#define A\n#if defined(\n#elif !defined B\n#else\n#endif\n#endif\n#endif"))
	f.Add([]byte("#if"))
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, c := range cConditions(src) {
			if c.Start > c.End || int(c.End) > len(src) {
				t.Errorf("%d to %d of %d", c.Start, c.End, len(src))
			}
		}
	})
}
