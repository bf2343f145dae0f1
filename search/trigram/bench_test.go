package trigram

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/codegraph-dev/codegraph/search"
)

// corpus reads the sources of the Go release.
func corpus(tb testing.TB) [][]byte {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		tb.Skip("the go command is not there to tell where Go's sources are")
	}
	var files [][]byte
	filepath.WalkDir(filepath.Join(strings.TrimSpace(string(out)), "src"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if b, err := os.ReadFile(path); err == nil {
				files = append(files, b)
			}
		}
		return nil
	})
	return files
}

// totalSize is the size of all files.
func totalSize(files [][]byte) (n int64) {
	for _, f := range files {
		n += int64(len(f))
	}
	return n
}

func BenchmarkExtract(b *testing.B) {
	files := corpus(b)
	b.SetBytes(totalSize(files))
	set, buf := new(trigramSet), []byte(nil)
	for b.Loop() {
		for i, f := range files {
			_, buf = extract(uint32(i), search.Decode(f), set, buf)
		}
	}
}

// buildIndex indexes files with two goroutines.
func buildIndex(tb testing.TB, dir string, files [][]byte) (*Store, []byte) {
	s, err := Open(dir, nil)
	if err != nil {
		tb.Fatal(err)
	}
	batch := s.NewBatch()
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() {
			for i := w; i < len(files); i += 2 {
				if err := batch.Add(uint32(i), search.Decode(files[i])); err != nil {
					tb.Error(err)
				}
			}
		})
	}
	wg.Wait()
	token, err := s.Apply(tb.Context(), batch)
	if err != nil {
		tb.Fatal(err)
	}
	return s, token
}

func BenchmarkBuild(b *testing.B) {
	files := corpus(b)
	b.SetBytes(totalSize(files))
	for b.Loop() {
		s, _ := buildIndex(b, b.TempDir(), files)
		st := s.Stats()
		b.ReportMetric(float64(st.Bytes)/float64(totalSize(files)), "size/corpus")
		b.ReportMetric(float64(st.Segments), "segments")
		s.Close()
	}
}

func BenchmarkStore(b *testing.B) {
	files := corpus(b)
	dir := b.TempDir()
	s, token := buildIndex(b, dir, files)
	defer func() { s.Close() }()
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			o, err := Open(dir, token)
			if err != nil {
				b.Fatal(err)
			}
			o.Close()
		}
	})
	for _, pattern := range []string{"Unauthorized", "(?i)unauthorized", "TODO", `func \(\w+ \*?\w+\) Close\(`, "panic|recover|defer", "if err != nil"} {
		b.Run("query/"+pattern, func(b *testing.B) {
			p, err := search.Compile(search.Options{Patterns: []string{pattern}})
			if err != nil {
				b.Fatal(err)
			}
			n := 0
			for b.Loop() {
				c, err := s.Candidates(b.Context(), p.Query())
				if err != nil {
					b.Fatal(err)
				}
				n = len(c.Docs)
			}
			b.ReportMetric(float64(n), "candidates")
		})
	}
	b.Run("update", func(b *testing.B) {
		worst := time.Duration(0)
		for i := 0; b.Loop(); i++ {
			began := time.Now()
			batch := s.NewBatch()
			batch.Add(uint32(i%len(files)), search.Text{Data: fmt.Appendf(files[i%len(files)][:0:0], "%s%d", files[i%len(files)], i), NUL: -1})
			t, err := s.Apply(b.Context(), batch)
			if err != nil {
				b.Fatal(err)
			}
			if err := s.Sweep(t); err != nil {
				b.Fatal(err)
			}
			worst = max(worst, time.Since(began))
		}
		b.ReportMetric(float64(worst.Microseconds())/1000, "worst-ms")
		b.ReportMetric(float64(s.Stats().Segments), "segments")
	})
}
