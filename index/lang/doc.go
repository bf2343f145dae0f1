// Package lang knows languages. A Language is a value: its names and file patterns, its
// tree-sitter grammar, a table that says what each of the grammar's node kinds means in one
// fixed vocabulary (Rule), and a few hooks where a table is not enough. One Go file a
// language; nothing outside this package knows a language by name.
//
// A file is parsed and flattened in one call to C (tree.go). Everything after it is plain
// Go over an array: the Builder walks the flat tree once, asks the table what each node
// means, and writes graph.Facts. Measured on the Go standard library, where parsing alone
// takes 15 CPU-seconds, parse and flattening take 18; one query that captures every
// identifier 27; a walk through the binding's nodes 49. So tables won over queries.
//
// The Builder lives here and not in package index because hooks drive it: a language's few
// lines of code and the machine that they steer would otherwise import each other.
//
// The package holds the program's only cgo. It does not read files, resolve modules on disk
// or link names across files: a language's Modules hook only proposes where to look.
package lang
