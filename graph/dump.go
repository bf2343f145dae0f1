package graph

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
)

// The canonical dump is the graph as text that depends on the workspace's files alone: no
// file ids, no indexes, no order of batches. Files come in the order of their paths:
//
//	file PATH LANGUAGE SHA256 SIZE LINES [generated] [test] [skip="REASON"]
//	  facts DIGEST [package=PACKAGE]            all that extraction found
//	  symbol ID KIND FLAGS START-END name=OFF [body=OFF] [doc=START-END]
//	  import OFF "MODULE" ["NAME"] [as "LOCAL"] FLAGS STATUS [REASON] [-> [PATH] IDS]
//	  ref OFF ROLE NAME STATUS [REASON] [-> IDS]
//	  error START-END REASON
//	  export KEY SHAPE ID, or import N, or file
//	  read KEY
//
// OFF, START and END are byte offsets, SHAPE, KEY and FLAGS hexadecimal; the IDs of a
// reference's targets are sorted. Two stores that hold the same graph have the same dump.

// dumpChunk is how many files a dump holds at a time.
const dumpChunk = 256

// Dump writes the canonical dump of what r holds. Exports and reads are in it if r is a
// KeyReader.
func Dump(ctx context.Context, r Reader, out io.Writer) error {
	d := dumper{ctx: ctx, r: r, w: bufio.NewWriterSize(out, 1<<16), path: map[FileID]string{}, ids: map[Target]string{}}
	err := d.dump()
	if err == nil {
		err = d.w.Flush()
	}
	if err != nil {
		return fmt.Errorf("dump graph: %w", err)
	}
	return nil
}

type dumper struct {
	ctx  context.Context
	r    Reader
	w    *bufio.Writer
	path map[FileID]string
	ids  map[Target]string // the IDs of all symbols
}

func (d *dumper) dump() error {
	files, err := d.r.Files()
	if err != nil {
		return err
	}
	for _, f := range files {
		d.path[f.ID] = f.Path
	}
	err = d.chunks(files, func(files []File, ids []FileID) error {
		facts, err := d.r.Facts(ids)
		for i, f := range facts {
			for j := range symbolsOf(f) {
				t := Target{ids[i], f.TargetHash(int32(j))}
				if _, ok := d.ids[t]; !ok {
					d.ids[t] = f.IDOf(files[i].Path, int32(j))
				}
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	return d.chunks(files, d.files)
}

// chunks calls f with the files, some at a time.
func (d *dumper) chunks(files []File, f func([]File, []FileID) error) error {
	for chunk := range slices.Chunk(files, dumpChunk) {
		if err := d.ctx.Err(); err != nil {
			return err
		}
		ids := make([]FileID, len(chunk))
		for i := range chunk {
			ids[i] = chunk[i].ID
		}
		if err := f(chunk, ids); err != nil {
			return err
		}
	}
	return nil
}

func (d *dumper) files(files []File, ids []FileID) error {
	facts, err := d.r.Facts(ids)
	if err != nil {
		return err
	}
	links, err := d.r.Links(ids)
	if err != nil {
		return err
	}
	exports, reads := make([][]Export, len(ids)), make([][]Key, len(ids))
	if k, ok := d.r.(KeyReader); ok {
		if exports, err = k.Exports(ids); err != nil {
			return err
		}
		if reads, err = k.Reads(ids); err != nil {
			return err
		}
	}
	for i := range files {
		d.file(&files[i])
		if facts[i] != nil {
			d.facts(files[i].Path, facts[i])
			if links[i] != nil {
				d.links(facts[i], links[i])
			}
			for _, e := range facts[i].Errors {
				d.line("  error %d-%d %q", e.Start, e.End, e.Reason)
			}
		}
		d.exports(files[i].Path, facts[i], exports[i])
		for _, k := range reads[i] {
			d.line("  read %016x", uint64(k))
		}
	}
	return nil
}

// line writes a line; the writer keeps its first error for Flush.
func (d *dumper) line(format string, args ...any) {
	fmt.Fprintf(d.w, format, args...)
	_ = d.w.WriteByte('\n')
}

// when is s after a space if on.
func when(on bool, s string) string {
	if on {
		return " " + s
	}
	return ""
}

func (d *dumper) file(f *File) {
	d.line("file %s %s %x %d %d%s%s%s", quoted(f.Path), cmp.Or(f.Language, "-"), f.Hash, f.Size, f.Lines,
		when(f.Generated, "generated"), when(f.Test, "test"), when(f.Skip != "", fmt.Sprintf("skip=%q", f.Skip)))
}

// quoted is s as it is where it is plain, else quoted.
func quoted(s string) string {
	q := fmt.Sprintf("%q", s)
	if s == "" || strings.ContainsAny(s, " \"") || len(q) != len(s)+2 {
		return q
	}
	return s
}

func (d *dumper) facts(path string, f *Facts) {
	d.line("  facts %016x%s", digest(f), when(f.Package != "", "package="+quoted(f.Package)))
	for i := range f.Symbols {
		s := &f.Symbols[i]
		d.line("  symbol %s %q %x %d-%d name=%d%s%s", quoted(f.IDOf(path, int32(i))), s.Kind.String(), uint32(s.Flags), s.Start, s.End, s.NameOff,
			when(s.Body != 0, fmt.Sprintf("body=%d", s.Body)), when(s.DocEnd != 0, fmt.Sprintf("doc=%d-%d", s.DocStart, s.DocEnd)))
	}
}

// digest is a hash of all that facts hold.
func digest(f *Facts) uint64 {
	h := NewHash().String(f.Language).String(f.Package).Int(uint64(f.Variant))
	for _, s := range f.Strings {
		h = h.String(s)
	}
	var b []byte
	for _, part := range []any{f.Symbols, f.Locals, f.Exprs, f.Lists, f.Imports} {
		b, _ = binary.Append(b[:0], binary.LittleEndian, part) // fails for no flat record
		h = h.String(string(b))
	}
	return h.Sum()
}

func (d *dumper) links(f *Facts, l *Links) {
	imports := append([]ImportLink{}, l.Imports...)
	for i := range min(len(imports), len(f.Imports)) {
		k, m := &imports[i], &f.Imports[i]
		name, local := f.Strings[m.Name], f.Strings[m.Local]
		targets := d.targets(l.Targets[k.First : k.First+uint32(k.N)])
		if k.Module != NoFile {
			targets = when(true, d.pathOf(k.Module)) + targets
		}
		d.line("  import %d %q%s%s %x %s%s", m.ModuleOff, f.Strings[m.Module], when(name != "", fmt.Sprintf("%q", name)),
			when(local != "", fmt.Sprintf("as %q", local)), uint32(m.Flags), outcome(k.Status, k.Reason), when(targets != "", "->"+targets))
	}
	for i := range l.Refs {
		k := &l.Refs[i]
		e := &f.Exprs[k.Expr]
		targets := d.targets(l.Targets[k.First : k.First+uint32(k.N)])
		d.line("  ref %d %s%s %s %s%s", e.Off, cmp.Or(k.role(e).String(), "-"), when(k.Also != NoRole, "and "+k.Also.String()),
			quoted(f.Strings[e.Name]), outcome(k.Status, k.Reason), when(targets != "", "->"+targets))
	}
}

func outcome(s Status, r Reason) string { return s.String() + when(r != NoReason, r.String()) }

func (d *dumper) pathOf(id FileID) string {
	if p, ok := d.path[id]; ok {
		return quoted(p)
	}
	return "?"
}

// targets are the IDs of ts, sorted, each after a space.
func (d *dumper) targets(ts []Target) string {
	ids := make([]string, len(ts))
	for i, t := range ts {
		id, ok := d.ids[t]
		switch {
		case ok:
			ids[i] = " " + quoted(id)
		case t == ModuleTarget(t.File):
			ids[i] = " " + d.pathOf(t.File)
		default:
			ids[i] = fmt.Sprintf(" %s#?%08x", d.pathOf(t.File), t.Hash)
		}
	}
	slices.Sort(ids)
	return strings.Join(ids, "")
}

func (d *dumper) exports(path string, f *Facts, es []Export) {
	lines := make([]string, len(es))
	for i, e := range es {
		what := "file"
		switch {
		case e.Index < 0:
			what = fmt.Sprintf("import %d", -1-e.Index)
		case e.Index != FileItself && f != nil && int(e.Index) < len(f.Symbols):
			what = quoted(f.IDOf(path, e.Index))
		case e.Index != FileItself:
			what = "?"
		}
		lines[i] = fmt.Sprintf("  export %016x %016x %s", uint64(e.Key), e.Shape, what)
	}
	slices.Sort(lines)
	for _, l := range lines {
		d.line("%s", l)
	}
}
