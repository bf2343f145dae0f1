package agents

import (
	"strings"
	"testing"
)

var formats = map[string]format{"json": jsonc{}, "toml": tomlText{}, "yaml": yamlText{}, "md": block{}}

// TestPut puts an entry into texts as people write them; cut takes it out again.
func TestPut(t *testing.T) {
	entry := Entry{{"command", "/bin/cg"}, {"args", []string{"mcp"}}}
	for _, c := range []struct {
		why, format, path, src, want string
		cut                          string // what is left after cut; "=" means src
	}{
		{"nothing there", "json", "s.cg", "", "{\n  \"s\": {\n    \"cg\": {\n      \"command\": \"/bin/cg\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n", "{}\n"},
		{"an empty object", "json", "s.cg", "{}", "{\n  \"s\": {\n    \"cg\": {\n      \"command\": \"/bin/cg\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}", "{}"},
		{"comments and unknown keys stay", "json", "s.cg", "// top\n{\n\t\"s\": {\n\t\t// mine\n\t\t\"a\": 1 // one\n\t\t// last\n\t},\n\t\"z\": [1,2] /* z */\n}\n",
			"// top\n{\n\t\"s\": {\n\t\t// mine\n\t\t\"a\": 1, // one\n\t\t// last\n\t\t\"cg\": {\n\t\t\t\"command\": \"/bin/cg\",\n\t\t\t\"args\": [\"mcp\"]\n\t\t}\n\t},\n\t\"z\": [1,2] /* z */\n}\n", "="},
		{"a trailing comma", "json", "s.cg", "{\n  \"s\": {\n    \"a\": 1,\n  },\n}\n", "{\n  \"s\": {\n    \"a\": 1,\n    \"cg\": {\n      \"command\": \"/bin/cg\",\n      \"args\": [\"mcp\"]\n    },\n  },\n}\n", "="},
		{"one line", "json", "s.cg", `{"a":1}`, `{"a":1, "s": {"cg": {"command": "/bin/cg", "args": ["mcp"]}}}`, "="},
		{"ours is old: only its command changes", "json", "s.cg", "{\n  \"s\": {\n    \"cg\": {\"command\": \"old\", \"args\": [\"mcp\"], \"mine\": true /* keep */}\n  }\n}\n",
			"{\n  \"s\": {\n    \"cg\": {\"command\": \"/bin/cg\", \"args\": [\"mcp\"], \"mine\": true /* keep */}\n  }\n}\n", "{}\n"},
		{"ends of lines stay", "json", "s.cg", "{\r\n  \"s\": {\r\n  }\r\n}\r\n", "{\r\n  \"s\": {\r\n    \"cg\": {\r\n      \"command\": \"/bin/cg\",\r\n      \"args\": [\"mcp\"]\r\n    }\r\n  }\r\n}\r\n", "{}\r\n"},
		{"a byte order mark stays", "json", "s.cg", "\xef\xbb\xbf{\"a\":1}", "\xef\xbb\xbf{\"a\":1, \"s\": {\"cg\": {\"command\": \"/bin/cg\", \"args\": [\"mcp\"]}}}", "="},

		{"nothing there", "toml", "s.cg", "", "[s.cg]\ncommand = \"/bin/cg\"\nargs = [\"mcp\"]\n", ""},
		{"tables stay", "toml", "s.cg", "a = 1 # one\n\n[s.x]\nb = '''\n[s.cg]\n'''\n# end", "a = 1 # one\n\n[s.x]\nb = '''\n[s.cg]\n'''\n# end\n\n[s.cg]\ncommand = \"/bin/cg\"\nargs = [\"mcp\"]\n", "a = 1 # one\n\n[s.x]\nb = '''\n[s.cg]\n'''\n# end\n"},
		{"ours is old", "toml", "s.cg", "[s.cg]\n# mine\ncommand = \"old\"\nmine = true\n\n# next\n[z]\n", "[s.cg]\nargs = [\"mcp\"]\n# mine\ncommand = \"/bin/cg\"\nmine = true\n\n# next\n[z]\n", "\n# next\n[z]\n"},

		{"nothing there", "yaml", "s.cg", "", "s:\n  cg:\n    command: /bin/cg\n    args: [mcp]\n", ""},
		{"only a comment", "yaml", "s.cg", "# mine", "# mine\ns:\n  cg:\n    command: /bin/cg\n    args: [mcp]\n", "# mine\n"},
		{"comments stay", "yaml", "s.cg", "a: 1 # one\ns: # servers\n    x:\n        b: |\n          text\n\n          # no comment\n        # deep\n\n# next\nz: [1, 2]\n",
			"a: 1 # one\ns: # servers\n    x:\n        b: |\n          text\n\n          # no comment\n        # deep\n    cg:\n      command: /bin/cg\n      args: [mcp]\n\n# next\nz: [1, 2]\n", "="},
		{"empty braces", "yaml", "s.cg", "s: {} # none yet\nz: 1\n", "s:  # none yet\n  cg:\n    command: /bin/cg\n    args: [mcp]\nz: 1\n", "z: 1\n"},
		{"a null", "yaml", "s.cg", "s:\nz: 1\n", "s:\n  cg:\n    command: /bin/cg\n    args: [mcp]\nz: 1\n", "z: 1\n"},
		{"flow", "yaml", "s.cg", "s: {x: {b: 1}}\n", "s: {cg: {command: /bin/cg, args: [mcp]}, x: {b: 1}}\n", "="},
		{"a list of names", "yaml", "s.cg", "s:\n- name: x\n  b: 1\nz: 1\n", "s:\n- name: x\n  b: 1\n- name: cg\n  command: /bin/cg\n  args: [mcp]\nz: 1\n", "="},
		{"ours is old", "yaml", "s.cg", "s:\n  cg:\n    command: \"old\" # mine\n    mine: true\n  x: 1\n", "s:\n  cg:\n    command: /bin/cg # mine\n    mine: true\n    args: [mcp]\n  x: 1\n", "s:\n  x: 1\n"},
	} {
		f, path := formats[c.format], strings.Split(c.path, ".")
		out, err := put(f, []byte(c.src), path, entry)
		if err != nil || string(out) != c.want {
			t.Errorf("%s, %s: %v\ngot  %q\nwant %q", c.format, c.why, err, out, c.want)
			continue
		}
		if again, err := put(f, out, path, entry); err != nil || string(again) != string(out) {
			t.Errorf("%s, %s: a second time: %v %q", c.format, c.why, err, again)
		}
		if c.cut == "=" {
			c.cut = c.src
		}
		back, err := cut(f, out, path, 0)
		if err != nil || string(back) != c.cut {
			t.Errorf("%s, %s: cut: %v\ngot  %q\nwant %q", c.format, c.why, err, back, c.cut)
		}
	}
}

// TestPutText sets texts: a scalar of YAML and the marked block.
func TestPutText(t *testing.T) {
	for _, c := range []struct{ format, path, src, value, want string }{
		{"yaml", "edits", "", "host", "edits: host\n"},
		{"yaml", "edits", "a: 1\nedits: 'ask' # mine\n", "off", "a: 1\nedits: off # mine\n"},
		{"md", "block", "# Mine", "x\n", "# Mine\n\n" + blockStart + "\nx\n" + blockEnd + "\n"},
		{"md", "block", "a\n" + blockStart + "\nold\n" + blockEnd + "\nb\n", "x\n", "a\n" + blockStart + "\nx\n" + blockEnd + "\nb\n"},
	} {
		out, err := put(formats[c.format], []byte(c.src), []string{c.path}, c.value)
		if err != nil || string(out) != c.want {
			t.Errorf("%q: %v %q, want %q", c.src, err, out, c.want)
		}
	}
}

// TestMalformed refuses what cannot be parsed, with its line.
func TestMalformed(t *testing.T) {
	entry := Entry{{"command", "cg"}}
	for _, c := range []struct {
		format, src, want string
		line              int
	}{
		{"json", "{\n  \"a\": 1\n  \"b\": 2\n}\n", "", 3},
		{"json", "[]", "no object", 1},
		{"json", "{\n\"s\": 1}", "no object", 2},
		{"json", "{\n\"s\": {},\n\"s\": {}}", "twice", 3},
		{"toml", "a = 1\nb =\n", "", 2},
		{"toml", "a = 1\ns = { cg = { command = 'x' } }\n", "inline", 2},
		{"toml", "[[s]]\na = 1\n", "", 1},
		{"yaml", "a: 1\n b: 2\n", "", 2},
		{"yaml", "a: 1\n---\nb: 2\n", "more than one document", 2},
		{"yaml", "- a\n", "no mapping", 1},
		{"yaml", "x: &x {a: 1}\ns: *x\n", "alias", 2},
		{"yaml", "a: 1\ns: text\n", "no mapping", 2},
		{"md", "a\n" + blockStart + "\n", "missing", 2},
	} {
		_, err := put(formats[c.format], []byte(c.src), []string{"s", "cg"}, entry)
		p, ok := err.(*Problem)
		if !ok || p.Line != c.line || !strings.Contains(p.Reason, c.want) {
			t.Errorf("%s %q: %v, want line %d: %s", c.format, c.src, err, c.line, c.want)
		}
	}
}

// FuzzPut puts an entry into any text: it is refused, or all else means what it meant.
func FuzzPut(f *testing.F) {
	for _, s := range []string{"", "{\"a\": 1, // x\n}", "a: {b: [1, 2]}\n", "s:\n- name: x\n", "[s]\na = 1\n", "s: |\n  x\n# y\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		for name, g := range formats {
			var v any = Entry{{"command", "c\"g"}, {"args", []string{"mcp", "é"}}}
			if name == "md" {
				v = "x\n"
			}
			path := []string{"s", "cg"}
			if name == "md" {
				path = []string{"block"}
			}
			out, err := put(g, []byte(src), path, v)
			if err != nil {
				continue
			}
			if again, err := put(g, out, path, v); err != nil || name != "md" && string(again) != string(out) {
				t.Fatalf("%s: not the same a second time: %q, %q, %v", name, out, again, err)
			}
			_, _ = cut(g, out, path, 0)
		}
	})
}
