package payout

import (
	"time"

	"github.com/gagliardetto/solana-go"
)

// Landing is a transaction that is finalized.
type Landing struct {
	Signature solana.Signature
	Slot      uint64
	// Failed says why it failed; empty when it succeeded.
	Failed string
}

// Reading is what one node says of an intent's lane and attempts.
type Reading struct {
	// Silent: the node did not answer, does not have the lane, or has not come as far
	// as the lane was read before. The rest means nothing then.
	Silent bool
	// Slot is the finalized slot at which the lane had Value.
	Slot  uint64
	Value solana.Hash
	// Landed are finalized transactions, attempts of the intent among them; it is read
	// only where the lane has moved on.
	Landed []Landing
}

// Verdict is what to do about an intent that may land.
type Verdict string

// The verdicts.
const (
	Wait   Verdict = "wait"
	Resend Verdict = "resend"
	Raise  Verdict = "raise"   // sign again with a higher fee, on the same value
	Cancel Verdict = "cancel"  // sign what only spends the value
	Settle Verdict = "settle"  // an attempt landed and moved the money
	Fail   Verdict = "fail"    // an attempt landed that failed, or that cancels
	GiveUp Verdict = "give up" // nobody can say what landed
)

// Pace says when what is tried.
type Pace struct {
	// Sight is how long after it was sent a transaction is looked for. It is sent again
	// when it is not seen.
	Sight time.Duration
	// Land is how long after it was signed a transaction cannot be final: until then its
	// lane is not read. Slot is how long the network takes for each of the slots that are
	// left until it is.
	Land, Slot time.Duration
	// Look lies between two looks at an intent that may land, at most.
	Look time.Duration
	// Raise is how long a fee is tried before a higher one; Cancel is how long an
	// intent is tried at all.
	Raise, Cancel time.Duration
	// Patience is how long the nodes may be at odds, or know nothing, about a lane
	// that moved on.
	Patience time.Duration
}

// DefaultPace is for networks that finalize within some 13 seconds: 32 slots of 400 ms,
// and the one that a transaction lands in.
func DefaultPace() Pace {
	return Pace{
		Sight: 2 * time.Second, Land: 13 * time.Second, Slot: 400 * time.Millisecond, Look: 5 * time.Second,
		Raise: time.Minute, Cancel: 6 * time.Minute, Patience: 10 * time.Minute,
	}
}

// Fees are what attempts offer for a compute unit, in micro-lamports: Start, then
// twice as much each time, up to Most.
type Fees struct{ Start, Most uint64 }

// opinion is what one node's reading means.
type opinion struct {
	silent, moved bool
	landing       *Landing // nil: it cannot say
}

// opinionOf reads a node's answer. A lane that has its value still has decided
// nothing, whatever the node says of a transaction. One that has moved on was moved
// by the one attempt that landed without an error; when there is none, by one that
// failed, for a failed transaction spends its value, too.
func opinionOf(i Intent, r Reading) opinion {
	if r.Silent {
		return opinion{silent: true}
	}
	if r.Value == i.Value {
		return opinion{}
	}
	var good, bad []Landing
	for _, attempt := range i.Attempts {
		for _, l := range r.Landed {
			switch {
			case l.Signature != attempt.Signature:
				continue
			case l.Failed == "":
				good = append(good, l)
			default:
				bad = append(bad, l)
			}
			break
		}
	}
	o := opinion{moved: true}
	switch {
	case len(good) == 1:
		o.landing = &good[0]
	case len(good) == 0 && len(bad) == 1:
		o.landing = &bad[0]
	}
	return o
}

// Judge says what to do about an intent that may land, from what every node says.
// It needs no memory but the intent's facts. Nothing ends unless all nodes agree
// on it; nothing is given up unless all have answered, the lane has moved on for
// one of them, and that lasted.
func Judge(i Intent, readings []Reading, now time.Time, pace Pace, fees Fees) (Verdict, Landing) {
	var silent, still, moved, unclear int
	var landing *Landing
	for _, r := range readings {
		switch o := opinionOf(i, r); {
		case o.silent:
			silent++
		case !o.moved:
			still++
		case o.landing == nil, landing != nil && *landing != *o.landing:
			moved++
			unclear++
		default:
			moved++
			landing = o.landing
		}
	}
	switch {
	case moved == 0 && still == 0:
		return Wait, Landing{}
	case moved == 0:
		return i.press(now, pace, fees), Landing{}
	case still == 0 && silent == 0 && unclear == 0:
		if landing.Failed != "" || i.cancels(landing.Signature) {
			return Fail, *landing
		}
		return Settle, *landing
	case silent == 0 && !i.MovedAt.IsZero() && now.Sub(i.MovedAt) >= pace.Patience:
		return GiveUp, Landing{}
	}
	return Wait, Landing{}
}

// press says what brings an undecided intent to its end.
func (i Intent) press(now time.Time, pace Pace, fees Fees) Verdict {
	if len(i.Attempts) == 0 {
		return Wait
	}
	first, last := i.Attempts[0], i.Attempts[len(i.Attempts)-1]
	switch {
	case last.Cancel:
		return last.again(now, pace)
	case now.Sub(first.SignedAt) >= pace.Cancel:
		return Cancel
	case last.PriceMicroLamports < fees.Most && now.Sub(last.SignedAt) >= pace.Raise:
		return Raise
	}
	return last.again(now, pace)
}

// again says whether it is time to send the attempt once more.
func (a Attempt) again(now time.Time, pace Pace) Verdict {
	if now.Sub(a.SignedAt) < pace.Land {
		return Wait
	}
	return Resend
}

// cancels says whether an attempt only spends the nonce's value.
func (i Intent) cancels(signature solana.Signature) bool {
	for _, attempt := range i.Attempts {
		if attempt.Signature == signature {
			return attempt.Cancel
		}
	}
	return false
}
