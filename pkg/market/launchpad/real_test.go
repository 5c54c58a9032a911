package launchpad_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/launchpad"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/testkit/localnet/dex"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
)

// buys lets a new wallet buy, and checks that it got and paid what was quoted.
func (w *fixture) buys(t *testing.T, mint solana.PublicKey, tokens uint64) {
	t.Helper()
	buyer := w.wallet(t)
	wallet := buyer.PublicKey()
	quote, err := w.service.Price(t.Context(), mint, launchpad.Amount{Tokens: tokens})
	must.Do(t, err)
	trade, err := w.service.Buy(t.Context(), wallet, mint, launchpad.Amount{Tokens: tokens}, launchpad.DefaultSlippageBps)
	must.Do(t, err)
	if !trade.Simulation.OK || trade.Lamports != quote.Lamports {
		t.Fatalf("a purchase of %d: %+v, quoted at %d and %d", tokens, trade.Simulation, trade.Lamports, quote.Lamports)
	}
	before := w.lamports(t, wallet)
	w.land(t, trade.Transaction, buyer)
	if got := w.tokens(t, wallet, mint); got != tokens {
		t.Errorf("bought %d, wanted %d", got, tokens)
	}
	paid := before - w.lamports(t, wallet)
	if paid != trade.Cost.Total() || paid != quote.Lamports+trade.Cost.NetworkFee+trade.Cost.Rent {
		t.Errorf("a purchase of %d charged %d lamports, quoted %d, cost %+v", tokens, paid, quote.Lamports, trade.Cost)
	}
	t.Logf("a purchase by a new wallet: %d bytes, %d compute units", len(trade.Transaction), trade.Simulation.ComputeUnits)
	p := w.pool(t, mint)
	if p.SqrtPrice.Cmp(quote.NextSqrtPrice) != 0 {
		t.Errorf("the price after a purchase of %d is %v, quoted %v", tokens, p.SqrtPrice, quote.NextSqrtPrice)
	}
}

// checkStatus compares the status with the pool on the chain.
func (w *fixture) checkStatus(t *testing.T, mint solana.PublicKey, state token.CurveState, deposited uint64) launchpad.Status {
	t.Helper()
	s, err := w.service.Status(t.Context(), mint)
	must.Do(t, err)
	p := w.pool(t, mint)
	if s.State != state || s.Raised != p.ReserveB || s.Sold != deposited-p.ReserveA || s.Tokens != deposited || s.SqrtPrice.Cmp(p.SqrtPrice) != 0 {
		t.Errorf("the status is %+v, the pool %+v", s, p)
	}
	if progress := int64(s.Raised / (s.TargetLamports / 10_000)); s.ProgressBps != min(10_000, progress) {
		t.Errorf("progress is %d of 10,000, want %d", s.ProgressBps, progress)
	}
	return s
}

// TestRealCurveFromItsStartToItsTarget creates a curve by the service's transaction, with ten
// purchases, a sale and the completion. Each time status, quotes and costs equal the chain's, to
// the unit.
func TestRealCurveFromItsStartToItsTarget(t *testing.T) {
	w := newFixture(t, dex.Chain(t))
	creator := w.wallet(t)
	wallet := creator.PublicKey()
	mint := w.mint(t, creator, taxBps)

	created, err := w.service.Create(t.Context(), wallet, draft(mint))
	must.Do(t, err)
	if !created.Simulation.OK {
		t.Fatalf("simulation = %+v, want OK", created.Simulation)
	}
	if created.Curve.Tokens != 760_000_000_000_000 || created.Sent != 800_000_000_000_000 {
		t.Errorf("%d are sent and %d arrive", created.Sent, created.Curve.Tokens)
	}
	if _, err := w.service.Status(t.Context(), mint); apperr.CodeOf(err) != "launchpad_not_found" {
		t.Errorf("before it is sent: %v", err)
	}
	before := w.lamports(t, wallet)
	w.land(t, created.Transaction, creator)
	if took := before - w.lamports(t, wallet); took != created.Cost.Total() {
		t.Errorf("charged %d lamports, announced %+v, %d in all", took, created.Cost, created.Cost.Total())
	}
	if left := w.tokens(t, wallet, mint); left != supply-created.Sent {
		t.Errorf("%d tokens are left", left)
	}
	figures.Show(t, "a locked curve: %d bytes, %d compute units, %d lamports in all", len(created.Transaction), created.Simulation.ComputeUnits, created.Cost.Total())

	// It is answered before it is recorded that it is there.
	s := w.checkStatus(t, mint, token.CurveActive, created.Curve.Tokens)
	if !s.AllLocked || s.Raised != 0 || !s.Expected.IsZero() || s.CreatedAt.IsZero() {
		t.Errorf("a new curve: %+v", s)
	}
	_, err = w.service.Create(t.Context(), wallet, draft(mint))
	refused(t, "a second curve", err, apperr.Conflict, "pool_exists")
	w.deploy(t, created, w.now.Add(-time.Hour))

	tokens := uint64(1)
	for range 10 {
		w.buys(t, mint, tokens)
		s = w.checkStatus(t, mint, token.CurveActive, created.Curve.Tokens)
		tokens = tokens*23 + 7
	}
	if s.Expected.Before(w.now) {
		t.Errorf("with %d raised in an hour it is expected at %v", s.Raised, s.Expected)
	}
	_, err = w.service.Sell(t.Context(), wallet, mint, supply/10, 0)
	refused(t, "selling more than was bought", err, apperr.Invalid, "exceeds_liquidity")
	w.sells(t, creator, mint)
	w.checkStatus(t, mint, token.CurveActive, created.Curve.Tokens)

	_, err = w.service.Cancel(t.Context(), wallet, mint)
	refused(t, "the withdrawal of locked liquidity", err, apperr.Conflict, "liquidity_locked")

	// The amount left until the target is returned, can be bought, and completes the curve.
	_, err = w.service.Price(t.Context(), mint, launchpad.Amount{Tokens: created.Curve.Tokens})
	refused(t, "more than there is", err, apperr.Invalid, "exceeds_liquidity")
	maximum := amountIn(t, err)
	_, err = w.service.Buy(t.Context(), wallet, mint, launchpad.Amount{Tokens: maximum + 1}, 0)
	refused(t, "one more than is left", err, apperr.Invalid, "exceeds_liquidity")
	w.buys(t, mint, maximum)
	s = w.checkStatus(t, mint, token.CurveActive, created.Curve.Tokens)
	if s.Raised < s.TargetLamports || s.Raised > s.TargetLamports+1_000_000 || s.ProgressBps != launchpad.FullBps {
		t.Errorf("at the target: %d raised, %d bps", s.Raised, s.ProgressBps)
	}
	w.record(t, mint, token.CurveCompleted, market.Index{Trades: 12, Buyers: 11})
	s = w.checkStatus(t, mint, token.CurveCompleted, created.Curve.Tokens)
	if s.Index.Buyers != 11 || !s.Expected.IsZero() {
		t.Errorf("completed: %+v", s)
	}
	w.buys(t, mint, 1_000_000_000) // the pool trades on
	_, err = w.service.Cancel(t.Context(), wallet, mint)
	refused(t, "the withdrawal of what is complete", err, apperr.Conflict, "launchpad_not_active")
}

// sells lets a holder sell a thousandth of their tokens, and checks that they got what was
// said.
func (w *fixture) sells(t *testing.T, holder solana.PrivateKey, mint solana.PublicKey) {
	t.Helper()
	wallet := holder.PublicKey()
	held := w.tokens(t, wallet, mint)
	trade, err := w.service.Sell(t.Context(), wallet, mint, held/1000, 0)
	must.Do(t, err)
	if !trade.Simulation.OK {
		t.Fatalf("a sale: %+v", trade.Simulation)
	}
	figures.Show(t, "a sale: %d bytes, %d compute units", len(trade.Transaction), trade.Simulation.ComputeUnits)
	before := w.lamports(t, wallet)
	w.land(t, trade.Transaction, holder)
	if got := w.lamports(t, wallet) + trade.Cost.Total() - before; got != trade.Lamports || trade.Limit != trade.Lamports {
		t.Errorf("a sale brought %d lamports, quoted %d, at least %d", got, trade.Lamports, trade.Limit)
	}
	if left := w.tokens(t, wallet, mint); left != held-held/1000 {
		t.Errorf("%d tokens are left of %d", left, held)
	}
}

// amountIn reads how much can be had out of a rejection.
func amountIn(t *testing.T, err error) (maximum uint64) {
	t.Helper()
	e, ok := errors.AsType[*apperr.Error](err)
	if !ok || len(e.Fields) != 1 {
		t.Fatalf("%v names no field", err)
	}
	if _, err := fmt.Sscanf(e.Detail, "At most %d base units", &maximum); err != nil {
		t.Fatalf("detail %q: %v, want the maximum in base units", e.Detail, err)
	}
	return maximum
}

// lamportsIn reads how much can be spent out of a rejection.
func lamportsIn(t *testing.T, err error) (maximum uint64) {
	t.Helper()
	e, ok := errors.AsType[*apperr.Error](err)
	if !ok || len(e.Fields) != 1 {
		t.Fatalf("%v names no field", err)
	}
	if _, err := fmt.Sscanf(e.Detail, "At most %d lamports", &maximum); err != nil {
		t.Fatalf("detail %q: %v, want the maximum in lamports", e.Detail, err)
	}
	return maximum
}

// tradesWrapped lets a wallet trade that has wrapped SOL: that account stays open.
func (w *fixture) tradesWrapped(t *testing.T, mint solana.PublicKey) {
	t.Helper()
	key := w.wallet(t)
	wallet := key.PublicKey()
	steps, err := market.WrapSteps(wallet, 5*sol, false)
	must.Do(t, err)
	list := make([]solana.Instruction, len(steps))
	for i, s := range steps {
		list[i] = s.Instruction
	}
	w.execute(t, list, key)
	account, err := market.WrappedAddress(wallet)
	must.Do(t, err)
	wrapped := func() uint64 {
		stored, _, err := w.node.Account(t.Context(), account)
		must.Do(t, err)
		a, err := token2022.DecodeAccount(stored.Owner, stored.Data)
		must.Do(t, err)
		return a.Amount
	}
	trade, err := w.service.Buy(t.Context(), wallet, mint, launchpad.Amount{Tokens: 1_000_000_000_000}, launchpad.DefaultSlippageBps)
	must.Do(t, err)
	before := w.lamports(t, wallet)
	w.land(t, trade.Transaction, key)
	if took := before - w.lamports(t, wallet); took != trade.Cost.Total() {
		t.Errorf("charged %d lamports, announced %d", took, trade.Cost.Total())
	}
	if want := 5*sol + trade.Limit - trade.Lamports; wrapped() != want {
		t.Errorf("%d are wrapped, want %d", wrapped(), want)
	}
	held := wrapped()
	trade, err = w.service.Sell(t.Context(), wallet, mint, 500_000_000_000, launchpad.DefaultSlippageBps)
	must.Do(t, err)
	before = w.lamports(t, wallet)
	w.land(t, trade.Transaction, key)
	if took := before - w.lamports(t, wallet); took != trade.Cost.Total() || wrapped() != held+trade.Lamports {
		t.Errorf("a sale charged %d lamports, announced %d; %d came", took, trade.Cost.Total(), wrapped()-held)
	}
}

// TestRealTokensOfTheOldProgram have no tax, and other accounts.
func TestRealTokensOfTheOldProgram(t *testing.T) {
	w := newFixture(t, dex.Chain(t))
	creator, buyer := w.wallet(t), w.wallet(t)
	mint := solana.NewWallet().PublicKey()
	data := make([]byte, 82)
	binary.LittleEndian.PutUint64(data[36:], supply)
	data[44], data[45] = 9, 1
	w.plant(t, mint, solana.TokenProgramID, data)
	w.FundToken(t, creator.PublicKey().String(), mint.String(), supply, surfpool.TokenProgram)
	d := draft(mint)
	d.Locked = false
	created, err := w.service.Create(t.Context(), creator.PublicKey(), d)
	must.Do(t, err)
	before := w.lamports(t, creator.PublicKey())
	w.land(t, created.Transaction, creator)
	if took := before - w.lamports(t, creator.PublicKey()); took != created.Cost.Total() || created.Curve.Tokens != d.Tokens {
		t.Errorf("charged %d lamports, announced %d; %d of %d arrive", took, created.Cost.Total(), created.Curve.Tokens, d.Tokens)
	}
	before = w.lamports(t, buyer.PublicKey())
	trade, err := w.service.Buy(t.Context(), buyer.PublicKey(), mint, launchpad.Amount{Tokens: 77_000_000_000_001}, 0)
	must.Do(t, err)
	w.land(t, trade.Transaction, buyer)
	if took := before - w.lamports(t, buyer.PublicKey()); took != trade.Cost.Total() {
		t.Errorf("a purchase charged %d lamports, announced %d", took, trade.Cost.Total())
	}
	w.checkStatus(t, mint, token.CurveActive, d.Tokens)
	w.deploy(t, created, w.now)
	out, err := w.service.Cancel(t.Context(), creator.PublicKey(), mint)
	must.Do(t, err)
	w.land(t, out.Transaction, creator)
	_, err = w.service.Cancel(t.Context(), creator.PublicKey(), mint)
	refused(t, "a second withdrawal", err, apperr.Forbidden, "not_curve_creator")
	_, err = w.service.Price(t.Context(), mint, launchpad.Amount{Tokens: 1})
	refused(t, "the price of nothing", err, apperr.Invalid, "exceeds_liquidity")
}

// dust is the most that five trades leave in a pool by rounding, in either token.
const dust = 5

// TestRealCancellation tests that unlocked liquidity comes back to the creator, and to no other
// wallet.
func TestRealCancellation(t *testing.T) {
	w := newFixture(t, dex.Chain(t))
	creator := w.wallet(t)
	wallet := creator.PublicKey()
	mint := w.mint(t, creator, taxBps)
	d := draft(mint)
	d.Locked, d.SniperBps, d.Window = false, 2_000, 5*time.Minute
	created, err := w.service.Create(t.Context(), wallet, d)
	must.Do(t, err)
	before := w.lamports(t, wallet)
	w.land(t, created.Transaction, creator)
	if took := before - w.lamports(t, wallet); took != created.Cost.Total() {
		t.Errorf("charged %d lamports, announced %d", took, created.Cost.Total())
	}
	w.deploy(t, created, w.now)
	w.buys(t, mint, 100_000_000_000_000)
	if s := w.checkStatus(t, mint, token.CurveActive, created.Curve.Tokens); s.AllLocked {
		t.Error("it is locked")
	}
	// The fee falls with the chain's clock.
	early, err := w.service.Price(t.Context(), mint, launchpad.Amount{Tokens: 1_000_000_000_000})
	must.Do(t, err)
	w.TimeTravel(t, w.clock(t).Add(150*time.Second))
	late, err := w.service.Price(t.Context(), mint, launchpad.Amount{Tokens: 1_000_000_000_000})
	must.Do(t, err)
	if bps := early.Fee * 10_000 / early.Lamports; bps < 1_950 || bps > 2_000 {
		t.Errorf("the fee begins at %d bps", bps)
	}
	if bps := late.Fee * 10_000 / late.Lamports; bps < 1_000 || bps > 1_100 {
		t.Errorf("half way it is %d bps", bps)
	}
	w.buys(t, mint, 1_000_000_000_000)
	w.tradesWrapped(t, mint)

	stranger := w.wallet(t)
	_, err = w.service.Cancel(t.Context(), stranger.PublicKey(), mint)
	refused(t, "a stranger", err, apperr.Forbidden, "not_curve_creator")

	p := w.pool(t, mint)
	out, err := w.service.Cancel(t.Context(), wallet, mint)
	must.Do(t, err)
	if !out.Simulation.OK || out.Lamports > p.ReserveB || out.Lamports+dust < p.ReserveB || out.Tokens > p.ReserveA || out.Tokens+dust < p.ReserveA {
		t.Fatalf("%d tokens and %d lamports of %d and %d: %+v", out.Tokens, out.Lamports, p.ReserveA, p.ReserveB, out.Simulation)
	}
	before, held := w.lamports(t, wallet), w.tokens(t, wallet, mint)
	w.land(t, out.Transaction, creator)
	back := w.lamports(t, wallet) + out.Cost.Total() - before
	// The fees that it earned, less the program's fifth, and the rents of the position,
	// its token and its account come on top.
	if earned := p.LPFeesB.Uint64(); back < out.Lamports+earned || back > out.Lamports+earned+15_000_000 {
		t.Errorf("%d lamports came back; %d were in the pool, %d earned", back, out.Lamports, p.LPFeesB)
	}
	tax := (out.Tokens*taxBps + 9_999) / 10_000
	if got := w.tokens(t, wallet, mint) - held; got != out.Tokens-tax {
		t.Errorf("%d tokens came back of %d", got, out.Tokens)
	}
	figures.Show(t, "cancellation: %d bytes, %d compute units", len(out.Transaction), out.Simulation.ComputeUnits)

	// The price shows what had been raised, even after the withdrawal of everything.
	s, err := w.service.Status(t.Context(), mint)
	must.Do(t, err)
	if s.Raised+dust < p.ReserveB || s.Raised > p.ReserveB || s.Sold > created.Curve.Tokens-p.ReserveA+dust {
		t.Errorf("cancelled: %d raised of %d, %d sold", s.Raised, p.ReserveB, s.Sold)
	}
	w.record(t, mint, token.CurveCancelled, market.Index{})
	_, err = w.service.Price(t.Context(), mint, launchpad.Amount{Tokens: 1000})
	refused(t, "the price of a cancelled curve", err, apperr.Conflict, "launchpad_cancelled")
	_, err = w.service.Buy(t.Context(), wallet, mint, launchpad.Amount{Tokens: 1000}, 0)
	refused(t, "a purchase on a cancelled curve", err, apperr.Conflict, "launchpad_not_active")
}
