package main

import (
	"fmt"
	"os/exec"
	"sort"
)

// latency is how long a call takes as a whole process, over several runs, in seconds.
type latency struct {
	Name string  `json:"name"`
	Runs int     `json:"runs"`
	P50  float64 `json:"p50_seconds"`
	P95  float64 `json:"p95_seconds"`
	CPU  float64 `json:"cpu_seconds"` // of the process called, on average
}

// comparison is one search by this program and by ripgrep.
type comparison struct {
	Name    string   `json:"name"`
	Ours    latency  `json:"codegraph"`
	Ripgrep *latency `json:"ripgrep,omitempty"`
}

// repeat runs a command once to warm up and then n times.
func (m *meter) repeat(name string, n int, program string, args ...string) (latency, error) {
	l := latency{Name: name, Runs: n}
	if _, err := m.run(program, args...); err != nil {
		return l, err
	}
	var walls []float64
	for range n {
		u, err := m.run(program, args...)
		if err != nil {
			return l, err
		}
		walls = append(walls, u.Wall)
		l.CPU += u.CPU() / float64(n)
	}
	l.P50, l.P95 = percentile(walls, 50), percentile(walls, 95)
	return l, nil
}

// percentile is the nearest-rank percentile; 0 for no values.
func percentile(values []float64, p int) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := append([]float64(nil), values...)
	sort.Float64s(sorted)
	rank := (p*len(sorted) + 99) / 100
	return sorted[max(rank, 1)-1]
}

// latencies measures the read tools as an agent's shell would call them.
func (m *meter) latencies(p plan, r *report) {
	calls := []struct {
		name string
		args []string
	}{
		{"explore callers", []string{"explore", "-C", m.root, "--json", "--focus=callers", "--", p.symbol}},
		{"grep literal", []string{"grep", "-C", m.root, "--json", "--literal", "--", p.literal}},
		{"grep regex", []string{"grep", "-C", m.root, "--json", "--", p.regex}},
		{"open", []string{"open", "-C", m.root, "--json", "--", p.open}},
		{"discover", []string{"discover", "-C", m.root, "--json", "--", p.query}},
	}
	for _, c := range calls {
		l, err := m.repeat(c.name, p.runs, m.bin, c.args...)
		if err != nil {
			r.Notes = append(r.Notes, fmt.Sprintf("%s was not measured (%v)", c.name, err))
			continue
		}
		r.Tools = append(r.Tools, l)
	}
}

// comparisons runs the same searches with this program and with ripgrep, all matches
// printed as text by both.
func (m *meter) comparisons(p plan, r *report) {
	rg, err := exec.LookPath("rg")
	if err != nil {
		r.Notes = append(r.Notes, "ripgrep is not installed: no comparison")
	}
	searches := []struct {
		name  string
		flags []string
		words string
	}{
		{"literal", []string{"-F"}, p.literal},
		{"regex", nil, p.regex},
		{"ignore case", []string{"-F", "-i"}, p.literal},
		{"no match", []string{"-F"}, "zqzqzq_nowhere"},
	}
	for _, s := range searches {
		ours := append([]string{"grep", "-C", m.root, "--limit=1000000", "--budget=1000000000"}, s.flags...)
		l, err := m.repeat(s.name, p.runs, m.bin, append(ours, "--", s.words)...)
		if err != nil {
			r.Notes = append(r.Notes, fmt.Sprintf("grep %s was not measured (%v)", s.name, err))
			continue
		}
		c := comparison{Name: s.name, Ours: l}
		if rg != "" {
			theirs := append([]string{"-n", "--no-heading", "--color=never"}, s.flags...)
			if l, err := m.repeat(s.name, p.runs, rg, append(theirs, "--", s.words, ".")...); err == nil {
				c.Ripgrep = &l
			}
		}
		r.Grep = append(r.Grep, c)
	}
}
