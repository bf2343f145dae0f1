package main

import (
	"encoding/json"
	"fmt"
	"io"
)

// answers are what the program says of a project's names and calls.
type answers struct {
	refs  map[answerKey]answer
	edges []answerEdge
}

type answerKey struct {
	file      string
	line, col int
}

// answer is the candidates for one name, the best first, and how they were found.
type answer struct {
	Defs   []candidate
	Role   string
	Status string
	Reason string
}

type candidate struct {
	place
	name string
}

type answerEdge struct {
	FromFile string `json:"from_file"`
	FromLine int    `json:"from_line"`
	FromName string `json:"from_name"`
	ToFile   string `json:"to_file"`
	ToLine   int    `json:"to_line"`
	ToName   string `json:"to_name"`
}

// readAnswers reads the lines that `export --format occurrences` prints.
func readAnswers(r io.Reader) (*answers, error) {
	a := &answers{refs: map[answerKey]answer{}}
	err := eachLine(r, func(line []byte) error {
		var l struct {
			T, File, Name        string
			Line, Col            int
			Defs                 [][]any
			Role, Status, Reason string
			answerEdge
		}
		if err := json.Unmarshal(line, &l); err != nil {
			return fmt.Errorf("answer %.80s: %w", line, err)
		}
		if l.T == "ansedge" {
			a.edges = append(a.edges, l.answerEdge)
			return nil
		}
		x := answer{Role: l.Role, Status: l.Status, Reason: l.Reason}
		for _, d := range l.Defs {
			if len(d) < 2 {
				continue
			}
			c := candidate{}
			c.file, _ = d[0].(string)
			n, _ := d[1].(float64)
			c.line = int(n)
			if len(d) > 2 {
				c.name, _ = d[2].(string)
			}
			x.Defs = append(x.Defs, c)
		}
		a.refs[answerKey{l.File, l.Line, l.Col}] = x
		return nil
	})
	return a, err
}

// kindScore is how the references of one kind were answered. Precision counts answers on
// names that lead outside the tree as wrong, both weighed to the whole project.
type kindScore struct {
	Positives int     `json:"positives"`
	Negatives int     `json:"negatives"`
	Coverage  float64 `json:"coverage"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	False     float64 `json:"false_on_negatives"`
}

func share(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// scoreRefs scores the references by kind.
func scoreRefs(t *truth, a *answers) map[string]kindScore {
	type sums struct{ pos, neg, answered, right, bad float64 }
	by := map[string]*sums{}
	of := func(kind string) *sums {
		if by[kind] == nil {
			by[kind] = &sums{}
		}
		return by[kind]
	}
	for i := range t.refs {
		r := &t.refs[i]
		s := of(r.Kind)
		s.pos++
		if x := a.refs[answerKey{r.File, r.Line, r.Col}]; len(x.Defs) > 0 {
			s.answered++
			if t.right(r, x.Defs[0].place, x.Defs[0].name) {
				s.right++
			}
		}
	}
	for i := range t.none {
		r := &t.none[i]
		s := of(r.Kind)
		s.neg++
		if x := a.refs[answerKey{r.File, r.Line, r.Col}]; len(x.Defs) > 0 {
			s.bad++
		}
	}
	out := map[string]kindScore{}
	for kind, s := range by {
		wr, wn := 1/t.meta.Sample.Ref, 1/t.meta.Sample.None
		out[kind] = kindScore{Positives: int(s.pos), Negatives: int(s.neg), Coverage: share(s.answered, s.pos),
			Precision: share(s.right*wr, s.answered*wr+s.bad*wn), Recall: share(s.right, s.pos), False: share(s.bad, s.neg)}
	}
	return out
}

// edgeScore is how the call edges were answered: function to callee.
type edgeScore struct {
	Truth     int     `json:"truth"`
	Right     int     `json:"right"`
	Wrong     int     `json:"wrong"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
}

type edgeRow struct {
	hit bool
}

type edgeTarget struct {
	row  int
	impl bool
}

// scoreEdges scores the call edges. Edges whose caller the truth does not know, whose target lies
// outside the analysed files, or which the truth could not resolve, are not judged.
func scoreEdges(t *truth, a *answers) edgeScore {
	var rows []edgeRow
	names := map[callKey]bool{}
	targets := map[place]map[place][]edgeTarget{}
	for _, e := range t.edges {
		if e.FromLine == 0 || e.ToLine == 0 {
			continue
		}
		from := place{e.FromFile, e.FromLine}
		names[callKey{from, e.ToName}] = true
		if targets[from] == nil {
			targets[from] = map[place][]edgeTarget{}
		}
		for _, x := range append([]place{{e.ToFile, e.ToLine}}, places(e.Alt)...) {
			targets[from][x] = append(targets[from][x], edgeTarget{len(rows), false})
		}
		for _, x := range places(e.Impl) {
			targets[from][x] = append(targets[from][x], edgeTarget{len(rows), true})
		}
		rows = append(rows, edgeRow{})
	}
	s := edgeScore{Truth: len(rows)}
	impl := 0
	seen := map[[2]place]bool{}
	for _, e := range a.edges {
		if e.FromLine == 0 {
			continue
		}
		from := t.canon(place{e.FromFile, e.FromLine}, e.FromName)
		if !t.files[from.file] || !t.function(from) {
			continue
		}
		to := t.canon(place{e.ToFile, e.ToLine}, e.ToName)
		if seen[[2]place{from, to}] {
			continue
		}
		seen[[2]place{from, to}] = true
		if hits := targets[from][to]; len(hits) > 0 {
			strict := false
			for _, h := range hits {
				if !h.impl {
					strict, rows[h.row].hit = true, true
				}
			}
			if strict {
				s.Right++
			} else {
				impl++
			}
			continue
		}
		if t.judged(from, to, e.ToName, names) {
			s.Wrong++
		}
	}
	found := 0
	for _, r := range rows {
		if r.hit {
			found++
		}
	}
	s.Precision, s.Recall = share(float64(s.Right), float64(s.Right+s.Wrong+impl)), share(float64(found), float64(len(rows)))
	return s
}

// judged reports whether the truth can say that there is no edge from one place to the other.
func (t *truth) judged(from, to place, name string, names map[callKey]bool) bool {
	called := map[string]bool{name: true}
	for _, d := range t.kindOf[to] {
		called[d.Name] = true
	}
	if !t.files[to.file] {
		return false
	}
	for n := range called {
		if t.unknown[callKey{from, n}] {
			return false
		}
	}
	if t.meta.Grade != "runtime" {
		return true
	}
	// A truth of calls that ran knows nothing of names that were not called there.
	for n := range called {
		if names[callKey{from, n}] {
			return true
		}
	}
	return false
}
