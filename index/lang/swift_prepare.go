package lang

import "bytes"

// swiftPrepare blanks what the grammar does not take: what stands in parentheses behind
// `nonisolated` and `throws`, `~Copyable`, ownership words before types, the sign before macros.
// A semicolon behind white space is moved before it.
func swiftPrepare(src []byte) []byte {
	out := append([]byte(nil), src...)
	blank := func(from, to int) {
		for i := from; i < to && i < len(out); i++ {
			if out[i] != '\n' && out[i] != '\r' {
				out[i] = ' '
			}
		}
	}
	for i := 0; i < len(src); {
		switch c := src[i]; {
		case c == '"' || c == '/':
			i = kotlinSkip(src, i)
			continue
		case c == '#' && i+1 < len(src) && src[i+1] == '"':
			if end := bytes.Index(src[i+2:], []byte(`"#`)); end >= 0 {
				i += end + 4
				continue
			}
		case c == '#':
			swiftMacro(out, src, i)
		case c == '~' && i+1 < len(src) && src[i+1] >= 'A' && src[i+1] <= 'Z':
			blank(swiftNegation(src, i))
		case c == ';':
			j := i
			for j > 0 && (src[j-1] == ' ' || src[j-1] == '\t') {
				j--
			}
			if j < i && j > 0 && src[j-1] != '\n' && src[j-1] != ';' {
				out[i], out[j] = ' ', ';'
			}
		case wordByte(c) && c != '`':
			j := i
			for j < len(src) && wordByte(src[j]) {
				j++
			}
			swiftWord(src, i, j, blank)
			i = j
			continue
		}
		i++
	}
	return out
}

// swiftWord blanks what is not known about or behind the word at [i, j).
func swiftWord(src []byte, i, j int, blank func(from, to int)) {
	switch word := string(src[i:j]); word {
	case "nonisolated", "throws":
		if nextIs(src, j, '(') {
			if end := bytes.IndexAny(src[j:], ")\n"); end > 0 && src[j+end] == ')' {
				blank(j, j+end+1)
			}
		}
	case "isolated":
		if nextWord(src, j) == "deinit" {
			blank(i, j)
		} else {
			swiftOwnership(src, i, j, blank)
		}
	case "sending", "borrowing", "consuming", "__owned", "__shared":
		swiftOwnership(src, i, j, blank)
	}
}

// swiftOwnership blanks the word at [i, j) where it stands before a type.
func swiftOwnership(src []byte, i, j int, blank func(from, to int)) {
	before := bytes.TrimRight(src[:i], " \t")
	if len(before) == 0 || j+1 >= len(src) || src[j] != ' ' || !wordByte(src[j+1]) && src[j+1] != '(' && src[j+1] != '[' {
		return
	}
	switch before[len(before)-1] {
	case ':', '>', '(':
		blank(i, j)
	}
}

// swiftNegation is the part of an inheritance clause that `~` at i begins, with what parts it from the
// rest.
func swiftNegation(src []byte, i int) (from, to int) {
	to = i + 1
	for to < len(src) && wordByte(src[to]) {
		to++
	}
	from = i
	for from > 0 && (src[from-1] == ' ' || src[from-1] == '\t') {
		from--
	}
	if from == 0 || src[from-1] != ':' && src[from-1] != ',' && src[from-1] != '&' {
		return i, i
	}
	k := to
	for k < len(src) && (src[k] == ' ' || src[k] == '\t') {
		k++
	}
	if nextIs(src, k, ',') { // others follow
		return i, k + 1
	}
	return from - 1, to
}

// swiftMacro blanks the sign before a macro's name, which makes a call of it.
func swiftMacro(out, src []byte, i int) {
	j := i + 1
	for j < len(src) && wordByte(src[j]) {
		j++
	}
	switch string(src[i+1 : j]) {
	case "", "if", "elseif", "else", "endif", "available", "unavailable", "selector", "keyPath", "file", "fileID", "filePath", "line", "column", "function", "dsohandle",
		"colorLiteral", "imageLiteral", "fileLiteral", "warning", "error", "sourceLocation", "externalMacro":
		return
	}
	out[i] = ' '
}
