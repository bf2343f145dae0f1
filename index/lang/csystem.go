package lang

import (
	_ "embed"
	"strings"
)

// What a usual Unix system defines cannot be read from a workspace, but its names are known: those that
// the headers of C and POSIX reserve. A file that defines one of them under `#ifndef` does so for systems
// that lack it.

//go:embed library/csystem.txt
var cSystemText string

// cSystemNames are macros of the system's headers.
var cSystemNames = cWordsOf(cSystemText)

//go:embed library/clibrary.txt
var cLibraryText string

// cLibrary are functions of the system's library.
var cLibrary = cWordsOf(cLibraryText)

//go:embed library/ctypes.txt
var cTypeText string

// cSystemTypes are types and tags of the system's headers.
var cSystemTypes = cWordsOf(cTypeText)

// cWordsOf are the words of a text whose lines that begin with # are comments.
func cWordsOf(text string) map[string]bool {
	words := map[string]bool{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for w := range strings.FieldsSeq(line) {
			words[w] = true
		}
	}
	return words
}

// cSystemName reports whether a usual system's headers define a macro of that name.
func cSystemName(name string) bool {
	return cSystemNames[name] || strings.HasPrefix(name, "__NR_") || strings.HasPrefix(name, "PRI") && len(name) > 3 && strings.IndexByte("diuxX", name[3]) >= 0
}

// cHeaders are the headers that come with a compiler and its system.
var cHeaders = cSet("assert.h", "complex.h", "ctype.h", "errno.h", "fenv.h", "float.h", "inttypes.h", "iso646.h", "limits.h", "locale.h", "math.h", "setjmp.h", "signal.h", "stdalign.h",
	"stdarg.h", "stdatomic.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "stdnoreturn.h", "string.h", "tgmath.h", "threads.h", "time.h", "uchar.h", "wchar.h", "wctype.h",
	"aio.h", "dirent.h", "dlfcn.h", "fcntl.h", "fnmatch.h", "ftw.h", "glob.h", "grp.h", "iconv.h", "langinfo.h", "libgen.h", "mqueue.h", "netdb.h", "nl_types.h", "poll.h", "pthread.h",
	"pwd.h", "regex.h", "sched.h", "search.h", "semaphore.h", "spawn.h", "strings.h", "syslog.h", "termios.h", "ulimit.h", "unistd.h", "utime.h", "utmpx.h", "wordexp.h", "alloca.h",
	"byteswap.h", "endian.h", "err.h", "execinfo.h", "getopt.h", "ifaddrs.h", "malloc.h", "memory.h", "paths.h", "pty.h", "resolv.h", "shadow.h", "sysexits.h", "ucontext.h", "values.h",
	"windows.h", "winsock2.h", "ws2tcpip.h", "io.h", "process.h", "direct.h", "conio.h", "intrin.h")

// cSystemHeader reports whether an include of that path means the system's header, unless the tree has one
// in a place that is searched.
func cSystemHeader(p string) bool {
	if dir, _, ok := strings.Cut(p, "/"); ok {
		switch dir {
		case "sys", "arpa", "netinet", "net", "linux", "asm", "mach":
			return true
		}
	}
	return cHeaders[p]
}

// cOthers are words in the paths of files that are built for other systems and processors only.
var cOthers = cSet("aix", "amiga", "android", "arm", "arm64", "aarch64", "bsd", "bsdos", "cygwin", "darwin", "djgpp", "dos", "dragonfly", "freebsd", "haiku", "hpux", "i386", "ia64", "ibmi", "ios",
	"irix", "kqueue", "loongarch", "macos", "mac", "mingw", "mips", "msdos", "msvc", "netbsd", "netware", "openbsd", "os2", "os390", "os400", "osx", "ppc", "powerpc", "qnx", "riscv", "s390",
	"s390x", "solaris", "sparc", "sunos", "symbian", "vms", "vxworks", "wasm", "wince", "windows", "win", "win32", "win64", "winrt", "xbox", "zos")

// cVariant ranks files and folders that are named after other systems behind those for any, or for the usual one.
func cVariant(p string) uint8 {
	dirs := strings.Split(strings.ToLower(p), "/")
	for i, part := range dirs {
		if i == len(dirs)-1 {
			part, _, _ = strings.Cut(part, ".")
			for word := range strings.FieldsFuncSeq(part, func(r rune) bool { return r == '-' || r == '_' }) {
				if cOthers[word] {
					return 1
				}
			}
		} else if cOthers[part] {
			return 1
		}
	}
	return 0
}
