package readtools

import (
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
)

// chunkFiles is how many files one question to the store is about, where all are looked at.
const chunkFiles = 256

// everyFile calls f with the facts and links of each of the files that has them, in order. They
// are not kept, since a whole project's would fill the memory. When the time is over before all
// were looked at, the answer says how many were, and the error is errLate.
func (e *exploring) everyFile(files []*graph.File, f func(*graph.File, *graph.Facts, *graph.Links)) error {
	done := 0
	for chunk := range slices.Chunk(files, chunkFiles) {
		if err := e.ctx.Err(); err != nil {
			return err
		}
		if e.timer.late() {
			e.atLeast("%s after the first %s, which were not looked at", count(len(files)-done, "file"), thousands(done))
			return errLate
		}
		done += len(chunk)
		ids := make([]graph.FileID, len(chunk))
		for i, file := range chunk {
			ids[i] = file.ID
		}
		facts, err := e.r.Facts(ids)
		if err != nil {
			return err
		}
		links, err := e.r.Links(ids)
		if err != nil {
			return err
		}
		for i, file := range chunk {
			if facts[i] != nil && links[i] != nil {
				f(file, facts[i], links[i])
			}
		}
	}
	return nil
}

// withSymbols are those of the files that were parsed, without tests where they are left out.
func (e *exploring) withSymbols(files []*graph.File) []*graph.File {
	return slices.DeleteFunc(slices.Clone(files), func(f *graph.File) bool {
		return f.Language == "" || f.Skip != "" || f.Test && !e.p.IncludeTests
	})
}
