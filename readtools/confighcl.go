package readtools

import "strings"

// hclKeys are the keys of HCL: blocks with their labels, attributes, and what is in nested
// objects. Heredocs and comments are passed over.
func hclKeys(text string) []configKey {
	h := hcl{}
	eachLine(text, h.line)
	return h.keys
}

type hcl struct {
	keySink
	stack   []string // the paths of the open blocks
	end     string   // a heredoc is open up to this line
	comment bool
}

func (h *hcl) line(line string, off int) {
	body := strings.TrimSpace(line)
	switch {
	case h.end != "":
		if body == h.end {
			h.end = ""
		}
		return
	case h.comment:
		h.comment = !strings.Contains(body, "*/")
		return
	case body == "" || body[0] == '#' || strings.HasPrefix(body, "//"):
		return
	case strings.HasPrefix(body, "/*"):
		h.comment = !strings.Contains(body, "*/")
		return
	}
	at := off + strings.Index(line, body)
	if body[0] != '}' && body[0] != ']' {
		h.entry(body, at)
	} else {
		h.brackets(body, "")
	}
}

// entry reads a block's head or an attribute.
func (h *hcl) entry(body string, at int) {
	i := tomlEquals(body)
	open := strings.IndexByte(body, '{')
	if i > 0 && (open < 0 || i < open) && !strings.HasPrefix(body[i:], "==") && !strings.HasPrefix(body[i:], "=>") {
		key, value := unquote(body[:i]), strings.TrimSpace(body[i+1:])
		if strings.ContainsAny(key, " \t()") {
			h.brackets(body, "")
			return
		}
		shown := value
		if strings.HasPrefix(value, "{") || strings.HasPrefix(value, "[") {
			shown = ""
		}
		if quotedKey(body) {
			at++
		}
		h.add(h.path(), key, plainValue(shown), at)
		h.heredoc(value)
		h.brackets(value, key)
		return
	}
	if open > 0 {
		name := hclHead(body[:open])
		first := strings.Fields(body[:open] + " ")
		if name != "" && len(first) > 0 {
			n := len(h.keys)
			h.add(h.path(), name, "", at)
			h.keys[n].Key = unquote(first[0])
		}
		h.brackets(body[open:], name)
		return
	}
	h.brackets(body, "")
}

// path is that of the innermost open block.
func (h *hcl) path() string {
	if len(h.stack) == 0 {
		return ""
	}
	return h.stack[len(h.stack)-1]
}

// hclHead is a block's head as a dotted name: resource "kind" "name" is resource.kind.name.
func hclHead(s string) string {
	name := ""
	for _, part := range strings.Fields(s) {
		name = joinKey(name, unquote(part))
	}
	return name
}

// brackets opens and closes blocks; the first that is opened is called name.
func (h *hcl) brackets(s, name string) {
	f := flow{text: s}
	for f.pos < len(s) {
		switch s[f.pos] {
		case '"':
			f.quoted()
			continue
		case '#':
			return
		case '{':
			if len(h.stack) < maxFlowDepth {
				h.stack = append(h.stack, joinKey(h.path(), name))
			}
			name = ""
		case '}':
			if len(h.stack) > 0 {
				h.stack = h.stack[:len(h.stack)-1]
			}
		}
		f.pos++
	}
}

// heredoc notes that a text over several lines begins.
func (h *hcl) heredoc(value string) {
	if rest, ok := strings.CutPrefix(value, "<<"); ok {
		h.end = strings.TrimSpace(strings.TrimPrefix(rest, "-"))
	}
}

// dockerKeys are the instructions of a Dockerfile; the variables and labels that they set are
// keys below them: ENV.PATH, ARG.VERSION, LABEL.maintainer.
func dockerKeys(text string) []configKey {
	var k keySink
	goesOn, word := false, ""
	eachLine(text, func(line string, off int) {
		body := strings.TrimSpace(line)
		if body == "" || body[0] == '#' {
			return
		}
		at := off + strings.Index(line, body)
		inside := goesOn
		goesOn = strings.HasSuffix(body, `\`)
		body = strings.TrimSpace(strings.TrimSuffix(body, `\`))
		if !inside {
			first, rest, _ := strings.Cut(body, " ")
			word = strings.ToUpper(first)
			k.add("", word, rest, at)
			trimmed := strings.TrimLeft(rest, " \t")
			at += len(body) - len(trimmed)
			body = trimmed
		}
		switch word {
		case "ENV", "ARG", "LABEL":
			dockerPairs(&k, word, body, at)
		}
	})
	return k.keys
}

// dockerPairs reads NAME=value NAME="value" or, for one, NAME value.
func dockerPairs(k *keySink, word, s string, at int) {
	f := flow{text: s}
	for f.pos < len(s) {
		f.spaces()
		start := f.pos
		key := f.key()
		if f.pos == start {
			return
		}
		if f.pos >= len(s) || s[f.pos] != '=' {
			k.add(word, key, s[min(f.pos, len(s)):], at+start)
			return
		}
		f.pos++
		from := f.pos
		if quotedKey(s[f.pos:]) {
			f.quoted()
		} else {
			for f.pos < len(s) && s[f.pos] != ' ' && s[f.pos] != '\t' {
				f.pos++
			}
		}
		k.add(word, key, unquote(s[from:f.pos]), at+start)
	}
}
