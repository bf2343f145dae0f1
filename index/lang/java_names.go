package lang

import "strings"

// javaBuiltins are the primitive types and the types of java.lang, which every file sees.
var javaBuiltins = func() map[string]string {
	m := map[string]string{"length": "int"}
	for _, w := range strings.Fields(`int long short byte char float double boolean void var
Object String CharSequence StringBuilder StringBuffer Number Integer Long Short Byte Character Float Double Boolean Void Math StrictMath System
Class ClassLoader ClassValue Enum Record Iterable Comparable Runnable Cloneable AutoCloseable Appendable Readable Module ModuleLayer Package Process
ProcessBuilder ProcessHandle Runtime RuntimePermission SecurityManager StackTraceElement StackWalker Thread ThreadGroup ThreadLocal InheritableThreadLocal
Throwable Exception RuntimeException Error AbstractMethodError ArithmeticException ArrayIndexOutOfBoundsException ArrayStoreException AssertionError
BootstrapMethodError ClassCastException ClassCircularityError ClassFormatError ClassNotFoundException CloneNotSupportedException EnumConstantNotPresentException
ExceptionInInitializerError IllegalAccessError IllegalAccessException IllegalArgumentException IllegalCallerException IllegalMonitorStateException
IllegalStateException IllegalThreadStateException IncompatibleClassChangeError IndexOutOfBoundsException InstantiationError InstantiationException InternalError
InterruptedException LayerInstantiationException LinkageError MatchException NegativeArraySizeException NoClassDefFoundError NoSuchFieldError NoSuchFieldException
NoSuchMethodError NoSuchMethodException NullPointerException NumberFormatException OutOfMemoryError ReflectiveOperationException SecurityException
StackOverflowError StringIndexOutOfBoundsException ThreadDeath TypeNotPresentException UnknownError UnsatisfiedLinkError UnsupportedClassVersionError
UnsupportedOperationException VerifyError VirtualMachineError WrongThreadException Deprecated FunctionalInterface Override SafeVarargs SuppressWarnings`) {
		m[w] = ""
	}
	return m
}()

// javaWidens: what a value is taken for in a call: wider primitives first, then its box and what that is.
var javaWidens = map[string][]string{
	"byte":          {"short", "int", "long", "float", "double", "Byte", "Number", "Comparable", "Object"},
	"short":         {"int", "long", "float", "double", "Short", "Number", "Comparable", "Object"},
	"char":          {"int", "long", "float", "double", "Character", "Comparable", "Object"},
	"int":           {"long", "float", "double", "Integer", "Number", "Comparable", "Object"},
	"long":          {"float", "double", "Long", "Number", "Comparable", "Object"},
	"float":         {"double", "Float", "Number", "Comparable", "Object"},
	"double":        {"Double", "Number", "Comparable", "Object"},
	"boolean":       {"Boolean", "Comparable", "Object"},
	"Byte":          {"Number", "Comparable", "Object", "byte", "int"},
	"Short":         {"Number", "Comparable", "Object", "short", "int"},
	"Character":     {"Comparable", "Object", "char", "int"},
	"Integer":       {"Number", "Comparable", "Object", "int", "long", "float", "double"},
	"Long":          {"Number", "Comparable", "Object", "long", "float", "double"},
	"Float":         {"Number", "Comparable", "Object", "float", "double"},
	"Double":        {"Number", "Comparable", "Object", "double"},
	"Boolean":       {"Comparable", "Object", "boolean"},
	"String":        {"CharSequence", "Comparable", "Object"},
	"StringBuilder": {"CharSequence", "Appendable", "Comparable", "Object"},
	"StringBuffer":  {"CharSequence", "Appendable", "Comparable", "Object"},
	"Class":         {"Object"},
	"Number":        {"Object"},
	"CharSequence":  {"Object"},
}

// javaResults: methods of the standard library whose results their names tell.
var javaResults = func() map[string]string {
	m := map[string]string{}
	for how, names := range map[string]string{
		"String": `toString substring trim strip toLowerCase toUpperCase concat replace replaceAll replaceFirst intern repeat valueOf format join getName
			getSimpleName getMessage getLocalizedMessage readLine nextLine getPath getAbsolutePath group toHexString stripTrailing stripLeading name`,
		"int":      "length size indexOf lastIndexOf hashCode compareTo compare intValue floatToIntBits floatToRawIntBits ordinal parseInt read codePointAt start groupCount nextIndex previousIndex",
		"char":     "charAt charValue",
		"boolean":  "equals isEmpty contains containsKey containsValue hasNext hasPrevious startsWith endsWith equalsIgnoreCase matches find isPresent booleanValue hasMoreTokens",
		"long":     "longValue currentTimeMillis nanoTime parseLong lastModified doubleToLongBits doubleToRawLongBits",
		"double":   "doubleValue parseDouble",
		"Class":    "getClass getComponentType getSuperclass getDeclaringClass",
		"Object":   "invoke",
		"char[]":   "toCharArray",
		"byte[]":   "getBytes toByteArray",
		"String[]": "split",
	} {
		for _, n := range strings.Fields(names) {
			m[n] = how
		}
	}
	return m
}()

// javaLibrary: methods of the standard library's collections, streams and optional values.
var javaLibrary = func() map[string]Yield {
	m := map[string]Yield{}
	for y, names := range map[Yield]string{
		YieldElem: `get next previous getFirst getLast removeFirst removeLast poll pollFirst pollLast peek peekFirst peekLast pop remove element take
			orElse orElseThrow orElseGet getValue put putIfAbsent computeIfAbsent getOrDefault set first last`,
		YieldSame:       "clone iterator listIterator descendingIterator stream parallelStream filter sorted distinct limit skip subList findFirst findAny toList reversed",
		YieldList:       "values",
		YieldKeys:       "keySet",
		YieldKey:        "getKey firstKey lastKey",
		YieldPairs:      "entrySet",
		YieldMappedSame: "map",
		YieldFlat:       "flatMap",
	} {
		for _, n := range strings.Fields(names) {
			m[n] = y
		}
	}
	return m
}()

// javaFinals are types of java.lang from which none derives.
var javaFinals = strings.Fields("String StringBuilder StringBuffer Integer Long Short Byte Character Float Double Boolean Class Void Math System")
