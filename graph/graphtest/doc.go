// Package graphtest tests what keeps a graph: Run is one conformance suite for every
// graph.Store, NewMemory a plain store to compare with and to use in tests of others,
// Count a store that counts its questions, and RandomRecord what to fill stores with.
// It is for tests only.
package graphtest
