// Package readtools holds the four read tools: read_discover (paths), grep (text,
// symbols, references, config keys), read_open (known targets) and codebase_explore
// (architecture, relations, impact).
//
// Each tool is one pure function over a snapshot of the workspace: parameters in,
// result out. No tool holds state and none writes. What an index proposes is a
// candidate; a tool shows it only after it has been read in the workspace's bytes.
//
// The package is not for protocols: it knows nothing of MCP or of the command line.
// Both derive their schemas and flags from the parameter structs here, so a parameter
// is declared once: its JSON name is the tool's argument and, with dashes, the flag;
// its `doc` tag is the description that a model and a person read; `enum` and
// `default` tags are what they say.
package readtools
