package mcpserver

import (
	"context"
	"errors"

	"github.com/codegraph-dev/codegraph/readtools"
)

// Methods that concern resources.
const (
	methodResources   = "resources/list"
	methodTemplates   = "resources/templates/list"
	methodRead        = "resources/read"
	methodComplete    = "completion/complete"
	methodSubscribe   = "resources/subscribe"
	methodUnsubscribe = "resources/unsubscribe"
)

// codeNoResource is the code for a URI that names no resource, up to 2025-11-25; since then
// it is one of wrong parameters.
const codeNoResource = -32002

// found is what the rows say to a request, before the SDK gives it the shape of its revision.
type found struct {
	page       []listed
	next       string
	uri        string
	content    Content
	completion Completion
}

// ask has the rows answer a request that concerns resources.
func (rs resources) ask(ctx context.Context, m message) (out found, f *fault) {
	if len(rs) == 0 {
		return out, nil // the SDK says that there are none
	}
	var err error
	switch m.method {
	case methodResources:
		var cursor string
		if cursor, f = cursorOf(m); f == nil {
			out.page, out.next, err = rs.list(ctx, cursor)
		}
	case methodTemplates:
		f = noCursor(m.params, m.method)
	case methodRead:
		var row *Resource
		var value string
		if out.uri, row, value, f = rs.named(m); f == nil {
			out.content, err = row.Read(ctx, value)
			if out.content.MIME == "" {
				out.content.MIME = row.MIME
			}
		}
	case methodComplete:
		out.completion, f = rs.complete(ctx, m)
	}
	if f == nil && err != nil {
		f = faultOf(m, err)
	}
	return out, f
}

// named is the row that a request names by its parameter uri, and the value of its variable.
func (rs resources) named(m message) (uri string, row *Resource, value string, f *fault) {
	uri, ok := text(m.params, "uri")
	if !ok || uri == "" {
		return "", nil, "", &fault{Code: codeParams, Message: m.method + ` needs a "uri", a string`}
	}
	if row, value = rs.find(uri); row == nil {
		return "", nil, "", &fault{
			Code: missing(m), Message: "there is no resource " + clip(uri, 200) + "; there are " + rs.uris(anyRow),
			Data: object{{"uri", uri}},
		}
	}
	return uri, row, value, nil
}

// missing is the code for a resource that is not there.
func missing(m message) int {
	if revision, _ := text(m.meta, metaRevision); stateless(revision) {
		return codeParams
	}
	return codeNoResource
}

// faultOf is the error of the protocol for what a row said.
func faultOf(m message, err error) *fault {
	var f *fault
	if errors.As(err, &f) {
		return f
	}
	var told *readtools.Error
	if !errors.As(err, &told) {
		told = internal(m.method, err)
	}
	data := object{{"code", told.Code}}
	if uri, _ := text(m.params, "uri"); uri != "" {
		data = append(data, member{"uri", uri})
	}
	f = &fault{Code: codeInternal, Message: told.Error(), Data: data}
	switch told.Code {
	case "not_found", "outside_workspace", "ambiguous":
		f.Code = missing(m)
	case "usage", "precondition":
		f.Code = codeParams
	}
	return f
}

// Error implements error.
func (f *fault) Error() string { return f.Message }
