package readtools

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestConfigKeys(t *testing.T) {
	tests := []struct {
		name, path, text string
		want             string // path=value@line, blank-separated
	}{
		{"yaml", "a.yml", "# c: 1\nmail:\n  pool:\n    limit: 9\n  retry:\n    limit: 3 # three\n", "mail=@2 mail.pool=@3 mail.pool.limit=9@4 mail.retry=@5 mail.retry.limit=3@6"},
		{"yaml list", "a.yaml", "s:\n- name: a\n  port: 1\n- name: b\nt: x\n", "s=@1 s.0.name=a@2 s.0.port=1@3 s.1.name=b@4 t=x@5"},
		{"yaml nested list", "a.yaml", "s:\n  - - k: 1\n    - k: 2\n  - m: 3\n", "s=@1 s.0.0.k=1@2 s.0.1.k=2@3 s.1.m=3@4"},
		{"yaml texts", "a.yaml", "a: |\n  no: key\n\n  no2: key\nb: >-\n   no: key\nc: \"x\n  no: y\"\nd: 'it''s: fine'\n", "a=@1 b=@5 c=@7 d=it's:_fine@9"},
		{"yaml flow", "a.yaml", "a: {b: 1, c: {d: [2, {e: 3}]}}\nf: [\n  {g: 4}\n]\nh: 5\n", "a=@1 a.b=1@1 a.c=@1 a.c.d=@1 a.c.d.1.e=3@1 f=@2 f.0.g=4@3 h=5@5"},
		{"yaml odd", "a.yaml", "a.b: 1\n\"q k\": 2\nu: http://x/y#z\n---\nk: &anchor v\nm: !tag\n  n: 1\nurl: a:b\n", "a.b=1@1 q_k=2@2 u=http://x/y#z@3 k=v@5 m=@6 m.n=1@7 url=a:b@8"},
		{"yaml crlf", "a.yaml", "a:\r\n  b: 1\r\n", "a=@1 a.b=1@2"},
		{"json", "a.json", "{\n \"a\": {\"b\": [1, {\"c\": \"x\"}]}, // note\n /* \"no\": 1 */ \"d\": null,\n}", "a=@2 a.b=@2 a.b.1.c=x@2 d=null@3"},
		{"json5", "a.json5", "{a: 1, 'b': \"x:y\", c: {}}", "a=1@1 b=x:y@1 c=@1"},
		{"toml", "a.toml", "top = 1\n[a.b]\nc = \"x\" # n\nd.e = 2\n[[p]]\nn = 1\n[[p]]\nn = { q = 3 }\ns = \"\"\"\nno = 1\n\"\"\"\nl = [\n  1,\n]\nz = 'y'\n",
			"top=1@1 a.b.c=x@3 a.b.d.e=2@4 p.0.n=1@6 p.1.n=@8 p.1.n.q=3@8 p.1.s=@9 p.1.l=@12 p.1.z=y@15"},
		{"ini", "a.ini", "; c\n[s]\nk = v\nj: w\n[remote \"origin\"]\n\turl = u\n", "s.k=v@3 s.j=w@4 remote.origin.url=u@6"},
		{"env", ".env.local", "# x=1\nA=1\nexport B=\"two\"\nnot a key\n", "A=1@2 B=two@3"},
		{"properties", "a.properties", "a.b=1\n! no=1\nc : 2\nd\\:e 3\nf=x\\\n  no=1\ng=\n", "a.b=1@1 c=2@3 d:e=3@4 f=x\\@5 g=@7"},
		{"hcl", "a.tf", "resource \"aws\" \"n\" {\n  port = 80\n  tags = {\n    k = \"v\"\n  }\n  doc = <<EOT\nno = 1\nEOT\n  b { c = 1 }\n}\nx = 2\n",
			"resource.aws.n=@1 resource.aws.n.port=80@2 resource.aws.n.tags=@3 resource.aws.n.tags.k=v@4 resource.aws.n.doc=<<EOT@6 resource.aws.n.b=@9 x=2@11"},
		{"docker", "Dockerfile", "FROM go AS b\nENV A=1 B=\"two three\"\nENV C d e\nRUN x=1 \\\n  y=2\nEXPOSE 80\n",
			"FROM=go_AS_b@1 ENV=A=1_B=\"two_three\"@2 ENV.A=1@2 ENV.B=two_three@2 ENV=C_d_e@3 ENV.C=d_e@3 RUN=x=1@4 EXPOSE=80@6"},
	}
	for _, test := range tests {
		var got []string
		for _, k := range formatOf(test.path)(test.text) {
			line := 1 + strings.Count(test.text[:k.Off], "\n")
			got = append(got, strings.ReplaceAll(fmt.Sprintf("%s=%s@%d", k.Path, k.Value, line), " ", "_"))
		}
		want := strings.Fields(test.want)
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n got %s\nwant %s", test.name, strings.Join(got, " "), strings.Join(want, " "))
		}
	}
}

func TestKeyEnds(t *testing.T) {
	tests := []struct {
		path, end string
		want      bool
	}{{"a.b", "a.b", true}, {"x.a.b", "a.b", true}, {"xa.b", "a.b", false}, {"a.b.c", "a.b", false}}
	for _, test := range tests {
		if got := endsInKey(test.path, test.end); got != test.want {
			t.Errorf("endsInKey(%q, %q) = %v", test.path, test.end, got)
		}
	}
	if got := withoutElements("a.0.b.12"); got != "a.b" {
		t.Errorf("withoutElements: %q", got)
	}
}

// FuzzConfigKeys holds every format to what its users rely on: it ends, and each key stands
// where it says.
func FuzzConfigKeys(f *testing.F) {
	for _, s := range []string{"a:\n  - b: {c: [1]}\n", "{\"a\": [1, {\"b\": 2}]}", "[a]\nb = \"\"\"\nx\n\"\"\"\n", "a {\n b = <<X\nX\n}", "ENV A=1 \\\n B=2", "a\\=b : c\\\n d", "- - - x: 1", "{[{[", "\"\\", "a: &b !c |"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range []string{"a.yaml", "a.json", "a.toml", "a.ini", ".env", "a.properties", "a.tf", "Dockerfile"} {
			for _, k := range formatOf(p)(text) {
				if k.Off < 0 || k.Off > len(text) {
					t.Fatalf("%s: key %+v is outside the text", p, k)
				}
			}
		}
	})
}

// TestLargeConfig leaves data in the form of configuration out of a search for keys, and says so.
func TestLargeConfig(t *testing.T) {
	w := openTree(t, map[string]string{
		"a.json":    `{"server": {"port": 1}}`,
		"data.json": `{"server": {"port": "` + strings.Repeat("x", maxConfig) + `"}}`,
	})
	r := must(t, w, Grep, GrepParams{Pattern: "server.port", In: "config"})
	if r.Total != 1 || r.Matches[0].Path != "a.json" || r.Complete || len(r.Skipped) != 1 || r.Skipped[0].Path != "data.json" {
		t.Errorf("%d matches, complete %v, skipped %+v", r.Total, r.Complete, r.Skipped)
	}
}
