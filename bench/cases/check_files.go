package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// checkFile wants the bytes of one file after the call.
func checkFile(c *checker, v any) {
	want := record(v, "path")
	if k := want.stranger("path", "content_escaped", "content", "sha256", "size", "mode", "note"); k != "" {
		c.failf("the runner does not know field file.%s", k)
	}
	path := text(want["path"])
	data, err := os.ReadFile(filepath.Join(c.s.root, path))
	if err != nil {
		c.failf("expected file %s, it cannot be read", path)
		return
	}
	if s, given := want["content_escaped"]; given && unescape(text(s)) != string(data) {
		c.failf("expected %s to hold %q, came %q", path, clip(unescape(text(s)), 200), clip(string(data), 200))
	}
	if s, given := want["content"]; given && text(s) != string(data) {
		c.failf("expected %s to hold %q, came %q", path, clip(text(s), 200), clip(string(data), 200))
	}
	if s, given := want["sha256"]; given && text(s) != sum(data) {
		c.failf("expected %s to have SHA-256 %.12s, came %.12s", path, text(s), sum(data))
	}
	if n, given := number(want["size"]); given && n != len(data) {
		c.failf("expected %s to have %d bytes, came %d", path, n, len(data))
	}
	if want["mode"] != nil {
		c.wantMode(path, want["mode"])
	}
}

// touched is the paths, from the copy's folder on, that the expectation is about.
func (c *checker) touched() []string {
	var out []string
	add := func(p string) {
		if rel, err := filepath.Rel(c.s.copy, filepath.Join(c.s.root, p)); err == nil {
			out = append(out, filepath.ToSlash(rel))
		}
	}
	for _, f := range list(c.expect["file"]) {
		add(text(record(f, "path")["path"]))
	}
	for _, p := range append(texts(c.expect["present"]), texts(c.expect["absent"])...) {
		add(p)
	}
	return out
}

func checkAllUnchanged(c *checker, v any) {
	if !truth(v) || c.a.before == nil {
		return
	}
	for _, d := range c.a.before.changes(c.a.after) {
		c.failf("expected no file to change, but %s", d)
	}
}

func checkOthersUnchanged(c *checker, v any) {
	if !truth(v) || c.a.before == nil {
		return
	}
	for _, d := range c.a.before.changes(c.a.after, c.touched()...) {
		c.failf("expected no other file to change, but %s", d)
	}
}

func checkPresent(c *checker, v any) {
	for _, p := range texts(v) {
		if _, err := os.Lstat(filepath.Join(c.s.root, p)); err != nil {
			c.failf("expected %s to be there, it is not", p)
		}
	}
}

func checkAbsent(c *checker, v any) {
	for _, p := range texts(v) {
		if _, err := os.Lstat(filepath.Join(c.s.root, p)); err == nil {
			c.failf("expected %s to be gone, it is there", p)
		}
	}
}

func checkMode(c *checker, v any) {
	path := text(record(c.expect["file"], "path")["path"])
	if path == "" {
		path = text(c.q.Args["path"]) + text(c.q.Args["to"])
	}
	c.wantMode(path, v)
}

func (c *checker) wantMode(path string, v any) {
	want, err := strconv.ParseUint(strings.TrimPrefix(text(v), "0o"), 8, 32)
	st, statErr := os.Stat(filepath.Join(c.s.root, path))
	switch {
	case err != nil:
		c.failf("the runner cannot read mode %v", v)
	case statErr != nil:
		c.failf("expected %s with mode %s, it is not there", path, text(v))
	case st.Mode().Perm() != fs.FileMode(want).Perm():
		c.failf("expected mode %04o of %s, came %04o", want, path, st.Mode().Perm())
	}
}

// checkReplaced compares the number of replaced places where the tool tells it.
func checkReplaced(c *checker, v any) {
	want, _ := number(v)
	for _, got := range []*int{c.a.doc.Replaced, c.a.doc.Replacements} {
		if got != nil && *got != want {
			c.failf("expected %d places replaced, came %d", want, *got)
		}
	}
}

// checkNoLeftovers wants no file that was not there before the call.
func checkNoLeftovers(c *checker, v any) {
	if !truth(v) || c.a.before == nil {
		return
	}
	for _, d := range c.a.before.changes(c.a.after, c.touched()...) {
		if strings.HasSuffix(d, " is new") {
			c.failf("expected no leftovers, but %s", d)
		}
	}
}

// checkNoFilesLike wants no file of these names in the workspace or the state folder.
func checkNoFilesLike(c *checker, v any) {
	for _, dir := range []string{c.s.copy, c.s.state} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			for _, glob := range texts(v) {
				if ok, _ := filepath.Match(glob, d.Name()); ok {
					c.failf("expected no file like %s, came %s", glob, d.Name())
				}
			}
			return nil
		})
		if err != nil {
			c.failf("look for files: %v", err)
		}
	}
}

// checkFresh compares the canonical dump of the graph with that of a new index.
func checkFresh(c *checker, v any) {
	if !truth(v) {
		return
	}
	old := c.s.invoke(call{verb: "export", flags: []string{"--format=dump"}, text: true})
	f, err := c.s.fresh()
	if err != nil {
		c.failf("%v", err)
		return
	}
	defer stopState(f.state)
	if r := f.invoke(call{verb: "index", text: true}); r.Fault != "" {
		c.failf("index anew: %s", r.Fault)
		return
	}
	now := f.invoke(call{verb: "export", flags: []string{"--format=dump"}, text: true})
	switch {
	case old.Fault != "" || now.Fault != "":
		c.failf("dump the graph: %s%s", old.Fault, now.Fault)
	case len(now.Stdout) == 0:
		c.failf("dump the graph: the dump is empty")
	case string(old.Stdout) != string(now.Stdout):
		c.failf("expected the same as a fresh index, came %s", firstDifference(string(old.Stdout), string(now.Stdout)))
	}
}

func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := 0; i < len(x) && i < len(y); i++ {
		if x[i] != y[i] {
			return fmt.Sprintf("line %d %q instead of %q", i+1, clip(x[i], 150), clip(y[i], 150))
		}
	}
	return fmt.Sprintf("%d lines instead of %d", len(x), len(y))
}

func checkMaxSeconds(c *checker, v any) {
	if got := c.a.took.Seconds(); got > seconds(v) {
		c.failf("expected at most %s s, it took %.1f s", text(v), got)
	}
}
