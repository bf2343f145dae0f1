package edittools

import (
	"path"
	"strings"
)

// respelling is the question how an import is written after a move.
type respelling struct {
	module       string // as written
	from, fromTo string // the importing file, before and after
	file, fileTo string // the file that the module is, before and after
	dotted       bool   // modules inside modules are told by dots
	folder       bool   // all of the file's folder moves
}

// respell proposes how the module is written after the move, in the manner in which it was
// written before; "" if that cannot be told. Whether the proposal means the file is proven
// by linking it.
func (r respelling) respell() string {
	rel := strings.HasPrefix(r.module, ".")
	switch {
	case rel && r.dotted:
		return r.relativeDots()
	case rel:
		return r.relativePath()
	case r.dotted || !strings.Contains(r.module, "/") && !strings.HasSuffix(r.file, r.module):
		return r.absolute(".")
	}
	if s := r.include(); s != "" {
		return s
	}
	return r.absolute("/")
}

// relativePath respells "./a", "../d", "./a.js".
func (r respelling) relativePath() string {
	spelled := path.Join(path.Dir(r.from), r.module)
	return dotSlash(relative(path.Dir(r.fromTo), likeSpelled(spelled, r.file, r.fileTo)))
}

// likeSpelled is the new path of a file, cut or extended as its old path was spelled.
func likeSpelled(spelled, file, fileTo string) string {
	stem, stemTo := withoutExt(file), withoutExt(fileTo)
	base, baseTo := path.Base(stem), path.Base(stemTo)
	switch {
	case spelled == file:
		return fileTo
	case spelled == stem:
		return stemTo
	case spelled == path.Dir(file) && base == baseTo:
		return path.Dir(fileTo)
	case withoutExt(spelled) == stem:
		return stemTo + path.Ext(spelled)
	case strings.HasPrefix(file, spelled+"."): // several extensions
		if cut := strings.TrimPrefix(file, spelled); strings.HasSuffix(fileTo, cut) {
			return strings.TrimSuffix(fileTo, cut)
		}
	}
	return stemTo
}

func withoutExt(p string) string { return strings.TrimSuffix(p, path.Ext(p)) }

// relative is the path of p seen from a folder.
func relative(dir, p string) string {
	a, b := segments(dir), segments(p)
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	up := strings.Repeat("../", len(a)-n)
	return strings.TrimSuffix(up+strings.Join(b[n:], "/"), "/")
}

func dotSlash(p string) string {
	switch {
	case p == "":
		return "."
	case strings.HasPrefix(p, ".."):
		return p
	}
	return "./" + p
}

func segments(p string) []string {
	if p == "." || p == "" {
		return nil
	}
	return strings.Split(p, "/")
}

// include respells the path of a file as it is: beside the importing file, or below a folder
// in which files are looked for.
func (r respelling) include() string {
	if path.Join(path.Dir(r.from), r.module) == r.file {
		return relative(path.Dir(r.fromTo), r.fileTo)
	}
	root, ok := strings.CutSuffix(r.file, r.module)
	if !ok || root != "" && !strings.HasSuffix(root, "/") {
		return ""
	}
	if rest, ok := strings.CutPrefix(r.fileTo, root); ok {
		return rest
	}
	return relative(path.Dir(r.fromTo), r.fileTo)
}

// modulePath is the segments by which a file is imported: its path without the extension,
// or its folder's for a file that stands for the folder.
func modulePath(file string, dotted bool) []string {
	s := segments(withoutExt(file))
	if n := len(s); dotted && n > 0 && strings.HasPrefix(s[n-1], "__") {
		return s[:n-1]
	}
	return s
}

// absolute respells a module by the segments of its path, of which there may be more or
// fewer than the module's name has.
func (r respelling) absolute(sep string) string {
	names := strings.Split(r.module, sep)
	for _, whole := range []bool{false, true} {
		old, now := modulePath(r.file, r.dotted), modulePath(r.fileTo, r.dotted)
		if whole {
			if !r.folder {
				continue
			}
			old, now = segments(path.Dir(r.file)), segments(path.Dir(r.fileTo))
		}
		if s := respellTail(names, old, now, sep); s != "" {
			return s
		}
	}
	return ""
}

// respellTail replaces the run of names that the old path ends with.
func respellTail(names, old, now []string, sep string) string {
	for head := range names { // the longest run first
		for end := len(names); end > head; end-- {
			n := end - head
			if n > len(old) || !equalSegments(names[head:end], old[len(old)-n:]) {
				continue
			}
			root := old[:len(old)-n]
			if len(now) < len(root) || !equalSegments(root, now[:len(root)]) {
				continue
			}
			out := append(append([]string{}, names[:head]...), now[len(root):]...)
			return strings.Join(append(out, names[end:]...), sep)
		}
	}
	return ""
}

func equalSegments(a, b []string) bool { return strings.Join(a, "/") == strings.Join(b, "/") }

// relativeDots respells ".mod" and "..pkg.mod".
func (r respelling) relativeDots() string {
	dir := segments(path.Dir(r.fromTo))
	now := modulePath(r.fileTo, true)
	n := 0
	for n < len(dir) && n < len(now) && dir[n] == now[n] {
		n++
	}
	return strings.Repeat(".", len(dir)-n+1) + strings.Join(now[n:], ".")
}
