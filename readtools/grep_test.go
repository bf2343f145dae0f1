package readtools

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/codegraph-dev/codegraph/search"
	"github.com/codegraph-dev/codegraph/workspace"
)

// mixedTree has what makes text search hard: line ends, marks, bad bytes, binary files, names
// that ignore files leave out, nothing in common with code.
var mixedTree = map[string]string{
	"a.go":              "package a\n\nfunc Needle() {} // needle\n\nvar x = \"Straße needle\"\n",
	"b/crlf.txt":        "needle\r\nother\r\nNEEDLE at end",
	"b/bom.txt":         "\xef\xbb\xbfneedle first\nsecond needle needle\n",
	"b/bad.txt":         "ok\n\xff\xfe needle \xc3\n",
	"b/bin.dat":         "needle\x00needle\n",
	"c d/übung.md":      "ein Nadelöhr\nneedle\n\n\n",
	".hidden/needle.md": "needle\n",
	".gitignore":        "ignored/\n*.log\n",
	".git/HEAD":         "ref: refs/heads/main\n",
	"ignored/x.txt":     "needle\n",
	"y.log":             "needle\n",
	"empty.txt":         "",
	"long.txt":          strings.Repeat("x", 3000) + " needle " + strings.Repeat("y", 3000) + "\n",
}

var oraclePatterns = []string{"needle", "(?i)needle", "ne+dle", "^needle", "needle$", "n[a-f]edle", "e|o", ".", "^$", "x{5}", "Straße", "ö", "zzz", `\bat\b`, "[^a-z]needle"}

// TestGrepIsBruteForce holds an indexed search against a regular expression on every line.
func TestGrepIsBruteForce(t *testing.T) {
	w := openTree(t, mixedTree)
	for _, pattern := range oraclePatterns {
		var want []string
		re := regexp.MustCompile(pattern)
		err := w.View(t.Context(), func(s *workspace.Snapshot) error {
			for _, f := range s.Files() {
				data, err := os.ReadFile(filepath.Join(s.Root(), f.Path))
				if err != nil {
					return err
				}
				text := search.Decode(data)
				if text.Binary() || len(text.Data) == 0 {
					continue
				}
				for i, line := range strings.Split(strings.TrimSuffix(string(text.Data), "\n"), "\n") {
					if re.MatchString(strings.TrimSuffix(line, "\r")) && (pattern != "." || strings.ToValidUTF8(line, "") != "" || line == "") {
						want = append(want, fmt.Sprintf("%s:%d", f.Path, i+1))
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		res := must(t, w, Grep, GrepParams{Pattern: pattern, Page: Page{Limit: 1000, Budget: 1 << 20}})
		got := map[string]bool{}
		for _, m := range res.Matches {
			got[fmt.Sprintf("%s:%d", m.Path, m.Line)] = true
		}
		for _, p := range want {
			if !got[p] {
				t.Errorf("%q: lost %s", pattern, p)
			}
		}
		if res.Total != len(want) || len(got) != len(want) {
			t.Errorf("%q: %d matches, total %d, want %d", pattern, len(got), res.Total, len(want))
		}
	}
}

// TestGrepIsRipgrep holds the search against ripgrep, with its flags.
func TestGrepIsRipgrep(t *testing.T) {
	rg, err := exec.LookPath("rg")
	if err != nil {
		t.Skip("no rg")
	}
	w := openTree(t, mixedTree)
	tests := []struct {
		p    GrepParams
		args []string
	}{
		{GrepParams{Pattern: "needle"}, nil},
		{GrepParams{Pattern: "needle", Hidden: true}, []string{"--hidden", "-g", "!.git"}},
		{GrepParams{Pattern: "needle", IncludeIgnored: true}, []string{"--no-ignore"}},
		{GrepParams{Pattern: "needle", Glob: []string{"*.txt"}}, []string{"-g", "*.txt"}},
		{GrepParams{Pattern: "needle", Glob: []string{"!b"}}, []string{"-g", "!b"}},
		{GrepParams{Pattern: "needle", Exclude: []string{"b/**"}}, []string{"-g", "!b/**"}},
		{GrepParams{Pattern: "needle", Path: []string{"ignored"}}, []string{"ignored"}},
		{GrepParams{Pattern: "needle", Path: []string{"b", "y.log"}}, []string{"b", "y.log"}},
		{GrepParams{Pattern: "NEEDLE", IgnoreCase: true}, []string{"-i"}},
		{GrepParams{Pattern: "needle", SmartCase: true}, []string{"-S"}},
		{GrepParams{Pattern: "n", Word: true}, []string{"-w"}},
		{GrepParams{Pattern: "e", Invert: true}, []string{"-v"}},
		{GrepParams{Pattern: "needle|other", Context: 1}, []string{"-C1"}},
	}
	for _, test := range tests {
		test.p.Page = Page{Limit: 1000, Budget: 1 << 20}
		res := must(t, w, Grep, test.p)
		var got []string
		for _, m := range res.Matches {
			got = append(got, fmt.Sprintf("%s:%d", m.Path, m.Line))
		}
		args := append([]string{"--sort", "path", "-n", "--no-heading", "--crlf", "--no-messages", "--no-context-separator", "-e", test.p.Pattern}, test.args...)
		if len(test.p.Path) == 0 {
			args = append(args, ".")
		}
		cmd := exec.Command(rg, args...)
		cmd.Dir = w.Root()
		out, _ := cmd.Output() // exit 1 is no match
		var want []string
		for _, l := range strings.Split(string(out), "\n") {
			if m := regexp.MustCompile(`^(?:\./)?(.*?):(\d+):`).FindStringSubmatch(l); m != nil {
				want = append(want, m[1]+":"+m[2])
			}
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%+v: got\n%s\nwant\n%s", test.p, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

func TestGrepDetails(t *testing.T) {
	w := openTree(t, mixedTree)
	res := must(t, w, Grep, GrepParams{Pattern: "needle", Page: Page{Limit: 1000, Budget: 1 << 20}})
	if len(res.Skipped) != 1 || res.Skipped[0].Path != "b/bin.dat" || res.Skipped[0].Reason != "binary" || !res.Complete {
		t.Errorf("skipped %+v, complete %v", res.Skipped, res.Complete)
	}
	for _, m := range res.Matches {
		for _, s := range m.Spans {
			if got := m.Text[s[0]:s[1]]; got != "needle" {
				t.Errorf("%s:%d: span %v is %q", m.Path, m.Line, s, got)
			}
		}
		switch m.Path {
		case "b/bad.txt":
			if m.Base64 == "" || !strings.Contains(m.Text, "\uFFFD") {
				t.Errorf("bad bytes: %+v", m)
			}
		case "b/bom.txt":
			if m.Line == 1 && m.Column != 1 {
				t.Errorf("mark counts as a column: %+v", m)
			}
		}
	}
	res = must(t, w, Grep, GrepParams{Pattern: "needle", Path: []string{"b/bin.dat"}})
	if len(res.Matches) != 1 || !res.Matches[0].Binary {
		t.Errorf("a binary file named: %+v", res.Matches)
	}
	res = must(t, w, Grep, GrepParams{Pattern: "needle", Path: []string{"long.txt"}})
	if len(res.Matches) != 1 || !res.Matches[0].Clipped || len(res.Matches[0].Text) > 3100 || res.Matches[0].Column != 3002 {
		t.Errorf("a long line: %d bytes, column %d", len(res.Matches[0].Text), res.Matches[0].Column)
	}
	for _, p := range []GrepParams{{Pattern: "x", Path: []string{"../up"}}, {Pattern: "x", Path: []string{"/etc"}}, {Pattern: "x", Context: -1}, {Pattern: "x", Glob: []string{"[a"}}, {Pattern: "x", Language: "klingon"}} {
		if _, err := run(t, w, Grep, p); codeOf(err) != "usage" && codeOf(err) != "outside_workspace" {
			t.Errorf("%+v: %v", p, err)
		}
	}
}

// TestPaging turns the pages of answers with random limits: together they hold what one page
// holds, once and in the same order.
func TestPaging(t *testing.T) {
	files := map[string]string{}
	for i := range 30 {
		var b strings.Builder
		fmt.Fprintf(&b, "package p%d\n\nfunc F%d() { F%d() }\n", i%3, i, i)
		for j := range 20 {
			fmt.Fprintf(&b, "// needle %d %s\n", j, strings.Repeat("z", j))
		}
		files[fmt.Sprintf("d%d/f%d.go", i%4, i)] = b.String()
	}
	w := openTree(t, files)
	r := rand.New(rand.NewPCG(1, 2))
	for range 6 {
		limit, budget := 1+r.IntN(50), 200+r.IntN(4000)
		got := pages(t, limit, budget, func(p Page) (items []string, cursor string) {
			res := must(t, w, Grep, GrepParams{Pattern: "needle", Page: p})
			for _, m := range res.Matches {
				items = append(items, fmt.Sprint(m.Path, m.Line))
			}
			return items, res.Cursor
		})
		distinct(t, "grep", got, 600)
		got = pages(t, limit, budget, func(p Page) (items []string, cursor string) {
			res := must(t, w, Grep, GrepParams{Pattern: "F", In: "symbols", Page: p})
			for _, m := range res.Matches {
				items = append(items, m.Symbol.ID)
			}
			return items, res.Cursor
		})
		distinct(t, "symbols", got, 30)
		got = pages(t, limit, budget, func(p Page) (items []string, cursor string) {
			res := must(t, w, Discover, DiscoverParams{Query: "f", Page: p})
			for _, e := range res.Entries {
				items = append(items, e.Path)
			}
			return items, res.Cursor
		})
		distinct(t, "discover", got, 30)
		got = pages(t, limit, budget, func(p Page) (items []string, cursor string) {
			res := must(t, w, Explore, ExploreParams{Focus: "unused", Page: p})
			return items, res.Cursor
		})
		distinct(t, "unused", got, 0)
		got = pages(t, limit, budget, func(p Page) (items []string, cursor string) {
			res := must(t, w, Open, OpenParams{Target: []string{"d0/f0.go", "d1/f1.go", "F2", "nothing", "d0/f4.go:3"}, Page: p})
			for _, it := range res.Items {
				items = append(items, it.Target)
			}
			return items, res.Cursor
		})
		distinct(t, "open", got, 5)
	}
}

func pages(t *testing.T, limit, budget int, call func(Page) ([]string, string)) []string {
	t.Helper()
	var all []string
	p := Page{Limit: limit, Budget: budget}
	for n := 0; ; n++ {
		items, cursor := call(p)
		all = append(all, items...)
		if cursor == "" {
			return all
		}
		if len(items) == 0 || n > 5000 {
			t.Fatalf("page %d shows nothing and goes on", n)
		}
		p.Cursor = cursor
	}
}

func distinct(t *testing.T, what string, items []string, want int) {
	t.Helper()
	seen := map[string]bool{}
	for _, it := range items {
		if seen[it] {
			t.Errorf("%s: %s twice", what, it)
		}
		seen[it] = true
	}
	if len(items) != want {
		t.Errorf("%s: %d items, want %d", what, len(items), want)
	}
}

// What was asked for is in the result if empty, so that a program need not ask whether it is there.
func TestNoMatchIsAnEmptyList(t *testing.T) {
	w := openTree(t, map[string]string{"a.go": "package a\n"})
	for output, want := range map[string]string{"lines": `"matches":[]`, "files": `"files":[]`, "count": `"counts":[]`} {
		for _, in := range []string{"text", "symbols", "references", "config"} {
			err := w.View(t.Context(), func(s *workspace.Snapshot) error {
				r, err := Grep(t.Context(), s, GrepParams{Pattern: "absent", In: in, Output: output})
				if err != nil {
					return err
				}
				b, err := json.Marshal(r)
				if !strings.Contains(string(b), want) || strings.Count(string(b), "[]") != 1 {
					t.Errorf("in: %s, output: %s: %s lacks %s", in, output, b, want)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A source that the index could not take is told by a search for names, which may be in it.
func TestNamesTellSourcesNotIndexed(t *testing.T) {
	w := openTree(t, map[string]string{"a.py": "\xff\xfed\x00e\x00f\x00 \x00f\x00(\x00)\x00:\x00 \x00p\x00a\x00s\x00s\x00\n\x00", "b.py": "def g():\n    pass\n"})
	for _, in := range []string{"symbols", "references"} {
		err := w.View(t.Context(), func(s *workspace.Snapshot) error {
			r, err := Grep(t.Context(), s, GrepParams{Pattern: "g", In: in})
			if err == nil && (len(r.Skipped) != 1 || r.Skipped[0].Path != "a.py" || !strings.Contains(r.Skipped[0].Reason, "utf-16") || r.Complete) {
				t.Errorf("in %s: skipped %v, complete %v", in, r.Skipped, r.Complete)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
