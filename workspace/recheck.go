package workspace

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"reflect"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index"
)

// Checked is what a look at files found, whatever the system told of them and the stores say of
// themselves.
type Checked struct {
	Looked int // files
	// Drifted are files whose bytes are not those that the index was made from, though
	// nothing told of a change. They have been indexed again.
	Drifted []string
	// Wrong are files of which the index holds other facts than their bytes give. All of
	// the index has been built again.
	Wrong []string
}

// Check extracts files again and compares them with the index: most at most, beginning with
// the first file, by path, after the given one; 0 means all. next is where to go on, "" at
// the end. What is found is repaired.
func (w *Workspace) Check(ctx context.Context, after string, most int) (a *Checked, next string, err error) {
	a = &Checked{}
	err = w.View(ctx, func(s *Snapshot) (err error) {
		a, next, err = s.check(ctx, after, most)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	switch {
	case len(a.Wrong) > 0:
		w.log("the index is built again: it held wrong facts of %d files, %s first", len(a.Wrong), a.Wrong[0])
		err = w.Rebuild(ctx)
	case len(a.Drifted) > 0:
		w.log("%d files had changed without a word, %s first", len(a.Drifted), a.Drifted[0])
		mode := Full
		if w.resident != nil {
			w.resident.tree.drifted(a.Drifted)
			mode = Quick
		}
		_, err = w.Refresh(ctx, mode)
	}
	return a, next, err
}

func (s *Snapshot) check(ctx context.Context, after string, most int) (a *Checked, next string, err error) {
	a = &Checked{}
	if !s.fresh {
		return a, after, nil // what is behind is known to be
	}
	x := index.Extractor{Limits: s.w.limits(), Language: s.w.language()}
	defer x.Close()
	var buf []byte
	for i := range s.files {
		f := &s.files[i]
		if f.Path <= after {
			continue
		}
		if most > 0 && a.Looked == most {
			return a, next, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, "", err
		}
		next = f.Path
		if f.Skip == skipLarge || f.Skip == skipUnread {
			continue
		}
		a.Looked++
		data, err := s.w.readFile(ctx, f.Path, buf, maxRead)
		if errors.Is(err, fs.ErrNotExist) || err == nil && sha256.Sum256(data.Data) != f.Hash {
			a.Drifted = append(a.Drifted, f.Path)
			continue
		}
		if err != nil {
			return nil, "", err
		}
		buf = data.Data[:0]
		facts, err := s.graph.Facts([]graph.FileID{f.ID})
		if err != nil {
			return nil, "", err
		}
		if !sameFacts(x.Extract(f.Path, data.Data).Facts, facts[0]) {
			a.Wrong = append(a.Wrong, f.Path)
		}
	}
	return a, "", nil
}

// sameFacts reports whether facts say the same; an empty list and none are the same to a store.
func sameFacts(a, b *graph.Facts) bool {
	if a == nil || b == nil {
		return a == b
	}
	va, vb := reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem()
	for i := range va.NumField() {
		fa, fb := va.Field(i), vb.Field(i)
		if !va.Type().Field(i).IsExported() || fa.Kind() == reflect.Slice && fa.Len() == 0 && fb.Len() == 0 {
			continue
		}
		if !reflect.DeepEqual(fa.Interface(), fb.Interface()) {
			return false
		}
	}
	return true
}

// Rebuild takes the index away and builds it again.
func (w *Workspace) Rebuild(ctx context.Context) error {
	lock, err := w.state.lock(ctx, w.state.wait)
	if err != nil {
		return fmt.Errorf("build the index again: %w", err)
	}
	err = errors.Join(w.wipe(), lock.Close())
	if err != nil {
		return fmt.Errorf("build the index again: %w", err)
	}
	_, err = w.Refresh(ctx, Quick)
	return err
}

// Watching is how a resident workspace learns of changes.
type Watching struct {
	Folders int    `json:"folders"`         // that are watched
	Why     string `json:"why,omitempty"`   // why none are, so that each question looks at all files
	Lost    int    `json:"lost,omitempty"`  // how often the system could not keep up, and all files were looked at
	Drift   int    `json:"drift,omitempty"` // changes that were found and that nothing had told of
	Audited int    `json:"audited"`         // files that were extracted again, to compare
}

// Watching tells how a resident workspace learns of changes, as of its last look at the tree; nil
// for one that does not stay. It waits for nothing.
func (w *Workspace) Watching() *Watching {
	if w.resident == nil {
		return nil
	}
	out := *w.resident.tree.seen.Load()
	out.Audited = int(w.resident.audited.Load())
	return &out
}
