package bleve

import (
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/registry"
)

const wordsName = "codegraph_words"

// errRegister is set if bleve, which knows an analyzer by its name only, did not take ours.
var errRegister = registry.RegisterAnalyzer(wordsName, func(map[string]any, *registry.Cache) (analysis.Analyzer, error) {
	return analyzer{}, nil
})

type analyzer struct{}

// Analyze implements analysis.Analyzer.
func (analyzer) Analyze(text []byte) analysis.TokenStream {
	tokens := make([]analysis.Token, 0, len(text)/5+1)
	terms := make([]byte, 0, len(text)+len(text)/8)
	eachWord(text, func(w []byte) bool {
		from := len(terms)
		terms = appendTerm(terms, w)
		if len(terms)-from < 2 {
			terms = terms[:from]
			return true
		}
		tokens = append(tokens, analysis.Token{Term: terms[from:len(terms):len(terms)], Position: len(tokens) + 1, Type: analysis.AlphaNumeric})
		return true
	})
	out := make(analysis.TokenStream, len(tokens))
	for i := range tokens {
		out[i] = &tokens[i]
	}
	return out
}

// eachWord calls f with each word of text, until it returns false: identifiers split where
// their case or digits turn.
func eachWord(text []byte, f func(w []byte) bool) {
	for i := 0; i < len(text); {
		r, n := decode(text[i:])
		if !isWord(r) {
			i += n
			continue
		}
		j, prev := i+n, r
		for j < len(text) {
			r, n := decode(text[j:])
			if !isWord(r) || turns(prev, r, text[j+n:]) {
				break
			}
			prev, j = r, j+n
		}
		if !f(text[i:j]) {
			return
		}
		i = j
	}
}

func decode(b []byte) (rune, int) {
	if b[0] < utf8.RuneSelf {
		return rune(b[0]), 1
	}
	return utf8.DecodeRune(b)
}

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

func upper(r rune) bool {
	if r < utf8.RuneSelf {
		return 'A' <= r && r <= 'Z'
	}
	return unicode.IsUpper(r)
}

func digit(r rune) bool { return '0' <= r && r <= '9' }

// turns reports whether a new word begins with r after prev: fooBar, HTTPServer, utf8.
func turns(prev, r rune, rest []byte) bool {
	switch {
	case digit(prev) != digit(r):
		return true
	case !upper(prev) && upper(r):
		return true
	case upper(prev) && upper(r) && len(rest) > 0:
		next, _ := decode(rest)
		return isWord(next) && !upper(next) && !digit(next)
	}
	return false
}

// appendTerm appends the word in lower case, without a plural ending.
func appendTerm(dst, w []byte) []byte {
	from := len(dst)
	for i := 0; i < len(w); {
		r, n := decode(w[i:])
		if r < utf8.RuneSelf {
			if upper(r) {
				r += 'a' - 'A'
			}
			dst = append(dst, byte(r))
		} else {
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
		i += n
	}
	return dst[:from+len(stem(dst[from:]))]
}

// stem takes plural and verbal endings off, the same way for files and questions, so that
// parses, parsing and parsed meet; it is no linguist.
func stem(t []byte) []byte {
	switch n := len(t); {
	case n > 4 && string(t[n-3:]) == "ies":
		t = t[:n-1]
	case n > 3 && t[n-1] == 's' && t[n-2] != 's' && t[n-2] != 'u' && t[n-2] != 'i':
		t = t[:n-1]
	}
	switch n := len(t); {
	case n > 5 && string(t[n-3:]) == "ing":
		t = undouble(t[:n-3])
	case n > 4 && string(t[n-2:]) == "ed":
		t = undouble(t[:n-2])
	}
	switch n := len(t); {
	case n > 3 && string(t[n-2:]) == "ie":
		t[n-2] = 'y'
		t = t[:n-1]
	case n > 4 && t[n-1] == 'e':
		t = t[:n-1]
	}
	return t
}

// undouble makes running, without its ending, run.
func undouble(t []byte) []byte {
	if n := len(t); n > 3 && t[n-1] == t[n-2] && t[n-1] != 'l' && t[n-1] != 's' && t[n-1] != 'z' {
		return t[:n-1]
	}
	return t
}
