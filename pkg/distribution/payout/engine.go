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

// Engine moves money. An Engine has no state in memory: any number of engines may work on
// the same wallet. A call does only steps that are safe at that moment. An engine may crash
// at any point.
type Engine struct {
	Store   Store
	Journal Journal
	Phases  Phases
	Records Records
	// Chains are the providers. The first provider sends and simulates. All providers must
	// agree on a final outcome.
	Chains []Chain
	Wallet Wallet
	// Guardian co-signs collections of tokens with a guardian. If nil, such collections are
	// cancelled, and the tax stays withheld.
	Guardian Guardian
	// Fees bound the price of a compute unit. The first attempt offers the price of recent
	// transactions that wrote the wallet, every later attempt twice as much.
	Fees computebudget.Bounds
	// Pace is the pace of checks and attempts. A zero Pace means usual.
	Pace Pace
	// Reserved returns the amount of an asset that must stay in the wallet for Unknown
	// payments. If nil, the wallet reserves nothing.
	Reserved func(ctx context.Context, mint solana.PublicKey, asset terms.Asset) (uint64, error)
	// Freeze stops a token until an operator has resolved the cause. Freeze is idempotent.
	// If nil, the engine freezes nothing.
	Freeze func(ctx context.Context, mint solana.PublicKey, why string) error
	Now    func() time.Time
	Log    *slog.Logger
}

const (
	// tries is the maximum number of reads in a call when other workers write concurrently.
	tries = 5
	// lookAgain is the pause after repeated conflicts, and after a timeout of a node or a
	// store.
	lookAgain = 2 * time.Second
	// capPause is the pause after the signer rejected a payment because of a cap.
	capPause = time.Minute
)

// movement is a payment with the functions that advance the payment.
type movement struct {
	wallet token.Wallet
	plan   Payment // the payment before the first write
	// late reports that the deadline of new bindings is over.
	late bool
	// version is the encoding of the payment's transactions.
	version Version
	// bind completes the plan before the binding; nil if the plan is complete.
	bind func(ctx context.Context, p Payment) (Payment, *own, error)
	// build returns the instructions of a bound payment.
	build func(ctx context.Context, p Payment) (Payload, error)
	// hold returns the fingerprint of the only record's account; nil for a payment that is
	// not a batch.
	hold func(ctx context.Context, p Payment) ([8]byte, error)
	// recent returns the blockhash and the price, the same for all payments of a call.
	recent func(ctx context.Context) (chainState, error)
}

// Advance advances a payment that is not a batch by one safe step. p is the plan: ID, Mint,
// Asset and Amount. Advance calls build before the first signature. Advance returns the
// stored payment, and Done once the payment is decided.
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

// planned returns the plan of the payment.
func (p Payment) planned() Payment {
	return Payment{ID: p.ID, Mint: p.Mint, Asset: p.Asset, Amount: p.Amount}
}

// Cancel cancels a payment that is not a batch, and returns the stored payment. Cancel does not
// change a payment that is decided or has a signed transaction. The caller must advance a payment
// with a signed transaction to its end.
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

// stored returns the ledger's record of a payment, or the plan if the ledger has no record.
func (e Engine) stored(ctx context.Context, plan Payment) (Payment, error) {
	p, err := e.Store.Payment(ctx, plan.ID)
	if errors.Is(err, ErrNotFound) {
		return plan, nil
	}
	return p, err
}

// Signed returns the landed transaction of a payment that is not a batch.
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

// passes reports whether an error is transient, and returns the time of the next try.
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

// step reads the payment and does the step of the payment's status. If another worker has
// written first, step reads again.
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

// chainState is the blockhash and the price of a call's transactions.
type chainState struct {
	onchain.Blockhash
	price uint64 // offered for a compute unit by a first attempt
	first Next   // the time until the first check after a send
}

// recent returns a function that reads the blockhash of a call and the price of a compute unit,
// on the first use. LastValid is the maximum over all providers: see rule 3 in docs/payouts.md.
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

// first returns the time between a send and the first check: the measured finality of the network,
// at most Pace.Resend.
func (e Engine) first(ctx context.Context) Next {
	final, err := e.Chains[0].FinalTime(ctx)
	if err != nil || final > e.pace().Resend {
		final = e.pace().Resend
	}
	return e.pace().next(final)
}

// agreed returns a blockhash that all providers know. If only one provider knew the blockhash, that
// provider alone would decide when attempts expire, because the other providers may be far behind.
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
	return onchain.Blockhash{}, apperr.Upstream("The Solana network", errors.New("no provider returns a blockhash that the others know"))
}

// blockhashBlocks is the lifetime of a blockhash in blocks (Agave, MAX_PROCESSING_AGE).
const blockhashBlocks = 150
