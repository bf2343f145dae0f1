package graph

import (
	"strconv"
	"strings"
	"unsafe"
)

// Kind is what sort of definition a symbol is.
type Kind uint8

// The kinds of symbols.
const (
	NoKind Kind = iota
	Function
	Method
	Constructor
	Class
	Struct
	Interface
	Trait
	Enum
	EnumMember
	TypeAlias
	Union
	Annotation
	Field
	Property
	Variable
	Constant
	Macro
	Module
	Namespace
	Package
	TypeParameter
	kindEnd
)

var kindNames = [...]string{"", "function", "method", "constructor", "class", "struct", "interface", "trait", "enum", "enum member",
	"type", "union", "annotation", "field", "property", "variable", "constant", "macro", "module", "namespace", "package", "type parameter"}

// String is the kind in lower-case words.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "?"
}

// Callable reports whether the kind has a body that calls and is called.
func (k Kind) Callable() bool { return k == Function || k == Method || k == Constructor }

// Type reports whether the kind names a type.
func (k Kind) Type() bool {
	return k >= Class && k <= TypeAlias && k != EnumMember || k == Union || k == Annotation
}

// Role is how a mention uses the name.
type Role uint8

// The roles of references.
const (
	NoRole Role = iota
	Call
	Read
	Write
	TypeUse
	Import
	Inherit
	MacroUse
	roleEnd
)

var roleNames = [...]string{"", "call", "read", "write", "type", "import", "inherit", "macro"}

// String is the role in one lower-case word.
func (r Role) String() string {
	if int(r) < len(roleNames) {
		return roleNames[r]
	}
	return "?"
}

// Flags are properties of symbols.
type Flags uint32

// The flags of symbols.
const (
	Exported       Flags = 1 << iota // visible outside its file, package or type, as its language says
	Static                           // belongs to the type, not to a value
	Abstract                         // has no body of its own; an interface's member
	Declaration                      // declares only: a prototype, an extern, an overload signature
	FileLocal                        // seen only in its own file
	Default                          // a module's default export
	Variadic                         // a function whose last parameter takes any number
	Async                            // a call yields an awaitable of the result
	Generator                        // a call yields an iterator of the result
	Computed                         // a member read like a field but computed by a body (property, getter)
	Embedded                         // a field whose members are promoted
	Pointer                          // a method with a pointer receiver
	Test                             // test code
	NestedDef                        // defined inside a function's body: not looked up from outside
	Setter                           // a member written like a field but run by a body
	Protected                        // visible to subtypes
	Private                          // visible to its own type only
	Optional                         // a member that may be absent; a macro that is defined where there is none yet
	Distinct                         // a named type that is not the type it is written in terms of
	Anonymous                        // has no name of its own in the source
	Conditional                      // defined under a condition that seldom holds
	Tag                              // its name is of a kind of its own: struct x beside a function x
	Unbuilt                          // left out of the usual build, as its own conditions say
	AssignedMember                   // made by assigning to the receiver's member: no name in its type's own body
	Alias                            // another name for what its initializer names
	ReadOnly                         // a method that may be called on a value that may not be changed
	Sole                             // a type with a single value, which is its name
	Extension                        // called like a member of its first parameter
	Everywhere                       // a name that all files of its language see
	Override                         // takes the place of a member of a base
	Rarer                            // conditional, and so by a further condition inside that one, or for when what was tried failed
)

// Op is what sort of expression a node of the expression arena is. The same arena holds
// value and type expressions; which is meant follows from where it hangs.
type Op uint8

// The operations. X is the operand, Name a string, Kids a list of further operands.
const (
	NoOp       Op = iota
	OpName        // Name, looked up outward from In; before that among the members of Kids
	OpLocal       // X is an index into Locals
	OpSelf        // the receiver: this, self; as a type with N 1, whatever subtype of it the receiver is; before it, of Kids the first that is known
	OpSuper       // the receiver seen as its base types
	OpMember      // X.Name
	OpCall        // X(Kids...)
	OpNew         // new X(Kids...), or a composite literal of type X
	OpIndex       // X[Kids...], also a generic type's application; N-1 is the index where it is a small number
	OpElem        // what iterating over X yields first (value, or key where N is 1)
	OpTupleAt     // part N of tuple X
	OpTuple       // (Kids...)
	OpAwait       // await X
	OpDeref       // *X, or the element of a pointer type
	OpAddr        // &X
	OpPointer     // type: pointer to X
	OpArray       // type or value: sequence with elements X (or any of Kids)
	OpMap         // type or value: map from X to Kids[0]; of a type Kids[1] is the one whose members are its keys
	OpChan        // type: channel of X
	OpFunc        // type or value: function; Kids are parameter types, X the result; N a Locals range is not kept
	OpUnion       // any of Kids
	OpLiteral     // Name is the type's name in the language: string, int, ...
	OpCast        // value X seen as type Kids[0]
	OpReceive     // <-X
	OpSymbol      // X is an index into Symbols: a definition in this file
	OpEnter       // what entering context X binds
	OpSlice       // part of sequence X, of the same type
	OpVariadic    // type: any number of X
	OpTypeOf      // type: the type of value X
	OpInstance    // what exists when X, a type, is caught, matched or injected: a value of that type
	OpImport      // X is an index into Imports: the module itself (import expression, require)
	OpObject      // a value with members: X is an index into Symbols of an anonymous container, or -1
	OpSpace       // the namespace with the dotted path Name, from the root
	OpArg         // what a function that is passed to callee X as argument N>>8 gets as its parameter N&255
	OpParam       // parameter N of function X, as its type says
	OpTaken       // what callee X takes as its argument N
	OpShows       // type: Kids[0], where a function of it shows its parameter Name to be of type X
	OpShown       // value Kids[0], argument N of a call of X that has shown what it is, if X shows that
	OpBut         // value X, which is of none of the types Kids
	OpBuilt       // no value: Name is the condition under which the build has symbol X, or the import in X; see SetsCondition
	OpNamed       // value X, which a call passes to its parameter Name
	opEnd
)

// MeansCallable is the N of an OpMember that means a method without calling it. (Other members
// have 0, keys of literals 1 or, where a local has that name, 2.)
const MeansCallable = 3

// AppliedTo is the N of an OpName or OpMember that names a type applied to n type arguments, where types
// of one name that differ in the number of their parameters are apart; Applied is that number.
func AppliedTo(n int) uint16 { return uint16(min(n, 0xff)) << 8 }

// Applied is the number of type arguments that the name in e is applied to, as far as that matters.
func (e *Expr) Applied() int {
	if e.Op != OpName && e.Op != OpMember {
		return 0
	}
	return int(e.N >> 8)
}

// MeansConst is the N of an OpUnion of one type of which values are meant that may not be changed.
const MeansConst = 2

// MeansTypes is the N of an OpIndex value that is applied to type arguments.
const MeansTypes = 0x100

// MeansField is the N of an OpMember whose X names a type or a variant, of which a value's field is
// meant; the value, where it is known, is in Kids.
const MeansField = 4

// MeansDefinition is the N of an OpMember that is written where nothing of its file has defined it before: it
// defines a member, unless a base has declared that.
const MeansDefinition = 5

// EnterIncluded is the N of an OpEnter among the bases of a module that those that include the module
// include, too; others extend them.
const EnterIncluded = 1

// Prepended is the N of an OpInstance among the bases of a type whose members go before its own.
const Prepended = 1

// HasReceiver is the N of an OpFunc type whose last kid is no parameter but what its functions are
// run on.
const HasReceiver = 1

// The N of an OpFunc value: its body yields nothing, is no call or other statement, it has whatever
// parameters are asked for, or what it yields, or that it yields nothing, or one of both, is to be awaited.
const (
	Resultless      = 2
	Stated          = 3
	AnyParams       = 4
	Later           = 5
	LaterResultless = 6
	LaterEither     = 7
)

// MeansNull is the N of an OpUnion of one type of which a value may be missing.
const MeansNull = 3

// The N of an OpBuilt: what macro X is handed is built under the condition; the file says that Name holds
// for the build of its folder.
const (
	SetsCondition = 1
	SaysOfBuild   = 2
)

// ConditionOfImport is the X of an OpBuilt that is about import i.
func ConditionOfImport(i int32) int32 { return -2 - i }

// MeansWider is the N of an OpUnion of operands whose sum or product is meant: text if one is, else as wide as
// the wider.
const MeansWider = 4

// LastArg stands for the argument that is the last parameter's, whatever stands before it.
const LastArg = 0xff

// ArgReceiver is the low byte of an OpArg's N that means what the passed function is run on.
const ArgReceiver = 0xff

// None marks an absent index.
const None int32 = -1

// Expr is one node of the expression arena. An expression with a Role is a reference: a
// mention of Name at [Off, Off+len(Name)) in the file's bytes.
type Expr struct {
	Op   Op
	Role Role
	N    uint16 // OpTupleAt: the part; OpElem: 1 for keys
	Name uint32 // index into Strings
	Off  uint32 // byte offset of the name, or of the expression
	X    int32  // operand, see Op
	Kids uint32 // index into Lists, see List
	In   int32  // innermost enclosing symbol, None at file level
}

// Symbol is a definition.
//
// The Init of a callable whose arguments are labelled is an OpLiteral of the labels, each with a
// colon behind it; a call's Name is that of its arguments.
//
// Offsets are bytes in the file. Qual is the dotted path of the names that own it, in
// its namespace: `Outer.Inner` for a member of Inner, the receiver's type for a Go method;
// empty at top level. Type is the declared type (for a callable: of the result), Init the
// initializer, Params a list of Locals, Results of inferred results, Bases of type
// expressions, all None or 0 where absent.
type Symbol struct {
	Name       uint32
	Qual       uint32
	NameOff    uint32
	Start, End uint32
	Body       uint32 // start of the body, 0 without one
	DocStart   uint32
	DocEnd     uint32
	Container  int32 // innermost enclosing symbol of this file, None at top level
	Type       int32
	Init       int32
	Params     uint32
	TypeParams uint32
	Bases      uint32
	Returns    uint32
	Flags      Flags
	Kind       Kind
	Ordinal    uint16 // 1 for the first definition of this path of names in the file
	Owner      int32  // the expression that names the owner where it is not lexical (receiver, Foo::), or None
}

// Local is a name bound inside a function: parameter, variable, type parameter, or a
// definition nested in a body (then Symbol is set). Type and Init are expressions or None.
type Local struct {
	Name   uint32
	Off    uint32
	Type   int32
	Init   int32
	Symbol int32
	In     int32
	Flags  LocalFlags
}

// LocalFlags are properties of locals.
type LocalFlags uint32

// The flags of locals.
const (
	Param LocalFlags = 1 << iota
	OptionalParam
	VariadicParam
	TypeParam
	KeywordParam
	Narrowed // the same variable again where a test has narrowed its type
	SelfParam
	InnerParam // a parameter of a function type or an anonymous function
	Guessed    // its Init is what some calls pass; others may pass something else
	Called     // a parameter of a macro that calls what it stands for
	Pasted     // a parameter of a macro that makes what stands for it a part of a name or text
)

// Imported is one name that a file brings in, or, with Star, all names of a module.
//
// Local is the name as the file sees it (empty when only loaded), Module the module as
// written, Name the member of it that is meant (empty for the module itself). Off and
// NameOff place the alias and the member's name; they are 0 where there is no such token.
type Imported struct {
	Local     uint32
	Module    uint32
	Name      uint32
	Off       uint32 // of Local
	ModuleOff uint32
	NameOff   uint32
	Flags     ImportFlags
	In        int32
}

// ImportFlags are properties of imports.
type ImportFlags uint32

// The flags of imports.
const (
	Star          ImportFlags = 1 << iota // all names of the module
	ReExport                              // the name is also exported from here
	TypeOnly                              // types only
	DefaultOf                             // the module's default export
	StaticOf                              // members of a type
	Include                               // textual inclusion
	SystemPath                            // <...>: not searched beside the file
	Assigned                              // require(...): a module's exports as a value
	ExportOnly                            // exported under Local from here but not visible as a name inside
	Callables                             // the name of a function
	Values                                // the name of a constant or variable
	EveryFile                             // holds for all files of the workspace
	UnbuiltImport                         // left out of the usual build
	Inner                                 // stands in the file's package, whose names it may begin with
	Seldom                                // under a condition that seldom holds
)

// Facts are what one file says by itself. All indexes are into the file's own slices.
type Facts struct {
	Language string
	Package  string // declared package or namespace
	Strings  []string
	Symbols  []Symbol
	Locals   []Local
	Exprs    []Expr
	Lists    []int32 // each list is its length followed by its items; list 0 is empty
	Imports  []Imported
	Errors   []ErrorSpan
	Variant  uint8 // 0: built everywhere or on the usual system; more: only on others
}

// ErrorSpan is a part of a file that could not be understood.
type ErrorSpan struct {
	Start, End uint32
	Reason     string
}

// Bytes is how much memory the facts take, text that strings share not counted.
func (f *Facts) Bytes() int {
	n := int(unsafe.Sizeof(*f)) + sizeOf(f.Strings) + sizeOf(f.Symbols) + sizeOf(f.Locals) + sizeOf(f.Exprs) +
		sizeOf(f.Lists) + sizeOf(f.Imports) + sizeOf(f.Errors)
	for _, s := range f.Strings {
		n += len(s)
	}
	return n
}

func sizeOf[T any](s []T) int {
	var one T
	return cap(s) * int(unsafe.Sizeof(one))
}

// Str is string i.
func (f *Facts) Str(i uint32) string { return f.Strings[i] }

// List is the list at offset i.
func (f *Facts) List(i uint32) []int32 {
	if int(i) >= len(f.Lists) {
		return nil
	}
	n := uint32(f.Lists[i])
	return f.Lists[i+1 : i+1+n]
}

// Path is the dotted path of names that leads to symbol i in its namespace.
func (f *Facts) Path(i int32) string {
	s := &f.Symbols[i]
	if q := f.Strings[s.Qual]; q != "" {
		return q + "." + f.Strings[s.Name]
	}
	return f.Strings[s.Name]
}

// Enclosing is the innermost symbol whose extent holds offset off, or None. Symbols are in
// the order of their starts, parents before children.
func (f *Facts) Enclosing(off uint32) int32 {
	best := None
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if s.Start > off {
			break
		}
		if off < s.End && (best == None || s.End-s.Start <= f.Symbols[best].End-f.Symbols[best].Start) {
			best = int32(i)
		}
	}
	return best
}

// IDOf is the ID of symbol i of the file at path.
func (f *Facts) IDOf(path string, i int32) string {
	var b strings.Builder
	b.WriteString(path)
	b.WriteByte('#')
	b.WriteString(f.Path(i))
	if n := f.Symbols[i].Ordinal; n > 1 {
		b.WriteByte('~')
		b.WriteString(strconv.Itoa(int(n)))
	}
	return b.String()
}

// Scope is the dotted path of names under which the members of symbol i are kept. For a
// definition inside a function body that is not the first of its path, and for anonymous
// ones, the ordinal is part of it, so that unlike things do not share members.
func (f *Facts) Scope(i int32) string { return f.Part(i, f.Path(i)) }

// Part is p, which ends in the name of symbol i, as the name of the scope of its members.
func (f *Facts) Part(i int32, p string) string {
	s := &f.Symbols[i]
	if s.Ordinal > 1 && (s.Flags&(NestedDef|Anonymous) != 0 || s.Kind.Callable()) {
		p += "~" + strconv.Itoa(int(s.Ordinal))
	}
	return p
}
