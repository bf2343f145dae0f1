package trigram

import "runtime/debug"

// guard runs f and turns a fault on mapped memory, which is what a file that
// was cut short under us gives, into ErrCorrupt.
func guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		if fault, ok := r.(interface{ Addr() uintptr }); ok {
			err = corrupt("a mapped file could not be read at %#x", fault.Addr())
			return
		}
		panic(r)
	}()
	return f()
}
