package launchpad_test

import (
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market/launchpad"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/testkit/localnet/dex"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
)

// TestRealFirstPurchase tests that the creator buys in the transaction that creates and locks the
// curve, with the whole supply on it, and gets the announced amount, to the unit, at the initial
// fee.
func TestRealFirstPurchase(t *testing.T) {
	w := newFixture(t, dex.Chain(t))
	for name, change := range map[string]func(*launchpad.Draft){
		"a lamport's worth of tokens":  func(d *launchpad.Draft) { d.InitialLamports = 1_000 },
		"a SOL":                        func(d *launchpad.Draft) { d.InitialLamports = sol },
		"not locked":                   func(d *launchpad.Draft) { d.InitialLamports, d.Locked = 3*sol+7, false },
		"at half, which falls in time": func(d *launchpad.Draft) { d.InitialLamports, d.SniperBps, d.Window = sol, 5_000, time.Minute },
	} {
		t.Run(name, func(t *testing.T) {
			creator := w.wallet(t)
			wallet := creator.PublicKey()
			d := draft(w.mint(t, creator, taxBps))
			d.Tokens = supply
			change(&d)
			created, err := w.service.Create(t.Context(), wallet, d)
			must.Do(t, err)
			if !created.Simulation.OK || len(created.Transaction) > 1232 {
				t.Fatalf("%d bytes: %+v", len(created.Transaction), created.Simulation)
			}
			figures.Show(t, "a curve with a first purchase, locked %v: %d bytes, %d compute units", d.Locked, len(created.Transaction), created.Simulation.ComputeUnits)
			before := w.lamports(t, wallet)
			w.land(t, created.Transaction, creator)
			if took := before - w.lamports(t, wallet); took != created.Cost.Total() {
				t.Errorf("charged %d lamports, announced %d", took, created.Cost.Total())
			}
			got := w.tokens(t, wallet, d.Mint)
			if want := supply - created.Sent + created.Initial.Tokens; got != want || created.Initial.Lamports != d.InitialLamports {
				t.Errorf("%d tokens, want %d: %+v", got, want, created.Initial)
			}
			p := w.pool(t, d.Mint)
			if p.ReserveB != created.Initial.CurveLamports || p.SqrtPrice.Cmp(created.Initial.NextSqrtPrice) != 0 {
				t.Errorf("the pool has %d lamports at %v, want %+v", p.ReserveB, p.SqrtPrice, created.Initial)
			}
			w.deploy(t, created, w.now)
			s := w.checkStatus(t, d.Mint, token.CurveActive, created.Curve.Tokens)
			if s.AllLocked != d.Locked || s.CreatorShare == nil || s.CreatorShare.Tokens != got || s.CreatorShare.Supply != supply {
				t.Errorf("%+v, share %+v", s, s.CreatorShare)
			}
			w.buys(t, d.Mint, 1_000_000_000)
		})
	}
}

// TestRealFirstPurchaseUpToTheTarget tests that the first purchase may complete the curve, and not
// exceed it.
func TestRealFirstPurchaseUpToTheTarget(t *testing.T) {
	w := newFixture(t, dex.Chain(t))
	creator := w.wallet(t)
	d := draft(w.mint(t, creator, taxBps))
	d.InitialLamports = 200 * sol
	_, err := w.service.Create(t.Context(), creator.PublicKey(), d)
	refused(t, "more than the target", err, apperr.Invalid, "exceeds_liquidity")
	// 100 SOL are 99 hundredths of it: the rest is the fee.
	d.InitialLamports = lamportsIn(t, err)
	if d.InitialLamports < 101*sol || d.InitialLamports > 102*sol {
		t.Errorf("at most %d", d.InitialLamports)
	}
	created, err := w.service.Create(t.Context(), creator.PublicKey(), d)
	must.Do(t, err)
	w.land(t, created.Transaction, creator)
	if p := w.pool(t, d.Mint); p.SqrtPrice.Cmp(created.Curve.TargetSqrtPrice) < 0 {
		t.Errorf("the price is %v, the target %v", p.SqrtPrice, created.Curve.TargetSqrtPrice)
	}
	d.Mint = w.mint(t, creator, taxBps)
	d.InitialLamports++
	_, err = w.service.Create(t.Context(), creator.PublicKey(), d)
	refused(t, "a lamport more", err, apperr.Invalid, "exceeds_liquidity")
	d.InitialLamports = 1
	_, err = w.service.Create(t.Context(), creator.PublicKey(), d)
	refused(t, "a lamport, all of it the fee", err, apperr.Invalid, "validation_failed")
}

// soon is the delay until a curve of a test starts. On mainnet the program accepts up to 31 days;
// the binaries for tests are built with 30 seconds.
const soon = 30 * time.Second

// TestRealStart tests that no trade lands before the start, and that all trades land after it.
func TestRealStart(t *testing.T) {
	w := newFixture(t, dex.Chain(t))
	creator, buyer := w.wallet(t), w.wallet(t)
	wallet := creator.PublicKey()
	d := draft(w.mint(t, creator, taxBps))
	now := w.clock(t).UTC()
	for what, at := range map[string]time.Time{"now": now, "in the past": now.Add(-time.Hour), "too late": now.Add(launchpad.LatestStart + time.Minute)} {
		d.StartsAt = at
		_, err := w.service.Create(t.Context(), wallet, d)
		refused(t, what, err, apperr.Invalid, "validation_failed")
	}
	d.SniperBps, d.Window = 5_000, 10*time.Minute
	d.StartsAt = w.clock(t).UTC().Add(soon)
	created, err := w.service.Create(t.Context(), wallet, d)
	must.Do(t, err)
	if !created.Simulation.OK || !created.ExpectedCompletion.Equal(d.StartsAt.Add(24*time.Hour)) {
		t.Fatalf("%+v, expected at %v", created.Simulation, created.ExpectedCompletion)
	}
	figures.Show(t, "a locked curve that begins later: %d bytes", len(created.Transaction))
	w.land(t, created.Transaction, creator)
	s := w.checkStatus(t, d.Mint, token.CurveActive, created.Curve.Tokens)
	if !s.StartsAt.Equal(d.StartsAt) || !s.CreatedAt.Equal(created.CreatedAt) || s.CreatorShare != nil {
		t.Errorf("before it is recorded: %+v", s)
	}
	w.deploy(t, created, w.now)
	for what, err := range map[string]error{
		"a price": w.asks(t, d.Mint), "a purchase": w.tries(t, buyer, d.Mint, launchpad.Amount{Tokens: 1000}),
		"a purchase for SOL": w.tries(t, buyer, d.Mint, launchpad.Amount{Lamports: sol}),
		"a sale":             func() error { _, err := w.service.Sell(t.Context(), wallet, d.Mint, 1000, 0); return err }(),
	} {
		refused(t, what, err, apperr.Invalid, "launchpad_not_started")
	}
	w.TimeTravel(t, d.StartsAt)
	p, err := w.service.Price(t.Context(), d.Mint, launchpad.Amount{Lamports: sol})
	must.Do(t, err)
	if bps := p.Fee * 10_000 / p.Lamports; bps < 4_500 || bps > 5_000 {
		t.Errorf("the fee begins at %d bps", bps)
	}
	w.buys(t, d.Mint, 1_000_000_000_000)
	if s, err = w.service.Status(t.Context(), d.Mint); err != nil || !s.StartsAt.Equal(d.StartsAt) || s.CreatorShare == nil || s.CreatorShare.Tokens != supply-created.Sent {
		t.Errorf("%+v, share %+v, %v", s, s.CreatorShare, err)
	}
}

// TestRealEndBeforeTheStart tests that a creator cannot withdraw the liquidity before the first
// trade is possible, and can from then on.
func TestRealEndBeforeTheStart(t *testing.T) {
	w := newFixture(t, dex.Chain(t))
	creator := w.wallet(t)
	d := draft(w.mint(t, creator, taxBps))
	d.Locked, d.StartsAt = false, w.clock(t).UTC().Add(soon)
	created, err := w.service.Create(t.Context(), creator.PublicKey(), d)
	must.Do(t, err)
	w.land(t, created.Transaction, creator)
	w.deploy(t, created, w.now)
	_, err = w.service.Cancel(t.Context(), creator.PublicKey(), d.Mint)
	refused(t, "the end before the start", err, apperr.Invalid, "launchpad_not_started")
	w.TimeTravel(t, d.StartsAt)
	out, err := w.service.Cancel(t.Context(), creator.PublicKey(), d.Mint)
	must.Do(t, err)
	w.land(t, out.Transaction, creator)
}

// TestRealPurchasesForLamports tests that exactly the quoted amount arrives for exactly the given
// lamports, and that the requested minimum is enforced.
func TestRealPurchasesForLamports(t *testing.T) {
	w := newFixture(t, dex.Chain(t))
	creator := w.wallet(t)
	d := draft(w.mint(t, creator, taxBps))
	created, err := w.service.Create(t.Context(), creator.PublicKey(), d)
	must.Do(t, err)
	w.land(t, created.Transaction, creator)
	w.deploy(t, created, w.now)
	for _, lamports := range []uint64{1_000, 1_234_567, sol / 3, 20*sol + 1} {
		buyer := w.wallet(t)
		wallet, amount := buyer.PublicKey(), launchpad.Amount{Lamports: lamports}
		quote, err := w.service.Price(t.Context(), d.Mint, amount)
		must.Do(t, err)
		trade, err := w.service.Buy(t.Context(), wallet, d.Mint, amount, launchpad.DefaultSlippageBps)
		must.Do(t, err)
		if !trade.Simulation.OK || trade.Tokens != quote.Tokens || trade.Limit != lamports || trade.Lamports != lamports || quote.Lamports != lamports ||
			trade.MinTokens != max(1, quote.Tokens*97/100) {
			t.Fatalf("%+v, quoted %+v", trade, quote)
		}
		before := w.lamports(t, wallet)
		w.land(t, trade.Transaction, buyer)
		paid := before - w.lamports(t, wallet)
		if got := w.tokens(t, wallet, d.Mint); got != quote.Tokens || paid != trade.Cost.Total() || paid != lamports+trade.Cost.NetworkFee+trade.Cost.Rent {
			t.Errorf("%d lamports bought %d tokens and charged %d, quoted %+v, cost %+v", lamports, got, paid, quote, trade.Cost)
		}
		if p := w.pool(t, d.Mint); p.SqrtPrice.Cmp(quote.NextSqrtPrice) != 0 {
			t.Errorf("the price is %v, quoted %v", p.SqrtPrice, quote.NextSqrtPrice)
		}
	}
	// Others buy first: less than the least would arrive, and the transaction fails.
	buyer := w.wallet(t)
	trade, err := w.service.Buy(t.Context(), buyer.PublicKey(), d.Mint, launchpad.Amount{Lamports: sol}, 100)
	must.Do(t, err)
	w.buys(t, d.Mint, 50_000_000_000_000)
	w.fails(t, trade.Unsigned, buyer)
	_, err = w.service.Price(t.Context(), d.Mint, launchpad.Amount{Lamports: 1_000 * sol})
	refused(t, "more than the target", err, apperr.Invalid, "exceeds_liquidity")
	maximum := lamportsIn(t, err)
	_, err = w.service.Price(t.Context(), d.Mint, launchpad.Amount{Lamports: maximum + 1})
	refused(t, "a lamport more", err, apperr.Invalid, "exceeds_liquidity")
	trade, err = w.service.Buy(t.Context(), buyer.PublicKey(), d.Mint, launchpad.Amount{Lamports: maximum}, 0)
	must.Do(t, err)
	w.land(t, trade.Transaction, buyer)
	if p := w.pool(t, d.Mint); p.SqrtPrice.Cmp(created.Curve.TargetSqrtPrice) < 0 {
		t.Errorf("the price is %v, the target %v", p.SqrtPrice, created.Curve.TargetSqrtPrice)
	}
}

func (w *fixture) asks(t *testing.T, mint solana.PublicKey) error {
	t.Helper()
	_, err := w.service.Price(t.Context(), mint, launchpad.Amount{Tokens: 1_000})
	return err
}

func (w *fixture) tries(t *testing.T, buyer solana.PrivateKey, mint solana.PublicKey, amount launchpad.Amount) error {
	t.Helper()
	_, err := w.service.Buy(t.Context(), buyer.PublicKey(), mint, amount, 0)
	return err
}

// fails checks that a transaction is rejected by the chain.
func (w *fixture) fails(t *testing.T, u transaction.Unsigned, signer solana.PrivateKey) {
	t.Helper()
	simulated, err := w.node.Simulate(t.Context(), u.Transaction)
	must.Do(t, err)
	if simulated.OK {
		t.Errorf("the transaction of %s lands", signer.PublicKey())
	}
}
