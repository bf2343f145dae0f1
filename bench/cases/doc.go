// Cases runs folders of test cases against the program as a user would: through its
// command line and through MCP over real pipes, in a temporary workspace of its own.
//
//	go run ./bench/cases DIR... [-run REGEXP] [-v] [-bin PATH] [-keep] [-j N] [-tally] [-daemon auto|off|both]
//
// Each DIR is a case folder (it holds case.yaml, and tree/ where there are input files)
// or holds many. The outcome is one line a case and a tally; the exit status is 1 when a
// case failed, unless -tally asks for the figures alone. The format of a case is told in
// FORMAT.md beside the cases; nothing here depends on a particular case, language or
// folder. A field that this runner does not know makes the case fail: it is never ignored.
//
// It is no unit test and knows nothing of the program's packages: what it checks is what
// a caller sees.
//
// With -daemon both every read is asked through the daemon and without it, and what the two
// print has to be the same.
//
// # How neutral questions become calls
//
//	symbols {path}           open PATH --view outline (a folder: grep --in symbols . FOLDER)
//	symbols {name, ...}      grep --in symbols ^NAME$ (name_prefix, kind, members_of alike)
//	callers, callees         explore SYMBOL --focus callers|callees --depth 1 [--path FILE]
//	references               explore SYMBOL --focus references; relation bases and derived:
//	                         --focus hierarchy by the role of the edge; relation
//	                         implementations: --focus implementations
//	symbol with line or kind the symbol's id, looked up with grep --in symbols
//	grep, discover, open     the verb of that name; mode config_key: grep --in config
//	edit                     write, replace, delete, move, undo, always with --yes
//	mcp                      codegraph mcp; arguments of a call are mapped the same way
//	robust                   what `do` names, with real processes, limits and damage
//
// Every call is VERB -C ROOT --json --flag=value ... -- POSITIONALS, run in the root.
// Lists are asked with a large limit and followed by cursor to the end; follow_all_pages
// asks with the default limit. "update" makes the next questions be asked again for up to
// ten seconds until they are right.
//
// # How answers are compared
//
// A container matches when the shorter of the two qualified names is a tail of the longer
// one. With count, nothing else of that sort may be reported: for a file's symbols the sort
// is the kinds that the case lists (or complete_for names), for callers the distinct call
// sites whatever their certainty. An error condition is recognised by the error's code and,
// where one code serves several conditions, by words of its message (conditions.go).
//
// Free text (note, confirm, policy, coverage) is a remark. One exception: in a robust case a
// definition may be missing from a file that the program itself lists as not or partly
// indexed, where the case's note or coverage says so.
package main
