package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// stand is a program that does nothing but print: an index leaves a file in the state
// folder, and bench parse prints its figures.
const stand = `#!/bin/sh
case $1 in
index) echo store > "$CODEGRAPH_HOME/store" ;;
bench) echo '{"files": 2, "bytes": 20, "cpu_seconds": 0.5, "wall_seconds": 0.25}' ;;
discover) exit 2 ;;
*) echo '{}' ;;
esac
`

func TestSpeed(t *testing.T) {
	dir := t.TempDir()
	bin, corpus := filepath.Join(dir, "codegraph"), filepath.Join(dir, "corpus")
	if err := os.MkdirAll(filepath.Join(corpus, "d"), 0o755); err != nil {
		t.Fatal(err)
	}
	for path, data := range map[string]string{bin: stand, filepath.Join(corpus, "a.txt"): "one\n", filepath.Join(corpus, "d", "b.txt"): "two\n"} {
		if err := os.WriteFile(path, []byte(data), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"-corpus", corpus, "-bin", bin, "-n", "2", "-edit", "a.txt"}
	var out bytes.Buffer
	if err := dispatch(t.Context(), append([]string{"speed"}, append(args, "-json")...), &out); err != nil {
		t.Fatal(err)
	}
	var r report
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if r.Files != 2 || r.Bytes != 8 || r.Disk != 6 || r.Parse == nil || r.Parse.CPU != 0.5 || r.Index.Wall <= 0 || r.Index.RSS <= 0 {
		t.Errorf("report: %+v", r)
	}
	if len(r.Tools) != 4 || len(r.Grep) != 4 || len(r.Ratios) < 5 || !strings.Contains(strings.Join(r.Notes, " "), "discover was not measured") {
		t.Errorf("report: %+v", r)
	}
	out.Reset()
	if err := dispatch(t.Context(), args, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"index CPU / parser CPU", "explore callers", "2 runs", "note: discover"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table has no %q:\n%s", want, out.String())
		}
	}
	if data, err := os.ReadFile(filepath.Join(corpus, "a.txt")); err != nil || string(data) != "one\n" {
		t.Errorf("the corpus itself was edited: %q %v", data, err)
	}
}

func TestUnknownMeasurement(t *testing.T) {
	if err := dispatch(t.Context(), []string{"nonsense"}, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "nonsense") {
		t.Errorf("error %v", err)
	}
	if err := dispatch(t.Context(), []string{"speed", "nonsense"}, &bytes.Buffer{}); err == nil {
		t.Error("a stray word was accepted")
	}
}

func TestPercentile(t *testing.T) {
	v := []float64{4, 1, 3, 2}
	for p, want := range map[int]float64{50: 2, 95: 4, 25: 1, 0: 1} {
		if got := percentile(v, p); got != want {
			t.Errorf("percentile %d = %v, want %v", p, got, want)
		}
	}
	if percentile(nil, 50) != 0 {
		t.Error("percentile of nothing")
	}
}

// TestOwnUsage reads this process as /proc shows it.
func TestOwnUsage(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("no /proc")
	}
	if u, ok := processUsage(os.Getpid()); !ok || u.RSS == 0 {
		t.Errorf("usage: %+v %v", u, ok)
	}
}
