package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/codegraph-dev/codegraph/readtools"
)

// # Roots
//
// With Info.Roots a client that has roots is asked for them after the handshake and whenever
// it says that they changed (up to 2025-11-25; later revisions name none). A call made
// meanwhile waits for the answer. Of one root a client need not speak. With several each tool
// takes the argument root, a folder or its last name, which the tool itself never sees: it is
// told by Root. The first one is the default. A client that was told of the tools before is
// told that they changed.

const (
	methodTools       = "tools/list"
	methodRoots       = "roots/list"
	noticeInitialized = "notifications/initialized"
	noticeRoots       = "notifications/roots/list_changed"
	noticeTools       = "notifications/tools/list_changed"
)

// How long a client's roots are waited for: by a call, and by the list of tools, which hosts
// want at once.
const (
	rootsFor     = 3 * time.Second
	rootsForList = 60 * time.Millisecond
)

// rootArg is the argument that names a root.
const rootArg = "root"

type rootKey struct{}

// Root is the folder that the client's call is about, "" where the client names none.
func Root(ctx context.Context) string {
	root, _ := ctx.Value(rootKey{}).(string)
	return root
}

// hasRoots reports whether a client declared that it has roots.
func hasRoots(capabilities json.RawMessage) bool {
	var has struct {
		Roots map[string]json.RawMessage `json:"roots"`
	}
	return json.Unmarshal(capabilities, &has) == nil && has.Roots != nil
}

// askRoots asks the client for its roots.
func (c *conn) askRoots() {
	if !c.server.info.Roots || !c.rooted {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	c.asked++
	id := c.asks + strconv.Itoa(c.asked)
	line, err := encode(object{{"jsonrpc", "2.0"}, {"id", id}, {"method", methodRoots}})
	if err != nil {
		return
	}
	answer, known := make(chan json.RawMessage, 1), make(chan struct{})
	c.replies["string "+id] = answer
	c.rootsKnown = known
	c.push(c.out, item{line: line})
	c.calls.Add(1)
	go func() {
		defer c.calls.Done()
		defer close(known)
		select {
		case raw := <-answer:
			c.setRoots(folders(raw))
		case <-c.watching.Done():
		}
	}()
}

// ready tells that the client's handshake is over.
func (c *conn) ready() {
	f := c.server.info.Ready
	c.mu.Lock()
	defer c.mu.Unlock()
	if f == nil || c.closed {
		return
	}
	c.calls.Add(1)
	go func() {
		defer c.calls.Done()
		f(c.withRoot(c.watching))
	}()
}

// folders are the paths in the result of roots/list.
func folders(raw json.RawMessage) []string {
	var list struct{ Roots []struct{ URI string } }
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	var out []string
	for _, r := range list.Roots {
		u, err := url.Parse(r.URI)
		if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || !filepath.IsAbs(u.Path) {
			continue
		}
		if p := filepath.Clean(u.Path); !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// setRoots takes the roots of the client, and tells it if its tools are others now.
func (c *conn) setRoots(roots []string) {
	var kit *sdk
	if len(roots) > 1 {
		var err error
		if kit, err = newSDK(c.server.rows, c.server.info, roots); err != nil {
			c.log.Error("tools with roots cannot be listed", "error", err)
		}
	}
	line, err := encode(object{{"jsonrpc", "2.0"}, {"method", noticeTools}})
	c.mu.Lock()
	defer c.mu.Unlock()
	changed := (len(c.roots) > 1 || len(roots) > 1) && !slices.Equal(c.roots, roots)
	c.roots, c.kit = roots, kit
	if changed && c.listed && err == nil {
		c.pushOnce(c.out, item{line: line, name: noticeTools})
	}
}

// awaitRoots waits for an answer of the client that is due.
func (c *conn) awaitRoots(ctx context.Context, patience time.Duration) {
	c.mu.Lock()
	known := c.rootsKnown
	c.mu.Unlock()
	if known == nil {
		return
	}
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case <-known:
	case <-t.C:
		if patience == rootsFor { // whoever has not answered by now will hold up no other call
			c.mu.Lock()
			defer c.mu.Unlock()
			if c.rootsKnown == known {
				c.rootsKnown = nil
			}
		}
	case <-ctx.Done():
	}
}

// withRoot is ctx with the root that a call is about by default.
func (c *conn) withRoot(ctx context.Context) context.Context {
	c.awaitRoots(ctx, rootsFor)
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.roots) == 0 {
		return ctx
	}
	return context.WithValue(ctx, rootKey{}, c.roots[0])
}

// list answers tools/list, once it is known what the tools take.
func (c *conn) list(ctx context.Context, k *call, m message) {
	c.awaitRoots(ctx, rootsForList)
	c.mu.Lock()
	c.listed = true // what changes from here on has to be said
	c.mu.Unlock()
	notices, reply, _ := c.handle(ctx, m)
	c.end(k, notices, reply)
}

// sdk is the SDK with the tools as this client sees them.
func (c *conn) sdk() *sdk {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kit != nil {
		return c.kit
	}
	return c.server.sdk
}

// takeRoot takes the root out of a call's arguments.
func takeRoot(ctx context.Context, args json.RawMessage) (context.Context, json.RawMessage, error) {
	at, ok := ctx.Value(callKey{}).(*current)
	if !ok {
		return ctx, args, nil
	}
	at.conn.mu.Lock()
	roots := at.conn.roots
	at.conn.mu.Unlock()
	if len(roots) < 2 || at.call.asker.stateless {
		return ctx, args, nil
	}
	var given map[string]json.RawMessage
	if json.Unmarshal(args, &given) != nil || absent(given[rootArg]) {
		return ctx, args, nil
	}
	root, err := chosen(given[rootArg], roots)
	if err != nil {
		return ctx, args, err
	}
	return context.WithValue(ctx, rootKey{}, root), without(given, rootArg), nil
}

// chosen is the root that an argument names: a path, or the last name of one alone.
func chosen(raw json.RawMessage, roots []string) (string, error) {
	var name string
	var found []string
	if json.Unmarshal(raw, &name) == nil && name != "" {
		for _, r := range roots {
			if r == filepath.Clean(name) {
				return r, nil
			}
			if filepath.Base(r) == name {
				found = append(found, r)
			}
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", &readtools.Error{Code: "usage", Message: fmt.Sprintf("root: there is no root %s", clip(string(raw), 200)), Next: fmt.Sprintf("give one of %q", roots)}
	}
	return "", &readtools.Error{Code: "ambiguous", Message: fmt.Sprintf("root: %d roots are named %q", len(found), name), Next: fmt.Sprintf("give its whole path: one of %q", found)}
}

// withRootArg is an input schema that has the argument root, too.
func withRootArg(schema json.RawMessage, roots []string) (json.RawMessage, error) {
	if len(roots) < 2 {
		return schema, nil
	}
	arg, err := encode(object{{"type", "string"}, {"enum", choices(roots)},
		{"description", "which of the client's roots the call is about (default " + choices(roots)[0] + ")"}})
	if err != nil {
		return nil, err
	}
	head, rest, ok := bytes.Cut(schema, []byte(`"properties":{`))
	if !ok {
		return nil, fmt.Errorf("the schema has no properties: %.100s", schema)
	}
	out := append(slices.Clone(head), `"properties":{"`+rootArg+`":`...)
	out = append(out, arg...)
	if !bytes.HasPrefix(rest, []byte("}")) {
		out = append(out, ',')
	}
	return append(out, rest...), nil
}

// choices are the roots by their shortest names: the last one where it is one root's alone.
func choices(roots []string) []string {
	var out []string
	for _, r := range roots {
		base := filepath.Base(r)
		same := 0
		for _, other := range roots {
			if filepath.Base(other) == base {
				same++
			}
		}
		if same > 1 {
			base = r
		}
		out = append(out, base)
	}
	return out
}
