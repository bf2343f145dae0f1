package search

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// gorootCases are searched in the sources of the Go release.
var gorootCases = []Options{
	{Patterns: []string{"Unauthorized"}},
	{Patterns: []string{"TODO"}},
	{Patterns: []string{"errors.New("}, Literal: true},
	{Patterns: []string{"zqxjkv"}},
	{Patterns: []string{"if"}, Word: true},
	{Patterns: []string{"Reader"}, Word: true},
	{Patterns: []string{"unauthorized"}, IgnoreCase: true},
	{Patterns: []string{"task"}, IgnoreCase: true},
	{Patterns: []string{"straße"}, IgnoreCase: true},
	{Patterns: []string{"kelvin"}, IgnoreCase: true},
	{Patterns: []string{"mutex"}, SmartCase: true},
	{Patterns: []string{"Mutex"}, SmartCase: true},
	{Patterns: []string{`func \(\w+ \*?\w+\) Close\(`}},
	{Patterns: []string{`func \(.*\) String\(\) string`}},
	{Patterns: []string{`ERR_[A-Z]+`}},
	{Patterns: []string{`E[A-Z]{5,}`}},
	{Patterns: []string{`[A-Za-z]{30}`}},
	{Patterns: []string{`\w{25}`}},
	{Patterns: []string{`\b\w{25}\b`}},
	{Patterns: []string{`\d{4}-\d{2}-\d{2}`}},
	{Patterns: []string{`0x[0-9a-f]{16}`}},
	{Patterns: []string{`^package \w+`}},
	{Patterns: []string{`^\s*$`}},
	{Patterns: []string{`\)$`}},
	{Patterns: []string{`^\}$`}},
	{Patterns: []string{`panic|recover|defer`}},
	{Patterns: []string{`panic\(|fatal\(|throw\(`}},
	{Patterns: []string{"Mutex", "WaitGroup", "atomic"}},
	{Patterns: []string{`(?i)todo|fixme|xxx`}},
	{Patterns: []string{`\p{Greek}`}},
	{Patterns: []string{`\p{Han}+`}},
	{Patterns: []string{`[^\x00-\x7F]`}},
	{Patterns: []string{`\s+$`}},
	{Patterns: []string{`^.{120,}$`}},
	{Patterns: []string{`(\w+)\.\w+\(ctx, `}},
	{Patterns: []string{`\berr\b.*\bnil\b`}},
	{Patterns: []string{`qz`}},
	{Patterns: []string{`[hi]q|w9`}},
	{Patterns: []string{"}"}, WholeLine: true},
	{Patterns: []string{"[a-z }]"}, Invert: true},
	{Patterns: []string{`return nil\n\}`}, Multiline: true},
	{Patterns: []string{`(?s)import \(.*?\)`}, Multiline: true},
	{Patterns: []string{`func init\(\) \{[^}]*os\.`}, Multiline: true},
	{Patterns: []string{`[a-z]+\s\s+[a-z]+;`}},
}

func TestGorootEqualsRipgrep(t *testing.T) {
	needRipgrep(t)
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("the go command is not there to tell where Go's sources are")
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "src")
	targets := targetsBelow(t, root)
	if len(targets) < 1000 {
		t.Skip("Go's sources are not installed")
	}
	for _, opt := range gorootCases {
		flags := rgFlags(opt)
		began := time.Now()
		got := runOurs(t, root, targets, opt)
		ours := time.Since(began)
		began = time.Now()
		want := runRipgrep(t, root, flags...)
		rg := time.Since(began)
		if opt.Multiline {
			got, want = linesOnly(covered(got)), linesOnly(covered(want))
		}
		forgive(got, opt)
		forgive(want, opt)
		if opt.WholeLine || strings.Contains(opt.Patterns[0], "$") {
			got, want = unixOnly(got), unixOnly(want)
		}
		compareHits(t, fmt.Sprint(flags), got, want)
		t.Logf("%-50s %6d hits  ours %v  rg %v", fmt.Sprint(flags), len(got), ours.Round(time.Millisecond), rg.Round(time.Millisecond))
	}
}

// unixOnly leaves out the files with CRLF, in which $ means more here.
func unixOnly(hits []hit) []hit {
	var out []hit
	for _, h := range hits {
		if !strings.Contains(h.Path, "testdata") && !strings.HasSuffix(h.Path, ".bat") {
			out = append(out, h)
		}
	}
	return out
}
