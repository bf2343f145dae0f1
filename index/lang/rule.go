package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
)

// Do is what a node means: the fixed vocabulary in which all grammars are described.
type Do uint8

// The vocabulary. The comment names the slots of a Rule that the word uses.
const (
	Pass          Do = iota // nothing of its own: its children mean what they mean
	Skip                    // nothing, and nothing below
	Comment                 // a comment; the run before a definition is its doc
	Block                   // a scope of its own for variables
	Define                  // a callable or type: Kind, Name, TypeParams, Params, Result, Bases, Body, Value
	Declare                 // variables, fields, constants: Name or Left, Type, Value; Kind where members differ
	Assign                  // assignment, which in some languages declares: Left, Right, Type
	Parameter               // a parameter: Name, Type, Value
	Iterate                 // a loop over elements: Left, Right; the rest as children
	Bind                    // a name bound to a value in a pattern or test: Name, Type, Value
	Wrap                    // decorators or modifiers around a definition: Body
	Return                  // leaves the function with a value
	If                      // a test that may narrow: Cond, Body, Else
	ImportDecl              // brings in names: a Hook
	Ident                   // a name used as a value
	TypeIdent               // a name used as a type
	Member                  // Of . Name
	CallExpr                // Of ( Args )
	NewExpr                 // construction of Type with Args
	IndexExpr               // Of [ Args ]; in a type position the application of a generic
	SliceExpr               // part of sequence Of
	CastExpr                // Value as Type
	CondExpr                // one of several values: all children but Cond
	UnaryExpr               // Op on Of
	BinaryExpr              // operands Left, Right: of the type Lit, else of Left's type
	LiteralExpr             // a literal of the type Lit
	SeqExpr                 // a sequence of its children
	MapExpr                 // a map or object literal
	TupleExpr               // a tuple of its children
	ParenExpr               // its only child
	LambdaExpr              // an anonymous function: Params, Result, Body
	SelfExpr                // this
	SuperExpr               // super
	PointerType             // pointer or reference to Type
	ArrayType               // sequence of Type
	MapType                 // map from Left to Right
	ChanType                // channel of Type
	FuncType                // function type: Params, Result
	UnionType               // any of its children
	GenericType             // Type applied to Args
	StructType              // an anonymous type with members: Body or children
	Pair                    // key and value: Left, Right
	Labeled                 // the first child is a label: no reference
	InstanceOf              // test that Left is a Right
	Comprehension           // a scope whose clauses bind before its value
)

// Rule says what a node kind means. The slots name the grammar's fields; a name that begins
// with a dot is the kind of a child instead, and alternatives are parted by `|`.
type Rule struct {
	Do         Do
	Kind       graph.Kind
	Member     graph.Kind // the kind inside a type, where it differs
	Flags      graph.Flags
	Op         graph.Op
	Lit        string
	Name       string
	Type       string
	Value      string
	TypeParams string
	Params     string
	Result     string
	Bases      string
	Body       string
	Of         string
	Args       string
	Left       string
	Right      string
	Cond       string
	Else       string
	// Hook takes over the node; it returns false to let the rest of the rule act.
	Hook func(b *Builder, n int32) bool
	// Eval takes over the node in a value position: it returns the expression.
	Eval func(b *Builder, n int32, role graph.Role, want bool) int32
	// EvalType takes over the node in a type position.
	EvalType func(b *Builder, n int32, role graph.Role) int32
}

// TypeOp is how a type follows from another.
type TypeOp uint8

// What a type may be of another.
const (
	OpResult     TypeOp = iota + 1 // what calling a value of it yields
	OpInstance                     // a value of the class that it is the type of
	OpParameters                   // the parameters of a function, as a tuple
	OpAwaited                      // what waiting for a value of it yields
)
