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
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"gopkg.in/yaml.v3"
)

func init() { commands["accuracy"] = accuracy }

// accuracyFlags are what `accuracy` takes.
type accuracyFlags struct {
	truth, sources, bin, floors, fit, project string
	write, asJSON                             bool
}

// accuracyRow is one project's figures.
type accuracyRow struct {
	Project  string               `json:"project"`
	Language string               `json:"language"`
	Grade    string               `json:"grade"`
	Edges    edgeScore            `json:"edges"`
	ByName   edgeScore            `json:"by_name"`
	Kinds    map[string]kindScore `json:"kinds"`
}

// accuracy indexes each project that there is a truth for, asks for all occurrences, and
// prints precision, recall and coverage beside those of binding by name. With -floors it
// fails if a figure is below the file's; with -fit it writes the table of confidences.
func accuracy(ctx context.Context, args []string, out io.Writer) error {
	var o accuracyFlags
	fs := flag.NewFlagSet("accuracy", flag.ContinueOnError)
	fs.StringVar(&o.truth, "truth", "../shared/accuracy/truth", "`folder` of truth files (*.jsonl.gz)")
	fs.StringVar(&o.sources, "sources", filepath.Join(os.TempDir(), "codegraph-accuracy"), "`folder` for the projects' sources")
	fs.StringVar(&o.bin, "bin", "", "the program; built if empty")
	fs.StringVar(&o.project, "project", "", "only projects that match this `pattern`")
	fs.StringVar(&o.floors, "floors", "", "fail below the figures in this `file`")
	fs.BoolVar(&o.write, "write-floors", false, "write the figures, less half a point, to the file of -floors")
	fs.StringVar(&o.fit, "fit", "", "write the measured confidences to this `file`")
	fs.BoolVar(&o.asJSON, "json", false, "print JSON")
	if err := fs.Parse(args); err != nil {
		return err
	}
	names, err := filepath.Glob(filepath.Join(o.truth, "*.jsonl.gz"))
	if err != nil || len(names) == 0 {
		fmt.Fprintf(out, "skipped: no truth files in %s; say: go run ./bench accuracy -truth DIR\n", o.truth)
		return err
	}
	only, err := regexp.Compile(o.project)
	if err != nil {
		return fmt.Errorf("-project: %w", err)
	}
	dir, err := os.MkdirTemp("", "codegraph-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	bin, err := program(ctx, o.bin, dir)
	if err != nil {
		return err
	}
	var rows []accuracyRow
	cal := calibration{}
	for _, name := range names {
		if !only.MatchString(strings.TrimSuffix(filepath.Base(name), ".jsonl.gz")) {
			continue
		}
		row, err := o.one(ctx, bin, name, cal)
		if err != nil {
			fmt.Fprintf(os.Stderr, "bench: %s: %v\n", filepath.Base(name), err)
			continue
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return errors.New("no project could be measured; see above")
	}
	if o.asJSON {
		err = json.NewEncoder(out).Encode(rows)
	} else {
		err = errors.Join(printAccuracy(out, rows), cal.print(out))
	}
	if o.fit != "" {
		err = errors.Join(err, cal.write(o.fit))
	}
	if o.floors != "" {
		err = errors.Join(err, o.checkFloors(out, rows))
	}
	return err
}

// one measures one project.
func (o *accuracyFlags) one(ctx context.Context, bin, name string, cal calibration) (accuracyRow, error) {
	t, err := readTruth(name, false)
	if err != nil {
		return accuracyRow{}, err
	}
	root, err := bring(ctx, name, t.meta, o.sources)
	if err != nil {
		return accuracyRow{}, fmt.Errorf("bring the sources: %w", err)
	}
	home, err := os.MkdirTemp("", "codegraph-home")
	if err != nil {
		return accuracyRow{}, err
	}
	defer os.RemoveAll(home)
	cmd := exec.CommandContext(ctx, bin, "export", "--format", "occurrences", "-C", root)
	cmd.Env = append(os.Environ(), "CODEGRAPH_HOME="+home)
	cmd.Stderr = os.Stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return accuracyRow{}, err
	}
	if err := cmd.Start(); err != nil {
		return accuracyRow{}, err
	}
	a, err := readAnswers(pipe)
	if err := errors.Join(err, cmd.Wait()); err != nil {
		return accuracyRow{}, err
	}
	cal.add(t, a)
	n := byName(t)
	return accuracyRow{Project: t.meta.Project, Language: t.meta.Language, Grade: t.meta.Grade,
		Edges: scoreEdges(t, a), ByName: scoreEdges(t, n), Kinds: scoreRefs(t, a)}, nil
}

func printAccuracy(out io.Writer, rows []accuracyRow) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "project\tgrade\tcalls: precision\trecall\tby name: precision\trecall\t")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t%.3f\t%.3f\t%.3f\t%.3f\t\n", r.Project, r.Grade, r.Edges.Precision, r.Edges.Recall, r.ByName.Precision, r.ByName.Recall)
	}
	fmt.Fprintln(w, "\t\t\t\t\t\t")
	fmt.Fprintln(w, "project\tkind\tprecision\trecall\tcoverage\tfalse answers\t")
	for _, r := range rows {
		for _, kind := range sortedKeys(r.Kinds) {
			k := r.Kinds[kind]
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t\n", r.Project, kind, figure(k.Precision, k.Positives), figure(k.Recall, k.Positives),
				figure(k.Coverage, k.Positives), figure(k.False, k.Negatives))
		}
	}
	return w.Flush()
}

// figure is a share of so many, which is nothing where there are none.
func figure(share float64, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f", share)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// floor is the least that a project's figures may be.
type floor struct {
	Precision float64            `yaml:"precision"`
	Recall    float64            `yaml:"recall"`
	Kinds     map[string]float64 `yaml:"kinds,omitempty"` // recall by kind of reference
}

// checkFloors compares the figures with the file's, or writes them to it.
func (o *accuracyFlags) checkFloors(out io.Writer, rows []accuracyRow) error {
	floors := map[string]floor{}
	data, err := os.ReadFile(o.floors)
	if err == nil {
		err = yaml.Unmarshal(data, &floors)
	}
	if err != nil && !(o.write && errors.Is(err, os.ErrNotExist)) {
		return fmt.Errorf("read floors: %w", err)
	}
	failed := 0
	for _, r := range rows {
		if o.write {
			f := floor{Precision: less5(r.Edges.Precision), Recall: less5(r.Edges.Recall), Kinds: map[string]float64{}}
			for kind, k := range r.Kinds {
				f.Kinds[kind] = less5(k.Recall)
			}
			floors[r.Project] = f
			continue
		}
		f, ok := floors[r.Project]
		if !ok {
			continue
		}
		for _, c := range f.compare(r) {
			fmt.Fprintf(out, "below the floor: %s %s\n", r.Project, c)
			failed++
		}
	}
	if o.write {
		data, err := yaml.Marshal(floors)
		if err != nil {
			return err
		}
		return os.WriteFile(o.floors, data, 0o644)
	}
	fmt.Fprintf(out, "%d passed, %d failed\n", len(rows)-min(failed, len(rows)), failed)
	if failed > 0 {
		return fmt.Errorf("%d figures are below their floors", failed)
	}
	return nil
}

// less5 is a figure less half a point, to three places.
func less5(x float64) float64 { return float64(int(max(x-0.005, 0)*1000)) / 1000 }

func (f floor) compare(r accuracyRow) []string {
	var out []string
	check := func(what string, got, want float64) {
		if got < want {
			out = append(out, fmt.Sprintf("%s: %.3f, want at least %.3f", what, got, want))
		}
	}
	check("calls precision", r.Edges.Precision, f.Precision)
	check("calls recall", r.Edges.Recall, f.Recall)
	for _, kind := range sortedKeys(f.Kinds) {
		check(kind+" recall", r.Kinds[kind].Recall, f.Kinds[kind])
	}
	return out
}
