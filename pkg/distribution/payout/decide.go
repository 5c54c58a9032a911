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

// Pace bounds how often a payment is checked and how long it is tried. Between Soonest and Look the
// pace follows the measured finality of the network, see Chain.FinalTime.
type Pace struct {
	// Soonest is the minimum time between two looks at a payment: no node's word makes a busy loop.
	Soonest time.Duration
	// Resend is the minimum age of an attempt that is sent again, and the maximum time until it is
	// looked for first.
	Resend time.Duration
	// Look is the maximum time between two looks at a payment that may land: no node's word puts a
	// look off for longer.
	Look time.Duration
	// Cancel is the time during which new attempts are signed for a payment.
	Cancel time.Duration
	// Patience is the time during which it may be unclear what created a receipt.
	Patience time.Duration
}

// usual is the pace of engines that have none of their own. A slot takes 200 ms since Alpenglow,
// and 32 slots of 400 ms, the finality of Tower, fit between two looks.
var usual = Pace{
	Soonest: 200 * time.Millisecond, Resend: time.Second, Look: 15 * time.Second, Cancel: 5 * time.Minute, Patience: 10 * time.Minute,
}

const (
	// dearerAfter is the number of blocks without a sight of any attempt after which a payment with
	// a receipt gets a dearer one: a tenth of a blockhash's life.
	dearerAfter = 15
	// mostAttempts bounds the attempts of a payment. With version 1 (4,096 bytes each) they take
	// 128 KB of the 400 KB that an item of DynamoDB may have. A blockhash of 150 blocks of 200 ms
	// expires ten times within Pace.Cancel, and the price doubles seven times from the usual floor
	// to the usual cap.
	mostAttempts = 32
	// unseenShare and seenShare are the parts of an attempt's age that are waited between looks: while
	// no attempt is seen, and when one is seen that should be final by what was measured.
	unseenShare, seenShare = 2, 8
)

func (e Engine) pace() Pace {
	if e.Pace == (Pace{}) {
		return usual
	}
	return e.Pace
}

// next returns the time until the next look at something that is expected after a while.
func (p Pace) next(expected time.Duration) Next {
	return Next{After: min(max(expected, p.Soonest), p.Look)}
}

// again returns the time until the next look at a payment of which no more is known: the longer
// its newest attempt has been under way, the longer.
func (e Engine) again(p Payment) Next {
	return e.pace().next(e.age(p) / seenShare)
}

// age is the age of a payment's newest attempt.
func (e Engine) age(p Payment) time.Duration {
	if len(p.Attempts) == 0 {
		return 0
	}
	return max(e.Now().Sub(p.Attempts[len(p.Attempts)-1].SignedAt), 0)
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
