package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
)

// calibration counts, for each language, role, status and reason, how many answers the truth
// confirms.
type calibration map[calKey]*calCount

type calKey struct{ language, role, status, reason string }

type calCount struct{ right, all float64 }

// add counts the answers on the names of a truth. A name that leads outside makes its answer
// wrong; names that the truth could not resolve say nothing.
func (c calibration) add(t *truth, a *answers) {
	count := func(x answer, right bool, weight float64) {
		k := calKey{t.meta.Language, x.Role, x.Status, x.Reason}
		if c[k] == nil {
			c[k] = &calCount{}
		}
		c[k].all += weight
		if right {
			c[k].right += weight
		}
	}
	for i := range t.refs {
		r := &t.refs[i]
		if x := a.refs[answerKey{r.File, r.Line, r.Col}]; len(x.Defs) > 0 {
			count(x, t.right(r, x.Defs[0].place, x.Defs[0].name), 1/t.meta.Sample.Ref)
		}
	}
	if t.meta.Grade == "runtime" {
		return
	}
	for i := range t.none {
		r := &t.none[i]
		if x := a.refs[answerKey{r.File, r.Line, r.Col}]; len(x.Defs) > 0 {
			count(x, false, 1/t.meta.Sample.None)
		}
	}
}

// confidence is the share that is right, drawn a little toward one half where little was seen.
func (n *calCount) confidence() float64 { return (n.right + 1) / (n.all + 2) }

func (c calibration) keys() []calKey {
	keys := make([]calKey, 0, len(c))
	for k := range c {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b calKey) int {
		return strings.Compare(a.language+"\t"+a.role+"\t"+a.status+"\t"+a.reason, b.language+"\t"+b.role+"\t"+b.status+"\t"+b.reason)
	})
	return keys
}

// write writes the table that the program ships.
func (c calibration) write(name string) error {
	var b bytes.Buffer
	b.WriteString("# language\trole\tstatus\treason\tconfidence\tanswers; made by: go run ./bench accuracy -fit\n")
	for _, k := range c.keys() {
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%.3f\t%.0f\n", k.language, k.role, k.status, k.reason, c[k].confidence(), c[k].all)
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}

// print shows the reliability curve a language: of the answers with a confidence in a band,
// the share that is right.
func (c calibration) print(out io.Writer) error {
	bands := []float64{0.5, 0.8, 0.9, 0.95, 0.98, 1.01}
	type cell struct{ right, all float64 }
	byLanguage := map[string][]cell{}
	for k, n := range c {
		if byLanguage[k.language] == nil {
			byLanguage[k.language] = make([]cell, len(bands))
		}
		i := slices.IndexFunc(bands, func(b float64) bool { return n.confidence() < b })
		byLanguage[k.language][i].right += n.right
		byLanguage[k.language][i].all += n.all
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\nreliability: share right (answers)\t<.50\t<.80\t<.90\t<.95\t<.98\tabove\t")
	for _, l := range sortedKeys(byLanguage) {
		fmt.Fprintf(w, "%s\t", l)
		for _, x := range byLanguage[l] {
			if x.all == 0 {
				fmt.Fprint(w, "-\t")
				continue
			}
			fmt.Fprintf(w, "%.3f (%.0f)\t", x.right/x.all, x.all)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}
