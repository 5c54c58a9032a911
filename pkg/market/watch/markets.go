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
	// MostMarkets is how many market transactions a run looks at.
	MostMarkets = 500
	// accountsAtOnce is how many accounts a node reads in one call.
	accountsAtOnce = 100
	// lookAgain lies between two looks at a transaction that can land no more and whose
	// effect cannot be read, for keepUnread: a program may have changed.
	lookAgain  = 10 * time.Minute
	keepUnread = 24 * time.Hour
)

// ErrTaken: the transaction's end is known.
var ErrTaken = errors.New("transaction is taken")

// MarketStore keeps the transactions that make or change markets. Each write is one
// transaction whose conditions are the rules.
type MarketStore interface {
	// Due lists up to most transactions that are due at now. Where there are more, a fifth
	// are the newest, and the others those that are due for longest. The list may lag.
	Due(ctx context.Context, now time.Time, most int) ([]transaction.Issued, error)
	// PutOff puts the next look off to next; ErrTaken when it has ended.
	PutOff(ctx context.Context, i transaction.Issued, next time.Time) error
	// Expire ends a transaction that can land no more; ErrTaken when it has ended.
	Expire(ctx context.Context, i transaction.Issued) error
	// PoolSeen ends a transaction whose pool is there, and shows the pool in its token's
	// record, if the token was launched here: as the token's when its creator made it and
	// the record has none of that kind, or beside. ErrTaken when it has ended.
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
// that is not older. A node that is behind decides nothing. What was done is found by its
// effect, and not by its sender. An effect that cannot be read is an error, and looked at
// more rarely; after a day its transaction expires, too.
//
// Preparing is free, so most transactions never land. A look at one costs a hundredth of a
// call or two, and a write only when it ends; the newest have places of their own.
//
// A run looks at up to Most transactions. It makes a call of the node for each 50 or 100,
// and one; of the store one for the list and one for each 100 of them, one or two to end
// each, and one for each curve that is to be cancelled.
type Markets struct {
	Store MarketStore
	Chain MarketChain
	// Raydium says where its program is.
	Raydium raydium.Network
	// Most bounds a run by count.
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
	Taken   int // that another run has ended
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
	due, err := m.Store.Due(ctx, m.Now(), m.Most)
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
	for _, some := range m.batches(ctx, due, fail) {
		if ctx.Err() != nil {
			break // the next run's
		}
		behind, err := m.read(ctx, tip.Slot, some)
		switch {
		case err != nil:
			failures = append(failures, err)
			report.Errors += len(some)
		case behind:
			report.Behind += len(some)
			m.Log.WarnContext(ctx, "market transactions not decided: the node is behind", "transactions", len(some), "slot", tip.Slot)
		default:
			m.decideAll(ctx, some, tip.Height, &report, fail)
		}
	}
	return report, errors.Join(failures...)
}

// batches finds where the effects of the transactions show, and cuts them into those whose
// accounts are read in one call.
func (m Markets) batches(ctx context.Context, due []transaction.Issued, fail func(transaction.Issued, error)) [][]*watched {
	var all [][]*watched
	room := 0
	for _, i := range due {
		w := &watched{Issued: i, addresses: []solana.PublicKey{i.Subject}}
		if err := m.locate(ctx, w); err != nil {
			fail(i, m.later(ctx, i, err))
			continue
		}
		if room < len(w.addresses) {
			all, room = append(all, nil), accountsAtOnce
		}
		room -= len(w.addresses)
		all[len(all)-1] = append(all[len(all)-1], w)
	}
	return all
}

// read reads the accounts of some at once; behind is true when the node has not come to
// the slot.
func (m Markets) read(ctx context.Context, slot uint64, some []*watched) (behind bool, err error) {
	var addresses []solana.PublicKey
	for _, w := range some {
		addresses = append(addresses, w.addresses...)
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
	for _, w := range some {
		w.found, accounts = accounts[:len(w.addresses)], accounts[len(w.addresses):]
	}
	return false, nil
}

func (m Markets) decideAll(ctx context.Context, some []*watched, height uint64, report *MarketReport, fail func(transaction.Issued, error)) {
	for _, w := range some {
		if ctx.Err() != nil {
			return // the next run's
		}
		fate, err := m.decide(ctx, w, height)
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
}

// decide ends a transaction if its end is known.
func (m Markets) decide(ctx context.Context, w *watched, height uint64) (transaction.Fate, error) {
	seen, err := m.see(ctx, w)
	switch {
	case err != nil && height > w.LastValid:
		return "", m.later(ctx, w.Issued, err)
	case err != nil:
		return "", err
	case seen:
		return transaction.Seen, nil
	case height > w.LastValid:
		return transaction.Expired, m.Store.Expire(ctx, w.Issued)
	}
	return transaction.Open, nil
}

// later puts the next look at a transaction whose effect cannot be read off, or ends it
// when that has been so for a day, and gives why.
func (m Markets) later(ctx context.Context, i transaction.Issued, why error) error {
	if _, cannot := errors.AsType[unreadable](why); !cannot {
		return why
	}
	if m.Now().Sub(i.CreatedAt) > keepUnread {
		return errors.Join(why, m.Store.Expire(ctx, i))
	}
	return errors.Join(why, m.Store.PutOff(ctx, i, m.Now().Add(lookAgain)))
}
