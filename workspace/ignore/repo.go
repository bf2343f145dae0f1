package ignore

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// A repo is one work tree, as far as it decides what belongs.
type repo struct {
	off    int    // where, in a full path, the path relative to its top begins
	gitDir string // empty if git has no part in it (a pure jj repository)
	fold   bool
	sha256 bool
	index  ident // of the index file; zero if there is none
	// changed says that the index may not be the one which the previous listing was made with.
	changed bool

	once    sync.Once
	tracked *tracked
	err     error
}

// paths reads the index on first use.
func (r *repo) paths() *tracked {
	r.once.Do(func() {
		r.tracked = &tracked{}
		if r.gitDir != "" {
			r.tracked, r.err = readIndex(r.gitDir, r.sha256)
		}
	})
	return r.tracked
}

type repoKind uint8

const (
	noRepo    repoKind = iota
	brokenGit          // a .git that is no repository: it switches .gitignore files on, no more
	ownRepo            // a repository or submodule of its own
	linkedWorkTree
)

// gitPlace says where a folder's repository keeps its files.
type gitPlace struct {
	kind              repoKind
	gitDir, commonDir string
}

// findGit says what the .git or .jj in the folder dir, an absolute path, means.
func findGit(dir string) gitPlace {
	path := dir + "/.git"
	st, err := os.Stat(path)
	switch {
	case err == nil && st.IsDir():
		if isGitDir(path) {
			return gitPlace{ownRepo, path, path}
		}
	case err == nil && st.Mode().IsRegular():
		return readGitLink(dir)
	}
	if st, err := os.Lstat(dir + "/.jj"); err == nil && st.IsDir() {
		return gitPlace{kind: ownRepo}
	}
	if _, err := os.Lstat(path); err == nil {
		return gitPlace{kind: brokenGit}
	}
	return gitPlace{}
}

func isGitDir(path string) bool {
	for _, name := range []string{"/HEAD", "/objects", "/refs"} {
		if _, err := os.Lstat(path + name); err != nil {
			return false
		}
	}
	return true
}

// readGitLink follows a .git file. The git folder of a linked work tree has a file "commondir" that leads to what
// it shares; that of a submodule has none. If the folder is gone, its name has to tell.
func readGitLink(dir string) gitPlace {
	data, err := readFile(atCwd, dir+"/.git", true)
	target, ok := strings.CutPrefix(string(data), "gitdir: ")
	target = strings.TrimRight(target, "\r\n")
	if err != nil || !ok || target == "" {
		return gitPlace{kind: brokenGit}
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(dir, target)
	}
	common, err := readFile(atCwd, target+"/commondir", true)
	if err != nil {
		kind := ownRepo
		if _, err := os.Stat(target); err != nil && filepath.Base(filepath.Dir(target)) == "worktrees" {
			kind = linkedWorkTree
		}
		return gitPlace{kind, target, target}
	}
	shared := string(bytes.TrimRight(common, "\r\n"))
	if !filepath.IsAbs(shared) {
		shared = filepath.Join(target, shared)
	}
	return gitPlace{linkedWorkTree, target, shared}
}
