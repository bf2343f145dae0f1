package readtools

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestCircles holds circles against their meaning on random networks: two nodes share one if and
// only if each reaches the other, every edge among members is told, none leads back that is not
// marked, and where the order is said to be the best, none is better.
func TestCircles(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 2 + rnd.IntN(6)
		g := newNetwork(make([]string, n))
		for from := range n {
			for to := range n {
				if from != to && rnd.IntN(4) == 0 {
					g.out[from][to] = &dependency{n: 1 + rnd.IntN(3)}
				}
			}
		}
		of := make([]int, n) // by node, its circle from 1 on
		for i, c := range g.circles() {
			for _, m := range c.members {
				of[m] = i + 1
			}
			checkCircle(t, g, &c)
			few := circle{members: g.fewBack(slices.Sorted(slices.Values(c.members)))}
			if slices.Sort(few.members); !slices.Equal(few.members, slices.Sorted(slices.Values(c.members))) {
				t.Fatalf("an order of other members: %v, not %v", few.members, c.members)
			}
		}
		for a := range n {
			for b := range a {
				if together := of[a] != 0 && of[a] == of[b]; together != (g.reaches(a, b) && g.reaches(b, a)) {
					t.Fatalf("%v: nodes %d and %d in one circle: %v", g, a, b, together)
				}
			}
		}
	}
}

func checkCircle(t *testing.T, g *network, c *circle) {
	t.Helper()
	cost := func(order []int) (sum int) {
		for i, from := range order {
			for _, to := range order[:i] {
				if d := g.out[from][to]; d != nil {
					sum += backCost(d)
				}
			}
		}
		return sum
	}
	edges, marked := 0, 0
	for _, from := range c.members {
		for _, to := range c.members {
			if g.out[from][to] != nil {
				edges++
			}
		}
	}
	for _, x := range c.edges {
		if back := slices.Index(c.members, x.to) < slices.Index(c.members, x.from); back != x.closes {
			t.Fatalf("%v: edge %d -> %d closes: %v", c.members, x.from, x.to, x.closes)
		} else if back {
			marked += backCost(x.dependency)
		}
	}
	if edges != len(c.edges) || marked != cost(c.members) {
		t.Fatalf("%v: %d edges told of %d", c.members, len(c.edges), edges)
	}
	permutations(slices.Clone(c.members), 0, func(order []int) {
		if cost(order) < marked {
			t.Fatalf("%v is better than %v", order, c.members)
		}
	})
}

func permutations(a []int, k int, f func([]int)) {
	if k == len(a) {
		f(a)
		return
	}
	for i := k; i < len(a); i++ {
		a[k], a[i] = a[i], a[k]
		permutations(a, k+1, f)
		a[k], a[i] = a[i], a[k]
	}
}

func (g *network) reaches(a, b int) bool {
	seen, next := map[int]bool{a: true}, []int{a}
	for len(next) > 0 {
		v := next[0]
		next = next[1:]
		for to := range g.out[v] {
			if to == b {
				return true
			}
			if !seen[to] {
				seen[to] = true
				next = append(next, to)
			}
		}
	}
	return false
}

// TestBigCircle puts a ring too long for all its orders to be compared in an order that only one
// edge leads back in.
func TestBigCircle(t *testing.T) {
	const n = 3000
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("%04d", i)
	}
	g := newNetwork(names)
	for i := range n {
		g.out[i][(i+1)%n] = &dependency{n: 1}
	}
	all := g.circles()
	if len(all) != 1 || len(all[0].members) != n || all[0].least || len(all[0].edges) != n || !all[0].edges[0].closes || all[0].edges[1].closes {
		t.Errorf("%d circles, the first %+v", len(all), all[0].edges[:2])
	}
}
