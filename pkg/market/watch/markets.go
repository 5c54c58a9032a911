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
	// MaxMarkets is the maximum number of market transactions in a run.
	MaxMarkets = 500
	// accountsAtOnce is the maximum number of accounts in one call of a node.
	accountsAtOnce = 100
	// lookAgain is the time between two checks of a transaction that can no longer land and whose
	// effect cannot be read, because a program may have changed. The checks end after keepUnread.
	lookAgain  = 10 * time.Minute
	keepUnread = 24 * time.Hour
)

// ErrTaken is returned if the transaction has ended already.
var ErrTaken = errors.New("transaction is taken")

// MarketStore stores the transactions that create or change markets. Every write is a single
// transaction with the rules as conditions.
type MarketStore interface {
	// Due lists up to limit due transactions. If more transactions are due at now, a fifth of the
	// list is the newest transactions, and the rest is the transactions with the earliest due
	// times. The list may lag.
	Due(ctx context.Context, now time.Time, limit int) ([]transaction.Issued, error)
	// PutOff postpones the next check to next; ErrTaken if the transaction has ended.
	PutOff(ctx context.Context, i transaction.Issued, next time.Time) error
	// Expire ends a transaction that can no longer land; ErrTaken if the transaction has ended.
	Expire(ctx context.Context, i transaction.Issued) error
	// PoolSeen ends a transaction whose pool is on the chain. If the token was launched here,
	// PoolSeen adds the pool to the token's record: as the token's pool of the kind if the token's
	// creator created the pool and the record has no pool of the kind, and otherwise as a further
	// pool. It returns ErrTaken if the transaction has ended.
	PoolSeen(ctx context.Context, i transaction.Issued, p token.Pool) error
	// Candidate returns the curve that a transaction creates, or market.ErrNotFound.
	Candidate(ctx context.Context, i transaction.Issued) (market.Curve, error)
	// Deploy records that a candidate is on the chain since c.CreatedAt, and ends the transaction
	// as seen. It returns market.ErrConflict if the mint has another curve.
	Deploy(ctx context.Context, c market.Curve, id string) error
	// Curve returns the deployed curve of a mint, or market.ErrNotFound.
	Curve(ctx context.Context, mint solana.PublicKey) (market.Curve, error)
	// CancelSeen ends a transaction that withdrew a curve, and makes the curve due in the index,
	// which knows whether the curve was complete before. It returns ErrTaken if the transaction has
	// ended.
	CancelSeen(ctx context.Context, i transaction.Issued, now time.Time) error
}

// MarketChain is the subset of the network's API that Markets needs.
type MarketChain interface {
	// Finality returns the newest finalized slot and the block height of the slot.
	Finality(ctx context.Context) (onchain.Tip, error)
	// AccountsAt is index.Chain's AccountsAt.
	AccountsAt(ctx context.Context, from uint64, addresses ...solana.PublicKey) ([]*onchain.Account, uint64, error)
}

// Markets follows the transactions that create pools and curves and cancel curves. Several Markets
// may run concurrently.
//
// Markets promises: a transaction expires only if the finalized chain is past the last block that
// could accept the transaction, and the transaction's effect is missing in a state that is at least
// as new. A node that lags decides nothing. A transaction is found by the effect, not by the
// sender. An effect that cannot be read is an error, and is checked more rarely. After a day such a
// transaction expires, too.
//
// Preparing a transaction is free, so most transactions never land. A check costs one or two
// hundredths of a call, and a write only at the end. The newest transactions have reserved places
// in the list.
//
// A run checks up to Max transactions. The run makes a call of the node, and further calls for
// every 50 or 100 transactions. In calls of the store, the run makes a call for the list, a call
// for every 100 transactions, one or two calls to end a transaction, and a call for every curve
// with a cancellation.
type Markets struct {
	Store MarketStore
	Chain MarketChain
	// Raydium has the address of Raydium's program.
	Raydium raydium.Network
	// Max is the maximum number of transactions in a run.
	Max int
	Now func() time.Time
	Log *slog.Logger
}

// MarketReport is the counts of a run.
type MarketReport struct {
	Due     int // transactions that were due
	Seen    int
	Expired int
	Open    int // may still land
	Taken   int // ended by another run
	Behind  int // the node lags
	Errors  int
}

// Step returns the watcher as a step of the reconciler's runs.
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

// watched is a transaction with the accounts that show the transaction's effect.
type watched struct {
	transaction.Issued
	curve     market.Curve // the curve of a cancellation
	addresses []solana.PublicKey
	found     []*onchain.Account
}

// Run checks the due transactions. An error with a transaction is returned at the end, and does not
// stop the other transactions.
func (m Markets) Run(ctx context.Context) (MarketReport, error) {
	var report MarketReport
	due, err := m.Store.Due(ctx, m.Now(), m.Max)
	if err != nil {
		return report, fmt.Errorf("list market transactions: %w", err)
	}
	report.Due = len(due)
	if len(due) == 0 {
		return report, nil
	}
	// Read before the effects: a transaction may land after this height without a visible effect.
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
			break // left to the next run
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

// batches finds the accounts of the transactions' effects, and divides the transactions into
// batches that are read in one call.
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

// read reads the accounts of a batch in one call; behind is true if the node has not reached the
// slot.
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
			return // left to the next run
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

// decide ends a transaction if the outcome is known.
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

// later postpones the next check of a transaction whose effect cannot be read, or ends the
// transaction after keepUnread. It returns why.
func (m Markets) later(ctx context.Context, i transaction.Issued, why error) error {
	if _, cannot := errors.AsType[unreadable](why); !cannot {
		return why
	}
	if m.Now().Sub(i.CreatedAt) > keepUnread {
		return errors.Join(why, m.Store.Expire(ctx, i))
	}
	return errors.Join(why, m.Store.PutOff(ctx, i, m.Now().Add(lookAgain)))
}
