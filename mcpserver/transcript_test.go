package mcpserver

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the transcripts by what the server says")

// TestTranscripts plays testdata/*.txtar: a sentence that says why, and a file `talk`.
// There `> ` is a line of the client, after which the test waits until the server has
// answered it; `>> ` one that it does not wait for; and `< ` a message of the server, with
// "..." for any value. Only the order that the protocol fixes is compared.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(archive.Files) != 1 || archive.Files[0].Name != "talk" {
				t.Fatal("a transcript has one file, talk")
			}
			talk := play(t, string(archive.Files[0].Data))
			if *update {
				archive.Files[0].Data = []byte(talk)
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// play sends the client's lines and returns the talk as it went.
func play(t *testing.T, talk string) string {
	f := newFakes()
	c := start(t, f.tools(), Info{MaxLine: 4096, Instructions: "Use these.", Resources: f.resources()})
	var out strings.Builder
	lines := strings.Split(strings.TrimSuffix(talk, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if strings.HasPrefix(line, "< ") {
			t.Errorf("line %d: the server said nothing, want %s", i+1, line)
			continue
		}
		fmt.Fprintln(&out, line)
		sent, wait := strings.CutPrefix(line, "> ")
		if !wait {
			var ok bool
			if sent, ok = strings.CutPrefix(line, ">> "); !ok {
				continue // an empty line or a comment
			}
		}
		c.send("%s", strings.ReplaceAll(sent, "$LONG", strings.Repeat("x", 5000)))
		if !wait {
			continue
		}
		for _, got := range c.answers(sent, i) {
			want := ""
			if i+1 < len(lines) && strings.HasPrefix(lines[i+1], "< ") {
				i++
				want = strings.TrimPrefix(lines[i], "< ")
			}
			fmt.Fprintln(&out, "< "+compare(t, i, want, got))
		}
	}
	c.finish()
	for m := range c.got {
		t.Errorf("at the end the server said %s", canonical(m))
	}
	return out.String()
}

// aside are the methods that are not answered in the order of arrival.
var aside = []string{methodCall, methodResources, methodRead, methodComplete}

// answers are the messages up to the answer of a ping sent behind the line, and up to the
// line's own answer where it does not come in the order of arrival.
func (c *client) answers(sent string, n int) (got []map[string]any) {
	var request struct {
		ID     any
		Method string
	}
	called := json.Unmarshal([]byte(sent), &request) == nil && slices.Contains(aside, request.Method) ||
		strings.HasPrefix(sent, "[")
	ping := fmt.Sprintf("ping after line %d", n)
	c.send(`{"jsonrpc":"2.0","id":%q,"method":"ping"}`, ping)
	for pinged := false; !pinged || called; {
		m := c.next()
		if m["id"] == ping {
			pinged = true
			continue
		}
		if m["method"] == nil && reflect.DeepEqual(m["id"], request.ID) { // of a batch both are nil
			called = false
		}
		got = append(got, m)
	}
	return got
}

// compare returns the line to keep: the wanted one where it fits.
func compare(t *testing.T, n int, want string, got map[string]any) string {
	var value any
	if err := json.Unmarshal([]byte(want), &value); err == nil && fits(value, any(got)) {
		return want
	}
	if !*update {
		have := canonical(got)
		at := 0
		for at < min(len(have), len(want)) && have[at] == want[at] {
			at++
		}
		t.Errorf("line %d, from byte %d: got\n  %s\nwant\n  %s", n+1, at, around(have, at), around(want, at))
	}
	return canonical(got)
}

// around is the part of a long line where two differ.
func around(s string, at int) string {
	return s[max(0, at-80):min(len(s), at+200)]
}

func fits(want, got any) bool {
	switch w := want.(type) {
	case string:
		return w == "..." || w == got
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok || len(w) != len(g) {
			return false
		}
		for k := range w {
			if v, ok := g[k]; !ok || !fits(w[k], v) {
				return false
			}
		}
		return true
	case []any:
		g, ok := got.([]any)
		if !ok || len(w) != len(g) {
			return false
		}
		for i := range w {
			if !fits(w[i], g[i]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(want, got)
}

func canonical(v any) string {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(out.String())
}
