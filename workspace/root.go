package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// configName is the workspace's own configuration file.
const configName = ".codegraph.yaml"

// rootMarks are names that only the root of a project has.
var rootMarks = []string{".git", ".hg", ".jj", configName}

// ErrNoRoot: the root is not there or not a folder.
var ErrNoRoot = errors.New("no such root")

// FindRoot is the root for work in a folder: the nearest folder at or above it with .git,
// .hg, .jj or .codegraph.yaml, or else the folder itself.
func FindRoot(dir string) (string, error) {
	abs, err := realDir(dir)
	if err != nil {
		return "", err
	}
	for d := abs; ; d = filepath.Dir(d) {
		for _, m := range rootMarks {
			if _, err := os.Lstat(filepath.Join(d, m)); err == nil {
				return d, nil
			}
		}
		if d == filepath.Dir(d) {
			return abs, nil
		}
	}
}

// realDir is the absolute path of a folder, without links.
func realDir(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find root %s: %w", dir, err)
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return "", fmt.Errorf("%w: %s: %w; give a folder with -C", ErrNoRoot, dir, bare(err))
	}
	info, err := os.Stat(abs)
	switch {
	case err != nil:
		return "", fmt.Errorf("%w: %s: %w; give a folder with -C", ErrNoRoot, dir, bare(err))
	case !info.IsDir():
		return "", fmt.Errorf("%w: %s is not a folder; give a folder with -C", ErrNoRoot, dir)
	}
	return abs, nil
}

// HomeVariable names the environment variable for the folder of all state.
const HomeVariable = "CODEGRAPH_HOME"

// StateHome is the folder in which the state folders of all roots lie; an empty home means
// the default one.
func StateHome(home string) (string, error) {
	if home == "" {
		home = os.Getenv(HomeVariable)
	}
	if home == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("find state folder: %w; set %s", err, HomeVariable)
		}
		home = filepath.Join(cache, "codegraph")
	}
	home, err := filepath.Abs(home)
	if err != nil {
		return "", fmt.Errorf("find state folder: %w", err)
	}
	return home, nil
}

// StateDir is the state folder of a root below home; an empty home means the default one.
func StateDir(home, root string) (string, error) {
	home, err := StateHome(home)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(root))
	state := filepath.Join(home, readable(filepath.Base(root))+"-"+hex.EncodeToString(sum[:8]))
	if inside(root, realPrefix(state)) {
		return "", fmt.Errorf("state folder %s lies inside the workspace; set %s to a folder outside of it", state, HomeVariable)
	}
	return state, nil
}

// readable is a name cut down to what is harmless in a file name everywhere.
func readable(name string) string {
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, name)
	return name[:min(len(name), 40)]
}

// inside reports whether path is root or below it.
func inside(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// realPrefix is path with the links of that part resolved that is there.
func realPrefix(path string) string {
	rest := ""
	for p := path; ; p = filepath.Dir(p) {
		if r, err := filepath.EvalSymlinks(p); err == nil {
			return filepath.Join(r, rest)
		}
		if p == filepath.Dir(p) {
			return path
		}
		rest = filepath.Join(filepath.Base(p), rest)
	}
}
