package mcpserver

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	in := newLines(strings.NewReader("\xef\xbb\xbfone\r\n\n  two\n"+long+"\n"+long[:100]+"\nend"), 100)
	for _, want := range []struct {
		line string
		over bool
	}{{"one", false}, {"", false}, {"two", false}, {long[:keptHead], true}, {long[:100], false}, {"end", false}} {
		line, size, err := in.next()
		if err != nil || string(line) != want.line || size > in.limit+1 != want.over {
			t.Errorf("got %.20q, %d bytes, %v; want %.20q", line, size, err, want.line)
		}
	}
	if _, _, err := in.next(); err != io.EOF {
		t.Errorf("got %v at the end", err)
	}
}

func TestHeadID(t *testing.T) {
	for head, want := range map[string]string{
		`{"jsonrpc":"2.0","id":7,"method":"x","params":{"a":"bc`: `7`,
		`{"params":{"id":1},"id":"x","me`:                        `"x"`,
		`{"params":{"id":1},"method":"x`:                         `null`,
		`{"id":{},"x":1`:                                         `null`,
		`[{"id":1}`:                                              `null`,
		``:                                                       `null`,
	} {
		if got := headID([]byte(head)); string(got) != want {
			t.Errorf("%s: got %s, want %s", head, got, want)
		}
	}
}

func TestUnescapeHTML(t *testing.T) {
	for _, text := range []string{"a<b>&c", `\u003c`, `\\u003c`, "\\", "<", "é\u2028", `"\"<`} {
		escaped, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		got := unescapeHTML(bytes.Clone(escaped))
		var back string
		if err := json.Unmarshal(got, &back); err != nil || back != text {
			t.Errorf("%s became %s: %v", escaped, got, err)
		}
		if want := strings.ContainsAny(text, "<>&"); bytes.ContainsAny(got, "<>&") != want {
			t.Errorf("%s became %s", escaped, got)
		}
	}
}

// FuzzRun sends any bytes to a server: it survives and writes nothing but messages. The
// order of goroutines makes its coverage vary, so give it -fuzzminimizetime=5x.
func FuzzRun(f *testing.F) {
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}` + "\n"
	f.Add([]byte(hello + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"find","arguments":{"pattern":"x"}}}`))
	f.Add([]byte(hello + `[{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"},7]` + "\n[]\n"))
	f.Add([]byte(`{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`))
	f.Add([]byte(hello + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}` + "\n{\n\xff\n"))
	s, err := New(newFakes().tools()[:1], Info{MaxLine: 1000})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var out bytes.Buffer
		if err := s.Run(t.Context(), bytes.NewReader(in), &out); err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(out.Bytes()) {
			var one struct{ JSONRPC string }
			var many []struct{ JSONRPC string }
			if json.Unmarshal(line, &one) == nil && one.JSONRPC == "2.0" {
				continue
			}
			if json.Unmarshal(line, &many) != nil || len(many) == 0 {
				t.Errorf("the output has %q", line)
			}
		}
	})
}
