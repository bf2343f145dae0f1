package readtools

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOpenKinds(t *testing.T) {
	files := map[string]string{
		"lf.txt":      "a\nb\n",
		"crlf.txt":    "a\r\nb\r\n",
		"mixed.txt":   "a\r\nb\nc",
		"none.txt":    "a",
		"empty.txt":   "",
		"bom.txt":     "\xef\xbb\xbfa\nb\n",
		"u16.txt":     "\xff\xfea\x00\n\x00\xe9\x00",
		"bad.txt":     "caf\xe9\nok\n",
		"bin.dat":     "a\x00b",
		".hidden":     "h\n",
		"sp ace.txt":  "s\n",
		"odd:12":      "first\nsecond\n",
		"dir/x.go":    "package x\n\nfunc F() {}\n",
		".gitignore":  "out/\n",
		".git/HEAD":   "ref: refs/heads/main\n",
		"out/gen.txt": "g\n",
	}
	w := openTree(t, files)
	if err := os.Symlink("lf.txt", filepath.Join(w.Root(), "link.txt")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(w.Root(), "away.txt")); err != nil {
		t.Skip(err)
	}
	tests := []struct {
		target, text, encoding, eol string
		lines                       int
		bom                         bool
		code                        string
	}{
		{"lf.txt", "a\nb\n", "utf-8", "lf", 2, false, ""},
		{"./lf.txt", "a\nb\n", "utf-8", "lf", 2, false, ""},
		{"lf.txt:2", "b\n", "utf-8", "lf", 2, false, ""},
		{"lf.txt:2-", "b\n", "utf-8", "lf", 2, false, ""},
		{"lf.txt:1-9", "a\nb\n", "utf-8", "lf", 2, false, ""},
		{"crlf.txt", "a\nb\n", "utf-8", "crlf", 2, false, ""},
		{"mixed.txt", "a\nb\nc", "utf-8", "mixed", 3, false, ""},
		{"none.txt", "a", "utf-8", "none", 1, false, ""},
		{"empty.txt", "", "utf-8", "none", 0, false, ""},
		{"bom.txt", "a\nb\n", "utf-8", "lf", 2, true, ""},
		{"u16.txt", "a\né", "utf-16le", "lf", 2, true, ""},
		{"bad.txt", "caf\uFFFD\nok\n", "unknown", "lf", 2, false, ""},
		{".hidden", "h\n", "utf-8", "lf", 1, false, ""},
		{"out/gen.txt", "g\n", "utf-8", "lf", 1, false, ""},
		{"sp ace.txt", "s\n", "utf-8", "lf", 1, false, ""},
		{"odd:12", "first\nsecond\n", "utf-8", "lf", 2, false, ""},
		{"odd:12:2", "second\n", "utf-8", "lf", 2, false, ""},
		{"link.txt", "a\nb\n", "utf-8", "lf", 2, false, ""},
		{filepath.Join(w.Root(), "lf.txt"), "a\nb\n", "utf-8", "lf", 2, false, ""},
		{"away.txt", "", "", "", 0, false, "outside_workspace"},
		{"/etc/passwd", "", "", "", 0, false, "outside_workspace"},
		{"dir/../../x", "", "", "", 0, false, "outside_workspace"},
		{"bin.dat", "", "", "", 0, false, "precondition"},
		{"dir", "", "", "", 0, false, "precondition"},
		{"dir/nope.go", "", "", "", 0, false, "not_found"},
		{"lf.txt/x", "", "", "", 0, false, "not_found"},
		{"a\x00b", "", "", "", 0, false, "usage"},
	}
	for _, test := range tests {
		res, err := run(t, w, Open, OpenParams{Target: []string{test.target}})
		if code := codeOf(err); code != test.code {
			t.Errorf("%q: error %v, want %q", test.target, err, test.code)
		}
		if err != nil {
			continue
		}
		it := res.Items[0]
		if it.Text != test.text || it.Encoding != test.encoding || it.EOL != test.eol || it.TotalLines != test.lines || it.BOM != test.bom {
			t.Errorf("%q: %+v", test.target, it)
		}
		if data, ok := files[strings.TrimPrefix(test.target, "./")]; ok {
			if sum := sha256.Sum256([]byte(data)); it.SHA256 != hex.EncodeToString(sum[:]) {
				t.Errorf("%q: sha256 %s", test.target, it.SHA256)
			}
		}
		if test.target == "bad.txt" {
			if b, _ := base64.StdEncoding.DecodeString(it.Base64); string(b) != files["bad.txt"] {
				t.Errorf("%q: base64 of %q", test.target, b)
			}
		}
	}
}

// TestOpenWalk reads a file in pieces as the answers tell, and gets it whole.
func TestOpenWalk(t *testing.T) {
	var b strings.Builder
	for i := range 500 {
		b.WriteString(strings.Repeat("x", i%90) + "é\n")
	}
	w := openTree(t, map[string]string{"long.txt": b.String()})
	target, got := "long.txt", ""
	for n := 0; target != "" && n < 1000; n++ {
		res := must(t, w, Open, OpenParams{Target: []string{target}, Page: Page{Budget: 700}})
		got += res.Items[0].Text
		target = ""
		for _, note := range res.Notes {
			if _, rest, ok := strings.Cut(note, `target: "`); ok {
				target = strings.TrimSuffix(rest, `"`)
			}
		}
	}
	if got != b.String() {
		t.Errorf("the pieces hold %d bytes, the file %d", len(got), b.Len())
	}
}
