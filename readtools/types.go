package readtools

import (
	"context"
	"time"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/workspace"
)

// Page is what every read tool takes to bound its answer, and its wait.
type Page struct {
	Limit  int    `json:"limit,omitempty" doc:"most results to return; the total is always told"`
	Cursor string `json:"cursor,omitempty" doc:"opaque cursor of an earlier answer, to continue it"`
	Budget int    `json:"budget,omitempty" default:"24000" max:"200000" doc:"most characters of text in the answer"`
	Fresh  string `json:"fresh,omitempty" enum:"wait,now" default:"wait" doc:"wait a little until the index has every change, or answer now from what there is"`
	// TimeoutMS has its default and its maximum in deadline.go.
	TimeoutMS int `json:"timeout_ms,omitempty" max:"60000" doc:"most milliseconds to work (5000), then what was found so far is the answer, with a cursor"`
	// AtLeast is not for bounding, but as much every tool's.
	AtLeast int `json:"at_least,omitempty" doc:"wait for this generation of the index, as an edit's answer told it"`
}

// When is how a call's View waits, and how long the call works.
func (p Page) When(ctx context.Context) context.Context {
	if p.Fresh == "now" {
		ctx = workspace.Within(ctx, time.Millisecond)
	}
	if p.AtLeast > 0 {
		ctx = workspace.AtLeast(ctx, graph.Gen(p.AtLeast))
	}
	return p.timed(ctx)
}

// Head is what every result begins with.
//
// Shown and Total count the tool's own items. Cursor is empty when nothing is left.
// Complete is false when files with text were skipped or a bound cut the work; Skipped says
// which and why, binary files included; Notes says it in words.
type Head struct {
	Root       string   `json:"root"`
	Generation uint64   `json:"generation"`
	Fresh      bool     `json:"fresh"`
	Shown      int      `json:"shown"`
	Total      int      `json:"total"`
	Cursor     string   `json:"cursor"`
	Evidence   string   `json:"evidence"`
	Complete   bool     `json:"complete"`
	Skipped    []Skip   `json:"skipped,omitempty"`
	Notes      []string `json:"notes,omitempty"`
}

// Skip is a file, or a number of files, that an answer leaves out.
type Skip struct {
	Path   string `json:"path,omitempty"`
	Reason string `json:"reason"`
	Count  int    `json:"count,omitempty"`
}

// Symbol is a definition as every tool shows it. Lines and columns are 1-based, a
// column counts bytes; Line is the line of the name. Condition is the preprocessor's, without
// which a build does not have it. Around a matching line only what it is called is told.
type Symbol struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Kind      string `json:"kind"`
	Container string `json:"container,omitempty"`
	Language  string `json:"language,omitempty"`
	Path      string `json:"path,omitempty"`
	Line      int    `json:"line,omitempty"`
	Column    int    `json:"column,omitempty"`
	StartLine int    `json:"start_line,omitempty"`
	EndLine   int    `json:"end_line,omitempty"`
	Signature string `json:"signature,omitempty"`
	Condition string `json:"condition,omitempty"`
	Doc       string `json:"doc,omitempty"`
}

// DiscoverParams are the arguments of read_discover.
type DiscoverParams struct {
	Query          string   `json:"query,omitempty" pos:"1" doc:"fuzzy, path-aware words: parts of a path or file name"`
	Glob           []string `json:"glob,omitempty" doc:"only paths that match one of these globs (** crosses folders, a leading ! excludes)"`
	Path           string   `json:"path,omitempty" doc:"start at this folder"`
	Type           string   `json:"type,omitempty" enum:"file,dir,any" default:"any" doc:"files, folders or both"`
	Language       string   `json:"language,omitempty" doc:"only files of this language"`
	Depth          int      `json:"depth,omitempty" doc:"how many folders deep; 0 lets the limit decide"`
	IncludeIgnored bool     `json:"include_ignored,omitempty" doc:"also what ignore files exclude"`
	Hidden         bool     `json:"hidden,omitempty" doc:"also dot files and dot folders"`
	Page
}

// DiscoverEntry is one path. Size is in bytes; a folder's Size, Lines and Symbols are
// sums over the files below it, Files their number.
type DiscoverEntry struct {
	Path     string  `json:"path"`
	Type     string  `json:"type"`
	Size     int64   `json:"size"`
	Lines    int     `json:"lines,omitempty"`
	Files    int     `json:"files,omitempty"`
	Language string  `json:"language,omitempty"`
	Symbols  int     `json:"symbols,omitempty"`
	Score    float64 `json:"score,omitempty"`
}

// DiscoverResult is the answer of read_discover.
type DiscoverResult struct {
	Head
	Entries []DiscoverEntry `json:"entries"`
}

// GrepParams are the arguments of grep. Text semantics are ripgrep's.
type GrepParams struct {
	Pattern        string   `json:"pattern" pos:"1" required:"true" doc:"RE2 regular expression, or plain text with literal"`
	In             string   `json:"in,omitempty" enum:"text,symbols,references,config" default:"text" doc:"what to search: file text, names of definitions, uses of a symbol, or configuration keys (server.port)"`
	Literal        bool     `json:"literal,omitempty" short:"F" doc:"the pattern is plain text"`
	IgnoreCase     bool     `json:"ignore_case,omitempty" short:"i" doc:"case does not matter"`
	SmartCase      bool     `json:"smart_case,omitempty" short:"S" doc:"case matters only if the pattern has an upper-case letter"`
	Word           bool     `json:"word,omitempty" short:"w" doc:"only whole words"`
	Multiline      bool     `json:"multiline,omitempty" short:"U" doc:"a match may span lines"`
	Invert         bool     `json:"invert,omitempty" short:"v" doc:"lines that do not match"`
	Path           []string `json:"path,omitempty" pos:"2..." doc:"only below these files or folders; a file named here is searched even if ignored"`
	Glob           []string `json:"glob,omitempty" short:"g" doc:"only paths that match one of these globs; a leading ! excludes"`
	Exclude        []string `json:"exclude,omitempty" doc:"not paths that match one of these globs"`
	Language       string   `json:"language,omitempty" short:"t" doc:"only files of this language"`
	Context        int      `json:"context,omitempty" short:"C" doc:"lines to show around each match"`
	Before         int      `json:"before,omitempty" short:"B" doc:"lines to show before each match"`
	After          int      `json:"after,omitempty" short:"A" doc:"lines to show after each match"`
	Output         string   `json:"output,omitempty" enum:"lines,files,count" default:"lines" doc:"matching lines, paths only, or numbers a file"`
	IncludeIgnored bool     `json:"include_ignored,omitempty" doc:"also what ignore files exclude"`
	Hidden         bool     `json:"hidden,omitempty" doc:"also dot files and dot folders"`
	Page
}

// Match is one matching line, definition, reference or key. Spans are byte ranges
// [start, end) inside Text. Symbol is the enclosing definition (for `in: symbols`, the
// definition itself). Role, Target and Status belong to references: Status is `certain`,
// `possible`, `external` or `unresolved`, Reason says why. For keys, Role is `definition` or
// `use`. EndLine is set where a match spans lines; Clipped where Text is a part of a long line;
// Base64 holds Text's bytes where they are no valid UTF-8 and Text shows them as U+FFFD.
// Binary stands for a file named by the caller that matches and has no lines to show.
type Match struct {
	Path    string   `json:"path"`
	Line    int      `json:"line"`
	EndLine int      `json:"end_line,omitempty"`
	Column  int      `json:"column"`
	Text    string   `json:"text"`
	Spans   [][2]int `json:"spans,omitempty"`
	Before  []string `json:"before,omitempty"`
	After   []string `json:"after,omitempty"`
	Symbol  *Symbol  `json:"symbol,omitempty"`
	Role    string   `json:"role,omitempty"`
	Target  *Symbol  `json:"target,omitempty"`
	Status  string   `json:"status,omitempty"`
	Reason  string   `json:"reason,omitempty"`
	Key     string   `json:"key,omitempty"`
	Value   string   `json:"value,omitempty"`
	Clipped bool     `json:"clipped,omitempty"`
	Base64  string   `json:"base64,omitempty"`
	Binary  bool     `json:"binary,omitempty"`
}

// FileCount is a file with the number of its matching lines.
type FileCount struct {
	Path  string `json:"path"`
	Count int    `json:"count"`
}

// GrepResult is the answer of grep: Matches for `output: lines`, Files for `files`,
// Counts for `count`; the one that is asked for is there even if empty, the others never. Total counts matching lines (or definitions, references, keys), for
// `files` the files; Shown counts what is listed.
type GrepResult struct {
	Head
	Matches []Match     `json:"matches,omitzero"`
	Files   []string    `json:"files,omitzero"`
	Counts  []FileCount `json:"counts,omitzero"`
	// SearchedFiles is the number of files whose text was in scope.
	SearchedFiles int `json:"searched_files"`
	FilesMatched  int `json:"files_matched"`
}

// OpenParams are the arguments of read_open.
type OpenParams struct {
	Target  []string `json:"target" pos:"1..." required:"true" doc:"one or many of: path, path:LINE, path:A-B, a symbol id, a qualified name (Type.Method, pkg.Func), path#Name"`
	View    string   `json:"view,omitempty" enum:"source,outline,signature" default:"source" doc:"the bytes, the definitions in it, or signatures only"`
	Context int      `json:"context,omitempty" doc:"lines to show around a line or symbol"`
	Page
}

// OpenItem is one opened target. Lines is the shown range, both ends included. SHA256 is of the whole
// file's bytes. Base64 holds Text's bytes where they are no valid UTF-8 and Text shows them as U+FFFD.
// Candidates is set, and nothing opened, when the target is ambiguous.
type OpenItem struct {
	Target     string   `json:"target"`
	Path       string   `json:"path,omitempty"`
	Lines      [2]int   `json:"lines"`
	TotalLines int      `json:"total_lines"`
	SHA256     string   `json:"sha256,omitempty"`
	Language   string   `json:"language,omitempty"`
	Encoding   string   `json:"encoding,omitempty"`
	EOL        string   `json:"eol,omitempty"`
	BOM        bool     `json:"bom,omitempty"`
	Symbol     *Symbol  `json:"symbol,omitempty"`
	Text       string   `json:"text"`
	Base64     string   `json:"base64,omitempty"`
	Outline    []Symbol `json:"outline,omitempty"`
	Partial    string   `json:"partial,omitempty"`
	Candidates []Symbol `json:"candidates,omitempty"`
	Error      *Error   `json:"error,omitempty"`
}

// OpenResult is the answer of read_open.
type OpenResult struct {
	Head
	Items []OpenItem `json:"items"`
}

// ExploreParams are the arguments of codebase_explore.
type ExploreParams struct {
	Query        string `json:"query,omitempty" pos:"1" doc:"a question in words, a symbol (Type.Method, pkg.Func, path#Name), a path or path:line, or a stack trace; for changes, paths or a unified diff"`
	Focus        string `json:"focus,omitempty" enum:"auto,overview,symbol,callers,callees,references,implementations,hierarchy,impact,path,dependencies,cycles,unused,hotspots,tests,changes" default:"auto" doc:"which relation to answer"`
	To           string `json:"to,omitempty" doc:"for path: the symbol to reach"`
	Depth        int    `json:"depth,omitempty" doc:"how many steps to follow (callers, callees, impact, path, hierarchy, tests, changes)"`
	Path         string `json:"path,omitempty" doc:"only below this folder, or the file in which the symbol is defined"`
	IncludeTests bool   `json:"include_tests,omitempty" default:"true" doc:"also symbols in test files"`
	Page
}

// Edge is why an item is in the answer. Certain is false for a possible edge (dynamic
// dispatch, several candidates); Confidence is the measured share of right answers for
// that language, role and reason.
type Edge struct {
	Role       string  `json:"role"`
	Reason     string  `json:"reason"`
	Confidence float64 `json:"confidence"`
	Certain    bool    `json:"certain"`
}

// ExploreItem is one symbol or site of an answer. For callers, Symbol is the calling
// definition (absent for code outside any), Path, Line, Column and Text the call site,
// Target what is called. For callees, Symbol is the target (absent when it lies outside the
// project: then External names it). For references, Symbol is the enclosing definition.
// For everything else, Symbol is the found definition and Text its verified source.
type ExploreItem struct {
	Symbol   *Symbol `json:"symbol,omitempty"`
	Path     string  `json:"path,omitempty"`
	Line     int     `json:"line,omitempty"`
	Column   int     `json:"column,omitempty"`
	Text     string  `json:"text,omitempty"`
	Edge     *Edge   `json:"edge,omitempty"`
	Target   *Symbol `json:"target,omitempty"`
	External string  `json:"external,omitempty"`
	Depth    int     `json:"depth,omitempty"`
	Score    float64 `json:"score,omitempty"`
	Note     string  `json:"note,omitempty"`
}

// Account says where every textual occurrence of a name went; the parts add up to Total.
type Account struct {
	Name        string `json:"name"`
	Total       int    `json:"total"`
	Definitions int    `json:"definitions"`
	Bound       int    `json:"bound"`
	Possible    int    `json:"possible"`
	Other       int    `json:"other_symbols"`
	Unresolved  int    `json:"unresolved"`
	External    int    `json:"external"`
	Text        int    `json:"comments_strings_other_text"`
	Local       int    `json:"locals"`
}

// Section is a titled part of an overview.
type Section struct {
	Title string   `json:"title"`
	Lines []string `json:"lines"`
}

// ExploreResult is the answer of codebase_explore. Bound is `exact` or `at least`, Left
// says what was left out. Candidates is set when the query names several symbols.
type ExploreResult struct {
	Head
	Focus      string        `json:"focus"`
	Subject    *Symbol       `json:"subject,omitempty"`
	Items      []ExploreItem `json:"items"`
	Sections   []Section     `json:"sections,omitempty"`
	Bound      string        `json:"bound"`
	Left       []string      `json:"left_out,omitempty"`
	Account    *Account      `json:"account,omitempty"`
	Candidates []Symbol      `json:"candidates,omitempty"`
}

// Error is a failed call: what is wrong and the exact call or command that would help.
// Code is one of usage, precondition, not_found, ambiguous, stale, denied,
// approval_required, outside_workspace, unavailable, internal. Evidence is the call's entry in the
// ledger.
type Error struct {
	Code       string   `json:"code"`
	Message    string   `json:"message"`
	Next       string   `json:"next"`
	Candidates []Symbol `json:"candidates,omitempty"`
	Evidence   string   `json:"evidence,omitempty"`
}

func (e *Error) Error() string { return e.Message + "; " + e.Next }
