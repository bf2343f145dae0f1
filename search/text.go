package search

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// Text is the content of a file as it is searched and indexed: UTF-8 without a
// byte order mark. Offsets of matches count bytes of Data.
type Text struct {
	Data     []byte
	Encoding string // "utf-8", "utf-16le" or "utf-16be", by byte order mark
	BOM      bool   // a byte order mark was cut off
	NUL      int    // offset of the first NUL, which makes the file binary; else -1
}

// Binary reports whether the text has a NUL anywhere.
func (t Text) Binary() bool { return t.NUL >= 0 }

// Decode prepares the raw bytes of a file. UTF-8, valid or not, is not copied;
// UTF-16 with a byte order mark is transcoded, what is no character becoming
// U+FFFD.
func Decode(raw []byte) Text {
	t := Text{Data: raw, Encoding: "utf-8"}
	switch {
	case bytes.HasPrefix(raw, []byte{0xEF, 0xBB, 0xBF}):
		t.Data, t.BOM = raw[3:], true
	case bytes.HasPrefix(raw, []byte{0xFF, 0xFE}):
		t = Text{Data: transcode(raw[2:], 0, 1), Encoding: "utf-16le", BOM: true}
	case bytes.HasPrefix(raw, []byte{0xFE, 0xFF}):
		t = Text{Data: transcode(raw[2:], 1, 0), Encoding: "utf-16be", BOM: true}
	}
	t.NUL = bytes.IndexByte(t.Data, 0)
	return t
}

// transcode turns UTF-16 into UTF-8; lo and hi are where the low and the high
// byte of a unit stand.
func transcode(raw []byte, lo, hi int) []byte {
	out := make([]byte, 0, len(raw)/2+len(raw)/8+utf8.UTFMax)
	unit := func(i int) rune { return rune(raw[i+lo]) | rune(raw[i+hi])<<8 }
	for i := 0; i+1 < len(raw); i += 2 {
		r := unit(i)
		if utf16.IsSurrogate(r) {
			low := rune(0)
			if i+3 < len(raw) {
				low = unit(i + 2)
			}
			if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
				i += 2
			}
		}
		out = utf8.AppendRune(out, r)
	}
	if len(raw)%2 == 1 {
		out = utf8.AppendRune(out, utf8.RuneError)
	}
	return out
}
