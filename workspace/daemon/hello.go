package daemon

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"golang.org/x/mod/semver"
)

// Protocol is the number of the greeting. Members may be added to it under one number; a new
// number is for what an older daemon would take for something else.
const Protocol = 1

// Self is a program, as the two ends of a connection show themselves to each other.
type Self struct {
	Protocol int `json:"protocol"`
	// Version is the program's version, semantic or not.
	Version string `json:"version"`
	// Built is when the program's file was made.
	Built time.Time `json:"built"`
	PID   int       `json:"pid"`
	// Scene stands for all in a program's surroundings that its answers depend on besides
	// root and state. A daemon in another scene is not the client's.
	Scene string `json:"scene,omitempty"`
}

// newer reports whether s is a newer program than t.
func (s Self) newer(t Self) bool {
	if s.Protocol != t.Protocol {
		return s.Protocol > t.Protocol
	}
	if semver.IsValid(s.Version) && semver.IsValid(t.Version) {
		if c := semver.Compare(s.Version, t.Version); c != 0 {
			return c > 0
		}
	}
	return s.Built.After(t.Built)
}

// Verb is what a client wants of a daemon.
type Verb string

// The verbs; see the package's doc.
const (
	Serve  Verb = "serve"
	Status Verb = "status"
	Stop   Verb = "stop"
	Yield  Verb = "yield"
)

// Hello is the first line of a client.
type Hello struct {
	Self
	Verb Verb `json:"verb"`
	// Folder is the root's folder as the file system knows it.
	Folder string `json:"folder"`
	// Session names the client, whatever connections it has one after the other.
	Session string `json:"session,omitempty"`
	// Host says that the client is a program which may ask its user itself.
	Host bool `json:"host,omitempty"`
	// By says how the client's user answers questions.
	By string `json:"by,omitempty"`
}

// Greeting is the first line of a daemon.
type Greeting struct {
	Self
	Root    string    `json:"root"`
	Started time.Time `json:"started"`
	// Refused is why the daemon does not do what the client wants; empty if it does.
	Refused string `json:"refused,omitempty"`
}

// Reasons to refuse a client. Who is refused tries again: the daemon is about to end.
const (
	refusedLeaving = "leaving"
	refusedFolder  = "another folder"
)

// Leaving is the line by which a daemon tells that it takes no more, in the form of a notice
// of JSON-RPC. A client sends nothing more, and closes when it has what it asked for.
const Leaving = `{"jsonrpc":"2.0","method":"notifications/codegraph/leaving"}`

// LeavingMethod is the method in Leaving.
const LeavingMethod = "notifications/codegraph/leaving"

// Bounds of a greeting: how long it may take and how many bytes it may have.
const (
	greetFor = 5 * time.Second
	maxGreet = 64 << 10
)

var errGreeting = errors.New("the other end does not greet as a daemon does")

// send writes a line of JSON.
func send(c net.Conn, v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = c.Write(append(line, '\n'))
	return err
}

// receive reads a line of JSON.
func receive(r *bufio.Reader, v any) error {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if err == nil {
			break
		}
		if !errors.Is(err, bufio.ErrBufferFull) || len(line) > maxGreet {
			if errors.Is(err, io.EOF) && len(line) > 0 || errors.Is(err, bufio.ErrBufferFull) {
				return errGreeting
			}
			return err
		}
	}
	if err := json.Unmarshal(line, v); err != nil {
		return fmt.Errorf("%w: %w", errGreeting, err)
	}
	return nil
}
