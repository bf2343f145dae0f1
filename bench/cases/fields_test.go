package main

import (
	"strings"
	"testing"
)

const (
	askFile  = `{kind: symbols, args: {path: a.txt}}`
	askCall  = `{kind: callers, args: {symbol: f}}`
	askInto  = `{kind: callees, args: {symbol: f}}`
	askRefs  = `{kind: references, args: {symbol: f}}`
	askGrep  = `{kind: grep, args: {pattern: x, regex: false, case_sensitive: true}}`
	askFind  = `{kind: discover, args: {query: x}}`
	askOpen  = `{kind: open, args: {path: a.txt, start: 1, end: 2}}`
	askWrite = `{kind: edit, args: {tool: write_file, path: a.txt, content: new}}`
	askRob   = `{kind: robust, args: {do: index}}`
	askMCP   = `{kind: mcp, args: {send: [{line: '{"jsonrpc":"2.0","id":1,"method":"ping"}'}, {wait_for_id: 1}, {close: stdin}]}}`

	outline = `{"rules":[{"when":"open --view=outline a.txt","out":{"items":[{"path":"a.txt","outline":[
		{"name":"f","kind":"function","path":"a.txt","line":1},{"name":"m","kind":"method","container":"p.T","path":"a.txt","line":3}]}]}}]}`
	calls = `{"rules":[{"when":"explore --focus=call","out":{"items":[
		{"symbol":{"name":"g","kind":"function","path":"a.txt","line":2},"path":"a.txt","line":4,"edge":{"role":"call","certain":true}},
		{"path":"b.txt","line":1,"edge":{"role":"call","certain":false}},
		{"external":"print","path":"a.txt","line":9,"edge":{"role":"call"}},
		{"path":"b.txt","line":7,"edge":{"role":"read"}}]}}]}`
	refs = `{"rules":[{"when":"explore --focus=references","out":{"items":[{"path":"a.txt","line":4,"edge":{"role":"call"}}]}},
		{"when":"explore --focus=","out":{"items":[{"symbol":{"name":"B","kind":"class","path":"a.txt","line":1},"edge":{"role":"base"}},
		{"external":"Ext","edge":{"role":"base"}},{"symbol":{"name":"D","kind":"class"},"edge":{"role":"derived"}}]}}]}`
	lines = `{"rules":[{"when":"grep --in=config","out":{"matches":[{"path":"c.yml","line":1,"key":"a.b"},{"path":"u.txt","line":2}]}},
		{"when":"--cursor=p2","out":{"total":2,"matches":[{"path":"b.txt","line":1,"text":"x"}]}},
		{"when":"grep --literal","out":{"total":2,"cursor":"p2","matches":[{"path":"a.txt","line":3,"text":"xy"}]}}]}`
	found = `{"rules":[{"when":"discover","out":{"total":1,"entries":[{"path":"a.txt","type":"file","lines":1},{"path":"d","type":"dir"}]}}]}`
	page  = `{"rules":[{"when":"open -- a.txt:1-2","out":{"items":[{"path":"a.txt","lines":[1,2],"total_lines":2,"sha256":"ab","encoding":"utf-8",
		"eol":"lf","bom":true,"text":"one\ntwo"}]}}]}`
	wrote  = `{"rules":[{"when":"write --yes -- a.txt","sh":"printf new > a.txt; rm -rf d; chmod 600 a.txt; touch zz.bak","out":{"edit_id":"e","replaced":2}}]}`
	error2 = `{"rules":[{"when":"write","exit":2,"out":{"error":{"code":"precondition","message":"old stands at 3 places: lines 2, 44","next":"say which"}}},
		{"when":"grep","exit":2,"out":{"error":{"code":"usage","message":"bad pattern","next":"use --literal"}}}]}`
	steady = `{"rules":[{"when":"grep --in=symbols","out":{"matches":[{"symbol":{"name":"f","kind":"function","path":"a.txt","line":1}}]}}]}`
	dumps  = `{"rules":[{"when":"export","raw":"dump\n"},{"when":"open","out":{"items":[{"path":"a.txt"}]}}]}`
	speaks = `{"mcp":{"stderr":"starting\n","exit":3,"responses":{"1":{"result":{"isError":true,"content":[{"type":"text","text":"too big: size"}],
		"structuredContent":{"total":9,"shown":1,"cursor":"c"},"tools":[{"name":"t","inputSchema":{"type":"object"}}]}}}}}`
)

// fieldTests show, for each field of expect, an expectation that holds and one that does
// not, with words of the fault that it has to bring.
var fieldTests = []struct{ field, op, good, bad, fault, replies string }{
	{"defs", askFile, `{defs: [{name: f, kind: [function], file: a.txt, line: 1}, {name: m, container: 'q::p::T'}]}`, `{defs: [{name: f, kind: [class]}]}`, "expected class f", outline},
	{"defs", askFile, `{defs: [{name: m, container: T}]}`, `{defs: [{name: m, container: U}]}`, "U.m", outline},
	{"not_defs", askFile, `{not_defs: [{name: f, kind: [method]}]}`, `{not_defs: [{name: f}]}`, "expected no f", outline},
	{"names", askFile, `{names: [f, m]}`, `{names: [g]}`, "expected g", outline},
	{"not_names", askFile, `{not_names: [g]}`, `{not_names: [m]}`, "expected no m", outline},
	{"complete_for", askFile, `{defs: [{name: f}], complete_for: functions}`, `{defs: [{name: f}], complete_for: functions and methods}`, "no more than", outline},
	{"count", askFile, `{defs: [{name: f, kind: [function]}], count: 1}`, `{defs: [{name: f}], count: 1}`, "expected count 1, came 2", outline},
	{"total", askFile, `{total: 2}`, `{total: 3}`, "expected total 3, came 2", outline},
	{"not_files", askFile, `{not_files: [b.txt]}`, `{not_files: [a.txt]}`, "expected no a.txt", outline},
	{"callers", askCall, `{callers: [{caller: g, file: a.txt, line: 4}, {caller: null, file: b.txt, line: 1, via: guess}], count: 3}`, `{callers: [{caller: h, file: a.txt, line: 4}]}`, "expected caller h", calls},
	{"callers", askCall, `{callers: [{caller: g, file: a.txt}]}`, `{callers: [{caller: g, file: a.txt, line: 4, via: x}]}`, "as certain", calls},
	{"callers", askCall, `{}`, `{callers: [{caller: null, file: a.txt, line: 4}]}`, "it in function g", calls},
	{"count", askCall, `{count: 3}`, `{count: 1}`, "expected count 1, came 3", calls},
	{"not_callers", askCall, `{not_callers: [h]}`, `{not_callers: [g]}`, "expected no caller g", calls},
	{"min_sites", askCall, `{min_sites: 2}`, `{min_sites: 9}`, "at least 9", calls},
	{"callees", askInto, `{callees: [{name: g, def: {file: a.txt, line: 2}, site: {file: a.txt, line: 4}}, {name: print, external: true}], count: 2}`, `{callees: [{name: g, def: {file: a.txt, line: 3}}]}`, "expected callee", calls},
	{"callees", askInto, `{}`, `{callees: [{name: g, external: true}]}`, "outside the project", calls},
	{"not_callees", askInto, `{not_callees: [{name: g, line: 3}]}`, `{not_callees: [{name: g}]}`, "expected no callee", calls},
	{"sites", askRefs, `{sites: [{file: a.txt, line: 4}], count: 1}`, `{sites: [{file: a.txt, line: 5}]}`, "a reference at a.txt:5", refs},
	{"not_sites", askRefs, `{not_sites: [{file: a.txt, line: 5}]}`, `{not_sites: [{file: a.txt, line: 4}]}`, "no reference", refs},
	{"references", `{kind: references, args: {symbol: f, relation: bases}}`, `{references: [B, {name: Ext, resolved: false}]}`, `{references: [D]}`, "expected D", refs},
	{"bases", `{kind: references, args: {symbol: f, relation: bases}}`, `{bases: [B], count: 2}`, `{bases: [{name: B, resolved: false}]}`, "expected B", refs},
	{"implementations", `{kind: references, args: {symbol: f, relation: implementations}}`, `{implementations: [B]}`, `{implementations: [X]}`, "expected X", refs},
	{"matches", askGrep, `{matches: [{file: a.txt, line: 3}, {file: b.txt, line: 1}]}`, `{matches: [{file: a.txt, line: 3}]}`, "no match at b.txt:1", lines},
	{"matches", askGrep, `{}`, `{matches: [{file: a.txt, line: 9}], total: 2}`, "expected matches a.txt:9", lines},
	{"total", askGrep, `{total: 2, distinct: 2}`, `{total: 1}`, "expected total 1", lines},
	{"distinct", askGrep, `{distinct: 2}`, `{distinct: 3}`, "expected 3 distinct", lines},
	{"not_matches", askGrep, `{not_matches: [{file: a.txt, line: 1}]}`, `{not_matches: [{file: a.txt}]}`, "no match at", lines},
	{"not", askGrep, `{not: [{file: a.txt, line: 1}]}`, `{not: [{file: a.txt, line: 3}]}`, "no match at", lines},
	{"definitions", `{kind: grep, args: {mode: config_key, pattern: a.b}}`, `{definitions: [{file: c.yml, line: 1}]}`, `{definitions: [{file: u.txt, line: 2}]}`, "expected definitions", lines},
	{"uses", `{kind: grep, args: {mode: config_key, pattern: a.b}}`, `{uses: [{file: u.txt, line: 2}]}`, `{uses: [{file: c.yml, line: 1}]}`, "expected uses", lines},
	{"files", askFind, `{files: [a.txt], count: 1}`, `{files: [b.txt]}`, "expected b.txt", found},
	{"dirs", askFind, `{dirs: [d/]}`, `{dirs: [e]}`, "expected e", found},
	{"not_files", askFind, `{not_files: [b.txt]}`, `{not_files: [a.txt]}`, "expected no a.txt", found},
	{"entries", askFind, `{entries: [{path: a.txt, type: file, lines: 1}]}`, `{entries: [{path: a.txt, type: dir}]}`, "expected entry", found},
	{"lines", askOpen, `{lines: [{line: 2, text: two}]}`, `{lines: [{line: 1, text: two}]}`, "expected line 1", page},
	{"text", askOpen, `{text: "one\ntwo\n"}`, `{text: one}`, "expected text", page},
	{"text_has", askOpen, `{text_has: two}`, `{text_has: [three]}`, "to hold", page},
	{"text_has_no", askOpen, `{text_has_no: "\r"}`, `{text_has_no: two}`, "to hold no", page},
	{"not_text", askOpen, `{not_text: x}`, `{not_text: [two]}`, "to hold no", page},
	{"text_starts_with", askOpen, `{text_starts_with: one}`, `{text_starts_with: two}`, "begin with", page},
	{"text_ends_with", askOpen, `{text_ends_with: two}`, `{text_ends_with: one}`, "end with", page},
	{"total_lines", askOpen, `{total_lines: 2}`, `{total_lines: 3}`, "total_lines 3, came 2", page},
	{"sha256", askOpen, `{sha256: AB}`, `{sha256: ac}`, "sha256 ac", page},
	{"encoding", askOpen, `{encoding: UTF-8}`, `{encoding: latin1}`, "encoding", page},
	{"eol", askOpen, `{eol: lf}`, `{eol: crlf}`, "eol", page},
	{"bom", askOpen, `{bom: true}`, `{bom: false}`, "bom", page},
	{"file", askWrite, `{status: ok, file: {path: a.txt, content_escaped: n\145w, size: 3, sha256: 11507a0e2f5e69d5dfa40a62a1bd7b6ee57e6bcd85c67c9b8431b36fff21c437}}`, `{file: {path: a.txt, content_escaped: 'new\n'}}`, "to hold", wrote},
	{"all_unchanged", askWrite, `{all_unchanged: false}`, `{all_unchanged: true}`, "a.txt changed", wrote},
	{"others_unchanged", askWrite, `{others_unchanged: true, file: {path: a.txt}, absent: [d], present: [zz.bak]}`, `{others_unchanged: true, file: {path: a.txt}}`, "d is gone", wrote},
	{"present", askWrite, `{present: [b.txt]}`, `{present: [d]}`, "expected d to be there", wrote},
	{"absent", askWrite, `{absent: [d]}`, `{absent: [b.txt]}`, "expected b.txt to be gone", wrote},
	{"mode", askWrite, `{mode: '0600', file: {path: a.txt}}`, `{mode: 0644}`, "expected mode 0644", wrote},
	{"replaced", askWrite, `{replaced: 2}`, `{replaced: 3}`, "expected 3 places", wrote},
	{"no_leftovers", askWrite, `{no_leftovers: false}`, `{no_leftovers: true}`, "zz.bak is new", wrote},
	{"no_files_like", askWrite, `{no_files_like: ['*.tmp']}`, `{no_files_like: ['*.bak']}`, "like *.bak", wrote},
	{"error", askWrite, `{error: several_matches, status: error}`, `{error: no_match}`, "expected error no_match", error2},
	{"error", askGrep, `{error: invalid_pattern}`, `{error: not_found}`, "expected error not_found", error2},
	{"error", askFind, `{}`, `{error: not_found}`, "came success", found},
	{"error", askWrite, `{error: [binary, several_matches]}`, `{error: no_such_condition}`, "does not know condition", error2},
	{"status", askWrite, `{status: [ok, error]}`, `{status: ok}`, "expected status ok", error2},
	{"must_mention", askWrite, `{error: several_matches, must_mention: ['3', 'where or which']}`, `{error: several_matches, must_mention: [nine]}`, "to mention", error2},
	{"must_not_mention", askWrite, `{error: several_matches, must_not_mention: [nine]}`, `{error: several_matches, must_not_mention: [places]}`, "no mention", error2},
	{"lines", askWrite, `{error: several_matches, lines: [2, 44]}`, `{error: several_matches, lines: [4]}`, "name line 4", error2},
	{"either", askFind, `{either: [{files: [q]}, {files: [a.txt]}]}`, `{either: [{files: [q]}, {nonsense: 1}]}`, "none of the alternatives", found},
	{"same_as_fresh_index", askFile, `{same_as_fresh_index: true}`, `{same_as_fresh_index: true, files: [q]}`, "expected q", dumps},
	{"survives", askRob, `{survives: true, defs: [{name: f}]}`, `{survives: true, defs: [{name: g}]}`, "expected g", steady},
	{"max_seconds", askRob, `{max_seconds: 20}`, `{max_seconds: 0}`, "at most 0 s", steady},
	{"response_ids", askMCP, `{response_ids: [1]}`, `{response_ids: [1, 2]}`, "responses to 1, 2", speaks},
	{"by_id", askMCP, `{by_id: {1: {is_error: true, must_mention: [size or limit], max_bytes: 999, says_total: 9, says_truncated: true, says_how_to_continue: true, every_input_schema_has: {type: object}}}}`, `{by_id: {1: {is_error: false}}}`, "expected is_error false", speaks},
	{"by_id", askMCP, `{}`, `{by_id: {1: {must_mention: [nine]}}}`, "to mention", speaks},
	{"by_id", askMCP, `{}`, `{by_id: {1: {max_bytes: 9}}}`, "at most 9 bytes", speaks},
	{"by_id", askMCP, `{}`, `{by_id: {1: {says_total: 8}}}`, "the total 8", speaks},
	{"by_id", askMCP, `{}`, `{by_id: {1: {says_truncated: false}}}`, "says_truncated", speaks},
	{"by_id", askMCP, `{}`, `{by_id: {1: {every_input_schema_has: {additionalProperties: false}}}}`, "additionalProperties", speaks},
	{"by_id", askMCP, `{}`, `{by_id: {1: {nonsense: 1}}}`, "does not know field by_id.nonsense", speaks},
	{"stdout", askMCP, `{stdout: JSON-RPC messages only}`, `{stdout: empty}`, "no standard output", speaks},
	{"stderr_mentions", askMCP, `{stderr_mentions: [start]}`, `{stderr_mentions: [stop]}`, "standard error", speaks},
	{"exit_code", askMCP, `{exit_code: 3}`, `{exit_code: 0}`, "exit code 0, came 3", speaks},
	{"exit_within_seconds", askMCP, `{exit_within_seconds: 5}`, `{exit_within_seconds: 0}`, "exit within", speaks},
	{"then", askMCP, `{then: a second server answers}`, `{then: the moon rises}`, "how to check then", speaks},
	{"each_answer", askRob, `{}`, `{each_answer: [f]}`, "no server", steady},
}

func TestFields(t *testing.T) {
	r := fakeRunner(t)
	tested := map[string]bool{}
	for _, f := range fieldTests {
		tested[f.field] = true
		t.Run(f.field, func(t *testing.T) {
			t.Parallel()
			if faults := runOne(t, r, f.op, f.good, f.replies); len(faults) > 0 {
				t.Errorf("expect %s: %q", f.good, faults)
			}
			if got := strings.Join(runOne(t, r, f.op, f.bad, f.replies), "; "); !strings.Contains(got, f.fault) {
				t.Errorf("expect %s: faults %q, want %q in them", f.bad, got, f.fault)
			}
		})
	}
	for name, check := range checks {
		if check != nil && !tested[name] {
			t.Errorf("field %s has no test", name)
		}
	}
}
