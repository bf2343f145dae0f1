package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
)

// The ways to run a case: through a daemon, without one, or through one with each read verb
// asked once more without: what the two print, as JSON and as text, has to be equal byte for
// byte but for the name of the call's entry in the ledger.
var ways = []string{"auto", "off", "both"}

// way is the value of the variable that chooses it.
func (r *runner) way() string {
	if r.daemon == "off" {
		return "off"
	}
	return "auto"
}

var readVerbs = []string{"discover", "grep", "open", "explore"}

// entry is the name of an entry in the ledger.
var ledgerEntry = regexp.MustCompile(`"evidence":"[^"]*"`)

// compareWays asks a read verb both ways and tells how the answers differ, empty if they do
// not.
func (s *session) compareWays(c call, args []string) string {
	if s.run.daemon != "both" || c.limit != "" || !slices.Contains(readVerbs, c.verb) {
		return ""
	}
	text := slices.DeleteFunc(slices.Clone(args), func(a string) bool { return a == "--json" })
	for _, args := range [][]string{args, text} {
		var said [2]string
		for i, way := range []string{"auto", "off"} {
			cmd := s.command("", args, "CODEGRAPH_DAEMON="+way)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr, cmd.Stdin = &stdout, &stderr, bytes.NewReader(c.stdin)
			err := cmd.Run()
			if _, exited := err.(*exec.ExitError); err != nil && !exited {
				return fmt.Sprintf("with CODEGRAPH_DAEMON=%s it does not run: %v", way, err)
			}
			out := ledgerEntry.ReplaceAllString(stdout.String(), `"evidence":""`)
			said[i] = fmt.Sprintf("exit %d\n%s%s", cmd.ProcessState.ExitCode(), out, stderr.String())
		}
		if said[0] != said[1] {
			at := 0
			for at < min(len(said[0]), len(said[1])) && said[0][at] == said[1][at] {
				at++
			}
			from := max(at-60, 0)
			return fmt.Sprintf("through the daemon %v says %q, without it %q", args, clip(said[0][from:], 200), clip(said[1][from:], 200))
		}
	}
	return ""
}
