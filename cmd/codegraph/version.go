//go:build unix

package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/codegraph-dev/codegraph/index/lang"
)

// versionCommand is `codegraph version`.
func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the program's version and the languages that it knows", Args: a.noArgs,
		RunE: func(*cobra.Command, []string) error {
			names := []string{}
			for _, l := range lang.All() {
				names = append(names, l.Name)
			}
			if a.json {
				return a.printJSON(map[string]any{"version": version(), "build": buildID(), "go": runtime.Version(), "languages": names})
			}
			_, err := fmt.Fprintf(a.out, "codegraph %s (%s)\nlanguages: %v\n", version(), runtime.Version(), names)
			return err
		},
	}
}
