package ignore

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// bigTree makes a tree of 1,500 folders and 13,000 files in a repository with some rules.
func bigTree(b *testing.B) string {
	b.Helper()
	root := b.TempDir()
	files := 0
	write := func(path, text string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	for _, d := range []string{".git/objects", ".git/refs"} {
		if err := os.MkdirAll(filepath.Join(root, d), 0o777); err != nil {
			b.Fatal(err)
		}
	}
	write(filepath.Join(root, ".git/HEAD"), "ref: refs/heads/main\n")
	write(filepath.Join(root, ".gitignore"), "*.o\n*.log\n/build/\nnode_modules/\n__pycache__\n*.py[co]\n!keep.log\ndist\ntarget/\n.cache\n*.swp\n*~\ndoc/**/*.html\n")
	for d := 0; files < 13000; d++ {
		dir := filepath.Join(root, fmt.Sprintf("module%02d/src/package%02d/part%d", d/100, d/10%10, d%10))
		for f := 0; f < 10 && files < 13000; f++ {
			write(filepath.Join(dir, fmt.Sprintf("some_file_name_%d.go", f)), "x")
			files++
		}
	}
	return root
}

func scanFor(b *testing.B, root string, prev *Listing) *Listing {
	b.Helper()
	l, err := Scan(context.Background(), root, Options{}, prev)
	if err != nil {
		b.Fatal(err)
	}
	return l
}

func benchTrees(b *testing.B, run func(b *testing.B, root string)) {
	b.Run("made", func(b *testing.B) { run(b, bigTree(b)) })
	b.Run("goroot", func(b *testing.B) {
		root := filepath.Join(runtime.GOROOT(), "src")
		if _, err := os.Stat(root); err != nil {
			b.Skip("no sources of Go here:", err)
		}
		run(b, root)
	})
}

func BenchmarkScan(b *testing.B) {
	benchTrees(b, func(b *testing.B, root string) {
		l := scanFor(b, root, nil)
		b.ReportAllocs()
		for b.Loop() {
			scanFor(b, root, nil)
		}
		b.ReportMetric(float64(len(l.Entries)), "entries")
	})
}

func BenchmarkRescan(b *testing.B) {
	benchTrees(b, func(b *testing.B, root string) {
		prev := scanFor(b, root, nil)
		prev.Taken = prev.Taken.Add(time.Hour) // long after the tree was made
		b.ReportAllocs()
		for b.Loop() {
			scanFor(b, root, prev)
		}
		b.ReportMetric(float64(len(prev.dirs)), "dirs")
	})
}
