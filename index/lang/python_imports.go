package lang

import (
	"path"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// pyImport is `import a.b, c as d`. `import a.b` binds a and loads a.b; with an alias the
// alias means a.b.
func pyImport(b *Builder, n int32) bool {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch b.Kind(c) {
		case "dotted_name":
			imp := pyLoad(b, c, "")
			if i := strings.IndexByte(b.F.Strings[imp.Module], '.'); i > 0 {
				b.F.Imports = append(b.F.Imports, imp)
				first := &b.F.Imports[len(b.F.Imports)-1-strings.Count(b.F.Strings[imp.Module], ".")]
				first.Local = first.Module
				if b.AtFile() {
					first.Flags |= graph.ReExport
				}
				pyBindAt(b, int32(len(b.F.Imports)-1-strings.Count(b.F.Strings[imp.Module], ".")), b.First(c))
				continue
			}
			imp.Local = imp.Module
			pyBind(b, imp, b.First(c))
		case "aliased_import":
			imp := pyLoad(b, b.Field(c, "name"), "")
			alias := b.Field(c, "alias")
			if alias < 0 {
				continue
			}
			imp.Local, imp.Off = b.nodeStr(alias), b.Off(alias)
			pyBind(b, imp, alias)
		}
	}
	return true
}

// pyLoad adds an import for each package on the way to the module that the dotted name at n
// spells behind prefix, and returns the import of the module itself, not yet added.
func pyLoad(b *Builder, n int32, prefix string) graph.Imported {
	imp := graph.Imported{Module: b.Str(prefix), In: b.in}
	if n < 0 {
		return imp
	}
	mod := prefix
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if mod != prefix {
			b.F.Imports = append(b.F.Imports, imp)
			mod += "."
		}
		mod += b.Text(c)
		imp = graph.Imported{Module: b.Str(mod), ModuleOff: b.Off(c), In: b.in}
	}
	return imp
}

// pyImportFrom is `from m import a, b as c` or `from m import *`.
func pyImportFrom(b *Builder, n int32) bool {
	m := b.Field(n, "module_name")
	if m < 0 {
		return true
	}
	var imp graph.Imported
	if b.Is(m, "relative_import") {
		imp = pyLoad(b, b.Child(m, "dotted_name"), b.Text(b.Child(m, "import_prefix")))
	} else {
		imp = pyLoad(b, m, "")
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		one := imp
		switch {
		case b.Is(c, "wildcard_import"):
			one.Flags |= graph.Star
			pyBind(b, one, graph.None)
		case !b.InField(c, "name"):
		case b.Is(c, "aliased_import"):
			name, alias := b.Field(c, "name"), b.Field(c, "alias")
			if name < 0 || alias < 0 {
				continue
			}
			one.Name, one.NameOff = b.nodeStr(name), b.Off(name)
			one.Local, one.Off = b.nodeStr(alias), b.Off(alias)
			pyBind(b, one, alias)
		default:
			one.Name, one.NameOff, one.Local = b.nodeStr(c), b.Off(c), b.nodeStr(c)
			pyBind(b, one, c)
		}
	}
	return true
}

func pyFuture(b *Builder, n int32) bool { return true }

// pyBind adds an import. At file level its name is a member of the module; in a function it
// is a local, bound by node name.
func pyBind(b *Builder, imp graph.Imported, name int32) {
	if b.AtFile() {
		imp.Flags |= graph.ReExport
	}
	b.F.Imports = append(b.F.Imports, imp)
	pyBindAt(b, int32(len(b.F.Imports)-1), name)
}

func pyBindAt(b *Builder, k, name int32) {
	if name < 0 || !b.InFunction() {
		return
	}
	id := b.F.Imports[k].Local
	init := b.Expr(graph.Expr{Op: graph.OpImport, X: k, Off: b.Off(name)})
	if l := b.ownLocal(id); l >= 0 && !b.isOuter(id) {
		b.addInit(l, init)
	} else {
		b.Local(id, b.Off(name), graph.None, init, 0)
	}
}

// pyModules: a relative import counts folders up from the file's own; an absolute one is
// looked for in the folders from which the file may have been found itself. A folder without
// __init__.py counts where no file does.
func pyModules(q ModuleQuery) []Candidate {
	mod := strings.TrimLeft(q.Module, ".")
	parts := strings.ReplaceAll(mod, ".", "/")
	dir := path.Dir(q.From)
	if up := len(q.Module) - len(mod); up > 0 {
		for range up - 1 {
			if dir == "." {
				return nil
			}
			dir = path.Dir(dir)
		}
		return pyAt(q, path.Join(dir, parts))
	}
	top, _, _ := strings.Cut(mod, ".")
	roots := pyRoots(q, dir)
	if pyStandard[top] && len(roots) > 0 {
		roots = roots[:1]
	}
	var folder []Candidate
	for _, r := range roots {
		switch c := pyAt(q, path.Join(r, parts)); {
		case len(c) == 0:
		case c[0].Path != "":
			return c
		case folder == nil:
			folder = c
		}
	}
	return folder
}

// pySubModule: a package holds modules by their names.
func pySubModule(module, name string) string {
	if strings.HasSuffix(module, ".") {
		return module + name
	}
	return module + "." + name
}

// pyRoots are the folders that absolute imports of a file in dir may start from, likeliest
// first: its ancestors that are no packages, and src below the root.
func pyRoots(q ModuleQuery, dir string) []string {
	var roots []string
	for d := dir; ; d = path.Dir(d) {
		if !q.File(path.Join(d, "__init__.py")) {
			roots = append(roots, d)
		}
		if d == "." || d == "/" {
			break
		}
	}
	return append(roots, "src")
}

// pyAt is the module at path p without extension: a package, a file or a stub, or a folder
// that is a package without saying so.
func pyAt(q ModuleQuery, p string) []Candidate {
	for _, f := range []string{path.Join(p, "__init__.py"), p + ".py", path.Join(p, "__init__.pyi"), p + ".pyi"} {
		if q.File(f) {
			return []Candidate{{Path: f}}
		}
	}
	if q.Folder(p) {
		return []Candidate{{Folder: p}}
	}
	return nil
}

var pyStandard = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(pyStdlib) {
		m[w] = true
	}
	return m
}()

// pyStdlib are the modules of the standard library: a file far up the tree that is named like one is not it.
const pyStdlib = `__future__ abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii binhex bisect builtins bz2 cProfile
calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall concurrent configparser contextlib contextvars copy copyreg
crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp
fileinput fnmatch formatter fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http
idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math
mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev
pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data
pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd
smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau
symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit tkinter token tokenize tomllib trace
traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound
wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo`
