package readtools

import (
	"slices"
	"strings"
	"testing"

	"github.com/codegraph-dev/codegraph/workspace"
)

func TestPathScore(t *testing.T) {
	tests := []struct {
		query string
		paths string // the best first; those after the bar do not fit
	}{
		{"foo", "foo foo.go foobar.go a/foo-x/y.go | bar.go"},
		{"request.go", "net/request.go net/old_request.go | net/reply.go"},
		{"fb", "FooBar.go | bar.go"},
		{"foba", "foo_bar.go | fo.go"},
		{"http req", "http/request.go net/http_request_pool.go | http/reply.go ftp/request.go"},
		{"net/req", "net/request.go a/net/request.go | request.go"},
		{"檔", "src/資料/檔案.py | a.py"},
		{"über", "src/Übung/überall.txt | uber.txt"},
		{"rqst", "request.go | reply.go"},
		{"a/b.go", "a/b.go x/a/b.go | b.go"},
	}
	for _, test := range tests {
		sc := newPathScorer(test.query)
		last, out := 1e9, false
		for _, p := range strings.Fields(test.paths) {
			s := sc.score(p)
			switch {
			case p == "|":
				out = true
			case out && s != 0:
				t.Errorf("%q fits %s: %v", test.query, p, s)
			case !out && (s <= 0 || s >= last):
				t.Errorf("%q: %s has %v after %v", test.query, p, s, last)
			case !out:
				last = s
			}
		}
	}
}

func TestSplitWords(t *testing.T) {
	tests := map[string]string{
		"HTTPRequestID2": "http request id 2", "foo_bar-baz": "foo bar baz", "newURL": "new url", "ÜberGroß": "über groß", "x": "x", "": "",
	}
	for in, want := range tests {
		if got := strings.Join(splitWords(in), " "); got != want {
			t.Errorf("splitWords(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestGlobs(t *testing.T) {
	tests := []struct {
		include, exclude []string
		in, out          string
	}{
		{nil, nil, "a.go x/b.txt", ""},
		{[]string{"*.go"}, nil, "a.go x/y/b.go", "a.txt"},
		{[]string{"/a.go"}, nil, "a.go", "x/a.go"},
		{[]string{"src/"}, nil, "src/a x/src/b src/y/c", "a"},
		{[]string{"src/**"}, nil, "src/a src/y/c", "a x/src/b"},
		{[]string{"!vendor"}, nil, "a.go", "vendor/a.go x/vendor/b.go"},
		{[]string{"*.go", "!*_test.go"}, nil, "a.go", "a_test.go b.txt"},
		{[]string{"!*.go", "main.go"}, nil, "main.go", "a.go"},
		{nil, []string{"*.md", "docs/**"}, "a.go", "x.md docs/a.go"},
		{[]string{"*.{go,py}"}, nil, "a.go b.py", "c.js"},
	}
	for _, test := range tests {
		g, err := newGlobs(test.include, test.exclude)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range strings.Fields(test.in) {
			if !g.match(p) {
				t.Errorf("%v %v leave %s out", test.include, test.exclude, p)
			}
		}
		for _, p := range strings.Fields(test.out) {
			if g.match(p) {
				t.Errorf("%v %v let %s in", test.include, test.exclude, p)
			}
		}
	}
	if _, err := newGlobs([]string{"a[b"}, nil); codeOf(err) != "usage" {
		t.Errorf("a malformed glob: %v", err)
	}
}

func TestDiscoverHidden(t *testing.T) {
	w := openTree(t, map[string]string{"a.go": "package a\n", ".env": "A=1\n", "out/x.txt": "x\n", ".gitignore": "out/\n", ".git/HEAD": "ref: refs/heads/main\n"})
	paths := func(p DiscoverParams) string {
		var out []string
		for _, e := range must(t, w, Discover, p).Entries {
			if e.Type == "file" && !strings.HasPrefix(e.Path, ".git/") {
				out = append(out, e.Path)
			}
		}
		slices.Sort(out)
		return strings.Join(out, " ")
	}
	for _, test := range []struct {
		p    DiscoverParams
		want string
	}{
		{DiscoverParams{}, "a.go"},
		{DiscoverParams{Hidden: true, Depth: 9}, ".env .gitignore a.go"},
		{DiscoverParams{IncludeIgnored: true, Depth: 9}, "a.go out/x.txt"},
		{DiscoverParams{Path: "out"}, "out/x.txt"},
		{DiscoverParams{Query: "x.txt"}, ""},
		{DiscoverParams{Query: "x.txt", IncludeIgnored: true}, "out/x.txt"},
	} {
		if got := paths(test.p); got != test.want {
			t.Errorf("%+v: %q, want %q", test.p, got, test.want)
		}
	}
}

// TestHiddenFolders are listed where they are asked for, and not as folders without files.
func TestHiddenFolders(t *testing.T) {
	w := openTree(t, map[string]string{"a.txt": "a\n", ".ci/run": "r\n", "out/x.o": "o\n", ".gitignore": "out/\n", ".git/HEAD": "x\n"})
	for want, p := range map[string]DiscoverParams{
		"a.txt":                    {},
		".ci a.txt .gitignore":     {Hidden: true, Depth: 1},
		"a.txt out":                {IncludeIgnored: true, Depth: 1},
		".ci/run":                  {Path: ".ci"},
		".ci a.txt out .gitignore": {Hidden: true, IncludeIgnored: true, Depth: 1},
	} {
		var got []string
		for _, e := range must(t, w, Discover, p).Entries {
			got = append(got, e.Path)
		}
		slices.Sort(got)
		words := strings.Fields(want)
		slices.Sort(words)
		if !slices.Equal(got, words) {
			t.Errorf("%+v: %v, want %v", p, got, words)
		}
	}
}

// A folder that holds nothing but another folder is told by that one's path.
func TestChainsOfFolders(t *testing.T) {
	w := openTree(t, map[string]string{"src/main/java/org/acme/A.java": "class A {}\n", "src/main/java/org/acme/b/B.java": "class B {}\n", "doc/a.txt": "a\n", "lib/x/y/z.txt": "z\n", "lib/x/w/z.txt": "z\n"})
	for typ, want := range map[string]string{
		"":    "doc doc/a.txt lib/x lib/x/w lib/x/w/z.txt lib/x/y lib/x/y/z.txt src/main/java/org/acme src/main/java/org/acme/A.java src/main/java/org/acme/b src/main/java/org/acme/b/B.java",
		"dir": "doc lib lib/x lib/x/w lib/x/y src src/main src/main/java src/main/java/org src/main/java/org/acme src/main/java/org/acme/b",
	} {
		err := w.View(t.Context(), func(s *workspace.Snapshot) error {
			r, err := Discover(t.Context(), s, DiscoverParams{Type: typ})
			if err != nil {
				return err
			}
			var got []string
			for _, e := range r.Entries {
				got = append(got, e.Path)
			}
			if strings.Join(got, " ") != want || r.Total != len(got) {
				t.Errorf("type %q: %d of %d %q, want %s", typ, len(got), r.Total, got, want)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
