package main

import (
	"bufio"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/workspace"
)

// exportCommand is `codegraph export`.
func (a *app) exportCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use: "export", Short: "Print the whole graph",
		Long: "Formats:\n  occurrences  a JSON line a bound reference and a call edge\n  dump         the graph's canonical dump",
		Args: a.noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			write := map[string]func(context.Context, *workspace.Snapshot, *bufio.Writer) error{"occurrences": exportOccurrences, "dump": exportDump}[format]
			if write == nil {
				return a.usage(c, fmt.Sprintf("there is no format %q; the formats are occurrences and dump", format))
			}
			return a.view(c.Context(), func(_ *workspace.Workspace, s *workspace.Snapshot) error {
				w := bufio.NewWriterSize(a.out, 1<<20)
				if err := write(c.Context(), s, w); err != nil {
					return err
				}
				return w.Flush()
			})
		},
	}
	c.Flags().StringVar(&format, "format", "occurrences", "occurrences or dump")
	return c
}

func exportDump(ctx context.Context, s *workspace.Snapshot, w *bufio.Writer) error {
	return graph.Dump(ctx, s.Graph(), w)
}
