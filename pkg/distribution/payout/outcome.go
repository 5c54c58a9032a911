package payout

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token/terms"
)

// look advances a payment that may have landed. A status that is not final decides nothing, except
// the time of the next check and whether the attempt is sent again.
func (e Engine) look(ctx context.Context, m movement, p Payment) (Payment, Next, error) {
	switch s := e.status(ctx, p); {
	case s.Final:
		return e.lookClosely(ctx, m, p)
	case s.Seen:
		return p, e.pace().next(max(s.Left, e.again(p).After)), nil
	}
	height, err := e.Chains[0].Height(ctx)
	if err != nil {
		return p, Next{}, err
	}
	if last := p.Attempts[len(p.Attempts)-1]; height <= last.LastValid {
		if height+blockhashBlocks >= last.LastValid+dearerAfter && e.dearer(m, p) {
			renewed, next, err := e.renew(ctx, m, p)
			return renewed, next, err
		}
		if e.age(p) >= e.pace().Resend {
			e.send(ctx, p)
		}
		// The pause grows with the age of the attempt.
		return p, e.pace().next(e.age(p) / unseenShare), nil
	}
	// The attempt has expired at this node's height. The outcome is known only when that height is
	// final. With a receipt, another attempt is safe before then.
	looked, next, err := e.lookClosely(ctx, m, p)
	if err != nil || looked.Version != p.Version || p.Receipt == nil || !e.renewable(m, p) {
		return looked, next, err
	}
	return e.renew(ctx, m, p)
}

// renewable reports whether the engine may sign another attempt of a payment without a landing: the
// deadline is not over, the payment has fewer than maxAttempts, and only the wallet signs.
func (e Engine) renewable(m movement, p Payment) bool {
	if m.late || len(p.Attempts) >= maxAttempts || e.Now().Sub(p.Attempts[0].SignedAt) >= e.pace().Cancel {
		return false
	}
	tx, err := wire.ParseOwn(p.Attempts[len(p.Attempts)-1].Bytes)
	return err == nil && len(tx.Message().Signers()) == 1
}

// dearer reports whether an unseen payment gets an attempt at a higher price before the newest
// attempt expires: the payment has a receipt, and the newest price is below the cap.
func (e Engine) dearer(m movement, p Payment) bool {
	return p.Receipt != nil && p.Attempts[len(p.Attempts)-1].PriceMicroLamports < e.Fees.Cap && e.renewable(m, p)
}

// sighting returns the status of the attempt that is nearest to finality. If the node returns no
// status, no attempt counts as seen.
func (e Engine) status(ctx context.Context, p Payment) (nearest SignatureStatus) {
	list, err := e.Chains[0].SignatureStatuses(ctx, p.signatures()...)
	if err != nil {
		e.Log.WarnContext(ctx, "a node does not say what it sees", "payment", p.ID.String(), "cause", err.Error())
		return SignatureStatus{}
	}
	for _, s := range list {
		if s.Seen && (!nearest.Seen || s.Final || !nearest.Final && s.Left < nearest.Left) {
			nearest = s
		}
	}
	return nearest
}

// lookClosely reads the payment's state from all providers, and executes the resulting action.
func (e Engine) lookClosely(ctx context.Context, m movement, p Payment) (Payment, Next, error) {
	readings := make([]Reading, len(e.Chains))
	for n, chain := range e.Chains {
		var err error
		if readings[n], err = e.read(ctx, chain, m, p); err != nil {
			return p, Next{}, err
		}
	}
	action, landing := Decide(p, readings, e.Now(), e.pace())
	var err error
	switch action {
	case Wait:
		if closed(p, readings) { // by a worker that knows the outcome, or before the ledger was restored
			if adopted, found, err := e.adopt(ctx, p); err != nil || found {
				return adopted, Next{}, err
			}
		}
		p, err = e.note(ctx, p, readings)
	case Avoid:
		return e.avoid(ctx, m, p)
	case Land:
		return e.land(ctx, m, p, readings, landing)
	case Bury:
		return e.bury(ctx, m, p, readings)
	case Rebind:
		return e.rebind(ctx, m, p, readings)
	case GiveUp:
		p, err = e.giveUp(ctx, p, readings)
	}
	return p, e.again(p), err
}

// closed reports whether a provider has a successful attempt and no receipt.
func closed(p Payment, readings []Reading) bool {
	return p.Receipt != nil && slices.ContainsFunc(readings, func(r Reading) bool {
		return !r.Silent && !r.Receipt && slices.ContainsFunc(r.Landed, func(l Landing) bool {
			return l.Failed == "" && p.has(Attempt{Signature: l.Signature})
		})
	})
}

// read returns one provider's reading. A provider that does not respond, or lags, returns a Silent
// reading.
func (e Engine) read(ctx context.Context, chain Chain, m movement, p Payment) (Reading, error) {
	r, err := ask(ctx, chain, m, p)
	if err != nil && (errors.Is(err, onchain.ErrBehind) || apperr.KindOf(err) == apperr.Unavailable) && ctx.Err() == nil {
		e.Log.WarnContext(ctx, "a node does not report the outcome of a payment", "payment", p.ID.String(), "cause", err.Error())
		return Reading{Silent: true}, nil
	}
	return r, err
}

func ask(ctx context.Context, chain Chain, m movement, p Payment) (r Reading, err error) {
	if r.Tip, err = chain.Finality(ctx); err != nil {
		return r, err
	}
	if p.Receipt != nil {
		accounts, _, err := chain.AccountsAt(ctx, r.Tip.Slot, p.Receipt.Address)
		if err != nil {
			return r, err
		}
		r.Receipt = accounts[0] != nil && accounts[0].Lamports > 0
	}
	if r.Landed, err = chain.Landings(ctx, p.signatures()...); err != nil {
		return r, err
	}
	if slices.ContainsFunc(r.Landed, func(l Landing) bool { return l.Failed == "" }) {
		return r, nil
	}
	// A status may be pruned, or the node that returned the status may lag behind the node that
	// returned the tip.
	switch {
	case r.Receipt:
		history, complete, err := chain.History(ctx, p.Receipt.Address)
		if err != nil {
			return r, err
		}
		r.Landed = append(history, r.Landed...)
		if r.Foreign, err = foreign(ctx, chain, p, history, complete); err != nil {
			return r, err
		}
	case p.expired(r.Tip.Height):
		history, _, err := chain.History(ctx, m.wallet.Address)
		if err != nil {
			return r, err
		}
		r.Landed = append(history, r.Landed...)
	}
	return r, nil
}

// foreign reports whether a third party created the receipt. The oldest successful transaction of
// the receipt's history decides, if the account was empty before the transaction. The last condition
// is for a node that has pruned our attempt: such a node shows only a third party's later dust.
func foreign(ctx context.Context, chain Chain, p Payment, history []Landing, complete bool) (bool, error) {
	for _, l := range slices.Backward(history) {
		if l.Failed != "" {
			continue
		}
		if !complete || p.has(Attempt{Signature: l.Signature}) {
			return false, nil
		}
		return chain.Opened(ctx, l.Signature, p.Receipt.Address)
	}
	return false, nil
}

// note records the time since which the receipt's creator is not known, and clears the time if no
// provider has the receipt.
func (e Engine) note(ctx context.Context, p Payment, readings []Reading) (Payment, error) {
	there := slices.ContainsFunc(readings, func(r Reading) bool { return r.Receipt })
	if there != p.SeenAt.IsZero() {
		return p, nil
	}
	p.SeenAt = time.Time{}
	if there {
		p.SeenAt = e.Now().UTC()
	}
	if err := e.Store.Record(ctx, p); err != nil {
		return p, err
	}
	p.Version++
	return p, nil
}

// land writes the end of a payment whose attempt landed, once all providers agree on the effect.
func (e Engine) land(ctx context.Context, m movement, p Payment, readings []Reading, landing Landing) (Payment, Next, error) {
	effect, err := e.effect(ctx, landing)
	if errors.Is(err, errDiffer) {
		p, err := e.note(ctx, p, readings)
		if err == nil && !p.SeenAt.IsZero() && e.Now().Sub(p.SeenAt) >= e.pace().Patience {
			p, err = e.giveUp(ctx, p, readings)
		}
		return p, e.again(p), err
	}
	if err != nil {
		return p, Next{}, err
	}
	p.Outcome = p.outcome(landing, effect, e.Now())
	if p, err = e.count(ctx, p, readings); err != nil {
		return p, Next{}, err
	}
	if err := e.Journal.Landed(ctx, p); err != nil {
		return p, Next{}, fmt.Errorf("write the journal: %w", err)
	}
	var parts []Payment
	if p.Outcome.Void {
		if p, parts, err = e.fault(ctx, m, p, reasonOf(p, readings)); err != nil {
			return p, Next{}, err
		}
	}
	p, err = e.end(ctx, p, parts...)
	return p, Next{}, err
}

// outcome returns the Outcome for a landing of one of the payment's attempts.
func (p Payment) outcome(landing Landing, effect Effect, now time.Time) *Outcome {
	attempt := p.Attempts[slices.IndexFunc(p.Attempts, func(a Attempt) bool { return a.Signature == landing.Signature })]
	return &Outcome{
		Signature: landing.Signature, Slot: landing.Slot, Void: attempt.Void, RentLamports: attempt.RentLamports,
		FeeLamports: effect.FeeLamports, Lamports: effect.Lamports, Tokens: effect.Tokens, At: now.UTC(),
	}
}

// errDiffer is returned if the providers disagree on a transaction's effect, or a provider lacks the
// transaction.
var errDiffer = errors.New("the providers differ")

// effect returns the effect of a landing, on which all providers agree.
func (e Engine) effect(ctx context.Context, landing Landing) (Effect, error) {
	var effects []Effect
	for _, chain := range e.Chains {
		effect, found, err := chain.Effect(ctx, landing.Signature)
		if err != nil && apperr.KindOf(err) != apperr.Unavailable {
			return Effect{}, err
		}
		if err != nil || !found || len(effects) > 0 && !effect.equal(effects[0]) {
			return Effect{}, errDiffer
		}
		effects = append(effects, effect)
	}
	return effects[0], nil
}

func (f Effect) equal(other Effect) bool {
	return f.FeeLamports == other.FeeLamports && f.Lamports == other.Lamports && maps.Equal(f.Tokens, other.Tokens)
}

// count sets Failures to the attempts that failed on the chain, and Quiet to whether every attempt
// has landed, failed or expired.
func (e Engine) count(ctx context.Context, p Payment, readings []Reading) (Payment, error) {
	p.Failures = slices.DeleteFunc(slices.Clone(p.Failures), func(f Failure) bool { return p.has(Attempt{Signature: f.Signature}) })
	p.Quiet = true
	for _, a := range p.Attempts {
		if p.Outcome != nil && a.Signature == p.Outcome.Signature {
			continue
		}
		at := slices.IndexFunc(readings[0].Landed, func(l Landing) bool { return l.Signature == a.Signature })
		if at < 0 {
			p.Quiet = p.Quiet && p.last(a) < slices.MinFunc(readings, lower).Tip.Height
			continue
		}
		l := readings[0].Landed[at]
		if l.Failed == "" { // a payment that is given up may have landed
			p.Quiet = false
			continue
		}
		effect, err := e.effect(ctx, l)
		if errors.Is(err, errDiffer) {
			err = apperr.Upstream("The Solana network", err)
		}
		if err != nil {
			return p, err
		}
		p.Failures = append(p.Failures, Failure{Signature: l.Signature, Slot: l.Slot, FeeLamports: effect.FeeLamports, Why: l.Failed})
	}
	return p, nil
}

func lower(a, b Reading) int {
	switch {
	case a.Tip.Height < b.Tip.Height:
		return -1
	case a.Tip.Height > b.Tip.Height:
		return 1
	}
	return 0
}

// reasonOf returns the reason why a payment moved no money. The instructions are at fault only if
// the chain rejected an attempt for a cause other than the receipt or the fee.
func reasonOf(p Payment, readings []Reading) Refusal {
	for _, l := range readings[0].Landed {
		if l.Failed == "" || !p.has(Attempt{Signature: l.Signature}) {
			continue
		}
		if l.Poor {
			return Refusal{Reason: ReasonFunds, Detail: l.Failed}
		}
		return Refusal{Reason: ReasonSimulation, Detail: l.Failed}
	}
	return Refusal{Reason: ReasonExpired, Detail: "It did not reach the chain."}
}

// bury writes that no attempt landed and no attempt can land. If the journal has attempts that the
// ledger lacks, bury adopts these attempts first.
func (e Engine) bury(ctx context.Context, m movement, p Payment, readings []Reading) (Payment, Next, error) {
	if adopted, found, err := e.adopt(ctx, p); err != nil || found {
		return adopted, Next{}, err
	}
	why := reasonOf(p, readings)
	if why.Reason == ReasonExpired && e.renewable(m, p) {
		return e.renew(ctx, m, p)
	}
	p, err := e.count(ctx, p, readings)
	if err != nil {
		return p, Next{}, err
	}
	e.Log.WarnContext(ctx, "payment is dead", "payment", p.ID.String(), "attempts", len(p.Attempts), "failed", len(p.Failures))
	p.DeadAt = e.Now().UTC()
	p, parts, err := e.fault(ctx, m, p, why)
	if err == nil {
		p, err = e.end(ctx, p, parts...)
	}
	return p, Next{}, err
}

// rebind binds a payment to the next generation's receipt. A third party created the current
// receipt, so no attempt landed, and all attempts have expired. A Return collects the lamports of the
// blocked receipt.
func (e Engine) rebind(ctx context.Context, m movement, p Payment, readings []Reading) (Payment, Next, error) {
	if adopted, found, err := e.adopt(ctx, p); err != nil || found {
		return adopted, Next{}, err
	}
	p, err := e.count(ctx, p, readings)
	if err != nil {
		return p, Next{}, err
	}
	receipt, err := e.receipt(ctx, m.wallet, p.ID, p.Receipt.Generation+1)
	if err != nil {
		return p, Next{}, err
	}
	e.Log.WarnContext(ctx, "a third party created a receipt; the payment uses the next generation", "payment", p.ID.String(), "generation", receipt.Generation)
	p.Blocked = append(slices.Clone(p.Blocked), *p.Receipt)
	p.Receipt, p.Attempts, p.SeenAt, p.BoundAt = receipt, nil, time.Time{}, e.Now().UTC()
	if err := e.Store.Bind(ctx, p); err != nil {
		return p, Next{}, err
	}
	p.Version++
	return p, Next{}, nil
}

// giveUp ends a payment whose outcome is not known. The amount is a reserved liability until an
// operator decides. The cost of failed attempts is in the run's proof, if all providers agree on the
// cost.
func (e Engine) giveUp(ctx context.Context, p Payment, readings []Reading) (Payment, error) {
	if counted, err := e.count(ctx, p, readings); err == nil {
		p = counted
	}
	p.UnknownSince = e.Now().UTC()
	e.Log.WarnContext(ctx, "payment is undecided; its amount is reserved, and the providers are asked again later",
		slog.String("payment", p.ID.String()), slog.String("asset", p.Asset.String()), slog.Uint64("amount", p.Amount),
		slog.String(terms.LogMint, p.Mint.String()))
	return e.end(ctx, p)
}
