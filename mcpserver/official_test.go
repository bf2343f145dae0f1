package mcpserver

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/tools/txtar"
)

// resultOf names the definition of a method's result in the protocol's schemas.
var resultOf = map[string]string{
	"initialize": "InitializeResult", "tools/list": "ListToolsResult", "tools/call": "CallToolResult",
	"server/discover": "DiscoverResult", "ping": "EmptyResult", "subscriptions/listen": "SubscriptionsListenResult",
	"resources/list": "ListResourcesResult", "resources/templates/list": "ListResourceTemplatesResult", "resources/read": "ReadResourceResult",
	"completion/complete": "CompleteResult", "resources/subscribe": "EmptyResult", "resources/unsubscribe": "EmptyResult", "logging/setLevel": "EmptyResult",
}

// TestOfficialSchemas holds what the server says in the transcript of each revision
// against the schema of that revision.
func TestOfficialSchemas(t *testing.T) {
	schemas, err := filepath.Glob("testdata/schema/*.json")
	if err != nil || len(schemas) != len(revisions()) {
		t.Fatalf("%d schemas, %d revisions, %v", len(schemas), len(revisions()), err)
	}
	for _, file := range schemas {
		revision := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(revision, func(t *testing.T) {
			official := definitions(t, file)
			archive, err := txtar.ParseFile(filepath.Join("testdata", revision+".txtar"))
			if err != nil {
				t.Fatal(err)
			}
			methods := map[string]string{}
			for line := range strings.Lines(string(archive.Files[0].Data)) {
				var m struct {
					ID, Result, Batch json.RawMessage
					Method            string
				}
				text := []byte(strings.TrimLeft(line, "<> "))
				if json.Unmarshal(text, &m) != nil {
					continue
				}
				if line[0] == '>' {
					methods[string(m.ID)] = m.Method
					continue
				}
				if m.Batch != nil {
					text = m.Batch
				}
				// Older schemas have no form for an error whose id could not be read; there
				// it is JSON-RPC's.
				if string(m.ID) != "null" || revision >= noIDRevision {
					official(t, "JSONRPCMessage", text)
				}
				if name := resultOf[methods[string(m.ID)]]; name != "" && m.Result != nil {
					official(t, name, m.Result)
				}
			}
		})
	}
}

// definitions returns a check of a value by a definition of a schema file.
func definitions(t *testing.T, file string) func(*testing.T, string, []byte) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	at := "$defs"
	if _, ok := doc.(map[string]any)[at]; !ok {
		at = "definitions"
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("file:///s.json", doc); err != nil {
		t.Fatal(err)
	}
	return func(t *testing.T, name string, value []byte) {
		t.Helper()
		s, err := c.Compile("file:///s.json#/" + at + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(t, s, json.RawMessage(value)); err != nil {
			t.Errorf("%s is no %s: %v", value, name, err)
		}
	}
}
