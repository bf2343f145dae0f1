package mcpserver

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// Info is what a server is besides its tools.
type Info struct {
	// Version is the program's version, told to clients.
	Version string
	// Instructions tell a model what the server is for: under 2,048 characters, key
	// words first. Empty means those of the eight tools.
	Instructions string
	// Icon is a data: URI of the server's image; empty for none.
	Icon string
	// Resources is the table of resources; nil means that there are none.
	Resources []Resource
	// Roots says that the roots of a client are the folders that its calls are about; see
	// Root.
	Roots bool
	// Ready, if not nil, is called when a client has ended the handshake and said its roots.
	// ctx ends with the connection's input.
	Ready func(ctx context.Context)
	// Private are requests that are no part of the protocol, for the program's own clients.
	Private map[string]Method
	// Session begins the ids of calls whose client names none; see CallID. Empty means
	// a random one for each connection.
	Session string
	// Log receives what is not protocol; nil means nothing does. It must not write to
	// the connection's output.
	Log *slog.Logger
	// MaxLine is the longest message in bytes; 0 means 16 MiB.
	MaxLine int
	// Parallel is how many calls of a connection run at a time; 0 means 16. More wait.
	Parallel int
}

// Method answers a request that is no part of the protocol with what has an encoding.
type Method func(ctx context.Context, params json.RawMessage) (any, error)

// Limits of a connection that no caller need set.
const (
	defaultMaxLine  = 16 << 20
	defaultParallel = 16
	maxText         = 2048 // characters of instructions and of a description
)

//go:embed instructions.md
var instructions string

// Server serves its tools and resources on any number of connections. It holds nothing that
// had to be opened, so it can be made before a workspace is known.
type Server struct {
	tools map[string]Tool
	rows  []Tool
	names []string
	info  Info
	sdk   *sdk
	key   [32]byte // seals states that clients hold

	mu    sync.Mutex     // guards what follows
	conns map[*conn]bool // that are served
}

var toolName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)

// New makes a server of its rows. An error is a mistake in a row: a name twice, a
// description that hosts would cut, a struct that has no schema.
func New(tools []Tool, info Info) (*Server, error) {
	if info.Instructions == "" {
		info.Instructions = strings.TrimSpace(instructions)
	}
	if info.Log == nil {
		info.Log = slog.New(slog.DiscardHandler)
	}
	if info.MaxLine <= 0 {
		info.MaxLine = defaultMaxLine
	}
	if info.Parallel <= 0 {
		info.Parallel = defaultParallel
	}
	if n := utf8.RuneCountInString(info.Instructions); n >= maxText {
		return nil, fmt.Errorf("make server: the instructions have %d characters, %d are too many", n, maxText)
	}
	s := &Server{tools: make(map[string]Tool, len(tools)), rows: tools, info: info, conns: map[*conn]bool{}}
	for _, t := range tools {
		if err := check(t); err != nil {
			return nil, fmt.Errorf("make server: tool %q: %w", t.Name, err)
		}
		if _, ok := s.tools[t.Name]; ok {
			return nil, fmt.Errorf("make server: tool %q: there are two of that name", t.Name)
		}
		s.tools[t.Name] = t
	}
	s.names = sortedKeys(s.tools)
	if err := resources(info.Resources).check(); err != nil {
		return nil, fmt.Errorf("make server: %w", err)
	}
	if _, err := rand.Read(s.key[:]); err != nil {
		return nil, fmt.Errorf("make server: %w", err)
	}
	k, err := newSDK(tools, info, nil)
	if err != nil {
		return nil, fmt.Errorf("make server: %w", err)
	}
	s.sdk = k
	return s, nil
}

func check(t Tool) error {
	switch n := utf8.RuneCountInString(t.Description); {
	case !toolName.MatchString(t.Name):
		return errors.New("a name has 1 to 128 letters, digits, underscores, dashes or dots")
	case n == 0:
		return errors.New("the description is empty")
	case n >= maxText:
		return fmt.Errorf("the description has %d characters, %d are too many", n, maxText)
	case t.Call == nil:
		return errors.New("there is no function to call")
	}
	return nil
}
