// Package graph holds what is known about code, and the questions one may ask of it.
//
// Facts are what one file says by itself: its symbols, the names it imports, and the
// expressions in which it mentions names that lead out of a function's own scope. Facts
// never hold data of another file, so they can be made in parallel, kept by content hash,
// and shared by every store.
//
// Links are derived: for each mention, the symbols it refers to, with the reason for each,
// or why there is none.
//
// Names meet in scopes. A scope is a path of names (a package, a module, a type in a
// package) to which any file may add members; ScopeID is its hash. A file exports
// (scope, name) keys; linking a file looks keys up and records them, misses included. That
// one mechanism serves packages, modules, class members, reopened classes and files alike,
// and tells exactly which files a change can touch: those that asked for a key whose
// answer changed.
//
// A symbol's ID is readable and the same on every machine: the file's path, `#`, and the
// names that lead to it (`net/http/request.go#Request.Write`). Where a file defines the same
// path of names again (overloads, several init functions), the later ones end in `~2`, `~3`.
// A path fixes a language and, with the names, a package, so neither is repeated in the ID;
// and an ID is itself a target that a person can type.
//
// The package is not for storing (see graph/bolt), not for making facts (index, index/lang)
// and reads no file.
package graph
