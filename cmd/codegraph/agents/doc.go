// Package agents registers the server in the coding agents of this machine, and takes it
// back out.
//
// Each agent is a row of one table (see [All]): where its configuration lies at user and
// at project level, in which format, under which keys, and in what shape. A row makes a
// list of targets; a target is one value at one place of one file. [Make] computes what
// installing would change and writes nothing, [Install] does it agent by agent: write,
// start the server as the agent would from what is now in the file, call a tool, and put
// everything back if that fails. [Uninstall] takes it all back.
//
// # Editing without a trace
//
// Files are not decoded and encoded again: a value is spliced into the text, so order,
// comments, unknown keys and line ends stay byte for byte (jsonc.go, yaml.go, toml.go,
// block.go). Every edit is decoded before it is written and compared with what was there:
// all else must mean the same. A file that cannot be parsed is left alone, and a [Problem]
// names its line.
//
// # Taking back
//
// Before a file is first changed its bytes go into a backup beside it, and a record (in
// the folder of all state, see record.go) says what was made: the file itself, folders,
// parent keys. If the file still is what was written, uninstalling brings the backup back,
// byte for byte; otherwise only the entry is cut out, with the parents that were made for it.
//
// The package is not for the workspace's sources: it writes nothing but the agents' own
// configuration files, and the block in the project's agent file that it marks as its own.
package agents
