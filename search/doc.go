// Package search finds text: it turns a pattern into verified lines.
//
// The path of a search is
//
//	Options --Compile--> Pattern --Query--> Index --candidates--> Searcher --bytes now--> matches
//
// A [Pattern] is compiled once and used by any number of goroutines. Its
// [Query] is the condition on trigrams that every matching text fulfils; an
// [Index] answers it with candidate documents. A [Searcher] reads the present
// bytes of the candidates through a [Source] and reports what it read: an
// index narrows, it never decides.
//
// # Dialect
//
// Patterns are RE2 syntax with ripgrep's meaning:
//
//   - \w, \b, \d, \s and (?i) are Unicode. \w is Alphabetic, M, Nd, Pc and
//     Join_Control; \d is Nd; \s is White_Space; (?i) is simple folding by
//     orbits (k, K and the Kelvin sign are one letter; ß and ss are not). The
//     tables are those of the Go release that built the program.
//   - ^ and $ are anchors of lines. Without Multiline nothing crosses a line:
//     no class matches a line feed, and a pattern that asks for one is an error.
//   - A line ends with LF. $, and a whole-line match, also hold before a CR that
//     stands before that LF or at the end of the file. Everything else sees the
//     CR as ripgrep does, so that each line found by ripgrep without --crlf is
//     found here, and a pattern with $ finds what ripgrep finds with --crlf.
//     Options.CRLF gives ripgrep's --crlf to the letter.
//   - Text is UTF-8. A byte that is no part of valid UTF-8 is matched by
//     nothing, not even by a dot, and hinders nothing beside it.
//   - A byte order mark is not part of line 1; UTF-16 with a mark is transcoded.
//     A NUL in the decoded text makes the file binary, wherever it stands.
//   - An empty pattern is refused; ^ finds every line.
//
// # Engine
//
// The package has an engine of its own instead of package regexp or RE2. A
// pattern becomes a byte program in which UTF-8 is compiled in; a lazily built
// automaton runs it over whole buffers, backwards to find where a match
// starts; a thread simulation takes over where the automaton may not go, which
// is beside non-ASCII bytes when the pattern has a word boundary. Go's regexp
// has ASCII words, lets a dot match an invalid byte and runs classes and
// alternations at 10 to 50 MB/s; RE2 compiled to Go code was measured slower
// than this automaton, cannot be interrupted inside a file, and shares the
// ASCII words. Both serve the tests as oracles where they agree.
//
// # Not for
//
// The package knows nothing of symbols, ranking by meaning, ignore rules or
// files on disk. It imports the standard library alone.
package search
