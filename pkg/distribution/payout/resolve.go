package payout

import (
	"context"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token"
)

// Word is an operator's decision about a payment that the chain does not decide. The payment
// stores Reason.
type Word struct {
	// Landed is the attempt that landed. At least one provider must have the transaction.
	Landed solana.Signature
	// Lost states that no attempt landed. All attempts must have expired.
	Lost   bool
	Reason string
}

// ErrUndecided is returned while the outcome of a payment is not known.
var ErrUndecided = errors.New("the outcome of the payment is unknown")

// Readings returns each provider's reading of a payment, in the order of Chains.
func (e Engine) Readings(ctx context.Context, wallet token.Wallet, p Payment) ([]Reading, error) {
	readings := make([]Reading, len(e.Chains))
	for n, chain := range e.Chains {
		var err error
		if readings[n], err = e.read(ctx, chain, movement{wallet: wallet}, p); err != nil {
			return nil, err
		}
	}
	return readings, nil
}

// Resolve ends a payment that is Unknown. If all providers agree on the outcome by now, the outcome
// decides; otherwise the operator's word decides. It returns ErrUndecided if neither decides, and if
// both report that no attempt landed although the journal has a landing. Resolve signs and sends
// nothing, and does not change a payment with another status.
func (e Engine) Resolve(ctx context.Context, wallet token.Wallet, p Payment, word Word) (Payment, error) {
	if p.Status() != Unknown {
		return p, nil
	}
	p, landed, err := e.recall(ctx, p)
	if err != nil {
		return p, err
	}
	readings, err := e.Readings(ctx, wallet, p)
	if err != nil {
		return p, err
	}
	judged := p
	judged.SeenAt = p.UnknownSince // patience is over
	switch action, landing := Decide(judged, readings, p.UnknownSince, e.pace()); action {
	case Land:
		effect, err := e.effect(ctx, landing)
		if err == nil {
			return e.resolved(ctx, p, landing, effect)
		}
		if !errors.Is(err, errDiffer) {
			return p, err
		}
	case Bury, Rebind:
		if landed {
			return p, fmt.Errorf("the journal has a landing: %w", ErrUndecided)
		}
		if p, err = e.count(ctx, p, readings); err != nil {
			return p, err
		}
		if action == Rebind {
			p.Blocked = append(p.Blocked[:len(p.Blocked):len(p.Blocked)], *p.Receipt)
		}
		return e.lost(ctx, p)
	case Wait, Avoid, GiveUp:
	}
	p.Detail = word.Reason
	switch {
	case !word.Landed.IsZero() && p.has(Attempt{Signature: word.Landed}):
		return e.believe(ctx, p, readings, word.Landed)
	case word.Lost && !landed:
		heard := false
		for _, r := range readings {
			heard = heard || !r.Silent
			for _, l := range r.Landed {
				if l.Failed == "" && p.has(Attempt{Signature: l.Signature}) {
					return p, fmt.Errorf("the attempt %s landed at slot %d: %w", l.Signature, l.Slot, ErrUndecided)
				}
			}
			if !r.Silent && !p.expired(r.Tip.Height) {
				return p, fmt.Errorf("an attempt may still land: %w", ErrUndecided)
			}
		}
		if heard {
			return e.lost(ctx, p)
		}
	}
	return p, ErrUndecided
}

// recall returns p with the attempts that only the journal has, and reports whether the journal has a
// landing or a later receipt. In that case the ledger is older, or a crash came between the two
// writes: the payment is not lost even if the chain has no attempt.
func (e Engine) recall(ctx context.Context, p Payment) (_ Payment, landed bool, err error) {
	kept, err := e.Journal.Of(ctx, p)
	if err != nil {
		return p, false, fmt.Errorf("read the journal: %w", err)
	}
	for _, k := range kept {
		landed = landed || k.Outcome != nil || k.generation() > p.generation()
		p = p.with(k)
	}
	return p, landed, nil
}

// believe accepts the operator's word for the attempt that landed, if one provider has the
// transaction's effect.
func (e Engine) believe(ctx context.Context, p Payment, readings []Reading, signature solana.Signature) (Payment, error) {
	for n, r := range readings {
		for _, l := range r.Landed {
			if l.Signature != signature || l.Failed != "" {
				continue
			}
			if effect, found, err := e.Chains[n].Effect(ctx, signature); err == nil && found {
				return e.resolved(ctx, p, l, effect)
			}
		}
	}
	return p, fmt.Errorf("no provider knows what %s did; ask one with the whole history: %w", signature, ErrUndecided)
}

// resolved writes that an attempt landed.
func (e Engine) resolved(ctx context.Context, p Payment, landing Landing, effect Effect) (Payment, error) {
	p.Outcome = p.outcome(landing, effect, e.Now())
	if p.Outcome.Void {
		p.Refused = ReasonExpired
	}
	if err := e.Journal.Landed(ctx, p); err != nil {
		return p, fmt.Errorf("write the journal: %w", err)
	}
	return e.end(ctx, p)
}

func (e Engine) lost(ctx context.Context, p Payment) (Payment, error) {
	p.DeadAt, p.Refused = e.Now().UTC(), ReasonExpired
	return e.end(ctx, p)
}
