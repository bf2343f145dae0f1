package mcpserver

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// TestResourcePages follows the cursors through all pages and reads what they list.
func TestResourcePages(t *testing.T) {
	c := rich(t, newFakes())
	cursor, seen := "", map[string]bool{}
	for page := 1; ; page++ {
		c.send(`{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{"cursor":%q}}`, cursor)
		result, ok := c.next()["result"].(map[string]any)
		if !ok {
			t.Fatalf("page %d: no result", page)
		}
		list := result["resources"].([]any)
		if len(list) > listPage+1 {
			t.Errorf("page %d has %d resources", page, len(list))
		}
		for _, x := range list {
			r := x.(map[string]any)
			uri := r["uri"].(string)
			if seen[uri] {
				t.Errorf("%s is listed twice", uri)
			}
			seen[uri] = true
			if strings.Contains(uri, "file") && page == 2 {
				c.send(`{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":%q}}`, uri)
				got := canonical(c.next()["result"])
				if want := fmt.Sprintf("<%s>", r["name"]); !strings.Contains(got, want) {
					t.Fatalf("%s: read %s, want %s", uri, got, want)
				}
			}
		}
		if cursor, ok = result["nextCursor"].(string); !ok {
			break
		}
	}
	if len(seen) != 251 {
		t.Errorf("%d resources are listed, want 251", len(seen))
	}
	c.finish()
}

func TestDamagedCursor(t *testing.T) {
	whole := sealCursor(1, "a/b c.go")
	if row, after, ok := openCursor(whole); row != 1 || after != "a/b c.go" || !ok {
		t.Fatalf("the cursor came back as %d %q %v", row, after, ok)
	}
	for i := range whole {
		for _, c := range []string{"A", "_", "\n", ""} {
			if damaged := whole[:i] + c + whole[i+1:]; damaged != whole {
				if row, after, ok := openCursor(damaged); ok && damaged != "" {
					t.Errorf("%q was taken for a cursor: %d %q", damaged, row, after)
				}
			}
		}
	}
	if _, _, err := (resources{}).list(t.Context(), sealCursor(9, "x")); err == nil {
		t.Error("a cursor beyond the table was taken")
	}
}

// TestWrongRows refuses rows that could not be served.
func TestWrongRows(t *testing.T) {
	read := func(context.Context, string) (Content, error) { return Content{}, nil }
	for name, rows := range map[string][]Resource{
		"no scheme":         {{URI: "state", Name: "a", Read: read}},
		"two variables":     {{URI: "x://{a}/{b}", Name: "a", Read: read}},
		"variable within":   {{URI: "x://{a}/b", Name: "a", Read: read}},
		"no name":           {{URI: "x://a", Read: read}},
		"name twice":        {{URI: "x://a", Name: "a", Read: read}, {URI: "x://b", Name: "a", Read: read}},
		"URI twice":         {{URI: "x://a", Name: "a", Read: read}, {URI: "x://a{b}", Name: "b", Read: read}},
		"nothing to read":   {{URI: "x://a", Name: "a"}},
		"priority":          {{URI: "x://a", Name: "a", Read: read, Priority: 2}},
		"constant, by list": {{URI: "x://a", Name: "a", Read: read, Complete: completeFake}},
	} {
		if _, err := New(nil, Info{Resources: rows}); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}
