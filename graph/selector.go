package graph

import (
	"strconv"
	"strings"
)

// Selector is what a person typed to mean symbols, taken apart.
//
//	Name             Type.Method          pkg.Func         net/http.NewRequest
//	mod::Type::f     Class#method         ns\Class         (*Type).Method
//	path#Outer.Name  path#Outer.Name~2    path:LINE        path:LINE:COLUMN
//
// A path is a whole path or its last parts. The last three forms are known by their look
// alone only in part: `Class#method` and `path#Name` are told apart by whether there is
// such a file.
type Selector struct {
	Text   string
	Path   string // of path:LINE, else empty
	Line   int    // 1-based, 0 without one
	Column int    // 1-based, in bytes, 0 without one
}

// ParseSelector takes text apart.
func ParseSelector(text string) Selector {
	s := Selector{Text: strings.TrimSpace(text)}
	path, last, ok := cutNumber(s.Text)
	if !ok {
		return s
	}
	if front, line, ok := cutNumber(path); ok {
		s.Path, s.Line, s.Column = front, line, last
	} else {
		s.Path, s.Line = path, last
	}
	s.Path = cleanPath(s.Path)
	return s
}

// cutNumber cuts `:N` off the end of s.
func cutNumber(s string) (string, int, bool) {
	i := strings.LastIndexByte(s, ':')
	if i <= 0 || s[i-1] == ':' {
		return s, 0, false
	}
	n, err := strconv.ParseUint(s[i+1:], 10, 31)
	if err != nil || n == 0 {
		return s, 0, false
	}
	return s[:i], int(n), true
}

func cleanPath(p string) string { return strings.TrimPrefix(p, "./") }

// pathForms are the readings of the text as a path, `#` and what is in the file. IDs may
// hold further `#`, in either part.
func (s Selector) pathForms() [][2]string {
	var forms [][2]string
	for i := range len(s.Text) {
		if s.Text[i] == '#' && i > 0 && i+1 < len(s.Text) {
			forms = append(forms, [2]string{cleanPath(s.Text[:i]), s.Text[i+1:]})
		}
	}
	return forms
}

// nameForm is one reading of the text: a symbol's name and the names before it.
type nameForm struct {
	owners []string
	name   string
}

// nameForms are the readings of the text as a path of names: its end after any separator
// may be the name, which can itself hold characters that separate elsewhere. Texts with
// brackets are also read without what is in them.
func (s Selector) nameForms() (literal, plain []nameForm) {
	literal = splitNames(s.Text)
	if p := withoutBrackets(s.Text); p != s.Text && p != "" {
		plain = splitNames(p)
	}
	return literal, plain
}

func splitNames(text string) []nameForm {
	forms := []nameForm{{nil, text}}
	for i := 0; i < len(text); i++ {
		n := separator(text[i:])
		if n == 0 {
			continue
		}
		if owners := components(text[:i]); i+n < len(text) && len(owners) > 0 {
			forms = append(forms, nameForm{owners, text[i+n:]})
		}
		i += n - 1
	}
	return forms
}

// separator is the length of the separator that s begins with, 0 without one.
func separator(s string) int {
	switch {
	case strings.HasPrefix(s, "::"), strings.HasPrefix(s, "->"):
		return 2
	case s[0] == '.', s[0] == '/', s[0] == '#', s[0] == '\\':
		return 1
	}
	return 0
}

// components are the parts of s between separators, empty ones left out.
func components(s string) []string {
	var parts []string
	for s != "" {
		i, n := 0, 0
		for i < len(s) {
			if n = separator(s[i:]); n > 0 {
				break
			}
			i++
		}
		if i > 0 {
			parts = append(parts, s[:i])
		}
		s = s[i+n:]
	}
	return parts
}

// withoutBrackets is `Type.Method` for `(*Type).Method`, `Type[K].Method(int)` and the like:
// a group at the beginning or after a separator loses its brackets, pointers and
// references; any other group goes.
func withoutBrackets(s string) string {
	var b strings.Builder
	depth, keep := 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '(' && depth == 0 && (b.Len() == 0 || strings.IndexByte(`./:#\`, s[i-1]) >= 0):
			keep++
		case c == ')' && keep > 0 && depth == 0:
			keep--
		case c == '(' || c == '[' || c == '<':
			depth++
		case c == ')' || c == ']' || c == '>' && i > 0 && s[i-1] != '-':
			depth = max(0, depth-1)
		case depth == 0 && !(keep > 0 && (c == '*' || c == '&')):
			b.WriteByte(c)
		}
	}
	return b.String()
}

// matchTail reports whether the typed parts are the last of the parts that are there.
func matchTail(typed, there []string, same func(a, b string) bool) bool {
	if len(typed) > len(there) {
		return false
	}
	there = there[len(there)-len(typed):]
	for i := range typed {
		if !same(typed[i], there[i]) {
			return false
		}
	}
	return true
}

func exactly(a, b string) bool { return a == b }
