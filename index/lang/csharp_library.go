package lang

import _ "embed"

//go:embed library/csharp.txt
var csLibraryText string

// csOutside are the public types of the framework that programs use, as version 4.7.2 has them.
var csOutside = &Outside{text: csLibraryText, also: csSynonyms}

// csSynonyms are the library's names of the predeclared types.
var csSynonyms = map[string]string{
	"Object": "object", "String": "string", "Boolean": "bool", "Char": "char", "SByte": "sbyte", "Byte": "byte", "Int16": "short", "UInt16": "ushort",
	"Int32": "int", "UInt32": "uint", "Int64": "long", "UInt64": "ulong", "Single": "float", "Double": "double", "Decimal": "decimal",
}

// csWidens are the implicit conversions between numbers, the nearest first.
var csWidens = map[string][]string{
	"sbyte":  {"short", "int", "long", "float", "double", "decimal"},
	"byte":   {"short", "ushort", "int", "uint", "long", "ulong", "float", "double", "decimal"},
	"short":  {"int", "long", "float", "double", "decimal"},
	"ushort": {"int", "uint", "long", "ulong", "float", "double", "decimal"},
	"char":   {"ushort", "int", "uint", "long", "ulong", "float", "double", "decimal"},
	"int":    {"long", "float", "double", "decimal"},
	"uint":   {"long", "ulong", "float", "double", "decimal"},
	"long":   {"float", "double", "decimal"},
	"ulong":  {"float", "double", "decimal"},
	"float":  {"double"},
}

// csUnboxed are the predeclared types whose values are no objects.
var csUnboxed = map[string]bool{
	"bool": true, "char": true, "sbyte": true, "byte": true, "short": true, "ushort": true, "int": true, "uint": true, "long": true, "ulong": true,
	"float": true, "double": true, "decimal": true, "nint": true, "nuint": true,
}

// csBuiltins are names that no definition explains, with what calling them yields; and the predeclared types.
var csBuiltins = map[string]string{
	"nameof": "string", "value": "", "object": "", "string": "", "bool": "", "char": "", "sbyte": "", "byte": "", "short": "", "ushort": "", "int": "", "uint": "",
	"long": "", "ulong": "", "float": "", "double": "", "decimal": "",
}

// csResults are the results of methods that all values have.
var csResults = map[string]string{"ToString": "string", "GetHashCode": "int", "Equals": "bool", "GetType": "Type"}
