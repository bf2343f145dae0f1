package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
)

// file is what a snapshot keeps of one path: data for files, the target for links.
type file struct {
	mode fs.FileMode
	data []byte
	node uint64 // inode, to know hard links by
}

func (f file) same(g file) bool { return f.mode == g.mode && bytes.Equal(f.data, g.data) }

// snapshot is all files, links and folders below a folder, but for the inside of .git.
type snapshot map[string]file

func takeSnapshot(dir string) (snapshot, error) {
	s := snapshot{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		if d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		st, err := os.Lstat(path)
		if err != nil {
			return err
		}
		f := file{mode: st.Mode()}
		if sys, ok := st.Sys().(*syscall.Stat_t); ok {
			f.node = sys.Ino
		}
		switch {
		case st.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			f.data = []byte(target)
			if err != nil {
				return err
			}
		case st.Mode().IsRegular():
			if f.data, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		s[filepath.ToSlash(rel)] = f
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the workspace's files: %w", err)
	}
	return s, nil
}

// changes lists in words how after differs from before, leaving out the paths in except,
// the folders above them, and the other names of the same files.
func (before snapshot) changes(after snapshot, except ...string) []string {
	skip := map[string]bool{}
	nodes := map[uint64]file{}
	for _, p := range except {
		if f, ok := before[p]; ok && f.mode.IsRegular() {
			nodes[f.node] = after[p]
		}
		for ; p != "." && p != "" && p != "/"; p = filepath.ToSlash(filepath.Dir(p)) {
			skip[p] = true
		}
	}
	var out []string
	for path, f := range before {
		g, there := after[path]
		twin, linked := nodes[f.node]
		switch {
		case skip[path]:
		case !there:
			out = append(out, path+" is gone")
		case f.same(g) || f.mode.IsDir() && g.mode.IsDir():
		case linked && bytes.Equal(g.data, twin.data):
		default:
			out = append(out, path+" changed")
		}
	}
	for path := range after {
		if _, was := before[path]; !was && !skip[path] {
			out = append(out, path+" is new")
		}
	}
	sort.Strings(out)
	return out
}

func sum(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

// copyTree copies a folder with its modes and links as they are; one that does not exist
// is empty.
func copyTree(from, to string) error {
	if _, err := os.Stat(from); os.IsNotExist(err) {
		return nil
	}
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := to + strings.TrimPrefix(path, from)
		st, err := os.Lstat(path)
		switch {
		case err != nil:
			return err
		case st.IsDir():
			return os.MkdirAll(target, st.Mode().Perm()|0o700)
		case st.Mode()&fs.ModeSymlink != 0:
			link, err := os.Readlink(path)
			if err != nil {
				return err
			}
			return os.Symlink(link, target)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.WriteFile(target, data, 0o600); err != nil {
			return err
		}
		return os.Chmod(target, st.Mode().Perm())
	})
	if err != nil {
		return fmt.Errorf("copy tree: %w", err)
	}
	return nil
}
