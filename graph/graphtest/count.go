package graphtest

import (
	"context"
	"sync"

	"github.com/codegraph-dev/codegraph/graph"
)

// Counter is a graph.Store that counts the questions asked of another: across a network,
// each would be a round trip.
type Counter struct {
	graph.Store
	mu    sync.Mutex // guards calls
	calls map[string]int
}

// Count is a Counter of s.
func Count(s graph.Store) *Counter { return &Counter{Store: s, calls: map[string]int{}} }

// View implements graph.Store.
func (c *Counter) View(ctx context.Context, f func(graph.Reader) error) error {
	return c.Store.View(ctx, func(r graph.Reader) error { return f(CountReader(r, c.add)) })
}

func (c *Counter) add(method string) {
	c.mu.Lock()
	c.calls[method]++
	c.mu.Unlock()
}

// Calls are the numbers of questions since the last call, by method.
func (c *Counter) Calls() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	calls := c.calls
	c.calls = map[string]int{}
	return calls
}

// CountReader is r, with add called with the method's name for each question.
func CountReader(r graph.Reader, add func(method string)) graph.Reader {
	c := countReader{r, add}
	if k, ok := r.(graph.KeyReader); ok {
		return countKeyReader{c, k}
	}
	return c
}

type countReader struct {
	graph.Reader
	add func(string)
}

func (c countReader) Meta(keys ...string) ([][]byte, error) {
	c.add("Meta")
	return c.Reader.Meta(keys...)
}

func (c countReader) Files() ([]graph.File, error) {
	c.add("Files")
	return c.Reader.Files()
}

func (c countReader) FileIDs(paths []string) ([]graph.FileID, error) {
	c.add("FileIDs")
	return c.Reader.FileIDs(paths)
}

func (c countReader) Facts(ids []graph.FileID) ([]*graph.Facts, error) {
	c.add("Facts")
	return c.Reader.Facts(ids)
}

func (c countReader) Links(ids []graph.FileID) ([]*graph.Links, error) {
	c.add("Links")
	return c.Reader.Links(ids)
}

func (c countReader) Lookup(keys []graph.Key) ([][]graph.Handle, error) {
	c.add("Lookup")
	return c.Reader.Lookup(keys)
}

func (c countReader) Named(keep func(string) bool, f func(string, []graph.Handle) bool) error {
	c.add("Named")
	return c.Reader.Named(keep, f)
}

func (c countReader) Referrers(targets []graph.Target) ([][]graph.FileID, error) {
	c.add("Referrers")
	return c.Reader.Referrers(targets)
}

func (c countReader) Askers(keys []graph.Key) ([]graph.FileID, error) {
	c.add("Askers")
	return c.Reader.Askers(keys)
}

type countKeyReader struct {
	countReader
	keys graph.KeyReader
}

func (c countKeyReader) Exports(ids []graph.FileID) ([][]graph.Export, error) {
	c.add("Exports")
	return c.keys.Exports(ids)
}

func (c countKeyReader) Reads(ids []graph.FileID) ([][]graph.Key, error) {
	c.add("Reads")
	return c.keys.Reads(ids)
}
