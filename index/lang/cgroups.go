package lang

// Conditional groups whose branches are no whole statements.

// group are the tokens of the directives of the group that begins at token i: if, else, endif.
func (p *cPrep) group(i, end int) []int {
	bounds := []int{i}
	depth := 0
	for k := i + 1; k < end; k++ {
		if p.kind(k) != '#' {
			continue
		}
		switch word, _ := p.directive(k); word {
		case "if", "ifdef", "ifndef":
			depth++
		case "else", "elif", "elifdef", "elifndef":
			if depth == 0 {
				bounds = append(bounds, k)
			}
		case "endif":
			if depth == 0 {
				return append(bounds, k)
			}
			depth--
		}
	}
	return nil
}

func (p *cPrep) settle(bounds []int) {
	last := len(bounds) - 1
	if word, rest := p.directive(bounds[0]); word == "if" && rest == "0" {
		p.blankAll(bounds[0]+1, bounds[1], cDead)
	}
	flat := false
	for j := 0; j < last && !flat; j++ {
		flat = p.torn(bounds[j]+1, bounds[j+1], bounds[last])
	}
	list := p.depth == 0 && len(p.brace) > 0 && p.brace[len(p.brace)-1] == '='
	if flat {
		for _, d := range bounds {
			p.blank(d, cGone)
		}
	}
	if flat && !list {
		chosen := p.likely(bounds)
		for j := range last {
			if j != chosen {
				p.blankAll(bounds[j]+1, bounds[j+1], cDead)
			}
		}
		if chosen < last {
			p.conditions(bounds[chosen]+1, bounds[chosen+1])
		}
		return
	}
	prev, depth, brace := p.prev, p.depth, append([]byte(nil), p.brace...)
	for j := 0; j < last; j++ {
		p.prev, p.depth, p.brace = prev, depth, append(p.brace[:0:0], brace...)
		p.conditions(bounds[j]+1, bounds[j+1])
	}
}

// likely is the branch of a group that is compiled, as far as can be said: the first of the likeliest,
// or the group's end where none can be.
func (p *cPrep) likely(bounds []int) int {
	last := len(bounds) - 1
	best, least := last, cNever
	for j := range last {
		if u := p.unlikely[uint32(p.toks[bounds[j]].from)]; u < least {
			best, least = j, u
		}
	}
	return best
}

// torn reports whether the branch of tokens from i to end is no run of whole statements
// where it stands; after is the group's last token.
func (p *cPrep) torn(i, end, after int) bool {
	first, last := -1, -1
	parens, braces := 0, 0
	skip := 0 // nested else branches
	for k := i; k < end; k++ {
		if p.gone[k] {
			continue
		}
		if p.kind(k) == '#' {
			switch word, _ := p.directive(k); word {
			case "else", "elif":
				skip++
			case "endif":
				skip = 0
			}
			continue
		}
		if skip > 0 {
			continue
		}
		if first < 0 {
			first = k
		}
		last = k
		switch p.kind(k) {
		case '(':
			parens++
		case ')':
			parens--
		case '{':
			braces++
		case '}':
			braces--
		}
		if parens < 0 || braces < 0 {
			return true
		}
	}
	switch {
	case first < 0:
		return p.depth > 0 || len(p.brace) > 0 && p.brace[len(p.brace)-1] == '='
	case p.kind(last) == ':' && p.labels(last) || p.continues(first):
		return true
	case parens != 0 || braces != 0 || p.depth > 0 || len(p.brace) > 0 && p.brace[len(p.brace)-1] == '=':
		return true
	case p.text(first) == "else" || !p.opens(p.prev):
		return true
	case len(p.brace) > 0 && p.brace[len(p.brace)-1] == ',': // a list of enumerators
		return false
	}
	switch p.kind(last) {
	case ';', '}':
		return p.text(p.next(after+1)) == "else"
	case ':':
		return false
	case ')':
		return p.kind(p.next(after+1)) == '{' || p.tests(last)
	}
	return true
}

// labels reports whether the colon at token i ends a label: a statement must follow where that stands.
func (p *cPrep) labels(i int) bool {
	name := p.before(i)
	return p.kind(name) == 'i' && p.text(name) != "default" && p.opens(p.before(name))
}

// continues reports whether token i goes on with an expression: no statement begins with it.
func (p *cPrep) continues(i int) bool {
	switch k := p.kind(i); k {
	case '|', '&', '?', ':', ',', '=', '<', '>', '.', '/', '%', '^':
		return true
	case '+', '-':
		return p.kind(i+1) != k
	}
	return false
}
