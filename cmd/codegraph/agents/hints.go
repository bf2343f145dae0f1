package agents

import (
	"fmt"
	"slices"
	"strings"
)

// hintTitle is the line above the hints.
const hintTitle = "Tool preference hints (derived from installed integrations):"

// serves are our tools for a capability, the first to reach for first, and the agent's own
// tools of the same use.
var serves = []struct {
	capability string
	tools      []string
	own        []string
}{
	{"code.explore", []string{"codebase_explore", "grep", "read_discover"}, []string{"Grep", "Glob"}},
	{"code.read", []string{"read_open", "read_discover"}, []string{"Read"}},
}

// full is the name under which an agent knows a tool of a server.
func full(server, tool string) string { return "mcp__" + server + "__" + tool }

// hints are the title and a line for each capability of which somebody says, with
// preferOver, what it should be preferred over; nothing follows from a server that is just
// there. In front come the tools of the integrations in their order.
func hints(all []*Integration) []string {
	var order []string
	for _, e := range all {
		for _, c := range e.Capabilities {
			if len(e.PreferOver) > 0 && !slices.Contains(order, c) {
				order = append(order, c)
			}
		}
	}
	out := []string{}
	for _, c := range order {
		var prefer, back []string
		for _, e := range all {
			if !slices.Contains(e.Capabilities, c) || len(e.PreferOver) == 0 {
				continue
			}
			prefer = append(prefer, toolsOf(e, c)...)
			for _, t := range fallbacks(e, c) {
				if !slices.Contains(back, t) {
					back = append(back, t)
				}
			}
		}
		if len(back) > 0 {
			out = append(out, fmt.Sprintf("- For `%s`, prefer `%s` (falls back to: %s).", c, strings.Join(prefer, "`, `"), strings.Join(back, ", ")))
		}
	}
	if len(out) > 0 {
		out = slices.Insert(out, 0, hintTitle)
	}
	return out
}

// toolsOf are the full names of an integration's tools for a capability. Of a server that
// is not ours only its name is known.
func toolsOf(e *Integration, capability string) []string {
	if e.Name == Name {
		for _, s := range serves {
			if s.capability == capability {
				var out []string
				for _, t := range s.tools {
					out = append(out, full(Name, t))
				}
				return out
			}
		}
	}
	return []string{full(e.Name, "*")}
}

// fallbacks are what an integration says to be preferred over, as far as it serves the
// capability; all of it where that is not known.
func fallbacks(e *Integration, capability string) []string {
	var out []string
	for _, t := range e.PreferOver {
		known, serving := false, false
		for _, s := range serves {
			has := slices.Contains(s.own, t)
			known = known || has
			serving = serving || has && s.capability == capability
		}
		if serving || !known {
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		return e.PreferOver
	}
	return out
}

// SelfCheck says in what our own entry fails to make our tools preferred over Grep, Glob and
// Read; nothing if it does not fail.
func (m *Merged) SelfCheck() []string {
	i := slices.IndexFunc(m.Integrations, func(e *Integration) bool { return e.Name == Name })
	if i < 0 {
		return []string{"there is no entry " + Name + " in " + integrationsFile}
	}
	var out []string
	for _, s := range serves {
		if !slices.Contains(m.Integrations[i].Capabilities, s.capability) {
			out = append(out, fmt.Sprintf("the entry %s lacks the capability %s", Name, s.capability))
		}
		for _, t := range s.own {
			if !slices.Contains(m.Integrations[i].PreferOver, t) {
				out = append(out, fmt.Sprintf("the entry %s is not preferred over %s", Name, t))
			}
		}
		if len(out) == 0 && !m.first(s.capability, s.tools[0]) {
			out = append(out, fmt.Sprintf("another integration comes before %s for %s", Name, s.capability))
		}
	}
	return out
}

// first reports whether the hint for a capability begins with a tool of ours.
func (m *Merged) first(capability, tool string) bool {
	return slices.ContainsFunc(m.Hints, func(h string) bool {
		return strings.HasPrefix(h, fmt.Sprintf("- For `%s`, prefer `%s`", capability, full(Name, tool)))
	})
}
