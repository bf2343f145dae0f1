package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// stopState ends the processes that a session left behind: those whose environment names
// its state folder. They are asked first and killed after five seconds. Where there is no
// /proc they end by themselves when idle.
func stopState(state string) {
	for i := 0; i < 60; i++ {
		pids := owners(state)
		if len(pids) == 0 {
			return
		}
		for _, pid := range pids {
			switch {
			case i == 0:
				_ = syscall.Kill(pid, syscall.SIGTERM)
			case i >= 50:
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// owners lists the processes whose environment has CODEGRAPH_HOME=state.
func owners(state string) []int {
	want := append([]byte("CODEGRAPH_HOME="+state), 0)
	dirs, _ := filepath.Glob("/proc/[0-9]*/environ")
	var pids []int
	for _, path := range dirs {
		env, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(append([]byte{0}, env...), append([]byte{0}, want...)) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err == nil && pid != os.Getpid() {
			pids = append(pids, pid)
		}
	}
	return pids
}
