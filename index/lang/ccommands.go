package lang

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// A compilation database (clang's JSON Compilation Database) is a list of calls of the compiler:
//
//	[{"directory": "/r/build", "file": "../src/a.c", "command": "cc -I../include -c ../src/a.c"}, ...]
//
// with "arguments", a list, in place of "command" at times. Of these the folders are taken in which
// headers are looked for. They are paths of the machine that built; where the workspace lies on it
// follows from the folder that a call was made in, as it is the database's own, or else from what
// all paths have in common.

// commandsFile is the name of a compilation database.
const commandsFile = "compile_commands.json"

// includeFolder is the name of its facts.
const includeFolder = "include"

type compilerCall struct {
	Directory string   `json:"directory"`
	File      string   `json:"file"`
	Command   string   `json:"command"`
	Arguments []string `json:"arguments"`
}

// cCommands makes the facts of a compilation database: the folders of the workspace that headers
// are looked for in, in their order.
func cCommands(p string, src []byte) *graph.Facts {
	c := newConfig("c", p)
	var calls []compilerCall
	if json.Unmarshal(src, &calls) != nil {
		return c.f
	}
	root := buildRoot(path.Dir(p), calls)
	seen := map[string]bool{}
	for _, call := range calls {
		args := call.Arguments
		if len(args) == 0 {
			args = shellWords(call.Command)
		}
		for _, dir := range includeArguments(args) {
			full := cleanPath(call.Directory, dir)
			if full != root && !strings.HasPrefix(full, strings.TrimSuffix(root, "/")+"/") || seen[full] {
				continue
			}
			seen[full] = true
			rel := strings.Trim(full[len(strings.TrimSuffix(root, "/")):], "/")
			if rel == "" {
				rel = "."
			}
			c.add(graph.Namespace, includeFolder, rel, 0, 0)
		}
	}
	return c.f
}

// cleanPath is a path of the building machine, with slashes, from the folder of the call.
func cleanPath(dir, p string) string {
	p = strings.ReplaceAll(p, `\`, "/")
	if !path.IsAbs(p) && !strings.Contains(p, ":/") {
		p = strings.ReplaceAll(dir, `\`, "/") + "/" + p
	}
	return path.Clean(p)
}

// buildRoot is where the workspace lay on the machine that built; dir is the database's folder in it.
func buildRoot(dir string, calls []compilerCall) string {
	var common []string
	for i, call := range calls {
		at := cleanPath(call.Directory, ".")
		if root, ok := strings.CutSuffix(at, "/"+dir); ok && dir != "." {
			return root
		}
		for _, p := range []string{at, path.Dir(cleanPath(at, call.File))} {
			parts := strings.Split(p, "/")
			if i == 0 && common == nil {
				common = parts
			}
			n := 0
			for n < len(parts) && n < len(common) && parts[n] == common[n] {
				n++
			}
			common = common[:n]
		}
	}
	return strings.Join(common, "/")
}

// includeArguments are the folders that a compiler's arguments say headers are in.
func includeArguments(args []string) []string {
	var out []string
	flags := []string{"-I", "-isystem", "-iquote", "-idirafter"}
	if len(args) > 0 && slices.Contains([]string{"cl", "cl.exe", "clang-cl", "clang-cl.exe"}, path.Base(strings.ReplaceAll(args[0], `\`, "/"))) {
		flags = append(flags, "/I")
	}
	for i, a := range args {
		for _, f := range flags {
			if a == f && i+1 < len(args) {
				out = append(out, args[i+1])
			} else if dir, ok := strings.CutPrefix(a, f); ok && dir != "" && !slices.Contains(flags, a) {
				out = append(out, strings.TrimPrefix(dir, "="))
			}
		}
	}
	return out
}

// shellWords splits a command as a shell does, without expanding anything.
func shellWords(command string) []string {
	var out []string
	var word []byte
	quote, open := byte(0), false
	for i := 0; i < len(command); i++ {
		ch := command[i]
		switch {
		case ch == '\\' && quote != '\'' && i+1 < len(command):
			i++
			word, open = append(word, command[i]), true
		case quote != 0 && ch == quote:
			quote = 0
		case quote == 0 && (ch == '"' || ch == '\''):
			quote, open = ch, true
		case quote == 0 && (ch == ' ' || ch == '\t' || ch == '\n'):
			if open {
				out, word, open = append(out, string(word)), nil, false
			}
		default:
			word, open = append(word, ch), true
		}
	}
	if open {
		out = append(out, string(word))
	}
	return out
}

// includedByCommands is the header that a name leads to by the folders of the compilation databases,
// the nearest to the file that includes it; "" if none has it.
func includedByCommands(q ModuleQuery, m string) string {
	best, score := "", -1
	for _, hit := range q.Config(graph.Scope("config", commandsFile), includeFolder) {
		p := path.Join(hit.Value, m)
		if s := len(commonPrefix(p, q.From)); p != q.From && s > score && q.File(p) {
			best, score = p, s
		}
	}
	return best
}
