// Package bleve is the ranked text index: a question in words to the files that are likely to
// answer it. It is for codebase_explore and read_discover. It is not for grep: an index of words
// misses substrings, so it could lose matches (search/trigram is grep's).
//
// A document is a file, known by its graph.FileID. Its fields are words, made by one tokenizer
// for files and questions alike: runs of letters and digits, split where camelCase and digits
// turn, in lower case and without plural endings.
//
//	path   the words of the path
//	names  the names of the file's definitions
//	docs   the doc comments of the definitions
//	text   the first words of the rest: comments, strings and code, each word once
//
// Nothing is stored but the postings: what is shown is read from the workspace.
//
// # On disk
//
// A folder with one bleve (scorch) index in a subfolder named after a count, `1`, `2`, ... The
// token that names a state is that count and a revision. A first or large change is built offline
// as a new subfolder; a small one is a batch on the present one, which also sets its internal
// value `revision`. Opening compares the revision with the token's: an index with a lower one lost
// what the graph relies on and says ErrBehind, so that it is built anew. A higher one means that
// something was written which the graph then did not commit, since the process was killed between
// the two: words of a file as it was a moment later, which the next change of that file replaces.
// It only proposes files to look into, so this costs rank and no truth. Folders that the token
// does not name are garbage.
package bleve
