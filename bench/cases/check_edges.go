package main

import (
	"sort"
	"strings"
)

var callerFields = []string{"caller", "container", "file", "line", "column", "via", "scope", "kind", "certain", "note"}

// checkCallers wants each call site, in the function that holds it.
func checkCallers(c *checker, v any) {
	for _, e := range list(v) {
		want := record(e, "caller")
		if k := want.stranger(callerFields...); k != "" {
			c.failf("the runner does not know field callers.%s", k)
		}
		if why := c.missingCall(want); why != "" {
			c.failf("expected caller %s, came %s", describe(want), why)
		}
	}
}

// missingCall tells what stands in place of a wanted call site, or "".
func (c *checker) missingCall(want fields) string {
	var why []string
	line, hasLine := number(want["line"])
	column, hasColumn := number(want["column"])
	for _, it := range c.a.doc.Items {
		if want["file"] != nil && it.Path != text(want["file"]) || hasLine && it.Line != line || hasColumn && it.Column != column {
			continue
		}
		if fault := callFault(want, it); fault != "" {
			why = append(why, fault)
			continue
		}
		return ""
	}
	if len(why) == 0 {
		got, _ := c.callSites()
		return "the sites " + orNone(got)
	}
	return strings.Join(why, ", ")
}

// callFault tells how a reported call at the wanted place differs, or "". Code outside any
// function may be reported without a symbol or with what holds it; a nested function may
// be reported as the function around it.
func callFault(want fields, it item) string {
	certain := it.Edge != nil && it.Edge.Certain
	if want["via"] != nil && certain {
		return "it as certain, not as possible"
	}
	if v, given := want["certain"]; given && truth(v) != certain {
		return "certain: " + map[bool]string{true: "true", false: "false"}[certain]
	}
	if want["caller"] == nil {
		if _, given := want["caller"]; given && it.Symbol != nil && callable(it.Symbol.Kind) && kindName(it.Symbol.Kind) != "property" {
			return "it in " + it.Symbol.String()
		}
		return ""
	}
	if it.Symbol == nil {
		return "it outside any function"
	}
	got := qualified(it.Symbol.Container, it.Symbol.Name)
	owner := containerParts(text(want["container"]))
	if sameName(append(owner, nameParts(text(want["caller"]))...), got) && (want["kind"] == nil || kindsOf(want["kind"]).has(it.Symbol.Kind)) {
		return ""
	}
	if len(owner) > 0 && callable(it.Symbol.Kind) && sameName(owner, got) {
		return ""
	}
	return "it in " + it.Symbol.String()
}

// callSites are the distinct call sites, and those that the case does not list.
func (c *checker) callSites() (all, extra []string) {
	return c.sites("callers")
}

// referenceSites are the distinct mentions, or with a relation the distinct names.
func (c *checker) referenceSites() (all, extra []string) {
	if c.q.Args["relation"] == nil {
		return c.sites("sites")
	}
	seen := map[string]bool{}
	for _, n := range c.nameables() {
		if name := n.symbol.String(); !seen[name] {
			seen[name] = true
			all = append(all, name)
		}
	}
	return all, nil
}

func (c *checker) sites(field string) (all, extra []string) {
	wanted := map[string]bool{}
	for _, e := range list(c.expect[field]) {
		w := record(e, "file")
		n, _ := number(w["line"])
		wanted[place(text(w["file"]), n)] = true
	}
	seen := map[string]bool{}
	for _, it := range c.a.doc.Items {
		p := place(it.Path, it.Line)
		if seen[p] {
			continue
		}
		seen[p] = true
		all = append(all, p)
		if !wanted[p] {
			extra = append(extra, p)
		}
	}
	sort.Strings(all)
	return all, extra
}

func orNone(all []string) string {
	if len(all) == 0 {
		return "none"
	}
	return clip(strings.Join(all, ", "), 300)
}

func checkNotCallers(c *checker, v any) {
	for _, e := range list(v) {
		bad := record(e, "caller")
		for _, it := range c.a.doc.Items {
			line, hasLine := number(bad["line"])
			if bad["file"] != nil && it.Path != text(bad["file"]) || hasLine && it.Line != line {
				continue
			}
			if it.Symbol == nil && bad["caller"] != nil {
				continue
			}
			if bad["caller"] == nil || sameName(qualified(text(bad["container"]), text(bad["caller"])), qualified(it.Symbol.Container, it.Symbol.Name)) {
				c.failf("expected no caller %s, came %s", describe(bad), place(it.Path, it.Line))
			}
		}
	}
}

func checkMinSites(c *checker, v any) {
	want, _ := number(v)
	if got, _ := c.sites("callers"); len(got) < want {
		c.failf("expected at least %d sites, came %d", want, len(got))
	}
}

var calleeFields = []string{"name", "container", "def", "site", "external", "kind", "file", "line", "via", "certain", "resolved", "note"}

// checkCallees wants each target, bound to its definition. An external target may be named
// as such or left out, and is never bound to something inside.
func checkCallees(c *checker, v any) {
	for _, e := range list(v) {
		want := record(e, "name")
		if k := want.stranger(calleeFields...); k != "" {
			c.failf("the runner does not know field callees.%s", k)
		}
		if truth(want["external"]) {
			for _, it := range c.a.doc.Items {
				if it.Symbol != nil && it.Symbol.Name == text(want["name"]) && atSite(want, it) {
					c.failf("expected %s outside the project, came %s", text(want["name"]), it.Symbol)
				}
			}
			continue
		}
		if !c.anyCallee(want) {
			got, _ := c.callTargets()
			c.failf("expected callee %s, came %s", describe(calleeDef(want)), orNone(got))
		}
	}
}

// calleeDef is the definition that a callee entry describes.
func calleeDef(want fields) fields {
	out := fields{}
	for _, k := range []string{"name", "container", "kind", "file", "line"} {
		if want[k] != nil {
			out[k] = want[k]
		}
	}
	if def, ok := want["def"].(fields); ok {
		for k, v := range def {
			out[k] = v
		}
	}
	return out
}

func atSite(want fields, it item) bool {
	site, ok := want["site"].(fields)
	line, hasLine := number(site["line"])
	return !ok || (site["file"] == nil || text(site["file"]) == it.Path) && (!hasLine || line == it.Line)
}

func (c *checker) anyCallee(want fields) bool {
	for _, it := range c.a.doc.Items {
		if r, given := want["resolved"]; given && !truth(r) && it.Symbol == nil && it.External != "" {
			if sameName(nameParts(text(want["name"])), containerParts(it.External)) {
				return true
			}
		}
		certain := it.Edge != nil && it.Edge.Certain
		if v, given := want["certain"]; given && truth(v) != certain || want["via"] != nil && certain {
			continue
		}
		if it.Symbol != nil && fits(calleeDef(want), *it.Symbol) && atSite(want, it) {
			return true
		}
	}
	return false
}

// callTargets are the distinct definitions called inside the project, or the distinct pairs
// of definition and site where the case lists sites; extra are those it does not list.
func (c *checker) callTargets() (all, extra []string) {
	seen := map[string]bool{}
	entries := list(c.expect["callees"])
	targets := map[string]bool{}
	for _, e := range entries {
		targets[describe(calleeDef(record(e, "name")))] = true
	}
	bySite := len(targets) < len(entries)
	for _, it := range c.a.doc.Items {
		if it.Symbol == nil {
			continue
		}
		name := it.Symbol.String()
		if bySite {
			name += " from " + place(it.Path, it.Line)
		}
		if seen[name] {
			continue
		}
		seen[name] = true
		all = append(all, name)
		if !listedCallee(entries, *it.Symbol) {
			extra = append(extra, name)
		}
	}
	for _, e := range entries {
		if truth(record(e, "name")["external"]) {
			all = append(all, "external "+text(record(e, "name")["name"]))
		}
	}
	return all, extra
}

func listedCallee(entries []any, y symbol) bool {
	for _, e := range entries {
		if fits(calleeDef(record(e, "name")), y) {
			return true
		}
	}
	return false
}

func checkNotCallees(c *checker, v any) {
	for _, e := range list(v) {
		bad := calleeDef(record(e, "name"))
		for _, it := range c.a.doc.Items {
			if it.Symbol != nil && fits(bad, *it.Symbol) {
				c.failf("expected no callee %s, came %s", describe(bad), it.Symbol)
			}
		}
	}
}

var siteFields = []string{"file", "line", "column", "role", "in", "caller", "container", "note"}

func checkSites(c *checker, v any) {
	for _, e := range list(v) {
		want := record(e, "file")
		if k := want.stranger(siteFields...); k != "" {
			c.failf("the runner does not know field sites.%s", k)
		}
		if !c.anySite(want) {
			got, _ := c.sites("sites")
			c.failf("expected a reference at %s:%s, came %s", text(want["file"]), text(want["line"]), orNone(got))
		}
	}
}

func (c *checker) anySite(want fields) bool {
	line, hasLine := number(want["line"])
	column, hasColumn := number(want["column"])
	for _, it := range c.a.doc.Items {
		switch {
		case want["file"] != nil && it.Path != text(want["file"]), hasLine && it.Line != line, hasColumn && it.Column != column:
		case want["role"] != nil && (it.Edge == nil || !oneOf(texts(want["role"]), it.Edge.Role)):
		case (want["in"] != nil || want["caller"] != nil) && (it.Symbol == nil ||
			!sameName(qualified(text(want["container"]), text(want["in"])+text(want["caller"])), qualified(it.Symbol.Container, it.Symbol.Name))):
		default:
			return true
		}
	}
	return false
}

func checkNotSites(c *checker, v any) {
	for _, e := range list(v) {
		if bad := record(e, "file"); c.anySite(bad) {
			c.failf("expected no reference at %s:%s", text(bad["file"]), text(bad["line"]))
		}
	}
}
