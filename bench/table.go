package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// ratio compares two figures; less is better in all of them.
type ratio struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Of    string  `json:"of"` // the two figures in words
}

// ratios fills the report's ratios from its figures, leaving out what was not measured.
func (r *report) ratios() {
	add := func(name string, a, b float64, of string) {
		if b > 0 {
			r.Ratios = append(r.Ratios, ratio{name, a / b, of})
		}
	}
	if r.Parse != nil {
		add("index CPU / parser CPU", r.Index.CPU(), r.Parse.CPU, fmt.Sprintf("%.2f s / %.2f s", r.Index.CPU(), r.Parse.CPU))
		add("index wall / parser wall", r.Index.Wall, r.Parse.Wall, fmt.Sprintf("%.2f s / %.2f s", r.Index.Wall, r.Parse.Wall))
	}
	if r.Link != nil {
		add("link CPU / parser CPU", r.Link.Link, r.Link.Parse, fmt.Sprintf("%.2f s / %.2f s, %d names", r.Link.Link, r.Link.Parse, r.Link.Names))
	}
	add("index on disk / source", float64(r.Disk), float64(r.Bytes), fmt.Sprintf("%s / %s", mega(r.Disk), mega(r.Bytes)))
	add("index peak memory / source", float64(r.Index.RSS), float64(r.Bytes), fmt.Sprintf("%s / %s", mega(r.Index.RSS), mega(r.Bytes)))
	add("incremental wall / full wall", r.Incremental.Wall, r.Index.Wall, fmt.Sprintf("%.3f s / %.2f s", r.Incremental.Wall, r.Index.Wall))
	for _, c := range r.Grep {
		if c.Ripgrep != nil {
			add("grep "+c.Name+" / rg", c.Ours.P50, c.Ripgrep.P50, fmt.Sprintf("%s / %s (p50)", milli(c.Ours.P50), milli(c.Ripgrep.P50)))
		}
	}
}

func mega(n int64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }

func milli(s float64) string { return fmt.Sprintf("%.1f ms", s*1000) }

// print writes the report as one table, ratios first.
func (r *report) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "corpus\t%d files, %s\t%s, %d CPUs\n", r.Files, mega(r.Bytes), r.Go, r.CPUs)
	for _, q := range r.Ratios {
		fmt.Fprintf(w, "%s\t%.2f\t%s\n", q.Name, q.Value, q.Of)
	}
	fmt.Fprintln(w, "\t\t")
	for _, row := range []struct {
		name string
		u    usage
	}{{"index", r.Index}, {"incremental index", r.Incremental}} {
		fmt.Fprintf(w, "%s\t%.3f s wall\t%.2f s user, %.2f s system, peak %s\n", row.name, row.u.Wall, row.u.User, row.u.System, mega(row.u.RSS))
	}
	fmt.Fprintf(w, "index on disk\t%s\t%.0f bytes a file\n", mega(r.Disk), float64(r.Disk)/float64(max(r.Files, 1)))
	if r.Parse != nil {
		fmt.Fprintf(w, "parser alone\t%.3f s wall\t%.2f s CPU, %d files, %s\n", r.Parse.Wall, r.Parse.CPU, r.Parse.Files, mega(r.Parse.Bytes))
	}
	fmt.Fprintln(w, "\t\t")
	for _, l := range r.Tools {
		fmt.Fprintf(w, "%s\tp50 %s\tp95 %s, %s CPU, %d runs\n", l.Name, milli(l.P50), milli(l.P95), milli(l.CPU), l.Runs)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(w, "note: %s\t\t\n", n)
	}
	return w.Flush()
}
