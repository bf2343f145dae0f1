//go:build unix

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/readtools"
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
			if exports[format] == nil {
				return a.usage(c, fmt.Sprintf("there is no format %q; the formats are occurrences and dump", format))
			}
			return a.export(c.Context(), format)
		},
	}
	c.Flags().StringVar(&format, "format", "occurrences", "occurrences or dump")
	return c
}

// exports write the graph in the formats that there are.
var exports = map[string]func(context.Context, *workspace.Snapshot, *bufio.Writer) error{"occurrences": exportOccurrences, "dump": exportDump}

// export prints the graph. A daemon puts it into a file first, so that it need not keep one
// generation for as long as somebody reads.
func (a *app) export(ctx context.Context, format string) error {
	if root, ok := a.served(ctx); ok {
		if root, err := canonical(root); err == nil {
			if file, done, err := workspace.Spool("", root); err == nil { // else there is no room for one
				err = a.exportFar(ctx, root, format, file)
				if err = errors.Join(err, done()); !noDaemon(err) {
					return err
				}
			}
		}
	}
	return a.with(ctx, func(w *workspace.Workspace) error { return exportTo(ctx, w, format, a.out, printed) })
}

// printed is the error of an export that would have to begin anew when some of it is printed.
func printed() error {
	return &readtools.Error{Code: "stale", Message: "files changed while the graph was printed, so what was printed is none of one moment", Next: "run the export again"}
}

// exportFar has the daemon of a root export into a file, and prints that.
func (a *app) exportFar(ctx context.Context, root, format string, file *os.File) error {
	if _, err := exportJob.far(ctx, a, root, exportAsk{format, file.Name()}); err != nil {
		return err
	}
	if _, err := io.Copy(a.out, file); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

// exportAsk is the format of an export, and the spool that it goes to.
type exportAsk struct {
	Format string `json:"format"`
	Spool  string `json:"spool"`
}

// exportJob exports into a spool.
var exportJob = job[exportAsk, none]{name: "export", do: func(ctx context.Context, w *workspace.Workspace, q exportAsk) (none, error) {
	f, err := w.OpenSpool(q.Spool)
	if err != nil {
		return none{}, err
	}
	again := func() error {
		_, err := f.Seek(0, io.SeekStart)
		return errors.Join(err, f.Truncate(0))
	}
	return none{}, errors.Join(exportTo(ctx, w, q.Format, f, again), f.Close())
}}

// exportTo exports to a writer. again is called when what was written does not count, since
// files changed meanwhile, and the export begins anew.
func exportTo(ctx context.Context, w *workspace.Workspace, format string, to io.Writer, again func() error) error {
	begun := false
	return w.View(ctx, func(s *workspace.Snapshot) error {
		if begun {
			if err := again(); err != nil {
				return err
			}
		}
		begun = true
		b := bufio.NewWriterSize(to, 1<<20)
		if err := exports[format](ctx, s, b); err != nil {
			return err
		}
		return b.Flush()
	})
}

func exportDump(ctx context.Context, s *workspace.Snapshot, w *bufio.Writer) error {
	return graph.Dump(ctx, s.Graph(), w)
}
