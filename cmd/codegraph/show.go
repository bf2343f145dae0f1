//go:build unix

package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/codegraph-dev/codegraph/edittools"
	"github.com/codegraph-dev/codegraph/readtools"
)

// longVerbs are those whose answers can be longer than a screen.
var longVerbs = []string{"discover", "grep", "open", "explore", "export", "status", "approvals", "list", "show"}

// page puts a pager in front of the output of a verb that wants one, until the program ends.
func (a *app) page(c *cobra.Command) {
	if !slices.Contains(longVerbs, c.Name()) {
		return
	}
	if p := a.paged(); p != nil {
		a.out = p
		a.release = append(a.release, p.close)
	}
}

// A grep in a shell is wanted whole, as ripgrep gives it, within what a machine should do for
// one question.
const (
	shellLimit  = 10_000
	shellBudget = 20_000_000
)

// whole bounds a grep in a shell by more than an agent's, unless its caller bounds it.
func (a *app) whole(t tool, args map[string]any) {
	if t.verb != "grep" || a.json {
		return
	}
	for name, value := range map[string]int{"limit": shellLimit, "budget": shellBudget} {
		if _, ok := args[name]; !ok {
			args[name] = value
		}
	}
}

// show prints a tool's answer: text that matches as ripgrep does, everything else in the
// tool's own form, with colours and links where a screen has them.
func (a *app) show(result any, args map[string]any, text string) error {
	st := a.style(rootOf(result))
	switch r := result.(type) {
	case readtools.GrepResult:
		if in, ok := args["in"].(string); ok && in != "text" && !a.vimgrep {
			text = st.dress(text)
			break
		}
		if text = st.rgText(&r); a.vimgrep {
			text = vimgrep(&r)
		}
		a.leftOut(&r.Head)
	case edittools.Result:
		diff := st.safe(r.Diff)
		text = strings.Replace(st.safe(text), diff, a.paint(diff), 1)
	default:
		text = st.dress(text)
	}
	if text == "" {
		return nil
	}
	_, err := fmt.Fprintln(a.out, strings.TrimSuffix(text, "\n"))
	return err
}

// leftOut tells what lines of matches cannot say, where it does not get among them.
func (a *app) leftOut(h *readtools.Head) {
	for _, n := range h.Notes {
		a.say("%s", n)
	}
	if h.Cursor != "" {
		a.say("%d of %d shown; more with a higher --limit, or from here on with --cursor %s", h.Shown, h.Total, h.Cursor)
	}
}

// rootOf is the root that a tool's result is about.
func rootOf(result any) string {
	v := reflect.Indirect(reflect.ValueOf(result))
	if v.Kind() != reflect.Struct {
		return ""
	}
	f := v.FieldByName("Root")
	if !f.IsValid() || f.Kind() != reflect.String {
		return ""
	}
	return f.String()
}
