package proof

import (
	"bytes"
	"fmt"
	"iter"
	"math/bits"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/allocation"
)

// ordered reads a stream one by one, and sees that its owners ascend.
type ordered[T any] struct {
	pull  func() (T, error, bool)
	stop  func()
	owner func(T) solana.PublicKey

	ahead   *T // read and not taken
	ended   bool
	failed  error
	last    solana.PublicKey
	started bool
}

func ascending[T any](stream iter.Seq2[T, error], owner func(T) solana.PublicKey) *ordered[T] {
	o := &ordered[T]{owner: owner}
	o.pull, o.stop = iter.Pull2(stream)
	return o
}

// peek gives the next without taking it.
func (o *ordered[T]) peek() (next T, more bool, err error) {
	if o.ahead == nil && !o.ended && o.failed == nil {
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
			o.ahead, o.last, o.started = &v, at, true
		}
	}
	if o.ahead == nil {
		return next, false, o.failed
	}
	return *o.ahead, true, nil
}

func (o *ordered[T]) take() (T, bool, error) {
	next, more, err := o.peek()
	o.ahead = nil
	return next, more, err
}

// outsiders are those who are left out.
type outsiders struct {
	*ordered[LeftOut]

	balance sum
	// belowMinimum is the largest balance that is said to be below the minimum.
	belowMinimum uint64
}

// leftOut reads those who are left out by the terms of the leg that is shared out.
func leftOut(stream iter.Seq2[LeftOut, error], shareTerms allocation.Terms) *outsiders {
	o := &outsiders{}
	counted := func(yield func(LeftOut, error) bool) {
		for l, err := range stream {
			var carry uint64
			o.balance.low, carry = bits.Add64(o.balance.low, l.Balance, 0)
			o.balance.high += carry
			if l.Why == BelowMinimum {
				o.belowMinimum = max(o.belowMinimum, l.Balance)
			}
			if err == nil && l.Why == OffCurve && l.Owner.IsOnCurve() {
				err = fmt.Errorf("%s is left out as off the curve, and is on it", l.Owner)
			}
			if err == nil && l.Why == NotHeld && (!l.Held || !shareTerms.Counts(l.Balance) || shareTerms.Counts(shareTerms.Weight(l.Balance, l.Before))) {
				err = fmt.Errorf("%s is left out because they did not hold it before, and that is not so", l.Owner)
			}
			if !yield(l, err) {
				return
			}
		}
	}
	o.ordered = ascending(counted, func(l LeftOut) solana.PublicKey { return l.Owner })
	return o
}

// disjoint fails when the owner of a row with a balance is left out too.
func (o *outsiders) disjoint(row allocation.Row) error {
	if o == nil {
		return nil
	}
	for {
		next, more, err := o.peek()
		if err != nil {
			return fmt.Errorf("those who are left out: %w", err)
		}
		if !more {
			return nil
		}
		switch c := bytes.Compare(next.Owner[:], row.Owner[:]); {
		case c > 0:
			return nil
		case c == 0 && row.Balance > 0:
			return fmt.Errorf("%s shares and is left out", row.Owner)
		}
		o.ahead = nil
	}
}

// end reads what is left, and holds all of it against what the manifest says.
func (o *outsiders) end(m Manifest) error {
	for {
		_, more, err := o.take()
		if err != nil {
			return fmt.Errorf("those who are left out: %w", err)
		}
		if !more {
			break
		}
	}
	if o.belowMinimum >= max(1, uint64(m.Settings.MinimumHolding)) {
		return fmt.Errorf("an owner with %d is left out, and the minimum is %d", o.belowMinimum, m.Settings.MinimumHolding)
	}
	if want := (sum{low: uint64(m.Snapshot.LeftOut.Balance)}); o.balance != want {
		return fmt.Errorf("those who are left out have %d together, not %d", o.balance.low, want.low)
	}
	return nil
}
