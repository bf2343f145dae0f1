// Package mcpserver speaks the Model Context Protocol: messages in, tool calls out. It
// is the only user of the MCP SDK (github.com/mark3labs/mcp-go), and only the files
// sdk*.go name it.
//
// # One table
//
// A server is built from rows of type [Tool]; there is no second list and no switch on
// a tool's name. A row is a name, a description, hints, a parameter struct, a result
// struct and a function. [Typed] makes the function from a typed one: it decodes the
// arguments strictly and fills in defaults. The input schema, the output schema and,
// through [Fields], the flags of the command line all come from the same struct tags:
//
//	json      the argument's name; omitempty and omitzero have no part in whether it is required
//	doc       its description
//	required  "true" if the call fails without it
//	enum      the permitted values, with commas between
//	default   the value that an absent argument takes
//	pos       its place on the command line, "2..." for the rest of the line
//	short     its one-letter flag
//
// # Arguments
//
// An unknown argument, a missing one, a wrong type and a value outside an enum are
// usage errors that name the argument, the nearest known name and a call that works; a
// wrong answer from a mistyped argument is worse than none. Two slips that models make
// all the time are understood: a single value where a list is wanted is a list of one,
// and null is an absent argument.
//
// # Resources
//
// Resources come from a second table of the same kind, rows of type [Resource]: a URI, or a
// template that ends in a variable, and functions to read, list, complete and watch it. What
// a resource is about the server does not know. Lists go page by page; a URI is understood
// escaped or as it is; that there is no such resource is an error with the code of the
// client's revision, never empty contents. Changes are told to those who subscribed (see
// subscribe.go), the log to those who asked for it (see logging.go).
//
// # Results
//
// A result has both forms: structuredContent is the result struct as JSON, for programs,
// and the text content is the tool's own text form, for a model. The protocol advises to
// repeat the JSON as text; the text form says the same in a third of the characters, and
// those are what a model pays for. An error of type [readtools.Error] becomes a result
// with isError, the text "message; next" and structuredContent {"error": {...}}, which the
// output schema allows. Every other error and every panic has the code internal; the
// whole of it goes to the log, its first line without foreign paths to the caller.
//
// # The loop
//
// The SDK's own stdio loop delivers progress after the result, serves unknown protocol
// revisions and answers cancelled calls. [Server.Run] is a loop of our own around the
// SDK's message handler which orders and checks:
//
//   - Progress precedes its result, and nothing follows it.
//   - After notifications/cancelled nothing more is written for that id, and the call's
//     context ends at once.
//   - An id in flight cannot be used a second time.
//   - An unknown revision in _meta is -32022 with the list of the known ones; in
//     initialize it is answered with the latest that has initialize.
//   - A line that is no JSON is -32700, one that is too long -32600; both leave the
//     connection alive.
//   - Where the id of a refused message cannot be read, the answer has null for it, and
//     none from 2025-11-25 on, as the schemas of the protocol have it.
//   - A batch is served where the revision has batches (2025-03-26) and refused elsewhere.
//   - At the end of the input, work in flight is given a moment, then cancelled, and Run
//     returns within a second, also when a tool hangs or nobody reads the output.
//
// Revisions with a handshake (2024-11-05 to 2025-11-25) and the one without (2026-07-28)
// are served on one connection, request by request. What needs only the processor
// (initialize, server/discover, tools/list, ping) is answered in the order of arrival by
// the goroutine that reads, so it never waits for a tool or for an index.
//
// # HTTP
//
// [Server.ServeHTTP] is the protocol's streamable HTTP over the same connections. A message
// comes with a request of its own and is answered by its own outlet; whatever else the loop
// does, from the check of revisions to the freezing of a call, is done by the same code. The
// SDK's transport for HTTP would have done it by its own, without that order.
//
// A [Client] is the other end of a server of this program. It is for the program's own
// processes among each other, so it speaks one revision and asks for nothing but what they need.
//
// The package is not for deciding what a tool does, nor for finding a workspace or a
// daemon: that is wired in cmd/codegraph. It offers no prompts, and says so.
package mcpserver
