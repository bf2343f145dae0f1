package agents

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Dirs are the folders and variables of the machine that decide where agents look.
type Dirs struct {
	Home    string              // the user's
	Project string              // the root of the project; empty if there is none
	State   string              // where the record of what was installed lies
	Getenv  func(string) string // the environment
	// Look finds a program by its name, as exec.LookPath does; nil finds none.
	Look func(string) (string, error)
}

// System are the folders of this machine for a project and a state folder.
func System(project, state string) (Dirs, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return Dirs{}, err
	}
	return Dirs{Home: home, Project: project, State: state, Getenv: os.Getenv, Look: exec.LookPath}, nil
}

// home is a folder below the home, or what a variable says instead.
func (d Dirs) home(variable string, elem ...string) string {
	if variable != "" {
		if v := d.Getenv(variable); v != "" {
			return v
		}
	}
	return filepath.Join(append([]string{d.Home}, elem...)...)
}

// config is the folder of configurations that programs of free desktops use.
func (d Dirs) config(elem ...string) string {
	return filepath.Join(append([]string{d.home("XDG_CONFIG_HOME", ".config")}, elem...)...)
}

// support is the folder of configurations that the system's own programs use.
func (d Dirs) support(elem ...string) string {
	if runtime.GOOS == "darwin" {
		return d.home("", append([]string{"Library", "Application Support"}, elem...)...)
	}
	return d.config(elem...)
}

// first is the first of the paths at which something is, or else the last.
func first(paths ...string) string {
	for _, p := range paths {
		if exists(p) {
			return p
		}
	}
	return paths[len(paths)-1]
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
