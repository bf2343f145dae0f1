package readtools

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
)

// A network is what depends on what: by number of the node, its edges by number of the node
// that they lead to. Nodes are numbered in the order of their names.
type network struct {
	names []string
	out   []map[int]*dependency
}

// dependency is an edge of a network: a reference that makes it, the first import where there
// is one, and how many references there are.
type dependency struct {
	hit siteHit
	n   int
}

func newNetwork(names []string) *network {
	g := &network{names: names, out: make([]map[int]*dependency, len(names))}
	for i := range g.out {
		g.out[i] = map[int]*dependency{}
	}
	return g
}

// circle is a largest set of nodes each of which is reached from each other. Its members are in
// the order in which fewest edges lead back; without those it would be none.
type circle struct {
	members []int
	edges   []circleEdge // those that lead back first
	least   bool         // no other order has fewer that lead back
}

type circleEdge struct {
	from, to int
	closes   bool
	*dependency
}

// circles are the circles of a network, those of fewest edges first.
func (g *network) circles() []circle {
	var out []circle
	for _, members := range g.components() {
		if len(members) > 1 {
			out = append(out, g.circle(members))
		}
	}
	slices.SortStableFunc(out, func(a, b circle) int {
		return cmp.Or(cmp.Compare(len(a.edges), len(b.edges)), slices.Compare(a.members, b.members))
	})
	return out
}

// components are the strongly connected components, after Tarjan. The walk keeps its own stack,
// since a chain of files may be as long as the project.
func (g *network) components() [][]int {
	type frame struct {
		node int
		next []int // where its edges lead that are not followed yet
	}
	index, low := make([]int, len(g.out)), make([]int, len(g.out)) // index 0: not seen
	on := make([]bool, len(g.out))
	var stack []int
	var walk []frame
	var found [][]int
	seen := 0
	enter := func(v int) {
		seen++
		index[v], low[v], on[v] = seen, seen, true
		stack = append(stack, v)
		walk = append(walk, frame{v, slices.Sorted(maps.Keys(g.out[v]))})
	}
	for root := range g.out {
		if index[root] != 0 {
			continue
		}
		enter(root)
		for len(walk) > 0 {
			top := &walk[len(walk)-1]
			v := top.node
			if len(top.next) > 0 {
				to := top.next[0]
				top.next = top.next[1:]
				if index[to] == 0 {
					enter(to)
				} else if on[to] {
					low[v] = min(low[v], index[to])
				}
				continue
			}
			walk = walk[:len(walk)-1]
			if len(walk) > 0 {
				up := walk[len(walk)-1].node
				low[up] = min(low[up], low[v])
			}
			if low[v] == index[v] {
				at := slices.Index(stack, v)
				members := slices.Sorted(slices.Values(stack[at:]))
				stack = stack[:at]
				for _, m := range members {
					on[m] = false
				}
				found = append(found, members)
			}
		}
	}
	return found
}

// circle puts the members of a component in order, with the edges among them.
func (g *network) circle(members []int) circle {
	c := circle{least: len(members) <= leastMembers}
	if c.least {
		c.members = g.leastBack(members)
	} else {
		c.members = g.fewBack(members)
	}
	rank := map[int]int{}
	for i, m := range c.members {
		rank[m] = i
	}
	for _, from := range c.members {
		for to, d := range g.out[from] {
			if at, in := rank[to]; in {
				c.edges = append(c.edges, circleEdge{from, to, at < rank[from], d})
			}
		}
	}
	slices.SortFunc(c.edges, func(a, b circleEdge) int {
		if a.closes != b.closes {
			return map[bool]int{true: -1, false: 1}[a.closes]
		}
		return cmp.Or(cmp.Compare(rank[a.from], rank[b.from]), cmp.Compare(rank[a.to], rank[b.to]))
	})
	return c
}

// leastMembers is the largest circle whose orders are all compared.
const leastMembers = 12

// backCost is what it costs that an edge leads back: the edge counts before its references.
func backCost(d *dependency) int { return 1<<32 + d.n }

// leastBack is the order in which the edges that lead back cost least, found over all sets of
// members that may stand in front (2^n of them); of equal orders the one by name.
func (g *network) leastBack(members []int) []int {
	n := len(members)
	back := make([][]int, n) // cost of the edge from member i to member j
	for i, from := range members {
		back[i] = make([]int, n)
		for j, to := range members {
			if d := g.out[from][to]; d != nil && i != j {
				back[i][j] = backCost(d)
			}
		}
	}
	add := func(front uint, v int) (cost int) { // v stands behind all in front
		for s := front; s != 0; s &= s - 1 {
			cost += back[v][bits.TrailingZeros(s)]
		}
		return cost
	}
	all := uint(1)<<n - 1
	rest := make([]int, all+1) // the least cost of what follows a set in front
	best := make([]int, all+1)
	for front := int(all) - 1; front >= 0; front-- {
		best[front] = -1
		for v := range n {
			if uint(front)&(1<<v) != 0 {
				continue
			}
			if cost := add(uint(front), v) + rest[uint(front)|1<<v]; best[front] < 0 || cost < rest[front] {
				rest[front], best[front] = cost, v
			}
		}
	}
	var out []int
	for front := uint(0); front != all; front |= 1 << best[front] {
		out = append(out, members[best[front]])
	}
	return out
}

// fewBack is an order in which few edges lead back, after Eades, Lin and Smyth: who has nothing
// left to lead to goes to the end, and to the front whom nothing leads to, or else who leads to
// more than leads to it.
func (g *network) fewBack(members []int) []int {
	left := map[int]bool{}
	for _, m := range members {
		left[m] = true
	}
	outs, ins := map[int]int{}, map[int]int{}
	into := map[int][]int{}
	for _, m := range members {
		for to := range g.out[m] {
			if left[to] {
				outs[m]++
				ins[to]++
				into[to] = append(into[to], m)
			}
		}
	}
	take := func(v int) {
		delete(left, v)
		for to := range g.out[v] {
			ins[to]--
		}
		for _, from := range into[v] {
			outs[from]--
		}
	}
	var front, end []int
	for len(left) > 0 {
		best := -1
		for _, v := range members {
			switch {
			case !left[v]:
			case outs[v] == 0:
				take(v)
				end = append(end, v)
			case best < 0 || rankOf(outs[v], ins[v]) > rankOf(outs[best], ins[best]):
				best = v
			}
		}
		if best >= 0 && left[best] {
			take(best)
			front = append(front, best)
		}
	}
	slices.Reverse(end)
	return append(front, end...)
}

// rankOf is how much a node belongs in front.
func rankOf(outs, ins int) int {
	if ins == 0 {
		return 1 << 32
	}
	return outs - ins
}
