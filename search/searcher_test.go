package search

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"
)

// memSource is a Source in memory; a nil text is an error.
type memSource map[string]string

func (m memSource) Open(_ context.Context, path string, buf []byte) ([]byte, FileMeta, error) {
	switch text, ok := m[path]; {
	case !ok:
		return nil, FileMeta{}, fs.ErrNotExist
	case text == "<large>":
		return nil, FileMeta{}, fmt.Errorf("open: %w", ErrTooLarge)
	case text == "<denied>":
		return nil, FileMeta{}, fs.ErrPermission
	default:
		return append(buf[:0], text...), FileMeta{Size: int64(len(text))}, nil
	}
}

// targetsOf names files in order.
func targetsOf(paths ...string) (out []Target) {
	for _, p := range paths {
		out = append(out, Target{Path: p})
	}
	return out
}

// mustCompile compiles a pattern that is known to be good.
func mustCompile(t testing.TB, patterns ...string) *Pattern {
	t.Helper()
	p, err := Compile(Options{Patterns: patterns})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestSkips(t *testing.T) {
	src := memSource{"a": "key\n", "bin": "x\x00key\n", "big": "<large>", "no": "<denied>", "late": "x\n" + strings.Repeat("y", 1<<20) + "\x00key"}
	s := &Searcher{Source: src}
	targets := append(targetsOf("a", "big", "bin", "gone", "late", "no"), Target{Path: "bin", Explicit: true})
	res, err := s.Search(t.Context(), mustCompile(t, "key"), targets, SearchOptions{})
	if err != nil || !res.Complete {
		t.Fatal(err, res.Complete)
	}
	got := ""
	for _, k := range res.Skipped {
		got += fmt.Sprintf("%s:%s ", k.Path, k.Reason)
	}
	if want := "big:too large bin:binary gone:vanished late:binary no:unreadable "; got != want {
		t.Errorf("skipped %s, want %s", got, want)
	}
	if len(res.Files) != 2 || !res.Files[1].Binary || res.Files[1].NUL != 1 || len(res.Files[1].Matches) != 0 {
		t.Errorf("an explicit binary file gives %+v", res.Files)
	}
}

// Pages put together are the whole, in order, with the same totals.
func TestPages(t *testing.T) {
	src, paths := memSource{}, []string(nil)
	for i := range 40 {
		p := fmt.Sprintf("f%02d", i)
		src[p] = strings.Repeat("key\nother\n", i%7)
		paths = append(paths, p)
	}
	s := &Searcher{Source: src, Workers: 4}
	p := mustCompile(t, "key")
	for _, mode := range []Mode{Lines, Count, Files} {
		all := page(t, s, p, paths, SearchOptions{BufferOptions: BufferOptions{Mode: mode, After: 1}})
		for _, size := range []int{1, 3, 10, 1000} {
			var joined []string
			for skip := 0; ; skip += size {
				got := page(t, s, p, paths, SearchOptions{BufferOptions: BufferOptions{Mode: mode, After: 1}, Skip: skip, Limit: size})
				if len(got) == 0 {
					break
				}
				joined = append(joined, got...)
			}
			if !slices.Equal(joined, all) {
				t.Errorf("mode %d, pages of %d: %v, want %v", mode, size, joined, all)
			}
		}
	}
}

// page returns the entries of one page.
func page(t *testing.T, s *Searcher, p *Pattern, paths []string, opt SearchOptions) (out []string) {
	t.Helper()
	res, err := s.Search(t.Context(), p, targetsOf(paths...), opt)
	if err != nil || opt.Mode != Files && res.Lines != 115 {
		t.Fatalf("%d lines, %v; want 115", res.Lines, err)
	}
	for _, f := range res.Files {
		if opt.Mode != Lines {
			out = append(out, f.Path)
		}
		for _, m := range f.Matches {
			if !m.Context {
				out = append(out, fmt.Sprint(f.Path, m.Line))
			}
		}
	}
	return out
}

// patience tells a search that goes on from one that a busy machine holds up.
const patience = 10 * time.Second

// A search ends soon after it is cancelled, in the middle of a large file too,
// and says that it is not complete.
func TestCancel(t *testing.T) {
	text := strings.Repeat("some text of no interest, and more of it\n", 4<<20/40)
	for _, pattern := range []string{`[a-z]+ [0-9]{20}`, `\bé?nope\w*[0-9]`, "interest", `é\w{30}x|z[^q]{200}q`} {
		src := memSource{}
		for i := range 40 {
			src[fmt.Sprint(i)] = strings.Repeat(text, 4)
		}
		paths := slices.Collect(func(yield func(string) bool) {
			for i := range 40 {
				if !yield(fmt.Sprint(i)) {
					return
				}
			}
		})
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		began := time.Now()
		res, err := (&Searcher{Source: src}).Search(ctx, mustCompile(t, pattern), targetsOf(paths...), SearchOptions{})
		cancel()
		if took := time.Since(began); took > patience {
			t.Errorf("%s: took %v after a deadline of 20ms", pattern, took)
		}
		if !errors.Is(err, context.DeadlineExceeded) || res == nil || res.Complete {
			t.Errorf("%s: %v", pattern, err)
		}
	}
}

func TestPatternErrors(t *testing.T) {
	for pattern, want := range map[string]string{
		"":               "empty",
		"a(?=b)":         `"(?=" at column 2: look-ahead`,
		"(?<!a)b":        `"(?<!" at column 1: negative look-behind`,
		`(a)\1`:          `"\\1" at column 4: back-reference`,
		"a++":            "possessive",
		"a**":            "repetition of a repetition",
		"(?>a)":          "atomic group",
		"open|close(":    "close(",
		"a)":             "unexpected )",
		"[a":             "missing closing ]",
		"*a":             "nothing to repeat",
		`\`:              "trailing backslash",
		"a\\n":           "line feed",
		"a\nb":           "line feed",
		"(?x)a":          "flag x",
		`\p{Nope}`:       "unknown Unicode class",
		"a{1001}":        "invalid repetition count",
		`\x{110000}`:     "invalid code point",
		`\xZZ`:           "invalid code point",
		"[z-a]":          "invalid range",
		`\Z`:             `use $ or \z`,
		"a\x00":          "NUL",
		"\xff":           "UTF-8",
		"(?P=name)":      "back-reference",
		"(?P<1 a>x)":     "invalid group name",
		"((a{100}){100}": "missing",
	} {
		_, err := Compile(Options{Patterns: []string{pattern}})
		var pe *PatternError
		if !errors.As(err, &pe) {
			t.Errorf("%q: %v", pattern, err)
			continue
		}
		if !strings.Contains(err.Error(), want) || pe.Next == "" {
			t.Errorf("%q: %v (next %q), want %s", pattern, err, pe.Next, want)
		}
	}
}

func TestClip(t *testing.T) {
	line := strings.Repeat("é", 5000) + "needle" + strings.Repeat("x", 5000)
	res, _, err := SearchBytes(t.Context(), mustCompile(t, "needle"), []byte("first\n"+line+"\n"), BufferOptions{MaxText: 101})
	if err != nil || len(res.Matches) != 1 {
		t.Fatal(res, err)
	}
	m := res.Matches[0]
	if m.Clip == nil || m.Clip.Len != len(line) || len(m.Text) > 101 || m.Column != 10001 || m.Off != 6 {
		t.Fatalf("clipped to %+v", m)
	}
	if s := m.Spans[0]; m.Text[s.Start-m.Clip.Start:s.End-m.Clip.Start] != "needle" || line[m.Clip.Start:m.Clip.Start+len(m.Text)] != m.Text {
		t.Errorf("spans do not fit the clipped text: %+v", m)
	}
	if text, clip := ClipText("short", Span{}, 10); text != "short" || clip != nil {
		t.Errorf("a short line is clipped to %q", text)
	}
}

func TestComparePaths(t *testing.T) {
	paths := []string{"a-b/x", "a/z", "a/b/c", "a", "a/b", "b", "a.go"}
	slices.SortFunc(paths, ComparePaths)
	if want := []string{"a", "a/b", "a/b/c", "a/z", "a-b/x", "a.go", "b"}; !slices.Equal(paths, want) {
		t.Errorf("order %v, want %v", paths, want)
	}
}
