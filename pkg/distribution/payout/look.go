package payout

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/logctx"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// look asks all nodes what became of an intent that may have landed, and does what
// follows.
func (e Engine) look(ctx context.Context, m movement, i Intent) (Intent, Next, error) {
	if next := e.early(ctx, i); next != nil {
		return i, *next, nil
	}
	lane, err := e.Store.Lane(ctx, i.Mint, i.Lane)
	if err != nil {
		return i, Next{}, fmt.Errorf("read lane %d: %w", i.Lane, err)
	}
	readings := make([]Reading, len(e.Chains))
	moved := false
	for n, chain := range e.Chains {
		if readings[n], err = e.read(ctx, chain, lane, i); err != nil {
			return i, Next{}, err
		}
		moved = moved || !readings[n].Silent && readings[n].Value != i.Value
	}
	soon := Next{After: e.Pace.Look}
	verdict, landing := Judge(i, readings, e.Now(), e.Pace, e.Fees)
	switch verdict {
	case Wait:
		i, err = e.note(ctx, i, moved)
	case Resend:
		if i, err = e.note(ctx, i, moved); err == nil {
			soon = e.again(ctx, i)
		}
	case Raise:
		soon.After = e.Pace.Sight
		i, err = e.raise(ctx, m, i)
	case Cancel:
		soon.After = e.Pace.Sight
		i, err = e.cancel(ctx, m, i, lane)
	case Settle, Fail:
		return e.settle(ctx, m, i, lane, readings, landing)
	case GiveUp:
		return e.giveUp(ctx, i, lane)
	}
	return i, soon, err
}

// read asks one node. That it does not answer, or is behind, is part of what it
// says.
func (e Engine) read(ctx context.Context, chain Chain, lane Lane, i Intent) (Reading, error) {
	r := Reading{}
	var err error
	r.Value, r.Slot, err = chain.NonceAt(ctx, lane.Address, lane.Slot)
	if err == nil && !r.Value.IsZero() && r.Value != i.Value {
		r.Landed, err = landed(ctx, chain, lane, i)
	}
	if err != nil && (errors.Is(err, onchain.ErrBehind) || apperr.KindOf(err) == apperr.Unavailable) && ctx.Err() == nil {
		e.Log.WarnContext(ctx, "a node does not say what became of an intent", "intent", i.ID.String(), "cause", err.Error())
		return Reading{Silent: true}, nil
	}
	r.Silent = r.Value.IsZero()
	return r, err
}

// landed gives what a node knows of the attempts: by their status, and where none
// has succeeded by that, from the lane's own history.
func landed(ctx context.Context, chain Chain, lane Lane, i Intent) ([]Landing, error) {
	signatures := make([]solana.Signature, len(i.Attempts))
	for n, attempt := range i.Attempts {
		signatures[n] = attempt.Signature
	}
	list, err := chain.Landings(ctx, signatures...)
	if err != nil || slices.ContainsFunc(list, func(l Landing) bool { return l.Failed == "" }) {
		return list, err
	}
	history, err := chain.History(ctx, lane.Address)
	return append(list, history...), err
}

// note writes down since when the lane has moved on, and forgets that when it has
// not after all.
func (e Engine) note(ctx context.Context, i Intent, moved bool) (Intent, error) {
	if moved != i.MovedAt.IsZero() {
		return i, nil
	}
	i.MovedAt = time.Time{}
	if moved {
		i.MovedAt = e.Now().UTC()
	}
	if err := e.Store.Record(ctx, i); err != nil {
		return i, err
	}
	i.Version++
	return i, nil
}

// raise signs the newest attempt again with twice its price, on the same value. One
// that others have signed, too, is only sent again.
func (e Engine) raise(ctx context.Context, m movement, i Intent) (Intent, error) {
	last := i.Attempts[len(i.Attempts)-1]
	price := min(max(2*last.PriceMicroLamports, 1), e.Fees.Most)
	message, err := reprice(last.Bytes, price)
	if err != nil {
		return i, err
	}
	if len(message.Signers()) == 1 {
		if i, err = e.attempt(ctx, m, i, message, Payload{}, Attempt{PriceMicroLamports: price}); err != nil {
			return i, err
		}
	}
	e.send(ctx, i)
	return i, nil
}

// cancel signs what only spends the value that the intent is bound to.
func (e Engine) cancel(ctx context.Context, m movement, i Intent, lane Lane) (Intent, error) {
	price := max(e.Fees.Most, i.Attempts[len(i.Attempts)-1].PriceMicroLamports)
	message, err := wire.Compile(m.wallet.Address, i.Value, onLane(lane.Address, m.wallet.Address, cancelUnits, price, nil))
	if err != nil {
		return i, fmt.Errorf("compile the cancellation: %w", err)
	}
	if i, err = e.attempt(ctx, m, i, message, Payload{}, Attempt{PriceMicroLamports: price, Cancel: true}); err != nil {
		return i, err
	}
	e.send(ctx, i)
	return i, nil
}

// settle writes the end of an intent whose attempt landed, as soon as every node
// says the same of what that did, and frees the lane.
func (e Engine) settle(ctx context.Context, m movement, i Intent, lane Lane, readings []Reading, landing Landing) (Intent, Next, error) {
	var effects []Effect
	for _, chain := range e.Chains {
		effect, found, err := chain.Effect(ctx, landing.Signature)
		if err != nil && apperr.KindOf(err) != apperr.Unavailable {
			return i, Next{}, err
		}
		if found && err == nil {
			effects = append(effects, effect)
		}
	}
	slots := make([]uint64, len(readings))
	for n, r := range readings {
		slots[n] = r.Slot
		if n > 0 && r.Value != readings[0].Value {
			effects = nil // one of them is about to see more
		}
	}
	if len(effects) < len(e.Chains) || slices.ContainsFunc(effects, func(f Effect) bool { return !f.equal(effects[0]) }) {
		i, err := e.note(ctx, i, true)
		if err == nil && e.Now().Sub(i.MovedAt) >= e.Pace.Patience {
			return e.giveUp(ctx, i, lane)
		}
		return i, Next{After: e.Pace.Sight}, err
	}
	i.Outcome = &Outcome{
		Signature: landing.Signature, Slot: landing.Slot, Failed: landing.Failed, Cancelled: i.cancels(landing.Signature),
		FeeLamports: effects[0].FeeLamports, Lamports: effects[0].Lamports, Tokens: effects[0].Tokens, At: e.Now().UTC(),
	}
	lane.Intent, lane.Value, lane.Slot = ID{}, readings[0].Value, max(lane.Slot, slices.Min(slots))
	if i.Outcome.Moved() {
		return e.end(ctx, i, &lane)
	}
	e.Log.WarnContext(ctx, "intent failed on the chain", "intent", i.ID.String(),
		"signature", landing.Signature.String(), "failed", landing.Failed, "cancelled", i.Outcome.Cancelled)
	if broken(i, readings) {
		if m.divisible(i) {
			return e.split(ctx, i, &lane)
		}
		if err := e.blame(ctx, m, &i, ReasonSimulation); err != nil {
			return i, Next{}, err
		}
	}
	return e.end(ctx, i, &lane)
}

// broken says whether the chain has refused an attempt, so that what it does is at
// fault, and not that nothing landed.
func broken(i Intent, readings []Reading) bool {
	for _, r := range readings {
		for _, l := range r.Landed {
			if l.Failed != "" && slices.ContainsFunc(i.Attempts, func(a Attempt) bool { return a.Signature == l.Signature && !a.Cancel }) {
				return true
			}
		}
	}
	return false
}

func (f Effect) equal(other Effect) bool {
	return f.FeeLamports == other.FeeLamports && f.Lamports == other.Lamports && maps.Equal(f.Tokens, other.Tokens)
}

// giveUp freezes the lane of an intent that nobody can decide. What it moves, or
// not, is a liability until people find out.
func (e Engine) giveUp(ctx context.Context, i Intent, lane Lane) (Intent, Next, error) {
	i.UnknownSince = e.Now().UTC()
	lane.Frozen = "nobody can say what became of " + i.ID.String()
	// Before it is written: an alarm that rings twice does less harm than one that a crash
	// keeps from ringing.
	e.alarm(ctx, "nobody can say what became of an intent; its lane is frozen and its amount is reserved",
		slog.String("intent", i.ID.String()), slog.String("asset", i.Asset.String()), slog.Uint64("amount", i.Amount),
		slog.String(logctx.Mint, i.Mint.String()), slog.Int("lane", lane.Number))
	return e.end(ctx, i, &lane)
}
