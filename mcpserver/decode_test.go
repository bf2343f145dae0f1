package mcpserver

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/codegraph-dev/codegraph/readtools"
)

func TestDecode(t *testing.T) {
	page := readtools.Page{Budget: 24000}
	for args, want := range map[string]findParams{
		`{"pattern":"a"}`:                               {Pattern: "a", In: "text", Strict: true, Page: page},
		`{"pattern":"a","in":null,"path":null}`:         {Pattern: "a", In: "text", Strict: true, Page: page},
		`{"pattern":"","strict":false,"path":["x",""]}`: {In: "text", Path: []string{"x", ""}, Page: page},
		`{"pattern":"a","path":"x","limit":3e0,"budget":0}`: {
			Pattern: "a", In: "text", Strict: true, Path: []string{"x"}, Page: readtools.Page{Limit: 3},
		},
		` {"pattern":"\u00e4\n", "blocks":[{"old":"o"},{"old":"p","new":"q"}], "in":"symbols", "weight":1} `: {
			Pattern: "ä\n", In: "symbols", Strict: true, Weight: 1, Page: page,
			Blocks: []block{{Old: "o"}, {"p", "q"}},
		},
	} {
		var got findParams
		if err := decodeArgs("find", "", []byte(args), &got); err != nil {
			t.Errorf("%s: %v", args, err)
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, want %+v", args, got, want)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for args, want := range map[string]string{
		``:                         `argument "pattern" is missing`,
		`null`:                     `argument "pattern" is missing`,
		`{"pattern":null}`:         `argument "pattern" is missing`,
		`7`:                        `the arguments must be an object, not the number 7`,
		`"pattern"`:                `the arguments must be an object, not the string "pattern"`,
		`{"pattern":true}`:         `argument "pattern" must be a string, not true`,
		`{"pattern":{}}`:           `argument "pattern" must be a string, not an object`,
		`{"path":[null]}`:          `argument "path[0]" must be a value, not null`,
		`{"path":7}`:               `argument "path" must be a string, not the number 7`,
		`{"limit":"5"}`:            `argument "limit" must be an integer, not the string "5"`,
		`{"limit":1e300}`:          `argument "limit" must be an integer`,
		`{"in":"Text"}`:            `argument "in" must be one of text, symbols, not "Text"`,
		`{"blocks":[7]}`:           `argument "blocks[0]" must be an object, not the number 7`,
		`{"blocks":[{"odl":"x"}]}`: `unknown argument "blocks[0].odl" (did you mean "old"?)`,
		`{"patern":"x"}`:           `unknown argument "patern" (did you mean "pattern"?)`,
		`{"search_pattern":"x"}`:   `unknown argument "search_pattern" (did you mean "pattern"?)`,
		`{"paths":["x"]}`:          `unknown argument "paths" (did you mean "path"?)`,
		`{"zzzzzzzz":1}`:           `unknown argument "zzzzzzzz";`,
	} {
		var p findParams
		err := decodeArgs("find", "", []byte(args), &p)
		var told *readtools.Error
		if !errors.As(err, &told) || told.Code != "usage" {
			t.Errorf("%s: %v", args, err)
			continue
		}
		if !strings.Contains(told.Error(), want) {
			t.Errorf("%s: got %q, want %q", args, told.Message, want)
		}
		if !strings.Contains(told.Next, `{"pattern":"text"}`) {
			t.Errorf("%s: no example in %q", args, told.Next)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"pattern", "ignore_case", "in", "path", "glob", "max_depth"}
	for wrong, want := range map[string]string{
		"ignoreCase": "ignore_case", "ignore-case": "ignore_case", "pattren": "pattern", "PATTERN": "pattern",
		"file_path": "path", "globs": "glob", "maxDepth": "max_depth", "color": "", "": "", "qqqq": "",
		strings.Repeat("pattern", 1000): "",
	} {
		if got := nearest(wrong, known); got != want {
			t.Errorf("%.20q: got %q, want %q", wrong, got, want)
		}
	}
}

func TestScrub(t *testing.T) {
	for message, want := range map[string]string{
		"open /home/u/x/state.db: no space": "open state.db: no space",
		"read src/a/b.go: broken":           "read src/a/b.go: broken",
		"rename /a /b/c failed":             "rename a c failed",
		`stat C:\Users\u\x.go: gone`:        "stat x.go: gone",
		`at "/tmp/q/z" (/var/lib/k)`:        `at "z" (k)`,
		"first\nsecond":                     "first",
		"a / b":                             "a / b",
		strings.Repeat("é", 400):            strings.Repeat("é", 250) + "...",
	} {
		if got := scrub(message); got != want {
			t.Errorf("%q: got %q, want %q", message, got, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"pattern":"a","path":["x"],"limit":5,"blocks":[{"old":"x"}]}`))
	f.Add([]byte(`{"pattern":7,"in":"x","weight":1e999}`))
	f.Add([]byte(`[`))
	f.Fuzz(func(t *testing.T, args []byte) {
		var p findParams
		if err := decodeArgs("find", "", args, &p); err != nil {
			return
		}
		if p.In != "text" && p.In != "symbols" {
			t.Errorf("%q was taken for in: %q", args, p.In)
		}
	})
}
