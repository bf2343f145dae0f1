package main

import (
	"regexp"
	"strings"
)

// condition is how an error of the format shows in the program's errors: one of the codes,
// and words of the message where a code serves several conditions (nil: none needed).
type condition struct {
	codes string
	words *regexp.Regexp
}

// words compiles alternatives that are looked for without regard to case.
func words(pattern string) *regexp.Regexp { return regexp.MustCompile(`(?i)` + pattern) }

// conditions says, for each condition, which errors express it. Several rows of one
// condition are alternatives.
var conditions = map[string][]condition{
	"not_found":          {{"not_found", nil}},
	"outside_root":       {{"outside_workspace", nil}, {"denied", words(`outside|leaves|beyond`)}},
	"invalid_pattern":    {{"usage", words(`pattern|regexp?|expression|syntax`)}},
	"bad_argument":       {{"usage", nil}},
	"no_match":           {{"precondition not_found", words(`no match|not match|does not (occur|appear|contain|stand)|not (found|there|in)\b|nowhere|no place|0 (places|times|matches)`)}},
	"several_matches":    {{"precondition ambiguous", words(`several|more than one|not unique|ambiguous|\d+ (places|times|matches|occurrences)|(occurs|matches|stands|appears) `)}},
	"exists":             {{"precondition", words(`exist|already|taken`)}},
	"not_empty":          {{"precondition usage", words(`not empty|non-?empty|recursive|has content`)}},
	"read_only":          {{"precondition denied", words(`read.?only|write.?protected|not writ(e?able|able)|permission|no write`)}},
	"binary":             {{"precondition", words(`binary|zero byte|nul byte`)}},
	"changed_since_read": {{"stale", nil}},
	"refused":            {{"denied", nil}, {"usage precondition outside_workspace", words(`\broot\b|refus|never|may not|cannot|not allowed|forbidden|protected`)}},
	"ambiguous":          {{"ambiguous", nil}},
	"approval_required":  {{"approval_required", nil}},
	"unavailable":        {{"unavailable", nil}},
}

// holds reports whether err expresses the condition; known is false for a condition that
// this table lacks.
func holds(name string, err *toolError) (ok, known bool) {
	rows, known := conditions[name]
	for _, c := range rows {
		for _, code := range strings.Fields(c.codes) {
			if code == err.Code && (c.words == nil || c.words.MatchString(err.Message+" "+err.Next)) {
				return true, true
			}
		}
	}
	return false, known
}

// mentions reports whether s holds want; "a or b" is content with either.
func mentions(s, want string) bool {
	if strings.Contains(s, want) {
		return true
	}
	for _, alt := range strings.Split(want, " or ") {
		if alt != want && strings.Contains(s, strings.TrimSpace(alt)) {
			return true
		}
	}
	return false
}
