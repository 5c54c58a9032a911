package watch_test

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/launchpad"
	"tokenlaunch.example/service/pkg/market/watch"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/localnet/dex"
)

func newRealMarkets(t *testing.T) *marketFixture {
	t.Helper()
	ledger, stack := dex.Chain(t), localnet.AWS(t)
	g := &payEnv{ledger: ledger, stack: stack, config: stack.Config(t.Context()), treasury: solana.NewWallet().PublicKey()}
	g.node = g.nodeOf(t, nil)
	return g.markets(t)
}

// launches creates a curve that raises 10 SOL, by the service's transaction.
func (w *marketFixture) launches(t *testing.T, creator solana.PrivateKey, locked bool) launchpad.Created {
	t.Helper()
	return w.launchesAs(t, creator, func(d *launchpad.Draft) { d.Locked = locked })
}

// launchesAs launches a curve with a changed draft.
func (w *marketFixture) launchesAs(t *testing.T, creator solana.PrivateKey, change func(*launchpad.Draft)) launchpad.Created {
	t.Helper()
	draft := launchpad.Draft{
		Mint: w.newMint(t, creator), Tokens: 800_000_000_000_000, TargetLamports: 10 * solana.LAMPORTS_PER_SOL,
		Multiplier: launchpad.DefaultMultiplier, Locked: true, FeeBps: launchpad.DefaultFeeBps,
	}
	change(&draft)
	created, err := w.launchpad.Create(t.Context(), creator.PublicKey(), draft)
	payMust(t, err)
	w.watches(t, w.node, watch.MarketReport{Due: 1, Open: 1})
	w.lands(t, created.Transaction, creator)
	w.finalize(t)
	w.watches(t, w.node, watch.MarketReport{Due: 1, Seen: 1})
	w.hasEnded(t, created.ID, transaction.Seen)
	return created
}

func (w *marketFixture) buy(t *testing.T, mint solana.PublicKey, buyer solana.PrivateKey, tokens uint64) {
	t.Helper()
	trade, err := w.launchpad.Buy(t.Context(), buyer.PublicKey(), mint, launchpad.Amount{Tokens: tokens}, 5_000)
	payMust(t, err)
	w.lands(t, trade.Transaction, buyer)
}

func (w *marketFixture) sell(t *testing.T, mint solana.PublicKey, seller solana.PrivateKey, tokens uint64) {
	t.Helper()
	trade, err := w.launchpad.Sell(t.Context(), seller.PublicKey(), mint, tokens, 5_000)
	payMust(t, err)
	w.lands(t, trade.Transaction, seller)
}

// agrees holds what was counted against the pool's own reserves.
func (w *marketFixture) agrees(t *testing.T, created launchpad.Created, state token.CurveState, trades, buyers uint64) market.Curve {
	t.Helper()
	c, p := w.curve(t, created.Mint), w.pool(t, created.Mint)
	if c.State != state || c.Index.Trades != trades || c.Index.Buyers != buyers {
		t.Errorf("%s after %d trades of %d buyers, want %s after %d of %d", c.State, c.Index.Trades, c.Index.Buyers, state, trades, buyers)
	}
	if state != token.CurveCancelled && (c.Index.Paid-c.Index.Received != p.ReserveB || c.Tokens-(c.Index.Bought-c.Index.Sold) != p.ReserveA) {
		t.Errorf("counted %+v of %d tokens; the pool has %d and %d lamports", c.Index, c.Tokens, p.ReserveA, p.ReserveB)
	}
	record, err := w.tokens.Token(t.Context(), created.Mint)
	payMust(t, err)
	if record.Launchpad == nil || record.Launchpad.State != state || len(record.Pools) != 1 || record.Pools[0].Address != created.Curve.Address {
		t.Errorf("the token's record has %+v, %+v", record.Launchpad, record.Pools)
	}
	return c
}

// TestRealCurveIsWatchedAndCounted tests that a curve is found on the chain, and that its trades
// are counted to the unit. The curve is complete at the trade that completes it, and stays
// complete.
func TestRealCurveIsWatchedAndCounted(t *testing.T) {
	w := newRealMarkets(t)
	creator, first, second, third := w.rich(t), w.rich(t), w.rich(t), w.rich(t)
	created := w.launches(t, creator, true)
	mint := created.Mint

	w.buy(t, mint, first, 1)
	w.buy(t, mint, first, 50_000_000_000)
	w.buy(t, mint, second, 7_000_000_000)
	w.sell(t, mint, creator, 1_000_000_000)
	// Two purchases in one transaction, of wallets that have bought and not.
	one, err := w.launchpad.Buy(t.Context(), first.PublicKey(), mint, launchpad.Amount{Tokens: 11_000_000}, 5_000)
	payMust(t, err)
	other, err := w.launchpad.Buy(t.Context(), third.PublicKey(), mint, launchpad.Amount{Tokens: 12_000_000}, 5_000)
	payMust(t, err)
	w.lands(t, w.both(t, one.Transaction, other.Transaction), first, third)
	// This purchase fails on the chain, because its price is no longer available.
	late, err := w.launchpad.Buy(t.Context(), second.PublicKey(), mint, launchpad.Amount{Tokens: 1_000_000_000}, 0)
	payMust(t, err)
	w.buy(t, mint, third, 500_000_000_000)
	w.fails(t, late.Transaction, second)
	w.finalize(t)
	report := w.indexes(t)
	w.agrees(t, created, token.CurveActive, 7, 3)
	figures.Show(t, "the index read %d transactions with %d trades", report.Transactions, report.Trades)

	// The rest of the way in two purchases, of which the second completes the curve; then a sale,
	// which changes nothing.
	largest := w.largest(t, mint)
	w.buy(t, mint, second, largest-1_000_000)
	w.finalize(t)
	w.indexes(t)
	w.agrees(t, created, token.CurveActive, 8, 3)
	w.buy(t, mint, first, w.largest(t, mint))
	w.sell(t, mint, creator, 50_000_000_000_000)
	w.finalize(t)
	if report := w.indexes(t); report.Completed != 1 {
		t.Errorf("the index did %+v", report)
	}
	before := w.agrees(t, created, token.CurveCompleted, 10, 3)
	if age := time.Since(before.CompletedAt); age < -time.Minute || age > time.Hour {
		t.Errorf("completed at %s", before.CompletedAt)
	}
	w.sell(t, mint, creator, 100_000_000_000_000)
	w.finalize(t)
	w.clock.Pass(time.Hour) // it is checked rarely now
	w.indexes(t)
	after := w.agrees(t, created, token.CurveCompleted, 11, 3)
	if !after.CompletedAt.Equal(before.CompletedAt) {
		t.Errorf("completed at %s, and then at %s", before.CompletedAt, after.CompletedAt)
	}
}

// TestRealFirstPurchaseIsCounted tests that the creator's purchase in the creating transaction is
// the curve's first trade, and completes the curve if it reaches the target.
func TestRealFirstPurchaseIsCounted(t *testing.T) {
	w := newRealMarkets(t)
	creator, buyer := w.rich(t), w.rich(t)
	created := w.launchesAs(t, creator, func(d *launchpad.Draft) { d.InitialLamports = solana.LAMPORTS_PER_SOL })
	w.indexes(t)
	c := w.agrees(t, created, token.CurveActive, 1, 1)
	if c.Index.Paid != created.Initial.CurveLamports || c.Index.Bought != created.Initial.PoolTokens {
		t.Errorf("counted %+v, bought %+v", c.Index, created.Initial)
	}
	w.buy(t, created.Mint, buyer, 1_000_000_000)
	w.finalize(t)
	w.indexes(t)
	w.agrees(t, created, token.CurveActive, 2, 2)
}

// TestRealFirstPurchaseCompletes tests that a first purchase of the target completes the curve
// immediately.
func TestRealFirstPurchaseCompletes(t *testing.T) {
	w := newRealMarkets(t)
	created := w.launchesAs(t, w.rich(t), func(d *launchpad.Draft) { d.InitialLamports = 10_101_010_102 }) // 10 SOL and the fee
	if report := w.indexes(t); report.Completed != 1 {
		t.Errorf("the index did %+v", report)
	}
	w.agrees(t, created, token.CurveCompleted, 1, 1)
}

// TestRealStartIsRecorded tests that a curve's record has the time of its creation, and not of its
// start.
func TestRealStartIsRecorded(t *testing.T) {
	w := newRealMarkets(t)
	at := time.Now().UTC().Truncate(time.Second).Add(15 * time.Second) // within what the binary for tests takes
	created := w.launchesAs(t, w.rich(t), func(d *launchpad.Draft) { d.StartsAt = at })
	c := w.curve(t, created.Mint)
	if !c.StartsAt.Equal(at) || !c.CreatedAt.Equal(w.clock.Now().Truncate(time.Millisecond)) {
		t.Errorf("created at %s, starts at %s; now is %s", c.CreatedAt, c.StartsAt, w.clock.Now())
	}
}

// both joins two transactions into one, which the first one's caller pays for.
func (w *marketFixture) both(t *testing.T, transactions ...[]byte) []byte {
	t.Helper()
	list := []solana.Instruction{computebudget.SetUnitLimit(600_000)}
	var payer solana.PublicKey
	for _, raw := range transactions {
		tx, err := wire.ParseTransaction(raw)
		payMust(t, err)
		if payer.IsZero() {
			payer = tx.Message().FeePayer()
		}
		for _, in := range tx.Message().Instructions() {
			if in.ProgramID == solana.ComputeBudget {
				continue
			}
			metas := make(solana.AccountMetaSlice, len(in.Accounts))
			for i := range in.Accounts {
				metas[i] = &in.Accounts[i]
			}
			list = append(list, solana.NewInstruction(in.ProgramID, metas, in.Data))
		}
	}
	recent, err := w.node.LatestBlockhash(t.Context())
	payMust(t, err)
	message, err := wire.Compile(payer, recent, list)
	payMust(t, err)
	return wire.NewTransaction(message).Bytes()
}

// fails brings a transaction onto the chain that its program rejects.
func (w *marketFixture) fails(t *testing.T, unsigned []byte, signer solana.PrivateKey) {
	t.Helper()
	tx, err := wire.ParseTransaction(unsigned)
	payMust(t, err)
	payMust(t, tx.Sign(ed25519.PrivateKey(signer)))
	id, _ := tx.ID()
	payMust(t, w.node.Send(t.Context(), tx.Bytes()))
	if outcome, err := w.node.Await(t.Context(), id); err != nil || outcome.State != transaction.Refused {
		t.Fatalf("%+v, %v; want it rejected", outcome, err)
	}
}

// most returns the amount that can be bought until a curve is complete.
func (w *marketFixture) largest(t *testing.T, mint solana.PublicKey) (tokens uint64) {
	t.Helper()
	_, err := w.launchpad.Price(t.Context(), mint, launchpad.Amount{Tokens: 1 << 60})
	e, ok := errors.AsType[*apperr.Error](err)
	if !ok {
		t.Fatalf("%v is empty", err)
	}
	if _, err := fmt.Sscanf(e.Detail, "At most %d base units", &tokens); err != nil {
		t.Fatalf("detail %q: %v, want the maximum in base units", e.Detail, err)
	}
	return tokens
}

// TestRealCancellationIsWatched tests that a withdrawn curve is cancelled.
func TestRealCancellationIsWatched(t *testing.T) {
	w := newRealMarkets(t)
	creator, buyer := w.rich(t), w.rich(t)
	created := w.launches(t, creator, false)
	w.buy(t, created.Mint, buyer, 3_000_000_000)
	w.finalize(t)
	w.indexes(t)
	w.agrees(t, created, token.CurveActive, 1, 1)
	cancel, err := w.launchpad.Cancel(t.Context(), creator.PublicKey(), created.Mint)
	payMust(t, err)
	w.lands(t, cancel.Transaction, creator)
	w.finalize(t)
	w.watches(t, w.node, watch.MarketReport{Due: 1, Seen: 1})
	w.hasEnded(t, cancel.ID, transaction.Seen)
	if report := w.indexes(t); report.Cancelled != 1 {
		t.Errorf("the index did %+v", report)
	}
	w.agrees(t, created, token.CurveCancelled, 1, 1)
	if report := w.indexes(t); report.Due != 0 {
		t.Errorf("a cancelled curve is followed: %+v", report)
	}
}
