package ignore

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
)

// rgTrees are trees whose right answer is ripgrep's.
var rgTrees = map[string][]string{
	"hidden files and folders": {".a", "", "b", "", ".c/d", "", "e/.f/g", "", "e/h", ""},
	"a negated pattern shows a dot-file": {
		".git/HEAD", "", ".gitignore", ".*\n!.github/\n!.b\n", ".github/w", "", ".github/.x", "", ".b", "", ".c", ""},
	"a negated pattern in .ignore shows one as well": {".ignore", "!.b\n!.d/\n", ".b", "", ".c", "", ".d/e", "", ".d/.f", ""},
	"no repository, no .gitignore":                   {".gitignore", "a\n", ".ignore", "b\n", "a", "", "b", "", "c", ""},
	"a bare .git switches .gitignore on":             {".git/x", "", ".gitignore", "a\n", "a", "", "b", "", "s/a", ""},
	"a .git file does so too":                        {".git", "gitdir: nowhere\n", ".gitignore", "a\n", "a", "", "b", ""},
	".ignore over .gitignore": {
		".git/HEAD", "", ".gitignore", "*.a\nbuild\n", ".ignore", "!x.a\n!build\n*.b\n", "x.a", "", "y.a", "", "x.b", "", "build/f", "", "build/g.a", ""},
	".rgignore over .ignore, from whatever folder": {
		".rgignore", "!*.a\n*.c\n", ".ignore", "*.a\n!*.c\n", "s/.ignore", "*.a\n!*.c\n", "x.a", "", "x.c", "", "s/x.a", "", "s/x.c", "", "s/y", ""},
	".ignore in a folder": {"s/.ignore", "/a\nb/\n", "s/a", "", "s/b/c", "", "s/d/a", "", "s/d/b", "", "a", ""},
	"a repository within resets .gitignore, not .ignore": {
		".git/HEAD", "", ".git/objects/x", "", ".git/refs/x", "", ".gitignore", "a\n", ".ignore", "b\n",
		"n/.git/HEAD", "", "n/.git/objects/x", "", "n/.git/refs/x", "", "n/.gitignore", "c\n", "n/a", "", "n/b", "", "n/c", "", "a", "", "c", ""},
	"a repository below where there is none": {
		".gitignore", "a\n", "n/.git/HEAD", "", "n/.git/objects/x", "", "n/.git/refs/x", "", "n/.gitignore", "c\n", "n/a", "", "n/c", "", "a", "", "c", ""},
}

func TestLikeRipgrep(t *testing.T) {
	needs(t, "rg")
	for name, files := range rgTrees {
		t.Run(name, func(t *testing.T) {
			e := cleanEnv(t)
			root := makeTree(t, files...)
			sameAsRg(t, e, root)
		})
	}
}

func sameAsRg(t *testing.T, e env, root string) {
	t.Helper()
	l := mustScan(t, root, Options{Env: e.lookup}, nil)
	wantPaths(t, l.paths(partFiles), rgFiles(t, e, root))
}

// TestAboveTheRoot starts in a folder whose parents have rules. Git reads them so; ripgrep misses info/exclude
// and patterns that are anchored above.
func TestAboveTheRoot(t *testing.T) {
	e := cleanEnv(t)
	root := makeTree(t,
		".git/HEAD", "", ".git/objects/x", "", ".git/refs/x", "", ".git/info/exclude", "/p/q/excluded\n",
		".gitignore", "*.log\n/p/q/named\n/x\nq/r/s\n", ".ignore", "*.ign\n", "p/.gitignore", "!keep.log\nq/t\n/u\n", "p/.rgignore", "v\n",
		"p/q/a.log", "", "p/q/keep.log", "", "p/q/named", "", "p/q/x", "", "p/q/r/s", "", "p/q/t", "", "p/q/u", "", "p/q/v", "",
		"p/q/w.ign", "", "p/q/excluded", "", "p/q/plain", "")
	sub := filepath.Join(root, "p/q")
	l := mustScan(t, sub, Options{Env: e.lookup}, nil)
	wantPaths(t, l.paths(partFiles), []string{"keep.log", "plain", "r/s", "u", "x"})
	x, err := Explain(sub, "named", Options{Env: e.lookup})
	if err != nil || x.Standing != Ignored || x.Line != 2 || filepath.Base(x.File) != ".gitignore" {
		t.Errorf("explain: %s, %v", &x, err)
	}
}

func TestLayersSwitch(t *testing.T) {
	needs(t, "rg")
	e := cleanEnv(t)
	root := makeTree(t, ".git/HEAD", "", ".gitignore", "a\n", ".ignore", "b\n", ".rgignore", "c\n", "a", "", "b", "", "c", "", "d", "")
	bare := makeTree(t, ".gitignore", "a\n", "a", "", "b", "")
	for _, c := range []struct {
		root string
		opts Options
		args []string
	}{
		{root, Options{NoGit: true}, []string{"--no-ignore-vcs"}},
		{root, Options{NoGit: true, NoDotIgnore: true}, []string{"--no-ignore"}},
		{bare, Options{}, nil},
		{bare, Options{NoRequireGit: true}, []string{"--no-require-git"}},
	} {
		c.opts.Env = e.lookup
		wantPaths(t, mustScan(t, c.root, c.opts, nil).paths(partFiles), rgFiles(t, e, c.root, c.args...))
	}
}

func TestHiddenLikeRipgrep(t *testing.T) {
	needs(t, "rg")
	e := cleanEnv(t)
	root := makeTree(t, ".git/HEAD", "", ".gitignore", "a\n.x\n", ".d/a", "", ".d/b", "", ".d/.e/f", "", ".x/y", "", "g", "")
	got := mustScan(t, root, Options{Hidden: true, Env: e.lookup}, nil).paths(func(x *Entry) bool { return x.Type == File })
	wantPaths(t, got, rgFiles(t, e, root, "--hidden", "-g", "!/.git"))
}

// TestLikeRipgrepAtRandom compares random rules in all three kinds of files. The patterns are those on which ripgrep
// and git agree.
func TestLikeRipgrepAtRandom(t *testing.T) {
	needs(t, "rg")
	rounds := 60
	if testing.Short() {
		rounds = 10
	}
	names := []string{"a", "b", "c", "ab", "a.o", "b.o", ".h", "foo", ".d"}
	pats := []string{"a", "b", "*.o", "/a", "a/", "/b/", ".h", ".*", "foo", "/foo/a", "a*", "b/c", "**/c", "c/**", "?", "[ab]", "a/**/b"}
	e := cleanEnv(t)
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 9))
		var tree func(dir string, depth int, out []string) []string
		tree = func(dir string, depth int, out []string) []string {
			for _, k := range r.Perm(len(names))[:3+r.IntN(4)] {
				if depth > 0 && r.IntN(2) == 0 {
					out = tree(dir+names[k]+"/", depth-1, out)
				} else {
					out = append(out, dir+names[k], "")
				}
			}
			for _, f := range []string{".gitignore", ".ignore", ".rgignore"} {
				if r.IntN(4) != 0 {
					continue
				}
				text := ""
				for range 1 + r.IntN(3) {
					text += strings.Repeat("!", r.IntN(2)) + pats[r.IntN(len(pats))] + "\n"
				}
				out = append(out, dir+f, text)
			}
			return out
		}
		files := tree("", 3, nil)
		if seed%3 > 0 {
			files = append(files, ".git/HEAD", "", ".git/objects/", "", ".git/refs/", "")
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) { sameAsRg(t, e, makeTree(t, files...)) })
	}
}
