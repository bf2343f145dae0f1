package edittools

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// project is a real project whose own compiler judges moves in it.
type project struct {
	name  string
	tools []string // programs that have to be there
	// sources finds the tree; empty if it is not on this machine.
	sources func() string
	ext     string
	mark    string // is in the lines of the output that name an error
	// errors are what the compiler has to say about the tree.
	errors func(root string) string
}

// output is what a command prints, whether or not it fails.
func output(dir string, env []string, name string, args ...string) string {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil && len(out) == 0 {
		return err.Error()
	}
	return string(out)
}

func fromEnv(name string) func() string { return func() string { return os.Getenv(name) } }

const importAll = `
import importlib, pkgutil, sys
root = sys.argv[1]
sys.path.insert(0, root)
for m in pkgutil.walk_packages([root]):
    if m.name.endswith("__main__") or m.name.split(".")[0] not in sys.argv[2:]: continue
    try: importlib.import_module(m.name)
    except BaseException as e: print(type(e).__name__, e)
`

var projects = []project{
	{name: "go", tools: []string{"go"}, ext: ".go",
		sources: func() string {
			if dir := os.Getenv("CODEGRAPH_MOVES_GO"); dir != "" {
				return dir
			}
			return strings.TrimSpace(output(".", nil, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/spf13/cobra"))
		},
		errors: func(root string) string {
			return output(root, []string{"GOFLAGS=-mod=mod"}, "go", "vet", "./...")
		}},
	{name: "python", tools: []string{"python3"}, ext: ".py",
		sources: func() string {
			if dir := os.Getenv("CODEGRAPH_MOVES_PYTHON"); dir != "" {
				return dir
			}
			return strings.TrimSpace(output(".", nil, "python3", "-c", "import email, os; print(os.path.dirname(email.__file__))"))
		},
		errors: func(root string) string {
			top, _ := os.ReadDir(root)
			args := []string{"-c", importAll, root}
			for _, d := range top {
				args = append(args, strings.TrimSuffix(d.Name(), ".py"))
			}
			return output(root, []string{"PYTHONDONTWRITEBYTECODE=1"}, "python3", args...)
		}},
	{name: "typescript", tools: []string{"tsc"}, ext: ".ts", mark: "error", sources: fromEnv("CODEGRAPH_MOVES_TYPESCRIPT"),
		errors: func(root string) string {
			return output(root, nil, "tsc", append([]string{"--noEmit", "--skipLibCheck", "--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext"}, sourcesIn(root, ".ts")...)...)
		}},
	{name: "java", tools: []string{"javac"}, ext: ".java", mark: "error:", sources: fromEnv("CODEGRAPH_MOVES_JAVA"),
		errors: func(root string) string {
			return output(root, nil, "javac", append([]string{"-d", filepath.Join(os.TempDir(), "codegraph-moves-classes"), "-nowarn", "-proc:none", "-Xmaxerrs", "1000"}, sourcesIn(root, ".java")...)...)
		}},
}

// sourcesIn are the files of an extension below root, relative to it.
func sourcesIn(root, ext string) (out []string) {
	_ = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && strings.HasSuffix(p, ext) && !strings.HasSuffix(p, ".d.ts") {
			rel, _ := filepath.Rel(root, p)
			out = append(out, filepath.ToSlash(rel))
		}
		return nil
	})
	return out
}

var (
	placeInText = regexp.MustCompile(`[\w./-]+\.(go|py|ts|java)(:\d+)*(\(\d+,\d+\))?`)
	digits      = regexp.MustCompile(`\d+`)
)

// complaints are the lines of a compiler's output that name errors, without places.
func (p *project) complaints(text string) map[string]int {
	out := map[string]int{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" || !strings.Contains(line, p.mark) {
			continue
		}
		out[digits.ReplaceAllString(placeInText.ReplaceAllString(strings.TrimSpace(line), "FILE"), "N")]++
	}
	return out
}

// worse are the complaints that there are more of than before.
func worse(before, after map[string]int) (out []string) {
	for line, n := range after {
		if n > before[line] {
			out = append(out, line)
		}
	}
	slices.Sort(out)
	return out
}

// TestMovesBuild moves random files and folders of real projects; each still builds, or the move is refused, or
// the result tells what could not be proven. CODEGRAPH_MOVES says how many of each,
// CODEGRAPH_MOVES_GO and so on where the sources are.
func TestMovesBuild(t *testing.T) {
	n, seed := 2, uint64(1)
	if s := os.Getenv("CODEGRAPH_MOVES"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	if s := os.Getenv("CODEGRAPH_MOVES_SEED"); s != "" {
		seed, _ = strconv.ParseUint(s, 10, 64)
	}
	for _, p := range projects {
		t.Run(p.name, func(t *testing.T) {
			if testing.Short() {
				t.Skip("runs compilers")
			}
			for _, tool := range p.tools {
				if _, err := exec.LookPath(tool); err != nil {
					t.Skipf("there is no %s", tool)
				}
			}
			dir := p.sources()
			if dir == "" {
				t.Skipf("CODEGRAPH_MOVES_%s does not name a tree", strings.ToUpper(p.name))
			}
			p.run(t, dir, n, rand.New(rand.NewPCG(seed, 7)))
		})
	}
}

func (p *project) run(t *testing.T, dir string, n int, rnd *rand.Rand) {
	b := newBench(t, nil)
	to := b.root
	if p.name == "python" { // the package itself lies below the root
		to = filepath.Join(b.root, filepath.Base(dir))
	}
	copyTree(t, dir, to)
	before := p.complaints(p.errors(b.root))
	count := map[string]int{}
	for i := range n {
		from, dest := p.move(b.root, rnd)
		r, err := run(b, MovePath, MoveParams{From: from, To: dest, UpdateReferences: true})
		if err != nil {
			count["refused"]++
			t.Logf("%d: %s to %s: refused: %.300v", i, from, dest, err)
			continue
		}
		bad := worse(before, p.complaints(p.errors(b.root)))
		told := len(r.Delta.Broken) > 0 || len(r.Notes) > 0 || slices.ContainsFunc(r.Unproven, func(m Mention) bool { return path.Ext(m.Path) == p.ext })
		switch {
		case len(bad) == 0:
			count["builds"]++
		case told:
			count["told"]++
			t.Logf("%d: %s to %s: does not build, and tells so: %.600q; %d broken, notes %.300q, unproven %.300v", i, from, dest, bad, len(r.Delta.Broken), r.Notes, r.Unproven)
		default:
			count["silent"]++
			t.Errorf("%d: %s to %s: does not build: %.1500s", i, from, dest, strings.Join(bad, "\n"))
		}
		b.undoLast()
	}
	t.Logf("%d moves tried, %d build, %d refused, %d do not build and tell what was not proven, %d do not build", n, count["builds"], count["refused"], count["told"], count["silent"])
}

// move chooses a file or folder and where it goes: another name, another folder, a new folder.
func (p *project) move(root string, rnd *rand.Rand) (from, to string) {
	files := slices.DeleteFunc(sourcesIn(root, p.ext), func(f string) bool {
		return strings.HasPrefix(path.Base(f), "__") || strings.HasPrefix(path.Base(f), "package-info") || strings.Contains(f, "testdata/")
	})
	folders := map[string]bool{}
	for _, f := range sourcesIn(root, p.ext) {
		folders[path.Dir(f)] = true
	}
	dirs := slices.Sorted(func(yield func(string) bool) {
		for d := range folders {
			if !yield(d) {
				return
			}
		}
	})
	from = files[rnd.IntN(len(files))]
	base, ext := strings.TrimSuffix(path.Base(from), p.ext), p.ext
	if stem, ok := strings.CutSuffix(base, "_test"); ok {
		base, ext = stem, "_test"+ext
	}
	if p.ext == ".java" { // the name of a public class is the file's
		return from, path.Join(path.Dir(from), []string{"moved", "../moved", "."}[rnd.IntN(2)], path.Base(from))
	}
	switch dir := dirs[rnd.IntN(len(dirs))]; rnd.IntN(4) {
	case 0:
		return from, path.Join(path.Dir(from), base+"zz"+ext)
	case 1:
		return from, path.Join(dir, base+"zz"+ext)
	case 2:
		return from, path.Join(dir, "fresh", path.Base(from))
	default:
		if dir == "." {
			return from, path.Join(path.Dir(from), base+"yy"+ext)
		}
		return dir, dir + "zz"
	}
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, p)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == "__pycache__" || d.Name() == "node_modules" {
				return fs.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		if !d.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), bytes.Clone(data), 0o644)
	})
	if err != nil {
		t.Fatal(fmt.Errorf("copy sources: %w", err))
	}
}
