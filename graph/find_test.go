package graph_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/codegraph-dev/codegraph/graph"
)

var findFiles = map[string]string{
	"src/net/http/request.go": `package http
class Request exported
  method Write exported
  method write
  class Client
    method Do
func NewRequest exported
func init
func init
`,
	"src/net/http/client.go": `package http
class Client exported
  method Do exported
func Do
`,
	"src/net/http/client_test.go": `package http
func NewRequest exported
`,
	"a/decl.h": `func parse declaration
func parse
`,
	"lib/shapes.py": `class Circle exported
  method area
  method operator/
`,
	"lib/deep/__init__.py": `func helper
`,
	"com/acme/Tool.java": `package com.acme
class Tool exported
  method run exported
`,
	"app/User.php": `package App\Models
class User
  method find
`,
	"js/w.js": `class W
  method #secret
`,
}

func TestFind(t *testing.T) {
	y, s := openToy(t, findFiles)
	const req, client = "src/net/http/request.go#", "src/net/http/client.go#"
	for _, c := range []struct{ text, want string }{
		// Names, owners, packages, folders, files.
		{"Request", req + "Request"},
		{"Request.Write", req + "Request.Write"},
		{"Client.Do", client + "Client.Do " + req + "Request.Client.Do"},
		{"Request.Client.Do", req + "Request.Client.Do"},
		{"Do", client + "Client.Do " + client + "Do " + req + "Request.Client.Do"},
		{"http.Do", client + "Do"},
		{"net/http.NewRequest", req + "NewRequest src/net/http/client_test.go#NewRequest"},
		{"net/http.Client.Do", client + "Client.Do"},
		{"client.Do", client + "Do"},
		{"example.org/net/http.NewRequest", ""},
		{"std/net/http.NewRequest", req + "NewRequest src/net/http/client_test.go#NewRequest"},
		{"lib.shapes.Circle.area", "lib/shapes.py#Circle.area"},
		{"shapes.Circle", "lib/shapes.py#Circle"},
		{"lib.deep.helper", "lib/deep/__init__.py#helper"},
		{"com.acme.Tool.run", "com/acme/Tool.java#Tool.run"},
		{"acme.Tool", "com/acme/Tool.java#Tool"},
		{"other.Tool", ""},
		{`App\Models\User::find`, "app/User.php#User.find"},
		{"User#find", "app/User.php#User.find"},
		{"(*Request).Write", req + "Request.Write"},
		{"Circle<T>.area(int, int)", "lib/shapes.py#Circle.area"},
		{"Circle::operator/", "lib/shapes.py#Circle.operator/"},
		{"W.#secret", "js/w.js#W.#secret"},
		// Case: exact alone, else folded, never something else.
		{"Request.write", req + "Request.write"},
		{"request.WRITE", req + "Request.Write " + req + "Request.write"},
		{"newrequest", req + "NewRequest src/net/http/client_test.go#NewRequest"},
		{"NewReques", ""},
		// Definitions come before declarations.
		{"parse", "a/decl.h#parse~2 a/decl.h#parse"},
		// IDs and paths.
		{req + "Request.Write", req + "Request.Write"},
		{req + "init", req + "init"},
		{req + "init~2", req + "init~2"},
		{req + "init~3", ""},
		{"js/w.js#W.#secret", "js/w.js#W.#secret"},
		{"request.go#Write", req + "Request.Write"},
		{"http/request.go#Client.Do", req + "Request.Client.Do"},
		{"quest.go#Write", ""},
		{"./lib/shapes.py#area", "lib/shapes.py#Circle.area"},
		{"LIB/Shapes.py#AREA", "lib/shapes.py#Circle.area"},
		{client + "NoSuch", ""},
		// Lines.
		{"src/net/http/request.go:2", req + "Request"},
		{"src/net/http/request.go:6", req + "Request.Client.Do"},
		{"request.go:3:10", req + "Request.Write"},
		{"request.go:3:1", req + "Request"},
		{"src/net/http/request.go:1", ""},
		{"src/net/http/request.go:99", ""},
		{"nowhere.go:3", ""},
	} {
		t.Run(c.text, func(t *testing.T) {
			view(t, s, func(r graph.Reader) error {
				found, err := graph.Find(context.Background(), r, c.text, graph.FindOptions{Source: y.source, Modules: map[string]string{"std": "src", "example.org/net": "src/net/http"}})
				var ids []string
				for _, f := range found {
					ids = append(ids, f.ID)
				}
				if got := strings.Join(ids, " "); got != c.want {
					t.Errorf("\n got %s\nwant %s", got, c.want)
				}
				return err
			})
		})
	}
}

func TestFindMarksFolded(t *testing.T) {
	_, s := openToy(t, findFiles)
	view(t, s, func(r graph.Reader) error {
		for text, want := range map[string]bool{"Circle": false, "circle": true, "lib/shapes.py#circle": true} {
			found, err := graph.Find(context.Background(), r, text, graph.FindOptions{})
			if err != nil || len(found) != 1 || found[0].Fold != want {
				t.Errorf("%s: fold is not %v: %v %v", text, want, found, err)
			}
		}
		return nil
	})
}

func TestFindErrors(t *testing.T) {
	_, s := openToy(t, findFiles)
	view(t, s, func(r graph.Reader) error {
		if _, err := graph.Find(context.Background(), r, " ", graph.FindOptions{}); err == nil {
			t.Error("no error for an empty selector")
		}
		if _, err := graph.Find(context.Background(), r, "a/decl.h:1", graph.FindOptions{}); !errors.Is(err, graph.ErrNoSource) {
			t.Errorf("a line without a source: %v", err)
		}
		return nil
	})
}

// TestFindQuestions: names cost the store three questions, paths two.
func TestFindQuestions(t *testing.T) {
	_, s := openToy(t, findFiles)
	for text, want := range map[string]string{"Client.Do": "map[Facts:1 Files:1 Named:1]", "client.go#Do": "map[Facts:1 Files:1]"} {
		view(t, s, func(r graph.Reader) error {
			_, err := graph.Find(context.Background(), r, text, graph.FindOptions{})
			return err
		})
		if got := fmt.Sprint(s.Calls()); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"a.b", "a#b~2", "x:1:2", "::", "(*a).b<c>", "->", `\`, "#", "a/b.c:0"} {
		f.Add(s)
	}
	y, s := openToy(f, findFiles)
	f.Fuzz(func(t *testing.T, text string) {
		view(t, s, func(r graph.Reader) error {
			_, err := graph.Find(context.Background(), r, text, graph.FindOptions{Source: y.source})
			if err != nil && strings.TrimSpace(text) != "" {
				t.Error(err)
			}
			return nil
		})
	})
}
