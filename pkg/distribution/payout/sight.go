package payout

import (
	"context"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"
)

// What is seen of a transaction before it is final decides nothing. It says only when the
// lane is worth reading, and whether the same bytes are worth sending again.

// early looks at intents of which one was signed so lately that it cannot be final; nil
// when all may be, and have to be looked at closely.
func (e Engine) early(ctx context.Context, intents ...Intent) *Next {
	if !slices.ContainsFunc(intents, func(i Intent) bool { return e.age(i) < e.Pace.Land }) {
		return nil
	}
	next := Next{}
	for _, s := range e.sights(ctx, intents...) {
		if !s.seen {
			s.left = e.sendAgain(ctx, s.intent)
		}
		next.After = max(next.After, s.left)
	}
	if next.After == 0 {
		return nil
	}
	return &next
}

// again brings an intent on that nothing final is known of, and says when it is looked at
// next. What is seen is left alone until it should be final.
func (e Engine) again(ctx context.Context, i Intent) Next {
	s := e.sights(ctx, i)[0]
	if !s.seen || s.left == 0 {
		s.left = e.sendAgain(ctx, i)
	}
	return Next{After: s.left}
}

// sight says whether any attempt of an intent is seen, and how long it takes until it is
// final.
type sight struct {
	intent Intent
	seen   bool
	left   time.Duration
}

// sights looks for intents in one call. That the node does not say is no sight.
func (e Engine) sights(ctx context.Context, intents ...Intent) []sight {
	var signatures []solana.Signature
	found := make([]sight, len(intents))
	for n, i := range intents {
		found[n].intent = i
		for _, attempt := range i.Attempts {
			signatures = append(signatures, attempt.Signature)
		}
	}
	list, err := e.Chains[0].Sightings(ctx, signatures...)
	if err != nil {
		e.Log.WarnContext(ctx, "a node does not say what it sees", "intent", intents[0].ID.String(), "cause", err.Error())
		return found
	}
	for n, i := range intents {
		f := &found[n]
		for _, s := range list[:len(i.Attempts)] {
			// No node's word puts the next look off for long.
			left := time.Duration(min(s.Left, uint64(e.Pace.Land/max(e.Pace.Slot, 1)))) * e.Pace.Slot //nolint:gosec // bounded by Land
			if s.Seen && (!f.seen || left < f.left) {
				f.seen, f.left = true, left
			}
		}
		list = list[len(i.Attempts):]
	}
	return found
}

// sendAgain sends an intent once more, and says when to look whether it is seen: the
// longer it takes the later.
func (e Engine) sendAgain(ctx context.Context, i Intent) time.Duration {
	e.send(ctx, i)
	return min(max(e.age(i), e.Pace.Sight), e.Pace.Look)
}

// age is how long ago the newest attempt was signed.
func (e Engine) age(i Intent) time.Duration {
	return e.Now().Sub(i.Attempts[len(i.Attempts)-1].SignedAt)
}
