package search

// A Span is a match within the text of a line: bytes Start up to End, counted
// from the start of the line and cut to its text.
type Span struct{ Start, End int }

// A Match is one line, or the run of lines that a match across lines touches,
// with the matches that begin in it; or a line of context.
type Match struct {
	Line    int    // number of the (first) line, from 1
	EndLine int    // number of the last line; Line unless the match crosses lines
	Column  int    // byte column of the first span, from 1; 1 when there is none
	Off     int64  // offset of the line's first byte in the decoded text
	Text    string // the line, without its line end; clipped when Clip is set
	Spans   []Span // ordered; empty for context and for inverted searches
	Count   int    // matches in the line, of which Spans may hold fewer
	Context bool   // no match: a line beside one
	Clip    *Clip  // how Text was cut out of a long line; nil when it is whole
}

// A FileResult is what the search of one file found.
type FileResult struct {
	Path     string
	Meta     FileMeta
	Encoding string  // see Text.Encoding
	BOM      bool    // a byte order mark was cut off
	Matches  []Match // by line; with context lines between, see Match.Context
	Lines    int     // lines that match; for a search across lines, runs of lines
	Spans    int     // matches; not counted beyond the first of a line by Files and Count
	More     bool    // there are more matching lines than Matches or Lines tell
	Binary   bool    // the file has a NUL and was asked for by name
	NUL      int64   // where the first NUL stands, when Binary
}

// Matched reports whether the file has a match.
func (r *FileResult) Matched() bool { return r.Lines > 0 }

// SkipReason says why a file was not searched.
type SkipReason string

// The reasons for which a file is skipped.
const (
	SkipBinary     SkipReason = "binary"      // it has a NUL
	SkipTooLarge   SkipReason = "too large"   // beyond its owner's limit
	SkipUnreadable SkipReason = "unreadable"  // it could not be read; Err says why
	SkipVanished   SkipReason = "vanished"    // it was gone when it was to be read
	SkipNotRegular SkipReason = "not regular" // a pipe, a socket, a device
	SkipStopped    SkipReason = "stopped"     // the search ended before its turn
)

// A Skip is a file that was not searched, and why.
type Skip struct {
	Path   string
	Reason SkipReason
	Err    error // for SkipUnreadable
}

// Mode says what a search is to bring back.
type Mode uint8

// The modes of a search.
const (
	Lines Mode = iota // matching lines with their text and spans
	Count             // how many lines match, per file
	Files             // which files match; reading stops at the first match
)

// BufferOptions say how one buffer is searched.
type BufferOptions struct {
	Mode     Mode
	Before   int  // lines of context before a match
	After    int  // lines of context after a match
	MaxCount int  // stop after so many matching lines (rg -m); 0: no limit
	Keep     int  // keep so many matching lines, count the others; 0: all, < 0: none
	MaxSpans int  // keep so many spans of a line; 0: 1000
	MaxText  int  // clip lines that are longer (see Clip); 0: never
	Explicit bool // the file was named: when it is binary, say whether it matches
}
