package readtools

import (
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/index/lang"
)

// condition is when a build has what stands at an offset, "" for always: the conditions of the
// preprocessor around it, the outer ones first.
func (t *source) condition(language string, off uint32) string {
	if !t.parted {
		t.parted = true
		if l := lang.Named(language); l != nil && l.Conditions != nil {
			t.conditions = l.Conditions(t.data)
		}
	}
	var all []string
	for _, c := range t.conditions {
		if off < c.Start || c.End <= off {
			continue
		}
		for _, when := range c.When {
			if !slices.Contains(all, when) {
				all = append(all, when)
			}
		}
	}
	for i, when := range all {
		if len(all) > 1 && strings.Contains(when, "||") && !strings.HasPrefix(when, "not ") {
			all[i] = "(" + when + ")"
		}
	}
	return strings.Join(all, " and ")
}

// provided says in a text under which condition a definition is there; sep stands before it.
func (s *Symbol) provided(sep string) string {
	if s.Condition == "" {
		return ""
	}
	return sep + "if " + cutText(s.Condition, 80)
}
