package bolt

import (
	"slices"
	"strings"
	"sync"

	bbolt "go.etcd.io/bbolt"

	"github.com/codegraph-dev/codegraph/graph"
)

// catalog knows, in memory, every path that has an id. It only ever grows, and an entry
// never changes, so one serves all generations. Ids from state.next on are promised: given
// out by FileIDs, and kept by the next Apply.
type catalog struct {
	mu    sync.Mutex
	paths []string // by id
	ids   map[string]graph.FileID
	rank  []uint32 // by id: the path's place among all paths
}

// load reads the paths of ids below next that are not known yet. In a process that writes,
// those are read once; after that Apply has made known what it kept.
func (c *catalog) load(b *bbolt.Bucket, next uint32) error {
	if c.ids == nil {
		c.ids = make(map[string]graph.FileID, next)
	}
	var places []place
	for uint32(len(c.paths)) < next {
		n := uint32(len(c.paths)) / filesPerChunk
		var err error
		if places, err = appendChunk(places[:0], b, n, next); err != nil {
			return err
		}
		for _, p := range places[uint32(len(c.paths))%filesPerChunk:] {
			c.add(p.file.Path)
		}
	}
	return nil
}

func (c *catalog) add(path string) graph.FileID {
	id := graph.FileID(len(c.paths))
	c.paths = append(c.paths, path)
	c.ids[path] = id
	return id
}

// idsOf are the ids of paths; new paths are promised fresh ones.
func (c *catalog) idsOf(b *bbolt.Bucket, next uint32, paths []string) ([]graph.FileID, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.load(b, next); err != nil {
		return nil, err
	}
	ids := make([]graph.FileID, len(paths))
	for i, p := range paths {
		id, ok := c.ids[p]
		if !ok {
			id = c.add(strings.Clone(p))
		}
		ids[i] = id
	}
	return ids, nil
}

// ranks are the places, by id, of at least the ids below next in the order of paths. Two
// calls may number differently; the order is the same.
func (c *catalog) ranks(b *bbolt.Bucket, next uint32) ([]uint32, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.load(b, next); err != nil {
		return nil, err
	}
	if len(c.rank) < len(c.paths) {
		order := make([]uint32, len(c.paths))
		for i := range order {
			order[i] = uint32(i)
		}
		slices.SortFunc(order, func(a, b uint32) int { return strings.Compare(c.paths[a], c.paths[b]) })
		rank := make([]uint32, len(order))
		for at, id := range order {
			rank[id] = uint32(at)
		}
		c.rank = rank
	}
	return c.rank, nil
}

// all are the paths of all ids, promised ones included.
func (c *catalog) all(b *bbolt.Bucket, next uint32) ([]string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.load(b, next); err != nil {
		return nil, err
	}
	return c.paths[:len(c.paths):len(c.paths)], nil
}
