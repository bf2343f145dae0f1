//go:build unix

package main

import (
	"context"
	_ "embed" // the icon
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/mcpserver"
	"github.com/codegraph-dev/codegraph/readtools"
	"github.com/codegraph-dev/codegraph/search"
	"github.com/codegraph-dev/codegraph/workspace"
)

//go:embed icon.svg
var iconSVG []byte

// icon is the program's image as a URI.
func icon() string { return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(iconSVG) }

// glance is how long a list, a completion and the status wait for the index. A client asks
// for them while a person types or looks on, and what is known at once is what is wanted.
const glance = 300 * time.Millisecond

// viewer runs a function over a snapshot.
type viewer func(ctx context.Context, f func(*workspace.Snapshot) error) error

// sources are where resources come from.
type sources struct {
	with   opener
	status func(ctx context.Context) (*standingResult, error)
	watch  func(ctx context.Context, changed func())
}

// resources is the table of resources.
func resources(from sources) []mcpserver.Resource {
	view := func(ctx context.Context, f func(*workspace.Snapshot) error) error {
		return from.with(ctx, func(w *workspace.Workspace) error { return w.View(ctx, f) })
	}
	quick := func(ctx context.Context, f func(*workspace.Snapshot) error) error {
		return view(workspace.Within(ctx, glance), f)
	}
	rows := []mcpserver.Resource{
		{
			URI: "codegraph://status", Name: "status", Title: "Status of the index", MIME: "application/json", Priority: 0.5,
			Description: "How the index stands: ready or how far it is, generation, files, symbols and references counted, what was skipped and why.",
			Read:        from.statusContent, Watch: from.watch,
		},
		{
			URI: "codegraph://overview", Name: "overview", Title: "Overview of the code base", MIME: "text/plain", Priority: 1,
			Description: "What the code base is made of: languages, entry points, folders, tests, the symbols that most files refer to.",
			Read:        over(view, overviewContent),
		},
		{
			URI: "codegraph://file/{path}", Name: "file", Title: "File of the workspace", Priority: 0.7,
			Description: "A file as it is on disk now, by its path relative to the root.",
			Read:        over(quick, fileContent), Complete: over(quick, completePath),
			List: func(ctx context.Context, after string, limit int) ([]mcpserver.Instance, error) {
				return over(quick, func(_ context.Context, s *workspace.Snapshot, after string) ([]mcpserver.Instance, error) {
					return filesAfter(s.Files(), after, limit), nil
				})(ctx, after)
			},
		},
		{
			URI: "codegraph://symbol/{id}", Name: "symbol", Title: "Definition of a symbol", MIME: "text/plain", Priority: 0.7,
			Description: "A definition with its numbered source as it is now, by the symbol's id as every tool gives it (path#Type.Method).",
			Read:        over(view, symbolContent), Complete: over(quick, completeID),
		},
		{
			URI: "codegraph://evidence/{id}", Name: "evidence", Title: "What a call read or changed", MIME: "application/json", Priority: 0.3,
			Description: "The entry of the ledger that a result names as its evidence: what was called and what came of it, which files were read or changed, with their lines and SHA-256.",
			Read:        from.evidenceContent, Complete: from.completeEvidence,
		},
	}
	for i := range rows {
		rows[i].Icon = icon()
	}
	return rows
}

// over makes the function of a row from one over a snapshot.
func over[T any](view viewer, f func(context.Context, *workspace.Snapshot, string) (T, error)) func(context.Context, string) (T, error) {
	return func(ctx context.Context, value string) (out T, err error) {
		err = view(ctx, func(s *workspace.Snapshot) (err error) {
			out, err = f(ctx, s, value)
			return err
		})
		return out, err
	}
}

func (from sources) statusContent(ctx context.Context, _ string) (mcpserver.Content, error) {
	r, err := from.status(ctx)
	if err != nil {
		return mcpserver.Content{}, err
	}
	return jsonContent(r)
}

func (from sources) evidenceContent(ctx context.Context, id string) (out mcpserver.Content, err error) {
	err = from.with(ctx, func(w *workspace.Workspace) error {
		e, err := w.Evidence(ctx, id)
		if err != nil {
			return asError(err)
		}
		out, err = jsonContent(e)
		return err
	})
	return out, err
}

// completeEvidence completes the id of an entry, the newest first.
func (from sources) completeEvidence(ctx context.Context, typed string) (out mcpserver.Completion, err error) {
	err = from.with(ctx, func(w *workspace.Workspace) error {
		list, _, err := w.EvidenceList(ctx, mostCompleted+1, func(e *workspace.Entry) bool { return strings.HasPrefix(e.ID, typed) })
		for _, e := range list {
			out.Values = append(out.Values, e.ID)
		}
		return err
	})
	if n := len(out.Values); n > mostCompleted {
		out.Values, out.More = out.Values[:mostCompleted], true
	} else {
		out.Total = n
	}
	return out, err
}

func overviewContent(ctx context.Context, s *workspace.Snapshot, _ string) (mcpserver.Content, error) {
	r, err := readtools.Explore(ctx, s, readtools.ExploreParams{Focus: "overview"})
	if err != nil {
		return mcpserver.Content{}, err
	}
	return mcpserver.Content{Text: r.Text()}, nil
}

func jsonContent(v any) (mcpserver.Content, error) {
	text, err := json.MarshalIndent(v, "", "  ")
	return mcpserver.Content{Text: string(text)}, err
}

// mostBytes is the largest file that is a resource: it comes in one message.
const mostBytes = 1 << 20

// fileContent is a file: text as it is read by the tools, anything else as its bytes.
func fileContent(ctx context.Context, s *workspace.Snapshot, name string) (mcpserver.Content, error) {
	f, err := s.Read(ctx, path.Clean(name))
	if err != nil {
		return mcpserver.Content{}, readtools.PathError(name, err)
	}
	if len(f.Data) > mostBytes {
		return mcpserver.Content{}, &readtools.Error{
			Code: "precondition", Message: fmt.Sprintf("%s has %.1f MB, a resource at most %.0f", name, float64(len(f.Data))/1e6, mostBytes/1e6),
			Next: fmt.Sprintf("read a part: read_open target: %q", name+":1-500"),
		}
	}
	mime := mimeOf(name)
	if f.Known != nil && f.Known.Language != "" {
		mime = textOf(f.Known.Language)
	}
	t := search.Decode(f.Data)
	if t.Binary() || !utf8.Valid(t.Data) {
		if strings.HasPrefix(mime, "text/") {
			mime = "application/octet-stream"
		}
		return mcpserver.Content{MIME: mime, Blob: f.Data}, nil
	}
	return mcpserver.Content{MIME: mime, Text: string(t.Data)}, nil
}

// symbolContent is a definition; what names no symbol, such as a path, is none.
func symbolContent(ctx context.Context, s *workspace.Snapshot, id string) (mcpserver.Content, error) {
	p := readtools.OpenParams{Target: []string{id}, View: "source"}
	p.Budget = mostBytes
	r, err := readtools.Open(ctx, s, p)
	if err != nil {
		return mcpserver.Content{}, err
	}
	if len(r.Items) != 1 || r.Items[0].Symbol == nil {
		return mcpserver.Content{}, &readtools.Error{
			Code: "not_found", Message: fmt.Sprintf("%q is no symbol", id), Next: "give an id as grep in: symbols shows it, or read codegraph://file/" + id,
		}
	}
	return mcpserver.Content{Text: r.Text()}, nil
}

// filesAfter are the files after a path, in the order of their paths.
func filesAfter(files []graph.File, after string, limit int) []mcpserver.Instance {
	at := 0
	if after != "" {
		var found bool
		at, found = slices.BinarySearchFunc(files, after, func(f graph.File, p string) int { return strings.Compare(f.Path, p) })
		if found {
			at++
		}
	}
	var out []mcpserver.Instance
	for i := at; i < len(files) && len(out) < limit; i++ {
		x := mcpserver.Instance{Value: files[i].Path, MIME: mimeOf(files[i].Path), Size: files[i].Size}
		if l := files[i].Language; l != "" {
			x.MIME = textOf(l)
		}
		out = append(out, x)
	}
	return out
}

// textOf is the type of a text in a language.
func textOf(language string) string { return "text/x-" + language }

// mimes are the types of files that are no code, by their extensions.
var mimes = map[string]string{
	".md": "text/markdown", ".html": "text/html", ".htm": "text/html", ".css": "text/css", ".csv": "text/csv", ".xml": "application/xml",
	".json": "application/json", ".yaml": "application/yaml", ".yml": "application/yaml", ".toml": "application/toml",
	".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp",
	".pdf": "application/pdf", ".zip": "application/zip", ".gz": "application/gzip", ".wasm": "application/wasm",
}

// mimeOf is the type of a file that is no code, the same on every machine.
func mimeOf(name string) string {
	if m, ok := mimes[strings.ToLower(path.Ext(name))]; ok {
		return m
	}
	return "text/plain"
}
