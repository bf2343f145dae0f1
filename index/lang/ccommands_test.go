package lang

import (
	"slices"
	"strings"
	"testing"
)

func TestCompilationDatabase(t *testing.T) {
	for _, c := range []struct{ path, src, want string }{
		{"build/compile_commands.json", `[{"directory":"/r/p/build","file":"/r/p/a.c","command":"cc -I/r/p/inc -I. -c /r/p/a.c"}]`, "inc build"},
		{"compile_commands.json", `[{"directory":"/r/p/build","file":"../src/a.c","arguments":["cc","-I","../inc","-I/usr/include"]},{"directory":"/r/p","file":"b.c","arguments":["cc","-I."]}]`, "inc ."},
		{"compile_commands.json", `[{"directory":"C:\\p","file":"C:\\p\\a.cpp","arguments":["C:\\vs\\cl.exe","/IC:\\p\\inc","/IC:\\sdk"]},{"directory":"C:\\p\\x","file":"b.cpp","arguments":["cl","/I","..\\inc2"]}]`, "inc inc2"},
		{"compile_commands.json", `[{"directory":"/r","file":"a.c","command":"cc -Ione -Ione -iquote 'two words' /Ignored/b.c"}]`, "one|two words"},
		{"compile_commands.json", `[{"directory":"/r","file":`, ""},
		{"compile_commands.json", `[]`, ""},
	} {
		f := cCommands(c.path, []byte(c.src))
		var got []string
		for i := range f.Symbols {
			got = append(got, ConfigValue(f, int32(i)))
		}
		sep := " "
		if strings.Contains(c.want, "|") {
			sep = "|"
		}
		if strings.Join(got, sep) != c.want {
			t.Errorf("%s: %q, want %s", c.src, got, c.want)
		}
	}
}

func TestShellWords(t *testing.T) {
	for command, want := range map[string][]string{
		`cc -DA="x y" -I'a b' c\ d.c`: {"cc", "-DA=x y", "-Ia b", "c d.c"},
		`  a ""  "b\"c" `:             {"a", "", `b"c`},
		``:                            nil,
	} {
		if got := shellWords(command); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}
