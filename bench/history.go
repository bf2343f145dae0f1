package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

func init() { commands["history"] = history }

// history measures how well codebase_explore finds the files that a change needs. A list names
// a repository's commit and later commits; each of these is a question, its message, and the
// right answer is the source files that it changed. The first commit's tree is indexed once and
// asked them all over one connection to `codegraph mcp`. Plain BM25 over the same files is the
// measure beside it (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009).
//
//	go run ./bench history -git GITDIR [-limit 300] [-bin PATH] [-misses] LIST.json
//
// hit@k is the share of questions with a right file among the first k, recall@10 the share of
// the right files among the first ten, MRR the mean of one by the place of the first right file.
func history(ctx context.Context, args []string, out io.Writer) error {
	fs := flag.NewFlagSet("history", flag.ContinueOnError)
	git := fs.String("git", "", "the repository's git `folder`")
	limit := fs.Int("limit", 300, "questions asked")
	bin := fs.String("bin", "", "the program; built if empty")
	misses := fs.Bool("misses", false, "print the questions without a right file among the first five")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if fs.NArg() != 1 || *git == "" {
		return fmt.Errorf("say a repository and one list: go run ./bench history -git GITDIR LIST.json")
	}
	list, err := readHistory(fs.Arg(0), *git)
	if err != nil {
		return err
	}
	list.Questions = list.Questions[:min(*limit, len(list.Questions))]
	dir, err := os.MkdirTemp("", "codegraph-history-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if *bin, err = program(ctx, *bin, dir); err != nil {
		return err
	}
	root := filepath.Join(dir, "tree")
	if err := list.checkout(ctx, root); err != nil {
		return err
	}
	plain, err := newBM25(root, list.source)
	if err != nil {
		return err
	}
	var base, ours ranking
	for _, q := range list.Questions {
		base.add(plain.rank(q.message), q.Files)
	}
	start := time.Now()
	if err := list.ask(ctx, *bin, dir, func(q *historyQuestion, files []string) {
		if at := ours.add(files, q.Files); *misses && (at < 0 || at >= 5) {
			title, _, _ := strings.Cut(q.message, "\n")
			fmt.Fprintf(out, "%.10s %s\n\twanted %s\n\tgot    %s\n", q.Commit, title, strings.Join(q.Files, " "), strings.Join(files[:min(5, len(files))], " "))
		}
	}); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %d files, %d questions, %.0f ms each\n", list.Repository, len(plain.files), len(list.Questions), 1000*time.Since(start).Seconds()/float64(max(1, len(list.Questions))))
	fmt.Fprintf(out, "%-18s %7s %7s %10s %7s\n", "", "hit@1", "hit@5", "recall@10", "MRR")
	fmt.Fprintf(out, "%-18s %s\n%-18s %s\n", "plain BM25", base, "codebase_explore", ours)
	return nil
}

// historyList is a list of questions as it stands in its file.
type historyList struct {
	Repository string            `json:"repository"`
	Base       string            `json:"base"`
	Suffixes   []string          `json:"suffixes"`
	Questions  []historyQuestion `json:"questions"`

	git string
}

type historyQuestion struct {
	Commit string   `json:"commit"`
	Files  []string `json:"files"`

	message string
}

// trailer is a line of a message that says nothing of the change.
var trailer = regexp.MustCompile(`(?m)^(Signed-off-by|Co-authored-by|Fixes|Closes|See|PR-URL|Reviewed).*$`)

// beside are paths that hold no answers: tests, examples, documents, copies of others' code.
var beside = regexp.MustCompile(`(?i)(^|/)(tests?|testdata|spec|specs|__tests__|fixtures?|vendor|third_party|node_modules|docs?|examples?|benches|benchmarks?|dist|build|packages-private|dts-test)/|_test\.|\.test\.|\.spec\.|\.pb\.|(^|/)test_`)

func readHistory(path, git string) (*historyList, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	l := &historyList{git: git}
	if err := json.Unmarshal(data, l); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if l.Base == "" || len(l.Questions) == 0 {
		return nil, fmt.Errorf("%s: no base or no questions; it wants {repository, base, suffixes, questions: [{commit, files}]}", path)
	}
	for i := range l.Questions {
		q := &l.Questions[i]
		text, err := exec.Command("git", "--git-dir="+git, "log", "-1", "--format=%B", q.Commit).Output()
		if err != nil {
			return nil, fmt.Errorf("the message of commit %s in %s: %w", q.Commit, git, err)
		}
		q.message = trailer.ReplaceAllString(strings.ToValidUTF8(string(text), "\uFFFD"), "")
	}
	return l, nil
}

// source reports whether a file can be an answer.
func (l *historyList) source(path string) bool {
	return slices.ContainsFunc(l.Suffixes, func(s string) bool { return strings.HasSuffix(path, s) }) && !beside.MatchString(path)
}

// checkout writes the files of the base's tree, but for those that a partial copy of the
// repository lacks.
func (l *historyList) checkout(ctx context.Context, root string) error {
	names, err := exec.CommandContext(ctx, "git", "--git-dir="+l.git, "ls-tree", "-rz", "--format=%(objecttype) %(objectname) %(path)", l.Base).Output()
	if err != nil {
		return fmt.Errorf("the tree of %s in %s: %w", l.Base, l.git, err)
	}
	type blob struct{ object, path string }
	var blobs []blob
	var request bytes.Buffer
	for _, line := range strings.Split(strings.TrimSuffix(string(names), "\x00"), "\x00") {
		kind, rest, _ := strings.Cut(line, " ")
		object, path, _ := strings.Cut(rest, " ")
		if kind == "blob" {
			blobs = append(blobs, blob{object, path})
			fmt.Fprintln(&request, object)
		}
	}
	cat := exec.CommandContext(ctx, "git", "--git-dir="+l.git, "cat-file", "--batch")
	cat.Stdin = &request
	pipe, err := cat.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cat.Start(); err != nil {
		return err
	}
	in := bufio.NewReader(pipe)
	for _, b := range blobs {
		header, err := in.ReadString('\n')
		if err != nil {
			return fmt.Errorf("git cat-file: %w", err)
		}
		var object, kind string
		var size int64
		if _, err := fmt.Sscan(header, &object, &kind, &size); err != nil {
			continue // "missing"
		}
		if err := writeBlob(filepath.Join(root, b.path), io.LimitReader(in, size)); err != nil {
			return err
		}
		if _, err := in.ReadByte(); err != nil { // the line's end behind the blob
			return fmt.Errorf("git cat-file: %w", err)
		}
	}
	return cat.Wait()
}

func writeBlob(path string, from io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Close())
}

// ask asks every question and tells the source files of each answer, the best first.
func (l *historyList) ask(ctx context.Context, bin, dir string, tell func(q *historyQuestion, files []string)) error {
	m := &meter{ctx: ctx, bin: bin, root: filepath.Join(dir, "tree"), state: filepath.Join(dir, "state"), home: filepath.Join(dir, "home")}
	for _, d := range []string{m.state, m.home} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return err
		}
	}
	if _, err := m.output("index"); err != nil {
		return err
	}
	c, err := m.converse()
	if err != nil {
		return err
	}
	defer c.close()
	for i := range l.Questions {
		q := &l.Questions[i]
		answer, err := c.call("codebase_explore", map[string]any{"query": q.message, "limit": 60, "budget": 200000})
		if err != nil {
			return fmt.Errorf("commit %s: %w", q.Commit, err)
		}
		var files []string
		items, _ := answer["items"].([]any)
		for _, it := range items {
			fields, _ := it.(map[string]any)
			if path, _ := fields["path"].(string); l.source(path) && !slices.Contains(files, path) {
				files = append(files, path)
			}
		}
		tell(q, files)
	}
	return nil
}

// ranking sums up how well answers fit.
type ranking struct {
	n                         int
	first, five, recall, mean float64
}

// add counts one answer and returns the place of its first right file, -1 without one.
func (r *ranking) add(got, want []string) int {
	r.n++
	found := 0
	for _, f := range got[:min(10, len(got))] {
		if slices.Contains(want, f) {
			found++
		}
	}
	r.recall += float64(found) / float64(max(1, len(want)))
	at := slices.IndexFunc(got, func(f string) bool { return slices.Contains(want, f) })
	if at < 0 {
		return at
	}
	r.mean += 1 / float64(at+1)
	if at == 0 {
		r.first++
	}
	if at < 5 {
		r.five++
	}
	return at
}

func (r ranking) String() string {
	n := float64(max(1, r.n))
	return fmt.Sprintf("%7.3f %7.3f %10.3f %7.3f", r.first/n, r.five/n, r.recall/n, r.mean/n)
}
