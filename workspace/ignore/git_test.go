package ignore

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// gitTrees are trees whose right answer is git's. A file "+" lists paths to add to the index by force.
var gitTrees = map[string][]string{
	"an excluded folder lets nothing back": {
		".gitignore", "*\n!*.h\n", "a.h", "", "a.py", "", "sub/b.h", "", "sub/b.py", ""},
	"folders brought back by name": {
		".gitignore", "*\n!*/\n!*.h\n", "a.h", "", "a.py", "", "sub/b.h", "", "sub/b.py", ""},
	"a nested file speaks of its own folder": {
		"sub/.gitignore", "/local.py\n**/tmp.py\n/**/gen.py\nscratch.py\n",
		"local.py", "", "tmp.py", "", "gen.py", "", "scratch.py", "",
		"sub/local.py", "", "sub/tmp.py", "", "sub/gen.py", "", "sub/scratch.py", "",
		"sub/deep/local.py", "", "sub/deep/tmp.py", "", "sub/deep/gen.py", "", "sub/deep/scratch.py", ""},
	"the nearest file wins": {
		".gitignore", "*.log\n", "a.log", "", "x/.gitignore", "!*.log\n", "x/a.log", "", "x/y/.gitignore", "a*\n", "x/y/a.log", "", "x/y/b.log", ""},
	"trailing slash, links and folders": {
		".gitignore", "build/\nout\n", "build/a", "", "x/build", "file", "out", "-> build", "y/out/f", "", "z/build", "-> ../y"},
	"spaces at the end": {
		".gitignore", "a \nb\\ \nc\\  \nd\\\\ \ne\t\nf \\ \n", "a", "", "a ", "", "b", "", "b ", "", "c ", "", "c  ", "", "d\\", "", "d\\ ", "", "e", "", "e\t", "", "f  ", "", "f ", ""},
	"byte order mark and CR LF": {
		".gitignore", "\xef\xbb\xbfa\r\nb\r\r\n\r\n#c\r\n\\#d\r\n!x\r\n*.o\r", "a", "", "b", "", "b\r", "", "#c", "", "#d", "", "x.o", "", "x.o\r", ""},
	"a mark that is not at the start": {".gitignore", "a\n\xef\xbb\xbfb\n", "a", "", "b", ""},
	"classes": {
		".gitignore", "[a-c]1\n[!a-c]2\n[^a]3\n[]x]4\n[[:digit:]]5\n[![:alpha:]]6\n[a-]7\n[\\]]8\n[[:nope:]]9\n[[:upper:][:punct:]]0\n[b-a]1\n[x\n",
		"a1", "", "d1", "", "a2", "", "d2", "", "a3", "", "b3", "", "]4", "", "x4", "", "y4", "", "15", "", "a5", "", "a6", "", "16", "",
		"-7", "", "a7", "", "b7", "", "]8", "", "\\8", "", "n9", "", ":9", "", "A0", "", "a0", "", "!0", "", "b1", "", "[x", ""},
	"stars": {
		".gitignore", "a/*/z\nb/**/z\nc/**\n/**/d\ne**/z\nf/**x\n*g*h*\n?i\n**/j/k\nl/**/\n***/m\n",
		"a/z", "", "a/1/z", "", "a/1/2/z", "", "b/z", "", "b/1/z", "", "b/1/2/z", "", "c/1", "", "c/2/3", "", "d", "", "q/d/x", "",
		"e/z", "", "e1/z", "", "e1/2/z", "", "f/ax", "", "f/a/x", "", "xgxhx", "", "gh", "", "hg", "", "1i", "", "i", "", "\xc3\xa9i", "",
		"j/k", "", "1/j/k", "", "j/1/k", "", "l/1", "", "l/2/3", "", "m", "", "n/m", ""},
	"escapes": {".gitignore", "\\!a\n\\a\nb\\*\nc\\\n\\\\d\n", "!a", "", "a", "", "b*", "", "bb", "", "c", "", "c\\", "", "\\d", ""},
	"odd names": {
		".gitignore", "x*\n", "übung/b.py", "", "資料/檔案.py", "", "say \"hi\".py", "", "tab\there", "", "back\\slash", "", " lead", "",
		"a  b /c d", "", "-rf", "", "new\nline", "", "bad\xff\xfeutf", "", "x\xff", "", "x\ny", ""},
	"tracked in spite of the rules": {
		".gitignore", "*.log\n/gen/\n/deep\n", "a.log", "", "b.log", "", "gen/a", "", "gen/b", "", "deep/x/y/z", "", "deep/x/w", "", "deep/.gitignore", "!*\n",
		"+", "a.log gen/a deep/x/y/z"},
	"the ignore file ignores itself":  {".gitignore", "*\n!/a\n", "a", "", "b", ""},
	"an ignore file that is a link":   {".gitignore", "-> rules", "rules", "a\n", "a", ""},
	"an ignore file that is a folder": {".gitignore/a", "", "a", ""},
	"info/exclude ranks below":        {".git/info/exclude", "a\nb\n/c/d\n", ".gitignore", "!a\n", "a", "", "b", "", "c/d", "", "c/b", "", "e/c/d", ""},
	"case is folded on demand":        {".git/config", "[core]\nrepositoryformatversion = 0\nignorecase = true\n", ".gitignore", "ABC\n*.Log\n/x/Y*\n[A-C]1\n[[:upper:]]2\n\\D\n", "abc", "", "x.LOG", "", "X/yz", "", "a1", "", "A1", "", "a2", "", "d", "", "D", ""},
}

func TestLikeGit(t *testing.T) {
	needs(t, "git")
	for name, files := range gitTrees {
		t.Run(name, func(t *testing.T) {
			e := cleanEnv(t)
			root := t.TempDir()
			e.run(t, root, "git", "init", "-q", ".")
			var add []string
			if n := len(files); files[n-2] == "+" {
				add, files = strings.Fields(files[n-1]), files[:n-2]
			}
			grow(t, root, files...)
			if add != nil {
				e.run(t, root, "git", append([]string{"add", "-f"}, add...)...)
			}
			sameAsGit(t, e, root)
		})
	}
}

func sameAsGit(t *testing.T, e env, root string) *Listing {
	t.Helper()
	l := mustScan(t, root, Options{Hidden: true, NoDotIgnore: true, Env: e.lookup}, nil)
	wantPaths(t, l.paths(leaves), gitFiles(t, e, root))
	return l
}

func TestIndexForms(t *testing.T) {
	needs(t, "git")
	forms := map[string][][]string{
		"version 2":      {},
		"version 3":      {{"add", "-N", "-f", "new.log"}},
		"version 4":      {{"update-index", "--index-version", "4"}},
		"split":          {{"update-index", "--split-index"}, {"rm", "-q", "--cached", "a1.log"}, {"add", "-f", "new.log"}, {"update-index", "--chmod=+x", "b2.log"}},
		"SHA-256":        {},
		"untracked kept": {{"update-index", "--untracked-cache"}},
	}
	for name, steps := range forms {
		t.Run(name, func(t *testing.T) {
			e := cleanEnv(t)
			root := makeTree(t, ".gitignore", "*.log\n/d\n", "new.log", "", "other.log", "", "d/untracked", "")
			if name == "SHA-256" {
				e.run(t, root, "git", "init", "-q", "--object-format=sha256", ".")
			} else {
				e.run(t, root, "git", "init", "-q", ".")
			}
			for i := range 40 {
				for _, f := range []string{"a%d.log", "b%d.log", "d/e/f%d"} {
					p := fmt.Sprintf(f, i)
					grow(t, root, p, p)
				}
			}
			e.run(t, root, "git", "add", "-f", "a1.log", "a2.log", "a3.log", "b2.log", "d/e", ".gitignore")
			for _, s := range steps {
				e.run(t, root, "git", s...)
			}
			sameAsGit(t, e, root)
		})
	}
}

func TestUserExcludes(t *testing.T) {
	needs(t, "git")
	rules := "a\n*.tmp\n/sub/only\n"
	cases := map[string]func(e env, home, root string) []string{
		"XDG default in HOME": func(e env, home, root string) []string {
			return []string{home + "/.config/git/ignore", rules}
		},
		"XDG_CONFIG_HOME": func(e env, home, root string) []string {
			e["XDG_CONFIG_HOME"] = home + "/xdg"
			return []string{home + "/xdg/git/ignore", rules, home + "/.config/git/ignore", "*\n"}
		},
		"~/.gitconfig": func(e env, home, root string) []string {
			return []string{home + "/.gitconfig", "[user]\n\tname = \"a # b\" ; c\n[Core]\n\tExcludesFile = ~/my\\\n rules # all\n", home + "/my rules", rules}
		},
		"GIT_CONFIG_GLOBAL": func(e env, home, root string) []string {
			e["GIT_CONFIG_GLOBAL"] = home + "/other"
			return []string{home + "/other", "[core] excludesfile=\"~/r\"\n", home + "/r", rules, home + "/.gitconfig", "[core]\nexcludesfile=/nowhere\n"}
		},
		"GIT_CONFIG_SYSTEM": func(e env, home, root string) []string {
			delete(e, "GIT_CONFIG_NOSYSTEM")
			e["GIT_CONFIG_SYSTEM"] = home + "/system"
			return []string{home + "/system", "[core]\nexcludesfile = ~/r\n", home + "/r", rules}
		},
		"include and includeIf": func(e env, home, root string) []string {
			return []string{home + "/.gitconfig", "[include]\npath = more\n", home + "/more", "[includeIf \"gitdir:" + root + "/\"]\npath=~/yes\n[includeIf \"gitdir:/nowhere/\"]\npath=no\n",
				home + "/yes", "[core]\nexcludesfile=~/r\n", home + "/no", "[core]\nexcludesfile=~/s\n", home + "/r", rules, home + "/s", "*\n"}
		},
		"the repository's own": func(e env, home, root string) []string {
			return []string{root + "/.git/config", "[core]\n\trepositoryformatversion = 0\n\texcludesFile = " + home + "/r\n", home + "/r", rules, home + "/.gitconfig", "[core]\nexcludesfile=~/s\n", home + "/s", "*\n"}
		},
		"environment": func(e env, home, root string) []string {
			e["GIT_CONFIG_COUNT"], e["GIT_CONFIG_KEY_0"], e["GIT_CONFIG_VALUE_0"] = "1", "core.excludesFile", home+"/r"
			return []string{home + "/r", rules}
		},
		"set to nothing": func(e env, home, root string) []string {
			return []string{home + "/.gitconfig", "[core]\nexcludesfile =\n", home + "/.config/git/ignore", "*\n"}
		},
	}
	for name, prepare := range cases {
		t.Run(name, func(t *testing.T) {
			e := cleanEnv(t)
			root := makeTree(t, "a", "", "b", "", "sub/a", "", "sub/only", "", "x.tmp", "", ".gitignore", "!keep.tmp\n", "keep.tmp", "")
			root, _ = filepath.EvalSymlinks(root)
			e.run(t, root, "git", "init", "-q", ".")
			grow(t, "/", prepare(e, e["HOME"], root)...)
			sameAsGit(t, e, root)
		})
	}
}

// randomNames and randomParts make it likely that patterns and names meet.
var (
	randomNames = []string{"a", "b", "c", "ab", "abc", "a.o", "b.o", "foo", "foo.o", "Foo", "a b", "a ", "[a]", ".h", "a\\", "x-y", "*", "\xff"}
	randomParts = []string{"a", "b", "c", "o", "foo", ".", "*", "*", "**", "?", "/", "/", "[a-c]", "[!a]", "[[:alpha:]]", "[^/]", "\\", "\\*", " ", "\\ ", "ab", "[", "]", "[]-a]", "-", ".o", "*.o", "**/", "/**", "\xff", "F"}
)

func randomPattern(r *rand.Rand) string {
	var b strings.Builder
	if r.IntN(5) == 0 {
		b.WriteByte('!')
	}
	if r.IntN(3) == 0 {
		b.WriteByte('/')
	}
	for range 1 + r.IntN(5) {
		b.WriteString(randomParts[r.IntN(len(randomParts))])
	}
	if r.IntN(4) == 0 {
		b.WriteByte('/')
	}
	return b.String()
}

func randomRules(r *rand.Rand, eol string) string {
	var b strings.Builder
	for range 1 + r.IntN(6) {
		b.WriteString(randomPattern(r) + eol)
	}
	return b.String()
}

func randomFiles(r *rand.Rand, dir string, depth int, out []string) []string {
	perm := r.Perm(len(randomNames))
	for _, k := range perm[:2+r.IntN(5)] {
		p := dir + randomNames[k]
		if depth > 0 && r.IntN(2) == 0 {
			out = randomFiles(r, p+"/", depth-1, out)
		} else {
			out = append(out, p, "")
		}
	}
	if r.IntN(3) == 0 || dir == "" {
		eol := "\n"
		if r.IntN(6) == 0 {
			eol = "\r\n"
		}
		out = append(out, dir+".gitignore", randomRules(r, eol))
	}
	return out
}

// TestLikeGitAtRandom compares random trees under random rules, partly tracked, with git. Each round also scans
// again with the first listing after the rules and the index changed.
func TestLikeGitAtRandom(t *testing.T) {
	needs(t, "git")
	rounds := 120
	if testing.Short() {
		rounds = 20
	}
	e := cleanEnv(t)
	for seed := range rounds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(seed), 7))
			files := randomFiles(r, "", 3, nil)
			root := makeTree(t, files...)
			e.run(t, root, "git", "init", "-q", ".")
			track := seed%5 != 0
			if !track {
				// Nothing is tracked here: git takes Foo and foo for one path, and the disk does not.
				e.run(t, root, "git", "config", "core.ignorecase", "true")
			}
			grow(t, root, ".git/info/exclude", randomRules(r, "\n"))
			addSome(t, e, r, root, files, track)
			l := sameAsGit(t, e, root)
			if t.Failed() {
				return
			}
			addSome(t, e, r, root, files, track)
			grow(t, root, ".gitignore", randomRules(r, "\n"))
			again := mustScan(t, root, Options{Hidden: true, NoDotIgnore: true, Env: e.lookup}, later(l))
			wantPaths(t, again.paths(leaves), gitFiles(t, e, root))
			if seed%8 == 1 {
				checkExplain(t, root, e, again)
			}
		})
	}
}

func addSome(t *testing.T, e env, r *rand.Rand, root string, files []string, track bool) {
	t.Helper()
	if !track {
		return
	}
	args := []string{"--literal-pathspecs", "add", "-f", "--"}
	for i := 0; i < len(files); i += 2 {
		if r.IntN(8) == 0 {
			args = append(args, files[i])
		}
	}
	if len(args) > 4 {
		e.run(t, root, "git", args...)
	}
}

// checkExplain holds Explain against the listing for each path on disk.
func checkExplain(t *testing.T, root string, e env, l *Listing) {
	t.Helper()
	err := filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err != nil || p == root {
			return err
		}
		rel := p[len(root)+1:]
		if rel == ".git" {
			return filepath.SkipDir
		}
		x, err := Explain(root, rel, Options{NoDotIgnore: true, Env: e.lookup})
		if err != nil {
			return err
		}
		ent, listed := l.Lookup(rel)
		if x.Part() != (listed && ent.Part()) {
			t.Errorf("%s, but listed %v %+v", &x, listed, ent)
		}
		if !d.IsDir() && x.Standing == Ignored && (x.Pattern == "" || x.Line == 0) {
			t.Errorf("%s names no rule", &x)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func FuzzIndex(f *testing.F) {
	for _, version := range []byte{2, 3, 4} {
		b := append([]byte("DIRC\x00\x00\x00"), version, 0, 0, 0, 1)
		b = append(b, make([]byte, 60)...)
		b = append(b, 0, 1, 'a', 0, 0, 0, 0, 0, 0, 0, 0, 0)
		b = append(b, "link\x00\x00\x00\x2c01234567890123456789\x00\x00\x00\x08\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x00"...)
		f.Add(append(b, make([]byte, 20)...))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		own, err := parseIndex(data, 20)
		if err != nil {
			return
		}
		set := tracked{links: make(map[string]bool)}
		set.add(own.recs, own.deleted)
		for _, r := range own.recs {
			set.file(r.path)
		}
	})
}

func FuzzConfig(f *testing.F) {
	f.Add("[core]\n\texcludesFile = \"~/a b\" ; c\n[includeIf \"gitdir:~/x/\"]\npath = y\\\n z\n")
	f.Fuzz(func(t *testing.T, text string) {
		parseConfig(text, func(key, value string) {
			if key == "" || strings.ContainsAny(value, "\x00") && !strings.Contains(text, "\x00") {
				t.Errorf("%q = %q", key, value)
			}
		})
	})
}
