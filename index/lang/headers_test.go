package lang

import (
	"strings"
	"testing"
)

// A header's name leaves open whether it is of C or of C++; what it holds says so, but not what
// it keeps for the other language.
func TestLanguageOfHeader(t *testing.T) {
	macros := strings.Repeat("#define A_LONG_NAME_OF_A_MACRO 1\n", 600)
	for src, want := range map[string]string{
		"int f(void);\n":                                "c",
		"#include <string>\nint f();\n":                 "cpp",
		"#include <string.h>\n#include <sys/types.h>\n": "c",
		"#ifdef __cplusplus\nextern \"C\" {\n#endif\nint f(void);\n#ifdef __cplusplus\n}\n#endif\n":                            "c",
		"#ifdef __cplusplus\n#include <atomic>\nusing std::atomic_int;\n#else\n#include <stdatomic.h>\n#endif\nint f(void);\n": "c",
		"#if defined(__cplusplus) && X\nnamespace a { class b; }\n#endif\nstruct a { int class_; };\n":                         "c",
		macros + "namespace a { int f(); }\n":          "cpp",
		macros + "struct a { int b; };\n":              "c",
		"#ifndef A_H\n#define A_H\nclass a;\n#endif\n": "cpp",
	} {
		if l := Detect("a.h", []byte(src)); l == nil || l.Name != want {
			t.Errorf("%.60q: %v, want %s", src, l, want)
		}
	}
}
