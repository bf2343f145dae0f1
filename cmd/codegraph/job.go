//go:build unix

package main

import (
	"context"
	"encoding/json"
	"time"

	"github.com/codegraph-dev/codegraph/mcpserver"
	"github.com/codegraph-dev/codegraph/readtools"
	"github.com/codegraph-dev/codegraph/workspace"
	"github.com/codegraph-dev/codegraph/workspace/daemon"
)

// job is work of a verb over a workspace that is no call of a tool. A daemon does it where one
// serves the root: so it need not let go of its stores, and a verb says the same either way.
type job[Q, R any] struct {
	name string // of the request, after methodJob
	// soon is how long a daemon lets the job wait for the index before it answers from what
	// there is, since the index is made all the same; 0 means as long as it takes.
	soon time.Duration
	do   func(ctx context.Context, w *workspace.Workspace, q Q) (R, error)
}

// methodJob begins the names of the requests by which verbs have a daemon do jobs.
const methodJob = "codegraph/job/"

// jobAsk are the parameters of such a request.
type jobAsk[Q any] struct {
	Job  Q                `json:"job"`
	Meta map[string]int64 `json:"_meta,omitempty"`
}

// jobAnswer is what came of it.
type jobAnswer[R any] struct {
	Result R                `json:"result"`
	Error  *readtools.Error `json:"error,omitempty"`
}

// jobs are the requests that a daemon answers to verbs.
func jobs(open opener) map[string]mcpserver.Method {
	out := map[string]mcpserver.Method{}
	statusJob.add(out, open)
	checkJob.add(out, open)
	indexJob.add(out, open)
	exportJob.add(out, open)
	completeJob.add(out, open)
	return out
}

func (j job[Q, R]) add(to map[string]mcpserver.Method, open opener) {
	to[methodJob+j.name] = func(ctx context.Context, params json.RawMessage) (any, error) {
		var q jobAsk[Q]
		if err := json.Unmarshal(params, &q); err != nil {
			return nil, err
		}
		if j.soon > 0 {
			ctx = workspace.Within(ctx, j.soon)
		}
		var out jobAnswer[R]
		err := open(ctx, func(w *workspace.Workspace) (err error) {
			out.Result, err = j.do(ctx, w, q.Job)
			return err
		})
		if err != nil {
			out.Error = asError(err)
		}
		return out, nil
	}
}

// run does the job: at the daemon of the root if there is one, which is not started for it,
// else in this process.
func (j job[Q, R]) run(ctx context.Context, a *app, q Q) (R, error) {
	if root, ok := a.served(ctx); ok {
		r, err := j.far(ctx, a, root, q)
		if !noDaemon(err) {
			return r, err
		}
	}
	return j.near(ctx, a, q)
}

// near does the job in this process.
func (j job[Q, R]) near(ctx context.Context, a *app, q Q) (r R, err error) {
	err = a.with(ctx, func(w *workspace.Workspace) (err error) {
		r, err = j.do(ctx, w, q)
		return err
	})
	return r, err
}

// far has the daemon of a root do the job. Who sits at the terminal sees how far it is.
func (j job[Q, R]) far(ctx context.Context, a *app, root string, q Q) (R, error) {
	l := newLink(root, false, "", false)
	defer l.close()
	bar := a.progress()
	defer bar.done()
	ask, id, h := jobAsk[Q]{Job: q}, l.ids.Add(1), mcpserver.Hooks{}
	if bar.on {
		ask.Meta = map[string]int64{"progressToken": id}
		h.Progress = func(done, total float64, message string) { bar.show(message, int(done), int(total)) }
	}
	var out jobAnswer[R]
	err := l.request(ctx, id, methodJob+j.name, ask, &out, h)
	if err == nil && out.Error != nil {
		err = out.Error
	}
	return out.Result, err
}

// served is the root of the call, if a daemon serves it and may be asked.
func (a *app) served(ctx context.Context) (root string, ok bool) {
	root, err := a.root()
	if err != nil || a.daemon != daemonAuto {
		return "", false
	}
	p, err := placeOf(root)
	if err != nil {
		return "", false
	}
	_, err = p.Ask(ctx, daemon.Hello{Self: self(), Verb: daemon.Status})
	return root, err == nil
}
