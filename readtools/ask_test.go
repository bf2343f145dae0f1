package readtools

import (
	"strings"
	"testing"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/workspace"
)

// intoSymbols asks a question of a ranking that gives each file the score that rate says.
func intoSymbols(t *testing.T, w *workspace.Workspace, rate func(f *graph.File) float64, q string, check func(e *exploring, got []scored)) {
	t.Helper()
	err := w.View(t.Context(), func(s *workspace.Snapshot) error {
		var hits []scored
		for i := range s.Files() {
			f := &s.Files()[i]
			hits = append(hits, scored{graph.Handle{File: f.ID, Index: graph.FileItself}, rate(f)})
		}
		e, err := newExploring(t.Context(), s, ExploreParams{})
		if err != nil {
			return err
		}
		got, err := e.intoSymbols(q, hits)
		if err == nil {
			check(e, got)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func alike(*graph.File) float64 { return 1 }

// A ranked file is answered by the definitions in it that have the question's words, tests after
// code; a file in which none has stands for itself.
func TestQuestionFindsDefinitions(t *testing.T) {
	w := openTree(t, map[string]string{
		"push.py":      "def unrelated():\n    return 1\n\n\ndef choose_objects(refs):\n    \"\"\"The objects that a push sends.\"\"\"\n    return refs\n",
		"test_push.py": "def test_choose_objects():\n    assert 1  # push objects\n",
		"notes.txt":    "push objects\n",
	})
	intoSymbols(t, w, alike, "which objects does a push send", func(e *exploring, got []scored) {
		var names []string
		for _, g := range got {
			name := e.file(g.h.File).Path
			if f, sym := e.def(g.h); sym != nil {
				name = f.Str(sym.Name)
			}
			names = append(names, name)
		}
		if len(names) != 3 || names[0] != "choose_objects" || names[1] != "test_choose_objects" || names[2] != "notes.txt" {
			t.Errorf("%q, want choose_objects, its test, and the text without definitions", names)
		}
	})
}

// A file that answers by itself is told on one line: it has no line of its own to show.
func TestFileAsAnswer(t *testing.T) {
	got := itemText(nil, &ExploreItem{Path: "docs/notes.md", Note: "file, 3 lines"}, "auto")
	if want := "docs/notes.md  [file, 3 lines]\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What tests say often has a question's words more often than the code has. The code goes first, unless
// the question is about tests.
func TestQuestionSetsTestsAside(t *testing.T) {
	w := openTree(t, map[string]string{"recover.py": "def recover():\n    return 1\n", "test_recover.py": "def test_recover():\n    assert recover()\n"})
	for q, want := range map[string]string{"where does it recover": "recover.py", "what tests recover": "test_recover.py"} {
		rate := func(f *graph.File) float64 {
			if f.Test {
				return 3
			}
			return 1
		}
		intoSymbols(t, w, rate, q, func(e *exploring, got []scored) {
			if first := e.file(got[0].h.File).Path; first != want {
				t.Errorf("%s: first is %s, want %s", q, first, want)
			}
		})
	}
}

// A name with several words, told whole, says more than its words do: the file that has it goes
// before one that has the words more often.
func TestQuestionWithWholeName(t *testing.T) {
	w := openTree(t, map[string]string{
		"a.py": "def regex():\n    \"\"\"fast regex matcher, matcher of fast regex\"\"\"\n    return 'fast regex matcher'\n",
		"b.py": "def build():\n    \"\"\"Makes it.\"\"\"\n    return FastRegexMatcher()\n",
	})
	for q, want := range map[string]string{"why is FastRegexMatcher slow": "b.py", "why is the fast regex matcher slow": "a.py"} {
		intoSymbols(t, w, alike, q, func(e *exploring, got []scored) {
			if first := e.file(got[0].h.File).Path; first != want {
				t.Errorf("%s: first is %s, want %s", q, first, want)
			}
		})
	}
}

// A short class shows its methods; a method that is ranked beside it would be shown twice.
func TestQuestionShowsTextOnce(t *testing.T) {
	long := strings.Repeat("        self.n += 1\n", 100)
	w := openTree(t, map[string]string{
		"a.py": "class Robot:\n    def robot(self):\n        return 1\n",
		"b.py": "class Robot:\n    def robot(self):\n        return 1\n\n    def other(self):\n" + long,
	})
	intoSymbols(t, w, alike, "robot", func(e *exploring, got []scored) {
		of := map[string]int{}
		for _, g := range got {
			of[e.file(g.h.File).Path]++
		}
		if of["a.py"] != 1 || of["b.py"] != 3 {
			t.Errorf("%v, want one definition of a.py and three of b.py", of)
		}
	})
}
