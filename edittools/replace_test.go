package edittools

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestReplaceBytes replaces in texts whose bytes an editor might not keep.
func TestReplaceBytes(t *testing.T) {
	for name, c := range map[string]struct{ file, old, new, occurrence, want string }{
		"crlf":                      {"a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", "", "x\r\ny\r\nz\r\nc\r\n"},
		"crlf given to an lf file":  {"a\nb\n", "a\r\nb\r\n", "b\r\na\r\n", "", "b\na\n"},
		"mixed, line by line":       {"1\r\n2\n3\r\n4\n", "1\n2\n3\n", "a\nb\nc\nd\n", "", "a\r\nb\nc\r\nd\r\n4\n"},
		"a line into mixed":         {"1\r\n2\n3\n", "2", "2\n2b", "", "1\r\n2\n2b\n3\n"},
		"starts at a line end":      {"a\r\nb\r\n", "\nb", "", "", "a\r\n"},
		"bom":                       {"\ufeffa = 1\n", "a = 1", "a = 2", "", "\ufeffa = 2\n"},
		"latin-1":                   {"caf\xe9 = 1 \xff\n", "é = 1", "è = 2", "", "caf\xe8 = 2 \xff\n"},
		"utf-16le":                  {"\xff\xfea\x00\r\x00\n\x00b\x00", "a\nb", "a\nc", "", "\xff\xfea\x00\r\x00\n\x00c\x00"},
		"utf-16be with a surrogate": {"\xfe\xff\xd8\x3d\xde\x00\x00a", "a", "b", "", "\xfe\xff\xd8\x3d\xde\x00\x00b"},
		"no last newline":           {"a\nb", "b", "c", "", "a\nc"},
		"literal":                   {"x$1y", "$1", "$0\\1${2}", "", "x$0\\1${2}y"},
		"the second":                {"a a a", "a", "b", "2", "a b a"},
		"all, overlapping":          {"aaaa a", "aa", "b", "all", "bb a"},
		"a lone carriage return":    {"a\rb\n", "a\rb", "c", "", "c\n"},
		"nothing left":              {"all", "all", "", "", ""},
	} {
		b := newBench(t, map[string]string{"f": c.file})
		r, err := run(b, ReplaceBlock, ReplaceParams{Path: "f", Old: c.old, New: c.new, Occurrence: c.occurrence})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := b.get("f"); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
		if r.Files[0].After != sum([]byte(c.want)) || !r.Applied {
			t.Errorf("%s: the result says %+v", name, r.Files)
		}
	}
}

func TestReplaceErrors(t *testing.T) {
	b := newBench(t, map[string]string{"f.go": "func f() {\n\tif x {\n\t\treturn 1\n\t}\n}\n", "twice": "a\nb\na\n", "bin": "a\x00b", "odd": "\xff\xfea\x00b"})
	before := b.tree()
	for name, c := range map[string]struct {
		p    ReplaceParams
		code string
		says []string
	}{
		"spaces for tabs":    {ReplaceParams{Path: "f.go", Old: "    if x {\n        return 1", New: "q"}, codePrecondition, []string{"line 2", "tabs against spaces", "→if·x·{"}},
		"another case":       {ReplaceParams{Path: "f.go", Old: "FUNC f() {", New: "q"}, codePrecondition, []string{"line 1", "upper and lower"}},
		"two places":         {ReplaceParams{Path: "twice", Old: "a", New: "q"}, codePrecondition, []string{"2 places", "lines 1, 3"}},
		"beyond the last":    {ReplaceParams{Path: "twice", Old: "a", New: "q", Occurrence: "3"}, codePrecondition, []string{"only 2 times"}},
		"no number":          {ReplaceParams{Path: "twice", Old: "a", New: "q", Occurrence: "0"}, codeUsage, []string{"occurrence"}},
		"old and blocks":     {ReplaceParams{Path: "twice", Old: "a", New: "q", Blocks: []Block{{Old: "b", New: "c"}}}, codeUsage, []string{"blocks"}},
		"second block fails": {ReplaceParams{Path: "twice", Blocks: []Block{{Old: "b", New: "c"}, {Old: "zzz", New: "c"}}}, codePrecondition, []string{"block 2", "no match"}},
		"blocks that meet":   {ReplaceParams{Path: "twice", Blocks: []Block{{Old: "a\nb", New: "c"}, {Old: "b\na", New: "c"}}}, codePrecondition, []string{"overlap"}},
		"only other ends":    {ReplaceParams{Path: "twice", Old: "a\r\n", New: "a\n"}, codeUsage, []string{"same"}},
		"binary":             {ReplaceParams{Path: "bin", Old: "a", New: "q"}, codePrecondition, []string{"binary"}},
		"half a character":   {ReplaceParams{Path: "odd", Old: "a", New: "q"}, codePrecondition, []string{"UTF-16"}},
		"another hash":       {ReplaceParams{Path: "twice", Old: "b", New: "q", Common: Common{Expect: "0123456789ab"}}, codeStale, []string{sum([]byte("a\nb\na\n"))}},
		"a short hash":       {ReplaceParams{Path: "twice", Old: "b", New: "q", Common: Common{Expect: "0123"}}, codeUsage, []string{"12"}},
	} {
		_, err := run(b, ReplaceBlock, c.p)
		var told *Error
		if !errors.As(err, &told) || told.Code != c.code || told.Next == "" {
			t.Errorf("%s: got %v, want code %s", name, err, c.code)
			continue
		}
		for _, s := range c.says {
			if !strings.Contains(told.Message+told.Next, s) {
				t.Errorf("%s: %q does not say %q", name, told.Message, s)
			}
		}
	}
	equal(t, b.tree(), before)
}

func equal(t *testing.T, got, want map[string]string) {
	t.Helper()
	for k, v := range want {
		if got[k] != v {
			t.Errorf("%s: got %q, want %q", k, got[k], v)
		}
	}
	for k := range got {
		if _, ok := want[k]; !ok {
			t.Errorf("%s should not be there: %q", k, got[k])
		}
	}
}

// TestUntouchedBytes replaces a piece of random bytes and looks at all others.
func TestUntouchedBytes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "b", "\n", "\r\n", "\r", "\t", "é", "\xe9", "\xff", "xyz", " ", "\u2028"}
	for range 20000 {
		var head, tail strings.Builder
		for range rnd.IntN(12) {
			head.WriteString(pieces[rnd.IntN(len(pieces))])
			tail.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		file := head.String() + "<OLD>" + tail.String()
		body, n, err := replaceAll("f", decode([]byte(file)), []Block{{Old: "<OLD>", New: "<N>"}})
		if err != nil || n != 1 || string(body) != head.String()+"<N>"+tail.String() {
			t.Fatalf("%q: got %q, %v", file, body, err)
		}
	}
}

// TestMerge makes two changes of a text in either order.
func TestMerge(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	lines := func(n int) []string {
		var out []string
		for range n {
			out = append(out, string(rune('a'+rnd.IntN(20)))+"\n")
		}
		return out
	}
	merged := 0
	for range 5000 {
		old := lines(12 + rnd.IntN(6))
		at := 2 + rnd.IntN(3)
		ours := append(append(append([]string{}, old[:at]...), lines(rnd.IntN(3))...), old[at+1:]...)
		far := at + 4
		theirs := append(append(append([]string{}, old[:far]...), lines(rnd.IntN(3))...), old[far+1:]...)
		a, _, okA := merge([]byte(strings.Join(old, "")), []byte(strings.Join(ours, "")), []byte(strings.Join(theirs, "")))
		b, _, okB := merge([]byte(strings.Join(old, "")), []byte(strings.Join(theirs, "")), []byte(strings.Join(ours, "")))
		if okA != okB || string(a) != string(b) {
			t.Fatalf("%q, %q, %q: %q or %q", old, ours, theirs, a, b)
		}
		if !okA {
			continue
		}
		merged++
		back, _, ok := merge([]byte(strings.Join(theirs, "")), a, []byte(strings.Join(old, "")))
		if ok && len(back) != len(strings.Join(ours, "")) {
			t.Fatalf("%q %q %q: merged %q, back %q", old, ours, theirs, a, back)
		}
	}
	if merged < 2500 {
		t.Errorf("only %d of 5000 pairs of changes could be merged", merged)
	}
}
