package ignore

import "strings"

// parseConfig calls set for each setting of a git config file, with section and name in lower case. It stops at
// the first line that git would refuse; what came before it counts.
func parseConfig(text string, set func(key, value string)) {
	p := configParser{text: strings.TrimPrefix(text, "\xef\xbb\xbf")}
	section := ""
	for {
		p.skipSpace()
		c, ok := p.peek()
		switch {
		case !ok:
			return
		case c == '#' || c == ';':
			p.skipLine()
		case c == '[':
			if section, ok = p.section(); !ok {
				return
			}
		case isAlpha(c):
			name := p.name()
			value, ok := p.value()
			if !ok {
				return
			}
			if section != "" {
				set(section+"."+name, value)
			}
		default:
			return
		}
	}
}

type configParser struct {
	text string
	at   int
}

func (p *configParser) peek() (byte, bool) {
	if p.at >= len(p.text) {
		return 0, false
	}
	// CR LF reads as LF everywhere.
	if c := p.text[p.at]; c != '\r' || p.at+1 >= len(p.text) || p.text[p.at+1] != '\n' {
		return c, true
	}
	p.at++
	return '\n', true
}

func (p *configParser) skipSpace() {
	for c, ok := p.peek(); ok && isSpace(c); c, ok = p.peek() {
		p.at++
	}
}

func (p *configParser) skipLine() {
	for c, ok := p.peek(); ok && c != '\n'; c, ok = p.peek() {
		p.at++
	}
}

// section reads "[name]", "[name.sub]" or `[name "sub"]` and returns it as "name" or "name.sub".
func (p *configParser) section() (string, bool) {
	p.at++
	start := p.at
	for {
		c, ok := p.peek()
		if !ok || !isAlpha(c) && !isDigit(c) && c != '-' && c != '.' {
			break
		}
		p.at++
	}
	name := strings.ToLower(p.text[start:p.at])
	c, ok := p.peek()
	if ok && c == ']' {
		p.at++
		return name, true
	}
	for ok && (c == ' ' || c == '\t') {
		p.at++
		c, ok = p.peek()
	}
	if !ok || c != '"' {
		return "", false
	}
	p.at++
	var sub strings.Builder
	for {
		c, ok := p.peek()
		if !ok || c == '\n' {
			return "", false
		}
		p.at++
		if c == '"' {
			break
		}
		if c == '\\' {
			if c, ok = p.peek(); !ok || c == '\n' {
				return "", false
			}
			p.at++
		}
		sub.WriteByte(c)
	}
	if c, ok := p.peek(); !ok || c != ']' {
		return "", false
	}
	p.at++
	return name + "." + sub.String(), true
}

func (p *configParser) name() string {
	start := p.at
	for c, ok := p.peek(); ok && (isAlpha(c) || isDigit(c) || c == '-'); c, ok = p.peek() {
		p.at++
	}
	return strings.ToLower(p.text[start:p.at])
}

// value reads what follows a name up to the end of the line: quotes removed, escapes resolved, comment and
// outer blanks dropped. Without '=' it is "true".
func (p *configParser) value() (string, bool) {
	p.skipBlanks()
	c, ok := p.peek()
	if !ok || c == '\n' {
		return "true", true
	}
	if c != '=' {
		return "", false
	}
	p.at++
	p.skipBlanks()
	var out []byte
	keep, quoted := 0, false
	for {
		c, ok := p.peek()
		if !ok || c == '\n' {
			return string(out[:keep]), !quoted
		}
		p.at++
		switch {
		case (c == '#' || c == ';') && !quoted:
			p.skipLine()
			continue
		case c == '"':
			quoted = !quoted
			keep = len(out)
			continue
		case c == '\\':
			esc, ok := p.escape()
			if !ok {
				return "", false
			}
			out = append(out, esc...)
			keep = len(out)
			continue
		}
		out = append(out, c)
		if quoted || !isSpace(c) {
			keep = len(out)
		}
	}
}

func (p *configParser) skipBlanks() {
	for c, ok := p.peek(); ok && (c == ' ' || c == '\t'); c, ok = p.peek() {
		p.at++
	}
}

func (p *configParser) escape() (string, bool) {
	c, ok := p.peek()
	if !ok {
		return "", false
	}
	p.at++
	switch c {
	case '\n':
		return "", true
	case 't':
		return "\t", true
	case 'b':
		return "\b", true
	case 'n':
		return "\n", true
	case '\\', '"':
		return string(c), true
	}
	return "", false
}
