package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// answer is what a question brought, in the terms of the format.
type answer struct {
	reply   *reply
	doc     document
	symbols []symbol
	// whole says that symbols holds everything of one name, not a file's mixed lot.
	whole   bool
	partial map[string]bool // files that the program lists as not or partly indexed
	before  snapshot
	after   snapshot
	state   string // the state folder, for files that must not be there
	said    [][]string
	mcp     *transcript
	took    time.Duration
	faults  []string
}

func (a *answer) take(r *reply) *answer {
	a.reply, a.doc = r, r.Doc
	if r.Fault != "" {
		a.faults = append(a.faults, r.Fault)
	}
	a.note(r)
	return a
}

// note collects the files that a reply lists as left out.
func (a *answer) note(r *reply) {
	if a.partial == nil {
		a.partial = map[string]bool{}
	}
	for _, k := range append(r.Doc.Partial, r.Doc.Skipped...) {
		a.partial[k.Path] = true
	}
	for _, it := range r.Doc.Items {
		if it.Partial != "" {
			a.partial[it.Path] = true
		}
	}
}

// everything are the flags that ask for all results in as few pages as can be.
var everything = []string{"--limit=100000", "--budget=10000000"}

// ask maps a question to calls of the program.
func (s *session) ask(q question) *answer {
	start := time.Now()
	a := s.askKind(q)
	if a.took == 0 {
		a.took = time.Since(start)
	}
	return a
}

func (s *session) askKind(q question) *answer {
	switch q.Kind {
	case "symbols":
		return s.askSymbols(q.Args)
	case "callers", "callees", "references":
		return s.askEdges(q.Kind, q.Args)
	case "grep":
		return s.askGrep(q.Args)
	case "discover":
		return s.askDiscover(q.Args)
	case "open":
		return s.askOpen(q.Args)
	case "edit":
		return s.askEdit(q.Args, "")
	case "mcp":
		return s.askMCP(q.Args)
	case "robust":
		return s.askRobust(q)
	}
	return &answer{faults: []string{"the runner does not know kind " + q.Kind}}
}

func unknownArg(k string) *answer {
	return &answer{faults: []string{"the runner does not know argument " + k}}
}

// askSymbols answers for one file (its outline), or for all symbols that fit a name.
func (s *session) askSymbols(args fields) *answer {
	if k := args.stranger("path", "file", "name", "name_prefix", "kind", "members_of", "container", "language"); k != "" {
		return unknownArg(k)
	}
	path := text(args["path"]) + text(args["file"])
	a := &answer{}
	if st, err := os.Stat(filepath.Join(s.root, path)); path != "" && (err != nil || !st.IsDir()) {
		a.take(s.pages(call{verb: "open", flags: append([]string{"--view=outline"}, everything...), words: []string{path}}))
		for _, it := range a.doc.Items {
			a.symbols = append(a.symbols, it.Outline...)
		}
	} else {
		pattern, flags := ".", []string{"--in=symbols"}
		switch {
		case args["name"] != nil:
			pattern = "^" + regexp.QuoteMeta(text(args["name"])) + "$"
		case args["name_prefix"] != nil:
			pattern = "^" + regexp.QuoteMeta(text(args["name_prefix"]))
		}
		if l := text(args["language"]); l != "" {
			flags = append(flags, "--language="+l)
		}
		words := []string{pattern}
		if path != "" && path != "." {
			words = append(words, path)
		}
		a.take(s.pages(call{verb: "grep", flags: append(flags, everything...), words: words}))
		for _, m := range a.doc.Matches {
			if m.Symbol != nil {
				a.symbols = append(a.symbols, *m.Symbol)
			}
		}
	}
	a.whole = args["name"] != nil || args["name_prefix"] != nil
	a.symbols = filterSymbols(a.symbols, args)
	return a
}

// filterSymbols keeps the symbols that every part of the question fits.
func filterSymbols(all []symbol, args fields) []symbol {
	owner := text(args["members_of"]) + text(args["container"])
	var out []symbol
	for _, y := range all {
		switch {
		case args["name"] != nil && y.Name != text(args["name"]):
		case args["name_prefix"] != nil && !strings.HasPrefix(y.Name, text(args["name_prefix"])):
		case args["kind"] != nil && !kindsOf(args["kind"]).has(y.Kind):
		case owner != "" && !sameName(containerParts(owner), containerParts(y.Container)):
		default:
			out = append(out, y)
		}
	}
	return out
}

// askEdges answers callers, callees and references of one symbol.
func (s *session) askEdges(kind string, args fields) *answer {
	if k := args.stranger("symbol", "file", "line", "kind", "relation", "include_tests"); k != "" {
		return unknownArg(k)
	}
	focus := kind
	switch rel := text(args["relation"]); rel {
	case "":
	case "bases", "derived", "subtypes":
		focus = "hierarchy"
	case "implementations", "overrides":
		focus = "implementations"
	default:
		return &answer{faults: []string{"the runner does not know relation " + rel}}
	}
	a := &answer{}
	name, file := text(args["symbol"]), text(args["file"])
	if args["line"] != nil || args["kind"] != nil {
		id, why := s.lookUp(name, args)
		if why != "" {
			a.faults = append(a.faults, why)
			return a
		}
		name, file = id, ""
	}
	flags := append([]string{"--focus=" + focus}, everything...)
	if focus != "references" {
		flags = append(flags, "--depth=1")
	}
	if file != "" {
		flags = append(flags, "--path="+file)
	}
	if v, given := args["include_tests"]; given {
		flags = append(flags, "--include-tests="+text(v))
	}
	a.take(s.pages(call{verb: "explore", flags: flags, words: []string{name}}))
	a.doc.Items = keepEdges(a.doc.Items, kind, text(args["relation"]))
	return a
}

// keepEdges drops what a direct answer to the question does not hold: farther steps, the
// other direction of a hierarchy, mentions that are no calls.
func keepEdges(items []item, kind, relation string) []item {
	var out []item
	for _, it := range items {
		role := ""
		if it.Edge != nil {
			role = it.Edge.Role
		}
		switch {
		case it.Depth > 1:
		case relation == "bases" && role == "derived", (relation == "derived" || relation == "subtypes") && role == "base":
		case kind != "references" && (role == "read" || role == "write" || role == "import" || role == "type" || role == "inherit"):
		case kind == "references" && relation == "" && (role == "definition" || role == "declaration"):
		default:
			out = append(out, it)
		}
	}
	return out
}

// lookUp finds the id of the one symbol of that name at a line, in a file, of a kind.
func (s *session) lookUp(name string, args fields) (id, why string) {
	parts := nameParts(name)
	words := []string{"^" + regexp.QuoteMeta(parts[len(parts)-1]) + "$"}
	if f := text(args["file"]); f != "" {
		words = append(words, f)
	}
	r := s.pages(call{verb: "grep", flags: append([]string{"--in=symbols"}, everything...), words: words})
	if r.Fault != "" {
		return "", "look up " + name + ": " + r.Fault
	}
	line, anyLine := number(args["line"])
	found := map[string]bool{}
	for _, m := range r.Doc.Matches {
		y := m.Symbol
		if y != nil && sameName(parts, qualified(y.Container, y.Name)) && (!anyLine || y.Line == line) && kindsOf(args["kind"]).has(y.Kind) {
			id, found[y.ID] = y.ID, true
		}
	}
	if len(found) != 1 {
		return "", fmt.Sprintf("the program knows %d symbols %s with %v", len(found), name, args)
	}
	return id, ""
}
