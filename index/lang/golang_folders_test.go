package lang

import "testing"

// TestGoImports adds and drops imports in every form that a file may have them.
func TestGoImports(t *testing.T) {
	const block = "package p\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\n\t\"ex.org/m/b\"\n)\n\nvar x = 1\n"
	for _, c := range []struct{ src, add, drop, want string }{
		{"package p // note\n", "ex.org/m/a", "", "package p // note\n\nimport \"ex.org/m/a\"\n"},
		{"package p\n\nimport \"fmt\"\n", "ex.org/m/a", "", "package p\n\nimport (\n\t\"fmt\"\n\n\t\"ex.org/m/a\"\n)\n"},
		{block, "ex.org/m/a", "", "package p\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\n\t\"ex.org/m/a\"\n\t\"ex.org/m/b\"\n)\n\nvar x = 1\n"},
		{block, "ex.org/m/c", "", "package p\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\n\t\"ex.org/m/b\"\n\t\"ex.org/m/c\"\n)\n\nvar x = 1\n"},
		{block, "", "os", "package p\n\nimport (\n\t\"fmt\"\n\n\t\"ex.org/m/b\"\n)\n\nvar x = 1\n"},
		{block, "", "ex.org/m/b", "package p\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nvar x = 1\n"},
		{"package p\n\nimport \"fmt\"\n\nvar x = 1\n", "", "fmt", "package p\n\nvar x = 1\n"},
		{"package p\n\nimport \"fmt\"\nimport \"os\"\n", "", "fmt", "package p\n\nimport \"os\"\n"},
		{"package p\n\nimport (\n\t\"fmt\"\n)\n", "ex.org/m/a", "", "package p\n\nimport (\n\t\"fmt\"\n\n\t\"ex.org/m/a\"\n)\n"},
		{"not go", "ex.org/m/a", "fmt", "not go"},
	} {
		got := []byte(c.src)
		if c.add != "" {
			got = goFolders.Import(got, FolderImport{Path: c.add})
		}
		if c.drop != "" {
			got = goFolders.Drop(got, c.drop)
		}
		if string(got) != c.want {
			t.Errorf("%q, add %s, drop %s: got %q, want %q", c.src, c.add, c.drop, got, c.want)
		}
	}
}

// TestGoVisible asks who may import internal packages.
func TestGoVisible(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"ex.org/m/a", "ex.org/m/b", true}, {"ex.org/m/a", "ex.org/m/internal/b", true}, {"ex.org/m", "ex.org/m/internal", true},
		{"ex.org/n", "ex.org/m/internal/b", false}, {"ex.org/m/a", "ex.org/m/b/internal", false}, {"ex.org/m/b/c/d", "ex.org/m/b/internal/x", true},
		{"ex.org/mm", "ex.org/m/internal", false}, {"ex.org/m/a", "ex.org/m/internals/b", true},
	} {
		if got := goFolders.Visible(c.from, c.to); got != c.want {
			t.Errorf("%s of %s: got %v", c.to, c.from, got)
		}
	}
}

// TestGoNames tells an import's name from others.
func TestGoNames(t *testing.T) {
	src := []byte("package p\n\nfunc f(d int) { d.x(); b.Y(b.Z); _ = struct{ c int }{c: 1} }\n")
	for name, want := range map[string]int{"b": 2, "d": 0, "c": 0} {
		if got := goFolders.Qualifies(src, name); got != want {
			t.Errorf("%s qualifies %d, want %d", name, got, want)
		}
	}
	for name, want := range map[string]bool{"b": true, "d": true, "c": true, "Y": false, "x": false, "p": false} {
		if got := goFolders.Mentions(src, name); got != want {
			t.Errorf("%s is mentioned: %v", name, got)
		}
	}
}
