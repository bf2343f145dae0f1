package index

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"path"
	"runtime"
	"strings"
	"time"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
	"github.com/codegraph-dev/codegraph/search"
)

// The reasons of graph.File.Skip: why a file has no facts although it may have text.
const (
	SkipBinary     = "binary"    // a NUL among the first 8 KiB
	SkipTooLarge   = "too large" // larger than Limits.Facts
	SkipUTF16      = "utf-16"    // offsets of facts are those of UTF-8
	SkipParser     = "parser gave up"
	SkipUnreadable = "unreadable" // the system refused to open or read it
	SkipFailed     = "extraction failed"
)

// binaryHead is how much of a file is looked at to call it binary, as in git.
const binaryHead = 8 << 10

// languageHead is how much of a file is looked at to tell its language: a header may define macros
// for long before it shows which it is of.
const languageHead = 64 << 10

// Limits bound the work for one file.
type Limits struct {
	Facts int64         // bytes of the largest file of which facts are made; 0 means 4 MiB
	Text  int64         // bytes of the largest file that is read at all; 0 means 64 MiB
	Parse time.Duration // for a small file; 0 means 5 s. A megabyte adds a fifth of it
}

func (l Limits) facts() int64 {
	if l.Facts > 0 {
		return l.Facts
	}
	return 4 << 20
}

func (l Limits) text() int64 {
	if l.Text > 0 {
		return max(l.Text, l.facts())
	}
	return max(64<<20, l.facts())
}

// parse is how long the parser may take for size bytes.
func (l Limits) parse(size int) time.Duration {
	base := l.Parse
	if base <= 0 {
		base = 5 * time.Second
	}
	return max(base+base/5*time.Duration(size>>20), time.Microsecond)
}

// Extracted is what a file says by itself. File has no ID yet; Facts is nil where File.Skip
// says why, or where the file is in no known language. Text is its text for searching.
type Extracted struct {
	File  graph.File
	Facts *graph.Facts
	Text  search.Text
}

// Extractor makes facts of files. It keeps a parser and buffers from file to file and
// serves one goroutine at a time.
type Extractor struct {
	Limits Limits
	// Language decides whether facts are made for a language; nil means for all.
	Language func(name string) bool

	parser  *lang.Parser
	builder *lang.Builder
}

// Close frees the parser.
func (x *Extractor) Close() {
	if x.parser != nil {
		x.parser.Close()
	}
	x.parser, x.builder = nil, nil
}

// Extract makes what the bytes src of the file at path say. It depends on nothing else, and
// fails for no input: where there are no facts, File.Skip says why. The result holds no part of
// src but in Text.
func (x *Extractor) Extract(p string, src []byte) Extracted {
	return x.extract(p, src, sha256.Sum256(src))
}

func (x *Extractor) extract(p string, src []byte, hash [32]byte) Extracted {
	e := Extracted{Text: search.Decode(src)}
	f := &e.File
	f.Path, f.Size, f.Hash = p, int64(len(src)), hash
	l := lang.Detect(p, bytes.TrimPrefix(src[:min(len(src), languageHead)], []byte(bom)))
	if l != nil && x.Language != nil && !x.Language(l.Name) {
		l = nil
	}
	if l != nil {
		f.Language, f.Test = l.Name, l.IsTest(p)
	}
	switch {
	case e.Text.Encoding != "utf-8":
		if l != nil {
			f.Skip = SkipUTF16
		}
		f.Lines = countLines(e.Text.Data)
		return e
	case bytes.IndexByte(src[:min(len(src), binaryHead)], 0) >= 0:
		f.Skip = SkipBinary
		return e
	}
	f.Lines = countLines(src)
	f.Generated = generated(p, src, f.Lines)
	switch {
	case l == nil:
	case f.Size > x.Limits.facts():
		f.Skip = SkipTooLarge
	default:
		e.Facts, f.Skip = x.facts(l, p, src)
	}
	if e.Facts != nil {
		f.Symbols = uint32(len(e.Facts.Symbols))
	}
	return e
}

const bom = "\xef\xbb\xbf"

// facts parses src and builds its facts, or says why there are none. A defect met on one
// file must not cost the others, so a panic is a reason too; what it may have left half done
// is thrown away.
func (x *Extractor) facts(l *lang.Language, p string, src []byte) (f *graph.Facts, skip string) {
	defer func() {
		if r := recover(); r != nil {
			x.Close()
			f, skip = nil, fmt.Sprintf("%s: %.80v", SkipFailed, r)
		}
	}()
	if bytes.HasPrefix(src, []byte(bom)) {
		src = append([]byte("   "), src[len(bom):]...)
	}
	if l.Config != nil && isConfig(l, p) {
		return l.Config(p, src), ""
	}
	whole := src
	if l.Prepare != nil {
		src = l.Prepare(src)
	}
	tree, err := x.parse(l.Grammar(), src)
	if errors.Is(err, lang.ErrParse) {
		return nil, SkipParser
	}
	if err != nil {
		return nil, SkipParser + ": " + err.Error()
	}
	tree.Whole = whole
	return fitted(x.builder.Build(l, tree)), ""
}

// patience is how many times the limit a parser may take on the clock, where it waited for a
// processor most of the time.
const patience = 16

// parse parses src. The parser's limit is by the clock, so on a busy machine it would depend
// on chance which files have facts; one that was stopped before it had its share of
// processor time is started again with a longer limit.
func (x *Extractor) parse(g *lang.Grammar, src []byte) (*lang.Tree, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	limit := x.Limits.parse(len(src))
	for wall := limit; ; wall *= 2 {
		if x.parser == nil {
			x.parser, x.builder = lang.NewParser(), lang.NewBuilder()
		}
		start, _ := threadTime()
		tree, err := x.parser.Parse(g, src, wall)
		if !errors.Is(err, lang.ErrParse) {
			return tree, err
		}
		x.Close() // a parser that was stopped is not used again
		if end, ok := threadTime(); !ok || end-start >= limit*3/4 || wall >= patience*limit {
			return nil, err
		}
	}
}

// fitted gives back the room that the facts' slices grew into and do not use: the facts of
// all files are in memory together when a workspace is indexed from nothing.
func fitted(f *graph.Facts) *graph.Facts {
	f.Strings, f.Symbols, f.Locals = fit(f.Strings), fit(f.Symbols), fit(f.Locals)
	f.Exprs, f.Lists, f.Imports = fit(f.Exprs), fit(f.Lists), fit(f.Imports)
	return f
}

func fit[T any](s []T) []T {
	if cap(s)-len(s) <= len(s)/16 {
		return s
	}
	return append(make([]T, 0, len(s)), s...)
}

func isConfig(l *lang.Language, p string) bool {
	base := path.Base(p)
	for _, c := range l.Configs {
		if c == base {
			return true
		}
	}
	return false
}

// countLines counts lines; a last one without an end counts.
func countLines(b []byte) uint32 {
	n := bytes.Count(b, []byte("\n"))
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return uint32(n)
}

// marks of generated files, looked for in the first lines.
var generatedMarks = [][]byte{[]byte("DO NOT EDIT"), []byte("@generated"), []byte("Autogenerated by"), []byte("Generated by the protocol buffer compiler")}

// generated reports whether a file was likely written by a program: it says so in its first
// kilobyte, or its lines are as long as only a minifier writes them.
func generated(p string, src []byte, lines uint32) bool {
	head := src[:min(len(src), 1024)]
	for _, m := range generatedMarks {
		if bytes.Contains(head, m) {
			return true
		}
	}
	return strings.Contains(path.Base(p), ".min.") || len(src) > 32<<10 && len(src)/int(max(lines, 1)) > 500
}
