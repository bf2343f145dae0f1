package readtools

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/codegraph-dev/codegraph/workspace"
)

// A call works for a time and then answers from what it has verified so far: what is shown is
// true, what is not is told, and the cursor goes on there. So no question ends in an error because
// it is slow. An answer that has nothing new yet works on until it has, which is why its cursors
// come to an end.
const (
	defaultTime = 5 * time.Second // when the call says nothing
	maxTime     = time.Minute     // whatever it says
)

// firstWait is how long a search of text waits for a first index. Then it reads the files beside the
// indexing, since an early answer from some of them is worth more than a late one from all.
const firstWait = time.Second

// errLate ends a part of a call when the time is over. It does not leave the package.
var errLate = errors.New("the time of the call is over")

// timer is the time of a call. It begins with the first snapshot that the call is run on.
type timer struct {
	most time.Duration // 0 for no end

	once  sync.Once
	until time.Time
}

// timerKey is the context's key for the timer of a call.
type timerKey struct{}

// timed gives the calls of a context the time that a page asks for; a person at a terminal, who
// sees that the work goes on, may wait as long as it takes.
func (p Page) timed(ctx context.Context) context.Context {
	t := &timer{most: defaultTime}
	switch {
	case p.TimeoutMS > 0:
		t.most = min(time.Duration(p.TimeoutMS)*time.Millisecond, maxTime)
	case forPerson(ctx):
		t.most = 0
	}
	return context.WithValue(ctx, timerKey{}, t)
}

// begin starts the time of a call, or finds it started by an earlier try.
func (p Page) begin(ctx context.Context) *timer {
	t, ok := ctx.Value(timerKey{}).(*timer)
	if !ok {
		t = p.timed(ctx).Value(timerKey{}).(*timer)
	}
	t.once.Do(func() { t.until = time.Now().Add(t.most) })
	return t
}

// longest is the effort with which a question is not cut short any more.
const longest = 3

// try gives a question that could show nothing the time of its next try: four times as much, and
// in the end as much as it takes.
func (t *timer) try(effort int) *timer {
	if effort == 0 || t.most == 0 {
		return t
	}
	if effort >= longest {
		return &timer{}
	}
	more := t.most<<(2*effort) - t.most
	return &timer{most: t.most + more, until: t.until.Add(more)}
}

// late reports whether the time is over.
func (t *timer) late() bool { return t.most > 0 && !time.Now().Before(t.until) }

// within ends ctx when the time is over.
func (t *timer) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if t.most == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithDeadlineCause(ctx, t.until, errLate)
}

// found reports whether it is time to show what was found: a third of the time is kept for that.
func (t *timer) found() bool {
	return t.most > 0 && !time.Now().Before(t.until.Add(-t.most/3))
}

// show gives what is found the time to be shown, a third of the call's, also where finding it has
// taken all.
func (t *timer) show() {
	if soonest := time.Now().Add(t.most / 3); t.most > 0 && t.until.Before(soonest) {
		t.until = soonest
	}
}

// enough reports whether an answer of n items ends here, since it has something new to show and
// the time is over. The answer then tells that it is cut.
func (p *page) enough(n int) bool {
	if n > p.from && p.timer.found() {
		p.cut = true
	}
	return p.cut
}

// late is enough for items that are found and shown at once.
func (p *page) late(n int) bool {
	if n > p.from && p.timer.late() {
		p.cut = true
	}
	return p.cut
}

// overdue reports whether what adds to an answer without being its items is to be left out.
func (p *page) overdue() bool {
	p.over = p.over || p.timer.late()
	return p.over
}

// missed reports whether what adds to an answer failed since the time is over.
func (p *page) missed(err error) bool {
	p.over = p.over || errors.Is(err, errLate)
	return errors.Is(err, errLate)
}

// over is closed when the time is; stop ends the watch for it.
func (t *timer) over() (late <-chan struct{}, stop func()) {
	c := make(chan struct{})
	if t.most == 0 {
		return c, func() {}
	}
	w := time.AfterFunc(time.Until(t.until), func() { close(c) })
	return c, func() { w.Stop() }
}

// lateError is the error of work with a context of within: errLate if that was the reason.
func lateError(ctx context.Context, err error) error {
	if err != nil && errors.Is(context.Cause(ctx), errLate) {
		return errLate
	}
	return err
}

// unfinished tells that the time was over before a question that is answered as a whole was; what
// is known already is told beside the items. The cursor gives it more time.
func (p *page) unfinished(s *workspace.Snapshot, h *Head) {
	p.cut = true
	p.turn(s, h, 0, p.from)
}

// tellTime tells that the time was over before all was done.
func (p *page) tellTime(h *Head) {
	switch {
	case p.cut && h.Shown == 0:
		h.note(fmt.Sprintf("the time of the call (%v) was over before there was anything to show; the cursor goes on", p.timer.most))
	case p.cut:
		h.note(fmt.Sprintf("the time of the call (%v) was over before all was looked at: what is shown is verified, numbers are at least, and the cursor goes on", p.timer.most))
	case p.over:
		h.note(fmt.Sprintf("the time of the call (%v) was over: all of what was asked for is listed, something about it is left out", p.timer.most))
	}
	if p.cut || p.over {
		h.Complete = false
	}
}
