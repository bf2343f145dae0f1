// Bench measures the program: how long an index takes and what it costs, how long each
// read tool takes as a whole process, and how that compares with two floors, the parser
// alone and ripgrep.
//
//	go run ./bench [-corpus DIR] [-quick] [-json] [-n RUNS] [-bin PATH]
//
// The corpus is the Go standard library of the toolchain unless -corpus names another
// folder; it is copied to a temporary place first, so that one of its files can be edited.
// The figures of one machine say little on another: ratios come first.
//
// CPU time and peak memory are those the kernel counted for the processes, the one that was
// called and the one that owns the index together. It is no test: nothing here fails because
// a figure is bad.
//
// A word before the flags chooses another measurement; each has a file of its own, and a row
// in commands.
package main
