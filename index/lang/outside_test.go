package lang

import "testing"

// The library's types are known by full and by bare names; one that is nested does not hide another.
func TestOutside(t *testing.T) {
	for _, c := range []struct {
		name, base string
		steps      int
		known      bool
	}{
		{"StringWriter", "Writer", 1, true},
		{"java.io.StringWriter", "java.lang.Appendable", 2, true},
		{"Writer", "StringWriter", -1, true},
		{"java.sql.Date", "java.util.Date", 1, true},
		{"java.awt.List", "java.util.List", 0, false},
		{"java.lang.reflect.ParameterizedType", "Type", 1, true},
		{"Entry", "Map.Entry", 0, true},
		{"Mine", "Writer", 0, false},
	} {
		if steps, known := javaOutside.Distance(c.name, c.base); steps != c.steps || known != c.known {
			t.Errorf("Distance(%q, %q) is %d, %v, want %d, %v", c.name, c.base, steps, known, c.steps, c.known)
		}
	}
	for _, c := range []struct {
		name, method, result string
		whole                bool
	}{
		{"java.util.Date", "getTime", "long", true},
		{"StringWriter", "getBuffer", "StringBuffer", true},
		{"File", "listFiles", "File[]", true},
		{"LinkedList", "stream", "Stream", false},
		{"List", "get", "", false},
		{"Mine", "getTime", "", false},
	} {
		if r, whole := javaOutside.Result(c.name, c.method); r != c.result || whole != c.whole {
			t.Errorf("Result(%q, %q) is %q, %v, want %q, %v", c.name, c.method, r, whole, c.result, c.whole)
		}
	}
}
