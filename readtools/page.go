package readtools

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/codegraph-dev/codegraph/workspace"
)

// The number of characters that an answer takes: when a call says nothing, and at most, whatever it
// says. The schemas tell both.
const (
	defaultBudget = 24000
	maxBudget     = 200000
)

// page is the part of an answer that a call asks for.
type page struct {
	position
	timer  *timer
	limit  int
	budget int
	call   []byte
	cut    bool // the time was over before all items were found
	over   bool // or before all was said about them
}

// personKey is the context's key for a person who waits at a terminal.
type personKey struct{}

// ForPerson makes the calls of a context a person's own, who may wait for as long as it takes and
// read as much as there is: their answers have no bound that the call does not give.
func ForPerson(ctx context.Context) context.Context {
	return context.WithValue(ctx, personKey{}, true)
}

func forPerson(ctx context.Context) bool { return ctx.Value(personKey{}) != nil }

// newPage reads the paging arguments; params are all arguments of the call with the Page
// cleared.
func newPage(ctx context.Context, s *workspace.Snapshot, h *Head, tool string, params any, p Page, limit int) (page, error) {
	if p.Limit < 0 || p.Budget < 0 {
		return page{}, usage("leave limit and budget out, or give positive numbers", "limit and budget cannot be negative")
	}
	out := page{limit: limit, budget: defaultBudget, call: callHash(tool, params)}
	if p.Limit > 0 {
		out.limit = p.Limit
	}
	if p.Budget > 0 {
		out.budget = p.Budget
	}
	if out.budget > maxBudget && !forPerson(ctx) {
		out.budget = maxBudget
		h.note(fmt.Sprintf("budget lowered from %s to %s characters, the most that an answer takes", thousands(p.Budget), thousands(maxBudget)))
	}
	var err error
	out.position, err = decodeCursor(p.Cursor, s.Generation(), out.call)
	out.timer = p.begin(ctx).try(out.effort)
	return out, err
}

// window is the part [from, to) of n items that limit allows.
func (p *page) window(n int) (from, to int) {
	from = min(p.from, n)
	return from, min(n, from+p.limit)
}

// maxText is how long a single line may be in the answer.
func (p *page) maxText() int { return max(400, p.budget/8) }

// turn sets what is shown and where it goes on. Where the answer was cut there may be more; if
// nothing could be shown, the next call has more time for it.
func (p *page) turn(s *workspace.Snapshot, h *Head, shown, total int) {
	h.Shown, h.Total, h.Cursor = shown, total, ""
	if p.from+shown < total || p.cut {
		next := p.position
		if next.from += shown; shown == 0 {
			next.effort++
		}
		h.Cursor = encodeCursor(s.Generation(), next, p.call)
	}
}

// fit says how many of the items fit into a budget, at least one. The budget bounds both
// forms of the answer: its text, whose length text tells, and its JSON, which says the same
// with more words and may be half as long again.
func fit[T any](items []T, budget int, text func(i int) int) int {
	textLen, jsonLen := 0, 0
	for i := range items {
		textLen += text(i)
		b, err := json.Marshal(&items[i])
		if err == nil {
			jsonLen += len(b) + 1
		}
		if i > 0 && (textLen > budget || jsonLen > budget+budget/2) {
			return i
		}
	}
	return len(items)
}

// newHead begins a result.
func newHead(s *workspace.Snapshot) Head {
	return Head{Root: s.Root(), Generation: uint64(s.Generation()), Fresh: s.Fresh(), Complete: true, Notes: s.Notes()}
}

func (h *Head) note(text string) { h.Notes = append(h.Notes, text) }
