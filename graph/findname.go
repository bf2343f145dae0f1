package graph

import (
	"path"
	"slices"
	"strings"
)

// named are the symbols of one name that is the name of some reading of the text.
type named struct {
	name string
	at   []Handle
}

// byName are the symbols that the text means as a path of names. One walk over all names
// serves all readings; the first reading with a symbol wins.
func (f *finder) byName(s Selector) ([]Found, error) {
	literal, plain := s.nameForms()
	var all []named
	err := f.r.Named(func(name string) bool {
		return anyForm(literal, name) || anyForm(plain, name)
	}, func(name string, at []Handle) bool {
		all = append(all, named{name, at})
		return true
	})
	if err != nil {
		return nil, err
	}
	pool, err := f.pool(all)
	if err != nil {
		return nil, err
	}
	for _, same := range []func(a, b string) bool{exactly, strings.EqualFold} {
		for _, forms := range [][]nameForm{literal, plain} {
			if found := f.pick(pool, forms, same); len(found) > 0 {
				return found, nil
			}
		}
	}
	return nil, nil
}

func anyForm(forms []nameForm, name string) bool {
	return slices.ContainsFunc(forms, func(n nameForm) bool { return strings.EqualFold(n.name, name) })
}

// pool are the symbols at the handles.
func (f *finder) pool(all []named) ([]Found, error) {
	index := make(map[FileID]int, len(f.files))
	for i := range f.files {
		index[f.files[i].ID] = i
	}
	var files []File
	at := make(map[FileID]int)
	for _, n := range all {
		for _, h := range n.at {
			if i, ok := index[h.File]; ok {
				if _, ok := at[h.File]; !ok {
					at[h.File] = len(files)
					files = append(files, f.files[i])
				}
			}
		}
	}
	facts, err := f.facts(files)
	if err != nil {
		return nil, err
	}
	var pool []Found
	for _, n := range all {
		for _, h := range n.at {
			if i, ok := at[h.File]; ok && facts[i] != nil && int(h.Index) < len(facts[i].Symbols) {
				pool = append(pool, f.found(&files[i], facts[i], h.Index))
			}
		}
	}
	return pool, nil
}

// pick are those of the pool that a reading means, each once.
func (f *finder) pick(pool []Found, forms []nameForm, same func(a, b string) bool) []Found {
	var out []Found
	for _, p := range pool {
		name := p.Facts.Strings[p.Symbol().Name]
		for _, form := range forms {
			if same(form.name, name) && f.owned(&p, form.owners, same) {
				p.Fold = form.name != name || !f.owned(&p, form.owners, exactly)
				out = append(out, p)
				break
			}
		}
	}
	return out
}

// owned reports whether the typed owners, outermost first, are p's: its own path of names
// from the inside out, and what is left of them its package, folder or file.
func (f *finder) owned(p *Found, typed []string, same func(a, b string) bool) bool {
	var quals []string
	if q := p.Facts.Strings[p.Symbol().Qual]; q != "" {
		quals = strings.Split(q, ".")
	}
	if len(typed) <= len(quals) {
		return matchTail(typed, quals, same)
	}
	cut := len(typed) - len(quals)
	return matchTail(typed[cut:], quals, same) && f.housed(p, typed[:cut], same)
}

// housed reports whether the typed parts are the end of p's package, folder or file name,
// or of its folder's name as seen from outside.
func (f *finder) housed(p *Found, typed []string, same func(a, b string) bool) bool {
	dir, base := path.Split(p.File.Path)
	folder := components(dir)
	if matchTail(typed, components(p.Facts.Package), same) || matchTail(typed, folder, same) {
		return true
	}
	stem := components(strings.TrimSuffix(base, path.Ext(base)))
	for n := len(stem); n > 0; n-- {
		if matchTail(typed, slices.Concat(folder, stem[:n]), same) {
			return true
		}
	}
	dir = strings.TrimSuffix(dir, "/")
	for name, root := range f.opt.Modules {
		rest, ok := strings.CutPrefix(dir, root)
		if ok && (root == "" || rest == "" || rest[0] == '/') && matchTail(typed, components(name+"/"+rest), same) {
			return true
		}
	}
	return false
}
