//go:build unix

package main

import (
	"github.com/codegraph-dev/codegraph/edittools"
	"github.com/codegraph-dev/codegraph/mcpserver"
)

// deleteTool is delete_path and `codegraph delete`.
func deleteTool() tool {
	return tool{verb: "delete", short: "Delete a file, a link or a folder", Tool: mcpserver.Tool{
		Name: "delete_path", Title: "Delete a path", Description: edittools.DeleteDescription, Example: `{"path": "src/old.go"}`}}
}
