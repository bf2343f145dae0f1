package trigram

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/codegraph-dev/codegraph/search"
)

// sampleTexts are documents of every kind.
func sampleTexts() map[uint32]search.Text {
	docs := map[uint32]search.Text{3: {NUL: 0}}
	for i := range uint32(40) {
		if i != 3 {
			docs[i*i] = search.Decode(fmt.Appendf(nil, "package p%d\nfunc f%d() { return %d }\nshared text\n", i, i*7, i*i*i))
		}
	}
	return docs
}

// sampleIndex writes an index of two segments and returns its token.
func sampleIndex(tb testing.TB, dir string) []byte {
	s, err := Open(dir, nil)
	if err != nil {
		tb.Fatal(err)
	}
	defer s.Close()
	var token []byte
	for round := range 2 {
		b := s.NewBatch()
		for id, text := range sampleTexts() {
			if round == 0 || id%5 == 0 {
				b.Add(id, text)
			}
		}
		b.AddUnindexed(7777)
		b.Remove(4)
		if token, err = s.Apply(tb.Context(), b); err != nil {
			tb.Fatal(err)
		}
	}
	return token
}

var sampleQueries = []string{"shared", "return 125", "p1|f14", "(?i)PACKAGE P3", "nowhere"}

// answers asks the sample queries.
func answers(tb testing.TB, s *Store) (out []search.Candidates, err error) {
	for _, q := range sampleQueries {
		p, err := search.Compile(search.Options{Patterns: []string{q}})
		if err != nil {
			tb.Fatal(err)
		}
		c, err := s.Candidates(tb.Context(), p.Query())
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// openAnswers opens an index and asks.
func openAnswers(tb testing.TB, dir string, token []byte) ([]search.Candidates, error) {
	s, err := Open(dir, token)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return answers(tb, s)
}

// Every byte of every file, flipped, and every length, cut short, must give the
// same answers or ErrCorrupt.
func TestDamageIsNeverServed(t *testing.T) {
	dir := t.TempDir()
	token := sampleIndex(t, dir)
	want, err := openAnswers(t, dir, token)
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.tri"))
	if len(files) != 2 {
		t.Fatalf("%d segments, want 2", len(files))
	}
	check := func(what string) {
		got, err := openAnswers(t, dir, token)
		if err != nil && !errors.Is(err, ErrCorrupt) {
			t.Fatalf("%s: %v", what, err)
		}
		if err == nil && fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%s: answers %v, want %v", what, got, want)
		}
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(data); i += 1 + len(data)/1500 {
			flipped := slices.Clone(data)
			flipped[i] ^= 1 << (i % 8)
			os.WriteFile(file, flipped, 0o644)
			check(fmt.Sprintf("%s with byte %d flipped", file, i))
			os.WriteFile(file, data[:i], 0o644)
			check(fmt.Sprintf("%s cut at %d", file, i))
		}
		os.Remove(file)
		check(file + " removed")
		os.WriteFile(file, data, 0o644)
	}
	for i := range token {
		bad := slices.Clone(token)
		bad[i] ^= 4
		if _, err := Open(dir, bad); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("token with byte %d flipped: %v", i, err)
		}
	}
}

// A file that shrinks while it is mapped must not take the process down.
func TestShrunkWhileOpen(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	b := s.NewBatch()
	for i := range uint32(3000) {
		b.Add(i, search.Decode(fmt.Appendf(nil, "x%dy%d", i*i, i*77)))
	}
	if _, err := s.Apply(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.tri"))
	if err := os.Truncate(files[0], 100); err != nil {
		t.Fatal(err)
	}
	if _, err := answers(t, s); err != nil && !errors.Is(err, ErrCorrupt) {
		t.Fatal(err)
	}
}

// Segments of an uncommitted batch are swept, and the committed ones are not.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	token := sampleIndex(t, dir)
	want, err := openAnswers(t, dir, token)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(dir, token)
	if err != nil {
		t.Fatal(err)
	}
	b := s.NewBatch()
	b.Add(1, search.Decode([]byte("shared, never committed")))
	if _, err := s.Apply(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if s, err = Open(dir, token); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Sweep(token); err != nil {
		t.Fatal(err)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*.tri")); len(files) != 2 {
		t.Errorf("%d files are left, want 2", len(files))
	}
	if got, err := answers(t, s); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("answers %v, %v; want %v", got, err, want)
	}
}

// Whatever is in a segment whose checksums hold, reading it must not panic.
func FuzzSegment(f *testing.F) {
	dir := f.TempDir()
	sampleIndex(f, dir)
	files, _ := filepath.Glob(filepath.Join(dir, "*.tri"))
	data, err := os.ReadFile(files[0])
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint32(0), []byte{0xFF, 0xFF})
	f.Add(uint32(len(data)-footerSize), []byte{1, 0, 0, 0, 0xFF})
	f.Fuzz(func(t *testing.T, at uint32, patch []byte) {
		bad := slices.Clone(data)
		copy(bad[int(at)%len(bad):], patch)
		reseal(bad)
		r := ref{size: uint64(len(bad)), sum: binary.LittleEndian.Uint32(bad[len(bad)-4:])}
		seg, err := newSegment(r, bad)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatal(err)
			}
			return
		}
		answers(t, &Store{levels: []level{{segment: seg}}})
		mergeDocuments([]level{{segment: seg}}, true)
	})
}

// reseal makes the checksums of a segment hold where its layout allows it.
func reseal(b []byte) {
	foot := b[len(b)-footerSize:]
	body := binary.LittleEndian.Uint64(foot[32:])
	if body <= uint64(len(b)) && uint64(len(b))-body == pages(body)*4+footerSize {
		for p := range pages(body) {
			binary.LittleEndian.PutUint32(b[body+4*p:], crc32.Checksum(b[p*pageSize:min((p+1)*pageSize, body)], castagnoli))
		}
		binary.LittleEndian.PutUint32(foot[12:], crc32.Checksum(b[body:len(b)-footerSize], castagnoli))
	}
	binary.LittleEndian.PutUint32(foot[60:], crc32.Checksum(foot[:60], castagnoli))
}
