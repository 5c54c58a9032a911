package watch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"tokenlaunch.example/service/pkg/platform/sweep"

	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

const (
	// MostMarkets is how many market transactions a run can look at: of each it reads
	// two accounts at most, all of them in one call of 100.
	MostMarkets = 50
	// lookAgain lies between two looks at a transaction: less than the minute between
	// two runs, so that each run looks at all that are open.
	lookAgain = 30 * time.Second
)

// ErrTaken: another run looks at the transaction, or its end is known.
var ErrTaken = errors.New("transaction is taken")

// MarketStore keeps the transactions that make or change markets. Each write is one
// transaction whose conditions are the rules.
type MarketStore interface {
	// Due lists up to most transactions that are due at now, the longest due first. The
	// list may lag: Claim decides.
	Due(ctx context.Context, now time.Time, most int) ([]transaction.Issued, error)
	// Claim puts the next look off; ErrTaken when the transaction is not open and due
	// at i.DueAt any more.
	Claim(ctx context.Context, i transaction.Issued, next time.Time) error
	// Expire ends a transaction that can land no more; ErrTaken when it has ended.
	Expire(ctx context.Context, i transaction.Issued) error
	// PoolSeen ends a transaction whose pool is there, and shows the pool in its
	// token's record, if the token was launched here and its record has none of that
	// kind. ErrTaken when it has ended.
	PoolSeen(ctx context.Context, i transaction.Issued, p token.Pool) error
	// Candidate gives the curve that a transaction makes, or market.ErrNotFound.
	Candidate(ctx context.Context, i transaction.Issued) (market.Curve, error)
	// Deploy records that a candidate is on the chain since c.CreatedAt, and ends its
	// transaction as seen. market.ErrConflict when its mint has another curve.
	Deploy(ctx context.Context, c market.Curve, id string) error
	// Curve gives the curve of a mint that is on the chain, or market.ErrNotFound.
	Curve(ctx context.Context, mint solana.PublicKey) (market.Curve, error)
	// CancelSeen ends a transaction that withdrew a curve, and has the index look at
	// the curve at once: it knows whether the curve was complete before. ErrTaken when
	// it has ended.
	CancelSeen(ctx context.Context, i transaction.Issued, now time.Time) error
}

// MarketChain is what is asked of the network.
type MarketChain interface {
	// Finality gives the newest finalized slot and the height of its block.
	Finality(ctx context.Context) (onchain.Tip, error)
	// AccountsAt is that of index.Chain.
	AccountsAt(ctx context.Context, from uint64, addresses ...solana.PublicKey) ([]*onchain.Account, uint64, error)
}

// Markets follows the transactions that make pools and curves and cancel curves.
// Several may run at once.
//
// What it promises: a transaction has expired only when the finalized chain is past
// the last block that could take it, and what it was to do is not there in a state
// that is not older. A node that is behind decides nothing. What was done is found by
// its effect, whoever sent it.
//
// A run looks at up to Most transactions. It makes two calls of the node; of the
// store one for the list, one to claim each transaction, one or two to end it, and one
// for each curve that is to be cancelled.
type Markets struct {
	Store MarketStore
	Chain MarketChain
	// Raydium says where its program is.
	Raydium raydium.Network
	// Most bounds a run by count, MostMarkets at most.
	Most int
	Now  func() time.Time
	Log  *slog.Logger
}

// MarketReport counts what a run did.
type MarketReport struct {
	Due     int // transactions that were due
	Seen    int
	Expired int
	Open    int // that may still land
	Taken   int // that another run has
	Behind  int // whose node is behind
	Errors  int
}

// Step gives the watcher as a part of the reconciler's runs.
func (m Markets) Step(within time.Duration) sweep.Step {
	return sweep.Step{Name: "markets", Within: within, Run: func(ctx context.Context) (sweep.Counts, error) {
		r, err := m.Run(ctx)
		return sweep.Counts{
			{Name: "due", N: r.Due},
			{Name: "seen", N: r.Seen},
			{Name: "expired", N: r.Expired},
			{Name: "open", N: r.Open},
			{Name: "taken", N: r.Taken},
			{Name: "behind", N: r.Behind},
			{Name: "errors", N: r.Errors},
		}, err
	}}
}

// watched is a transaction and the accounts in which its effect shows.
type watched struct {
	transaction.Issued
	curve     market.Curve // of a cancellation
	addresses []solana.PublicKey
	found     []*onchain.Account
}

// Run looks at the transactions that are due. It fails when one could not be looked
// after; the rest is done all the same.
func (m Markets) Run(ctx context.Context) (MarketReport, error) {
	var report MarketReport
	due, err := m.Store.Due(ctx, m.Now(), min(m.Most, MostMarkets))
	if err != nil {
		return report, fmt.Errorf("list market transactions: %w", err)
	}
	report.Due = len(due)
	if len(due) == 0 {
		return report, nil
	}
	// Read before the effects: what could land later than this, these may not show.
	tip, err := m.Chain.Finality(ctx)
	if err != nil {
		return report, err
	}
	var failures []error
	fail := func(i transaction.Issued, err error) {
		if errors.Is(err, ErrTaken) {
			report.Taken++
			return
		}
		report.Errors++
		failures = append(failures, fmt.Errorf("%s transaction %s: %w", i.Kind, i.ID, err))
	}
	claimed := m.claim(ctx, due, fail)
	behind, err := m.read(ctx, tip.Slot, claimed)
	if err != nil {
		return report, errors.Join(append(failures, err)...)
	}
	if behind {
		report.Behind = len(claimed)
		m.Log.WarnContext(ctx, "market transactions not decided: the node is behind", "transactions", len(claimed), "slot", tip.Slot)
		return report, errors.Join(failures...)
	}
	for _, w := range claimed {
		if ctx.Err() != nil {
			break // the next run's
		}
		fate, err := m.decide(ctx, w, tip.Height)
		switch {
		case err != nil:
			fail(w.Issued, err)
			continue
		case fate == transaction.Seen:
			report.Seen++
		case fate == transaction.Expired:
			report.Expired++
		default:
			report.Open++
			continue
		}
		m.Log.InfoContext(ctx, "market transaction ended", "transactionId", w.ID, "kind", string(w.Kind), "fate", string(fate),
			"mint", w.Mint.String(), "subject", w.Subject.String())
	}
	return report, errors.Join(failures...)
}

// claim puts the next look at each off first, so that one on which a run fails or
// dies does not stand in the way of the others, and says where their effects show.
func (m Markets) claim(ctx context.Context, due []transaction.Issued, fail func(transaction.Issued, error)) []*watched {
	var claimed []*watched
	for _, i := range due {
		if ctx.Err() != nil {
			break
		}
		w := &watched{Issued: i, addresses: []solana.PublicKey{i.Subject}}
		err := m.Store.Claim(ctx, i, m.Now().Add(lookAgain))
		if err == nil {
			err = m.locate(ctx, w)
		}
		if err != nil {
			fail(i, err)
			continue
		}
		claimed = append(claimed, w)
	}
	return claimed
}

// read reads the accounts of all at once; behind is true when the node has not come to
// the slot.
func (m Markets) read(ctx context.Context, slot uint64, claimed []*watched) (behind bool, err error) {
	var addresses []solana.PublicKey
	for _, w := range claimed {
		addresses = append(addresses, w.addresses...)
	}
	if len(addresses) == 0 {
		return false, nil
	}
	accounts, at, err := m.Chain.AccountsAt(ctx, slot, addresses...)
	switch {
	case errors.Is(err, onchain.ErrBehind), err == nil && at < slot:
		return true, nil
	case err != nil:
		return false, fmt.Errorf("read %d accounts of markets: %w", len(addresses), err)
	case len(accounts) != len(addresses):
		return false, fmt.Errorf("read %d accounts of markets: %d came", len(addresses), len(accounts))
	}
	for _, w := range claimed {
		w.found, accounts = accounts[:len(w.addresses)], accounts[len(w.addresses):]
	}
	return false, nil
}

// decide ends a transaction if its end is known.
func (m Markets) decide(ctx context.Context, w *watched, height uint64) (transaction.Fate, error) {
	seen, err := m.see(ctx, w)
	switch {
	case err != nil:
		return "", err
	case seen:
		return transaction.Seen, nil
	case height > w.LastValid:
		return transaction.Expired, m.Store.Expire(ctx, w.Issued)
	}
	return transaction.Open, nil
}
