package edittools

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/codegraph-dev/codegraph/workspace"
)

// model is a tree in memory with the plain meaning of the four tools.
type model map[string]string // path to mode and text, "/" for folders, "->" for links

func (m model) folder(p string) bool { return p == "." || m[p] == "/" }

func (m model) parents(p string) bool {
	for d := path.Dir(p); d != "."; d = path.Dir(d) {
		if v, ok := m[d]; ok && v != "/" {
			return false
		}
	}
	return true
}

func (m model) mkdirs(p string) {
	for d := path.Dir(p); d != "."; d = path.Dir(d) {
		m[d] = "/"
	}
}

func (m model) below(p string) (out []string) {
	for k := range m {
		if strings.HasPrefix(k, p+"/") {
			out = append(out, k)
		}
	}
	return out
}

const fileMode = "-rw-r--r--"

func (m model) write(p, text string, over bool) bool {
	v, ok := m[p]
	if v == "/" || ok && !over || !m.parents(p) {
		return false
	}
	m.mkdirs(p)
	m[p] = fileMode + text
	return true
}

func (m model) replace(p, old, text string) bool {
	v, ok := m[p]
	if !ok || v == "/" || strings.Count(v[len(fileMode):], old) != 1 {
		return false
	}
	m[p] = fileMode + strings.Replace(v[len(fileMode):], old, text, 1)
	return true
}

func (m model) delete(p string, recursive bool) bool {
	_, ok := m[p]
	in := m.below(p)
	if !ok || len(in) > 0 && !recursive {
		return false
	}
	for _, k := range append(in, p) {
		delete(m, k)
	}
	return true
}

func (m model) move(from, to string, over bool) bool {
	v, ok := m[from]
	if !ok {
		return false
	}
	if from == to {
		return true
	}
	if m.folder(to) {
		to = path.Join(to, path.Base(from))
	}
	if from == to {
		return true
	}
	w, there := m[to]
	if strings.HasPrefix(to, from+"/") || w == "/" || there && (!over || v == "/") || !m.parents(to) {
		return false
	}
	m.mkdirs(to)
	for _, k := range m.below(from) {
		m[to+strings.TrimPrefix(k, from)] = m[k]
		delete(m, k)
	}
	delete(m, from)
	m[to] = v
	return true
}

var modelPaths = []string{"a", "b", "d", "d/a", "d/b", "d/e", "d/e/a", "x/y/z", "x/y", "x"}

// random makes one random call on both the tools and the model, and says what it was.
func (m model) random(b *bench, rnd *rand.Rand, seq int) (call string, want bool, err error) {
	p, q := modelPaths[rnd.IntN(len(modelPaths))], modelPaths[rnd.IntN(len(modelPaths))]
	flag := rnd.IntN(2) == 0
	text := fmt.Sprintf("line %d\nend\n", seq)
	switch rnd.IntN(5) {
	case 0, 1:
		call, want = fmt.Sprintf("write %s %v", p, flag), m.write(p, text, flag)
		_, err = run(b, WriteFile, WriteParams{Path: p, Content: text, Overwrite: flag})
	case 2:
		call, want = "replace "+p, m.replace(p, "line ", "LINE"+strconv.Itoa(seq)+" line ")
		_, err = run(b, ReplaceBlock, ReplaceParams{Path: p, Old: "line ", New: "LINE" + strconv.Itoa(seq) + " line "})
	case 3:
		call, want = fmt.Sprintf("delete %s %v", p, flag), m.delete(p, flag)
		_, err = run(b, DeletePath, DeleteParams{Path: p, Recursive: flag})
	default:
		call, want = fmt.Sprintf("move %s %s %v", p, q, flag), m.move(p, q, flag)
		_, err = run(b, MovePath, MoveParams{From: p, To: q, Overwrite: flag, UpdateReferences: true})
	}
	return call, want, err
}

// TestAgainstModel drives random sequences of the four tools and compares the tree with a
// plain model after each. CODEGRAPH_MODEL_OPS sets how many; and now and then all is undone.
func TestAgainstModel(t *testing.T) {
	n := 300
	if s := os.Getenv("CODEGRAPH_MODEL_OPS"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	b, m := newBench(t, nil), model{}
	rnd := rand.New(rand.NewPCG(5, uint64(n)))
	for i := range n {
		before := maps.Clone(m)
		call, want, err := m.random(b, rnd, i)
		if want != (err == nil) {
			t.Fatalf("%d: %s: the model says %v, the tool %v\n%v", i, call, want, err, before)
		}
		if got := b.tree(); !maps.Equal(got, m) {
			t.Fatalf("%d: %s: %v\ngot  %v\nwant %v", i, call, err, got, m)
		}
		if i%10 == 9 && err == nil && !maps.Equal(before, m) {
			b.undoLast()
			m = before
			if got := b.tree(); !maps.Equal(got, m) {
				t.Fatalf("%d: %s, taken back:\ngot  %v\nwant %v", i, call, got, m)
			}
		}
	}
	if left := strings.Join(leftovers(b), " "); left != "" {
		t.Error(left)
	}
}

func leftovers(b *bench) (out []string) {
	for p := range b.tree() {
		if strings.Contains(p, "codegraph-tmp") {
			out = append(out, p)
		}
	}
	return out
}

// undoLast takes back the newest edit.
func (b *bench) undoLast() {
	b.t.Helper()
	edits, err := b.w.Edits()
	if err != nil {
		b.t.Fatal(err)
	}
	_, err = run(b, func(ctx context.Context, s *workspace.Snapshot, p UndoParams) (*Plan, error) { return Undo(ctx, s, p) }, UndoParams{EditID: edits[0].ID})
	if err != nil {
		b.t.Fatalf("undo %+v: %v", edits[0].Steps, err)
	}
}
