package readtools

import (
	"path"
	"strconv"
	"strings"
)

// configKey is a key of a configuration file. Path is dotted and leads to it from the top of
// its file, elements of lists by their number; Off is where the key stands in the file's text.
type configKey struct {
	Path  string
	Key   string
	Value string
	Off   int
}

// configFormat takes the keys out of a text. It reads lines and brackets, not grammars: what
// it does not understand it passes over.
type configFormat func(text string) []configKey

// configFormats are known by the end of a file's name, the longest end first.
var configFormats = map[string]configFormat{
	".yaml": yamlKeys, ".yml": yamlKeys,
	".json": jsonKeys, ".jsonc": jsonKeys, ".json5": jsonKeys, ".webmanifest": jsonKeys,
	".toml": tomlKeys,
	".ini":  iniKeys, ".cfg": iniKeys, ".conf": iniKeys, ".cnf": iniKeys, ".editorconfig": iniKeys, ".gitconfig": iniKeys, ".service": iniKeys,
	".env":        envKeys,
	".properties": propertiesKeys,
	".hcl":        hclKeys, ".tf": hclKeys, ".tfvars": hclKeys, ".nomad": hclKeys,
	".dockerfile": dockerKeys, "dockerfile": dockerKeys, "containerfile": dockerKeys,
	"pipfile": tomlKeys, "cargo.lock": tomlKeys, "poetry.lock": tomlKeys,
}

// formatOf is the format of a configuration file, nil for any other file.
func formatOf(p string) configFormat {
	base := strings.ToLower(path.Base(p))
	if f := configFormats[base]; f != nil {
		return f
	}
	if strings.HasPrefix(base, ".env.") || strings.HasPrefix(base, "env.") {
		return envKeys
	}
	if strings.HasPrefix(base, "dockerfile.") || strings.HasPrefix(base, "containerfile.") {
		return dockerKeys
	}
	return configFormats[path.Ext(base)]
}

// keySink collects keys.
type keySink struct{ keys []configKey }

func (k *keySink) add(parent, key, value string, off int) {
	k.keys = append(k.keys, configKey{Path: joinKey(parent, key), Key: key, Value: strings.TrimSpace(value), Off: off})
}

func joinKey(parent, key string) string {
	if parent == "" {
		return key
	}
	if key == "" {
		return parent
	}
	return parent + "." + key
}

func element(parent string, i int) string { return joinKey(parent, strconv.Itoa(i)) }

// withoutElements is a dotted path without the numbers of elements.
func withoutElements(p string) string {
	if !strings.ContainsAny(p, "0123456789") {
		return p
	}
	var out []string
	for part := range strings.SplitSeq(p, ".") {
		if _, err := strconv.Atoi(part); err != nil {
			out = append(out, part)
		}
	}
	return strings.Join(out, ".")
}

// endsInKey reports whether a dotted path ends in the parts of another.
func endsInKey(p, end string) bool {
	return p == end || strings.HasSuffix(p, "."+end)
}

// unquote takes the quotes off a key or a value.
func unquote(s string) string {
	s = strings.TrimSpace(s)
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		if s[0] == '"' && strings.Contains(s, `\`) {
			if u, err := strconv.Unquote(s); err == nil {
				return u
			}
		}
		s = s[1 : len(s)-1]
		return strings.ReplaceAll(s, "''", "'")
	}
	return s
}

// plainValue is a value on a line without its quotes or a comment behind it.
func plainValue(v string) string {
	if v = strings.TrimSpace(v); quotedKey(v) {
		f := flow{text: v}
		f.quoted()
		return unquote(v[:f.pos])
	}
	if i := strings.Index(v, " #"); i >= 0 {
		v = v[:i]
	}
	return strings.TrimSpace(cutAt(v, " //"))
}

// eachLine calls f with the lines of a text, without their ends, and their offsets.
func eachLine(text string, f func(line string, off int)) {
	for off := 0; off < len(text); {
		line, _, _ := strings.Cut(text[off:], "\n")
		f(strings.TrimSuffix(line, "\r"), off)
		off += len(line) + 1
	}
}

// indentOf is the number of blanks that a line begins with.
func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }
