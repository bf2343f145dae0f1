package lang

import (
	"go/build/constraint"
	"path"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// goVariant ranks files that only some systems build, as their names say, behind those that
// Linux on x86 builds.
func goVariant(p string) uint8 {
	parts := strings.Split(strings.TrimSuffix(strings.TrimSuffix(path.Base(p), ".go"), "_test"), "_")
	for _, w := range parts[1:] {
		if goSystems[w] {
			return 1
		}
	}
	return 0
}

// goConstraint tells whether the file's build constraints, which stand before its package
// clause, let Linux on x86 build it.
func goConstraint(head string) uint8 {
	ok := func(tag string) bool {
		switch tag {
		case "linux", "amd64", "unix", "gc", "cgo":
			return true
		}
		return strings.HasPrefix(tag, "go1.")
	}
	for line := range strings.Lines(head) {
		line = strings.TrimSpace(line)
		if !constraint.IsGoBuild(line) && !constraint.IsPlusBuild(line) {
			continue
		}
		if x, err := constraint.Parse(line); err == nil && !x.Eval(ok) {
			return 1
		}
	}
	return 0
}

var goSystems = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields("aix android darwin dragonfly freebsd illumos ios js netbsd openbsd plan9 solaris wasip1 windows zos " +
		"386 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x sparc64 wasm") {
		m[w] = true
	}
	return m
}()

// goModules: an import path leads through a vendor folder, a module of the workspace, or a
// replace directive to a folder; its package is the one that is no test.
func goModules(q ModuleQuery) []Candidate {
	dir := path.Dir(q.From)
	for d := dir; ; d = path.Dir(d) {
		if v := path.Join(d, "vendor", q.Module); q.Folder(v) {
			return []Candidate{{Dir: v}}
		}
		if d == "." || d == "/" {
			break
		}
	}
	scope := graph.Scope("config", "go.mod")
	for p, rest := q.Module, ""; ; {
		for _, h := range q.Config(scope, p) {
			if t := path.Join(h.Value, rest); q.Folder(t) {
				return []Candidate{{Dir: t}}
			}
		}
		i := strings.LastIndexByte(p, '/')
		if i < 0 {
			break
		}
		p, rest = p[:i], path.Join(p[i+1:], rest)
	}
	for _, h := range q.Config(scope, "std") {
		if t := path.Join(h.Value, q.Module); q.Folder(t) {
			return []Candidate{{Dir: t}}
		}
		if t := path.Join(h.Value, "vendor", q.Module); q.Folder(t) {
			return []Candidate{{Dir: t}}
		}
	}
	return nil
}

// goMod makes facts of a go.mod: a symbol for the module, whose value is the folder, and one
// for each module that is replaced by a folder.
func goMod(p string, src []byte) *graph.Facts {
	c := newConfig("go", p)
	replace := false
	off := uint32(0)
	for _, line := range strings.SplitAfter(string(src), "\n") {
		text, _, _ := strings.Cut(line, "//")
		words := strings.Fields(text)
		switch {
		case len(words) > 1 && words[0] == "module":
			c.add(graph.Module, strings.Trim(words[1], `"`), path.Dir(p), off+uint32(strings.Index(line, words[1])), len(words[1]))
		case len(words) > 1 && words[0] == "replace" && words[1] == "(":
			replace = true
		case len(words) > 0 && words[0] == ")":
			replace = false
		case len(words) > 3 && words[0] == "replace":
			goReplace(c, p, words[1:], off+uint32(strings.Index(line, words[1])))
		case replace && len(words) > 2:
			goReplace(c, p, words, off+uint32(strings.Index(line, words[0])))
		}
		off += uint32(len(line))
	}
	return c.f
}

func goReplace(c *config, p string, words []string, off uint32) {
	for i, w := range words {
		if w == "=>" && i+1 < len(words) && strings.HasPrefix(words[i+1], ".") {
			c.add(graph.Namespace, words[0], path.Join(path.Dir(p), words[i+1]), off, len(words[0]))
		}
	}
}
