package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Resource is a row of the table of resources: all that the server knows about a resource,
// or, where its URI ends in a variable ({path}), about all resources of that form.
type Resource struct {
	// URI is the resource's, or a template with one variable, which is its end.
	URI string
	// Name is the row's name for programs, Title the one that a person is shown.
	Name, Title string
	// Description tells a model what is to be read here.
	Description string
	// MIME is the type of the contents; empty where they differ.
	MIME string
	// Icon is a data: URI of an image; empty for none.
	Icon string
	// Priority says how much the contents matter to a client's work, from 0 to 1.
	Priority float64
	// Read returns the contents. value is the template's variable, "" without one. A
	// *readtools.Error of code not_found, outside_workspace or ambiguous says that there
	// is no such resource.
	Read func(ctx context.Context, value string) (Content, error)
	// List lists the resources of a template by their values, in an order that stays: at
	// most limit of those after a value. Nil means that they are not listed.
	List func(ctx context.Context, after string, limit int) ([]Instance, error)
	// Complete returns the values of the variable that begin with, or resemble, what was
	// typed, the likeliest first; nil means that it cannot.
	Complete func(ctx context.Context, typed string) (Completion, error)
	// Watch calls changed after each change of the contents and returns when ctx ends;
	// nil means that nobody can subscribe.
	Watch func(ctx context.Context, changed func())
}

// Content is what a resource contains: Text, or Blob where that is not nil.
type Content struct {
	MIME string // empty means the row's
	Text string
	Blob []byte
}

// Instance is a listed resource of a template.
type Instance struct {
	Value string // of the template's variable, and the resource's name
	MIME  string
	Size  int64 // bytes; negative if unknown
}

// Completion is a part of the values that fit, and how many there are; Total is 0 where
// that is not known, and More says then that there are others.
type Completion struct {
	Values []string
	Total  int
	More   bool
}

// cut parts a URI into its fixed beginning and the variable that ends it, "" for none.
func (r *Resource) cut() (fixed, variable string) {
	fixed, rest, ok := strings.Cut(r.URI, "{")
	if !ok {
		return r.URI, ""
	}
	return fixed, strings.TrimSuffix(rest, "}")
}

// uri is the URI of the resource with a value. What is reserved in a URI is escaped but for
// slashes, which make it readable and are understood either way.
func (r *Resource) uri(value string) string {
	fixed, _ := r.cut()
	parts := strings.Split(value, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return fixed + strings.Join(parts, "/")
}

// resources is the table of resources, in the order in which they are listed.
type resources []Resource

// find is the row of a URI and the value of its variable. Clients that expand a template by
// the book escape the value, others put it in as it is; both are understood, and what cannot
// be unescaped is taken as it is.
func (rs resources) find(uri string) (row *Resource, value string) {
	for i := range rs {
		fixed, variable := rs[i].cut()
		rest, ok := strings.CutPrefix(uri, fixed)
		switch {
		case !ok || (variable == "") != (rest == ""):
			continue
		case variable == "":
			return &rs[i], ""
		}
		if plain, err := url.PathUnescape(rest); err == nil {
			rest = plain
		}
		return &rs[i], rest
	}
	return nil, ""
}

// uris are the URIs and templates of the rows, to tell a client what there is.
func (rs resources) uris(which func(*Resource) bool) string {
	var out []string
	for i := range rs {
		if which(&rs[i]) {
			out = append(out, rs[i].URI)
		}
	}
	return strings.Join(out, ", ")
}

func anyRow(*Resource) bool { return true }

func (r *Resource) watched() bool { return r.Watch != nil }

// check finds the mistakes in the rows.
func (rs resources) check() error {
	var names, starts []string
	for i := range rs {
		r := &rs[i]
		fixed, variable := r.cut()
		u, err := url.Parse(fixed)
		switch {
		case err != nil || u.Scheme == "":
			return fmt.Errorf("resource %q: the URI is none", r.URI)
		case strings.Contains(r.URI, "{") && (variable == "" || strings.ContainsAny(variable, "{}")):
			return fmt.Errorf("resource %q: a template has one variable, at its end", r.URI)
		case r.Name == "" || slices.Contains(names, r.Name):
			return fmt.Errorf("resource %q: it needs a name of its own", r.URI)
		case slices.Contains(starts, fixed):
			return fmt.Errorf("resource %q: there are two of that URI", r.URI)
		case r.Read == nil:
			return fmt.Errorf("resource %q: there is no function to read it", r.URI)
		case r.Priority < 0 || r.Priority > 1:
			return fmt.Errorf("resource %q: the priority is not between 0 and 1", r.URI)
		case variable == "" && (r.List != nil || r.Complete != nil):
			return errors.New("resource " + r.URI + ": only a template is listed and completed by values")
		}
		names, starts = append(names, r.Name), append(starts, fixed)
	}
	return nil
}
