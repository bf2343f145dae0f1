package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"time"
)

// noStore are files of the state folder that hold no index: locks, logs, and the ledgers
// that are never rebuilt.
var noStore = regexp.MustCompile(`(?i)lock|\.log$|\.sock$|\.pid$|ledger|evidence|journal|undo|approval`)

// storeFiles lists the files of the indexes, smallest first.
func (s *session) storeFiles() ([]string, error) {
	var out []string
	size := map[string]int64{}
	err := filepath.WalkDir(s.state, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || noStore.MatchString(strings.TrimPrefix(path, s.state)) {
			return err
		}
		st, err := d.Info()
		if err == nil && st.Size() > 0 {
			out, size[path] = append(out, path), st.Size()
		}
		return err
	})
	sort.Slice(out, func(i, j int) bool { return size[out[i]] < size[out[j]] })
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("the index left no files")
	}
	return out, err
}

// damages are what befalls the store files between two runs.
var damages = []struct {
	name string
	do   func(files []string) error
}{
	{"cut to half", func(files []string) error {
		return each(files, func(path string, size int64) error { return os.Truncate(path, size/2) })
	}},
	{"4 KiB of zeros in the middle", func(files []string) error { return each(files, zeroMiddle) }},
	{"largest emptied", func(files []string) error { return os.Truncate(files[len(files)-1], 0) }},
}

func each(files []string, do func(path string, size int64) error) error {
	for _, path := range files {
		st, err := os.Stat(path)
		if err == nil {
			err = do(path, st.Size())
		}
		if err != nil {
			return fmt.Errorf("damage store: %w", err)
		}
	}
	return nil
}

func zeroMiddle(path string, size int64) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	n := min(4096, size)
	if _, err = f.WriteAt(make([]byte, n), (size-n)/2); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}

// corrupt damages the stores in several ways; after each one the definitions of the case
// have to be found and the workspace's files to be as they were.
func (s *session) corrupt(q question) *answer {
	start := time.Now()
	last := &answer{}
	var faults []string
	for _, d := range damages {
		a := &answer{}
		if why := s.damage(d.do, a); why != "" {
			a.faults = append(a.faults, why)
		} else {
			s.collect(a, q.Expect)
			after, err := takeSnapshot(s.copy)
			if a.after = after; err != nil {
				a.faults = append(a.faults, err.Error())
			}
			a.faults = append(a.faults, a.before.changes(a.after)...)
		}
		c := &checker{s: s, q: q, a: a, expect: q.Expect}
		checkDefs(c, q.Expect["defs"])
		for _, f := range append(a.faults, c.faults...) {
			faults = append(faults, d.name+": "+f)
		}
		stopState(s.state)
		last = a
	}
	last.faults, last.took = faults, time.Since(start)
	return last
}

// damage indexes anew, ends the program and damages what it stored.
func (s *session) damage(do func([]string) error, a *answer) string {
	if r := s.invoke(call{verb: "index", text: true}); r.Fault != "" {
		return "index: " + r.Fault
	}
	stopState(s.state)
	var err error
	if a.before, err = takeSnapshot(s.copy); err != nil {
		return err.Error()
	}
	files, err := s.storeFiles()
	if err == nil {
		s.trace("damage %s", strings.Join(files, " "))
		err = do(files)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}
