package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// bring fetches a project's sources, once, with the ordinary client of the registry that has
// them, and returns the folder that the truth's paths are relative to.
func bring(ctx context.Context, m truthMeta, dir string) (string, error) {
	s := m.Source
	dest := filepath.Join(dir, m.Project)
	mark := filepath.Join(dest, ".brought")
	if _, err := os.Stat(mark); err != nil {
		if err := os.RemoveAll(dest); err != nil {
			return "", err
		}
		if err := os.MkdirAll(dest, 0o755); err != nil {
			return "", err
		}
		if err := fetch(ctx, s, dest); err != nil {
			return "", err
		}
		if err := os.WriteFile(mark, nil, 0o644); err != nil {
			return "", err
		}
	}
	if s.Kind == "npm" {
		return filepath.Join(dest, "package", s.Subdir), nil
	}
	return filepath.Join(dest, s.Subdir), nil
}

func fetch(ctx context.Context, s truthSource, dest string) error {
	switch s.Kind {
	case "go-module":
		return goModule(ctx, s, dest)
	case "npm":
		if err := run(ctx, dest, "npm", "pack", "--silent", s.Package+"@"+s.Version); err != nil {
			return err
		}
		return run(ctx, dest, "sh", "-c", "tar xzf ./*.tgz && rm -f ./*.tgz")
	case "debian-binary":
		if err := run(ctx, dest, "apt-get", "download", s.Package+"="+s.Version); err != nil {
			return err
		}
		return run(ctx, dest, "sh", "-c", "dpkg-deb -x ./*.deb . && rm -f ./*.deb")
	}
	return fmt.Errorf("sources of the kind %s are not brought; lay them in %s and make a file .brought there", s.Kind, dest)
}

func goModule(ctx context.Context, s truthSource, dest string) error {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", s.Package+"@"+s.Version)
	cmd.Dir = os.TempDir()
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("download %s: %w", s.Package, err)
	}
	var m struct{ Dir string }
	if err := json.Unmarshal(out, &m); err != nil {
		return err
	}
	if err := os.CopyFS(dest, os.DirFS(m.Dir)); err != nil {
		return err
	}
	return run(ctx, dest, "chmod", "-R", "u+w", ".")
}

func run(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, out)
	}
	return nil
}
