package lang

// declares reports whether a declaration of plain variables stands at token k.
func (p *cPrep) declares(k int) bool {
	for n := 0; k < len(p.toks); k, n = p.next(k+1), n+1 {
		switch p.kind(k) {
		case 'i', '*', ',', '[', ']':
		case ';':
			return n > 1
		default:
			return false
		}
	}
	return false
}

// oldStyle reports whether the parentheses hold nothing but names.
func (p *cPrep) oldStyle(open, end int) bool {
	any := false
	for k := p.next(open + 1); k < end; k = p.next(k + 1) {
		if p.kind(k) != 'i' || cTypeWords[p.text(k)] || cWords[p.text(k)] || cTagWords[p.text(k)] {
			return false
		}
		any = true
		if k = p.next(k + 1); k < end && p.kind(k) != ',' {
			return false
		}
	}
	return any
}

// parameters blanks macros in the parameters between open and end.
func (p *cPrep) parameters(open, end int) {
	for k := p.next(open + 1); k < end; {
		k = p.parameter(k, end)
	}
}

func (p *cPrep) parameter(k, end int) int {
	var names []int
	typed, plain := false, true
	for first := k; k < end && p.kind(k) != ','; k = p.next(k + 1) {
		switch t := p.text(k); {
		case p.kind(k) == '(':
			c := p.close(k)
			if n := p.next(c + 1); k == p.next(first+1) && p.kind(first) == 'i' && !typed && len(names) == 1 && (n >= end || p.kind(n) == ',') && p.kind(p.next(k+1)) != '*' {
				p.blank(first, cGone)
				for m := k; m <= c; m++ {
					if d := p.kind(m); d == '(' || d == ')' || d == ',' {
						p.blank(m, cGone)
					}
				}
				names = nil
			}
			plain = false
			k = c
		case p.kind(k) == '[':
			plain = false
		case p.kind(k) != 'i':
		case cTagWords[t]:
			typed = true
			if n := p.next(k + 1); p.kind(n) == 'i' {
				k = n
			}
		case cTypeWords[t]:
			typed = true
		case !cWords[t] && !cCalls[t]:
			names = append(names, k)
		}
	}
	need := 2
	if typed {
		need = 1
	}
	for i := 0; plain && i < len(names) && len(names) > need; {
		if cMacroLike(p.text(names[i])) {
			p.blank(names[i], cGone)
			names = append(names[:i], names[i+1:]...)
		} else {
			i++
		}
	}
	return p.next(k + 1)
}
