//go:build unix

package main

import (
	"github.com/codegraph-dev/codegraph/edittools"
	"github.com/codegraph-dev/codegraph/mcpserver"
)

// replaceTool is replace_block and `codegraph replace`.
func replaceTool() tool {
	return tool{verb: "replace", short: "Replace a block of text in a file, exactly", Tool: mcpserver.Tool{
		Name: "replace_block", Title: "Replace a block of text", Description: edittools.ReplaceDescription,
		Example: `{"path": "src/main.go", "old": "timeout = 5", "new": "timeout = 10"}`}}
}
