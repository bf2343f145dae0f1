package search

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/wasilibs/go-re2"
)

// benchText is some 12 MB of Go source.
func benchText(b *testing.B) []byte {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Skip("the go command is not there to tell where Go's sources are")
	}
	var all []byte
	files, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "src", "*", "*", "*.go"))
	for _, f := range files {
		data, _ := os.ReadFile(f)
		if all = append(all, data...); len(all) > 12<<20 {
			break
		}
	}
	return all
}

// benchPatterns are the classes of searches.
var benchPatterns = []struct{ name, pattern string }{
	{"literal", "Unauthorized"}, {"frequent", "err"}, {"foldcase", "(?i)unauthorized"}, {"alternation", "panic|recover|defer|goto"},
	{"prefix", `ERR_[A-Z]+`}, {"suffix", `\w+Handler\b`}, {"class", "[A-Za-z]{30}"}, {"unicode", `\w{30}`}, {"word", `\berr\b.*\bnil\b`},
	{"digits", `\d{4}-\d\d`}, {"method", `func \(\w+ \*?\w+\) Close\(`}, {"blank", `^\s*$`},
}

func BenchmarkCount(b *testing.B) {
	text := benchText(b)
	for _, c := range benchPatterns {
		p, err := Compile(Options{Patterns: []string{c.pattern}})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.name+"/ours", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				SearchBytes(b.Context(), p, text, BufferOptions{Mode: Count})
			}
		})
		std, alt := regexp.MustCompile("(?m)"+c.pattern), re2.MustCompile("(?m)"+c.pattern)
		for name, re := range map[string]interface{ FindAllIndex([]byte, int) [][]int }{"regexp": std, "re2": alt} {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					re.FindAllIndex(text, -1)
				}
			})
		}
	}
}

func BenchmarkLines(b *testing.B) {
	text := benchText(b)
	for _, c := range benchPatterns {
		p, _ := Compile(Options{Patterns: []string{c.pattern}})
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				SearchBytes(b.Context(), p, text, BufferOptions{})
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	for _, pattern := range []string{"Unauthorized", "(?i)unauthorized", `\w+`, `\w{30}`, `(?i)[^k]+\pL`} {
		b.Run(pattern, func(b *testing.B) {
			for b.Loop() {
				if _, err := Compile(Options{Patterns: []string{pattern}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkLongLine(b *testing.B) {
	line := []byte(strings.Repeat("var x = function() { return 1 }; ", 160_000))
	line = append(line, "needle here"...)
	for _, pattern := range []string{"needle", `function`, `\w+ here`, "x[^x]*needle"} {
		p, _ := Compile(Options{Patterns: []string{pattern}})
		b.Run(fmt.Sprint(pattern), func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			for b.Loop() {
				SearchBytes(b.Context(), p, bytes.Clone(line), BufferOptions{MaxText: 200})
			}
		})
	}
}
