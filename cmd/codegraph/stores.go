//go:build unix

package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/graph/bolt"
	"github.com/codegraph-dev/codegraph/index/lang"
	"github.com/codegraph-dev/codegraph/workspace"
)

// stores are the stores of this program.
func stores() workspace.Stores {
	return workspace.Stores{Graph: openGraph, Text: openTrigrams, Ranked: openRanked}
}

// factCache is how much of the graph is kept decoded; in memory it takes about four times that.
const factCache = 12 << 20

func openGraph(path string, readOnly bool, wait time.Duration) (graph.Store, error) {
	s, err := bolt.Open(path, bolt.Options{ReadOnly: readOnly, Timeout: wait, Cache: factCache})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// version is the program's version as its build knows it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// buildID tells builds of the program apart, since another one may make other facts of the
// same file. A build of a clean checkout is known by its revision, another one by its file.
func buildID() string {
	info, ok := debug.ReadBuildInfo()
	if ok {
		var revision string
		clean := false
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				revision = s.Value
			case "vcs.modified":
				clean = s.Value == "false"
			}
		}
		if clean && revision != "" {
			return revision
		}
	}
	if path, err := os.Executable(); err == nil {
		if st, err := os.Stat(path); err == nil {
			return fmt.Sprintf("%d-%d", st.Size(), st.ModTime().UnixNano())
		}
	}
	return version()
}

// atRest gives back to the system what nobody uses.
func atRest() {
	lang.Trim()
	debug.FreeOSMemory()
}
