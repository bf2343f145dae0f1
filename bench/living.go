package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func init() { commands["living"] = living }

// living measures how long it takes until a change of one file is in an answer, over one
// connection to `codegraph mcp`: a change by somebody else, then one by the program's own
// tool, on the corpus and on made trees of several sizes. What a size costs more than the
// smallest is the ratio.
//
//	go run ./bench living [-corpus DIR] [-files 1000,10000,80000] [-edits 40] [-bin PATH]
func living(ctx context.Context, args []string, out io.Writer) error {
	fs := flag.NewFlagSet("living", flag.ContinueOnError)
	corpus := fs.String("corpus", "", "also measure a copy of this `folder`")
	files := fs.String("files", "1000,10000,80000", "`sizes` of made trees")
	edits := fs.Int("edits", 40, "edits a tree")
	bin := fs.String("bin", "", "the program; built if empty")
	if err := fs.Parse(args); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "codegraph-living-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if *bin, err = program(ctx, *bin, dir); err != nil {
		return err
	}
	fmt.Fprintf(out, "%-28s %8s %10s %10s %8s %10s %10s %8s %9s\n", "tree", "files", "other p50", "other p95", "ratio", "tool p50", "tool p95", "ratio", "RSS MiB")
	var first *livingRow
	for _, tree := range append(strings.Split(*files, ","), *corpus) {
		if tree == "" {
			continue
		}
		row, err := livingTree(ctx, *bin, dir, tree, *edits)
		if err != nil {
			return fmt.Errorf("%s: %w", tree, err)
		}
		if first == nil {
			first = row
		}
		fmt.Fprintf(out, "%-28s %8d %7.1f ms %7.1f ms %8.2f %7.1f ms %7.1f ms %8.2f %9.0f\n", row.name, row.files,
			1000*row.other[0], 1000*row.other[1], row.other[0]/first.other[0], 1000*row.tool[0], 1000*row.tool[1], row.tool[0]/first.tool[0], float64(row.rss)/(1<<20))
	}
	return nil
}

// livingRow is one tree's figures: p50 and p95 in seconds.
type livingRow struct {
	name        string
	files       int
	other, tool [2]float64
	rss         int64
}

func livingTree(ctx context.Context, bin, dir, tree string, edits int) (*livingRow, error) {
	root := filepath.Join(dir, "tree")
	defer func() { _ = os.RemoveAll(root) }()
	row := &livingRow{name: tree}
	file := "p0/f0.go"
	n, err := strconv.Atoi(tree)
	switch {
	case err == nil:
		row.name, row.files = "made", n
		err = makeTree(root, n)
	default:
		file = "strings/clone.go"
		row.files, _, err = copyCorpus(tree, root, false)
	}
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(root, ".codegraph.yaml"), []byte("edits: host\n"), 0o600); err != nil {
		return nil, err
	}
	m := &meter{ctx: ctx, bin: bin, root: root, state: filepath.Join(dir, "state"), home: filepath.Join(dir, "home")}
	defer func() { _ = os.RemoveAll(m.state) }()
	for _, d := range []string{m.state, m.home} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return nil, err
		}
	}
	if _, err := m.output("index"); err != nil {
		return nil, err
	}
	c, err := m.converse()
	if err != nil {
		return nil, err
	}
	defer c.close()
	return row, c.measure(row, filepath.Join(root, file), file, edits)
}

// makeTree writes n small Go files, twenty to a package; each calls one of the package before.
func makeTree(root string, n int) error {
	for i := range n {
		pkg := i / 20
		dir := filepath.Join(root, fmt.Sprintf("p%d", pkg))
		if i%20 == 0 {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				return err
			}
		}
		text := fmt.Sprintf("package p%d\n\nimport \"example.org/m/p%d\"\n\n// F%d adds %d.\nfunc F%d(x int) int { return p%d.F%d(x) + %d }\n", pkg, max(pkg-1, 0), i, i, i, max(pkg-1, 0), max(i-20, 0), i)
		if pkg == 0 {
			text = fmt.Sprintf("package p0\n\nfunc F%d(x int) int { return x + %d }\n", i, i)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.go", i)), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(root, "go.mod"), []byte("module example.org/m\n"), 0o600)
}

// conversation is one connection to the program over standard input and output.
type conversation struct {
	m   *meter
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	id  int
}

func (m *meter) converse() (*conversation, error) {
	cmd := m.command(m.bin, "-C", m.root, "mcp")
	cmd.Env = append(cmd.Env, "CODEGRAPH_DAEMON=auto", "CODEGRAPH_DAEMON_IDLE=20s")
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := &conversation{m: m, cmd: cmd, in: in, out: bufio.NewReader(out)}
	_, err = c.say("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "bench", "version": "0"}})
	return c, err
}

// close ends the connection, and the daemon behind it.
func (c *conversation) close() {
	_ = c.in.Close()
	_ = c.cmd.Wait() // it ends with its input
	_, _ = c.m.output("daemon", "stop", "-C", c.m.root)
}

// say sends a request and returns the result.
func (c *conversation) say(method string, params any) (map[string]any, error) {
	c.id++
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": c.id, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	if _, err := c.in.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	for {
		line, err := c.out.ReadBytes('\n')
		if err != nil {
			return nil, fmt.Errorf("%s: %w", method, err)
		}
		var r struct {
			ID     int             `json:"id"`
			Result map[string]any  `json:"result"`
			Error  json.RawMessage `json:"error"`
		}
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, err
		}
		switch {
		case r.ID != c.id: // a notice
		case r.Error != nil:
			return nil, fmt.Errorf("%s: %s", method, r.Error)
		default:
			return r.Result, nil
		}
	}
}

func (c *conversation) call(tool string, args map[string]any) (map[string]any, error) {
	r, err := c.say("tools/call", map[string]any{"name": tool, "arguments": args})
	if err != nil {
		return nil, err
	}
	if bad, _ := r["isError"].(bool); bad {
		return nil, fmt.Errorf("%s: %v", tool, r["structuredContent"])
	}
	s, _ := r["structuredContent"].(map[string]any)
	return s, nil
}

// finds reports whether there is one definition of that name, in an index that is fresh.
func (c *conversation) finds(name string) (bool, error) {
	r, err := c.call("grep", map[string]any{"pattern": "^" + name + "$", "in": "symbols"})
	if err != nil {
		return false, err
	}
	return r["total"] == float64(1) && r["fresh"] == true, nil
}

// measure changes a file again and again, first past the program and then by its tool.
func (c *conversation) measure(row *livingRow, full, file string, edits int) error {
	orig, err := os.ReadFile(full)
	if err != nil {
		return err
	}
	for end := time.Now().Add(time.Minute); ; {
		if _, err = c.finds("zzNone"); err == nil || time.Now().After(end) {
			break
		}
	}
	var other, tool []float64
	for i := -3; i < edits; i++ { // the first few only warm up
		name := fmt.Sprintf("zzOther%d", i+3)
		start := time.Now()
		if err := os.WriteFile(full, append(orig[:len(orig):len(orig)], "\nfunc "+name+"() {}\n"...), 0o600); err != nil {
			return err
		}
		if ok, err := c.finds(name); err != nil || !ok {
			return fmt.Errorf("%s is not found after its edit: %w", name, err)
		}
		if i >= 0 {
			other = append(other, time.Since(start).Seconds())
		}
	}
	before := fmt.Sprintf("func zzOther%d() {}", edits+2)
	for i := -3; i < edits; i++ {
		after := fmt.Sprintf("func zzTool%d() {}", i+3)
		start := time.Now()
		r, err := c.call("replace_block", map[string]any{"path": file, "old": before, "new": after})
		if err != nil {
			return err
		}
		if r["applied"] != true || r["fresh"] != true {
			return fmt.Errorf("the edit is not made and indexed: %v", r)
		}
		if i >= 0 {
			tool = append(tool, time.Since(start).Seconds())
		}
		before = after
	}
	row.other = [2]float64{percentile(other, 50), percentile(other, 95)}
	row.tool = [2]float64{percentile(tool, 50), percentile(tool, 95)}
	for _, pid := range c.m.owners() {
		if u, ok := processUsage(pid); ok {
			row.rss = max(row.rss, u.RSS)
		}
	}
	return nil
}
