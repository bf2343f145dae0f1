package lang

// Yield is what calling a member of a collection yields, in terms of the collection.
type Yield uint8

// The yields. A collection's element is that of a sequence, the value of a map, or the last type
// argument of a type from outside.
const (
	NoYield         Yield = iota
	YieldSame             // the collection, or one of the same elements
	YieldElem             // an element
	YieldList             // a sequence of its elements
	YieldKeys             // a sequence of its keys
	YieldKey              // a key
	YieldPairs            // a sequence of key and element
	YieldMapped           // a sequence of what the passed function returns
	YieldFlat             // a sequence of the elements of what the passed function returns
	YieldResult           // what the passed function returns
	YieldMappedSame       // a type like the receiver's around what the passed function returns
	YieldFirst            // the first type argument of a type from outside; an element of a sequence
	YieldEntry            // an element, of a map a pair of key and element
	YieldIter             // an iterator over its elements
	YieldIterKeys         // an iterator over its keys
	YieldEach             // a sequence of its elements, of a map of pairs
	YieldFlatElem         // a sequence of the elements of its elements
	YieldMap              // a map of the pairs that are its elements
	YieldAll              // all of the arguments at once
	YieldListed           // a sequence of its elements, or of what the function passed as second argument makes of them
	YieldCounted          // a sequence of pairs of a number and an element
	YieldZipped           // a sequence of pairs of an element and one of the first argument
	YieldPointer          // a pointer to its elements, of a string to characters
	YieldJoined           // a sequence of the elements of all arguments
)

// Yields reports whether a well-known member of collections from outside the workspace has that name.
func Yields(l *Language, name string) bool {
	_, ok := l.Library[name]
	if !ok {
		_, ok = l.Callbacks[name]
	}
	return ok
}

// The shapes of values that linking asks for.
const (
	ShapeSequence = "seq"
	ShapeMap      = "map"
	ShapeTuple    = "tuple"
	ShapeHeld     = "held" // entering a value yields one of its first type argument
)

// ShapeOf is the shape of values of the well-known type of that name, or "".
func ShapeOf(l *Language, name string) string {
	if l == nil {
		return ""
	}
	return l.Shapes[name]
}

// Outcome is what is known of a function from outside the workspace: what a call yields, and what the
// function passed to it gets as its first parameter, or, where Alike, as any of them; where they Differ,
// Hands has two characters for each. A text is read like an operator before its operand:
//
//	0 1 ..   an argument without a name     [x]    a sequence of x
//	*x       an element of x                (x,y)  a tuple
//	!x       the result of calling x        {x:y}  a map
//	~x       what waiting for x yields      +x     any of x, for each argument # in turn
//	@x       what entering x yields         %x     a tuple of x, for each argument # in turn
//	&x       a value of type x              ?x|y   x where there is one argument, else y
//	^x       the type of x                  _      something unknown
//	$x       a map that is made of x                 <x     the first type argument, else x
//	=x       x, or what calling it yields where it is a function
type Outcome struct {
	Yields, Hands string
	Alike, Differ bool
}

// PassElem is the bit of a number in Passes that says that elements of the argument are handed over.
const PassElem = 0x80

// CallbackSelf is the bit of Callbacks that says that the parameter is the value itself whose member
// is called.
const CallbackSelf = 0x40

// CallbackFirst is the bit of Callbacks that says that elements are the first type argument.
const CallbackFirst = 0x80

// NoHome begins the path of a folder that is none of a language's Homes.
const NoHome = "!"
