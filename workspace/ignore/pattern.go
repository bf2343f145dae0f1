package ignore

import (
	"bytes"
	"strings"
	"sync"
)

// A pattern is one line of an ignore file.
type pattern struct {
	text     string // without '!', without the leading and the trailing '/'
	raw      string // the line as written, for Explain
	line     int    // 1-based
	lit      int    // length of the part of text before its first wildcard
	neg      bool   // brings back instead of hiding
	dirOnly  bool   // ended in '/': holds for folders only
	nameOnly bool   // has no '/': compared with the name, at any depth
	suffix   bool   // '*' followed by literal text
	glob     glob   // what follows the literal part; for nameOnly the whole
}

// parsePatterns splits an ignore file as git does: a UTF-8 byte order mark is dropped, one CR before a LF is
// part of the line end, a line that starts with '#' is a comment, and unescaped spaces at the end of a line
// count for nothing. A NUL ends its line's pattern.
func parsePatterns(data []byte, fold bool) []pattern {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	var out []pattern
	for line := 1; len(data) > 0; line++ {
		text, rest, _ := bytes.Cut(data, []byte{'\n'})
		data = rest
		if len(text) == 0 || text[0] == '#' {
			continue
		}
		raw := strings.TrimSuffix(string(text), "\r")
		if k := strings.IndexByte(raw, 0); k >= 0 {
			raw = raw[:k]
		}
		if p, ok := parsePattern(trimSpaces(raw), fold); ok {
			p.raw, p.line = raw, line
			out = append(out, p)
		}
	}
	return out
}

// trimSpaces drops trailing spaces that no backslash protects. A backslash at the very end protects all.
func trimSpaces(s string) string {
	keep := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ':
			continue
		case '\\':
			if i++; i == len(s) {
				return s
			}
		}
		keep = i + 1
	}
	return s[:keep]
}

// parsePattern compiles one pattern; ok is false for one that can match nothing.
func parsePattern(s string, fold bool) (p pattern, ok bool) {
	if strings.HasPrefix(s, "!") {
		p.neg = true
		s = s[1:]
	}
	if strings.HasSuffix(s, "/") {
		p.dirOnly = true
		s = s[:len(s)-1]
	}
	if s == "" {
		return p, false
	}
	p.nameOnly = strings.IndexByte(s, '/') < 0
	s = strings.TrimPrefix(s, "/")
	p.text = s
	p.lit = literalLen(s)
	switch {
	case p.lit == len(s):
	case p.nameOnly:
		p.suffix = s[0] == '*' && literalLen(s[1:]) == len(s)-1
		if !p.suffix {
			p.glob = compileGlob(s, false, fold)
		}
	default:
		// git compares the literal part by itself and then reads the rest as if it were a pattern of its own,
		// so that in "foo**/bar" the stars stand at a start and cross folders.
		p.glob = compileGlob(s[p.lit:], true, fold)
	}
	return p, true
}

func literalLen(s string) int {
	if k := strings.IndexAny(s, `*?[\`); k >= 0 {
		return k
	}
	return len(s)
}

// match reports whether the pattern holds for an entry. path is relative to the folder of the ignore file, name
// is its last part.
func (p *pattern) match(path, name string, isDir, fold bool) bool {
	if p.dirOnly && !isDir {
		return false
	}
	if p.nameOnly {
		switch {
		case p.lit == len(p.text):
			return equalFold(p.text, name, fold)
		case p.suffix:
			n := len(p.text) - 1
			return n <= len(name) && equalFold(p.text[1:], name[len(name)-n:], fold)
		}
		return p.glob.match(name)
	}
	if p.lit > len(path) || !equalFold(p.text[:p.lit], path[:p.lit], fold) {
		return false
	}
	if p.lit == len(p.text) {
		return p.lit == len(path)
	}
	return p.glob.match(path[p.lit:])
}

// A list is the patterns of one source, linked to the list that is asked when none of them matches.
type list struct {
	up     *list
	off    int    // where, in a full path, the path relative to this list's folder begins
	layer  Layer  // what kind of source it is
	source string // the file as Explain shows it
	fold   bool

	data []byte // parsed on first use; a re-scan often needs only its hash
	once sync.Once
	pats []pattern
	// With many patterns, names and exts lead to the plain ones and rest holds the others, each in ascending
	// order. The last pattern that matches decides, wherever it was filed.
	names, exts map[string][]int32
	rest        []int32
}

// indexAbove is the number of patterns up to which trying each is as fast as looking up.
const indexAbove = 8

func (l *list) parse() {
	if l.pats == nil {
		l.pats = parsePatterns(l.data, l.fold)
	}
	l.data = nil
	l.rest = make([]int32, 0, len(l.pats))
	big := len(l.pats) > indexAbove && !l.fold
	if big {
		l.names = make(map[string][]int32)
		l.exts = make(map[string][]int32)
	}
	for i := range l.pats {
		p := &l.pats[i]
		switch {
		case big && p.nameOnly && p.lit == len(p.text):
			l.names[p.text] = append(l.names[p.text], int32(i))
		case big && p.suffix && strings.LastIndexByte(p.text, '.') == 1:
			l.exts[p.text[1:]] = append(l.exts[p.text[1:]], int32(i))
		default:
			l.rest = append(l.rest, int32(i))
		}
	}
}

// last returns the pattern of this list alone that decides about the entry, or nil. full is the full path and
// at the offset of its last part.
func (l *list) last(full string, at int, isDir bool) *pattern {
	l.once.Do(l.parse)
	name := full[at:]
	best := int32(-1)
	if l.names != nil {
		best = l.lastOf(l.names[name], isDir, best)
		if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
			best = l.lastOf(l.exts[name[dot:]], isDir, best)
		}
	}
	path := full[l.off:]
	for k := len(l.rest) - 1; k >= 0 && l.rest[k] > best; k-- {
		if l.pats[l.rest[k]].match(path, name, isDir, l.fold) {
			best = l.rest[k]
		}
	}
	if best < 0 {
		return nil
	}
	return &l.pats[best]
}

func (l *list) lastOf(ids []int32, isDir bool, best int32) int32 {
	for k := len(ids) - 1; k >= 0 && ids[k] > best; k-- {
		if isDir || !l.pats[ids[k]].dirOnly {
			return ids[k]
		}
	}
	return best
}

// decide asks l and the lists behind it, nearest first.
func (l *list) decide(full string, at int, isDir bool) (*pattern, *list) {
	for ; l != nil; l = l.up {
		if p := l.last(full, at, isDir); p != nil {
			return p, l
		}
	}
	return nil, nil
}
