// Package bolt is graph.Store in one file, a bbolt database. It knows nothing of languages
// and makes no facts; what it stores it gives back.
//
// The layout, a bucket a line:
//
//	meta    format, which names the code's version and the layout of all stored structs;
//	        state: generation, first id not given out, which notes there are
//	notes   the values of the batches' Meta
//	files   64 consecutive file ids a value: path, hash, counts; a path keeps its id when
//	        the file is gone (files.go)
//	facts   file id -> what the file says (facts.go, column.go)
//	links   file id -> what became of its references
//	keys    file id -> its exports, the keys it read, the hashes of its names (keys.go)
//	lookup  table of (exported key, file)
//	asks    table of (key read, file)
//	refs    table of (target linked to, file)
//	names   table of (symbol name, file)
//
// A table is a sorted set of pairs cut into blocks of about a kilobyte (table.go). Tables
// name files only; which symbols of a file are meant is in its keys. So an edit that moves
// symbols about without adding or removing names rewrites the file's own three values and
// no table.
//
// Every value is a frame: version, checksum, payload (frame.go). The checksum is bound to the
// bucket and key, blocks hold the bounds between which they are responsible, and files say
// which other values an id must have. So damage, be it a flipped byte, a value under
// another's key or one that is missing, is an error that is graph.ErrCorrupt and not a
// wrong answer. What bbolt itself does not survive, its panics and faults on damaged pages,
// becomes the same error (guard.go). Out of reach is a page tree bent into a circle.
//
// A generation is a bbolt transaction: pages are written beside the old ones, synced, and
// then a meta page that leads to them. What was half written is as if it had not been. The
// first generation may be made in several, of which the last makes it seen (draft.go).
// Space of replaced pages is used again, but the file does not shrink: one builds anew in
// a new file. Damage to the newest meta page cannot be told from a torn write: the
// generation before it is then the newest.
package bolt
