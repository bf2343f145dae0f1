package mcpserver

import "slices"

// outlet is where messages leave: a stream of lines has one, over HTTP each message of the
// client that wants answers has its own. conn.mu guards it.
type outlet struct {
	queue  []item
	wake   chan struct{} // holds one signal that there may be something to do
	calls  int           // in flight, to be answered here
	sealed bool          // no more calls will be added
	lost   bool          // nobody will read it any more
	mute   bool          // takes answers alone, no notices and no questions; never changes
}

func newOutlet() *outlet { return &outlet{wake: make(chan struct{}, 1)} }

func (o *outlet) signal() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// item is a place in the queue: a notice of a call or a call's answer, the answers of a
// batch, or a line of its own.
type item struct {
	call  *call
	batch *batch
	line  []byte // nil stands for the call's answer
	name  string // of a notice of which one waits at most; else ""
}

// push appends to an outlet's queue; mu is held. What nobody will read counts as handed.
func (c *conn) push(o *outlet, i item) {
	switch {
	case o.lost:
		c.line(i)
		return
	case len(o.queue) >= maxQueue:
		c.cancel(errUnread)
		return
	}
	o.queue = append(o.queue, i)
	o.signal()
}

// pushOnce appends a notice unless one of its name waits already; mu is held.
func (c *conn) pushOnce(o *outlet, i item) {
	if !slices.ContainsFunc(o.queue, func(other item) bool { return other.name == i.name }) {
		c.push(o, i)
	}
}

// next takes the next line from an outlet; it is nil if there is none yet. The outlet has
// ended when it is empty and nothing can come any more.
func (c *conn) next(o *outlet) (line []byte, ended bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(o.queue) > 0 {
		i := o.queue[0]
		o.queue[0] = item{}
		o.queue = o.queue[1:]
		if line := c.line(i); line != nil {
			return line, false
		}
	}
	return nil, (c.closed || o.sealed) && o.calls == 0
}

// line is what an item of the queue puts on the wire: nil if its calls were cancelled.
// An answered call is no longer in flight from then on.
func (c *conn) line(i item) []byte {
	switch {
	case i.batch != nil:
		var all []byte
		for _, k := range i.batch.calls {
			if answer := c.hand(k); answer != nil {
				all = append(append(all, ','), answer...)
			}
		}
		if all == nil {
			return nil
		}
		all[0] = '['
		return append(all, ']')
	case i.call == nil:
		return i.line
	case i.call.state == cancelled:
		return nil
	case i.line != nil:
		return i.line
	default:
		return c.hand(i.call)
	}
}

// hand gives a call's answer to the writer: nil if it was cancelled.
func (c *conn) hand(k *call) []byte {
	if k.state == answered && c.inflight[k.key] == k {
		c.leave(k)
	}
	return k.answer
}
