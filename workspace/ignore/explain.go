package ignore

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Layer is the kind of source that a rule comes from.
type Layer string

// The layers, strongest first.
const (
	LayerOptions    Layer = "options" // Options.Include and Options.Exclude
	LayerRgignore   Layer = ".rgignore"
	LayerIgnore     Layer = ".ignore"
	LayerGitignore  Layer = ".gitignore"
	LayerGitExclude Layer = "info/exclude"
	LayerGitGlobal  Layer = "core.excludesFile"
)

// git reports whether the layer is one of git's own.
func (l Layer) git() bool { return l == LayerGitignore || l == LayerGitExclude || l == LayerGitGlobal }

// Standing says how a path stands to the project.
type Standing string

// The standings of a path. Only the first two are parts of the project.
const (
	Kept        Standing = "kept"
	KeptTracked Standing = "kept because git tracks it" // a rule would take it out
	Ignored     Standing = "ignored"
	Hidden      Standing = "hidden"          // a name begins with a dot
	Internal    Standing = "version control" // .git, .hg, .jj, .svn
	OtherTree   Standing = "linked work tree"
	BehindLink  Standing = "behind a link"
	NotRegular  Standing = "special file"
)

// Explanation says why a path is, or is not, part of the project.
type Explanation struct {
	Path     string
	Standing Standing
	// At is the path that decided: Path itself, or a folder above it.
	At string
	// Layer, File, Line and Pattern name the rule that decided, if one did. File is relative to the root if it
	// lies below it; for LayerOptions it is "include" or "exclude" and Line counts the patterns from 1.
	Layer   Layer
	File    string
	Line    int
	Pattern string
}

// Part reports whether the path belongs to the project.
func (e *Explanation) Part() bool { return e.Standing == Kept || e.Standing == KeptTracked }

// String is one line for people: the path, its standing and the rule.
func (e *Explanation) String() string {
	s := fmt.Sprintf("%s: %s", e.Path, e.Standing)
	if e.At != e.Path {
		s += " with " + e.At
	}
	if e.Pattern != "" {
		s += fmt.Sprintf(" (%s:%d: %s)", e.File, e.Line, e.Pattern)
	}
	return s
}

// Explain says why the path, relative to root and with slashes, is or is not part of the project. A path that does
// not exist is judged as a file, or as a folder if it ends in a slash. Of opts only the patterns and the layers
// matter. An error means that root or the path could not be looked at.
func Explain(root, name string, opts Options) (Explanation, error) {
	clean := path.Clean("/" + name)[1:]
	e := Explanation{Path: clean, At: clean, Standing: Kept}
	opts.IncludeIgnored = false
	r, err := newRules(root, opts, nil)
	if err != nil {
		return e, fmt.Errorf("explain %s: %w", name, err)
	}
	defer r.close()
	lv, _ := r.enter(r.base(), r.inside(""), r.marksOf(""), false, true)
	var state explaining
	for at := 0; at < len(clean); {
		end := len(clean)
		if k := strings.IndexByte(clean[at:], '/'); k >= 0 {
			end = at + k
		}
		e.At = clean[:end]
		asDir := end < len(clean) || strings.HasSuffix(name, "/")
		if lv, err = r.explainOne(&e, &state, lv, at, asDir); err != nil {
			return e, fmt.Errorf("explain %s: %w", name, err)
		}
		if !e.Part() {
			return e, nil
		}
		at = end + 1
	}
	if state.hidden != "" {
		e.Standing, e.At = Hidden, state.hidden
	}
	return e, nil
}

// explaining is what the folders above a name hand down.
type explaining struct {
	in     excluded
	hidden string // the first hidden path
	// rule is that of the excluded folder which the name lies in.
	rule Explanation
}

// explainOne judges e.At, whose last name begins at the given offset, and returns the level of what is below it.
func (r *rules) explainOne(e *Explanation, state *explaining, lv *level, at int, asDir bool) (*level, error) {
	var ent Entry
	name := e.At[at:]
	switch err := lstat(r.fd, e.At, &ent); {
	case err == nil:
	case reasonFor(err) == Vanished:
		if ent.Type = File; asDir {
			ent.Type = Dir
		}
	default:
		return nil, &fs.PathError{Op: "lstat", Path: e.At, Err: err}
	}
	isDir := ent.Type == Dir
	if name == ".git" || isDir && (name == ".hg" || name == ".jj" || name == ".svn") {
		e.Standing = Internal
		return lv, nil
	}
	v := r.judge(lv, state.in, r.prefix+e.At, len(r.prefix)+at, isDir)
	if v.pat != nil {
		e.Layer, e.File, e.Line, e.Pattern = v.from.layer, v.from.source, v.pat.line, v.pat.raw
	} else {
		e.Layer, e.File, e.Line, e.Pattern = state.rule.Layer, state.rule.File, state.rule.Line, state.rule.Pattern
	}
	e.Standing = Kept
	switch {
	case !v.keep:
		e.Standing = Ignored
	case v.index:
		e.Standing = KeptTracked
	case ent.Type == Other:
		e.Standing = NotRegular
	case ent.Type == Link && e.At != e.Path:
		e.Standing = BehindLink
	}
	if name[0] == '.' && !v.white && state.hidden == "" {
		state.hidden = e.At
	}
	if !isDir || !v.keep {
		return lv, nil
	}
	if state.in = v.below; state.in == inProject {
		state.rule = Explanation{}
	} else {
		state.rule = *e
	}
	lv, linked := r.enter(lv, r.inside(e.At), r.marksOf(e.At), state.in != inProject, false)
	if linked {
		e.Standing = OtherTree
	}
	return lv, nil
}

// marksOf finds which rule files a folder of the tree has.
func (r *rules) marksOf(dir string) marks {
	var m marks
	var e Entry
	for name, bit := range ruleNames {
		if lstat(r.fd, r.inside(dir).join(name), &e) == nil {
			m |= bit
		}
	}
	return m
}
