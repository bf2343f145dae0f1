package main

import (
	"fmt"
	"strings"
)

// checker compares one answer with its expectation.
type checker struct {
	s      *session
	q      question
	a      *answer
	expect fields
	faults []string
}

// failf records a difference.
func (c *checker) failf(format string, args ...any) {
	c.faults = append(c.faults, fmt.Sprintf(format, args...))
}

// checks is the vocabulary of expect: each field with its comparison, or nil for a field
// that only bears on others or is a remark.
var checks map[string]func(c *checker, v any)

func init() {
	checks = map[string]func(c *checker, v any){
		"note": nil, "confirm": nil, "policy": nil, "coverage": nil, "kind": nil, "via": nil,
		"error": checkError, "status": checkStatus, "must_mention": checkMention, "must_not_mention": checkNoMention, "either": checkEither,
		"defs": checkDefs, "not_defs": checkNotDefs, "names": checkNames, "not_names": checkNotNames,
		"complete_for": checkComplete, "count": checkCount, "total": checkTotal, "distinct": checkDistinct, "min_sites": checkMinSites,
		"callers": checkCallers, "not_callers": checkNotCallers, "callees": checkCallees, "not_callees": checkNotCallees,
		"sites": checkSites, "not_sites": checkNotSites, "references": checkNames, "bases": checkNames, "implementations": checkNames,
		"matches": checkMatches, "not_matches": checkNotMatches, "not": checkNotMatches, "definitions": checkDefinitions, "uses": checkUses,
		"files": checkFiles, "not_files": checkNotFiles, "dirs": checkFiles, "entries": checkEntries,
		"lines": checkLines, "text": checkText, "text_has": checkTextHas, "text_has_no": checkTextHasNo, "not_text": checkTextHasNo,
		"text_starts_with": checkTextStarts, "text_ends_with": checkTextEnds, "total_lines": checkTotalLines, "sha256": checkItemSum,
		"encoding": checkEncoding, "eol": checkEOL, "bom": checkBOM,
		"file": checkFile, "all_unchanged": checkAllUnchanged, "others_unchanged": checkOthersUnchanged, "present": checkPresent,
		"absent": checkAbsent, "mode": checkMode, "replaced": checkReplaced,
		"same_as_fresh_index": checkFresh, "survives": checkSurvives, "max_seconds": checkMaxSeconds, "no_leftovers": checkNoLeftovers,
		"each_answer": checkEachAnswer, "no_files_like": checkNoFilesLike,
		"response_ids": checkResponseIDs, "by_id": checkByID, "stdout": checkStdout, "stderr_mentions": checkStderr,
		"exit_code": checkExitCode, "exit_within_seconds": checkExitWithin, "then": checkThen,
	}
}

// compare lists how the answer differs from what the question expects.
func compare(s *session, q question, a *answer) []string {
	c := &checker{s: s, q: q, a: a, expect: q.Expect}
	c.faults = append(c.faults, a.faults...)
	if len(c.faults) > 0 {
		c.unknown()
		return c.faults
	}
	c.run()
	return c.faults
}

// unknown fails for each field that the runner has no comparison for.
func (c *checker) unknown() {
	for _, k := range c.expect.keys() {
		if _, ok := checks[k]; !ok {
			c.failf("the runner does not know field %s", k)
		}
	}
}

// run compares every field of c.expect. An error that no field asks about ends the
// comparison: what it leaves out would only be named twice.
func (c *checker) run() {
	c.unknown()
	if err := c.err(); err != nil && c.expect["error"] == nil && c.expect["status"] == nil && c.expect["either"] == nil {
		c.failf("expected an answer, came error %s: %s", err.Code, clip(err.Message, 200))
		return
	}
	if c.kind() == "grep" {
		c.cleanText()
	}
	if c.a.mcp != nil {
		c.cleanProtocol()
	}
	for _, k := range c.expect.keys() {
		if check := checks[k]; check != nil {
			check(c, c.expect[k])
		}
	}
}

// kind is the kind of the question, for a robust one that of what it does.
func (c *checker) kind() string {
	if do := text(c.q.Args["do"]); c.q.Kind == "robust" && readKinds[do] {
		return do
	}
	return c.q.Kind
}

// err is the error that the answer carries, or nil.
func (c *checker) err() *toolError {
	return c.a.err()
}

// checkError wants an error that expresses the condition, or one of the conditions.
func checkError(c *checker, v any) {
	err := c.err()
	if err == nil {
		if !oneOf(texts(c.expect["status"]), "ok") {
			c.failf("expected error %s, came success", strings.Join(texts(v), " or "))
		}
		return
	}
	for _, name := range texts(v) {
		ok, known := holds(name, err)
		if !known {
			c.failf("the runner does not know condition %s", name)
		}
		if ok {
			return
		}
	}
	c.failf("expected error %s, came %s: %s", strings.Join(texts(v), " or "), err.Code, clip(err.Message, 200))
}

func checkStatus(c *checker, v any) {
	got := "ok"
	err := c.err()
	if err != nil {
		got = "error"
	}
	for _, want := range texts(v) {
		if want == got {
			return
		}
		if want != "ok" && want != "error" {
			c.failf("the runner does not know status %s", want)
		}
	}
	if err != nil {
		got += " " + err.Code + ": " + clip(err.Message, 200)
	}
	c.failf("expected status %s, came %s", strings.Join(texts(v), " or "), got)
}

// said is all that the reply tells: its error, or else its whole text.
func (c *checker) said() string {
	if err := c.err(); err != nil {
		return err.words()
	}
	if c.a.mcp != nil {
		return strings.Join(c.a.mcp.lines, "\n") + "\n" + c.a.mcp.stderr
	}
	if c.a.reply == nil {
		return ""
	}
	return string(c.a.reply.Stdout) + c.a.reply.Stderr
}

func checkMention(c *checker, v any) {
	for _, want := range texts(v) {
		if !mentions(c.said(), want) {
			c.failf("expected the message to mention %q, came %q", want, clip(c.said(), 200))
		}
	}
}

func checkNoMention(c *checker, v any) {
	for _, bad := range texts(v) {
		if strings.Contains(c.said(), bad) {
			c.failf("expected no mention of %q, came %q", bad, clip(c.said(), 200))
		}
	}
}

// checkEither wants one of several expectations to hold whole.
func checkEither(c *checker, v any) {
	var why []string
	for _, e := range list(v) {
		one := &checker{s: c.s, q: c.q, a: c.a, expect: record(e, "note")}
		one.q.Expect = one.expect
		one.run()
		if len(one.faults) == 0 {
			return
		}
		why = append(why, strings.Join(one.faults, ", "))
	}
	c.failf("none of the alternatives holds: %s", strings.Join(why, " | "))
}

func oneOf(all []string, s string) bool {
	for _, a := range all {
		if a == s {
			return true
		}
	}
	return false
}
