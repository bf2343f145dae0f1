//go:build unix

package main

import (
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/codegraph-dev/codegraph/index"
)

// bar shows how far an update is, on a terminal's standard error; elsewhere it is silent.
type bar struct {
	mu    sync.Mutex // guards what follows
	app   *app
	on    bool
	phase string
	bar   *progressbar.ProgressBar
	begun time.Time
}

// quiet is how long an update may take before it is worth a bar.
const quiet = 300 * time.Millisecond

// progress is a bar for an update.
func (a *app) progress() *bar { return &bar{app: a, on: terminal(a.err), begun: time.Now()} }

// words are what the phases are called.
var words = map[string]string{"read": "reading files", "link": "linking", "write": "writing"}

// tell shows the progress of an update.
func (b *bar) tell(p index.Progress) { b.show(words[p.Phase], p.Done, p.Total) }

// show shows how much of a phase is done.
func (b *bar) show(phase string, done, total int) {
	if !b.on {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if time.Since(b.begun) < quiet {
		return
	}
	if b.phase != phase {
		b.clear()
		b.phase = phase
		if total == 0 {
			total = -1
		}
		b.bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(b.app.err), progressbar.OptionSetDescription(phase),
			progressbar.OptionShowCount(), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(),
			progressbar.OptionSetWidth(30), progressbar.OptionSetPredictTime(false))
	}
	_ = b.bar.Set(done)
}

// done takes the bar away.
func (b *bar) done() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clear()
	b.on = false
}

func (b *bar) clear() {
	if b.bar != nil {
		_ = b.bar.Clear()
	}
	b.bar = nil
}
