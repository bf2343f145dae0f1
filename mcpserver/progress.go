package mcpserver

import (
	"context"
	"encoding/json"
	"math"
	"time"
)

// callKey is the context's key for the call that it belongs to.
type callKey struct{}

// current is the call that a tool is running for.
type current struct {
	conn *conn
	call *call
}

// Progress tells the client how far a call is: done of total, and in words. A total of 0
// means unknown. It writes only if the client asked for progress, if done has grown, and
// ten times a second at most, or when done reaches total; so a tool may call it as often
// as it likes, from any goroutine. Outside a call of a server it does nothing.
func Progress(ctx context.Context, done, total float64, message string) {
	if at, ok := ctx.Value(callKey{}).(*current); ok && at.call.tick.token != nil {
		at.conn.notice(at.call, done, total, message)
	}
}

// CallID is the name of the call that ctx belongs to: the client's own, from
// _meta.toolCallId, else the session's and the request's id. It is "" outside a call of a
// server.
func CallID(ctx context.Context) string {
	id, _ := ctx.Value(callIDKey{}).(string)
	return id
}

// CallNamed reports whether the client itself named the call that ctx belongs to.
func CallNamed(ctx context.Context) bool {
	at, ok := ctx.Value(callKey{}).(*current)
	return ok && at.call.named
}

// CallAgain reports whether the call may have been made before, under the same CallID: its
// client lost the answer.
func CallAgain(ctx context.Context) bool {
	at, ok := ctx.Value(callKey{}).(*current)
	return ok && at.call.again
}

type callIDKey struct{}

// noticeProgress tells progress.
const noticeProgress = "notifications/progress"

// tickEvery is the least time between two notices of a call.
const tickEvery = 100 * time.Millisecond

// tick decides which progress is told.
type tick struct {
	token json.RawMessage // nil if the client wants none; never changes
	begun bool
	done  float64
	at    time.Time
}

// due says whether to tell it, and remembers it if so.
func (t *tick) due(done, total float64, now time.Time) bool {
	if math.IsNaN(done) || math.IsInf(done, 0) || t.begun && done <= t.done {
		return false
	}
	last := total > 0 && done >= total
	if t.begun && !last && now.Sub(t.at) < tickEvery {
		return false
	}
	t.begun, t.done, t.at = true, done, now
	return true
}

func (t *tick) line(done, total float64, message string) ([]byte, error) {
	params := object{{"progressToken", t.token}, {"progress", done}}
	if total > 0 && !math.IsInf(total, 0) {
		params = append(params, member{"total", total})
	}
	if message != "" {
		params = append(params, member{"message", message})
	}
	return encode(object{{"jsonrpc", "2.0"}, {"method", noticeProgress}, {"params", params}})
}

// progressToken is the token of a request that wants progress: a string or an integer.
func progressToken(meta map[string]json.RawMessage) json.RawMessage {
	token := meta["progressToken"]
	if _, ok := idKey(token); !ok {
		return nil
	}
	return token
}
