package lang

import (
	"bytes"
	"path"
	"sort"
	"strings"
)

// All are the languages, in the order of their names.
var all = func() []*Language {
	l := []*Language{c, cpp, csharp, golang, java, javascript, kotlin, php, python, ruby, rust, scala, swift, tsx, typescript}
	sort.Slice(l, func(i, j int) bool { return l[i].Name < l[j].Name })
	return l
}()

// All are the languages that facts can be made of, in the order of their names. The slice must not be changed.
func All() []*Language { return all }

// Named finds a language by its name or an alias, in any case; nil if there is none.
func Named(name string) *Language {
	name = strings.ToLower(name)
	for _, l := range all {
		if l.Name == name {
			return l
		}
		for _, a := range l.Aliases {
			if a == name {
				return l
			}
		}
	}
	return nil
}

// Detect tells the language of a file by its name, extension, or first line; nil if it is
// none of ours. head is the beginning of the file's bytes.
func Detect(p string, head []byte) *Language {
	base := path.Base(p)
	ext := strings.ToLower(path.Ext(base))
	for _, l := range all {
		for _, n := range l.Filenames {
			if n == base {
				return l
			}
		}
		for _, n := range l.Configs {
			if n == base {
				return l
			}
		}
	}
	for _, l := range all {
		if l.Claims != nil && l.Claims(p, head) {
			return l
		}
	}
	if ext != "" {
		for _, l := range all {
			for _, e := range l.Extensions {
				if e == ext {
					return l
				}
			}
		}
		return nil
	}
	return byShebang(head)
}

func byShebang(head []byte) *Language {
	if !bytes.HasPrefix(head, []byte("#!")) {
		return nil
	}
	line, _, _ := bytes.Cut(head[2:], []byte("\n"))
	for _, w := range strings.Fields(string(line)) {
		w = strings.TrimRight(path.Base(w), "0123456789.")
		for _, l := range all {
			for _, s := range l.Shebangs {
				if s == w {
					return l
				}
			}
		}
	}
	return nil
}
