package lang

/*
#cgo linux LDFLAGS: -Wl,--unresolved-symbols=ignore-all
#cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
#include <stdint.h>
#include <stdbool.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

// The core of tree-sitter is compiled by the binding's root package; only the entry
// points that are used are declared here. Layouts follow tree-sitter's public api.h.
typedef struct { uint32_t context[4]; const void *id; const void *tree; } TSNode;
typedef struct { const void *tree; const void *id; uint32_t context[3]; } TSTreeCursor;
extern void *ts_parser_new(void);
extern void ts_parser_delete(void *);
extern bool ts_parser_set_language(void *, const void *);
extern void ts_parser_set_timeout_micros(void *, uint64_t);
extern void ts_parser_reset(void *);
extern void *ts_parser_parse_string(void *, const void *, const char *, uint32_t);
extern void ts_tree_delete(void *);
extern TSNode ts_tree_root_node(const void *);
extern TSTreeCursor ts_tree_cursor_new(TSNode);
extern void ts_tree_cursor_delete(TSTreeCursor *);
extern bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
extern bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
extern bool ts_tree_cursor_goto_parent(TSTreeCursor *);
extern TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
extern uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
extern uint16_t ts_node_symbol(TSNode);
extern uint32_t ts_node_start_byte(TSNode);
extern uint32_t ts_node_end_byte(TSNode);
extern bool ts_node_is_missing(TSNode);
extern bool ts_node_has_error(TSNode);
extern uint32_t ts_language_symbol_count(const void *);
extern const char *ts_language_symbol_name(const void *, uint16_t);
extern uint32_t ts_language_field_count(const void *);
extern const char *ts_language_field_name_for_id(const void *, uint16_t);

typedef struct { uint16_t kind, field; uint32_t start, end, next; } cg_node;

// cg_flat walks the tree in preorder into out, which holds cap nodes. A node whose
// symbol is not marked in keep is left out. It returns the number of nodes, which may
// exceed cap: then only cap of them were written.
static uint32_t cg_flat(void *tree, const uint8_t *keep, cg_node *out, uint32_t cap, uint32_t *errors) {
	TSTreeCursor c = ts_tree_cursor_new(ts_tree_root_node(tree));
	uint32_t n = 0, depth = 0, room = 1024;
	uint32_t *open = malloc(room * sizeof *open);
	bool down = true;
	*errors = 0;
	for (;;) {
		if (down) {
			TSNode node = ts_tree_cursor_current_node(&c);
			uint16_t kind = ts_node_symbol(node), field = ts_tree_cursor_current_field_id(&c);
			bool bad = kind == 0xFFFF || ts_node_is_missing(node);
			if (bad) (*errors)++;
			if (depth == room) { room *= 2; open = realloc(open, room * sizeof *open); }
			if (depth == 0 || kind == 0xFFFF || keep[kind]) {
				if (n < cap) {
					out[n].kind = kind; out[n].field = field;
					out[n].start = ts_node_start_byte(node); out[n].end = ts_node_end_byte(node);
				}
				open[depth] = n++;
			} else open[depth] = 0xFFFFFFFF;
			if (ts_tree_cursor_goto_first_child(&c)) { depth++; continue; }
		}
		if (open[depth] < cap) out[open[depth]].next = n;
		if (ts_tree_cursor_goto_next_sibling(&c)) { down = true; continue; }
		if (depth == 0) break;
		ts_tree_cursor_goto_parent(&c); depth--; down = false;
	}
	free(open);
	ts_tree_cursor_delete(&c);
	return n;
}

typedef struct { void *tree; uint32_t count, errors; } cg_parsed;

static cg_parsed cg_parse(void *parser, const void *language, const char *src, uint32_t len, uint64_t micros,
		const uint8_t *keep, cg_node *out, uint32_t cap) {
	cg_parsed r = {0, 0, 0};
	if (!ts_parser_set_language(parser, language)) return r;
	ts_parser_set_timeout_micros(parser, micros);
	void *tree = ts_parser_parse_string(parser, 0, src, len);
	if (!tree) { ts_parser_reset(parser); return r; }
	if (keep) r.count = cg_flat(tree, keep, out, cap, &r.errors);
	if (keep && r.count > cap) { r.tree = tree; return r; }
	ts_tree_delete(tree);
	if (!keep) r.count = 1;
	return r;
}
static void cg_trim(void) {
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}
static uint32_t cg_again(void *tree, const uint8_t *keep, cg_node *out, uint32_t cap, uint32_t *errors) {
	uint32_t n = cg_flat(tree, keep, out, cap, errors);
	ts_tree_delete(tree);
	return n;
}
*/
import "C"

import (
	"errors"
	"runtime"
	"time"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"
)

// ErrParse is returned when the parser gave up: it ran out of time, or the language's
// grammar has a version that the core does not take.
var ErrParse = errors.New("parser gave up")

// KindError is the kind of a node that covers text no rule of the grammar fits.
const KindError = 0xFFFF

// Node is one node of a flat tree. Start and End are byte offsets, Next is the index of
// the node after the whole subtree, so the children of i are i+1, then each child's Next,
// while below i's Next. The layout is shared with C.
type Node struct {
	Kind, Field      uint16
	Start, End, Next uint32
}

// Tree is a parsed file in preorder. Src are the very bytes that were parsed. Whole is what
// the file holds, where parts of Src were blanked before (Semantics.Prepare); it may be nil.
type Tree struct {
	Nodes  []Node
	Src    []byte
	Whole  []byte
	Errors int
}

// Text is the source of node i.
func (t *Tree) Text(i int32) []byte { n := &t.Nodes[i]; return t.Src[n.Start:n.End] }

// Parser turns text into flat trees. It keeps its buffers from file to file and serves
// one goroutine at a time.
type Parser struct {
	c   unsafe.Pointer
	buf []Node
}

// NewParser returns a parser; Close frees what it holds outside Go's memory.
func NewParser() *Parser {
	p := &Parser{c: unsafe.Pointer(C.ts_parser_new())}
	runtime.SetFinalizer(p, (*Parser).Close)
	return p
}

// Close frees the parser. Calling it twice does no harm.
func (p *Parser) Close() {
	if p.c != nil {
		C.ts_parser_delete(p.c)
		p.c = nil
	}
}

// Trim gives memory that closed parsers left back to the system, where the C library keeps
// it: after many files that is as much as the largest trees took.
func Trim() { C.cg_trim() }

// Parse parses src, which must not be empty or changed before the tree is dropped, in at
// most limit. The tree's nodes are valid until the next Parse.
func (p *Parser) Parse(g *Grammar, src []byte, limit time.Duration) (*Tree, error) {
	if want := len(src)/2 + 64; cap(p.buf) < want {
		p.buf = make([]Node, want)
	}
	p.buf = p.buf[:cap(p.buf)]
	if len(src) == 0 {
		return &Tree{Nodes: p.buf[:0]}, nil
	}
	r := C.cg_parse(p.c, g.ptr, (*C.char)(unsafe.Pointer(&src[0])), C.uint32_t(len(src)), C.uint64_t(limit.Microseconds()),
		(*C.uint8_t)(unsafe.Pointer(&g.keep[0])), (*C.cg_node)(unsafe.Pointer(&p.buf[0])), C.uint32_t(len(p.buf)))
	if r.tree != nil {
		p.buf = make([]Node, int(r.count)+64)
		r.count = C.cg_again(r.tree, (*C.uint8_t)(unsafe.Pointer(&g.keep[0])), (*C.cg_node)(unsafe.Pointer(&p.buf[0])), C.uint32_t(len(p.buf)), &r.errors)
	}
	if r.count == 0 {
		return nil, ErrParse
	}
	return &Tree{Nodes: p.buf[:r.count], Src: src, Errors: int(r.errors)}, nil
}

// ParseOnly parses src and drops the tree at once: the floor that an index is measured
// against.
func (p *Parser) ParseOnly(g *Grammar, src []byte, limit time.Duration) error {
	if len(src) == 0 {
		return nil
	}
	r := C.cg_parse(p.c, g.ptr, (*C.char)(unsafe.Pointer(&src[0])), C.uint32_t(len(src)), C.uint64_t(limit.Microseconds()), nil, nil, 0)
	if r.count == 0 {
		return ErrParse
	}
	return nil
}

// Grammar is a tree-sitter language made ready for flat trees: the names of its kinds and
// fields, and which anonymous tokens are kept.
type Grammar struct {
	ptr    unsafe.Pointer
	keep   []uint8
	kinds  []string
	fields map[string]uint16
}

// newGrammar reads the tables of a language. Of the anonymous tokens (punctuation,
// keywords) only those in tokens are kept in trees.
func newGrammar(l *sitter.Language, tokens []string) *Grammar {
	// The binding's Language is a struct of one pointer that it does not export.
	g := &Grammar{ptr: *(*unsafe.Pointer)(unsafe.Pointer(l)), fields: map[string]uint16{}}
	keep := map[string]bool{}
	for _, t := range tokens {
		keep[t] = true
	}
	n := int(C.ts_language_symbol_count(g.ptr))
	g.keep, g.kinds = make([]uint8, 1<<16), make([]string, n)
	for i := range n {
		g.kinds[i] = C.GoString(C.ts_language_symbol_name(g.ptr, C.uint16_t(i)))
		if l.SymbolType(sitter.Symbol(i)) == sitter.SymbolTypeRegular || keep[g.kinds[i]] {
			g.keep[i] = 1
		}
	}
	for i := 1; i <= int(C.ts_language_field_count(g.ptr)); i++ {
		g.fields[C.GoString(C.ts_language_field_name_for_id(g.ptr, C.uint16_t(i)))] = uint16(i)
	}
	return g
}

// KindName is the grammar's name of a node kind.
func (g *Grammar) KindName(k uint16) string {
	if int(k) < len(g.kinds) {
		return g.kinds[k]
	}
	return "ERROR"
}
