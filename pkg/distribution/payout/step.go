package payout

import (
	"context"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// begin decides what the lane's value is for: it builds and simulates the
// transaction with that value, and binds the intent if that would succeed.
func (e Engine) begin(ctx context.Context, m movement, i Intent) (Intent, Next, error) {
	lane, next, err := e.lane(ctx, m, i)
	if err != nil {
		return e.refuse(ctx, m, i, nil, err)
	}
	if lane == nil {
		return i, next, nil
	}
	// Before anything is decided: what was paid already is missing in the wallet.
	if err := e.unsigned(ctx, i, *lane); err != nil {
		return i, Next{}, err
	}
	p, err := e.prepare(ctx, m, i, lane.Address, lane.Value)
	if err != nil {
		return e.refuse(ctx, m, p.intent, nil, err)
	}
	bound := p.intent
	bound.Lane, bound.Value, bound.BoundAt = lane.Number, lane.Value, e.Now().UTC()
	lane.Intent = bound.ID
	if err := e.Store.Bind(ctx, bound, *lane); err != nil {
		return i, Next{}, err
	}
	bound.Version++
	p.intent = bound
	return e.launch(ctx, m, p)
}

// unsigned makes sure that nothing was ever signed for an intent that the ledger has
// not begun. A ledger that was restored from a backup has forgotten what was, and the
// lane's value does not always show it: an attempt that the ledger does remember may
// have led it past those that it does not.
func (e Engine) unsigned(ctx context.Context, i Intent, lane Lane) error {
	signed, err := e.Journal.Has(ctx, i)
	if err != nil || !signed {
		return err
	}
	// Somebody else may have begun it since it was read: the journal is written last.
	stored, err := e.Store.Intent(ctx, i.ID)
	switch {
	case errors.Is(err, ErrNotFound):
	case err != nil:
		return err
	case stored.Status() != Planned:
		return ErrConflict
	}
	fresh, err := e.Store.Lane(ctx, lane.Mint, lane.Number)
	if err != nil {
		return fmt.Errorf("read lane %d: %w", lane.Number, err)
	}
	return e.freeze(ctx, fresh)
}

// resume goes on with an intent that was bound and has nothing signed: what it is
// to do is built again.
func (e Engine) resume(ctx context.Context, m movement, i Intent) (Intent, Next, error) {
	lane, err := e.Store.Lane(ctx, i.Mint, i.Lane)
	if err != nil {
		return i, Next{}, fmt.Errorf("read lane %d: %w", i.Lane, err)
	}
	if next, err := e.agreed(ctx, &lane); err != nil || next != nil {
		return i, deref(next), err
	}
	p, err := e.prepare(ctx, m, i, lane.Address, i.Value)
	if err != nil {
		lane.Intent = ID{}
		return e.refuse(ctx, m, p.intent, &lane, err)
	}
	return e.launch(ctx, m, p)
}

func deref(next *Next) Next {
	if next == nil {
		return Next{}
	}
	return *next
}

// prepared is a transaction that would succeed.
type prepared struct {
	intent  Intent // with what the payload says of it
	payload Payload
	message wire.Message
	price   uint64
}

// errTooBig: the instructions do not fit into one transaction.
var errTooBig = &Refusal{Reason: ReasonSimulation, Detail: "The transaction is too large."}

// prepare builds the transaction on a value of a lane and simulates it. A *Refusal
// decides against the intent.
func (e Engine) prepare(ctx context.Context, m movement, i Intent, lane solana.PublicKey, value solana.Hash) (prepared, error) {
	d, err := m.build(ctx)
	if err != nil {
		return prepared{intent: withDraft(i, d)}, err
	}
	i = withDraft(i, d)
	compile := func(units uint32, price uint64) (wire.Message, error) {
		return m.version.compose(m.wallet.Address, lane, value, units, price, d.Instructions)
	}
	trial, err := compile(computebudget.MaxUnitLimit, 0)
	if err != nil {
		e.Log.InfoContext(ctx, "transaction does not fit", "intent", i.ID.String(), "cause", err.Error())
		return prepared{intent: i}, errTooBig
	}
	spare, err := e.afford(ctx, m, i, d.own, fee(trial, 0, 0))
	if err != nil {
		return prepared{intent: i}, err
	}
	unsigned := wire.NewTransaction(trial)
	if d.Check != nil {
		if err := d.Check(ctx, unsigned, lane); err != nil {
			return prepared{intent: i}, err
		}
	}
	result, err := e.Chains[0].Try(ctx, unsigned.Bytes())
	if err == nil {
		err = m.judge(i, result)
	}
	if err != nil {
		return prepared{intent: i}, fmt.Errorf("simulate: %w", err)
	}
	p := prepared{intent: i, payload: d.Payload, price: e.Fees.Start}
	units := unitsFor(result.Units)
	if computebudget.PriorityFee(units, p.price) > spare {
		return p, &Refusal{Reason: ReasonFunds, Detail: "The wallet has too little SOL for the priority fee."}
	}
	if p.message, err = compile(units, p.price); err != nil {
		return p, fmt.Errorf("compile the transaction: %w", err)
	}
	return p, nil
}

// judge reads the result of a simulation. Of a batch, whose fee is known to be
// there, a shortage is its recipients' account's, so it is split like any other.
func (m movement) judge(i Intent, result Trial) error {
	switch {
	case result.OK:
		return nil
	case result.Passing:
		return apperr.Upstream("The Solana network", errors.New(result.Detail))
	case result.Funds && !m.divisible(i):
		return &Refusal{Reason: ReasonFunds, Detail: result.Detail}
	}
	return &Refusal{Reason: ReasonSimulation, Detail: result.Detail}
}

// withDraft writes what the payload says of the intent into it.
func withDraft(i Intent, d draft) Intent {
	i.Skips, i.Made, i.Amount = d.Skips, d.made, d.amount
	return i
}

// divisible says whether a batch may be split.
func (m movement) divisible(i Intent) bool { return i.size() > 1 }

// refuse decides against an intent with nothing signed, if cause is a *Refusal:
// a batch is split, until the record that cannot be paid is alone. lane is what it
// frees, nil when the intent was not bound. Any other cause is given back.
func (e Engine) refuse(ctx context.Context, m movement, i Intent, lane *Lane, cause error) (Intent, Next, error) {
	var refusal *Refusal
	if !errors.As(cause, &refusal) {
		return i, Next{}, cause
	}
	e.Log.InfoContext(ctx, "intent is refused before signing", "intent", i.ID.String(),
		"reason", string(refusal.Reason), "detail", refusal.Detail)
	if refusal.Reason == ReasonSimulation && m.divisible(i) {
		i.Detail = refusal.Detail
		return e.split(ctx, i, lane)
	}
	i.Refused, i.Detail = refusal.Reason, refusal.Detail
	if err := e.blame(ctx, m, &i, refusal.Reason); err != nil {
		return i, Next{}, err
	}
	return e.end(ctx, i, lane)
}

// split ends a batch whose halves take its place; what it would have done is
// theirs.
func (e Engine) split(ctx context.Context, i Intent, lane *Lane) (Intent, Next, error) {
	i.Split, i.Skips, i.Made, i.Amount = true, nil, nil, 0
	return e.end(ctx, i, lane, i.halves()...)
}

// blame writes down why the records of a batch were not paid that are not skipped
// for reasons of their own: of a single one that the chain refuses, so that it is
// left out until its account changes.
func (e Engine) blame(ctx context.Context, m movement, i *Intent, reason Reason) error {
	if m.hold == nil || i.size() == 0 || reason == ReasonNobody {
		return nil
	}
	var hold [8]byte
	if i.size() == 1 && reason == ReasonSimulation {
		reason = reasonRefused
		var err error
		if hold, err = m.hold(ctx); err != nil {
			return err
		}
	}
	skipped := map[uint32]bool{}
	for _, s := range i.Skips {
		skipped[s.Record] = true
	}
	for record := i.From; record < i.To; record++ {
		if !skipped[record] {
			i.Skips = append(i.Skips, Skip{Record: record, Reason: reason, Hold: hold})
		}
	}
	return nil
}

// end writes a decided intent, and gives it as it is stored.
func (e Engine) end(ctx context.Context, i Intent, lane *Lane, parts ...Intent) (Intent, Next, error) {
	if i.size() > 0 && i.Status() != Unknown { // batches are many; the journal has their bytes
		for n := range i.Attempts {
			i.Attempts[n].Bytes = nil
		}
	}
	if err := e.Store.End(ctx, i, lane, parts...); err != nil {
		return i, Next{}, err
	}
	e.measure(ctx, i)
	i.Version++
	return i, Next{}, nil
}
