package search

import (
	"slices"
	"strings"
	"sync"
)

// Options say what to look for.
type Options struct {
	Patterns   []string // at least one; a match of any of them is a match
	Literal    bool     // patterns are plain text
	IgnoreCase bool     // letters match their fold orbit
	SmartCase  bool     // IgnoreCase unless a pattern has an upper-case literal
	Word       bool     // matches stand between non-word characters (rg -w)
	WholeLine  bool     // matches are whole lines (rg -x); outranks Word
	Multiline  bool     // matches may cross lines (rg -U)
	DotAll     bool     // with Multiline a dot matches a line feed
	Invert     bool     // report the lines without a match (rg -v)
	CRLF       bool     // no dot and no class matches a carriage return (rg --crlf)
	Text       bool     // a NUL does not make a file binary (rg -a)
}

// A Pattern is a compiled search. It is immutable and may be used by any number
// of goroutines at once.
type Pattern struct {
	opt   Options
	tree  *node
	fwd   *program
	rev   func() *program // built when a match's start is first asked for
	pf    *prefilter      // nil when an automaton alone is cheaper
	multi bool            // a match may cross lines
	fold  bool
	query Query
	pool  sync.Pool // of *matcher
}

// Compile reads the options. Its error is a *PatternError.
func Compile(opt Options) (*Pattern, error) {
	opt.Patterns = slices.Clone(opt.Patterns)
	if len(opt.Patterns) == 0 {
		return nil, &PatternError{Reason: "there is no pattern", Next: "give the text or the regular expression to search for"}
	}
	p := &Pattern{opt: opt}
	if err := p.parse(); err != nil {
		return nil, err
	}
	p.tree = p.tree.cr()
	p.multi = opt.Multiline && (crosses(p.tree) || p.tree.hasLook(lookTextStart|lookTextEnd))
	if !p.multi {
		p.tree.lineMode(opt.CRLF)
	}
	p.query = deriveQuery(p.tree)
	if opt.Invert {
		p.query = MatchAll()
	}
	p.pf = newPrefilter(p.tree)
	tree := p.wrapped()
	var ok bool
	if p.fwd, ok = compileProgram(tree, false); !ok {
		return nil, &PatternError{Pattern: strings.Join(opt.Patterns, "|"),
			Reason: "the pattern is too large", Next: "use smaller repetition counts or fewer alternatives"}
	}
	p.rev = sync.OnceValue(func() *program {
		rev, ok := compileProgram(tree, true)
		if !ok {
			return nil
		}
		return rev
	})
	p.pool.New = func() any { return newMatcher(p) }
	return p, nil
}

// parse turns the patterns into one tree.
func (p *Pattern) parse() error {
	f := flags{fold: p.opt.IgnoreCase, dotAll: p.opt.Multiline && p.opt.DotAll}
	if p.opt.SmartCase && !f.fold {
		fold, err := smartCase(p.opt)
		if err != nil {
			return err
		}
		f.fold = fold
	}
	p.fold = f.fold
	var branches []*node
	for _, src := range p.opt.Patterns {
		n, err := parseOne(src, p.opt, f)
		if err != nil {
			return err
		}
		branches = append(branches, n)
	}
	p.tree = branches[0]
	if len(branches) > 1 {
		p.tree = &node{op: opAlt, subs: branches}
	}
	return nil
}

// parseOne reads one pattern and refuses what cannot be searched for.
func parseOne(src string, opt Options, f flags) (*node, error) {
	if src == "" {
		return nil, &PatternError{Pattern: src, Reason: "the pattern is empty", Next: "search for ^ to see every line, or read the file"}
	}
	var n *node
	var ps *parser
	var err error
	if opt.Literal {
		n, ps, err = parseLiteral(src, f)
	} else {
		n, ps, err = parse(src, f)
	}
	if err != nil {
		return nil, err
	}
	if ps.hasNewline && !opt.Multiline {
		return nil, ps.fail(ps.nlOff, `\n`, "a line feed cannot match within one line", "allow matches across lines (multiline: true)")
	}
	if hasNUL(n) && !opt.Text {
		return nil, ps.fail(0, "", "a NUL byte occurs in binary files alone, which are not searched", "treat binary files as text")
	}
	return n, nil
}

// parseLiteral makes a tree of plain text.
func parseLiteral(src string, f flags) (*node, *parser, error) {
	p := &parser{src: src}
	var subs []*node
	for i, r := range src {
		if r == '\uFFFD' && !strings.HasPrefix(src[i:], "\uFFFD") {
			return nil, nil, p.fail(i, "", "the pattern is not valid UTF-8", "spell the text in UTF-8")
		}
		subs = append(subs, p.literal(r, f.fold, i))
	}
	return concat(subs...), p, nil
}

// smartCase decides whether case is to be ignored: when there are letters to
// speak of and none of them is upper case.
func smartCase(opt Options) (bool, error) {
	letters := false
	for _, src := range opt.Patterns {
		var ps *parser
		var err error
		if opt.Literal {
			_, ps, err = parseLiteral(src, flags{})
		} else {
			_, ps, err = parse(src, flags{})
		}
		if err != nil {
			return false, err
		}
		if ps.upper {
			return false, nil
		}
		letters = letters || ps.hasLetter
	}
	return letters, nil
}

// hasNUL reports whether the tree spells out a NUL.
func hasNUL(n *node) bool {
	return n.op == opRune && n.r == 0 || slices.ContainsFunc(n.subs, hasNUL)
}

// crosses reports whether a match may contain a line feed.
func crosses(n *node) bool {
	return n.op == opRune && n.r == '\n' || n.op == opSet && n.set.has('\n') || slices.ContainsFunc(n.subs, crosses)
}

// wrapped is the tree with the conditions of Word and WholeLine around it.
func (p *Pattern) wrapped() *node {
	cond := func(l look) *node { return &node{op: opLook, look: l} }
	switch {
	case p.opt.WholeLine:
		p.unverified()
		return concat(cond(lookLineStart), p.tree, cond(lookLineEnd).cr())
	case p.opt.Word:
		p.unverified()
		return concat(cond(lookHalfStart), p.tree, cond(lookHalfEnd))
	}
	return p.tree
}

// unverified notes that a literal alone is no match yet.
func (p *Pattern) unverified() {
	if p.pf != nil {
		p.pf.complete = false
	}
}

// Query is the condition that every text with a match fulfils. For an inverted
// pattern it is MatchAll.
func (p *Pattern) Query() Query { return p.query }

// Options returns the options that the pattern was compiled from.
func (p *Pattern) Options() Options { return p.opt }

// FoldsCase reports whether case is ignored, by IgnoreCase or by SmartCase.
func (p *Pattern) FoldsCase() bool { return p.fold }

// String returns the patterns as given, joined by a bar.
func (p *Pattern) String() string { return strings.Join(p.opt.Patterns, "|") }
