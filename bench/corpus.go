package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// quickPart is the part of the standard library that -quick takes.
var quickPart = []string{"net", "strings", "io", "context", "errors"}

// copyCorpus copies the corpus to a new folder and counts its files. An empty name is the
// standard library of the toolchain, without its commands; only of that -quick takes a part.
func copyCorpus(from, to string, quick bool) (files int, size int64, err error) {
	skip, parts := map[string]bool{".git": true}, []string{"."}
	if from == "" {
		out, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			return 0, 0, fmt.Errorf("find the standard library: %w", err)
		}
		from, skip["cmd"] = filepath.Join(strings.TrimSpace(string(out)), "src"), true
		if quick {
			parts = quickPart
		}
	}
	for _, part := range parts {
		n, b, err := copyFolder(from, to, part, skip)
		if err != nil {
			return 0, 0, fmt.Errorf("copy corpus: %w", err)
		}
		files, size = files+n, size+b
	}
	return files, size, nil
}

// copyFolder copies the regular files below from/part. Folders in skip, named from the top,
// are left out.
func copyFolder(from, to, part string, skip map[string]bool) (files int, size int64, err error) {
	err = filepath.WalkDir(filepath.Join(from, part), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && skip[rel]:
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files, size = files+1, size+int64(len(data))
		return os.WriteFile(filepath.Join(to, rel), data, 0o644)
	})
	return files, size, err
}

// folderSize is the number of bytes of the files below dir.
func folderSize(dir string) (size int64, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		st, err := d.Info()
		if os.IsNotExist(err) { // a temporary file of the owner
			return nil
		}
		if err == nil {
			size += st.Size()
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("measure state folder: %w", err)
	}
	return size, nil
}
