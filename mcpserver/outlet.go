package mcpserver

import "slices"

// outlet is where messages leave: a stream of lines has one, over HTTP each message of the
// client that wants answers has its own. conn.mu guards it.
type outlet struct {
	queue  []item
	wake   chan struct{} // holds one signal that there may be something to do
	calls  int           // in flight, to be answered here
	asked  bool          // a call was added
	sealed bool          // no more calls will be added
	lost   bool          // nobody will read it any more
	mute   bool          // takes answers alone, no notices and no questions; never changes
	spare  bool          // may be without a reader: old lines give way to new ones; never changes
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
	case o.spare && len(o.queue) >= maxNotices:
		o.queue = o.queue[1:]
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

// fate is what is to be expected of an outlet that has one message to answer.
type fate int

const (
	pending fate = iota // something will come
	nothing             // nothing has come and nothing will, since nothing was asked
	ended               // nothing more will come
	final               // the answer is there, and is the last to come
	moving              // something else has come, the answer will follow
)

// fate looks at an outlet, and takes out of it what will never be written.
func (c *conn) fate(o *outlet) fate {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(o.queue) > 0 && o.queue[0].call != nil && o.queue[0].call.state == cancelled {
		o.queue = o.queue[1:]
	}
	switch {
	case len(o.queue) > 0 && o.queue[0].line != nil && o.queue[0].call != nil:
		return moving
	case len(o.queue) > 0:
		return final
	case o.calls > 0 || !o.sealed && !c.closed:
		return pending
	case o.asked:
		return ended
	}
	return nothing
}

// finish says that no more calls will be added to an outlet.
func (c *conn) finish(o *outlet) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o.sealed = true
	o.signal()
}

// lose says that nobody will read an outlet any more. Its calls go on for their effects, or
// are cancelled.
func (c *conn) lose(o *outlet, cancel bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o.lost = true
	for _, i := range o.queue {
		c.line(i)
	}
	o.queue = nil
	if !cancel {
		return
	}
	for _, k := range c.inflight {
		if k.out == o {
			c.drop(k, errCancelled)
		}
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
