package payout

import (
	"slices"
	"time"

	"tokenlaunch.example/service/pkg/solana/onchain"
)

// Reading is what one provider says of a payment that may have landed.
type Reading struct {
	// Silent: the provider did not answer, or is behind. The rest means nothing then.
	Silent bool
	// Tip is the provider's finalized slot and height, read first.
	Tip onchain.Tip
	// Receipt: the account is there, in a read of Tip.Slot or later.
	Receipt bool
	// Landed are finalized transactions, attempts of the payment among them, read last.
	Landed []Landing
	// Foreign: the whole history of the receipt is known, and no attempt succeeded in
	// it: a stranger created the account.
	Foreign bool
}

// Action is what to do about a payment that may land.
type Action string

// The actions.
const (
	Wait   Action = "wait"
	Land   Action = "land"    // write the landing of an attempt
	Bury   Action = "bury"    // write that it is dead
	Avoid  Action = "avoid"   // sign what creates the receipt and nothing else
	Rebind Action = "rebind"  // take the next generation's receipt: this one is blocked
	GiveUp Action = "give up" // write that it cannot be said what landed
)

// Pace says when what is tried. How long a slot takes, and how long it takes until one is
// final, are no part of it: they are measured.
type Pace struct {
	// Resend is how long after it was sent a transaction is looked for, and sent again
	// when it is not seen.
	Resend time.Duration
	// Look lies between two looks at a payment that may land, at most.
	Look time.Duration
	// Cancel is how long new attempts are signed for a payment.
	Cancel time.Duration
	// Patience is how long it may be unclear what created a receipt.
	Patience time.Duration
}

// usual is the pace of engines that have none of their own.
var usual = Pace{Resend: time.Second, Look: 5 * time.Second, Cancel: 5 * time.Minute, Patience: 10 * time.Minute}

func (e Engine) pace() Pace {
	if e.Pace == (Pace{}) {
		return usual
	}
	return e.Pace
}

// opinion is what one reading means.
type opinion struct {
	action  Action
	landing Landing
	unclear bool // the receipt is there, and what created it is not known
}

// opinionOf reads a provider's answer. An attempt landed if it succeeded and the
// receipt is there. None can land any more when the receipt is not there and each has
// failed finally or is above its last valid height.
func opinionOf(p Payment, r Reading) opinion {
	var succeeded []Landing
	failed, over := 0, true
	for _, a := range p.Attempts {
		at := slices.IndexFunc(r.Landed, func(l Landing) bool { return l.Signature == a.Signature })
		switch {
		case at < 0:
			over = over && p.last(a) < r.Tip.Height
		case r.Landed[at].Failed == "":
			succeeded = append(succeeded, r.Landed[at])
		default:
			failed++
		}
	}
	switch there := p.Receipt == nil || r.Receipt; {
	case len(succeeded) == 1 && there:
		return opinion{action: Land, landing: succeeded[0]}
	case len(succeeded) > 0:
		return opinion{action: Wait, unclear: true}
	case p.Receipt != nil && r.Receipt && over && r.Foreign:
		return opinion{action: Rebind}
	case p.Receipt != nil && r.Receipt:
		return opinion{action: Wait, unclear: true}
	case over:
		return opinion{action: Bury}
	case failed > 0 && p.Receipt != nil && !p.voids():
		return opinion{action: Avoid}
	}
	return opinion{action: Wait}
}

// voids says whether an attempt was signed that only creates the receipt.
func (p Payment) voids() bool {
	return slices.ContainsFunc(p.Attempts, func(a Attempt) bool { return a.Void })
}

// Decide says what to do about a payment that may land, from what every provider says.
// It needs no memory but the payment's facts. Nothing ends unless all providers answer
// and agree on it; nothing is given up unless that lasted.
func Decide(p Payment, readings []Reading, now time.Time, pace Pace) (Action, Landing) {
	var first opinion
	agreed, unclear := true, false
	for n, r := range readings {
		if r.Silent {
			return Wait, Landing{}
		}
		o := opinionOf(p, r)
		if n == 0 {
			first = o
		}
		agreed = agreed && o.action == first.action && o.landing == first.landing
		unclear = unclear || o.unclear
	}
	switch {
	case agreed && first.action != Wait:
		return first.action, first.landing
	case unclear && !p.SeenAt.IsZero() && now.Sub(p.SeenAt) >= pace.Patience:
		return GiveUp, Landing{}
	}
	return Wait, Landing{}
}
