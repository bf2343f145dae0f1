package bolt

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/graph/graphtest"
)

// TestFlat: every record that is stored as it lies in memory is flat.
func TestFlat(t *testing.T) {
	for typ, mask := range map[reflect.Type][]uint32{
		reflect.TypeFor[graph.Expr](): exprMask, reflect.TypeFor[graph.Symbol](): symbolMask, reflect.TypeFor[graph.Local](): localMask,
		reflect.TypeFor[graph.Imported](): importedMask, reflect.TypeFor[graph.Link](): linkMask,
		reflect.TypeFor[graph.ImportLink](): importLinkMask, reflect.TypeFor[graph.Target](): targetMask,
	} {
		if len(mask)*4 != int(typ.Size()) || len(mask) == 0 {
			t.Errorf("%v has pointers or is not made of 32-bit words", typ)
		}
	}
}

// fillValue sets every field to something that is not zero; no two alike if it can be.
func fillValue(v reflect.Value, n *uint64) {
	*n++
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fillValue(v.Field(i), n)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 3, 3))
		for i := range 3 {
			fillValue(v.Index(i), n)
		}
	case reflect.Array:
		for i := range v.Len() {
			fillValue(v.Index(i), n)
		}
	case reflect.String:
		v.SetString("s" + string(rune('a'+*n%26)))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(-int64(*n%100) - 1)
	default:
		v.SetUint(*n%200 + 1)
	}
}

// TestEveryField: no field of what is stored is lost, those added later included.
func TestEveryField(t *testing.T) {
	n := uint64(0)
	var facts graph.Facts
	fillValue(reflect.ValueOf(&facts).Elem(), &n)
	if got, err := decodeFacts(3, encodeFacts(3, &facts)); err != nil || !reflect.DeepEqual(got, &facts) {
		t.Errorf("facts (%v):\n got %+v\nwant %+v", err, got, &facts)
	}
	var links graph.Links
	fillValue(reflect.ValueOf(&links).Elem(), &n)
	if got, err := decodeLinks(3, encodeLinks(3, &links)); err != nil || !reflect.DeepEqual(got, &links) {
		t.Errorf("links (%v):\n got %+v\nwant %+v", err, got, &links)
	}
	places := []place{{live: true, hasFacts: true, hasLinks: true}, {file: graph.File{Path: "gone"}}}
	fillValue(reflect.ValueOf(&places[0].file).Elem(), &n)
	places[0].file.ID, places[1].file.ID = 5*filesPerChunk, 5*filesPerChunk+1
	if got, err := decodeChunk(nil, 5, encodeChunk(5, places)); err != nil || !reflect.DeepEqual(got, places) {
		t.Errorf("files (%v):\n got %+v\nwant %+v", err, got, places)
	}
	var rec graph.FileRecord
	fillValue(reflect.ValueOf(&rec.Exports).Elem(), &n)
	k, err := openKeys(0, encodeKeys(&rec))
	slices.SortFunc(rec.Exports, compareExports)
	if got := k.exports(); err != nil || !reflect.DeepEqual(got, rec.Exports) {
		t.Errorf("exports (%v):\n got %+v\nwant %+v", err, got, rec.Exports)
	}
}

func TestColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.OneOf(rapid.Uint32(), rapid.Uint32Range(0, 3), rapid.SampledFrom([]uint32{0, 1<<31 - 1, 1 << 31, math.MaxUint32}))
		want := rapid.SliceOfN(word, 0, 300).Draw(t, "words")
		b := appendRecords(nil, want, oneWord)
		sc := &scanner{b: b}
		got := scanRecords[uint32](sc, oneWord)
		if err := sc.end("column"); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%v: got %v", err, got)
		}
	})
}

// TestBounds: the bytes of bounds order as the pairs do.
func TestBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOfN(rapid.SampledFrom([]rune{0, 1, 'a', 0xff}), 0, 4, -1)
		file := rapid.SampledFrom([]graph.FileID{0, 1, 255, 256, math.MaxUint32})
		a, b := pair[string]{name.Draw(t, "a"), file.Draw(t, "fa")}, pair[string]{name.Draw(t, "b"), file.Draw(t, "fb")}
		if got := bytes.Compare(nameCoder{}.appendBound(nil, a), nameCoder{}.appendBound(nil, b)); got != comparePairs(a, b) {
			t.Fatalf("%v and %v: bounds compare %d, pairs %d", a, b, got, comparePairs(a, b))
		}
		key := rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 2))
		c, d := pair[uint64]{key.Draw(t, "c"), a.file}, pair[uint64]{key.Draw(t, "d"), b.file}
		if got := bytes.Compare(hashCoder{}.appendBound(nil, c), hashCoder{}.appendBound(nil, d)); got != comparePairs(c, d) {
			t.Fatalf("%v and %v: bounds compare %d, pairs %d", c, d, got, comparePairs(c, d))
		}
	})
}

// seal makes any payload a frame with a right checksum, so that fuzzing meets the decoder.
func seal(payload []byte, salt uint64) []byte {
	return sealFrame(append(beginFrame(nil), payload...), salt)
}

func seeds(f *testing.F, encode func(*graph.FileRecord) []byte) {
	f.Add([]byte{})
	for seed := range uint64(20) {
		rec := graphtest.RandomRecord(rand.New(rand.NewPCG(seed, 0)), "p", 1, []graph.FileID{1, 2, 3}, graphtest.Small)
		if rec.Facts != nil && rec.Links != nil {
			f.Add(encode(&rec)[frameHeader:])
		}
	}
}

// noPanic fails if a decoder gives an error that is not corruption.
func noPanic(t *testing.T, err error) {
	if err != nil && !errors.Is(err, graph.ErrCorrupt) {
		t.Error(err)
	}
}

func FuzzFacts(f *testing.F) {
	seeds(f, func(r *graph.FileRecord) []byte { return encodeFacts(1, r.Facts) })
	f.Fuzz(func(t *testing.T, b []byte) {
		_, err := decodeFacts(1, seal(b, salt(tagFacts, 1)))
		noPanic(t, err)
	})
}

func FuzzLinks(f *testing.F) {
	seeds(f, func(r *graph.FileRecord) []byte { return encodeLinks(1, r.Links) })
	f.Fuzz(func(t *testing.T, b []byte) {
		_, err := decodeLinks(1, seal(b, salt(tagLinks, 1)))
		noPanic(t, err)
	})
}

func FuzzKeys(f *testing.F) {
	seeds(f, encodeKeys)
	f.Fuzz(func(t *testing.T, b []byte) {
		k, err := openKeys(1, seal(b, salt(tagKeys, 1)))
		noPanic(t, err)
		if err == nil {
			k.exports()
			k.reads()
			k.appendExported(nil, 1, 77)
			k.appendNamed(nil, 1, 77)
		}
	})
}

func FuzzFiles(f *testing.F) {
	f.Add(encodeChunk(1, []place{{file: graph.File{Path: "a", Language: "b", Skip: "c"}, live: true}, {}})[frameHeader:])
	f.Fuzz(func(t *testing.T, b []byte) {
		_, err := decodeChunk(nil, 1, seal(b, salt(tagFiles, 1)))
		noPanic(t, err)
	})
}

func FuzzState(f *testing.F) {
	f.Add((&state{gen: 3, next: 300, notes: []string{"", "a"}}).encode()[frameHeader:])
	f.Fuzz(func(t *testing.T, b []byte) {
		_, err := decodeState(seal(b, salt(tagState, 0)))
		noPanic(t, err)
	})
}

func FuzzBlocks(f *testing.F) {
	f.Add((hashCoder{}).appendPairs(nil, []pair[uint64]{{1, 2}, {1, 3}, {1 << 60, 0}}))
	f.Add((nameCoder{}).appendPairs(nil, []pair[string]{{"", 2}, {"a", 3}, {"a", 9}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		sc := scanner{b: b}
		hs := hashCoder{}.scanPairs(&sc)
		if again := (hashCoder{}).scanPairs(&scanner{b: hashCoder{}.appendPairs(nil, hs)}); !sc.bad && !slices.Equal(hs, again) {
			t.Error("pairs change when written again")
		}
		nameCoder{}.scanPairs(&scanner{b: b})
		_, sc, err := tableLookup.open(lastBound, seal(b, saltKey(tagTable, "lookup", lastBound)))
		noPanic(t, err)
		if err == nil {
			hashCoder{}.scanPairs(&sc)
		}
	})
}
