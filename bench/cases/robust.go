package main

import (
	"fmt"
	"os"
	"regexp"
	"time"
)

var ulimitWords = regexp.MustCompile(`ulimit (-[a-zA-Z] \d+)`)

// limitOf reads the limit that a robust case sets on the program; "as above" is the one of
// the question before.
func (s *session) limitOf(args fields) string {
	words := text(args["server_limit"])
	if m := ulimitWords.FindStringSubmatch(words); m != nil {
		s.limit = m[1]
	}
	if words == "" {
		return ""
	}
	return s.limit
}

// askRobust does what args.do names: a plain question, an index run, damage to the stores,
// an edit under a limit, two servers, or a kill in the middle.
func (s *session) askRobust(q question) *answer {
	limit := s.limitOf(q.Args)
	args := fields{}
	for k, v := range q.Args {
		if k != "do" && k != "server_limit" {
			args[k] = v
		}
	}
	do := text(q.Args["do"])
	if readKinds[do] {
		return s.askKind(question{Kind: do, Args: args})
	}
	switch do {
	case "index":
		return s.robustIndex(q, limit)
	case "edit":
		stopState(s.state) // a running owner would not have the limit
		return s.askEdit(args, limit)
	case "corrupt":
		return s.corrupt(q)
	case "two_servers":
		return s.twoServers(q)
	case "kill", "kill_during_index", "interrupt":
		return s.killed(q)
	}
	return &answer{faults: []string{"the runner does not know robust action " + do}}
}

// robustIndex measures an index run and then asks for the definitions of the case. Under a
// limit the run may fail, but has to end by itself and leave what answers.
func (s *session) robustIndex(q question, limit string) *answer {
	a := &answer{}
	if limit != "" {
		stopState(s.state)
		if err := s.fillTree(); err != nil {
			a.faults = append(a.faults, err.Error())
		}
	}
	start := time.Now()
	r := s.invoke(call{verb: "index", limit: limit})
	a.took = time.Since(start)
	switch {
	case limit == "":
		a.take(r)
	case r.Dead:
		a.faults = append(a.faults, "index: "+r.Fault)
	default:
		for _, c := range []call{{verb: "grep", words: []string{"."}, limit: limit}, {verb: "discover", limit: limit}} {
			if r := s.invoke(c); r.Fault != "" || r.failure() != nil {
				a.faults = append(a.faults, fmt.Sprintf("%s after the failed index: %s%v", c.verb, r.Fault, r.failure()))
			}
		}
	}
	s.collect(a, q.Expect)
	return a
}

// fillTree adds files until an index of the tree needs more than a small limit.
func (s *session) fillTree() error {
	for i := 0; i < 200; i++ {
		var b []byte
		for j := 0; j < 100; j++ {
			b = fmt.Appendf(b, "def filler_%d_%d(n):\n    return n + %d\n\n", i, j, i*j)
		}
		if err := os.WriteFile(fmt.Sprintf("%s/filler_%d.py", s.root, i), b, 0o644); err != nil {
			return fmt.Errorf("fill the tree: %w", err)
		}
	}
	return nil
}

// collect asks for every symbol whose name the case lists.
func (s *session) collect(a *answer, expect fields) {
	asked := map[string]bool{}
	for _, e := range list(expect["defs"]) {
		name := text(record(e, "name")["name"])
		if asked[name] {
			continue
		}
		asked[name] = true
		got := s.askSymbols(fields{"name": name})
		a.symbols = append(a.symbols, got.symbols...)
		a.faults = append(a.faults, got.faults...)
		if a.reply == nil || got.err() != nil {
			a.reply = got.reply
		}
		for p := range got.partial {
			if a.partial == nil {
				a.partial = map[string]bool{}
			}
			a.partial[p] = true
		}
	}
}

// err is the answer's error, or nil.
func (a *answer) err() *toolError {
	if a.reply == nil {
		return nil
	}
	return a.reply.failure()
}

// killed starts an index run, kills it and whatever it started, and asks.
func (s *session) killed(q question) *answer {
	a := &answer{}
	cmd := s.command("", []string{"index", "-C", s.root})
	if err := cmd.Start(); err != nil {
		a.faults = append(a.faults, "start index: "+err.Error())
		return a
	}
	wait := 0.05
	if q.Args["after_seconds"] != nil {
		wait = seconds(q.Args["after_seconds"])
	}
	time.Sleep(time.Duration(wait * float64(time.Second)))
	for _, pid := range owners(s.state) {
		if p, err := os.FindProcess(pid); err == nil {
			_ = p.Kill()
		}
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // killed: its status says nothing
	s.collect(a, q.Expect)
	return a
}

// checkSurvives wants the program to answer after all that the case did. That no process
// was ended by a signal or panicked is looked at with every call.
func checkSurvives(c *checker, v any) {
	if !truth(v) {
		return
	}
	if r := c.s.invoke(call{verb: "status"}); r.Fault != "" {
		c.failf("expected it to survive, status says %s", r.Fault)
	}
}

func checkEachAnswer(c *checker, v any) {
	if len(c.a.said) == 0 {
		c.failf("no server was asked")
	}
	for i, names := range c.a.said {
		for _, want := range texts(v) {
			if !oneOf(names, want) {
				c.failf("answer %d: expected %s, came %s", i+1, want, orNone(names))
			}
		}
		for _, got := range names {
			if !oneOf(texts(v), got) {
				c.failf("answer %d: expected no %s", i+1, got)
			}
		}
	}
}
