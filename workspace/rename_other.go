//go:build unix && !linux

package workspace

import "os"

func renameNew(from *os.Root, name string, to *os.Root, toName string) error {
	return renameNewBy(from, name, to, toName)
}

func exchange2(from *os.Root, name string, to *os.Root, toName string) error {
	return exchangeBy(from, name, to, toName)
}

func rename2(from *os.Root, name string, to *os.Root, toName string) error {
	return plainRename(from, name, to, toName)
}

func copyAttributes(_, _ *os.File) {}
