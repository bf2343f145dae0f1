//go:build unix

package main

import (
	"github.com/codegraph-dev/codegraph/edittools"
	"github.com/codegraph-dev/codegraph/mcpserver"
)

// moveTool is move_path and `codegraph move`.
func moveTool() tool {
	return tool{verb: "move", short: "Move a file or folder with the references to it", Tool: mcpserver.Tool{
		Name: "move_path", Title: "Move a path", Description: edittools.MoveDescription, Example: `{"from": "src/a.go", "to": "src/lib/a.go"}`}}
}
