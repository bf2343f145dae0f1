package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// plan is what one speed run does.
type plan struct {
	corpus  string
	bin     string
	runs    int
	quick   bool
	json    bool
	symbol  string
	open    string
	query   string
	edit    string // the file that is edited, below the corpus
	literal string
	regex   string
}

// report is what one speed run found. Times are seconds, sizes bytes.
type report struct {
	Go          string       `json:"go"`
	CPUs        int          `json:"cpus"`
	Files       int          `json:"files"`
	Bytes       int64        `json:"bytes"`
	Ratios      []ratio      `json:"ratios"`
	Index       usage        `json:"index"`
	Disk        int64        `json:"disk_bytes"`
	Parse       *parseTime   `json:"parse,omitempty"`
	Link        *linkTime    `json:"link,omitempty"`
	Incremental usage        `json:"incremental"`
	Tools       []latency    `json:"tools"`
	Grep        []comparison `json:"grep"`
	Notes       []string     `json:"notes,omitempty"`
}

// parseTime is what `codegraph bench parse` prints: the parser alone over the files that
// an index covers.
type parseTime struct {
	Files int     `json:"files"`
	Bytes int64   `json:"bytes"`
	CPU   float64 `json:"cpu_seconds"`
	Wall  float64 `json:"wall_seconds"`
}

// linkTime is what `codegraph bench link` prints: linking all names beside the parser, in one run.
type linkTime struct {
	Files int     `json:"files"`
	Names int     `json:"names"`
	Parse float64 `json:"parse_cpu_seconds"`
	Link  float64 `json:"link_cpu_seconds"`
}

func readPlan(args []string) (plan, error) {
	var p plan
	set := flag.NewFlagSet("bench", flag.ContinueOnError)
	set.StringVar(&p.corpus, "corpus", "", "folder to index (default: the Go standard library)")
	set.StringVar(&p.bin, "bin", "", "the program to measure (default: build ./cmd/codegraph)")
	set.IntVar(&p.runs, "n", 0, "runs of each call (default 30, with -quick 5)")
	set.BoolVar(&p.quick, "quick", false, "a part of the standard library and few runs")
	set.BoolVar(&p.json, "json", false, "print one JSON object in place of the table")
	set.StringVar(&p.symbol, "symbol", "net/http.NewRequestWithContext", "symbol whose callers are asked")
	set.StringVar(&p.open, "open", "net/http/request.go:100-200", "target that is opened")
	set.StringVar(&p.query, "query", "http request", "words to discover")
	set.StringVar(&p.edit, "edit", "net/http/request.go", "file to which a line is added before the incremental index")
	set.StringVar(&p.literal, "literal", "http.NewRequestWithContext", "literal to grep")
	set.StringVar(&p.regex, "regex", `func \(\w+ \*(Server|Client)\) [A-Z]\w+\(`, "regular expression to grep")
	if err := set.Parse(args); err != nil {
		return p, err
	}
	if set.NArg() > 0 {
		return p, fmt.Errorf("what to do with %q is unknown", set.Arg(0))
	}
	if p.runs == 0 {
		p.runs = map[bool]int{true: 5, false: 30}[p.quick]
	}
	return p, nil
}

// speed measures indexing, the tools and the floors, and prints the report.
func speed(ctx context.Context, args []string, out io.Writer) error {
	p, err := readPlan(args)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "cgb")
	if err != nil {
		return fmt.Errorf("make workspace: %w", err)
	}
	defer os.RemoveAll(dir)
	if p.bin, err = program(ctx, p.bin, dir); err != nil {
		return err
	}
	m := &meter{ctx: ctx, bin: p.bin, root: filepath.Join(dir, "w"), state: filepath.Join(dir, "s"), home: filepath.Join(dir, "h")}
	defer m.stop()
	r, err := m.measure(p)
	if err != nil {
		return err
	}
	if p.json {
		enc := json.NewEncoder(out)
		enc.SetIndent("", "  ")
		return enc.Encode(r)
	}
	return r.print(out)
}

// program is the program to measure: the one named, or else a build of this tree.
func program(ctx context.Context, bin, dir string) (string, error) {
	if bin != "" {
		return filepath.Abs(bin)
	}
	bin = filepath.Join(dir, "codegraph")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", bin, "github.com/codegraph-dev/codegraph/cmd/codegraph")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return bin, nil
}

// measure does the whole plan on a fresh copy of the corpus.
func (m *meter) measure(p plan) (*report, error) {
	for _, d := range []string{m.state, m.home} {
		if err := os.Mkdir(d, 0o755); err != nil {
			return nil, fmt.Errorf("make workspace: %w", err)
		}
	}
	r := &report{Go: runtime.Version(), CPUs: runtime.NumCPU()}
	var err error
	if r.Files, r.Bytes, err = copyCorpus(p.corpus, m.root, p.quick); err != nil {
		return nil, err
	}
	if r.Index, err = m.cost("index"); err != nil {
		return nil, err
	}
	if r.Disk, err = folderSize(m.state); err != nil {
		return nil, err
	}
	r.Parse = m.parse(r)
	r.Link = m.link(r)
	if r.Incremental, err = m.afterEdit(p.edit); err != nil {
		r.Notes = append(r.Notes, err.Error())
	}
	m.latencies(p, r)
	m.comparisons(p, r)
	r.ratios()
	return r, nil
}

// parse asks for the floor of an index; without it the report says so.
func (m *meter) parse(r *report) *parseTime {
	out, err := m.output("bench", "parse", "-C", m.root, "--json")
	var t parseTime
	if err == nil {
		err = json.Unmarshal(out, &t)
	}
	if err == nil && t.Files == 0 {
		err = errors.New("it parsed no file")
	}
	if err != nil {
		r.Notes = append(r.Notes, fmt.Sprintf("the parser alone was not measured (%v)", err))
		return nil
	}
	return &t
}

// link asks what linking costs; without it the report says so.
func (m *meter) link(r *report) *linkTime {
	out, err := m.output("bench", "link", "-C", m.root, "--json")
	var t linkTime
	if err == nil {
		err = json.Unmarshal(out, &t)
	}
	if err != nil {
		r.Notes = append(r.Notes, fmt.Sprintf("linking was not measured (%v)", err))
		return nil
	}
	return &t
}

// afterEdit adds a line to one file and indexes again.
func (m *meter) afterEdit(path string) (usage, error) {
	f, err := os.OpenFile(filepath.Join(m.root, filepath.FromSlash(path)), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return usage{}, fmt.Errorf("edit the corpus: %w", err)
	}
	_, err = fmt.Fprintf(f, "\n// one line more, %d\n", time.Now().UnixNano())
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return usage{}, fmt.Errorf("edit the corpus: %w", err)
	}
	return m.cost("index")
}
