package readtools

import (
	"regexp"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/search"
)

// dottedName matches a dotted path of keys that needs no regular expression.
var dottedName = regexp.MustCompile(`^[\pL\pN_\-$@/]+(\.[\pL\pN_\-$@/]+)*$`)

// keyMatcher finds keys by their dotted paths.
type keyMatcher struct {
	literal string // the end of a dotted path
	part    bool   // any part of the path will do
	fold    bool
	names   *nameMatcher
}

func newKeyMatcher(p *GrepParams) (*keyMatcher, error) {
	names, err := newNameMatcher(p)
	if err != nil {
		return nil, err
	}
	m := &keyMatcher{names: names, fold: p.IgnoreCase}
	if p.Literal || dottedName.MatchString(p.Pattern) {
		m.literal = p.Pattern
	}
	return m, nil
}

func (m *keyMatcher) match(k *configKey) bool {
	if m.literal == "" || m.part {
		return m.names.match(k.Path) || m.names.match(k.Key)
	}
	path, want := k.Path, m.literal
	if m.fold {
		path, want = strings.ToLower(path), strings.ToLower(want)
	}
	return endsInKey(path, want) || endsInKey(withoutElements(path), want)
}

// config searches configuration keys: where they are set, and where a dotted path is used in
// other files or in the values of other keys.
func (g *grepping) config() error {
	m, err := newKeyMatcher(&g.p)
	if err != nil {
		return err
	}
	files, err := g.files()
	if err != nil {
		return err
	}
	all, err := g.keys(files, m)
	if err != nil {
		return err
	}
	if len(all) == 0 && m.literal != "" {
		m.part = true
		if all, err = g.keys(files, m); err != nil {
			return err
		}
		if len(all) > 0 {
			g.res.note("no key ends in " + m.literal + "; these have it in their path")
		}
	}
	uses, err := g.keyUses(files, m)
	if err != nil {
		return err
	}
	all = append(all, uses...)
	slices.SortStableFunc(all, func(a, b Match) int {
		if a.Path != b.Path {
			return search.ComparePaths(a.Path, b.Path)
		}
		return a.Line - b.Line
	})
	g.list(all, nil)
	return nil
}

// maxConfig is the largest file whose keys are looked for; what is larger is data.
const maxConfig = 4 << 20

// keys are the keys that match, in the configuration files in scope.
func (g *grepping) keys(files []candidate, m *keyMatcher) ([]Match, error) {
	fits, err := g.lastPart(m)
	if err != nil {
		return nil, err
	}
	var out []Match
	var skips []Skip
	g.res.SearchedFiles, g.res.Skipped = 0, nil // of an earlier try
	for _, f := range files {
		format := formatOf(f.Path)
		if format == nil {
			continue
		}
		g.res.SearchedFiles++
		if f.known != nil && !fits(f.known.ID) {
			continue
		}
		if err := g.ctx.Err(); err != nil {
			return nil, err
		}
		if g.timer.late() {
			g.res.note("so far at least " + count(len(out), "key"))
			return nil, errLate
		}
		if f.known != nil && f.known.Size > maxConfig {
			skips = append(skips, Skip{Path: f.Path, Reason: string(search.SkipTooLarge)})
			continue
		}
		switch t := g.source(f.Path); {
		case t == nil:
			skips = append(skips, Skip{Path: f.Path, Reason: string(search.SkipUnreadable)})
		case len(t.data) > maxConfig:
			skips = append(skips, Skip{Path: f.Path, Reason: string(search.SkipTooLarge)})
		default:
			out = append(out, g.keysOf(t, format, m)...)
		}
	}
	g.res.skip(skips)
	return out, nil
}

// lastPart says which files can have the last part of a dotted path in them.
func (g *grepping) lastPart(m *keyMatcher) (func(graph.FileID) bool, error) {
	last := m.literal[strings.LastIndexByte(m.literal, '.')+1:]
	if last == "" {
		return func(graph.FileID) bool { return true }, nil
	}
	p, err := search.Compile(search.Options{Patterns: []string{last}, Literal: true, IgnoreCase: true})
	if err != nil {
		return nil, patternError(err, true)
	}
	return candidates(g.reading, p)
}

func (g *grepping) keysOf(t *source, format configFormat, m *keyMatcher) []Match {
	text := search.Decode(t.data)
	if text.Binary() || text.Encoding != "utf-8" {
		return nil
	}
	var out []Match
	for _, k := range format(string(t.data)) {
		if m.match(&k) {
			hit := Match{Path: t.path, Key: k.Path, Value: cutText(valid([]byte(k.Value)), 200), Role: "definition"}
			g.placeMatch(&hit, uint32(k.Off), 0, len(k.Key))
			out = append(out, hit)
		}
	}
	return out
}

// keyUses are the places where a dotted path is named outside of configuration files, or
// in the value of a key.
func (g *grepping) keyUses(files []candidate, m *keyMatcher) ([]Match, error) {
	if !strings.Contains(m.literal, ".") || m.part {
		return nil, nil
	}
	p, err := search.Compile(search.Options{Patterns: []string{m.literal}, Literal: true, IgnoreCase: m.fold})
	if err != nil {
		return nil, patternError(err, true)
	}
	targets, _, _, err := g.narrow(files, p)
	if err != nil {
		return nil, err
	}
	ctx, cancel := g.timer.within(g.ctx)
	defer cancel()
	found, err := (&search.Searcher{Source: g.disk}).Search(ctx, p, targets, search.SearchOptions{})
	if err != nil {
		return nil, lateError(ctx, err)
	}
	g.res.SearchedFiles = len(files)
	var out []Match
	for i := range found.Files {
		f := &found.Files[i]
		values := map[int]bool{}
		format := formatOf(f.Path)
		if format != nil {
			values = g.valueLines(f.Path, format, m.literal)
		}
		for k := range f.Matches {
			if s, ok := wholeKey(&f.Matches[k]); ok && (format == nil || values[f.Matches[k].Line]) {
				f.Matches[k].Column = s.Start + 1
				f.Matches[k].Spans = []search.Span{s}
				hit := lineMatch(f.Path, &f.Matches[k])
				hit.Role, hit.Key = "use", m.literal
				out = append(out, hit)
			}
		}
	}
	return out, nil
}

// valueLines are the lines of a configuration file whose keys have name in their values.
func (g *grepping) valueLines(path string, format configFormat, name string) map[int]bool {
	out := map[int]bool{}
	t := g.source(path)
	if t == nil || len(t.data) > maxConfig {
		return out
	}
	for _, k := range format(string(t.data)) {
		if strings.Contains(k.Value, name) {
			line, _ := t.place(uint32(k.Off))
			out[line] = true
		}
	}
	return out
}

// wholeKey is the first span of a line that is no part of a longer key.
func wholeKey(m *search.Match) (search.Span, bool) {
	for _, s := range m.Spans {
		before, after := byte(' '), byte(' ')
		if s.Start > 0 {
			before = m.Text[s.Start-1]
		}
		if s.End < len(m.Text) {
			after = m.Text[s.End]
		}
		if !keyByte(before) && (!keyByte(after) || after == '.' && (s.End+1 >= len(m.Text) || !keyByte(m.Text[s.End+1]))) {
			return s, true
		}
	}
	return search.Span{}, false
}

func keyByte(c byte) bool {
	return c == '.' || c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
