package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestFolders runs the case folders of testdata: what starts with pass- must pass, what
// starts with fail- must fail.
func TestFolders(t *testing.T) {
	r := fakeRunner(t)
	var out bytes.Buffer
	failed, err := run(t.Context(), []string{"testdata", "-bin", r.bin, "-v"}, &out)
	if err != nil {
		t.Fatal(err)
	}
	if !failed {
		t.Error("a run with failing cases passed")
	}
	seen := 0
	for _, line := range strings.Split(out.String(), "\n") {
		switch {
		case strings.HasPrefix(line, "ok fail-"), strings.HasPrefix(line, "FAIL pass-"):
			t.Errorf("%s\n%s", line, out.String())
		case strings.HasPrefix(line, "ok "), strings.HasPrefix(line, "FAIL "):
			seen++
		}
	}
	folders, _ := filepath.Glob("testdata/*/case.yaml")
	if seen != len(folders) || !strings.Contains(out.String(), " passed, ") {
		t.Errorf("%d outcomes of %d folders:\n%s", seen, len(folders), out.String())
	}
	failed, err = run(t.Context(), []string{"-tally", "-bin", r.bin, "testdata"}, &out)
	if failed || err != nil {
		t.Errorf("-tally failed: %v", err)
	}
}

// TestFaults shows what makes a question fail whatever it expects.
func TestFaults(t *testing.T) {
	r := fakeRunner(t)
	tests := []struct{ name, op, expect, replies, fault string }{
		{"unknown field", askFind, `{nonsense: 1}`, found, "the runner does not know field nonsense"},
		{"unknown entry field", askFile, `{defs: [{name: f, nonsense: 1}]}`, outline, "does not know field defs.nonsense"},
		{"unknown argument", `{kind: grep, args: {pattern: x, nonsense: 1}}`, `{}`, lines, "does not know argument nonsense"},
		{"unknown kind", `{kind: nonsense, args: {}}`, `{}`, found, "does not know kind nonsense"},
		{"unknown step", `{kind: discover, args: {}, steps: [nonsense]}`, `{}`, found, "does not know step"},
		{"unknown relation", `{kind: references, args: {symbol: f, relation: nonsense}}`, `{}`, refs, "relation nonsense"},
		{"killed", askFind, `{}`, `{"rules":[{"when":"discover","kill":true}]}`, "ended by a signal"},
		{"panic", askFind, `{}`, `{"rules":[{"when":"discover","exit":2,"err":"panic: oh\n\ngoroutine 1"}]}`, "panicked"},
		{"no JSON", askFind, `{}`, `{"rules":[{"when":"discover","raw":"hello"}]}`, "no JSON"},
		{"two values", askFind, `{}`, `{"rules":[{"when":"discover","raw":"{} {}"}]}`, "more than one"},
		{"error as success", askFind, `{}`, `{"rules":[{"when":"discover","out":{"error":{"code":"usage"}}}]}`, "with exit 0"},
		{"trouble without error", askFind, `{}`, `{"rules":[{"when":"discover","exit":2,"out":{}}]}`, "without an error"},
		{"unexpected error", askGrep, `{total: 1}`, error2, "came error usage"},
		{"index fails", askFind, `{}`, `{"rules":[{"when":"index","exit":2}]}`, "step 1: index"},
		{"carriage return", askGrep, `{}`, `{"rules":[{"when":"grep","out":{"matches":[{"path":"a","text":"x\r"}]}}]}`, "carriage return"},
		{"mark", askGrep, `{}`, `{"rules":[{"when":"grep","out":{"matches":[{"path":"a","text":"\ufeffx"}]}}]}`, "byte order mark"},
		{"same cursor", askGrep, `{}`, `{"rules":[{"when":"grep","out":{"cursor":"c"}}]}`, "cursor came twice"},
		{"dirty protocol", askMCP, `{}`, `{"mcp":{"stdout":"hello\n","responses":{"1":{"result":{}}}}}`, "no JSON-RPC message"},
		{"gone server", `{kind: mcp, args: {send: [{line: '{}'}, {close: stdin}, {wait_for_id: 1}]}}`, `{}`, `{"mcp":{}}`, "no response to id 1"},
		{"differs from fresh", askFile, `{same_as_fresh_index: true}`,
			`{"rules":[{"when":"export","sh":"echo x >> ../n; cp ../n ../m","raw":""},{"when":"open","out":{"items":[{}]}}]}`, "the dump is empty"},
		{"ambiguous", askOpen, `{}`, `{"rules":[{"when":"open","out":{"items":[{"candidates":[{"name":"x"}]}]}}]}`, "error ambiguous"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := strings.Join(runOne(t, r, test.op, test.expect, test.replies), "; "); !strings.Contains(got, test.fault) {
				t.Errorf("faults %q, want %q in them", got, test.fault)
			}
		})
	}
}

func TestNames(t *testing.T) {
	tests := []struct {
		want, got [2]string // container, name
		same      bool
	}{
		{[2]string{"", "f"}, [2]string{"a.b", "f"}, true},
		{[2]string{"T", "f"}, [2]string{"pkg::T<X>", "f"}, true},
		{[2]string{"ns::T", "f"}, [2]string{"*T", "f"}, true},
		{[2]string{"ns::T", "f"}, [2]string{"other.T", "f"}, false},
		{[2]string{"T", "f"}, [2]string{"", "f"}, false},
		{[2]string{"T", "f"}, [2]string{"T", "g"}, false},
		{[2]string{"", "G::f"}, [2]string{"ns::T::G", "f"}, true},
		{[2]string{"ns::T", "operator=="}, [2]string{"T", "operator =="}, true},
		{[2]string{"P.Companion", "f"}, [2]string{"P", "f"}, true},
		{[2]string{"T", "~T"}, [2]string{"T", "~T"}, true},
	}
	for _, test := range tests {
		if got := sameName(qualified(test.want[0], test.want[1]), qualified(test.got[0], test.got[1])); got != test.same {
			t.Errorf("sameName(%v, %v) = %v", test.want, test.got, got)
		}
	}
}

func TestUnescape(t *testing.T) {
	for in, want := range map[string]string{`a\n\r\t\\\351\0z`: "a\n\r\t\\\xe9\x00z", `\q\`: `\q\`, `\1234`: "S4"} {
		if got := unescape(in); got != want {
			t.Errorf("unescape(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestScenario(t *testing.T) {
	file, names := scenario(fields{"steps": []any{"start", "shell: write fine.py anew three times with functions a1, a2 and a3 (one more each time)"}})
	if file != "fine.py" || !reflect.DeepEqual(names, []string{"a1", "a2", "a3"}) {
		t.Errorf("scenario: %s %v", file, names)
	}
}

// TestShared reads the cases that lie beside the repository, where they do: every field in
// them has to be known.
func TestShared(t *testing.T) {
	dir := "../../../shared/cases"
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no cases beside the repository")
	}
	all, err := loadCases([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		for _, q := range append(c.More, c.First) {
			ck := &checker{expect: q.Expect}
			if ck.unknown(); len(ck.faults) > 0 {
				t.Errorf("%s: %v", c.ID, ck.faults)
			}
		}
	}
}
