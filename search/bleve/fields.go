package bleve

import (
	"strings"
)

// fields are the texts of a document, by the names that the mapping knows.
type fields struct {
	Path  string `json:"path"`
	Names string `json:"names"`
	Docs  string `json:"docs"`
	Text  string `json:"text"`
}

var fieldNames = []string{"path", "names", "docs", "text"}

// The most bytes of a file's names, docs and other words that are indexed, and how far into a
// file words are looked for: what is longer is data, of which any part is as good.
const (
	maxNames = 64 << 10
	maxDocs  = 32 << 10
	maxText  = 16 << 10
	maxLook  = 1 << 20
)

func fieldsOf(d Document) fields {
	f := fields{Path: d.File.Path}
	var names, docs strings.Builder
	if d.Facts != nil {
		for i := range d.Facts.Symbols {
			s := &d.Facts.Symbols[i]
			if names.Len() < maxNames {
				names.WriteString(d.Facts.Str(s.Name))
				names.WriteByte(' ')
			}
			if s.DocEnd > s.DocStart && int(s.DocEnd) <= len(d.Text) && docs.Len() < maxDocs {
				docs.Write(d.Text[s.DocStart:s.DocEnd])
				docs.WriteByte(' ')
			}
		}
	}
	f.Names, f.Docs = names.String(), docs.String()
	f.Text = distinct(d.Text)
	return f
}

// distinct are the words of a text, each once, in their order.
func distinct(text []byte) string {
	seen := map[string]bool{}
	var out strings.Builder
	var buf []byte
	eachWord(text[:min(len(text), maxLook)], func(w []byte) bool {
		if len(w) < 3 || len(w) > 40 || digit(rune(w[0])) {
			return true
		}
		buf = appendTerm(buf[:0], w)
		if !seen[string(buf)] {
			seen[string(buf)] = true
			out.Write(w)
			out.WriteByte(' ')
		}
		return out.Len() <= maxText
	})
	return out.String()
}
