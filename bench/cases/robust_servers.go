package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// functionText is how a function without parameters is written, by the file's extension.
var functionText = map[string]string{
	".py": "\n\ndef %s():\n    return 1\n", ".rb": "\ndef %s\n  1\nend\n", ".go": "\nfunc %s() int { return 1 }\n",
	".js": "\nfunction %s() { return 1; }\n", ".ts": "\nfunction %s(): number { return 1; }\n", ".php": "\nfunction %s() { return 1; }\n",
	".c": "\nint %s(void) { return 1; }\n", ".cpp": "\nint %s() { return 1; }\n", ".rs": "\nfn %s() -> i32 { 1 }\n",
}

var (
	writtenAnew = regexp.MustCompile(`write (\S+) anew`)
	addedNames  = regexp.MustCompile(`functions? ([\w, ]+?)(?: \(|,? ask|$)`)
)

// twoServers lets two servers live on one root while a file is written anew several times,
// each time with one function more; then one of them goes and a third comes.
func (s *session) twoServers(q question) *answer {
	a := &answer{}
	file, names := scenario(q.Args)
	if file == "" || functionText[filepath.Ext(file)] == "" || len(names) == 0 {
		a.faults = append(a.faults, "the runner cannot read the steps of two_servers")
		return a
	}
	first := texts(q.Expect["each_answer"])
	w := &twins{s: s, a: a, file: file, want: first}
	one, two := w.start(), w.start()
	if len(first) > len(names) {
		w.ask(first[:len(first)-len(names)], one, two)
	}
	base, err := os.ReadFile(filepath.Join(s.root, file))
	if err != nil {
		a.faults = append(a.faults, "read source: "+err.Error())
	}
	content := string(base)
	for _, n := range names {
		content += fmt.Sprintf(functionText[filepath.Ext(file)], n)
		if err := os.WriteFile(filepath.Join(s.root, file), []byte(content), 0o644); err != nil {
			a.faults = append(a.faults, "write source: "+err.Error())
		}
		time.Sleep(100 * time.Millisecond)
	}
	w.answer(one, two)
	if one != nil {
		one.stop()
	}
	w.answer(two)
	three := w.start()
	w.answer(three)
	for _, v := range []*server{two, three} {
		if v != nil {
			v.stop()
		}
	}
	return a
}

// scenario reads the file and the names of the functions from the steps' words.
func scenario(args fields) (file string, names []string) {
	for _, step := range texts(args["steps"]) {
		m := writtenAnew.FindStringSubmatch(step)
		if m == nil {
			continue
		}
		file = m[1]
		if m := addedNames.FindStringSubmatch(step); m != nil {
			for _, n := range strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == ' ' }) {
				if n != "and" {
					names = append(names, n)
				}
			}
		}
	}
	return file, names
}

// twins asks servers for the symbols of one file.
type twins struct {
	s     *session
	a     *answer
	file  string
	want  []string
	calls int
}

func (w *twins) start() *server {
	v, err := w.s.serve(w.s.root)
	if err == nil {
		err = v.open()
	}
	if err != nil {
		w.a.faults = append(w.a.faults, err.Error())
	}
	return v
}

// symbols is what one server says now.
func (w *twins) symbols(v *server) []string {
	if v == nil {
		return nil
	}
	w.calls++
	doc, err := v.callTool(fmt.Sprint(w.calls), "read_open", fields{"target": []any{w.file}, "view": "outline"})
	if err != nil {
		w.a.faults = append(w.a.faults, err.Error())
		return nil
	}
	var names []string
	for _, it := range doc.Items {
		for _, y := range it.Outline {
			names = append(names, y.Name)
		}
	}
	w.s.trace("server says %v", names)
	return names
}

// ask waits up to ten seconds until each server knows the names.
func (w *twins) ask(want []string, servers ...*server) {
	for i, v := range servers {
		var names []string
		for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
			if names = w.symbols(v); all(want, names) || len(w.a.faults) > 0 {
				break
			}
		}
		if !all(want, names) {
			w.a.faults = append(w.a.faults, fmt.Sprintf("server %d: expected %v, came %v", i+1, want, names))
		}
	}
}

// answer takes what each server says of the state on disk, once it had time to notice.
func (w *twins) answer(servers ...*server) {
	w.ask(w.want, servers...)
	for _, v := range servers {
		w.a.said = append(w.a.said, w.symbols(v))
	}
}

func all(want, names []string) bool {
	for _, n := range want {
		if !oneOf(names, n) {
			return false
		}
	}
	return true
}
