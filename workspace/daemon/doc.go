// Package daemon keeps one process a root, which all who work on that root share: it is
// started by whoever needs it first, found by all, and gone when nobody has used it for a
// while. What is spoken with it is no concern of this package: a client gets a connection,
// the daemon's program gets the other end of it.
//
// # The place
//
// A root, a user and a folder of state have one place (Place): a run folder, and in it three
// files whose names begin with a hash of root and state, so that a path fits a socket's
// address however long the root's own is.
//
//	HASH.lock   held, as a lock of the system, by the daemon as long as it lives
//	HASH.sock   the socket, 0600
//	HASH.json   who the daemon is (Record), for those who list daemons
//
// The run folder is codegraph/ in the user's runtime folder, else codegraph-UID in the folder
// for temporary files. It is the user's own, 0700 and no link, or it is not used. Programs of
// one user may see different variables (many agents start their servers with hardly any), so
// the daemon leaves its record in the state folder, too, and who finds no socket in its own
// run folder looks there.
//
// # Election
//
// Who holds HASH.lock is the daemon: only it may remove the socket of a dead one and bind its
// own. Of several that start at once the others wait until the winner's socket answers, and
// leave. The files go with the daemon; what a killed one left is taken away by the next one
// of that root, or by any that sees that its lock is free. A lock file is removed only by its
// holder, and who gets a lock looks whether its file is still the one at that path.
//
// # The greeting
//
// A connection begins with one line of JSON from each side: a Hello, which says what is
// wanted, and a Greeting, which says who answers.
//
//	serve    from here on the bytes belong to the program's own protocol
//	status   a Status follows, and the end
//	stop     the daemon drains; the end comes when it has
//	yield    the daemon lets go of its stores until the connection ends
//
// A client that is newer than the daemon (by version, else by the time its file was built)
// has it stopped and starts its own; an older client is served. A Hello names the root's
// folder as the file system does, so a folder that took the place of the daemon's is no
// root of its.
//
// # The end
//
// A daemon drains when it is told to, when it has been idle, when its root, its state
// folder or its socket is gone or no longer its own: it takes no more connections and tells those it has, with the
// line Leaving between two lines of theirs. They send it nothing more, wait for what they have
// asked for, and close. Those that do not are cut off, and at once where they wait for work that
// takes long (Options.Under). Whatever was cut off can be asked of the next daemon again. The
// work ends before the lock is free; where it does not in time, the process ends around it.
//
// The package knows no tool and no protocol besides its own greeting, and nothing of
// workspaces but the paths that it is given.
package daemon
