//go:build !unix

package trigram

import (
	"io"
	"os"
)

// mapFile reads a file where it cannot be mapped.
func mapFile(f *os.File, size int) ([]byte, error) {
	b := make([]byte, size)
	_, err := io.ReadFull(f, b)
	return b, err
}

// unmapFile undoes mapFile.
func unmapFile([]byte) error { return nil }
