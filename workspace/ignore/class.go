package ignore

import "strings"

// compileClass compiles the bracket expression at the start of pat. It returns the set and the number of bytes
// taken, which is zero if the expression is malformed: not closed, or with a POSIX name that does not exist.
// With fold the set holds what it should answer for lower-cased text.
func compileClass(pat string, fold bool) (*byteSet, int) {
	var set byteSet
	i := 1
	negated := i < len(pat) && (pat[i] == '!' || pat[i] == '^')
	if negated {
		i++
	}
	prev := -1 // the byte that a following '-' would start a range from
	for first := true; ; first = false {
		if i >= len(pat) {
			return nil, 0
		}
		c := pat[i]
		if c == ']' && !first {
			break
		}
		switch {
		case c == '\\':
			if i+1 >= len(pat) {
				return nil, 0
			}
			i++
			set.add(pat[i])
			prev = int(pat[i])
		case c == '-' && prev >= 0 && i+1 < len(pat) && pat[i+1] != ']':
			i++
			if pat[i] == '\\' {
				if i++; i >= len(pat) {
					return nil, 0
				}
			}
			addRange(&set, prev, int(pat[i]), fold)
			prev = -1
		case c == '[' && i+1 < len(pat) && pat[i+1] == ':':
			name, n, ok := posixName(pat[i:])
			if !ok {
				return nil, 0
			}
			if n == 0 {
				set.add('[')
				prev = '['
				break
			}
			if !addPosix(&set, name, fold) {
				return nil, 0
			}
			i += n - 1
			prev = -1
		default:
			set.add(c)
			prev = int(c)
		}
		i++
	}
	if negated {
		for k := range set {
			set[k] = ^set[k]
		}
	}
	return &set, i + 1
}

func addRange(set *byteSet, from, to int, fold bool) {
	for c := from; c <= to; c++ {
		set.add(byte(c))
		if fold {
			set.add(lower(byte(c)))
		}
	}
}

// posixName finds the name in "[:name:]" at the start of pat and the length of the whole. The length is zero if
// the next ']' does not close a name, in which case '[' stands for itself; ok is false if there is no ']'.
func posixName(pat string) (name string, n int, ok bool) {
	end := strings.IndexByte(pat[2:], ']')
	if end < 0 {
		return "", 0, false
	}
	end += 2
	if end < 3 || pat[end-1] != ':' {
		return "", 0, true
	}
	return pat[2 : end-1], end + 1, true
}

func addPosix(set *byteSet, name string, fold bool) bool {
	in, ok := posixClasses[name]
	if !ok {
		return false
	}
	for c := range 128 {
		if in(byte(c)) {
			set.add(byte(c))
		}
	}
	if fold && name == "upper" {
		addRange(set, 'a', 'z', false)
	}
	return true
}

// posixClasses holds git's own idea of the ASCII classes; it has no locale, and its space lacks \v and \f.
var posixClasses = map[string]func(byte) bool{
	"alnum":  func(c byte) bool { return isAlpha(c) || isDigit(c) },
	"alpha":  isAlpha,
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl":  func(c byte) bool { return c < ' ' || c == 0x7f },
	"digit":  isDigit,
	"graph":  func(c byte) bool { return ' ' < c && c < 0x7f },
	"lower":  func(c byte) bool { return 'a' <= c && c <= 'z' },
	"print":  func(c byte) bool { return ' ' <= c && c < 0x7f },
	"punct":  func(c byte) bool { return ' ' < c && c < 0x7f && !isAlpha(c) && !isDigit(c) },
	"space":  isSpace,
	"upper":  func(c byte) bool { return 'A' <= c && c <= 'Z' },
	"xdigit": func(c byte) bool { return isDigit(c) || 'a' <= lower(c) && lower(c) <= 'f' },
}

func isAlpha(c byte) bool { return 'a' <= lower(c) && lower(c) <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
