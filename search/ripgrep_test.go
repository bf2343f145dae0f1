package search

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
)

// hit is one matching line, as both sides report it.
type hit struct {
	Path  string
	Line  int
	Off   int64
	Text  string
	Spans string

	Context bool
}

// rgCase is one pattern with the flags of ripgrep that mean the same.
type rgCase struct {
	opt   Options
	flags []string
}

// rgFlags spells options as flags of ripgrep.
func rgFlags(o Options) []string {
	var f []string
	for _, x := range []struct {
		on   bool
		flag string
	}{
		{o.Literal, "-F"}, {o.IgnoreCase, "-i"}, {o.SmartCase, "-S"}, {o.Word, "-w"}, {o.WholeLine, "-x"},
		{o.Multiline, "-U"}, {o.DotAll, "--multiline-dotall"}, {o.Invert, "-v"}, {o.CRLF, "--crlf"}, {o.Text, "-a"},
	} {
		if x.on {
			f = append(f, x.flag)
		}
	}
	for _, p := range o.Patterns {
		f = append(f, "-e", p)
	}
	return f
}

// runRipgrep returns what ripgrep finds in root, sorted as ComparePaths does.
func runRipgrep(t *testing.T, root string, flags ...string) []hit {
	t.Helper()
	args := append([]string{"--json", "--no-config", "--no-ignore", "--hidden", "-j2"}, flags...)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "rg", append(args, "./")...)
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		t.Fatalf("rg %q does not end", flags)
	}
	if ee, ok := err.(*exec.ExitError); ok && ee.ExitCode() > 1 || err != nil && !ok {
		t.Fatalf("rg %q: %v\n%s", flags, err, stderr.String())
	}
	return parseRipgrep(t, out)
}

// blob is a text in ripgrep's JSON.
type blob struct {
	Text  *string `json:"text"`
	Bytes string  `json:"bytes"`
}

func (b blob) String() string {
	if b.Text != nil {
		return *b.Text
	}
	raw, _ := base64.StdEncoding.DecodeString(b.Bytes)
	return string(raw)
}

// parseRipgrep reads ripgrep's JSON lines.
func parseRipgrep(t *testing.T, out []byte) []hit {
	t.Helper()
	var hits []hit
	for line := range bytes.Lines(out) {
		var m struct {
			Type string
			Data struct {
				Path       blob
				Lines      blob
				LineNumber int   `json:"line_number"`
				Offset     int64 `json:"absolute_offset"`
				Submatches []struct{ Start, End int }
			}
		}
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatal(err)
		}
		if m.Type != "match" && m.Type != "context" {
			continue
		}
		text := string(trimEOL([]byte(m.Data.Lines.String())))
		if m.Type == "context" {
			m.Data.Submatches = nil // told with -v alone
		}
		var spans []Span
		for _, s := range m.Data.Submatches {
			span := Span{min(s.Start, len(text)), min(s.End, len(text))}
			if n := len(spans); n == 0 || spans[n-1] != span {
				spans = append(spans, span)
			}
		}
		hits = append(hits, hit{strings.TrimPrefix(m.Data.Path.String(), "./"), m.Data.LineNumber, m.Data.Offset, text, fmt.Sprint(spans), m.Type == "context"})
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return ComparePaths(a.Path, b.Path) })
	return hits
}

// diskSource reads files below a root.
type diskSource string

func (root diskSource) Open(_ context.Context, path string, buf []byte) ([]byte, FileMeta, error) {
	f, err := os.Open(filepath.Join(string(root), path))
	if err != nil {
		return nil, FileMeta{}, err
	}
	defer f.Close()
	b := bytes.NewBuffer(buf[:0])
	_, err = b.ReadFrom(f)
	return b.Bytes(), FileMeta{Size: int64(b.Len())}, err
}

// targetsBelow lists the files below root in order.
func targetsBelow(t testing.TB, root string) []Target {
	t.Helper()
	var out []Target
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			rel, _ := filepath.Rel(root, path)
			out = append(out, Target{Path: filepath.ToSlash(rel)})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(out, func(a, b Target) int { return ComparePaths(a.Path, b.Path) })
	return out
}

// runOurs returns what this package finds in root.
func runOurs(t *testing.T, root string, targets []Target, opt Options) []hit {
	t.Helper()
	return runOursWith(t, root, targets, opt, BufferOptions{MaxSpans: 1 << 30})
}

// runOursWith does so with options of the search.
func runOursWith(t *testing.T, root string, targets []Target, opt Options, buf BufferOptions) []hit {
	t.Helper()
	p, err := Compile(opt)
	if err != nil {
		t.Fatalf("compile %+v: %v", opt, err)
	}
	s := &Searcher{Source: diskSource(root)}
	res, err := s.Search(context.Background(), p, targets, SearchOptions{BufferOptions: buf})
	if err != nil {
		t.Fatal(err)
	}
	var hits []hit
	for _, f := range res.Files {
		for _, m := range f.Matches {
			hits = append(hits, hit{f.Path, m.Line, m.Off, m.Text, fmt.Sprint(m.Spans), m.Context})
		}
	}
	return hits
}

// fixture writes the tree of files that the differential test searches.
func fixture(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	long := strings.Repeat("x = 1; ", 9000)
	utf16of := func(s string, big bool) string {
		var b strings.Builder
		b.WriteString(map[bool]string{true: "\xFE\xFF", false: "\xFF\xFE"}[big])
		for _, u := range utf16.Encode([]rune(s)) {
			if big {
				b.WriteByte(byte(u >> 8))
				b.WriteByte(byte(u))
			} else {
				b.WriteByte(byte(u))
				b.WriteByte(byte(u >> 8))
			}
		}
		return b.String()
	}
	text := "key = 1\nother key=2\n\nfoo foo-bar foo_bar Foo FOO\n  indented line\ttab  \nerror: ERR_TIMEOUT (42)\n" +
		"func (s *Server) Handle(w http.ResponseWriter) error {\nreturn fmt.Errorf(\"unauthorized: %w\", err)\n}\na.b a+b (a) [b] {c} $d ^e |f\\\n"
	for name, data := range map[string]string{
		"lf.txt": text, "crlf.txt": strings.ReplaceAll(text, "\n", "\r\n"), "bom.txt": "\xEF\xBB\xBF" + text,
		"u16le.txt": utf16of(text+"naïve 😀 key\n", false), "u16be.txt": utf16of(text+"naïve 😀 key\n", true),
		"latin1.txt": "caf\xE9 key\nna\xEFve foo\n\xFF\xFEfoo bar\xFF\nplain\n\xE9\n", "nofinal.txt": "first\nlast key",
		"cr.txt": "one\rtwo key\rthree\nfour\r\rfive\n", "empty.txt": "", "newline.txt": "\n", "blank.txt": "\n\n\n  \n\t\n",
		"bin.dat": "key\x00key\nfoo\n", "long.txt": "start\n" + long + "needle" + long + "key\nend\n",
		"unicode.txt": "Kelvin K kelvin \u212A KELVIN\nsmall ſ s S Straße STRASSE straße\nΣοφος ΣΟΦΟΣ σοφός σοφοσ ς\n" +
			"étage ÉTAGE e\u0301tage\nдом ДОМ Дом домов\nnaïve_var été2 日本語 日本 ١٢٣\u00A0nbsp\u2028sep\u0085nel\n😀 emoji key 𝒳 x\nǅ ǆ Ǆ İ i ı I\n§\nab§\n",
		"sub/a.go": "package a\n\nimport \"fmt\"\n\nfunc main() {\n\tfmt.Println(\"key\")\n}\n", "sub-x/b.txt": "key in b\n", "sub/z/c.txt": "foo\nbar\nfoo\n",
		"mixed.txt": "unix\ndos\r\nunix key\nmid\rcr\r\n\r\nend\r", "words.txt": "foo\nfoofoo\n foo \n-foo-\n_foo_\néfoo\nfooé\nfoo\u0301\n(foo)\nfoo.foo foo\n-2 -2\n((\n",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// needRipgrep skips the test when its oracle is missing.
func needRipgrep(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs ripgrep many times; left out by -short")
	}
	if _, err := exec.LookPath("rg"); err != nil {
		t.Skip("ripgrep (rg), the oracle of this test, is not installed")
	}
}

// fixturePatterns are searched as they are and in every mode of allModes.
var fixturePatterns = []string{
	"key", "^key", "key.*", "foo", "[kK]ey", "k", "s", "straße", "σοφος", "дом", "étage", `\w+`, `\bfoo\b`, `\bfoo`, `foo\B`, `\d+`, `\d\d`, `\s+`, `\S+`, `\W+`, `\D{3}`,
	".", ".*", ".+", "..", "x*", "o*", "[^a-z]", "[^a-z]+", `\x{212A}`, "ſ", "é", "§", "a|b", "foo|bar|key|end", "(foo|bar)+", "(?i)err_[a-z]+", "ERR_[A-Z]+", "needle",
	"[A-Za-z]{10}", `(?i)unauthorized`, `func \([a-z] \*\w+\) \w+`, "a.b", `a\.b`, "^", "^a?", "e?", `\(\d+\)`, "(?s).", "f(o)(o)", "fo{2}", "fo{1,2}?", "o+?", "(fo|foo)", "(foo|fo)", `\pL+`, `\p{Greek}+`, `\P{L}`, "[[:alpha:]]+", "[[:^alpha:]]+",
	`[\w-]+`, `[^\w\s]`, `\t`, "日本", "[日-語]", "😀", `\bk`, `e\b`, `\b\w`, `\b`, `(?i)K`, `(?i)[^k]`, `(?i)\w+é`, "nbsp\\s", "x = 1", "",
}

// dollarPatterns have an end of line, which ripgrep knows in two ways.
var dollarPatterns = []string{"key$", "^$", "$", "^.$", `\w$`, "^end$", "^foo$", `\s$`, `[^x]$`, "o*$", "(a|key$)", `\bfoo$`, "^.*$", `\)$`, `\z`, `\A`, `key\z`}

// allModes are the options that fixturePatterns are tried with.
var allModes = []Options{{}, {IgnoreCase: true}, {SmartCase: true}, {Word: true}, {Invert: true}, {Literal: true}, {IgnoreCase: true, Word: true}}

func TestFixtureEqualsRipgrep(t *testing.T) {
	needRipgrep(t)
	root := fixture(t)
	targets := targetsBelow(t, root)
	for _, mode := range allModes {
		for _, pattern := range fixturePatterns {
			if pattern == "" {
				continue
			}
			opt := mode
			opt.Patterns = []string{pattern}
			got, want := runOurs(t, root, targets, opt), runRipgrep(t, root, rgFlags(opt)...)
			forgive(got, opt)
			forgive(want, opt)
			compareHits(t, fmt.Sprint(rgFlags(opt)), got, want)
		}
	}
}

// With an end of line, this package finds what ripgrep finds as it is, and what
// it finds when $ is written so that it also holds before a carriage return.
// (ripgrep 13 does not end on some empty matches with --crlf.)
func TestDollarEqualsRipgrep(t *testing.T) {
	needRipgrep(t)
	root := fixture(t)
	targets := targetsBelow(t, root)
	for _, mode := range []Options{{}, {IgnoreCase: true}, {WholeLine: true}} {
		for _, pattern := range slices.Concat(dollarPatterns, []string{"foo", "key", ".*", `\w+`, "a?"}) {
			opt := mode
			opt.Patterns = []string{pattern}
			flags := rgFlags(opt)
			want := runRipgrep(t, root, flags...)
			loose := opt
			loose.WholeLine = false
			loose.Patterns = []string{strings.ReplaceAll(pattern, "$", `(?:\r??$)`)}
			if opt.WholeLine {
				loose.Patterns[0] = "^(?:" + loose.Patterns[0] + `)(?:\r??$)`
			}
			want = append(want, runRipgrep(t, root, rgFlags(loose)...)...)
			compareHits(t, fmt.Sprint(flags), linesOnly(runOurs(t, root, targets, opt)), linesOnly(want))
		}
	}
	for _, pattern := range []string{"key$", `\)$`, `\bfoo$`, "^foo.", `2\s`, "[^a]", "key[^a]?$"} {
		opt := Options{Patterns: []string{pattern}, CRLF: true}
		flags := rgFlags(opt)
		compareHits(t, fmt.Sprint(flags), linesOnly(runOurs(t, root, targets, opt)), linesOnly(runRipgrep(t, root, flags...)))
	}
}

func TestContextEqualsRipgrep(t *testing.T) {
	needRipgrep(t)
	root := fixture(t)
	targets := targetsBelow(t, root)
	for _, opt := range []Options{{Patterns: []string{"foo"}}, {Patterns: []string{"key"}, IgnoreCase: true}, {Patterns: []string{"o"}, Invert: true},
		{Patterns: []string{"end|start"}}, {Patterns: []string{`key[^x]other`}, Multiline: true}, {Patterns: []string{`\n\n`}, Multiline: true}} {
		for _, c := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {2, 3}, {9, 0}} {
			flags := append(rgFlags(opt), fmt.Sprint("-B", c[0]), fmt.Sprint("-A", c[1]))
			got := runOursWith(t, root, targets, opt, BufferOptions{Before: c[0], After: c[1]})
			want := runRipgrep(t, root, flags...)
			forgive(got, opt)
			forgive(want, opt)
			if opt.Multiline {
				got, want = linesOnly(covered(got)), linesOnly(covered(want))
			}
			compareHits(t, fmt.Sprint(flags), got, want)
		}
	}
}

// linesOnly forgets spans and sorts hits by place, each once.
func linesOnly(hits []hit) []hit {
	for i := range hits {
		hits[i].Spans = ""
	}
	slices.SortFunc(hits, func(a, b hit) int {
		if c := ComparePaths(a.Path, b.Path); c != 0 {
			return c
		}
		return a.Line - b.Line
	})
	return slices.Compact(hits)
}

// Across lines the lines covered are compared, and each match's span in them.
func TestMultilineEqualsRipgrep(t *testing.T) {
	needRipgrep(t)
	root := fixture(t)
	targets := targetsBelow(t, root)
	for _, mode := range []Options{{}, {DotAll: true}, {IgnoreCase: true}, {Invert: true}} {
		for _, pattern := range []string{`key\n`, `foo\nbar`, `foo(.|\n)bar`, `key[^x]other`, `\n\n`, `\s+`, `[^a-z]+`, `(?s)func.*return`, `func[\s\S]*?\}`,
			`\Akey`, `\Aother|\Afirst`, `end\n`, `\n`, `key`, `foo$\n`, `^\n`, `a.b\n`, `e\b\s`, `1$\s+o`, `(?m)^$\n^foo`, `\bkey\s`, `key\z`, `.*\n.*`, `x*`} {
			opt := mode
			opt.Multiline, opt.Patterns = true, []string{pattern}
			if opt.Invert && strings.ContainsAny(pattern, "*$") {
				continue // ripgrep 13 inverts empty matches in its own way
			}
			flags := rgFlags(opt)
			want := covered(runRipgrep(t, root, flags...))
			if strings.Contains(pattern, "$") {
				want = slices.Concat(want, covered(runRipgrep(t, root, append(flags, "--crlf")...)))
			}
			compareHits(t, fmt.Sprint(flags), linesOnly(covered(runOurs(t, root, targets, opt))), linesOnly(want))
		}
	}
}

// covered splits runs of lines into the lines that they cover.
func covered(hits []hit) []hit {
	var out []hit
	for _, h := range hits {
		for i, line := range strings.Split(h.Text, "\n") {
			out = append(out, hit{Path: h.Path, Line: h.Line + i, Text: strings.TrimSuffix(line, "\r"), Context: h.Context})
		}
	}
	return out
}

// compareHits reports the first differences.
func compareHits(t *testing.T, what string, got, want []hit) {
	t.Helper()
	shown := 0
	for i := 0; i < max(len(got), len(want)) && shown < 3; i++ {
		var g, w hit
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Errorf("%s: hit %d of %d and %d\n ours %.300s\n   rg %.300s", what, i, len(got), len(want), fmt.Sprintf("%+q", fmt.Sprint(g)), fmt.Sprintf("%+q", fmt.Sprint(w)))
			if shown++; g.Path != w.Path || g.Line != w.Line {
				return
			}
		}
	}
}

// forgive levels what ripgrep 13 is known to get wrong about the places within
// a line; whether a line matches is never forgiven.
//
//   - An empty match at the end of a last line without a line feed is not told.
//   - Word conditions that start behind a match take a byte that is not ASCII
//     for no word character.
//   - With -w the first match of a line may lose its first character (fixed in 14).
func forgive(hits []hit, opt Options) {
	pattern := strings.ToLower(strings.Join(opt.Patterns, ""))
	for i := range hits {
		h := &hits[i]
		end := fmt.Sprint(Span{len(h.Text), len(h.Text)}) + "]"
		h.Spans = strings.TrimSpace(strings.TrimSuffix(h.Spans, end))
		h.Spans = strings.TrimSuffix(h.Spans, "]")
		ascii := !strings.ContainsFunc(h.Text, func(r rune) bool { return r >= 0x80 })
		if opt.Word && !opt.Literal || strings.Contains(pattern, `\b`) && !ascii {
			h.Spans = ""
		}
	}
}
