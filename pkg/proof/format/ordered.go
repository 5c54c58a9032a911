package format

import (
	"bytes"
	"fmt"
	"iter"

	"github.com/gagliardetto/solana-go"
)

// Ordered reads a stream with one element of lookahead, and checks that the owners ascend.
type Ordered[T any] struct {
	pull  func() (T, error, bool)
	Stop  func()
	owner func(T) solana.PublicKey

	Ahead   *T // the lookahead
	ended   bool
	failed  error
	last    solana.PublicKey
	started bool
}

// Ascending reads a stream whose owners must ascend.
func Ascending[T any](stream iter.Seq2[T, error], owner func(T) solana.PublicKey) *Ordered[T] {
	o := &Ordered[T]{owner: owner}
	o.pull, o.Stop = iter.Pull2(stream)
	return o
}

// Peek returns the next element without consuming it.
func (o *Ordered[T]) Peek() (next T, more bool, err error) {
	if o.Ahead == nil && !o.ended && o.failed == nil {
		v, err, more := o.pull()
		at := o.owner(v)
		switch {
		case !more:
			o.ended = true
		case err != nil:
			o.failed = err
		case o.started && bytes.Compare(o.last[:], at[:]) >= 0:
			o.failed = fmt.Errorf("%s is out of order", at)
		default:
			o.Ahead, o.last, o.started = &v, at, true
		}
	}
	if o.Ahead == nil {
		return next, false, o.failed
	}
	return *o.Ahead, true, nil
}

// Take consumes the next element.
func (o *Ordered[T]) Take() (T, bool, error) {
	next, more, err := o.Peek()
	o.Ahead = nil
	return next, more, err
}
