package edittools

import (
	"fmt"
	"strings"
	"testing"
)

// nearFile is a file in which texts with a slip are looked for.
const nearFile = `package wait

// Within waits.
func Within(ctx context.Context, d time.Duration) (context.Context, error) {
	return context.WithTimeout(ctx, d)
}

func Without(ctx context.Context) context.Context {
	return ctx
}

type Options struct {
	Retries int
}
`

// TestNearPlaces finds, for a text with a slip, the line that is meant first of all, be it all of a
// line, a part of one, or one of a few; and nothing for what has no likeness.
func TestNearPlaces(t *testing.T) {
	for old, want := range map[string]int{
		"func Withn(":  4,
		"func Wihtout": 8,
		"Retrys int":   13,
		"func Within(ctx context.Context, d time.Duraton) (context.Context, error) {": 4,
		"\treturn context.WithTimout(":                                         5,
		"type Option struct {\n\tRetries int":                                  12,
		"func Without(ctx context.Contxt)\n\treturn":                           8,
		"func Withuot(ctx context.Context) context.Context {\n\treturn ctx\n}": 8,
		"xyzzy(":                              0,
		"q":                                   0,
		"SELECT name FROM users WHERE id = 7": 0,
	} {
		got := nearPlaces(strings.Split(nearFile, "\n"), strings.Split(old, "\n"))
		line := 0
		if len(got) > 0 {
			line = got[0].line + 1
		}
		if line != want {
			t.Errorf("%q: nearest %v, want line %d", old, got, want)
		}
	}
}

// TestPartDistance holds the distance to a part against all parts compared by themselves.
func TestPartDistance(t *testing.T) {
	whole := func(a, b string) int {
		row := make([]int, len(b)+1)
		for j := range row {
			row[j] = j
		}
		for i := range len(a) {
			next := []int{i + 1}
			for j := range len(b) {
				cost := 1
				if a[i] == b[j] {
					cost = 0
				}
				next = append(next, min(row[j]+cost, row[j+1]+1, next[j]+1))
			}
			row = next
		}
		return row[len(b)]
	}
	words := []string{"", "a", "ab", "abc", "cab", "bcabca", "aabbcc", "xaxbxc"}
	for _, want := range words {
		for _, line := range words {
			best := len(want)
			for i := range len(line) + 1 {
				for j := i; j <= len(line); j++ {
					best = min(best, whole(want, line[i:j]))
				}
			}
			if got := partDistance(want, line); got != best {
				t.Errorf("%q in %q: %d, not %d", want, line, got, best)
			}
		}
	}
}

// TestNearInBigFile looks through a big file in time that nobody notices.
func TestNearInBigFile(t *testing.T) {
	var lines []string
	for i := range 200_000 {
		lines = append(lines, fmt.Sprintf("\tvalue%d := compute(%d, %q)", i, i, "some text that is of usual length"))
	}
	lines[150_000] = "func Within(ctx context.Context) {"
	if got := nearPlaces(lines, []string{"func Withn("}); len(got) == 0 || got[0].line != 150_000 {
		t.Errorf("nearest %v", got)
	}
}
