package payout

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Engine moves money. It keeps nothing in memory: any number of engines may work
// on the same wallet, each call does what is safe to do now and ends, and any of
// them may crash anywhere.
type Engine struct {
	Store   Store
	Journal Journal
	Phases  Phases
	Records Records
	// Chains are the providers: the first one sends and simulates, all of them must
	// agree on what is final.
	Chains []Chain
	Wallet Wallet
	// Fees bound what attempts offer for a compute unit: what others offer who write the
	// wallet, then twice as much each time.
	Fees computebudget.Bounds
	// Pace is usual when it is zero.
	Pace Pace
	// Reserved gives what of an asset must stay in the wallet, for payments of which it
	// cannot be said what landed; nil when that is nothing.
	Reserved func(ctx context.Context, mint solana.PublicKey, asset terms.Asset) (uint64, error)
	// Freeze stops a token until an operator has resolved it, and says why; nil freezes
	// nothing. A token that is frozen already is no error.
	Freeze func(ctx context.Context, mint solana.PublicKey, why string) error
	Now    func() time.Time
	Log    *slog.Logger
}

const (
	// tries is how often a call reads again after another worker has written.
	tries = 5
	// lookAgain is the pause after a conflict that lasts, and after a node or store
	// did not answer.
	lookAgain = 2 * time.Second
	// capPause is the pause after a cap was reached.
	capPause = time.Minute
)

// movement is a payment with what is needed to bring it further.
type movement struct {
	wallet token.Wallet
	plan   Payment // as it is before it is first stored
	// late: nothing new is bound any more.
	late bool
	// version is how its transactions are encoded.
	version Version
	// bind decides what the payment does; nil when its plan says that.
	bind func(ctx context.Context, p Payment) (Payment, *own, error)
	// build gives the instructions of a bound payment.
	build func(ctx context.Context, p Payment) (Payload, error)
	// hold gives the fingerprint of the account of the only record; nil for payments
	// that are no batch.
	hold func(ctx context.Context, p Payment) ([8]byte, error)
	// recent gives what to sign on, the same for all payments of a call.
	recent func(ctx context.Context) (chainState, error)
}

// Advance brings a payment that is no batch one safe step further. It is as planned
// (ID, Mint, Asset, Amount); build is asked when it is to be signed first. It gives the
// payment as it is afterwards, and says done when that is decided.
func (e Engine) Advance(ctx context.Context, wallet token.Wallet, p Payment, build func(ctx context.Context) (Payload, error)) (Payment, Next, error) {
	return e.advance(ctx, movement{
		wallet: wallet, plan: p.planned(), recent: e.recent(wallet),
		build: func(ctx context.Context, _ Payment) (Payload, error) { return build(ctx) },
	})
}

func (e Engine) advance(ctx context.Context, m movement) (Payment, Next, error) {
	result, next, err := e.step(ctx, m)
	if err != nil {
		if next, ok := e.passes(ctx, err, m.plan.ID); ok {
			return result, next, nil
		}
		return result, Next{}, fmt.Errorf("advance payment %s: %w", m.plan.ID, err)
	}
	next.Done = result.Status().Decided()
	return result, next, nil
}

// planned is the payment without anything that was done about it.
func (p Payment) planned() Payment {
	return Payment{ID: p.ID, Mint: p.Mint, Asset: p.Asset, Amount: p.Amount}
}

// Cancel decides that a payment which is no batch is not made, unless it is decided already or
// a transaction of it is signed. It returns the payment as it is stored. A payment with a signed
// transaction has to be brought to its end.
func (e Engine) Cancel(ctx context.Context, p Payment, reason Reason, detail string) (Payment, error) {
	for range tries {
		p, err := e.cancel(ctx, p.planned(), reason, detail)
		if !errors.Is(err, ErrConflict) {
			return p, err
		}
	}
	return p, ErrConflict
}

func (e Engine) cancel(ctx context.Context, plan Payment, reason Reason, detail string) (Payment, error) {
	p, err := e.stored(ctx, plan)
	if err != nil {
		return p, err
	}
	switch p.Status() {
	case Planned:
		if err := e.fresh(ctx, p); err != nil {
			return p, err
		}
	case Bound:
		if adopted, found, err := e.adopt(ctx, p); err != nil || found {
			return adopted, err
		}
	case Sent, Landed, Dead, Void, Split, Cancelled, Unknown:
		return p, nil
	}
	p.Refused, p.Detail = reason, detail
	return e.end(ctx, p)
}

// stored gives a payment as the ledger has it, or as it is planned.
func (e Engine) stored(ctx context.Context, plan Payment) (Payment, error) {
	p, err := e.Store.Payment(ctx, plan.ID)
	if errors.Is(err, ErrNotFound) {
		return plan, nil
	}
	return p, err
}

// Signed gives the transaction of a payment that landed and is no batch.
func (e Engine) Signed(_ context.Context, p Payment) ([]byte, error) {
	if p.Outcome != nil {
		for _, attempt := range p.Attempts {
			if attempt.Signature == p.Outcome.Signature && len(attempt.Bytes) > 0 {
				return attempt.Bytes, nil
			}
		}
	}
	return nil, fmt.Errorf("payment %s has no transaction that landed", p.ID)
}

// passes says whether an error is a silence: then the step is tried again.
func (e Engine) passes(ctx context.Context, err error, id ID) (Next, bool) {
	if errors.Is(err, ErrCap) {
		e.Log.WarnContext(ctx, "payment has to wait for a cap", "payment", id.String(), "cause", err.Error())
		return Next{After: capPause}, true
	}
	if !errors.Is(err, onchain.ErrBehind) && !errors.Is(err, ErrConflict) && apperr.KindOf(err) != apperr.Unavailable {
		return Next{}, false
	}
	e.Log.WarnContext(ctx, "payment has to wait", "payment", id.String(), "cause", err.Error())
	return Next{After: lookAgain}, true
}

// step reads the payment and does what its status asks for, again when another worker
// has written meanwhile.
func (e Engine) step(ctx context.Context, m movement) (p Payment, next Next, err error) {
	for range tries {
		if p, err = e.stored(ctx, m.plan); err != nil {
			return p, Next{}, err
		}
		switch p.Status() {
		case Planned:
			p, next, err = e.begin(ctx, m, p)
		case Bound:
			p, next, err = e.resume(ctx, m, p)
		case Sent:
			p, next, err = e.look(ctx, m, p)
		case Landed, Dead, Void, Split, Cancelled, Unknown:
			return p, Next{}, nil
		}
		if !errors.Is(err, ErrConflict) {
			return p, next, err
		}
	}
	return p, next, err
}

// chainState is the blockhash that the transactions of a call use, and their price.
type chainState struct {
	onchain.Blockhash
	price uint64 // offered for a compute unit first
	first Next   // until what is sent on it is looked for
}

// recent gives the blockhash that a call signs on, and what others offer for a compute
// unit, both read when they are first needed. A blockhash lives for as long as any provider
// lets it: see rule 3 in docs/payouts.md.
func (e Engine) recent(wallet token.Wallet) func(ctx context.Context) (chainState, error) {
	turn := make(chan struct{}, 1)
	var found chainState
	return func(ctx context.Context) (chainState, error) {
		turn <- struct{}{}
		defer func() { <-turn }()
		if found.LastValid > 0 {
			return found, nil
		}
		fresh := chainState{price: e.Fees.Ask(ctx, e.Chains[0], wallet.Address)}
		var err error
		if fresh.Blockhash, err = e.agreed(ctx); err != nil {
			return chainState{}, err
		}
		for _, chain := range e.Chains {
			height, err := chain.Height(ctx)
			if err != nil {
				return chainState{}, err
			}
			fresh.LastValid = max(fresh.LastValid, height+blockhashBlocks)
		}
		fresh.first = e.first(ctx)
		found = fresh
		return found, nil
	}
}

// first returns the time until a transaction that is sent now is looked for: until it can be final,
// if that is soon, otherwise until it is sent again.
func (e Engine) first(ctx context.Context) Next {
	final, err := e.Chains[0].FinalTime(ctx)
	if err != nil || final > e.pace().Resend {
		final = e.pace().Resend
	}
	return e.pace().next(final)
}

// agreed gives a blockhash of one provider that all others know. Of one that a provider alone
// knows, its word would say until when attempts live: the others may be far behind.
func (e Engine) agreed(ctx context.Context) (onchain.Blockhash, error) {
	for n, chain := range e.Chains {
		recent, err := chain.RecentBlockhash(ctx)
		if err != nil {
			return onchain.Blockhash{}, err
		}
		known := true
		for k, other := range e.Chains {
			if k == n || !known {
				continue
			}
			if known, err = other.Knows(ctx, recent.Hash); err != nil {
				return onchain.Blockhash{}, err
			}
		}
		if known {
			return recent, nil
		}
	}
	return onchain.Blockhash{}, apperr.Upstream("The Solana network", errors.New("no provider gives a blockhash that the others know"))
}

// blockhashBlocks is how many blocks a blockhash lives for (Agave,
// MAX_PROCESSING_AGE).
const blockhashBlocks = 150
