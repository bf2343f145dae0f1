// Package index turns bytes into facts and facts into links, and moves a graph.Store and
// the text indexes beside it from one generation to the next.
//
// An Extractor makes the facts of one file from its bytes alone. Link finds what the
// mentions in a file's facts refer to; it asks for keys, and which keys it asked for is kept
// with the file. An Engine brings both together in one update:
//
//  1. read, hash and extract the files that may have changed, in parallel; what still has
//     the hash that the store knows is done;
//  2. compare what the changed and the deleted files export with what they exported before:
//     the keys whose answers differ;
//  3. link the changed files, and of all others exactly those whose links were made from one
//     of these keys;
//  4. write the text indexes, then everything else in one batch that names what the text
//     indexes wrote.
//
// Links name a symbol by its file and a hash of its name (graph.Target), so an edit that
// only moves symbols about changes no other file. A build from nothing is the same update
// with every file changed; that the two agree is tested at random. Where its facts are more
// than may be held in memory, they go to the store in parts and come back while files are
// linked (first.go).
//
// Until the last step nothing is visible, and an update that is cancelled or killed leaves
// the generation before it. A file that cannot be read or understood is data with a reason
// (graph.File.Skip, graph.Facts.Errors), never the end of an update.
//
// The package is not for finding out which files changed, for knowing languages
// (index/lang), or for opening stores.
package index
