package graph

// The hashes here are FNV-1a over bytes with a final avalanche (the 64-bit finalizer of
// MurmurHash3), so that close names spread over the whole range. They are part of the
// stored format.

const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// Hash is a running 64-bit hash; the zero value is not a valid start, NewHash is.
type Hash uint64

// NewHash starts a hash.
func NewHash() Hash { return fnvOffset }

// String adds s and its end.
func (h Hash) String(s string) Hash {
	for i := 0; i < len(s); i++ {
		h = (h ^ Hash(s[i])) * fnvPrime
	}
	return (h ^ 0xff) * fnvPrime
}

// Int adds an integer.
func (h Hash) Int(n uint64) Hash {
	for range 8 {
		h = (h ^ Hash(n&0xff)) * fnvPrime
		n >>= 8
	}
	return h
}

// Sum is the spread hash of all that was added.
func (h Hash) Sum() uint64 {
	x := uint64(h)
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	x ^= x >> 33
	return x
}

// Scope is the scope of the given kind and name: ("file", path), ("go", dir) and so on.
func Scope(kind, name string) ScopeID {
	return ScopeID(NewHash().String(kind).String(name).Sum())
}

// Sub is the scope of the members of name in s.
func (s ScopeID) Sub(name string) ScopeID {
	return ScopeID(NewHash().Int(uint64(s)).String(name).Int(1).Sum())
}

// Path is the scope reached from s by a dotted path of names; an empty path is s itself.
func (s ScopeID) Path(dotted string) ScopeID {
	for dotted != "" {
		i := 0
		for i < len(dotted) && dotted[i] != '.' {
			i++
		}
		s = s.Sub(dotted[:i])
		dotted = dotted[min(i+1, len(dotted)):]
	}
	return s
}

// Key is the key of name in s.
func (s ScopeID) Key(name string) Key {
	return Key(NewHash().Int(uint64(s)).String(name).Sum())
}

// TargetHash is the hash by which links name symbol i of a file.
func (f *Facts) TargetHash(i int32) uint32 {
	s := &f.Symbols[i]
	return uint32(NewHash().String(f.Strings[s.Qual]).String(f.Strings[s.Name]).Int(uint64(s.Ordinal)).Sum())
}
