// Package ignore says which paths of a tree on disk belong to the project, and says so again at little cost after
// the tree has changed.
//
// Scan walks a root and returns a Listing: each file, folder and link with its identity, and each path that could
// not be looked into with the reason. Given the previous Listing it reads only the folders that changed. Diff tells
// two listings apart. Explain names the rule that hid a path. A Listing has a binary form, AppendBinary and Decode.
//
// The package is not for reading source files, for watching, or for guessing languages; it executes nothing, not
// even git, and writes nothing.
//
// # What belongs
//
// The rules are those of git, and for what git does not know those of ripgrep. From the strongest to the weakest:
//
//   - Options.Include, then Options.Exclude, in the syntax of a .gitignore at the root;
//   - .rgignore files, in the tree and in all folders above the root;
//   - .ignore files, likewise;
//   - .gitignore files from the top of the repository downwards, the nearest first;
//   - the repository's info/exclude;
//   - the user's core.excludesFile, found through git's configuration files and environment.
//
// The last three need a repository (.git or .jj) at or above a folder. Within a source the last matching pattern
// decides. What lies in an excluded folder cannot be brought back, save for two things: paths that git tracks are
// kept in spite of git's rules (not in spite of the first three), and an include pattern that begins with the name of
// a folder, such as build/gen/*.go, leads into it. A root that is named belongs to the project whatever the folders
// above it say.
//
// A nested repository or a checked-out submodule is entered if the rules around it allow or its gitlink is tracked;
// inside hold only its own git rules. A linked work tree (a .git file that leads to .../worktrees/...) is a second
// copy of something and is skipped unless it is the root. Folders named .git, .hg, .jj and .svn and .git files are no
// entries at all. Links are entries and are never followed, so nothing appears twice or from outside.
//
// A name that begins with a dot is listed with Hidden set, unless a negated pattern brings it back, as in ripgrep.
// Hidden folders are entered only with Options.Hidden. Entries that rules take out are listed, with Ignored set,
// only with Options.IncludeIgnored.
//
// # What a re-scan trusts
//
// A folder's names are taken from the previous listing if its inode, device, mtime and ctime are the same and the
// rules that its names were judged by have the same hash; each name is still lstat'ed. As with git's racily clean
// entries, times only prove something if they lie clearly before the previous scan: a folder whose times are less
// than two seconds older than that, or lie in what was then the future, is read again. Two seconds is the coarsest
// clock of a common file system. Ignore files and configuration are read at each scan, for they are few and small. A
// changed git index makes those folders be read again in which it had a say. Over file systems that do not keep the
// mtime of folders, or on which the clock of a server lags by more than that, pass no previous listing.
//
// # Limits
//
// The .gitignore files that a sparse checkout left out of the work tree are not read from the index. Conditions
// of includeIf other than gitdir do not hold. A .git link is judged by its target, GIT_DIR and its kin are not used.
//
// The matcher is our own: the libraries at hand turn patterns into regular expressions and part from git on
// classes, escapes, trailing spaces and excluded parents.
package ignore
