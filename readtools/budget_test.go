package readtools

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/codegraph-dev/codegraph/workspace"
)

// TestOpenBudget opens random sets of files with random budgets, page by page: no answer is larger
// than its budget in either form, and all pages together show every target once.
func TestOpenBudget(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	files := map[string]string{}
	var paths []string
	for i := range 40 {
		p := fmt.Sprintf("d%d/f%d.%s", i%7, i, []string{"txt", "go"}[i%2])
		files[p] = randomFile(rnd, i)
		paths = append(paths, p)
	}
	w := openTree(t, files)
	for range 40 {
		p := OpenParams{Page: Page{Budget: 2000 + rnd.IntN(30000), Limit: 1 + rnd.IntN(60)}}
		p.View = []string{"source", "source", "outline", "signature"}[rnd.IntN(4)]
		for range 1 + rnd.IntN(20) {
			target := paths[rnd.IntN(len(paths))]
			switch rnd.IntN(6) {
			case 0:
				target += ":1-"
			case 1:
				target += ".gone"
			}
			p.Target = append(p.Target, target)
		}
		p.Target = append(p.Target, "d0/f0.txt") // more than one, so that no error is the call's
		var got []string
		for page := 0; ; page++ {
			if page > len(p.Target) {
				t.Fatalf("%d pages for %d targets", page, len(p.Target))
			}
			res := must(t, w, Open, p)
			b, _ := json.Marshal(res.Items)
			if n := len(res.Text()); n > p.Budget || len(b) > p.Budget*3/2+2 {
				t.Errorf("budget %d, %s: %d characters of text, %d of JSON, %d items", p.Budget, p.View, n, len(b), len(res.Items))
			}
			for i := range res.Items {
				got = append(got, res.Items[i].Target)
			}
			if p.Cursor = res.Cursor; p.Cursor == "" {
				break
			}
		}
		if strings.Join(got, " ") != strings.Join(p.Target, " ") {
			t.Errorf("opened %v of %v", got, p.Target)
		}
	}
}

// randomFile is a text of lines of one nature: short, long, of quotes and tabs, no text at all.
func randomFile(rnd *rand.Rand, i int) string {
	var b strings.Builder
	if i%2 == 1 {
		b.WriteString("package p\n\n")
		for k := range rnd.IntN(300) {
			fmt.Fprintf(&b, "func F%d_%d() string { return \"<%s>\" }\n", i, k, strings.Repeat("&", rnd.IntN(60)))
		}
		return b.String()
	}
	for range rnd.IntN(1000) {
		switch i / 2 % 4 {
		case 0:
			b.WriteString("}\n")
		case 1:
			b.WriteString(strings.Repeat("long é ", rnd.IntN(100)) + "\n")
		case 2:
			b.WriteString("\t\t\"\\\"<>\x01\r\n")
		case 3:
			b.WriteString("\xff\xfe bad \x80\n")
		}
	}
	return b.String()
}

// TestBudgetCap lowers a budget that is too large and says so, but not to a person at a terminal.
func TestBudgetCap(t *testing.T) {
	w := openTree(t, map[string]string{"a.txt": strings.Repeat("needle\n", 100_000)})
	p := OpenParams{Target: []string{"a.txt"}, Page: Page{Budget: 1 << 30}}
	res := must(t, w, Open, p)
	if n := len(res.Text()); n > maxBudget || n < maxBudget/2 || !strings.Contains(res.Text(), "budget lowered from 1,073,741,824 to 200,000") {
		t.Errorf("%d characters: %q", n, res.Notes)
	}
	err := w.View(t.Context(), func(s *workspace.Snapshot) (err error) {
		res, err = Open(ForPerson(t.Context()), s, p)
		return err
	})
	if err != nil || res.Items[0].Lines[1] != 100_000 {
		t.Errorf("a person gets lines %v: %v", res.Items[0].Lines, err)
	}
}
