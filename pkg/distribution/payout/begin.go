package payout

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token/terms"
)

// begin decides a planned payment. begin builds and simulates the transaction, and binds the
// payment if the simulation succeeds. After the deadline, or after a refusal, begin cancels the
// payment.
func (e Engine) begin(ctx context.Context, m movement, p Payment) (Payment, Next, error) {
	// Check before the decision: a forgotten payment has already reduced the wallet's balance.
	if err := e.fresh(ctx, p); err != nil {
		return p, Next{}, err
	}
	if m.late {
		return e.refuse(ctx, m, p, errLate)
	}
	var has *own
	var err error
	if m.bind != nil {
		if p, has, err = m.bind(ctx, p); err != nil {
			return e.refuse(ctx, m, p, err)
		}
	}
	if p.Receipt, err = e.receipt(ctx, m.wallet, p.ID, 0); err != nil {
		return p, Next{}, err
	}
	prep, err := e.prepare(ctx, m, p, has)
	if err != nil {
		return e.refuse(ctx, m, p, err)
	}
	p.BoundAt = e.Now().UTC()
	if err := e.Store.Bind(ctx, p); err != nil {
		return p, Next{}, err
	}
	p.Version++
	return e.launch(ctx, m, p, prep)
}

// errLate is the refusal of a payment that was unsigned at the deadline.
var errLate = &Refusal{Reason: ReasonLate, Detail: "There was no time left for it."}

// fresh checks that the journal has no record of a payment that the ledger calls planned. A ledger
// that was restored from a backup has lost newer payments. The chain does not show such a payment
// if the receipt is closed. It returns ErrRestored if the journal has a record.
func (e Engine) fresh(ctx context.Context, p Payment) error {
	signed, err := e.Journal.Has(ctx, p)
	if err != nil || !signed {
		return err
	}
	// Another worker may have bound the payment since the read: the journal is written after the
	// ledger.
	stored, err := e.stored(ctx, p.planned())
	switch {
	case err != nil:
		return err
	case stored.Version != p.Version:
		return ErrConflict
	}
	return ErrRestored
}

// resume continues a bound payment without an attempt in the ledger. If the journal has an unsent
// attempt, resume adopts the attempt. Otherwise resume signs the first attempt, or cancels the
// payment after the deadline. A cancelled payment cannot land: a worker that signs concurrently
// sends an attempt only after the ledger has recorded the attempt, and the ledger rejects attempts
// of a cancelled payment.
func (e Engine) resume(ctx context.Context, m movement, p Payment) (Payment, Next, error) {
	if adopted, found, err := e.adopt(ctx, p); err != nil || found {
		return adopted, Next{}, err
	}
	if m.late {
		return e.refuse(ctx, m, p, errLate)
	}
	prep, err := e.prepare(ctx, m, p, nil)
	if err != nil {
		return e.refuse(ctx, m, p, err)
	}
	return e.launch(ctx, m, p, prep)
}

// adopt writes attempts into the ledger that only the journal has, and reports whether there were
// any. It returns ErrRestored if the journal has a landing that the ledger lacks.
func (e Engine) adopt(ctx context.Context, p Payment) (Payment, bool, error) {
	kept, err := e.Journal.Of(ctx, p)
	if err != nil {
		return p, false, err
	}
	known := len(p.Attempts)
	for _, k := range kept {
		newer := k.Receipt != nil && p.Receipt != nil && k.Receipt.Generation > p.Receipt.Generation
		if k.Outcome != nil || newer {
			stored, err := e.stored(ctx, p.planned())
			if err == nil && stored.Version != p.Version {
				err = ErrConflict
			}
			if err == nil {
				err = ErrRestored
			}
			return p, false, err
		}
		p = p.with(k)
	}
	if len(p.Attempts) == known {
		return p, false, nil
	}
	if err := e.Store.Record(ctx, p); err != nil {
		return p, false, err
	}
	p.Version++
	return p, true, nil
}

// with returns p with the attempts that another record of the payment has for the same receipt.
func (p Payment) with(other Payment) Payment {
	if p.Receipt != nil && (other.Receipt == nil || *other.Receipt != *p.Receipt) {
		return p
	}
	p.Attempts = p.Attempts[:len(p.Attempts):len(p.Attempts)]
	for _, a := range other.Attempts {
		if !p.has(a) {
			p.Attempts = append(p.Attempts, a)
		}
	}
	return p
}

// prepared is a transaction whose simulation succeeded.
type prepared struct {
	payload Payload
	message wire.Message
	recent  chainState
	price   uint64
	rent    uint64 // of the receipt
}

// errTooBig is the refusal of instructions that do not fit into one transaction.
var errTooBig = &Refusal{Reason: ReasonSimulation, Detail: "The transaction is too large."}

// prepare builds and simulates the transaction. It returns a *Refusal if the payment must not be
// made.
func (e Engine) prepare(ctx context.Context, m movement, p Payment, has *own) (prepared, error) {
	payload, err := m.build(ctx, p)
	if err != nil {
		return prepared{}, err
	}
	prep := prepared{payload: payload}
	if prep.recent, err = m.recent(ctx); err != nil {
		return prepared{}, err
	}
	prep.price = prep.recent.price
	if p.Receipt != nil {
		if prep.rent, err = e.Chains[0].MinimumBalance(ctx, 0); err != nil {
			return prepared{}, err
		}
	}
	compile := func(a asked) (wire.Message, error) {
		return m.version.compose(m.wallet.Address, p.Receipt, prep.rent, prep.recent.Hash, a, payload)
	}
	if payload.Rest != nil {
		if has, err = e.has(ctx, m.wallet.Address, terms.SOL); err != nil {
			return prepared{}, err
		}
		compile = payload.emptying(m, prep.recent.Hash, has.lamports)
	}
	trial, err := compile(asked{units: computebudget.MaxUnitLimit, data: p.dataFor(0)})
	if refusal, ok := errors.AsType[*Refusal](err); ok {
		return prepared{}, refusal
	}
	if err != nil {
		e.Log.InfoContext(ctx, "transaction does not fit", "payment", p.ID.String(), "cause", err.Error())
		return prepared{}, errTooBig
	}
	spare := uint64(math.MaxUint64)
	if payload.Rest == nil { // else Rest leaves out the fee
		if spare, err = e.afford(ctx, m, p, has, fee(trial, 0, 0)+prep.rent); err != nil {
			return prepared{}, err
		}
	}
	unsigned := wire.NewTransaction(trial)
	if payload.Check != nil {
		if err := payload.Check(ctx, unsigned, p.Receipt); err != nil {
			return prepared{}, err
		}
	}
	result, err := e.Chains[0].Try(ctx, unsigned.Bytes())
	if err == nil {
		err = judge(p, result)
	}
	if err != nil {
		return prepared{}, fmt.Errorf("simulate: %w", err)
	}
	units := unitsFor(result.Units)
	if computebudget.PriorityFee(units, prep.price) > spare {
		return prepared{}, &Refusal{Reason: ReasonFunds, Detail: "The wallet has too little SOL for the priority fee."}
	}
	if prep.message, err = compile(asked{units: units, data: p.dataFor(result.Data), price: prep.price}); err != nil {
		return prepared{}, fmt.Errorf("compile the transaction: %w", err)
	}
	return prep, nil
}

// emptying returns a function that composes the transaction of a payment that empties the wallet.
// A trial without a price counts the base fee.
func (p Payload) emptying(m movement, recent solana.Hash, lamports uint64) func(asked) (wire.Message, error) {
	return func(a asked) (wire.Message, error) {
		cost := signatureLamports + computebudget.PriorityFee(a.units, a.price)
		if cost > lamports {
			return wire.Message{}, &Refusal{Reason: ReasonFunds, Detail: "The wallet has too little SOL for the fee."}
		}
		last, err := p.Rest(lamports - cost)
		if err != nil {
			return wire.Message{}, err
		}
		whole := p
		whole.Instructions = append(slices.Clone(p.Instructions), last)
		return Legacy.compose(m.wallet.Address, nil, 0, recent, a, whole)
	}
}

// judge converts the result of a simulation into an error. If the receipt cannot be created, no
// recipient is at fault: the receipt exists already, or the wallet has too few lamports. A batch
// whose fee the wallet can pay fails for lack of funds only because of a recipient's account, so
// the batch is split as after any other failure.
func judge(p Payment, result SimulationResult) error {
	switch {
	case result.OK:
		return nil
	case result.Transient:
		return apperr.Upstream("The Solana network", errors.New(result.Detail))
	case result.First && p.Receipt != nil, result.Funds && p.size() <= 1:
		return &Refusal{Reason: ReasonFunds, Detail: result.Detail}
	}
	return &Refusal{Reason: ReasonSimulation, Detail: result.Detail}
}

// refuse cancels an unsigned payment if cause is a *Refusal, and returns any other cause. A batch
// is split until the record that cannot be paid is the only record.
func (e Engine) refuse(ctx context.Context, m movement, p Payment, cause error) (Payment, Next, error) {
	var refusal *Refusal
	if !errors.As(cause, &refusal) {
		return p, Next{}, cause
	}
	e.Log.InfoContext(ctx, "payment is cancelled before signing", "payment", p.ID.String(),
		"reason", string(refusal.Reason), "detail", refusal.Detail)
	p, parts, err := e.fault(ctx, m, p, *refusal)
	if err == nil {
		p, err = e.end(ctx, p, parts...)
	}
	return p, Next{}, err
}

// fault sets the reason of a payment that moves no money. If the instructions are at fault and the
// payment has several records, fault also returns the halves that replace the payment.
func (e Engine) fault(ctx context.Context, m movement, p Payment, why Refusal) (Payment, []Payment, error) {
	p.Refused, p.Detail = why.Reason, why.Detail
	if why.Reason == ReasonSimulation && p.size() > 1 {
		p.Split, p.Skips, p.Made, p.Memos, p.Amount = true, nil, nil, nil, 0
		return p, p.halves(), nil
	}
	return p, nil, e.blame(ctx, m, &p, why.Reason)
}

// blame skips the only record of a batch whose instructions are at fault, until the record's
// account changes.
func (e Engine) blame(ctx context.Context, m movement, p *Payment, reason Reason) error {
	if m.hold == nil || p.size() != 1 || reason != ReasonSimulation {
		return nil
	}
	hold, err := m.hold(ctx, *p)
	if err == nil {
		p.Skips = []Skip{{Record: p.From, Reason: reasonRefused, Hold: hold}}
	}
	return err
}

// end writes a decided payment, and returns the stored payment.
func (e Engine) end(ctx context.Context, p Payment, parts ...Payment) (Payment, error) {
	if p.size() > 0 && p.Status() != Unknown { // batches are many; the journal has their bytes
		for n := range p.Attempts {
			p.Attempts[n].Bytes = nil
		}
	}
	if err := e.Store.End(ctx, p, parts...); err != nil {
		return p, err
	}
	e.measure(ctx, p)
	p.Version++
	return p, nil
}
