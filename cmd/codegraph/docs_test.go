package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/codegraph-dev/codegraph/cmd/codegraph/agents"
	"github.com/codegraph-dev/codegraph/index/lang"
	"github.com/codegraph-dev/codegraph/mcpserver"
)

var updateDocs = flag.Bool("update", false, "write the generated documents anew")

// generated is the documents that the code writes, by their paths below docs.
func generated(t *testing.T) map[string]string {
	t.Helper()
	a := &app{}
	out := map[string]string{"tools.md": toolsPage(a), "languages.md": languagesPage()}
	for _, tl := range a.tools() {
		in, err := mcpserver.InputSchema(tl.Params)
		if err != nil {
			t.Fatal(err)
		}
		res, err := mcpserver.OutputSchema(tl.Result)
		if err != nil {
			t.Fatal(err)
		}
		for kind, s := range map[string]json.RawMessage{"input": in, "output": res} {
			var b bytes.Buffer
			if err := json.Indent(&b, s, "", "  "); err != nil {
				t.Fatal(err)
			}
			out["schema/"+tl.Name+"."+kind+".json"] = b.String() + "\n"
		}
	}
	return out
}

const madeBy = "<!-- made from the code: go test ./cmd/codegraph -run TestGeneratedDocs -update -->\n\n"

func toolsPage(a *app) string {
	var b strings.Builder
	b.WriteString(madeBy + "# Tools\n\nEvery tool is at hand over MCP and as a verb in a shell; each parameter is a flag of the verb, with dashes for\n" +
		"underscores. The schemas of arguments and results are in [schema](schema).\n")
	for _, t := range a.tools() {
		fmt.Fprintf(&b, "\n## %s\n\n`codegraph %s`: %s. %s\n\n", t.Name, t.verb, t.short, map[bool]string{true: "Read-only.", false: "Changes files; each call needs approval."}[t.Hints.ReadOnly])
		b.WriteString("| parameter | type | meaning |\n| --- | --- | --- |\n")
		for _, f := range mcpserver.Fields(t.Params) {
			name := "`" + f.JSON + "`"
			if f.Short != "" {
				name += " (`-" + f.Short + "`)"
			}
			if f.Required {
				name += ", required"
			}
			kind := f.Type.String()
			if f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct {
				kind = "list of objects"
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", name, kind, strings.ReplaceAll(docOf(f), "|", `\|`))
		}
		fmt.Fprintf(&b, "\nWhat a model reads of it:\n\n%s\n", quoteLines(t.Description))
	}
	return b.String() + resourcesSection()
}

func resourcesSection() string {
	var b strings.Builder
	b.WriteString("\n## Resources\n\nOver MCP there is also what a person or a client can attach or watch. `{path}` and `{id}` are completed from the index;\n" +
		"they may be written with escapes or as they are. Who subscribes to one that can be watched is told when it has changed.\n\n" +
		"| resource | type | contents |\n| --- | --- | --- |\n")
	for _, r := range resources(sources{watch: (&standing{}).watch}) {
		mime, text := r.MIME, r.Description
		if mime == "" {
			mime = "the file's"
		}
		if r.Watch != nil {
			text += " Can be watched."
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.URI, mime, text)
	}
	return b.String()
}

func quoteLines(s string) string {
	return "> " + strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n> "), "> \n", ">\n")
}

func languagesPage() string {
	var b strings.Builder
	b.WriteString(madeBy + "# Languages\n\nText search and file finding work on everything. Of files in these languages there are symbols, references and\n" +
		"relations as well. `languages` in `.codegraph.yaml` names the only ones that are wanted.\n\n" +
		"| language | also called | files | interpreters |\n| --- | --- | --- | --- |\n")
	for _, l := range lang.All() {
		files := append(append([]string{}, l.Extensions...), l.Filenames...)
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", l.Name, strings.Join(l.Aliases, ", "), strings.Join(files, " "), strings.Join(l.Shebangs, " "))
	}
	b.WriteString("\nTo add one, write one file in `index/lang`: a table from the grammar's node kinds to a fixed vocabulary, with a few\nhooks, and a line in `registry.go`.\n")
	return b.String()
}

// TestGeneratedDocs holds the documents to the code.
func TestGeneratedDocs(t *testing.T) {
	docs := filepath.Join("..", "..", "docs")
	for name, want := range generated(t) {
		path := filepath.Join(docs, filepath.FromSlash(name))
		if *updateDocs {
			put(t, path, want)
			_ = os.Chmod(path, 0o644)
			continue
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s is not what the code says (%v): go test ./cmd/codegraph -run TestGeneratedDocs -update", name, err)
		}
	}
	text, err := os.ReadFile(filepath.Join(docs, "agents.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range agents.All() {
		if !strings.Contains(string(text), "`"+a.Name+"`") {
			t.Errorf("agents.md does not name %s", a.Name)
		}
	}
}

var shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

// serving are the verbs that a document may show but a test cannot call: they wait for
// somebody, or for an id.
var serving = []string{"mcp", "serve", "approve", "deny"}

// pages are the documents in which commands stand.
func pages(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, p := range append(paths, filepath.Join("..", "..", "README.md"), filepath.Join("..", "..", "SECURITY.md"), filepath.Join("..", "..", "CONTRIBUTING.md")) {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(p)] = string(text)
	}
	return out
}

// TestDocCommands runs every command of the documents on this repository, in a clean home.
// Of the tools that build and test the program itself it checks that what they name is there.
func TestDocCommands(t *testing.T) {
	home, _ := cleanHome(t)
	t.Setenv("PATH", home)
	put(t, filepath.Join(home, ".cursor", "mcp.json"), "{}\n") // an agent that `install` finds
	ran := 0
	for page, text := range pages(t) {
		for _, m := range shellBlock.FindAllStringSubmatch(text, -1) {
			for line := range strings.Lines(m[1]) {
				line, _, _ = strings.Cut(line, "  #")
				words := shellWords(strings.TrimSpace(line))
				if ours := ownWords(words); ours != nil {
					runDocCommand(t, page, ours)
					ran++
				} else if len(words) > 0 {
					checkGoCommand(t, page, words)
				}
			}
		}
	}
	if ran < 20 {
		t.Errorf("only %d commands", ran)
	}
}

// ownWords are the arguments of a command that runs this program, nil for another one.
func ownWords(words []string) []string {
	switch {
	case len(words) > 1 && words[0] == "codegraph":
		return words[1:]
	case len(words) > 3 && strings.Join(words[:3], " ") == "go run ./cmd/codegraph":
		return words[3:]
	}
	return nil
}

// checkGoCommand looks for the packages and tests that a go command names. Other programs
// are those that docs name beside ours.
func checkGoCommand(t *testing.T, page string, words []string) {
	t.Helper()
	for len(words) > 0 && strings.Contains(words[0], "=") {
		words = words[1:]
	}
	if len(words) == 0 || words[0] != "go" {
		if len(words) > 0 && words[0] != "npm" {
			t.Errorf("%s: %q is run by no test", page, words)
		}
		return
	}
	dir := ""
	for i, w := range words {
		if rest, ok := strings.CutPrefix(w, "./"); ok && rest != "..." {
			dir = filepath.Join("..", "..", rest)
			if found, _ := filepath.Glob(filepath.Join(dir, "*.go")); len(found) == 0 {
				t.Errorf("%s: %q: there is no package %s", page, words, w)
			}
		}
		if i > 0 && words[i-1] == "-run" {
			for name := range strings.SplitSeq(w, "|") {
				if !hasTest(t, dir, name) {
					t.Errorf("%s: %q: there is no test %s", page, words, name)
				}
			}
		}
	}
}

// hasTest reports whether a package has a test.
func hasTest(t *testing.T, dir, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "func "+name+"(") {
			return true
		}
	}
	return false
}

// inlineCommand is a command within a sentence.
var inlineCommand = regexp.MustCompile("`codegraph ([a-z][^`]*)`")

// TestDocVerbs looks for the verbs that the documents name in their sentences.
func TestDocVerbs(t *testing.T) {
	a := &app{}
	top := a.command()
	top.InitDefaultCompletionCmd()
	for page, text := range pages(t) {
		for _, m := range inlineCommand.FindAllStringSubmatch(text, -1) {
			words := shellWords(m[1])
			if c, _, err := top.Find(words[:1]); err != nil || c.Parent() == nil {
				t.Errorf("%s: there is no verb in `codegraph %s`", page, m[1])
			}
		}
	}
}

func runDocCommand(t *testing.T, page string, words []string) {
	t.Helper()
	a := &app{}
	top := a.command()
	top.InitDefaultCompletionCmd()
	if c, _, err := top.Find(words); err != nil || c.Parent() == nil {
		t.Errorf("%s: there is no verb %v", page, words)
		return
	}
	if slices.Contains(serving, words[0]) {
		return
	}
	if strings.Contains("write replace delete move install uninstall", words[0]) {
		words = append(words, "--dry-run")
	}
	if !strings.Contains(strings.Join(words, " "), " -C ") {
		words = append([]string{"-C", filepath.Join("..", "..")}, words...)
	}
	code, out, errOut := call(t, words...)
	if code != exitDone && !(code == exitNothing && slices.Contains(words, "--list")) { // there may be nothing to list
		t.Errorf("%s: codegraph %q: exit %d\n%.500s\n%.500s", page, words, code, out, errOut)
	}
	if strings.Join(words[2:], " ") == "explore" && !strings.Contains(out, "cmd/codegraph/main.go:") { // the newcomer's first command
		t.Errorf("%s: codegraph explore does not tell where this program begins:\n%s", page, out)
	}
}

// shellWords splits a line at spaces, but not within quotes.
func shellWords(s string) []string {
	var out []string
	var word strings.Builder
	quote, any := rune(0), false
	for _, r := range s {
		switch {
		case quote == 0 && (r == '\'' || r == '"'):
			quote, any = r, true
		case r == quote:
			quote = 0
		case r == ' ' && quote == 0:
			if any {
				out = append(out, word.String())
			}
			word.Reset()
			any = false
		default:
			word.WriteRune(r)
			any = true
		}
	}
	if any {
		out = append(out, word.String())
	}
	return out
}

// TestShell completes paths and symbols, prints pages for man, and speaks to editors.
func TestShell(t *testing.T) {
	root := project(t)
	for _, c := range []struct{ args, want string }{
		{"__complete open go/sto", "go/store/\n"},
		{"__complete open go/store/st", "go/store/store.go\n"},
		{"__complete explore ErrM", "ErrMissing\t"},
		{"__complete grep x go/sto", "go/store/\n"},
		{"__complete move go/store/st", "go/store/store.go\n"},
		{"__complete grep --in sym", "symbols\n"},
		{"__complete install --agent cur", "cursor\n"},
		{"man", ".SH VERBS\n"},
		{"man grep", ".B codegraph grep PATTERN [PATH...]"},
		{"grep ErrMissing --vimgrep", "go/store/store.go:7:5:var ErrMissing"},
	} {
		code, out, errOut := call(t, append([]string{"-C", root}, strings.Fields(c.args)...)...)
		if code != 0 || !strings.Contains(out, c.want) {
			t.Errorf("codegraph %s: exit %d, no %q in\n%.400s\n%.200s", c.args, code, c.want, out, errOut)
		}
	}
}
