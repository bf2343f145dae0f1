package mcpserver

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/codegraph-dev/codegraph/readtools"
)

func TestDecode(t *testing.T) {
	page := readtools.Page{Budget: 24000, Fresh: "wait"}
	for args, want := range map[string]findParams{
		`{"pattern":"a"}`:                               {Pattern: "a", In: "text", Strict: true, Page: page},
		`{"pattern":"a","in":null,"path":null}`:         {Pattern: "a", In: "text", Strict: true, Page: page},
		`{"pattern":"","strict":false,"path":["x",""]}`: {In: "text", Path: []string{"x", ""}, Page: page},
		`{"pattern":"a","path":"x","limit":3e0,"budget":0}`: {
			Pattern: "a", In: "text", Strict: true, Path: []string{"x"}, Page: readtools.Page{Limit: 3, Fresh: "wait"},
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

// oddParams has the shapes that the fakes lack.
type oddParams struct {
	Kinds  []string       `json:"kinds" required:"true" enum:"a,b" default:"a,b" doc:"which"`
	Block  block          `json:"block" required:"true" doc:"one"`
	Count  uint8          `json:"count,omitempty" doc:"how many"`
	Small  int8           `json:"small,omitempty" doc:"how small"`
	Maybe  *bool          `json:"maybe,omitempty" doc:"three values"`
	Pair   [2]int         `json:"pair,omitempty" doc:"two numbers"`
	Labels map[string]any `json:"labels,omitempty" doc:"anything"`
	Raw    any            `json:"raw,omitempty" doc:"anything"`
}

func TestDecodeOddShapes(t *testing.T) {
	var p oddParams
	args := `{"kinds":"b","block":{"old":"o"},"count":255,"small":-128,"maybe":false,"pair":[1,2],"labels":{"x":1},"raw":[1]}`
	if err := decodeArgs("odd", "", []byte(args), &p); err != nil {
		t.Fatal(err)
	}
	if p.Kinds[0] != "b" || p.Block.Old != "o" || p.Count != 255 || p.Small != -128 || *p.Maybe || p.Pair[1] != 2 || p.Labels["x"] != 1.0 {
		t.Errorf("got %+v", p)
	}
	err := decodeArgs("odd", "", []byte(`{"kinds":["c"],"count":256,"small":128,"maybe":1,"pair":"x","labels":[]}`), &oddParams{})
	for _, want := range []string{
		`"kinds" must be one of a, b, not "c"`, `"block" is missing`, `"count" must be an integer, not the number 256`,
		`"small" must be an integer`, `"maybe" must be true or false`, `"pair" must be a list`, `"labels" must be an object`,
		`{"kinds":["a"],"block":{"old":"text"}}`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v lacks %s", err, want)
		}
	}
	schema, err := InputSchema(oddParams{})
	if err != nil {
		t.Fatal(err)
	}
	if err := validate(t, compile(t, schema), map[string]any{"kinds": []string{"a"}, "block": block{}}); err != nil {
		t.Error(err)
	}
	if validate(t, compile(t, schema), map[string]any{"kinds": []string{"c"}, "block": block{}}) == nil {
		t.Error("a value outside the enum of a list fits")
	}
}
