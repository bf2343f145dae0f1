//go:build unix

package main

import (
	"github.com/codegraph-dev/codegraph/edittools"
	"github.com/codegraph-dev/codegraph/mcpserver"
)

// writeTool is write_file and `codegraph write`, whose content may come from standard input.
func writeTool() tool {
	return tool{verb: "write", input: "content", short: "Create a file or replace all of its text", Tool: mcpserver.Tool{
		Name: "write_file", Title: "Write a file", Description: edittools.WriteDescription, Hints: mcpserver.Hints{Idempotent: true},
		Example: `{"path": "docs/new.md", "content": "# New\n", "expect": "absent"}`}}
}
