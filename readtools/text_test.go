package readtools

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/codegraph-dev/codegraph/workspace"
)

var update = flag.Bool("update", false, "write the wanted texts of the cases anew")

// TestText runs the cases in testdata/text. Each is an archive: a sentence that says why,
// the calls (a tool and its arguments as JSON, one a line), the sources, and the texts wanted.
func TestText(t *testing.T) {
	paths, err := filepath.Glob("testdata/text/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			textCase(t, path)
		})
	}
}

func textCase(t *testing.T, path string) {
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	var calls, want []byte
	var kept []txtar.File
	for _, f := range a.Files {
		switch f.Name {
		case "calls":
			calls = f.Data
		case "want":
			want = f.Data
			continue
		default:
			files[f.Name] = string(f.Data)
		}
		kept = append(kept, f)
	}
	w := openTree(t, files)
	var got bytes.Buffer
	for line := range strings.Lines(string(calls)) {
		fmt.Fprintf(&got, "> %s%s\n", line, callText(t, w, strings.TrimSpace(line)))
	}
	if *update {
		a.Files = append(kept, txtar.File{Name: "want", Data: got.Bytes()})
		if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("got\n%s\nwant\n%s", got.Bytes(), want)
	}
}

// callText is the text of a call, or of its error.
func callText(t *testing.T, w *workspace.Workspace, line string) string {
	tool, args, _ := strings.Cut(line, " ")
	var text string
	err := w.View(t.Context(), func(s *workspace.Snapshot) error {
		var err error
		text, err = callTool(t.Context(), s, tool, []byte(args))
		return err
	})
	if err != nil {
		return "error: " + codeOf(err) + ": " + err.Error() + "\n"
	}
	return text
}

func callTool(ctx context.Context, s *workspace.Snapshot, tool string, args []byte) (string, error) {
	switch tool {
	case "grep":
		return textOf(ctx, s, args, Grep, GrepParams{}, (*GrepResult).Text)
	case "discover":
		return textOf(ctx, s, args, Discover, DiscoverParams{}, (*DiscoverResult).Text)
	case "open":
		return textOf(ctx, s, args, Open, OpenParams{}, (*OpenResult).Text)
	case "explore":
		return textOf(ctx, s, args, Explore, ExploreParams{IncludeTests: true}, (*ExploreResult).Text)
	}
	return "", fmt.Errorf("no tool %q", tool)
}

func textOf[P, R any](ctx context.Context, s *workspace.Snapshot, args []byte, tool func(context.Context, *workspace.Snapshot, P) (*R, error), p P,
	text func(*R) string) (string, error) {
	d := json.NewDecoder(bytes.NewReader(args))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return "", err
	}
	r, err := tool(ctx, s, p)
	if err != nil {
		return "", err
	}
	return text(r), nil
}
