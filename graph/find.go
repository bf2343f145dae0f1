package graph

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// FindOptions are what Find cannot know by itself.
type FindOptions struct {
	// Source gives the bytes of the file at path from which its facts were made. Only
	// path:LINE needs it.
	Source func(path string) ([]byte, error)
	// Modules maps the names under which folders of the workspace are imported from
	// outside to those folders ("github.com/x/y" to "" or "vendor/y"). May be nil.
	Modules map[string]string
}

// Found is a symbol that a selector means.
type Found struct {
	Handle
	ID    string
	File  File
	Facts *Facts
	// Fold is set when the symbol's name and the text differ in case.
	Fold bool
}

// Symbol is the symbol's definition.
func (f *Found) Symbol() *Symbol { return &f.Facts.Symbols[f.Index] }

// ErrNoSource: a selector with a line was given to Find without a way to read lines.
var ErrNoSource = errors.New("a line cannot be found without the file's bytes")

// Find gives the symbols that text means (see Selector): none, one or many. Symbols that
// match exactly come alone; only if there is none, those that match but for case. The
// names before the symbol's own must be its owners, innermost last, and before all owners
// the end of its declared package, of its folder, or of its file's name; the outermost
// may be left out. Definitions come before declarations, other code before test code,
// exported symbols before others, and then the order is that of paths and places.
func Find(ctx context.Context, r Reader, text string, opt FindOptions) ([]Found, error) {
	s := ParseSelector(text)
	if s.Text == "" {
		return nil, errors.New("find symbol: the selector is empty: give a name, Type.Method, path#Name or path:LINE")
	}
	files, err := r.Files()
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", s.Text, err)
	}
	f := finder{ctx: ctx, r: r, opt: opt, files: files}
	found, err := f.find(s)
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", s.Text, err)
	}
	slices.SortStableFunc(found, compareFound)
	return found, nil
}

// compareFound is the order of preference.
func compareFound(a, b Found) int {
	x, y := a.Symbol(), b.Symbol()
	return cmp.Or(
		compareBool(x.Flags&Declaration != 0, y.Flags&Declaration != 0),
		compareBool(a.File.Test || x.Flags&Test != 0, b.File.Test || y.Flags&Test != 0),
		compareBool(x.Flags&Exported == 0, y.Flags&Exported == 0),
		cmp.Compare(a.File.Path, b.File.Path),
		cmp.Compare(a.Index, b.Index))
}

// compareBool puts false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// finder is one run of Find.
type finder struct {
	ctx   context.Context
	r     Reader
	opt   FindOptions
	files []File // by path
}

func (f *finder) find(s Selector) ([]Found, error) {
	if s.Line > 0 {
		return f.atLine(s)
	}
	forms := s.pathForms()
	for _, same := range []func(a, b string) bool{exactly, strings.EqualFold} {
		for _, form := range forms {
			if found, err := f.inFiles(f.filesAt(form[0], same), form[1]); err != nil || len(found) > 0 {
				return found, err
			}
		}
	}
	return f.byName(s)
}

// filesAt are the files whose path is path, or else ends in it.
func (f *finder) filesAt(path string, same func(a, b string) bool) []File {
	var whole, tail []File
	parts := strings.Split(path, "/")
	for _, file := range f.files {
		if same(file.Path, path) {
			whole = append(whole, file)
		} else if len(file.Path) > len(path) && matchTail(parts, strings.Split(file.Path, "/"), same) {
			tail = append(tail, file)
		}
	}
	if len(whole) > 0 {
		return whole
	}
	return tail
}

// inFiles are the symbols of the files that the part of an ID after the path means: the one
// with exactly that path of names, or else those whose path of names ends in it.
func (f *finder) inFiles(files []File, rest string) ([]Found, error) {
	facts, err := f.facts(files)
	if err != nil {
		return nil, err
	}
	var whole, tail, fold []Found
	names, ordinal := rest, 0
	if i := strings.LastIndexByte(rest, '~'); i > 0 {
		if n, err := strconv.ParseUint(rest[i+1:], 10, 16); err == nil && n > 1 {
			names, ordinal = rest[:i], int(n)
		}
	}
	typed := components(names)
	for i, fc := range facts {
		for j := range symbolsOf(fc) {
			s, path := &fc.Symbols[j], fc.Path(int32(j))
			found := f.found(&files[i], fc, int32(j))
			switch there := strings.Split(path, "."); {
			case path == rest && s.Ordinal <= 1 || path == names && int(s.Ordinal) == ordinal:
				whole = append(whole, found)
			case ordinal > 0 && int(s.Ordinal) != ordinal:
			case path == names || matchTail(typed, there, exactly):
				tail = append(tail, found)
			case matchTail(typed, there, strings.EqualFold):
				found.Fold = true
				fold = append(fold, found)
			}
		}
	}
	for _, found := range [][]Found{whole, tail, fold} {
		if len(found) > 0 {
			return found, nil
		}
	}
	return nil, nil
}

// symbolsOf are the symbols of facts that may be nil.
func symbolsOf(f *Facts) []Symbol {
	if f == nil {
		return nil
	}
	return f.Symbols
}

func (f *finder) facts(files []File) ([]*Facts, error) {
	if err := f.ctx.Err(); err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, nil
	}
	ids := make([]FileID, len(files))
	for i := range files {
		ids[i] = files[i].ID
	}
	return f.r.Facts(ids)
}

func (f *finder) found(file *File, fc *Facts, i int32) Found {
	return Found{Handle: Handle{file.ID, i}, ID: fc.IDOf(file.Path, i), File: *file, Facts: fc}
}

// atLine are the innermost symbols at a line, or at a place in it, of the files that s
// means. A line of a symbol's doc comment is that symbol's.
func (f *finder) atLine(s Selector) ([]Found, error) {
	files := f.filesAt(s.Path, exactly)
	if len(files) == 0 {
		files = f.filesAt(s.Path, strings.EqualFold)
	}
	facts, err := f.facts(files)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	if f.opt.Source == nil {
		return nil, ErrNoSource
	}
	var found []Found
	for i, fc := range facts {
		if fc == nil {
			continue
		}
		src, err := f.opt.Source(files[i].Path)
		if err != nil {
			return nil, err
		}
		if off, ok := offsetOf(src, s.Line, s.Column); ok {
			if j := symbolAt(fc, off); j != None {
				found = append(found, f.found(&files[i], fc, j))
			}
		}
	}
	return found, nil
}

// offsetOf is the byte offset of a place, or without a column of the first byte of the
// line that is not blank.
func offsetOf(src []byte, line, column int) (uint32, bool) {
	start := 0
	for n := 1; n < line; n++ {
		i := bytes.IndexByte(src[start:], '\n')
		if i < 0 {
			return 0, false
		}
		start += i + 1
	}
	end := len(src)
	if i := bytes.IndexByte(src[start:], '\n'); i >= 0 {
		end = start + i
	}
	if column > 0 {
		return uint32(start + column - 1), start+column-1 <= end
	}
	off := start
	for off < end && (src[off] == ' ' || src[off] == '\t' || src[off] == '\r') {
		off++
	}
	return uint32(off), start < len(src) || line == 1
}

// symbolAt is the symbol whose name is at off, or whose doc comment, or else the
// innermost one around it.
func symbolAt(f *Facts, off uint32) int32 {
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if off >= s.NameOff && off < s.NameOff+uint32(len(f.Strings[s.Name])) || off >= s.DocStart && off < s.DocEnd {
			return int32(i)
		}
	}
	return f.Enclosing(off)
}
