package ignore

import "strings"

// A glob is the compiled form of one wildcard pattern. It knows git's dialect and nothing else:
//
//	c, \c    the byte c
//	?        one byte; in a path not '/'
//	*        any bytes; in a path none of them '/'
//	**/      in a path, at its start or after '/': nothing, or whole folders
//	**       in a path, at its end after '/': everything below
//	[a-z]    one byte of the class; ! or ^ negates; [:alpha:] and the other POSIX names; in a path never '/'
//
// A malformed class makes a pattern that matches nothing. Bytes are bytes: '?' takes one byte of a UTF-8
// sequence, as git does. Matching never recurses and needs time at most quadratic in the text.
type glob struct {
	toks []token
	fold bool
}

type tokenKind uint8

const (
	tokByte    tokenKind = iota
	tokAny               // ?
	tokClass             // [...]
	tokStar              // * that stops at '/'
	tokDeep              // any bytes at all
	tokFolders           // **/ : nothing, or bytes up to and with a '/'
	tokNever             // malformed
)

type token struct {
	kind  tokenKind
	b     byte
	class *byteSet
}

type byteSet [4]uint64

func (s *byteSet) add(b byte)      { s[b>>6] |= 1 << (b & 63) }
func (s *byteSet) has(b byte) bool { return s[b>>6]&(1<<(b&63)) != 0 }

// compileGlob compiles pat. path selects the meaning of '/'; without it the text is a bare name. fold compares
// ASCII letters without case.
func compileGlob(pat string, path, fold bool) glob {
	g := glob{fold: fold}
	for i := 0; i < len(pat); {
		switch c := pat[i]; c {
		case '\\':
			if i+1 == len(pat) {
				g.toks = append(g.toks, token{kind: tokNever})
				return g
			}
			// git leaves an escaped letter as it is even when it folds the text.
			g.toks = append(g.toks, token{kind: tokByte, b: pat[i+1]})
			i += 2
		case '?':
			t := token{kind: tokAny}
			if path {
				t = token{kind: tokClass, class: notSlash()}
			}
			g.toks = append(g.toks, t)
			i++
		case '*':
			t, n := compileStars(pat, i, path)
			g.toks = append(g.toks, t)
			i += n
		case '[':
			set, n := compileClass(pat[i:], fold)
			if n == 0 {
				g.toks = append(g.toks, token{kind: tokNever})
				return g
			}
			if path {
				set['/'>>6] &^= 1 << ('/' & 63)
			}
			g.toks = append(g.toks, token{kind: tokClass, class: set})
			i += n
		default:
			if fold {
				c = lower(c)
			}
			g.toks = append(g.toks, token{kind: tokByte, b: c})
			i++
		}
	}
	return g
}

// compileStars compiles the run of stars at pat[i] and returns how many bytes of the pattern it took.
func compileStars(pat string, i int, path bool) (token, int) {
	n := 1
	for i+n < len(pat) && pat[i+n] == '*' {
		n++
	}
	if !path {
		return token{kind: tokDeep}, n
	}
	rest := pat[i+n:]
	if n < 2 || i > 0 && pat[i-1] != '/' {
		return token{kind: tokStar}, n
	}
	switch {
	case rest == "" || strings.HasPrefix(rest, `\/`):
		return token{kind: tokDeep}, n
	case rest[0] == '/':
		return token{kind: tokFolders}, n + 1
	}
	return token{kind: tokStar}, n
}

func notSlash() *byteSet {
	s := byteSet{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
	s['/'>>6] &^= 1 << ('/' & 63)
	return &s
}

// match reports whether the whole of text matches. It remembers one place to resume at for the last star and
// one for the last token that crosses folders: an earlier one can never reach further than a later one.
func (g *glob) match(text string) bool {
	const none = -1
	t, i := 0, 0
	starTok, starAt := none, 0
	deepTok, deepAt := none, 0
	for {
		if t < len(g.toks) {
			switch g.toks[t].kind {
			case tokStar:
				starTok, starAt = t, i
				t++
				continue
			case tokDeep, tokFolders:
				deepTok, deepAt = t, i
				starTok = none
				t++
				continue
			}
			if i < len(text) && g.one(&g.toks[t], text[i]) {
				t++
				i++
				continue
			}
		} else if i == len(text) {
			return true
		}
		switch {
		case starTok != none && starAt < len(text) && text[starAt] != '/':
			starAt++
			t, i = starTok+1, starAt
		case deepTok != none && g.advance(deepTok, text, &deepAt):
			starTok = none
			t, i = deepTok+1, deepAt
		default:
			return false
		}
	}
}

// advance moves the end of what a folder-crossing token took to its next possible place.
func (g *glob) advance(tok int, text string, at *int) bool {
	if *at >= len(text) {
		return false
	}
	if g.toks[tok].kind == tokDeep {
		*at++
		return true
	}
	k := strings.IndexByte(text[*at:], '/')
	if k < 0 {
		return false
	}
	*at += k + 1
	return true
}

func (g *glob) one(t *token, c byte) bool {
	if g.fold {
		c = lower(c)
	}
	switch t.kind {
	case tokByte:
		return t.b == c
	case tokClass:
		return t.class.has(c)
	case tokAny:
		return true
	}
	return false
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// equalFold compares two strings, without the case of ASCII letters if fold is set.
func equalFold(a, b string, fold bool) bool {
	if !fold {
		return a == b
	}
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}
