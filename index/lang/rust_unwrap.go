package lang

import "bytes"

// rustUnwrap takes items out of the macros that they are handed to whole: `cfg_x! { items }` becomes
// `cfg_x!{} items`, so that the parser sees what is defined there. Of `cfg_if! { if #[cfg(a)] { items }
// else { items } }` what the usual build takes is left, and of `static ref` the ref goes. What macros are
// handed that is not items stays as it is.
func rustUnwrap(src []byte) []byte {
	if !bytes.Contains(src, []byte("! {")) && !bytes.Contains(src, []byte("!{")) && !bytes.Contains(src, []byte("<>")) &&
		!bytes.Contains(src, []byte("thread_local!")) && !bytes.Contains(src, []byte("lazy_static!")) && !bytes.Contains(src, []byte("try!")) {
		return src
	}
	u := rustUnwrapper{rustLexer: rustLexer{src: src}, out: src}
	u.run(0, len(src))
	return u.out
}

// rustUnwrapper blanks parts of out, which is a copy of src from the first change on.
type rustUnwrapper struct {
	rustLexer
	out []byte
}

func (u *rustUnwrapper) change() {
	if len(u.src) > 0 && &u.out[0] == &u.src[0] {
		u.out = bytes.Clone(u.src)
	}
}

// blank writes spaces from from to to, and keeps the lines.
func (u *rustUnwrapper) blank(from, to int) {
	u.change()
	for i := from; i < to; i++ {
		if u.out[i] != '\n' {
			u.out[i] = ' '
		}
	}
}

// run unwraps the macros between from and to that stand where an item may.
func (u *rustUnwrapper) run(from, to int) {
	start := true // a statement or item may begin here
	for i := u.skip(from, to); i < to; {
		end := u.token(i, to)
		word := string(u.src[i:end])
		bang := u.skip(end, to)
		u.mend(word, i, bang, to)
		if start && rustWordByte(word[0]) && bytes.HasPrefix(u.src[bang:to], []byte("::")) {
			i = u.skip(bang+2, to)
			continue
		}
		if !start || !rustWordByte(word[0]) || bang >= to || u.src[bang] != '!' {
			start = word == "{" || word == "}" || word == ";" || word == "]"
			i = u.skip(end, to)
			continue
		}
		open := u.skip(bang+1, to)
		if word == "macro_rules" && open < to {
			name := open
			open = u.skip(u.token(open, to), to)
			u.mend(string(u.src[name:u.token(name, to)]), name, open, to)
		}
		static := open < to && u.src[open] == '(' && (word == "thread_local" || word == "lazy_static")
		if open >= to || u.src[open] != '{' && !static {
			start, i = false, u.skip(end, to)
			continue
		}
		shut := u.match(open, to)
		if word != "macro_rules" {
			u.unwrap(word, bang, open, shut)
		}
		start, i = true, u.skip(shut+1, to)
	}
}

// mend changes what the grammar does not take: empty lists of type parameters go, and the macro try, which
// has become a keyword, is written otherwise.
func (u *rustUnwrapper) mend(word string, i, next, to int) {
	switch {
	case word == "<" && i+1 < to && u.src[i+1] == '>':
		u.blank(i, i+2)
	case word == "try" && next < to && (u.src[next] == '!' || u.src[next] == '{' && u.named(i)):
		u.change()
		copy(u.out[i:], rustTryMacro)
	}
}

// named reports whether what stands at i is the name of a macro that is defined.
func (u *rustUnwrapper) named(i int) bool {
	return bytes.HasSuffix(bytes.TrimRight(u.src[:i], " \t\r\n"), []byte("macro_rules!"))
}

// rustTryMacro stands for the name of the macro try where the grammar reads.
const rustTryMacro = "tRy"

// unwrap takes the items out of one macro, whose brackets are at open and shut.
func (u *rustUnwrapper) unwrap(name string, bang, open, shut int) {
	if name == "cfg_if" {
		if from, to, ok := u.branch(open+1, shut); ok {
			u.shell(name, bang, open)
			u.blank(open+1, from)
			u.blank(to, shut+1)
			u.run(from, to)
		}
		return
	}
	ends, ok := u.items(open+1, shut)
	if !ok {
		return
	}
	u.shell(name, bang, open)
	u.blank(shut, shut+1)
	if !ends {
		u.out[shut] = ';'
	}
	u.run(open+1, shut)
}

// shell leaves of a macro's brackets an empty pair, if there is room for it.
func (u *rustUnwrapper) shell(name string, bang, open int) {
	u.blank(bang, open+1)
	if open > bang+1 {
		u.out[bang], u.out[bang+1], u.out[bang+2] = '!', '{', '}'
	} else if u.src[open] == '(' { // the name of a macro from outside
		u.blank(bang-len(name), bang)
	}
}

// branch is where the first branch of a cfg_if stands whose condition holds.
func (u *rustUnwrapper) branch(i, to int) (from, end int, ok bool) {
	for i = u.skip(i, to); i < to; i = u.skip(i, to) {
		holds := true
		for i < to && u.src[i] != '{' {
			e := u.token(i, to)
			if u.src[i] == '[' {
				e = u.match(i, to) + 1
				if cond := string(u.src[i+1 : e-1]); len(cond) > 3 && cond[:3] == "cfg" {
					holds = rustHolds(rustInside(cond[3:]), rustTold, 0) != rustNever
				}
			}
			i = u.skip(e, to)
		}
		if i >= to {
			break
		}
		shut := u.match(i, to)
		if holds {
			_, ok := u.items(i+1, shut)
			return i + 1, shut, ok
		}
		i = shut + 1
	}
	return 0, 0, false
}

// items reports whether all from i to to is items, and whether the last one is ended.
func (u *rustUnwrapper) items(i, to int) (ends, ok bool) {
	for i = u.skip(i, to); i < to; i = u.skip(i, to) {
		if i, ends = u.item(i, to); i < 0 {
			return false, false
		}
		ok = true
	}
	return ends, ok
}

// item is the end of the item at i, and whether it has what ends it; the end is negative for what is none.
func (u *rustUnwrapper) item(i, to int) (end int, ends bool) {
	word := ""
	for i < to {
		e := u.token(i, to)
		switch word = string(u.src[i:e]); word {
		case "#":
			if i = u.skip(e, to); i < to && u.src[i] == '!' {
				i = u.skip(i+1, to)
			}
			if i < to && u.src[i] == '[' {
				i = u.skip(u.match(i, to)+1, to)
				continue
			}
			return -1, false
		case "pub":
			if i = u.skip(e, to); i < to && u.src[i] == '(' {
				i = u.skip(u.match(i, to)+1, to)
			}
			continue
		case "unsafe", "async", "default", "extern":
			if i = u.skip(e, to); i < to && u.src[i] == '"' {
				i = u.skip(u.token(i, to), to)
			}
			if word == "extern" && i < to && u.src[i] == '{' {
				return u.match(i, to) + 1, true
			}
			continue
		case "const":
			n := u.skip(e, to)
			if next := string(u.src[n:u.token(n, to)]); next == "fn" || next == "unsafe" || next == "async" || next == "extern" {
				i = n
				continue
			}
		}
		i = u.skip(e, to)
		break
	}
	return u.itemOf(word, i, to)
}

// macro is the end of a macro that stands as an item, its name before i.
func (u *rustUnwrapper) macro(i, to int) (end int, ends bool) {
	for bytes.HasPrefix(u.src[i:to], []byte("::")) {
		i = u.skip(u.token(u.skip(i+2, to), to), to)
	}
	if i >= to || u.src[i] != '!' {
		return -1, false
	}
	if i = u.skip(i+1, to); i >= to {
		return -1, false
	}
	switch u.src[i] {
	case '{':
		return u.match(i, to) + 1, true
	case '(', '[':
		if i = u.skip(u.match(i, to)+1, to); i < to && u.src[i] == ';' {
			return i + 1, true
		}
	}
	return -1, false
}

// itemOf is the end of an item whose keyword stands before i.
func (u *rustUnwrapper) itemOf(word string, i, to int) (end int, ends bool) {
	if i >= to {
		return -1, false
	}
	switch word {
	case "use", "mod", "type", "crate", "fn", "trait", "impl":
	case "static":
		if e := u.token(i, to); string(u.src[i:e]) == "ref" {
			if n := u.skip(e, to); n < to && rustWordByte(u.src[n]) {
				u.blank(i, e)
			}
		}
	case "const":
		if n := u.skip(u.token(i, to), to); n >= to || u.src[n] != ':' {
			return -1, false
		}
	case "struct", "enum", "union":
		if n := u.skip(u.token(i, to), to); !rustWordByte(u.src[i]) || n < to && u.src[n] == ':' {
			return -1, false
		}
	default:
		return u.macro(i, to)
	}
	value := word == "static" || word == "const" || word == "use" || word == "type"
	for i < to {
		switch u.src[i] {
		case ';':
			return i + 1, true
		case '$', ',':
			if u.src[i] == '$' || word == "static" || word == "const" {
				return -1, false
			}
		case '(', '[':
			i = u.match(i, to)
		case '{':
			i = u.match(i, to)
			if !value {
				return i + 1, true
			}
		}
		i = u.skip(u.token(i, to), to)
	}
	return i, false
}
