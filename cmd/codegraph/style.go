//go:build unix

package main

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// style is what the screen of a person can show. The zero value shows text as it is, for
// programs.
type style struct {
	terminal bool
	colour   bool
	links    bool
	root     string // of the paths
}

// The colours, which are ripgrep's and git's.
const (
	pathColour  = "35"
	lineColour  = "32"
	matchColour = "1;31"
)

// style is that of standard output.
func (a *app) style(root string) style {
	p, ok := a.out.(*pager)
	passes := !ok || strings.HasPrefix(p.command, "less")
	return style{terminal: terminal(a.out), colour: a.colour(), links: terminal(a.out) && passes && linksShown(os.Getenv), root: root}
}

// linksShown reports whether a terminal is known to show hyperlinks (OSC 8) or at least to
// pass over them. FORCE_HYPERLINK says it for the others; 0 says no.
func linksShown(env func(string) string) bool {
	if force := env("FORCE_HYPERLINK"); force != "" {
		return force != "0"
	}
	term := env("TERM")
	switch {
	case term == "dumb", env("TMUX") != "", strings.HasPrefix(term, "screen"), strings.HasPrefix(term, "tmux"), env("CI") != "":
		return false
	case env("WT_SESSION") != "", env("KONSOLE_VERSION") != "", env("DOMTERM") != "", env("KITTY_WINDOW_ID") != "":
		return true
	case term == "xterm-kitty", term == "xterm-ghostty", strings.HasPrefix(term, "alacritty"), strings.HasPrefix(term, "foot"):
		return true
	}
	switch env("TERM_PROGRAM") {
	case "iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "zed":
		return true
	}
	version, err := strconv.Atoi(env("VTE_VERSION"))
	return err == nil && version >= 5000
}

// paint colours a text.
func (st style) paint(colour, text string) string {
	if !st.colour || text == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// link makes a text a link to a line of a file; 0 is no line.
func (st style) link(text, path string, line int) string {
	if !st.links {
		return text
	}
	target := url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(st.root, filepath.FromSlash(path)))}
	switch {
	case os.Getenv("TERM_PROGRAM") == "vscode":
		target = url.URL{Scheme: "vscode", Host: "file", Path: target.Path}
		if line > 0 {
			target.Path += ":" + strconv.Itoa(line)
		}
	case line > 0 && os.Getenv("KITTY_WINDOW_ID") != "":
		target.Fragment = strconv.Itoa(line)
	}
	if target.Scheme == "file" {
		target.Host, _ = os.Hostname() // a terminal opens no file of another machine
	}
	return "\x1b]8;;" + target.String() + "\x1b\\" + text + "\x1b]8;;\x1b\\"
}

// safe shows what a terminal would obey: control characters in caret notation, and what
// changes the direction of text or hides in it by its number. Sources and file names can be
// written to deceive who reads them on a screen.
func (st style) safe(text string) string {
	if !st.terminal || strings.IndexFunc(text, obeyed) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case !obeyed(r):
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f:
			b.WriteString("^" + string(r^0x40))
		default:
			fmt.Fprintf(&b, "<U+%04X>", r)
		}
	}
	return b.String()
}

func obeyed(r rune) bool {
	return r != '\t' && r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
}

var (
	gutter = regexp.MustCompile(`^\s*\d+[:\t-]`)
	word   = regexp.MustCompile(`[^\s()\[\]<>,;"'` + "`" + `]+`)
	atLine = regexp.MustCompile(`^(.+?):(\d+)(?:[-:]\d+)?:?$`)
)

// longLine is a line that no person reads for its paths.
const longLine = 500

// dress colours the text form of an answer and makes links of the paths in it: what exists
// below the root is one.
func (st style) dress(text string) string {
	if !st.terminal {
		return text
	}
	text = st.safe(text)
	if !st.colour && !st.links {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if len(line) > longLine {
			b.WriteString(line)
			continue
		}
		if n := len(gutter.FindString(line)); n > 0 {
			b.WriteString(st.paint(lineColour, line[:n]) + line[n:])
			continue
		}
		first := true
		b.WriteString(word.ReplaceAllStringFunc(line, func(found string) string {
			head := first
			first = false
			return st.place(found, head)
		}))
	}
	return b.String()
}

// place dresses a word that names a place: a path, or one with a line.
func (st style) place(word string, head bool) string {
	path, line := strings.TrimSuffix(word, ":"), 0
	if m := atLine.FindStringSubmatch(word); m != nil {
		path = m[1]
		line, _ = strconv.Atoi(m[2])
	}
	path, _, _ = strings.Cut(path, "#") // of a symbol's id
	if !strings.ContainsAny(path, "./") || filepath.IsAbs(path) || strings.Contains(path, "..") {
		return word
	}
	if _, err := os.Lstat(filepath.Join(st.root, filepath.FromSlash(path))); err != nil {
		return word
	}
	if head || line > 0 {
		return st.link(st.paint(pathColour, word), path, line)
	}
	return st.link(word, path, line)
}
