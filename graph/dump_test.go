package graph_test

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/graph/graphtest"
)

func dump(t rapid.TB, s graph.Store) string {
	t.Helper()
	var b bytes.Buffer
	err := s.View(context.Background(), func(r graph.Reader) error { return graph.Dump(context.Background(), r, &b) })
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestDump(t *testing.T) {
	_, s := openToy(t, map[string]string{
		"a.toy": walkFiles["a.toy"],
		"b.toy": walkFiles["b.toy"],
	})
	hex := regexp.MustCompile(`\b[0-9a-f]{16,64}\b`)
	got := hex.ReplaceAllString(dump(t, s), "HEX")
	want := `file a.toy toy HEX 226 11
  facts HEX
  symbol a.toy#main "function" 0 30-155 name=35
  symbol a.toy#main.lambda "function" ANON 110-155 name=115
  symbol a.toy#loop "function" 0 155-207 name=160
  import 7 "b" "helper" as "helper" 0 certain module-member -> b.toy b.toy#helper
  ref 45 call helper certain import -> b.toy#helper
  ref 68 call run certain import -> b.toy#Type.run
  ref 93 call missing unresolved not-found
  ref 139 call loop certain import -> a.toy#loop
  ref 170 call loop certain import -> a.toy#loop
  ref 191 call main certain import -> a.toy#main
  ref 210 read Type certain import -> b.toy#Type
  export HEX HEX file
  read HEX
file b.toy toy HEX 157 8
  facts HEX
  symbol b.toy#helper "function" 0 0-46 name=5
  symbol b.toy#Type "class" 0 46-157 name=52
  symbol b.toy#Type.run "method" 0 83-157 name=90
  symbol b.toy#Type.run.inner "function" 0 98-134 name=103
  ref 17 call run possible import -> b.toy#Type.run
  ref 62 inherit Base certain import -> ?#?f0d7cb7f
  ref 118 call deep certain import -> ?#?5ad0a3ef
  ref 141 call gone certain import -> ?#?2f30d7ba
  export HEX HEX file
  read HEX
`
	want = strings.Replace(want, "ANON", fmt.Sprintf("%x", uint32(graph.Anonymous)), 1)
	hash := regexp.MustCompile(`\?[0-9a-f]{8}`)
	if got, want := hash.ReplaceAllString(got, "?HASH"), hash.ReplaceAllString(want, "?HASH"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestDumpIsCanonical: stores with the same files dump the same bytes, whatever the order
// in which paths got their ids.
func TestDumpIsCanonical(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seeds := rapid.SliceOfN(rapid.Uint64Range(1, 50), 2, 8).Draw(t, "seeds")
		direct := graphtest.NewWorld(graphtest.NewMemory(), len(seeds), graphtest.Small)
		detour := graphtest.NewWorld(graphtest.NewMemory(), len(seeds), graphtest.Small)
		all := graphtest.Change{}
		for i, seed := range seeds {
			all[i] = seed
		}
		err := detour.Store.View(context.Background(), func(r graph.Reader) error {
			for i := range detour.Paths { // last path first
				if _, err := r.FileIDs(detour.Paths[len(detour.Paths)-1-i:]); err != nil {
					return err
				}
			}
			return nil
		})
		for _, step := range []struct {
			w *graphtest.World
			c graphtest.Change
		}{{direct, all}, {detour, graphtest.Change{0: 99, 1: 98}}, {detour, graphtest.Change{1: 0}}, {detour, all}} {
			if _, e := step.w.Apply(step.c); e != nil {
				err = e
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		if a, b := dump(t, direct.Store), dump(t, detour.Store); a != b {
			t.Fatalf("dumps differ:\n%s\n---\n%s", a, b)
		}
	})
}
