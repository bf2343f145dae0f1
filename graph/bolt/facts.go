package bolt

import (
	"encoding/binary"

	"github.com/codegraph-dev/codegraph/graph"
)

// encodeFacts is the frame of a file's facts.
func encodeFacts(id graph.FileID, f *graph.Facts) []byte {
	b := beginFrame(make([]byte, 0, 256+12*len(f.Exprs)+40*len(f.Symbols)+12*len(f.Strings)))
	b = appendString(b, f.Language)
	b = appendString(b, f.Package)
	b = append(b, f.Variant)
	b = appendStrings(b, f.Strings)
	b = appendRecords(b, f.Symbols, symbolMask)
	b = appendRecords(b, f.Locals, localMask)
	b = appendRecords(b, f.Exprs, exprMask)
	b = appendRecords(b, f.Lists, oneWord)
	b = appendRecords(b, f.Imports, importedMask)
	b = binary.AppendUvarint(b, uint64(len(f.Errors)))
	for _, e := range f.Errors {
		b = binary.AppendUvarint(b, uint64(e.Start))
		b = binary.AppendUvarint(b, uint64(e.End))
		b = appendString(b, e.Reason)
	}
	return sealFrame(b, salt(tagFacts, uint64(id)))
}

// decodeFacts reads what encodeFacts wrote, into memory of its own.
func decodeFacts(id graph.FileID, frame []byte) (*graph.Facts, error) {
	payload, err := openFrame(frame, salt(tagFacts, uint64(id)), "facts")
	if err != nil {
		return nil, err
	}
	sc := &scanner{b: payload}
	f := &graph.Facts{Language: sc.string(), Package: sc.string(), Variant: sc.byte()}
	f.Strings = scanStrings(sc)
	f.Symbols = scanRecords[graph.Symbol](sc, symbolMask)
	f.Locals = scanRecords[graph.Local](sc, localMask)
	f.Exprs = scanRecords[graph.Expr](sc, exprMask)
	f.Lists = scanRecords[int32](sc, oneWord)
	f.Imports = scanRecords[graph.Imported](sc, importedMask)
	for range sc.count(1) {
		e := graph.ErrorSpan{Start: uint32(sc.uvarint()), End: uint32(sc.uvarint()), Reason: sc.string()}
		f.Errors = append(f.Errors, e)
	}
	if err := sc.end("facts"); err != nil {
		return nil, err
	}
	return f, nil
}

// encodeLinks is the frame of a file's links.
func encodeLinks(id graph.FileID, l *graph.Links) []byte {
	b := beginFrame(make([]byte, 0, 64+8*len(l.Refs)+8*len(l.Targets)))
	b = appendRecords(b, l.Refs, linkMask)
	b = appendRecords(b, l.Imports, importLinkMask)
	b = appendRecords(b, l.Targets, targetMask)
	return sealFrame(b, salt(tagLinks, uint64(id)))
}

// decodeLinks reads what encodeLinks wrote, into memory of its own.
func decodeLinks(id graph.FileID, frame []byte) (*graph.Links, error) {
	payload, err := openFrame(frame, salt(tagLinks, uint64(id)), "links")
	if err != nil {
		return nil, err
	}
	sc := &scanner{b: payload}
	l := &graph.Links{}
	l.Refs = scanRecords[graph.Link](sc, linkMask)
	l.Imports = scanRecords[graph.ImportLink](sc, importLinkMask)
	l.Targets = scanRecords[graph.Target](sc, targetMask)
	if err := sc.end("links"); err != nil {
		return nil, err
	}
	return l, nil
}
