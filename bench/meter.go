package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// meter runs the program on one root and counts what its processes use.
type meter struct {
	ctx   context.Context
	bin   string
	root  string
	state string // CODEGRAPH_HOME
	home  string // an empty HOME
}

// usage is what a call cost: seconds, and bytes of memory at the peak of the largest of its
// processes. CPU and memory include the process that owns the index.
type usage struct {
	Wall   float64 `json:"wall_seconds"`
	User   float64 `json:"user_seconds"`
	System float64 `json:"system_seconds"`
	RSS    int64   `json:"peak_rss_bytes"`
}

// CPU is user and system time together.
func (u usage) CPU() float64 { return u.User + u.System }

func (m *meter) command(name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(m.ctx, name, args...)
	cmd.Dir, cmd.WaitDelay = m.root, 3*time.Second
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + m.home, "CODEGRAPH_HOME=" + m.state, "LC_ALL=C.UTF-8", "NO_COLOR=1", "CODEGRAPH_DAEMON=off"}
	return cmd
}

// output runs the program and returns its standard output.
func (m *meter) output(args ...string) ([]byte, error) {
	out, err := m.command(m.bin, args...).Output()
	if err != nil {
		return nil, fmt.Errorf("codegraph %s: %w", args[0], err)
	}
	return out, nil
}

// cost runs a verb on the root and counts the caller and the owner of the index.
func (m *meter) cost(verb string, args ...string) (usage, error) {
	before := map[int]usage{}
	for _, pid := range m.owners() {
		before[pid], _ = processUsage(pid)
	}
	u, err := m.run(m.bin, append([]string{verb, "-C", m.root}, args...)...)
	if err != nil {
		return u, err
	}
	for _, pid := range m.owners() {
		if o, ok := processUsage(pid); ok {
			u.User += o.User - before[pid].User
			u.System += o.System - before[pid].System
			u.RSS = max(u.RSS, o.RSS)
		}
	}
	return u, nil
}

// run runs a command, reads all it prints, and counts that process alone. Exit 1 means that
// nothing was found.
func (m *meter) run(name string, args ...string) (usage, error) {
	cmd := m.command(name, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	cmd.Stdout = struct{ io.Writer }{io.Discard} // a pipe, not the null device: some programs print less to that
	start := time.Now()
	err := cmd.Run()
	u := usage{Wall: time.Since(start).Seconds()}
	st := cmd.ProcessState
	if st == nil {
		return u, fmt.Errorf("start %s: %w", filepath.Base(name), err)
	}
	u.User, u.System = st.UserTime().Seconds(), st.SystemTime().Seconds()
	if r, ok := st.SysUsage().(*syscall.Rusage); ok {
		u.RSS = int64(r.Maxrss) * rssUnit()
	}
	if st.ExitCode() != 0 && st.ExitCode() != 1 {
		line, _, _ := strings.Cut(stderr.String(), "\n")
		return u, fmt.Errorf("%s %s: exit %d: %s", filepath.Base(name), args[0], st.ExitCode(), line)
	}
	return u, nil
}

// rssUnit is the unit of Maxrss: KiB but for macOS.
func rssUnit() int64 {
	if runtime.GOOS == "darwin" {
		return 1
	}
	return 1024
}

// owners lists the processes whose environment names the state folder: the one that owns
// the index. Without /proc there are none, and a call counts alone.
func (m *meter) owners() []int {
	want := []byte("\x00CODEGRAPH_HOME=" + m.state + "\x00")
	paths, _ := filepath.Glob("/proc/[0-9]*/environ")
	var pids []int
	for _, path := range paths {
		env, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(append([]byte{0}, env...), want) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil && pid != os.Getpid() {
			pids = append(pids, pid)
		}
	}
	return pids
}

// processUsage reads what a running process has used so far. Its times are in ticks of
// 10 ms, the unit of the kernel's interface on every Linux that Go runs on.
func processUsage(pid int) (u usage, ok bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return u, false
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 13 {
		return u, false
	}
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	u.User, u.System = user/100, system/100
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for _, line := range strings.Split(string(status), "\n") {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "VmHWM:" {
			n, _ := strconv.ParseInt(f[1], 10, 64)
			u.RSS = n * 1024
		}
	}
	return u, true
}

// stop ends the owner of the index.
func (m *meter) stop() {
	for i := 0; i < 50; i++ {
		pids := m.owners()
		if len(pids) == 0 {
			return
		}
		for _, pid := range pids {
			if i == 0 || i == 49 {
				_ = syscall.Kill(pid, map[bool]syscall.Signal{true: syscall.SIGTERM, false: syscall.SIGKILL}[i == 0])
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
}
