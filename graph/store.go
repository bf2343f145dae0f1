package graph

import "context"

// FileID names a file inside one store. It stays with a path for the store's life and is
// never given to another path.
type FileID uint32

// Handle is a symbol inside one store: symbol Index of file File as its facts now are.
// Import handles have a negative Index: -1-i stands for Imports[i]. FileItself stands for
// the file.
type Handle struct {
	File  FileID
	Index int32
}

// FileItself is the Index of a Handle that means the file as a module.
const FileItself int32 = 1<<31 - 1

// Target is a symbol as links hold it: its file, and the hash of its path of names and
// ordinal (see TargetHash). Unlike a Handle it survives edits of the file that leave the symbol's name alone.
type Target struct {
	File FileID
	Hash uint32
}

// File is a file of the workspace as the index saw it.
type File struct {
	ID       FileID
	Path     string
	Language string
	Hash     [32]byte // SHA-256 of the bytes
	Size     int64
	Lines    uint32
	Symbols  uint32
	Generated,
	Test bool
	Skip string // why it has no facts: "binary", "too large", "parser gave up", ...
}

// Status says how far a reference was resolved.
type Status uint8

// The statuses of links.
const (
	Unresolved Status = iota // no target could be proven
	Certain                  // bound to its targets (several only for merged declarations)
	Possible                 // one of its targets, at run time
	External                 // leads outside the workspace
)

var statusNames = [...]string{"unresolved", "certain", "possible", "external"}

// String is the status in one word.
func (s Status) String() string { return statusNames[s] }

// Reason is why a reference was bound, or why not.
type Reason uint8

// The reasons.
const (
	NoReason      Reason = iota
	ByScope              // found in an enclosing scope of the same file
	ByPackage            // member of the same package or namespace
	ByImport             // imported by name
	ByStar               // imported with everything of its module
	ByModule             // member of a module or package named before it
	ByReceiver           // member of the receiver's declared type
	ByInferred           // member of the receiver's inferred type
	BySelf               // member of the enclosing type
	ByInheritance        // member of a base of the receiver's type
	ByEmbedding          // promoted from an embedded field
	ByInclude            // visible through included files
	ByLinkage            // the only definition with external linkage
	ByUniqueName         // the only definition of that name that fits
	ByMerged             // one of several declarations of the same thing
	ByUnion              // member of one of several possible types
	ByConstructor        // the constructor of a called type
	ByOverload           // chosen among overloads by arity
	NotFound             // the scope is known and has no such name
	NoType               // the receiver's type is not known
	NoModule             // the module is not in the workspace
	Builtin              // part of the language
	Ambiguous            // several definitions fit equally
	Dynamic              // computed at run time
	TooDeep              // the work for it was bounded
	reasonEnd
)

var reasonNames = [...]string{"", "scope", "package", "import", "star-import", "module-member", "receiver-type", "inferred-type", "self",
	"inheritance", "embedding", "include", "linkage", "unique-name", "merged", "union", "constructor", "overload",
	"not-found", "no-type", "no-module", "builtin", "ambiguous", "dynamic", "too-deep"}

// String is the reason as results show it.
func (r Reason) String() string { return reasonNames[r] }

// Link is what became of one reference: expression Expr of the file's facts. Its targets
// are Links.Targets[First:First+N]. For External, Name is what is known of the target.
type Link struct {
	Expr   uint32
	First  uint32
	N      uint16
	Status Status
	Reason Reason
	Role   Role // how the name is used, now that it is known what it names
	Also   Role // how it is used besides: Call where writing it calls what assigns, else NoRole
}

// Links are the links of a file, in the order of its expressions. Imports holds, for each of the
// file's imports, the links of its module and member names, as Expr indexes -1-2*i (module) and -2-2*i.
type Links struct {
	Refs    []Link
	Imports []ImportLink
	Targets []Target
}

// ImportLink is what became of one import's names. Module is the file that it names, or NoFile.
type ImportLink struct {
	Module FileID
	First  uint32
	N      uint16
	Status Status
	Reason Reason
}

// NoFile is no file.
const NoFile FileID = 1<<32 - 1

// ScopeID is the hash of a scope's path of names.
type ScopeID uint64

// Key is the hash of a name in a scope. It is what files export and what linking asks for.
type Key uint64

// Export is one key that a file answers: the symbol or import behind it, and a hash of
// everything about it that a reader may see.
type Export struct {
	Key   Key
	Index int32 // as in Handle
	Shape uint64
}

// FileRecord is all that a store keeps of a file.
type FileRecord struct {
	File    File
	Facts   *Facts // nil where Skip is set
	Exports []Export
	Links   *Links
	Reads   []Key // sorted: the keys that linking asked for
}

// Batch is one change of a store: files put and files taken away. Meta entries are set with
// it; a nil value deletes.
type Batch struct {
	Put    []FileRecord
	Delete []FileID
	Meta   map[string][]byte
}

// Gen counts the batches that a store has applied.
type Gen uint64

// Store keeps the graph of one root. Apply is atomic and durable: after it, every View sees the
// whole batch, and before, nothing of it. Apply takes the batch over: what Put holds may be gone after it.
type Store interface {
	View(ctx context.Context, f func(Reader) error) error
	Apply(ctx context.Context, b *Batch) (Gen, error)
	Close() error
}

// Drafter is a Store whose first generation can be made in parts, where one batch of it would be
// more than fits in memory.
type Drafter interface {
	Store
	// Draft begins the first generation of an empty store. Until it ends nobody else may change
	// the store. What is left of a draft that was killed goes. The error is errors.ErrUnsupported
	// where only a batch will do.
	Draft(ctx context.Context) (Draft, error)
}

// Draft is a first generation in the making. Nothing of it is seen before Commit. Ids must come
// from FileIDs of the store.
type Draft interface {
	// PutFacts keeps the facts of files.
	PutFacts(ctx context.Context, files []FileRecord) error
	// View calls f with a function that gives kept facts back, to be used by several goroutines
	// that f awaits. Nothing may be put meanwhile.
	View(ctx context.Context, f func(facts func(FileID) (*Facts, error)) error) error
	// PutLinks keeps all else of files. Those with facts must have been given to PutFacts.
	PutLinks(ctx context.Context, files []FileRecord) error
	// Commit makes all files that PutLinks was given the store's first generation, like a batch.
	Commit(ctx context.Context, meta map[string][]byte) (Gen, error)
	// Close ends the draft. Without Commit the store stays empty.
	Close() error
}

// Reader answers questions about one generation. Every question is set-valued, so that a
// store across a network needs one round trip where an embedded one needs one loop. Answers
// are in the order of the question; what is not there is zero or nil, not an error. What a
// Reader returns is shared and must not be changed; it stays valid after the View.
type Reader interface {
	Gen() Gen
	// Meta are the values set with batches.
	Meta(keys ...string) ([][]byte, error)
	// Files are all files, in the order of their paths.
	Files() ([]File, error)
	// FileIDs are the ids that the paths have or once had; new paths get fresh ones, which the next Apply keeps.
	FileIDs(paths []string) ([]FileID, error)
	// Facts and Links of files.
	Facts(ids []FileID) ([]*Facts, error)
	Links(ids []FileID) ([]*Links, error)
	// Lookup finds who exports the keys.
	Lookup(keys []Key) ([][]Handle, error)
	// Named calls f with each distinct symbol name for which keep is true, and its symbols; f returns false to stop.
	Named(keep func(name string) bool, f func(name string, at []Handle) bool) error
	// Referrers are the files with links to the targets.
	Referrers(targets []Target) ([][]FileID, error)
	// Askers are the files whose linking asked for any of the keys, sorted.
	Askers(keys []Key) ([]FileID, error)
}
