// Package trigram is grep's candidate index: for each trigram of bytes, the
// documents whose text holds it. It implements search.Index.
//
// It proposes and never decides: a caller reads the candidates' present bytes.
// It keeps no text, no positions and no paths; a document is a number that its
// owner gives out.
//
// # Use
//
// A [Store] lives in a folder of its own. A [Batch] takes documents from any
// number of goroutines; [Store.Apply] writes it durably and returns a token,
// which names the files that make up the index. The owner stores the token in a
// transaction of its own: that is the commit. Files that the committed token
// does not name are garbage, which [Store.Sweep] removes. When the commit fails,
// the owner opens the store again with the token that it has.
//
// # Segments
//
// The index is a list of immutable segments, oldest first. What a newer segment
// says about a document, its removal included, replaces what older ones say.
// One changed file therefore costs one small segment. When there are too many
// segments, or too much of one is dead, neighbours are merged, so that each
// document is rewritten a logarithmic number of times.
//
// # What is left out
//
// A document with too many distinct trigrams to be worth listing is kept on the
// always-scan list: it is a candidate for every query. A binary one is kept on
// the list of binaries, see [Store.Binaries], and is a candidate for none.
// Trigrams that span a line feed are not indexed, as search.Query has none.
//
// # Damage
//
// Every page of a segment has a checksum, verified when the page is first
// needed; the checksums and the layout have one, verified on opening. Whatever
// does not verify is ErrCorrupt: the owner throws the folder away and indexes
// anew.
package trigram
