package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/codegraph-dev/codegraph/readtools"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestInputSchema(t *testing.T) {
	const want = `{"type":"object","properties":{` +
		`"pattern":{"type":"string","description":"what to find"},` +
		`"in":{"type":"string","description":"where to look","enum":["text","symbols"],"default":"text"},` +
		`"path":{"type":"array","items":{"type":"string"},"description":"only below these"},` +
		`"strict":{"type":"boolean","description":"no near misses","default":true},` +
		`"weight":{"type":"number","description":"how much it counts"},` +
		`"blocks":{"type":"array","items":{"type":"object","properties":{"old":{"type":"string","description":"before"},` +
		`"new":{"type":"string","description":"after"}},"required":["old"],"additionalProperties":false},"description":"pairs"},` +
		`"limit":{"type":"integer","description":"most results to return; the total is always told"},` +
		`"cursor":{"type":"string","description":"opaque cursor of an earlier answer, to continue it"},` +
		`"budget":{"type":"integer","description":"most characters of text in the answer","maximum":200000,"default":24000},` +
		`"fresh":{"type":"string","description":"wait a little until the index has every change, or answer now from what there is","enum":["wait","now"],"default":"wait"},` +
		`"timeout_ms":{"type":"integer","description":"most milliseconds to work (5000), then what was found so far is the answer, with a cursor","maximum":60000},` +
		`"at_least":{"type":"integer","description":"wait for this generation of the index, as an edit's answer told it"}},` +
		`"required":["pattern"],"additionalProperties":false}`
	got, err := InputSchema(findParams{})
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestSchemaRefuses(t *testing.T) {
	type loop struct {
		Next []loop `json:"next"`
	}
	type badDefault struct {
		N int `json:"n" default:"many"`
	}
	type channel struct {
		C chan int `json:"c"`
	}
	for _, params := range []any{loop{}, badDefault{}, channel{}, 7, nil, &findParams{}} {
		if s, err := InputSchema(params); err == nil {
			t.Errorf("%T has the schema %s", params, s)
		}
	}
	type Symbol struct{}
	type clash struct {
		A Symbol           `json:"a"`
		B readtools.Symbol `json:"b"`
	}
	for _, result := range []any{clash{}, channel{}, nil} {
		if s, err := OutputSchema(result); err == nil {
			t.Errorf("%T has the schema %s", result, s)
		}
	}
	if _, err := OutputSchema(loop{}); err != nil {
		t.Errorf("a result that contains itself: %v", err)
	}
}

// compile checks that a schema is one, by the dialect that the protocol means.
func compile(t *testing.T, schema json.RawMessage) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(schema)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("s.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("s.json")
	if err != nil {
		t.Fatalf("%v in %s", err, schema)
	}
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, v any) error {
	t.Helper()
	text, err := encode(v)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(value)
}

// TestReadToolSchemas holds the schemas of the real tools against their own results, the
// empty ones as well, and against errors.
func TestReadToolSchemas(t *testing.T) {
	symbol := &readtools.Symbol{ID: "go:p.F", Name: "F"}
	for _, c := range []struct {
		params  any
		results []any
	}{
		{readtools.DiscoverParams{}, []any{readtools.DiscoverResult{}, readtools.DiscoverResult{Entries: []readtools.DiscoverEntry{{Path: "a"}}}}},
		{readtools.GrepParams{}, []any{readtools.GrepResult{}, readtools.GrepResult{Matches: []readtools.Match{{Spans: [][2]int{{1, 2}}, Symbol: symbol}}}}},
		{readtools.OpenParams{}, []any{readtools.OpenResult{}, readtools.OpenResult{Items: []readtools.OpenItem{{Error: &readtools.Error{}}}}}},
		{readtools.ExploreParams{}, []any{readtools.ExploreResult{}, readtools.ExploreResult{Sections: []readtools.Section{{}}, Subject: symbol, Account: &readtools.Account{}}}},
	} {
		t.Run(reflect.TypeOf(c.params).Name(), func(t *testing.T) {
			input, err := InputSchema(c.params)
			if err != nil {
				t.Fatal(err)
			}
			if validate(t, compile(t, input), map[string]any{"no_such_argument": 1}) == nil {
				t.Error("an unknown argument fits the input schema")
			}
			output, err := OutputSchema(c.results[0])
			if err != nil {
				t.Fatal(err)
			}
			schema := compile(t, output)
			for _, r := range c.results {
				v := reflect.New(reflect.TypeOf(r)).Elem()
				v.Set(reflect.ValueOf(r))
				emptyLists(v)
				if err := validate(t, schema, v.Interface()); err != nil {
					t.Errorf("a result does not fit: %v", err)
				}
			}
			out := failure("x", &readtools.Error{Code: "usage", Message: "m", Next: "n"})
			if err := validate(t, schema, out.structured); err != nil {
				t.Errorf("an error does not fit: %v", err)
			}
			if validate(t, schema, map[string]any{}) == nil {
				t.Error("an empty object fits the output schema")
			}
		})
	}
}

func TestFields(t *testing.T) {
	var got []string
	for _, f := range Fields(&readtools.GrepParams{}) {
		got = append(got, f.JSON)
	}
	want := "pattern in literal ignore_case smart_case word multiline invert path glob exclude language " +
		"context before after output include_ignored hidden limit cursor budget fresh timeout_ms at_least"
	if strings.Join(got, " ") != want {
		t.Errorf("got %v", got)
	}
	f := Fields(readtools.GrepParams{})[1]
	if f.Name != "In" || f.Default != "text" || len(f.Enum) != 4 || f.Required || f.Type.Kind() != reflect.String {
		t.Errorf("got %+v", f)
	}
	if f := Fields(readtools.OpenParams{})[0]; !f.Required || f.Pos != "1..." {
		t.Errorf("got %+v", f)
	}
	if Fields(nil) != nil || Fields(7) != nil {
		t.Error("what is no struct has parameters")
	}
}

func TestNewRefuses(t *testing.T) {
	call := func(context.Context, json.RawMessage) (Answer, error) { return Answer{}, nil }
	good := Tool{Name: "a", Description: "x", Params: emptyParams{}, Result: doneResult{}, Call: call}
	with := func(change func(*Tool)) []Tool {
		bad := good
		change(&bad)
		return []Tool{bad}
	}
	for name, tools := range map[string][]Tool{
		"twice":       {good, good},
		"name":        with(func(t *Tool) { t.Name = "a b" }),
		"description": with(func(t *Tool) { t.Description = "" }),
		"long":        with(func(t *Tool) { t.Description = strings.Repeat("x", maxText) }),
		"call":        with(func(t *Tool) { t.Call = nil }),
		"params":      with(func(t *Tool) { t.Params = nil }),
		"result":      with(func(t *Tool) { t.Result = 7 }),
	} {
		if _, err := New(tools, Info{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := New(nil, Info{Instructions: strings.Repeat("x", maxText)}); err == nil {
		t.Error("long instructions: no error")
	}
	if n := utf8.RuneCountInString(instructions); n >= maxText {
		t.Errorf("the instructions have %d characters", n)
	}
}

// patience tells a server that waits for something from one that a busy machine holds up.
const patience = 10 * time.Second

// TestHandshakeIsQuick: from the making of the server to the list of tools nothing is waited for.
func TestHandshakeIsQuick(t *testing.T) {
	best := time.Hour
	for range 5 {
		best = min(best, handshake(t))
	}
	if best > patience {
		t.Errorf("it took %v", best)
	}
}

func handshake(t *testing.T) time.Duration {
	began := time.Now()
	var tools []Tool
	for i := range 8 {
		row := Tool{Name: fmt.Sprint("tool", i), Description: strings.Repeat("x", 2000)}
		tools = append(tools, Typed(row, func(context.Context, readtools.ExploreParams) (readtools.ExploreResult, string, error) {
			return readtools.ExploreResult{}, "", nil
		}))
	}
	c := start(t, tools, Info{}).open()
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	m := c.next()
	took := time.Since(began)
	if n := len(m["result"].(map[string]any)["tools"].([]any)); n != 8 {
		t.Errorf("%d tools", n)
	}
	return took
}

// TestNoStrayPrints keeps the standard output to the protocol: nothing but Run's writer,
// which is given its output, may write.
func TestNoStrayPrints(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"fmt.Print", "os.Stdout", "println(", "log.Print", "slog.Info(", "slog.Default"} {
			if strings.Contains(string(text), bad) {
				t.Errorf("%s has %s", file, bad)
			}
		}
		if !strings.HasPrefix(file, "sdk") && strings.Contains(string(text), `"github.com/mark3labs`) {
			t.Errorf("%s imports the SDK; only sdk*.go may", file)
		}
	}
}
