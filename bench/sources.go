package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// bring fetches a project's sources with the script that stands beside the truth files, once,
// and returns the folder that the truth's paths are relative to. A project that the script
// cannot bring is taken from the folder of its name, where somebody laid it.
func bring(ctx context.Context, truthFile string, m truthMeta, dir string) (string, error) {
	script, err := filepath.Abs(filepath.Join(filepath.Dir(truthFile), "..", "source.sh"))
	if err != nil {
		return "", err
	}
	truthFile, err = filepath.Abs(truthFile)
	if err != nil {
		return "", err
	}
	dest := filepath.Join(dir, m.Project)
	cmd := exec.CommandContext(ctx, "bash", script, truthFile, dest)
	var failed bytes.Buffer
	cmd.Stderr = &failed
	out, err := cmd.Output()
	if root := strings.TrimSpace(string(out)); err == nil {
		return root, nil
	}
	if root := filepath.Join(dest, m.Source.Subdir); m.Source.Subdir != "" {
		if st, statErr := os.Stat(root); statErr == nil && st.IsDir() {
			return root, nil
		}
	}
	return "", fmt.Errorf("%w: %s; lay the sources in %s", err, strings.TrimSpace(failed.String()), dest)
}
