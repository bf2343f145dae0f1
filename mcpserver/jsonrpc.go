package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// Codes of JSON-RPC, and of MCP from 2026-07-28 on.
const (
	codeParse       = -32700
	codeRequest     = -32600
	codeMethod      = -32601
	codeParams      = -32602
	codeInternal    = -32603
	codeHeaders     = -32020
	codeCapability  = -32021
	codeUnsupported = -32022
)

// fault is an error of the protocol, in contrast to the failure of a tool.
type fault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// kind tells the three sorts of messages apart.
type kind int

const (
	isRequest kind = iota
	isNotice
	isReply
)

// message is what a client sent, taken apart. Names are matched exactly, and every value
// keeps its own text, so large ids and tokens come back as they were.
type message struct {
	kind   kind
	id     json.RawMessage // null in a refused message whose id is unusable
	key    string          // the id, equal for equal ids
	method string
	params map[string]json.RawMessage
	meta   map[string]json.RawMessage // params._meta
}

// parse takes a message apart. With a fault the message has at least its id.
func parse(line []byte) (message, *fault) {
	m := message{id: json.RawMessage("null")}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(line, &given); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return m, &fault{Code: codeParse, Message: "not JSON: " + err.Error()}
		}
		return m, &fault{Code: codeRequest, Message: "not a JSON-RPC message: an object is wanted"}
	}
	id, hasID := given["id"]
	key, ok := idKey(id)
	if ok {
		m.id, m.key = id, key
	}
	if string(given["jsonrpc"]) != `"2.0"` {
		return m, &fault{Code: codeRequest, Message: `not a JSON-RPC message: "jsonrpc" must be "2.0"`}
	}
	_, hasResult := given["result"]
	_, hasError := given["error"]
	if _, hasMethod := given["method"]; !hasMethod && (hasResult || hasError) {
		m.kind = isReply
		return m, nil
	}
	if json.Unmarshal(given["method"], &m.method) != nil || m.method == "" {
		return m, &fault{Code: codeRequest, Message: `not a request: "method" must be a string`}
	}
	if !hasID {
		m.kind = isNotice
	} else if !ok {
		return m, &fault{Code: codeRequest, Message: `"id" must be a string or an integer`}
	}
	return m, m.parseParams(given["params"])
}

func (m *message) parseParams(raw json.RawMessage) *fault {
	if absent(raw) {
		return nil
	}
	if json.Unmarshal(raw, &m.params) != nil {
		return &fault{Code: codeParams, Message: `"params" must be an object`}
	}
	if meta := m.params["_meta"]; !absent(meta) && json.Unmarshal(meta, &m.meta) != nil {
		return &fault{Code: codeParams, Message: `"_meta" must be an object`}
	}
	return nil
}

// idKey is equal for equal ids and different for 1 and "1". It fails for what is no id.
func idKey(raw json.RawMessage) (string, bool) {
	if len(raw) == 0 {
		return "", false
	}
	if raw[0] == '"' {
		var s string
		err := json.Unmarshal(raw, &s)
		return "string " + s, err == nil
	}
	text := string(raw)
	if strings.Trim(text, "-0123456789") != "" {
		f, err := strconv.ParseFloat(text, 64)
		if err != nil || f != float64(int64(f)) {
			return "", false
		}
		text = strconv.FormatInt(int64(f), 10)
	}
	return "integer " + text, true
}

// text is a member as a string. It fails where it is there and is none.
func text(from map[string]json.RawMessage, name string) (string, bool) {
	raw, ok := from[name]
	if !ok {
		return "", true
	}
	var s string
	return s, len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &s) == nil
}

// refusal encodes an error response, without an id if there is none.
func refusal(id json.RawMessage, f *fault) []byte {
	response := object{{"jsonrpc", "2.0"}, {"id", id}, {"error", f}}
	if id == nil {
		response = object{{"jsonrpc", "2.0"}, {"error", f}}
	}
	line, err := encode(response)
	if err != nil {
		return []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"the error has no encoding"}}`)
	}
	return line
}

// encode writes JSON on one line, with <, > and & as themselves.
func encode(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// unescapeHTML writes <, > and & as themselves where the SDK's own encoders wrote six
// characters for each; source code has many of them. It works in place.
func unescapeHTML(b []byte) []byte {
	out := b[:0]
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' || i+1 >= len(b) {
			out = append(out, b[i])
			continue
		}
		if c := escapedHTML(b[i:]); c != 0 {
			out = append(out, c)
			i += 5
			continue
		}
		out = append(out, b[i], b[i+1])
		i++
	}
	return out
}

func escapedHTML(b []byte) byte {
	if len(b) < 6 {
		return 0
	}
	switch string(b[:6]) {
	case `\u003c`:
		return '<'
	case `\u003e`:
		return '>'
	case `\u0026`:
		return '&'
	}
	return 0
}
