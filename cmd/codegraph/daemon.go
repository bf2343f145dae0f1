//go:build unix

package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/codegraph-dev/codegraph/readtools"
	"github.com/codegraph-dev/codegraph/workspace"
	"github.com/codegraph-dev/codegraph/workspace/daemon"
)

// The ways of working: with a daemon, which is started on demand, or without.
const (
	daemonAuto = "auto"
	daemonOff  = "off"
)

// daemonVariable says the way of working where no flag does, idleVariable how long a daemon
// waits for work.
const (
	daemonVariable = "CODEGRAPH_DAEMON"
	idleVariable   = "CODEGRAPH_DAEMON_IDLE"
)

// checkDaemon checks the way of working that was asked for.
func (a *app) checkDaemon() error {
	if a.daemon == "" {
		a.daemon = os.Getenv(daemonVariable)
	}
	switch a.daemon {
	case "":
		a.daemon = daemonAuto
	case daemonAuto, daemonOff:
	default:
		return &readtools.Error{Code: "usage", Message: fmt.Sprintf("there is no way of working %q", a.daemon), Next: "give --daemon=auto or --daemon=off, or set " + daemonVariable}
	}
	return nil
}

// placeOf is where the daemon of a root is met.
func placeOf(root string) (*daemon.Place, error) {
	root, err := canonical(root)
	if err != nil {
		return nil, err
	}
	state, err := workspace.StateDir("", root)
	if err != nil {
		return nil, err
	}
	return daemon.Locate(root, state)
}

// canonical is the absolute path of a folder without links, by which a root is known.
func canonical(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// self is this program to a daemon, or as one.
func self() daemon.Self {
	s := daemon.Self{Version: version(), Scene: scene()}
	if path, err := os.Executable(); err == nil {
		if st, err := os.Stat(path); err == nil {
			s.Built = st.ModTime().UTC()
		}
	}
	return s
}

// scene stands for what in the environment answers depend on: where the user's configuration
// and git's are found.
func scene() string {
	var all []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if name == "HOME" || name == "XDG_CONFIG_HOME" || strings.HasPrefix(name, "GIT_CONFIG") {
			all = append(all, v)
		}
	}
	slices.Sort(all)
	sum := sha256.Sum256([]byte(strings.Join(all, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// daemonCommandLine makes the command that runs the daemon of a root.
func daemonCommandLine(root string) daemon.Command {
	return func() (*exec.Cmd, error) {
		exe, err := os.Executable()
		if err != nil {
			return nil, err
		}
		cmd := exec.Command(exe, "daemon", "run", "-C", root)
		cmd.Env = os.Environ()
		if home := os.Getenv(workspace.HomeVariable); home != "" { // which may be relative
			if home, err = filepath.Abs(home); err != nil {
				return nil, err
			}
			cmd.Env = append(cmd.Env, workspace.HomeVariable+"="+home)
		}
		return cmd, nil
	}
}

// noDaemon reports whether an error says that the work has to be done without a daemon.
func noDaemon(err error) bool {
	return errors.Is(err, daemon.ErrUnavailable) || errors.Is(err, daemon.ErrScene) || errors.Is(err, daemon.ErrNoPlace) || errors.Is(err, errPlace)
}

// errPlace: the root or its state have no path; whoever opens the workspace says what is wrong.
var errPlace = errors.New("the daemon's place is not known")

// holdOff has the daemon of a root, if there is one, let go of the stores until release is
// called, so that this process can work on them.
func holdOff(ctx context.Context, root string) (release func()) {
	p, err := placeOf(root)
	if err != nil {
		return func() {}
	}
	release, err = p.Release(ctx, daemon.Hello{Self: self()})
	if err != nil { // it is ending, or does not answer: the locks of the stores decide
		return func() {}
	}
	return release
}

// idleFor is how long the daemon of a root waits for work: as the environment says, the
// root's configuration, or the user's.
func idleFor(root string) time.Duration {
	if d, err := time.ParseDuration(os.Getenv(idleVariable)); err == nil && d > 0 {
		return d
	}
	if d := setting(root, func(c *workspace.Config) time.Duration { return c.DaemonIdle }); d > 0 {
		return d
	}
	return daemon.DefaultIdle
}

// setting is what the root's configuration says of something, or else the user's; zero if
// neither does.
func setting[T comparable](root string, of func(*workspace.Config) T) (none T) {
	files := []string{filepath.Join(root, ".codegraph.yaml")}
	if dir, err := os.UserConfigDir(); err == nil {
		files = append(files, filepath.Join(dir, "codegraph", "config.yaml"))
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		if c, err := workspace.ParseConfig(data, nil); err == nil && of(c) != none { // what is wrong in it, each call says
			return of(c)
		}
	}
	return none
}
