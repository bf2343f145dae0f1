package ignore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"testing"
)

func sampleListing(t testing.TB) *Listing {
	root := makeTree(t, "a/b/c", "x", "a-b", "", ".h/i", "", "link", "-> a", "bad\xff\n", "", ".gitignore", "*.o\n", "x.o", "")
	fakeRepo(t, root, "")
	l := mustScan(t, root, Options{}, nil)
	l.Skips = append(l.Skips, Skip{"zz", Failed})
	l.Entries[2].Dev++
	return l
}

func TestCodec(t *testing.T) {
	l := sampleListing(t)
	b, err := l.AppendBinary([]byte("before"))
	if err != nil || !bytes.HasPrefix(b, []byte("before")) {
		t.Fatalf("append: %v", err)
	}
	b = b[len("before"):]
	got, err := Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Taken.Equal(l.Taken) || got.root != l.root {
		t.Errorf("got %v %+v, want %v %+v", got.Taken, got.root, l.Taken, l.root)
	}
	again, _ := got.AppendBinary(nil)
	if !bytes.Equal(again, b) {
		t.Error("what was decoded is encoded otherwise")
	}
	got.dirs, l.dirs = nil, nil // they may be numbered otherwise
	got.parent, l.parent = nil, nil
	sameListing(t, got, l)
	if b, _ := new(Listing).AppendBinary(nil); true {
		if _, err := Decode(b); err != nil {
			t.Errorf("the empty listing: %v", err)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	b, _ := sampleListing(t).AppendBinary(nil)
	for i := range b {
		if _, err := Decode(b[:i]); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("the first %d bytes: %v", i, err)
		}
		for _, x := range []byte{1, 0x80, 0xff} {
			c := bytes.Clone(b)
			c[i] ^= x
			if _, err := Decode(c); !errors.Is(err, ErrCorrupt) {
				t.Fatalf("byte %d changed: %v", i, err)
			}
		}
	}
	if _, err := Decode(append(bytes.Clone(b), 0)); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a byte too many: %v", err)
	}
}

// FuzzDecode puts sound checksums under what it tries, so that the structure is what has to refuse it.
func FuzzDecode(f *testing.F) {
	b, _ := sampleListing(f).AppendBinary(nil)
	f.Add(b[:len(b)-sumsLen])
	b, _ = new(Listing).AppendBinary(nil)
	f.Add(b[:len(b)-sumsLen])
	f.Add(append([]byte("CGLS\x01"), bytes.Repeat([]byte{1, 0, 0x30, 0x75}, 50)...))
	f.Fuzz(func(t *testing.T, body []byte) {
		b := bytes.Clone(body)
		c, i := crc32.Checksum(b, castagnoli), crc32.ChecksumIEEE(b)
		b = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, c), i)
		l, err := Decode(b)
		if err != nil {
			return
		}
		enc, _ := l.AppendBinary(nil)
		again, err := Decode(enc)
		if err != nil {
			t.Fatalf("what was decoded and encoded is refused: %v", err)
		}
		if enc2, _ := again.AppendBinary(nil); !bytes.Equal(enc, enc2) {
			t.Error("the encoding is not stable")
		}
		l.children()
	})
}

func BenchmarkDecode(b *testing.B) {
	root := bigTree(b)
	data, _ := scanFor(b, root, nil).AppendBinary(nil)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendBinary(b *testing.B) {
	l := scanFor(b, bigTree(b), nil)
	var buf []byte
	for b.Loop() {
		buf, _ = l.AppendBinary(buf[:0])
	}
}
