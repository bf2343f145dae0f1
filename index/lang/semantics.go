package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
)

// Semantics are the rules of a language that are no matter of single nodes.
type Semantics struct {
	// Space names the namespace that a file's top-level definitions join: ("file", path)
	// for languages whose files are modules. Nil means that.
	Space func(path string, f *graph.Facts) (kind, name string)
	// SpaceAnswers: it is known of a namespace whether any file has names in it.
	SpaceAnswers bool
	// EverySpace is the namespace of the names that are flagged as seen by all files (Everywhere).
	EverySpace graph.ScopeID
	// ImplicitThis: a bare name may be a member of an enclosing type.
	ImplicitThis bool
	// ClassScope: bare names in a type's own body (not in its methods) see its members.
	ClassScope bool
	// Inclusion: what has internal linkage is seen wherever its file is included.
	Inclusion bool
	// Hides: a member hides those of its name in base types, whatever they take.
	Hides bool
	// DerefCalls are the members that run when what a value points to is asked for.
	DerefCalls []string
	// Standard is the namespace of the standard library, to which files may add.
	Standard string
	// Operators is how the names of members begin that run where an operator is applied to a value; an
	// expression for such a member without a role says that it is.
	Operators string
	// OwnOperators are those among them that only the members of a class itself are.
	OwnOperators []string
	// Operated are types from outside, other than generic ones, whose operators are such members.
	Operated []string
	// Parts are members of pairs and tuples from outside: the part that each is.
	Parts map[string]int
	// ClosedModules: names in a module inside a file see that module's own, not the file's.
	ClosedModules bool
	// FarMembers: members may be defined outside their type, wherever its name can be written (impl
	// blocks, out-of-line members). The definition's Owner, or its container's, names the type.
	FarMembers bool
	// ExtendsTypes: functions that extend a type are names of their own package, too, and are imported
	// as such.
	ExtendsTypes bool
	// BareCalls: a method without parameters runs where it is named.
	BareCalls bool
	// PlainReceiver: in a function that extends a type, `this` and bare names mean what is around it.
	PlainReceiver bool
	// TraitsDeclare: a call of a method that a trait declares names the trait's, whatever implements it.
	TraitsDeclare bool
	// Separator parts the names of a path that names a module; the first is looked up as any name is.
	Separator string
	// DerefMembers are the members whose type has members that a value offers as its own.
	DerefMembers []string
	// MethodsApart: methods have names of their own: a call means a method, any other mention none.
	MethodsApart bool
	// Top is the predeclared type that all values have; Widens lists, for a predeclared type, the
	// others that its values are taken for, nearest first.
	Top string
	// TopMembers are names of members that all values have, or may have, from outside the workspace.
	TopMembers []string
	Widens     map[string][]string
	// Unboxed are the predeclared types whose values are no objects: a sequence of them is one of
	// nothing else, and no type from outside is one.
	Unboxed map[string]bool
	// Results are, by name, the results of methods of types outside the workspace that are of a
	// predeclared type, or with [] a sequence of it, wherever they are found.
	Results map[string]string
	// Synonyms are the library's names of predeclared types.
	Synonyms map[string]string
	// NullMembers are the members of a value that may be missing that yield it: one that is read, and one that is called.
	NullMembers []string
	// Quotes are generic types outside the workspace that take a function as their first argument says.
	Quotes []string
	// ExactFunctions: a function fits only where one of as many parameters is asked for.
	ExactFunctions bool
	// NearestFirst: of overloads in a type and its bases, those of the type itself are chosen from, if one fits.
	NearestFirst bool
	// Qualified: a package's full name may stand before a name in it, without an import.
	Qualified bool
	// Linearized: classes are searched in an order in which each stands before its bases, and a base
	// after all that derive from it; declared members go before assigned ones.
	Linearized bool
	// Blank: the name _ binds nothing.
	Blank bool
	// Hoist: a function's variables are visible in all of it.
	Hoist bool
	// HoistValues: a variable whose value is a function is a definition like any other.
	HoistValues bool
	// Holes: a sequence pattern may leave elements out: [, second].
	Holes bool
	// AssignDeclares: assignment to an unknown name declares it.
	AssignDeclares bool
	// AttributesByAssignment: assigning to a member of the receiver defines it.
	AttributesByAssignment bool
	// AttributesInherit: to assign to a member that a base has makes none of the type's own.
	AttributesInherit bool
	// And is the token that joins tests, Is the one that tests a value's type.
	And, Is string
	// Shapes says by name what values of well-known types from outside the workspace are like.
	Shapes map[string]string
	// Or is the token that joins tests of which one must hold, Not the byte that begins the test that another
	// fails, Leaves the statements behind which nothing runs: what a failed test shows is known where the
	// other branch leaves.
	Or     string
	Not    byte
	Leaves []string
	// Shows: a call that is a test may show the types of its arguments.
	Shows bool
	// Narrow, where a language has tests of its own, binds again the names of which the condition at n says
	// more where it holds or, as told, does not.
	Narrow func(b *Builder, n int32, holds bool)
	// Redefines: of several callables or types of one name in one scope the last is in force.
	Redefines bool
	// Outcomes says what well-known functions from outside the workspace yield, by full name or, of members
	// of anything, by a dot and their name.
	Outcomes map[string]Outcome
	// EnumBases are the types from outside whose derived types have their values as members.
	EnumBases []string
	// IterKeys: iterating over a map yields its keys.
	IterKeys bool
	// YieldsReturned: the values that are noted as returned by a generator are those that it yields.
	YieldsReturned bool
	// NarrowMembers: tests narrow the types of members of locals and of the receiver, too.
	NarrowMembers bool
	// InferReturns: results are inferred from return statements.
	InferReturns bool
	// FoldCase: names of callables and types are the same in any case, and types have names of their own.
	FoldCase bool
	// NestedSpaces: the name of a space is a dotted path, which other files may spell out.
	NestedSpaces bool
	// RootNames: functions and values that a namespace does not have are looked for in the root.
	RootNames bool
	// AbsentIsExternal: a free name that the workspace does not define is defined outside.
	AbsentIsExternal bool
	// DeclaredGiveWay: a member that is only declared, in a comment or by a trait that asks for it, gives way
	// to one that a base has.
	DeclaredGiveWay bool
	// Missing are the members that run in the place of a member that a type does not have.
	Missing []string
	// ModuleTypes: modules are types: they have members of their own and may be bases.
	ModuleTypes bool
	// Levels: members of a type as a value and members of its values are apart. A base that is the
	// type of something gives its members to the type as a value.
	Levels bool
	// Setter ends the name of the member that runs when a member is assigned to.
	Setter string
	// Maker is the member of a type as a value that makes a value by running its constructor.
	Maker string
	// TypeMember is the member of a value that is its type.
	TypeMember string
	// RootTypes are the types that every value is of, MetaTypes those that types as values are of.
	RootTypes, MetaTypes []string
	// OpenLibrary: the workspace may add members to types of the language's library.
	OpenLibrary bool
	// UniqueNames: a member of a value of unknown type may be the only one of that name, unless
	// Common, the names of the library's members, has it.
	UniqueNames bool
	Common      map[string]bool
	// Arity: types of one name that differ in the number of their type parameters are apart.
	Arity bool
	// TypesApart: where a type is meant, only types are looked for.
	TypesApart bool
	// OuterSpaces: names are looked for in the namespaces around that of a file, too.
	OuterSpaces bool
	// MakersApart: constructors are not found by their names.
	MakersApart bool
	// TypeSuffix may be left out at the end of a type's name.
	TypeSuffix string
	// FileLocals: variables of the code at the level of a file are locals, no definitions.
	FileLocals bool
	// Export decides a symbol's visibility flags from its name; nil: all are exported.
	Export func(name string) bool
	// Builtins maps predeclared names to the type of their value or result ("" unknown).
	Builtins map[string]string
	// Constructors are the names of members that run when a type is called or made; "" is the type's own name.
	Constructors []string
	// CallMakes: calling a type makes a value of it.
	CallMakes bool
	// Self are the names of the receiver besides the grammar's own node.
	Self []string
	// DocString is the node kind of strings where a body that begins with one is documented by it.
	DocString string
	// OuterSignature: defaults and types in a callable's signature belong to the scope around it.
	OuterSignature bool
	// Enter completes a callable whose parameters are bound, before its body is taken.
	Enter func(b *Builder, sym, n int32)
	// Contextual: a function takes the types that its parameters leave out from where it stands.
	Contextual bool
	// Structural: a type implements every interface whose members it has.
	Structural bool
	// ExternalLinkage: a free name that nothing imports may be any definition of the
	// workspace with external linkage (C).
	ExternalLinkage bool
	// LibraryFunction reports whether the system's library has a function of that name, which is meant unless
	// a file can see another.
	LibraryFunction func(name string) bool
	// LibraryType reports whether the system's headers define a type of that name, which is meant where the
	// workspace defines it for systems that lack it only.
	LibraryType func(name string) bool
	// LibraryMacros are what macros of the system do with their arguments, for those that no file defines.
	LibraryMacros map[string][]Argument
	// AssignedModules: a module may be set to a value, whose members are then its own.
	AssignedModules bool
	// OwnModule is the free name by which a file means itself as a module, as a member of the free name
	// OwnModuleOf, too.
	OwnModule, OwnModuleOf string
	// Modules proposes where a module named in an import may be.
	Modules func(q ModuleQuery) []Candidate
	// InheritTypes are the predeclared types that say so little that a parameter declared so, or not at
	// all, has the type that the method says that its own overrides.
	InheritTypes []string
	// Homes are the files in which a type of the full dotted name in q.Module should be, the likeliest
	// first: of several copies of a type, the one that is loaded. A slash ends a folder, of which any file
	// may be it but for those in folders that stand behind NoHome. Of functions only files count.
	Homes func(q ModuleQuery) []string
	// PackagePath: a file's package is the path of its folder below a root. ImportLine is the
	// line that imports one name of a package, with %s for it.
	PackagePath bool
	ImportLine  string
	// Folders: the files of a folder that name one package are it; nil where that is not so.
	Folders *Folders
	// SubModule spells the module called name inside another, where a module holds others.
	SubModule func(module, name string) string
	// Variant ranks a file's path among those of files that define the same: 0 is for every system or
	// the usual one, higher is for others. What the file itself says is in its facts.
	Variant func(path string) uint8
	// Promote: members of embedded fields are the type's own, the shallowest first.
	Promote bool
	// CallMembers are the members that run when a value is called, NewMembers those that run when something
	// is made of it as of a type.
	CallMembers, NewMembers []string
	// GlobalTypes are the types of the language that names of its own hold, or that its types are of, to which
	// files of the workspace may add members.
	GlobalTypes map[string]string
	// Later are the members of a value that comes later. A function that yields one has the value itself for
	// its result, so any value has them.
	Later []string
	// Folds are the members of sequences that hand the function that is passed what it returned before, and at
	// first their second argument, as its first parameter, and yield that at last.
	Folds []string
	// Rebinds are the members of a function that are, or run, the function itself.
	Rebinds []string
	// Overloads: callables of one name are told apart by what they take.
	Overloads bool
	// Phases: of overloads a call means the most special of those that take its arguments as they are, else of
	// those that take them in objects or out of them, else of those that gather the last ones.
	Phases bool
	// ArrayTypes are what a sequence is apart from itself, Finals types of the library from which none derives,
	// EnumBase is the type that every enum derives from.
	ArrayTypes, Finals []string
	EnumBase           string
	// TextType is the type that a sum with text has, Promoted the type that operators make at least of numbers.
	TextType, Promoted string
	// Targets: what stands where a function is asked for takes the types of its parameters from there, be it a
	// variable, a result or an argument.
	Targets bool
	// Merges: several declarations of one name are one type.
	Merges bool
	// IterMembers, IndexMembers and EnterMembers are the members whose results iteration, indexing and
	// entering yield.
	IterMembers, IndexMembers, EnterMembers []string
	// Library says what well-known members of collections from outside the workspace yield
	// when called, and Callbacks which parameters of a function passed to them are elements: bit n
	// stands for parameter n.
	Library map[string]Yield

	// LibraryTypes says what well-known types stand for that collections from outside the workspace
	// have as members, LibraryBases which well-known types from there derive from which.
	LibraryTypes map[string]Yield
	LibraryBases map[string][]string
	// Functions says what functions from outside the workspace yield, in terms of their first argument,
	// by package and name.
	Functions map[string]Yield
	// Passes says what functions from outside the workspace hand to the function that they are called with,
	// by parameter: the number of an argument, plus one, or 0 for something else.
	Passes    map[string][]uint8
	Callbacks map[string]uint8
	// Components are generic types, and functions, outside the workspace that take a function: the type
	// argument that each says for its first parameter.
	Components map[string]int
	// BaseMembers are the members, by type and name, that types get from generic ones outside the workspace
	// that they extend: the type argument that each is.
	BaseMembers map[string]int
	// Sequences is the function outside the workspace that tells whether its argument is a sequence.
	Sequences string
	// Gathers are generic types outside the workspace that are made of the elements of one argument.
	Gathers []string
	// Paired are generic types outside the workspace whose elements are pairs of their two arguments.
	Paired []string
	// Facets are generic types outside the workspace whose values have members of their first argument.
	Facets []string
	// Derivable are the traits from outside that types implement without a block that says so.
	Derivable []string
	// Inherent reports whether a well-known type from outside has a member of that name by itself, which
	// goes before what traits give it.
	Inherent func(typ, member string) bool
	// Known is what is known of the types of the language's library.
	Known *Outside
	// Core are the types of Known that the language treats in a way of their own.
	Core Core
	// Omits and Picks are the generic types outside the workspace whose values have the members of their
	// first argument but for those, or only those, that the others are named after.
	Omits, Picks string
	// TypeOps are generic types outside the workspace that are worked out from their first argument.
	TypeOps map[string]TypeOp
	// MapsOpen: members of a map that is written like a type are its elements.
	MapsOpen bool
	// ReceiverOf is the generic type outside the workspace that, where a literal is asked for, says of what
	// type the receiver of its methods is.
	ReceiverOf string
	// Transparent are generic types outside the workspace that stand for their first argument.
	Transparent []string
	// Unwrapping are members of such types that yield what they stand for.
	Unwrapping []string
	// Conditions are the stretches of a source that a build may leave out.
	Conditions func(src []byte) []Condition
	// Prepare blanks parts of a source that the grammar cannot take, keeping every offset.
	Prepare func(src []byte) []byte
	// SeenAs is what types of the library are seen as for members that they do not have: another type, or
	// where that is empty a sequence of their first type argument.
	SeenAs map[string]string
	// Built reports whether the usual build has what stands under a condition that its file does not decide.
	Built func(q BuildQuery, condition string) bool
	// Configs are base names of files (go.mod, package.json) whose facts Config makes.
	Configs []string
	Config  func(path string, src []byte) *graph.Facts
	// Start notes what must be known of a whole file before it is visited.
	Start func(b *Builder)
	// Finish adds what only a whole file shows.
	Finish func(b *Builder)
}
