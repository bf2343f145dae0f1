package workspace

import (
	"context"
	"errors"
	"fmt"

	"github.com/codegraph-dev/codegraph/graph"
)

// sweep lets the text indexes take away what only earlier generations needed.
func (r *refresh) sweep(ctx context.Context, l *lease, keepers []Keeper) error {
	var values [][]byte
	err := l.View(ctx, func(g graph.Reader) (err error) {
		names := make([]string, len(keepers))
		for i, k := range keepers {
			names[i] = k.Name()
		}
		values, err = g.Meta(names...)
		return err
	})
	if err != nil {
		return err
	}
	for i, k := range keepers {
		if err := k.Sweep(values[i]); err != nil {
			r.w.log("old parts of the text index stay: %v", err)
		}
	}
	return nil
}

// openKeepers opens the text indexes at the states that the tokens name.
func (w *Workspace) openKeepers(tokens map[string][]byte) ([]Keeper, error) {
	var out []Keeper
	if w.options.Stores.Text != nil {
		text, err := w.options.Stores.Text(w.state.path(textName), tokens[textName])
		if err != nil {
			return nil, fmt.Errorf("open text index: %w", err)
		}
		out = append(out, named{text, textName})
	}
	if w.options.Stores.Ranked != nil {
		ranked, err := w.openRanked(tokens[rankedName])
		if err != nil {
			_ = closeAll(out)
			return nil, fmt.Errorf("open ranked text index: %w", err)
		}
		out = append(out, named{ranked, rankedName})
	}
	return out, nil
}

// named gives a text index the name that its token has here.
type named struct {
	Keeper
	name string
}

// Name implements index.TextIndex.
func (n named) Name() string { return n.name }

func closeAll(keepers []Keeper) error {
	var errs []error
	for _, k := range keepers {
		errs = append(errs, k.Close())
	}
	return errors.Join(errs...)
}
