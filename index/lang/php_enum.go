package lang

import (
	"bytes"
	"strings"
)

// phpEnumConst is how a constant of an enum looks after phpPrepare.
const phpEnumConst = "case  "

// phpPrepare: the grammar knows no constants in enums, so they become cases, which have the same shape.
func phpPrepare(src []byte) []byte {
	out := src
	for i := 0; ; {
		k := bytes.Index(src[i:], []byte("enum "))
		if k < 0 {
			return out
		}
		i += k + len("enum ")
		line := src[bytes.LastIndexByte(src[:i-len("enum ")], '\n')+1 : i-len("enum ")]
		open := bytes.IndexByte(src[i:], '{')
		if len(bytes.TrimSpace(line)) > 0 || open < 0 || bytes.ContainsAny(src[i:i+open], ";(") {
			continue
		}
		end := phpClosing(src, i+open)
		if bytes.Contains(src[i:end], []byte("const ")) {
			if &out[0] == &src[0] {
				out = append([]byte(nil), src...)
			}
			phpEnumConsts(out, i+open+1, end)
		}
		i = end
	}
}

// phpClosing is the offset of the brace that closes the one at open.
func phpClosing(src []byte, open int) int {
	depth := 0
	for i := open; i < len(src); i++ {
		switch src[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(src)
}

// phpEnumConsts makes cases of the constants that begin lines between two offsets.
func phpEnumConsts(out []byte, from, to int) {
	for i := from; ; i += len("const ") {
		k := bytes.Index(out[i:to], []byte("const "))
		if k < 0 {
			return
		}
		i += k
		line := bytes.LastIndexByte(out[:i], '\n') + 1
		switch strings.Join(strings.Fields(string(out[line:i])), " ") {
		case "", "public", "private", "protected", "final", "final public", "final protected", "public final":
			for j := line; j < i; j++ {
				if out[j] != '\t' {
					out[j] = ' '
				}
			}
			copy(out[i:], phpEnumConst)
		}
	}
}
