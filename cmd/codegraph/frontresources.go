//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/codegraph-dev/codegraph/mcpserver"
	"github.com/codegraph-dev/codegraph/readtools"
)

// methodResource is the request by which a front-end has a daemon do what a row of the table
// of resources does. The protocol's own methods would not do: they list in pages whose
// cursors are the server's, and the front-end is the server of its client.
const methodResource = "codegraph/resource"

// resourceAsk is what a row shall do: read or complete a value, or list what comes after it.
type resourceAsk struct {
	Row   string `json:"row"`
	Do    string `json:"do"`
	Value string `json:"value"`
	Limit int    `json:"limit,omitempty"`
}

// resourceAnswer is what came of it.
type resourceAnswer struct {
	Content    mcpserver.Content    `json:"content"`
	Completion mcpserver.Completion `json:"completion"`
	List       []mcpserver.Instance `json:"list,omitempty"`
	Error      *readtools.Error     `json:"error,omitempty"`
}

// answerResource has a row do what is asked.
func answerResource(ctx context.Context, rows []mcpserver.Resource, q resourceAsk) (out resourceAnswer) {
	at := slices.IndexFunc(rows, func(r mcpserver.Resource) bool { return r.Name == q.Row })
	err := fmt.Errorf("the resource %q cannot %s", q.Row, q.Do)
	if at >= 0 {
		switch r := rows[at]; {
		case q.Do == "read":
			out.Content, err = r.Read(ctx, q.Value)
		case q.Do == "complete" && r.Complete != nil:
			out.Completion, err = r.Complete(ctx, q.Value)
		case q.Do == "list" && r.List != nil:
			out.List, err = r.List(ctx, q.Value, q.Limit)
		}
	}
	if err != nil {
		out.Error = asError(err)
	}
	return out
}

// resourceRows are the resources of a workspace that this process has.
func (l *lazyWorkspace) resourceRows(open opener) []mcpserver.Resource {
	l.standing.open = l.open
	return resources(sources{with: open, status: l.standing.status, watch: l.standing.watch})
}

// resources are the resources' rows, which are handed on as calls are. Changes are seen here:
// the state folder shows them, and to look at it keeps no daemon from its rest.
func (f *frontend) resources() []mcpserver.Resource {
	none := &lazyWorkspace{app: f.app}
	rows := none.resourceRows(none.with)
	for i := range rows {
		r := &rows[i]
		name := r.Name
		r.Read = func(ctx context.Context, value string) (mcpserver.Content, error) {
			a, err := f.resource(ctx, resourceAsk{Row: name, Do: "read", Value: value})
			return a.Content, err
		}
		if r.Complete != nil {
			r.Complete = func(ctx context.Context, typed string) (mcpserver.Completion, error) {
				a, err := f.resource(ctx, resourceAsk{Row: name, Do: "complete", Value: typed})
				return a.Completion, err
			}
		}
		if r.List != nil {
			r.List = func(ctx context.Context, after string, limit int) ([]mcpserver.Instance, error) {
				a, err := f.resource(ctx, resourceAsk{Row: name, Do: "list", Value: after, Limit: limit})
				return a.List, err
			}
		}
		if r.Watch != nil {
			r.Watch = func(ctx context.Context, changed func()) {
				if root, err := f.root(ctx); err == nil {
					f.nearby(root).lazy.standing.watch(ctx, changed)
				}
			}
		}
	}
	return rows
}

// resource hands on what a row shall do.
func (f *frontend) resource(ctx context.Context, q resourceAsk) (out resourceAnswer, err error) {
	root, err := f.root(ctx)
	if err != nil {
		return out, asError(err)
	}
	err = errPlace
	if f.app.daemon == daemonAuto {
		l := f.link(root)
		err = l.request(ctx, l.ids.Add(1), methodResource, q, &out, mcpserver.Hooks{})
	}
	switch {
	case noDaemon(err):
		out = answerResource(ctx, f.nearby(root).resources, q)
	case err != nil:
		return out, failed(ctx, err)
	}
	if out.Error != nil {
		return out, out.Error
	}
	return out, nil
}

// request makes a request of this program's own, one that does no harm when it is made twice.
func (l *link) request(ctx context.Context, id int64, method string, params, result any, h mcpserver.Hooks) error {
	return l.do(ctx, true, func(w *wire, _ bool) error {
		raw, err := w.Request(ctx, id, method, params, h)
		if err != nil {
			return err
		}
		return json.Unmarshal(raw, result)
	})
}
