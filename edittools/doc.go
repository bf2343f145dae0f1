// Package edittools holds the four edit tools: write_file, replace_block, delete_path and
// move_path.
//
// Each tool is a function over a snapshot of the workspace that returns a Plan: the changes
// with what they were planned for, the diff of exactly what will be written, and what a
// reader should know. A tool never writes. Run takes a plan through its stages: a dry run
// ends with the plan; else the policy is asked and, where it wants that, a person; then the
// workspace, the only hand that changes files, commits the plan or nothing.
//
// Text that a caller gives is literal, never a pattern. replace_block finds it exactly and
// once, or tells where the nearest places are and how they differ; the one liberty it takes
// is that a line end in the caller's text matches either kind in the file. All bytes outside
// the replaced ones stay what they were, whatever their encoding.
//
// Every result, also that of a dry run, carries the delta: what the edit does to the graph,
// computed by the same update that will index it. The edges that come and go, references
// that lose what they meant, callers to look at, new syntax errors, and the tests that reach
// what changed.
//
// The package is not for asking people (its caller hands it a function for that), for
// protocols, or for the command line; it knows no language.
package edittools
