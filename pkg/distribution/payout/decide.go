package payout

import (
	"slices"
	"time"

	"tokenlaunch.example/service/pkg/solana/onchain"
)

// Reading is one provider's view of a payment that may have landed.
type Reading struct {
	// Silent reports that the provider did not respond, or lags. The other fields are then
	// meaningless.
	Silent bool
	// Tip is the provider's finalized slot and height, read first.
	Tip onchain.Tip
	// Receipt reports that the receipt exists, read at Tip.Slot or later.
	Receipt bool
	// Landed are finalized transactions, attempts of the payment among them, read last.
	Landed []Landing
	// Foreign reports that the receipt's history is complete and has no successful attempt:
	// a third party created the account.
	Foreign bool
}

// Action is the next action for a payment that may land.
type Action string

// The actions.
const (
	Wait   Action = "wait"
	Land   Action = "land"    // write the landing of an attempt
	Bury   Action = "bury"    // write that the payment is dead
	Avoid  Action = "avoid"   // sign a void attempt, which only creates the receipt
	Rebind Action = "rebind"  // bind to the next generation's receipt, because a third party blocked the receipt
	GiveUp Action = "give up" // write that the payment is Unknown
)

// Pace bounds the frequency of checks and the duration of attempts. Between Soonest and Look the
// pace follows the measured finality of the network, see Chain.FinalTime.
type Pace struct {
	// Soonest is the minimum time between two checks of a payment, so that no response of a node
	// causes a busy loop.
	Soonest time.Duration
	// Resend is the minimum age of an attempt that is sent again, and the maximum time until the
	// first check of an attempt.
	Resend time.Duration
	// Look is the maximum time between two checks of a payment that may land, so that no response of
	// a node delays a check for longer.
	Look time.Duration
	// Cancel is the time during which the engine signs new attempts of a payment.
	Cancel time.Duration
	// Patience is the time after which a payment is given up if the creator of the receipt is not
	// known.
	Patience time.Duration
}

// usual is the default pace. A slot takes 200 ms since Alpenglow, and 32 slots of 400 ms, the
// finality of Tower, fit between two checks.
var usual = Pace{
	Soonest: 200 * time.Millisecond, Resend: time.Second, Look: 15 * time.Second, Cancel: 5 * time.Minute, Patience: 10 * time.Minute,
}

const (
	// dearerAfter is the number of blocks after which an unseen payment with a receipt gets an
	// attempt at a higher price: a tenth of a blockhash's lifetime.
	dearerAfter = 15
	// maxAttempts is the maximum number of attempts of a payment. In version 1 (4,096 bytes each)
	// all attempts take 128 KB of the 400 KB of a DynamoDB item. A blockhash of 150 blocks of 200 ms
	// expires ten times within Pace.Cancel, and the price doubles seven times from the usual floor
	// to the usual cap.
	maxAttempts = 32
	// unseenShare and seenShare are divisors of an attempt's age: the quotient is the time until the
	// next check. unseenShare is for unseen attempts, seenShare for attempts that should be final by
	// now.
	unseenShare, seenShare = 2, 8
)

func (e Engine) pace() Pace {
	if e.Pace == (Pace{}) {
		return usual
	}
	return e.Pace
}

// next returns the time until the next check of an event that is expected after the given time.
func (p Pace) next(expected time.Duration) Next {
	return Next{After: min(max(expected, p.Soonest), p.Look)}
}

// again returns the time until the next check of a payment without news. The time grows with the
// age of the newest attempt.
func (e Engine) again(p Payment) Next {
	return e.pace().next(e.age(p) / seenShare)
}

// age returns the age of a payment's newest attempt.
func (e Engine) age(p Payment) time.Duration {
	if len(p.Attempts) == 0 {
		return 0
	}
	return max(e.Now().Sub(p.Attempts[len(p.Attempts)-1].SignedAt), 0)
}

// opinion is the conclusion from one reading.
type opinion struct {
	action  Action
	landing Landing
	unclear bool // the receipt exists, and its creator is not known
}

// opinionOf draws the conclusion from one reading. An attempt landed if the attempt succeeded and
// the receipt exists. No attempt can land any more if the receipt does not exist and every attempt
// has finally failed or expired.
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

// voids reports whether a void attempt was signed.
func (p Payment) voids() bool {
	return slices.ContainsFunc(p.Attempts, func(a Attempt) bool { return a.Void })
}

// Decide returns the next action for a payment that may land, from one reading of each provider.
// Decide depends only on the arguments. A payment ends only if all providers respond and agree. A
// payment is given up only after the disagreement has lasted for pace.Patience.
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
