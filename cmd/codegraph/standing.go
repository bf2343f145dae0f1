//go:build unix

package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/codegraph-dev/codegraph/index"
	"github.com/codegraph-dev/codegraph/readtools"
	"github.com/codegraph-dev/codegraph/workspace"
)

// standingResult is what codegraph://status holds: how the index stands, and what
// `codegraph status` tells, the lists of files cut.
type standingResult struct {
	Index    string           `json:"index"` // ready, updating, stale or unavailable
	Progress *progressResult  `json:"progress,omitempty"`
	Error    *readtools.Error `json:"error,omitempty"`
	*statusResult
	PartialTotal int `json:"partial_total"`
	SkippedTotal int `json:"skipped_total"`
	Pending      int `json:"pending"` // files that will be indexed and are not yet
}

// progressResult is how far an update is: files that are done of those that are to be read,
// linked or written.
type progressResult struct {
	Phase string `json:"phase"`
	Done  int    `json:"done"`
	Total int    `json:"total"`
}

// mostListed is how many skipped files the status names.
const mostListed = 50

// phases are what share of an update's work is done when a phase begins, in hundredths, and
// how much it is: as it was for the first index of 11,000 files.
var phases = map[string][2]float64{"read": {0, 65}, "link": {65, 15}, "write": {80, 20}}

// percent is how far an update is, from 0 to 100, and in words: the files that are done of
// those of its phase.
func percent(p index.Progress) (done float64, message string) {
	share := phases[p.Phase]
	if p.Total == 0 {
		return share[0], words[p.Phase]
	}
	return share[0] + share[1]*float64(p.Done)/float64(p.Total), fmt.Sprintf("%s: %d of %d", words[p.Phase], p.Done, p.Total)
}

// standing follows how the index of a server's workspace stands.
type standing struct {
	open func(context.Context) (*workspace.Workspace, error)

	mu   sync.Mutex // guards last
	last index.Progress
}

// tell takes the progress of an update.
func (st *standing) tell(p index.Progress) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.last = p
}

func (st *standing) progress() *progressResult {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.last.Phase == "" {
		return nil
	}
	return &progressResult{Phase: words[st.last.Phase], Done: st.last.Done, Total: st.last.Total}
}

// words are how far an update is, as the rest of a sentence.
func (st *standing) words() string {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.last.Phase == "" {
		return ""
	}
	done, message := percent(st.last)
	return fmt.Sprintf(", %.0f%% done (%s)", done, message)
}

// status is the status now. That there is no index yet, and that there can be none, are
// answers too.
func (st *standing) status(ctx context.Context) (*standingResult, error) {
	w, err := st.open(ctx)
	if err != nil {
		return &standingResult{Index: "unavailable", Error: asError(err)}, nil
	}
	out := &standingResult{}
	err = w.View(workspace.Within(ctx, glance), func(s *workspace.Snapshot) (err error) {
		out.statusResult, err = status(ctx, w, s, false)
		return err
	})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return &standingResult{Index: "unavailable", Error: asError(err)}, nil
	}
	out.cut()
	switch now := w.Standing(); {
	case now.Updating:
		out.Index, out.Progress = "updating", st.progress()
	case out.Fresh:
		out.Index = "ready"
	default:
		out.Index = "stale"
	}
	return out, nil
}

// cut leaves of the lists of files what a message may hold.
func (r *standingResult) cut() {
	all := len(r.Skipped)
	r.Skipped = slices.DeleteFunc(r.Skipped, func(x skipResult) bool { return x.Reason == workspace.SkipPending })
	r.Pending, r.SkippedTotal, r.PartialTotal = all-len(r.Skipped), len(r.Skipped), len(r.Partial)
	r.Skipped, r.Partial = r.Skipped[:min(len(r.Skipped), mostListed)], r.Partial[:min(len(r.Partial), mostListed)]
}

// lookEvery is how often a watched status is looked at.
const lookEvery = 500 * time.Millisecond

// watch calls changed when the generation or the state of the index has changed, and while
// an update is under way when it has come further.
func (st *standing) watch(ctx context.Context, changed func()) {
	type look struct {
		workspace.Standing
		broken   bool
		progress progressResult
	}
	see := func() (l look) {
		w, err := st.open(ctx)
		if l.broken = err != nil; l.broken {
			return l
		}
		if l.Standing = w.Standing(); l.Updating {
			if p := st.progress(); p != nil {
				l.progress = *p
			}
		}
		return l
	}
	every := time.NewTicker(lookEvery)
	defer every.Stop()
	for last := see(); ; {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
		if now := see(); now != last {
			last = now
			changed()
		}
	}
}
