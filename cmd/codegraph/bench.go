//go:build unix

package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/codegraph-dev/codegraph/index/lang"
	"github.com/codegraph-dev/codegraph/workspace"
	"github.com/codegraph-dev/codegraph/workspace/ignore"
)

// benchCommand is `codegraph bench`, for those who measure the program.
func (a *app) benchCommand() *cobra.Command {
	c := &cobra.Command{Use: "bench", Short: "Measure parts of the program", Hidden: true}
	c.AddCommand(&cobra.Command{
		Use: "parse", Short: "Parse every file, and nothing else", Args: a.noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			r, err := a.benchParse(c.Context())
			if err != nil {
				return err
			}
			return a.printJSON(r)
		},
	})
	c.AddCommand(&cobra.Command{
		Use: "link", Short: "Parse every file, then link all names, in memory", Args: a.noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			r, err := a.benchLink(c.Context())
			if err != nil {
				return err
			}
			return a.printJSON(r)
		},
	})
	return c
}

// parseResult is what parsing alone takes: the floor that an index is measured against.
type parseResult struct {
	Files int     `json:"files"`
	Bytes int64   `json:"bytes"`
	CPU   float64 `json:"cpu_seconds"`
	Wall  float64 `json:"wall_seconds"`
}

// benchFile is a file to measure with.
type benchFile struct {
	path string
	l    *lang.Language
	src  []byte
}

// benchFiles reads the files that an index covers.
func (a *app) benchFiles(ctx context.Context) ([]benchFile, error) {
	root, err := a.root()
	if err != nil {
		return nil, err
	}
	l, err := ignore.Scan(ctx, root, ignore.Options{}, nil)
	if err != nil {
		return nil, errors.Join(workspace.ErrNoRoot, err)
	}
	var files []benchFile
	for i := range l.Entries {
		e := &l.Entries[i]
		if e.Type != ignore.File || !e.Part() || e.Size > 4<<20 {
			continue
		}
		src, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(e.Path)))
		if err != nil {
			continue
		}
		if g := lang.Detect(e.Path, src[:min(len(src), 256)]); g != nil && !configFile(g, e.Path) {
			files = append(files, benchFile{e.Path, g, src})
			g.Grammar()
		}
	}
	return files, nil
}

// benchParse reads the files first, then parses them with all processors.
func (a *app) benchParse(ctx context.Context) (*parseResult, error) {
	files, err := a.benchFiles(ctx)
	if err != nil {
		return nil, err
	}
	r := &parseResult{Files: len(files)}
	for _, f := range files {
		r.Bytes += int64(len(f.src))
	}
	wall, cpu := time.Now(), cpuTime()
	parseAll(ctx, files)
	r.Wall, r.CPU = time.Since(wall).Seconds(), (cpuTime() - cpu).Seconds()
	return r, ctx.Err()
}

func parseAll(ctx context.Context, files []benchFile) {
	spread(ctx, len(files), func() func(int) {
		p := lang.NewParser()
		return func(i int) { _ = p.ParseOnly(files[i].l.Grammar(), files[i].src, 10*time.Second) }
	})
}

// spread calls what start returns, once for each processor, with the numbers below n.
func spread(ctx context.Context, n int, start func() func(int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			work := start()
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				work(i)
			}
		})
	}
	wg.Wait()
}

func configFile(l *lang.Language, path string) bool {
	for _, c := range l.Configs {
		if c == filepath.Base(path) {
			return true
		}
	}
	return false
}

// cpuTime is the processor time that the process has taken.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
