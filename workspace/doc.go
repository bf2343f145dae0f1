// Package workspace is one root on disk: what its files are now, what the index says of
// them, and the only hand that changes either.
//
// A Workspace is opened on a root; a View gives a function a Snapshot to answer from. Before
// each View the tree is walked (ignore.Scan, which costs one lstat a name) and compared with
// the listing that was saved with the index. What differs, and what changed so shortly before
// that listing that its times prove nothing, is read, hashed and, if its bytes changed,
// indexed; then the function runs. Refresh with Full reads every file and so also finds
// changes that left size and times as they were.
//
// # The state folder
//
// All state of a root lies in one folder outside it: under $CODEGRAPH_HOME, else the user's
// cache folder, named by the root's last name and a hash of its path.
//
//	graph.db      the graph; its meta holds the identity of the build and the text
//	              indexes' tokens
//	trigram/      the text index for grep
//	ranked/       the text index for questions in words
//	listing       the tree as it was when the graph was last brought up to date
//	update.lock   held, as a lock of the system, by the one process that updates
//	edits/        the journal of edits: what undo needs, and what a crash cut off
//	edit.lock     held while an edit is made
//	approvals/    questions to people about edits, and their answers
//	evidence/     the ledger of calls: what each read or changed
//	root          the path of the root, for people
//	cookies/      files by which a process that stays knows that it was told of every change
//
// # A workspace that stays
//
// A process that serves many calls opens it with Options.Resident. Then the system tells of
// changes (watcher), the tree is known without a look at each file (tree), and the stores stay
// open (resident): a question costs what changed since the last one. Events only save work. Where
// they may be missing everything is looked at, before a rest all of the tree is, and some files
// are extracted again and compared with the index (Check). The graph's lock is then its own;
// Yield lends the stores out to another process.
//
// # Locks
//
// In a workspace that does not stay no lock is held between calls. A View holds the graph's
// shared lock; an update holds update.lock throughout and the graph's exclusive lock only for
// the moment in which its batch is written, so that others can read while it works. Who cannot
// have a lock in time answers from what there is, laid over with what the bytes say now (see
// Snapshot.Graph), and says so. A lock that is taken is never a sign of damage.
//
// Order makes this safe against kill -9: text indexes write beside what is there, the
// graph's batch names what they wrote, and the listing comes last. Whatever is older than
// the graph is only a reason to look at more files. Whatever is damaged, of another version
// or made under other settings is taken away and built again.
//
// The package is not for answering questions (readtools), knows no tool and no language,
// and opens the stores only through what the program hands it (Stores).
package workspace
