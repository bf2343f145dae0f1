package ignore

import "strings"

// addExtra makes the lists of the caller's own patterns, which are asked before all others. An include pattern is
// the negation of the same exclude pattern and ranks above all of those.
func (r *rules) addExtra(lv *level) {
	add := func(lines []string, source string, include bool) {
		var pats []pattern
		for i, s := range lines {
			p, ok := parsePattern(trimSpaces(s), false)
			if !ok {
				continue
			}
			p.raw, p.line = s, i+1
			p.neg = p.neg != include
			pats = append(pats, p)
			if p.neg && strings.Contains(p.text[:p.lit], "/") {
				r.reach = append(r.reach, p)
			}
		}
		if pats != nil {
			data := []byte(strings.Join(lines, "\n"))
			lv.extra = lv.push(lv.extra, data, LayerOptions, source, len(r.prefix))
			lv.extra.pats = pats
		}
	}
	add(r.opts.Exclude, "exclude", false)
	add(r.opts.Include, "include", true)
}

// verdict is what the rules say about one name.
type verdict struct {
	keep    bool     // list it
	ignored bool     // list it as ignored
	white   bool     // a rule brought it back, which also makes a dot-file visible
	index   bool     // the git index had, or could have had, a say
	below   excluded // how a folder stands for what is in it
	pat     *pattern // the rule that decided, if any
	from    *list
}

// excluded says how a folder that is walked came to be outside the project, if it is.
type excluded uint8

const (
	inProject excluded = iota
	outByGit           // tracked files in it are kept all the same
	outByOther
)

// judge decides about a name in a folder whose level is lv and whose own state is in. full is the full path, at
// the offset of the name in it. It follows ripgrep in how the kinds of rules rank, and git in the rest.
func (r *rules) judge(lv *level, in excluded, full string, at int, isDir bool) verdict {
	out := in
	var v verdict
	if v.pat, v.from = lv.extra.decide(full, at, isDir); v.pat != nil {
		if v.pat.neg {
			v.keep, v.white = true, true
			return v
		}
		out = outByOther
	} else if in != outByOther {
		if v.pat, v.from = lv.rg.decide(full, at, isDir); v.pat == nil {
			v.pat, v.from = lv.ig.decide(full, at, isDir)
		}
		switch {
		case v.pat != nil && !v.pat.neg:
			out = outByOther
		case in == outByGit:
			v.pat, v.from = nil, nil // nothing below an excluded folder comes back
		default:
			if v.pat == nil {
				v.pat, v.from = lv.git.decide(full, at, isDir)
			}
			if v.pat == nil || v.pat.neg {
				v.keep, v.white = true, v.pat != nil
				return v
			}
			out = outByGit
		}
	}
	r.rescue(&v, lv, out, full, isDir)
	return v
}

// rescue decides about a name that the rules take out: it stays if it is tracked, or is a folder on the way to
// something that has to stay, or if the caller wants ignored entries as well.
func (r *rules) rescue(v *verdict, lv *level, out excluded, full string, isDir bool) {
	v.below = out
	if out == outByGit && lv.repo != nil {
		v.index = true
		path, t := full[lv.repo.off:], lv.repo.paths()
		switch {
		case !isDir:
			v.keep = t.file(path)
		case t.link(path):
			v.keep, v.below = true, inProject
		default:
			v.keep = t.under(path)
		}
	}
	if !v.keep && isDir {
		v.keep = r.reaches(full[len(r.prefix):])
	}
	if !v.keep && r.opts.IncludeIgnored {
		v.keep, v.ignored = true, true
	}
}

// reaches reports whether an include pattern may match something below the folder path. Only patterns that begin
// with the name of a folder can, or a search for them would have to enter everything that is excluded.
func (r *rules) reaches(path string) bool {
	dir := path + "/"
	for i := range r.reach {
		lit := r.reach[i].text[:r.reach[i].lit]
		if strings.HasPrefix(lit, dir) {
			return true
		}
		if k := strings.LastIndexByte(lit, '/'); k > 0 && r.reach[i].lit < len(r.reach[i].text) && strings.HasPrefix(dir, lit[:k+1]) {
			return true
		}
	}
	return false
}
