package mcpserver

import (
	"context"
	"encoding/json"
	"slices"
)

// mostCompleted is how many values the protocol allows in a completion.
const mostCompleted = 100

// complete answers completion/complete: a value of a template's variable.
func (rs resources) complete(ctx context.Context, m message) (Completion, *fault) {
	var p struct {
		Ref      struct{ Type, URI, Name string }
		Argument struct{ Name, Value string }
	}
	if err := remarshal(m.params, &p); err != nil {
		return Completion{}, &fault{Code: codeParams, Message: `completion/complete needs a "ref" and an "argument", objects`}
	}
	switch p.Ref.Type {
	case "ref/resource":
	case "ref/prompt":
		return Completion{}, &fault{Code: codeParams, Message: "there is no prompt " + clip(p.Ref.Name, 80) + "; complete the variable of a resource template"}
	default:
		return Completion{}, &fault{Code: codeParams, Message: `the type of "ref" must be ref/resource`}
	}
	at := slices.IndexFunc(rs, func(r Resource) bool { return r.URI == p.Ref.URI && r.Complete != nil })
	if at < 0 {
		return Completion{}, &fault{Code: codeParams, Message: "there is no template " + clip(p.Ref.URI, 200) + " to complete; there are " +
			rs.uris(func(r *Resource) bool { return r.Complete != nil })}
	}
	if _, variable := rs[at].cut(); p.Argument.Name != variable {
		return Completion{}, &fault{Code: codeParams, Message: "the variable of " + p.Ref.URI + " is " + variable + ", not " + clip(p.Argument.Name, 80)}
	}
	c, err := rs[at].Complete(ctx, p.Argument.Value)
	if err != nil {
		return Completion{}, faultOf(m, err)
	}
	if len(c.Values) > mostCompleted {
		c.Values, c.Total = c.Values[:mostCompleted], max(c.Total, len(c.Values))
	}
	c.More = c.More || c.Total > len(c.Values)
	return c, nil
}

// remarshal reads members into a struct.
func remarshal(from map[string]json.RawMessage, to any) error {
	raw, err := encode(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, to)
}
