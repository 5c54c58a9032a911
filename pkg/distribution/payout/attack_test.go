package payout_test

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
	"tokenlaunch.example/service/pkg/testkit/telemetrytest"
)

func lifeOf(t *testing.T, fate func(tx wire.Transaction, n int) payouttest.Fate) *life {
	t.Helper()
	return newLife(t, payouttest.NewEnv(t), fate)
}

// only returns the one payment of the life.
func (l *life) only(t *testing.T) payout.Payment {
	t.Helper()
	list := l.Payments(t, payout.Pay, 0)
	if len(list) != 1 {
		t.Fatalf("%d payments: %+v", len(list), list)
	}
	return list[0]
}

// whole returns the batch, whatever takes its place.
func (l *life) whole(t *testing.T) payout.Payment {
	t.Helper()
	p, err := l.Store.Payment(t.Context(), payout.ID{Run: l.Run, Kind: payout.Pay})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// sendAll sends every attempt that was ever signed, once more, past all faults, except for
// those that failed on the chain, which the chain does not take again.
func (l *life) sendAll(t *testing.T) (attempts int) {
	t.Helper()
	for p, err := range l.Journal.All(t.Context(), l.Mint) {
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range p.Attempts {
			if len(a.Bytes) > 0 && l.network.FateOf(a.Signature) != payouttest.Fails {
				attempts++
				_ = l.Chain.Send(t.Context(), a.Bytes)
			}
		}
	}
	// What the chain takes of them it has taken when another transaction is there.
	l.Give(t, solana.NewWallet().PublicKey(), sol)
	return attempts
}

func TestRenewedAttemptDoublesPriceAndLandsOnce(t *testing.T) {
	l := lifeOf(t, once(payouttest.Drops))
	l.run(t)
	l.check(t)
	p := l.only(t)
	if p.Status() != payout.Landed || len(p.Attempts) != 2 || p.Attempts[1].PriceMicroLamports != 2*p.Attempts[0].PriceMicroLamports {
		t.Fatalf("%s after the attempts %+v", p.Status(), p.Attempts)
	}
	if p.Outcome.Signature != p.Attempts[1].Signature || p.Attempts[1].LastValid <= p.Attempts[0].LastValid {
		t.Errorf("%s landed, want the second attempt of %+v", p.Outcome.Signature, p.Attempts)
	}
}

// Two attempts live, and both reach the chain: one lands.
func TestOfTwoLivingAttemptsOneLands(t *testing.T) {
	l := lifeOf(t, all(payouttest.Drops))
	e := l.engine(t)
	l.step(t, e)
	e.Chains = []payout.Chain{ahead{e.Chains[0]}}
	l.step(t, e)
	if p := l.only(t); len(p.Attempts) < 2 {
		t.Fatalf("%d attempts", len(p.Attempts))
	}
	l.sendAll(t)
	l.run(t)
	if paid, _ := l.check(t); paid != 3 {
		t.Errorf("%d paid", paid)
	}
}

func TestWhatNeverLandsIsDeadAndCarried(t *testing.T) {
	l := lifeOf(t, all(payouttest.Drops))
	l.run(t)
	paid, _ := l.check(t)
	p := l.only(t)
	if paid != 0 || p.Status() != payout.Dead || p.Refused != payout.ReasonExpired || len(p.Skips) != 0 {
		t.Errorf("%d paid; %s, %s, skips %+v", paid, p.Status(), p.Refused, p.Skips)
	}
	l.Ledger.PassSlots(t, 151) // so that the chain itself takes them for expired
	l.sendAll(t)
	if paid, _ := l.check(t); paid != 0 {
		t.Errorf("%d paid by an attempt that is dead", paid)
	}
}

func TestLostReplyAfterLandingPaysOnce(t *testing.T) {
	l := lifeOf(t, fates["landed"])
	l.run(t, func(p *fault.Process) { p.On(fault.Operation(fault.Solana, fault.SendTransaction), fault.ReplyLost) })
	if paid, _ := l.check(t); paid != 3 || len(l.only(t).Attempts) != 1 {
		t.Errorf("%d paid by %d attempts", paid, len(l.only(t).Attempts))
	}
}

func TestFailedAttemptIsSplit(t *testing.T) {
	l := lifeOf(t, once(payouttest.Fails))
	l.run(t)
	if paid, _ := l.check(t); paid != 3 {
		t.Errorf("%d paid", paid)
	}
	whole := l.whole(t)
	if whole.Status() != payout.Split || len(whole.Failures) != 1 || whole.Failures[0].FeeLamports == 0 {
		t.Errorf("the whole is %s by %+v", whole.Status(), whole.Failures)
	}
}

// engine is one over the life's network.
func (l *life) engine(t *testing.T) payout.Engine {
	t.Helper()
	p := fault.NewProcess()
	l.network.On(p)
	return l.Engine(t, p)
}

// step works on the batch once, and lets the time pass that it asks for.
func (l *life) step(t *testing.T, e payout.Engine) payout.Next {
	t.Helper()
	next, err := e.Work(t.Context(), l.Work(l.phase, 0))
	if err != nil {
		t.Fatal(err)
	}
	l.Clock.Pass(next.After)
	return next
}

// ahead is a node that says it has come much further than it has: new attempts are signed
// while the old ones live.
type ahead struct{ payout.Chain }

func (a ahead) Height(ctx context.Context) (uint64, error) {
	height, err := a.Chain.Height(ctx)
	return height + 200, err
}

// The attack that the first design lost money to: one attempt fails, the batch is split,
// its halves are paid, and then its other attempt is sent again.
func TestResentSiblingAfterSplitPaysNothing(t *testing.T) {
	l := lifeOf(t, func(_ wire.Transaction, n int) payouttest.Fate {
		return []payouttest.Fate{payouttest.Drops, payouttest.Fails, payouttest.Lands}[min(n, 2)]
	})
	l.Pace.Look = l.Pace.Resend
	e := l.engine(t)
	real := e.Chains[0]
	l.step(t, e) // the first attempt, dropped
	e.Chains = []payout.Chain{ahead{real}}
	l.step(t, e) // the second, which fails
	e.Chains = []payout.Chain{real}
	for range 10 {
		l.step(t, e)
		if l.whole(t).Status() == payout.Split {
			break
		}
	}
	whole := l.whole(t)
	if whole.Status() != payout.Split || whole.Outcome == nil || !whole.Outcome.Void {
		t.Fatalf("the whole is %s by %+v", whole.Status(), whole.Outcome)
	}
	// The first attempt lives still: it is sent while the halves are paid.
	l.sendAll(t)
	l.Pay(t, e, l.phase)
	l.sendAll(t)
	l.run(t)
	if paid, _ := l.check(t); paid != 3 {
		t.Errorf("%d paid", paid)
	}
}

// A receipt is not closed while an attempt lives that would find its address free.
func TestReceiptStaysWhileAttemptIsValid(t *testing.T) {
	l := lifeOf(t, once(payouttest.Drops))
	e := l.engine(t)
	real := e.Chains[0]
	l.step(t, e) // dropped, and lives
	e.Chains = []payout.Chain{ahead{real}}
	l.step(t, e) // lands
	e.Chains = []payout.Chain{real}
	next, err := e.Work(t.Context(), l.Work(l.phase, 0)) // is seen to have landed
	if p := l.only(t); err != nil || p.Status() != payout.Landed || p.Quiet {
		t.Fatalf("it is %s, quiet %v, %+v, %v", p.Status(), p.Quiet, next, err)
	}
	returning := payout.Returning{Run: l.Run, Mint: l.Mint, Wallet: l.Wallet, Of: []payout.ID{l.only(t).ID}}
	for range 3 {
		if next, err := e.Return(t.Context(), returning); err != nil || next.Done || next.After == 0 {
			t.Fatalf("%+v, %v", next, err)
		}
	}
	if l.Lamports(t, l.only(t).Receipt.Address) == 0 {
		t.Fatal("the receipt is closed")
	}
	l.sendAll(t)
	l.run(t)
	if paid, _ := l.check(t); paid != 3 || !l.only(t).Quiet {
		t.Errorf("%d paid, %+v", paid, l.only(t))
	}
}

// A stranger who learned an address creates the account first: the payment takes the next
// generation's, and the stranger's lamports are the wallet's. The blocked address is never
// used again, though it is free in the end.
func TestBlockedReceiptIsFollowedByNext(t *testing.T) {
	l := lifeOf(t, once(payouttest.Blocks))
	l.run(t)
	if paid, _ := l.check(t); paid != 3 {
		t.Errorf("%d paid", paid)
	}
	p := l.only(t)
	if p.Receipt.Generation != 1 || len(p.Blocked) != 1 || len(p.Failures) == 0 || l.Lamports(t, p.Blocked[0].Address) != 0 {
		t.Errorf("generation %d, blocked %+v, failures %+v", p.Receipt.Generation, p.Blocked, p.Failures)
	}
	l.Ledger.PassSlots(t, 151)
	l.sendAll(t)
	l.check(t)
}

// Until something is signed for the next receipt, the journal has the blocked one alone: a ledger
// that is brought forward does not go back to it.
func TestRebuiltLedgerUsesNoBlockedReceipt(t *testing.T) {
	l := lifeOf(t, once(payouttest.Blocks))
	e := l.engine(t)
	for range 200 {
		if list := l.Payments(t, payout.Pay, 0); len(list) > 0 && len(list[0].Blocked) > 0 {
			break
		}
		l.step(t, e)
	}
	before := l.only(t)
	if before.Status() != payout.Bound || before.Receipt.Generation != 1 {
		t.Fatalf("it is %s: %+v", before.Status(), before)
	}
	if rebuilt, err := e.Rebuild(t.Context(), l.Mint); err != nil || rebuilt != (payout.Rebuilt{Open: 1}) {
		t.Errorf("%+v, %v", rebuilt, err)
	}
	if after := l.only(t); after.Version != before.Version {
		t.Errorf("it is %s: %+v", after.Status(), after)
	}
	l.run(t)
	if paid, _ := l.check(t); paid != 3 {
		t.Errorf("%d paid", paid)
	}
}

// Anyone can send to a receipt that is there: it comes back with the rest.
func TestDustOnAReceiptComesBackWithIt(t *testing.T) {
	l := lifeOf(t, fates["landed"])
	e := l.engine(t)
	l.Pay(t, e, l.phase)
	l.Give(t, l.only(t).Receipt.Address, 7)
	l.network.Strangers += 7
	l.run(t)
	if paid, _ := l.check(t); paid != 3 {
		t.Errorf("%d paid", paid)
	}
}

// Dust that comes between the look and the landing fails that transaction alone.
func TestDustBetweenLookAndReturnIsReturnedTheNextTime(t *testing.T) {
	l := lifeOf(t, fates["landed"])
	e := l.engine(t)
	l.Pay(t, e, l.phase)
	receipt := l.only(t).Receipt.Address
	e.Chains = []payout.Chain{&duster{Chain: e.Chains[0], dust: func() {
		l.Give(t, receipt, 9)
		l.network.Strangers += 9
	}}}
	l.Return(t, e, 0)
	if l.Lamports(t, receipt) != 0 {
		t.Error("the receipt is not closed")
	}
	l.check(t)
}

// duster sends dust after the first read of accounts.
type duster struct {
	payout.Chain
	dust func()
	once sync.Once
}

func (d *duster) Holders(ctx context.Context, addresses ...solana.PublicKey) ([]*onchain.Account, error) {
	list, err := d.Chain.Holders(ctx, addresses...)
	d.once.Do(d.dust)
	return list, err
}

// The network lowers rent while receipts are out: what they hold comes back, whatever
// the minimum is now.
func TestChangedRentLosesNothing(t *testing.T) {
	l := lifeOf(t, fates["landed"])
	l.list = holders(3, 2_000_000)
	l.phase = l.Plan(payouttest.SOL(3), l.list)
	e := l.engine(t)
	real := e.Chains[0]
	e.Chains = []payout.Chain{rents{real, 2}} // it was twice as much
	l.Pay(t, e, l.phase)
	e.Chains = []payout.Chain{real}
	if p := l.only(t); p.Outcome.RentLamports != p.Attempts[0].RentLamports || p.Outcome.RentLamports != l.Lamports(t, p.Receipt.Address) {
		t.Errorf("the receipt has %d of %+v", l.Lamports(t, p.Receipt.Address), p.Outcome)
	}
	l.Return(t, e, 0)
	if paid, _ := l.check(t); paid != 3 {
		t.Errorf("%d paid", paid)
	}
}

type rents struct {
	payout.Chain
	times uint64
}

func (r rents) MinimumBalance(ctx context.Context, bytes uint64) (uint64, error) {
	rent, err := r.Chain.MinimumBalance(ctx, bytes)
	return r.times * rent, err
}

// A wallet that cannot pay for the receipt splits no batch and blames no holder.
func TestPoorWalletBlamesNoHolder(t *testing.T) {
	g := payouttest.NewEnv(t)
	w := g.Fixture(t, 3_800_000) // the amounts, a fee, its own rent, and no receipt's
	w.Pay(t, w.Engine(t, nil), w.Plan(payouttest.SOL(3), holders(3, 900_000)))
	list := w.Payments(t, payout.Pay, 0)
	if len(list) != 1 || list[0].Status() != payout.Cancelled || list[0].Refused != payout.ReasonFunds || len(list[0].Skips) > 0 {
		t.Errorf("%+v", list)
	}
	// It looked rich enough, and was not when the transaction came.
	w = g.Fixture(t, 3_800_000)
	e := w.Engine(t, nil)
	e.Chains = []payout.Chain{generous{e.Chains[0]}}
	w.Pay(t, e, w.Plan(payouttest.SOL(3), holders(3, 900_000)))
	list = w.Payments(t, payout.Pay, 0)
	if len(list) != 1 || list[0].Status() != payout.Dead || list[0].Refused != payout.ReasonFunds || len(list[0].Skips) > 0 {
		t.Errorf("%+v", list)
	}
}

// generous shows a wallet with more than it has.
type generous struct{ payout.Chain }

func (g generous) Holders(ctx context.Context, addresses ...solana.PublicKey) ([]*onchain.Account, error) {
	list, err := g.Chain.Holders(ctx, addresses...)
	for _, a := range list {
		if a != nil {
			a.Lamports += sol
		}
	}
	return list, err
}

func (g generous) Try(ctx context.Context, tx []byte) (payout.SimulationResult, error) {
	trial, err := g.Chain.Try(ctx, tx)
	return payout.SimulationResult{OK: true, Units: max(trial.Units, 10_000)}, err
}

func TestUnknownEndIsReservedAndNotPaidAgain(t *testing.T) {
	l := lifeOf(t, once(payouttest.Hides))
	var log telemetrytest.Log
	l.Log = log.Logger(slog.LevelError)
	l.run(t)
	if sums := log.Sum(t); sums["Undecided"] != 0 || sums["HoldersPaid"] != 0 {
		t.Errorf("measured %v", sums)
	}
	if _, unknown := l.check(t); unknown != 3 {
		t.Errorf("%d unknown", unknown)
	}
	if p := l.only(t); p.Amount != l.list[0].Amount+l.list[1].Amount+l.list[2].Amount || l.Lamports(t, p.Receipt.Address) == 0 {
		t.Errorf("%+v", p)
	}
	l.run(t) // a redriven message changes nothing
	l.check(t)
	// Another payment continues.
	next := payouttest.SOL(3)
	next.Leg = 1
	l.Pay(t, l.Engine(t, nil), l.Plan(next, holders(2, 2_000_000)))
	if p := l.Payments(t, payout.Pay, 1)[0]; p.Status() != payout.Landed {
		t.Errorf("the next is %s", p.Status())
	}
}

// A fork: a node shows it landed and finalized, and it is gone.
func TestForkedNodeSettlesNothing(t *testing.T) {
	l := lifeOf(t, once(payouttest.Drops))
	e := l.engine(t)
	e.Chains = []payout.Chain{fork{e.Chains[0]}}
	for range 5 {
		l.step(t, e)
		if p := l.only(t); p.Status() == payout.Landed {
			t.Fatalf("it is %s", p.Status())
		}
	}
	l.run(t)
	if paid, _ := l.check(t); paid != 3 {
		t.Errorf("%d paid", paid)
	}
}

// fork reports that everything has landed.
type fork struct{ payout.Chain }

func (f fork) Landings(_ context.Context, signatures ...solana.Signature) (list []payout.Landing, err error) {
	for _, s := range signatures {
		list = append(list, payout.Landing{Signature: s, Slot: 1})
	}
	return list, nil
}

// Of one provider, two machines: the one that tells accounts is behind the one that tells
// the tip. Nothing is dead by that.
func TestTwoViewsOfOneProviderEndNothing(t *testing.T) {
	l := lifeOf(t, fates["landed"])
	e := l.engine(t)
	l.step(t, e)
	real := e.Chains[0]
	e.Chains = []payout.Chain{behind{real}}
	for range 10 {
		l.step(t, e)
		l.Clock.Pass(time.Minute)
	}
	if p := l.only(t); p.Status() != payout.Sent {
		t.Fatalf("it is %s", p.Status())
	}
	e.Chains = []payout.Chain{real}
	l.Pay(t, e, l.phase)
	l.Return(t, e, 0)
	if paid, _ := l.check(t); paid != 3 {
		t.Errorf("%d paid", paid)
	}
}

// behind has not come as far as it is asked for, and has seen nothing.
type behind struct{ payout.Chain }

func (b behind) AccountsAt(context.Context, uint64, ...solana.PublicKey) ([]*onchain.Account, uint64, error) {
	return nil, 0, onchain.ErrBehind
}

func (b behind) SignatureStatuses(_ context.Context, signatures ...solana.Signature) ([]payout.SignatureStatus, error) {
	return make([]payout.SignatureStatus, len(signatures)), nil
}

func (b behind) Landings(context.Context, ...solana.Signature) ([]payout.Landing, error) {
	return nil, nil
}

// Of two providers, one lies: that it landed, or that it is dead. Nothing ends by that.
func TestLyingProviderSettlesNothingAlone(t *testing.T) {
	for name, lie := range map[string]func(payout.Chain) payout.Chain{
		"it landed": func(c payout.Chain) payout.Chain { return fork{c} },
		"it is dead": func(c payout.Chain) payout.Chain {
			return denies{c}
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := lifeOf(t, once(payouttest.Drops))
			if name == "it is dead" {
				l.network.Fate = fates["landed"]
			}
			e := l.engine(t)
			l.step(t, e)
			honest := e.Chains[0]
			e.Chains = []payout.Chain{honest, lie(honest)}
			for range 5 {
				l.step(t, e)
			}
			if p := l.only(t); p.Status() != payout.Sent {
				t.Fatalf("it is %s", p.Status())
			}
			e.Chains = []payout.Chain{honest, honest}
			l.Pay(t, e, l.phase)
			l.Return(t, e, 0)
			if paid, _ := l.check(t); paid != 3 {
				t.Errorf("%d paid", paid)
			}
		})
	}
}

// denies reports that everything has expired and nothing is there.
type denies struct{ payout.Chain }

func (d denies) Finality(ctx context.Context) (onchain.Tip, error) {
	tip, err := d.Chain.Finality(ctx)
	tip.Height += 10_000
	return tip, err
}

func (d denies) AccountsAt(_ context.Context, from uint64, addresses ...solana.PublicKey) ([]*onchain.Account, uint64, error) {
	return make([]*onchain.Account, len(addresses)), from, nil
}

func (d denies) Landings(context.Context, ...solana.Signature) ([]payout.Landing, error) {
	return nil, nil
}

func TestManyWorkersOnOneBatch(t *testing.T) {
	l := lifeOf(t, fates["landed"])
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			e := l.Engine(t, nil)
			for range 100 {
				next, err := e.Work(t.Context(), l.Work(l.phase, 0))
				if err != nil {
					t.Error(err)
					return
				}
				if next.Done {
					return
				}
			}
			t.Error("it is not done")
		})
	}
	all.Wait()
	l.Return(t, l.Engine(t, nil), 0)
	if paid, _ := l.check(t); paid != 3 {
		t.Errorf("%d paid", paid)
	}
	if p := l.only(t); len(p.Attempts) != 1 {
		t.Errorf("%d attempts", len(p.Attempts))
	}
}

// The hole of messages that pay the same batches: a batch is read as planned when the time is over, and bound
// and sent by another worker after the books were read. Now one of the two decides.
func TestCancelledBatchIsNotSentByWorkerThatReadItBefore(t *testing.T) {
	l := lifeOf(t, fates["landed"])
	l.phase.Deadline = l.Clock.Now().Add(time.Minute)
	l.phase = l.Plan(l.phase, l.list)
	late := l.engine(t)
	// The slow worker has read the batch as planned, and looks who is to be paid.
	slow := l.engine(t)
	slow.Chains = []payout.Chain{&pausing{Chain: slow.Chains[0], pause: func() {
		l.Clock.Pass(2 * time.Minute)
		for range 3 {
			if next, err := late.Work(t.Context(), l.Work(l.phase, 0)); err != nil || next.Done {
				break
			}
		}
		if p := l.only(t); p.Status() != payout.Cancelled || p.Refused != payout.ReasonLate {
			t.Errorf("it is %s, %s", p.Status(), p.Refused)
		}
	}}}
	l.Pay(t, slow, l.phase)
	if paid, _ := l.check(t); paid != 0 {
		t.Errorf("%d paid after the books were read", paid)
	}
}

// pausing lets something happen in the middle of the first simulation.
type pausing struct {
	payout.Chain
	pause func()
	once  sync.Once
}

func (p *pausing) Try(ctx context.Context, tx []byte) (payout.SimulationResult, error) {
	p.once.Do(p.pause)
	return p.Chain.Try(ctx, tx)
}

// The ledger is restored to before a payment that has landed and whose receipt is closed:
// the chain shows nothing of it any more. What was signed shows it.
func TestRestoredLedgerPaysNothingAgain(t *testing.T) {
	for _, name := range []string{"empty", "bound", "sent", "sent, and the nodes remember"} {
		t.Run(name, func(t *testing.T) {
			l := lifeOf(t, fates["landed"])
			backup := l.Backup(t)
			switch name {
			case "bound":
				p := fault.NewProcess()
				l.network.On(p)
				e := l.Engine(t, p)
				p.KillAfter(func(c fault.Call) bool { return c.Service == "s3" && c.Operation == "PutObject" })
				p.Run(func() { l.Pay(t, e, l.phase) })
				if status := l.only(t).Status(); status != payout.Bound {
					t.Fatalf("it is %s", status)
				}
			case "sent", "sent, and the nodes remember":
				l.step(t, l.engine(t))
			}
			if name != "empty" {
				backup = l.Backup(t)
			}
			l.run(t)
			if paid, _ := l.check(t); paid != 3 {
				t.Fatalf("%d paid", paid)
			}
			l.Restore(t, backup)
			l.Clock.Pass(10 * time.Minute)
			l.Ledger.PassSlots(t, 151)
			e, frozen := l.engine(t), ""
			if name != "sent, and the nodes remember" {
				e.Chains = []payout.Chain{forgetful{e.Chains[0]}}
			}
			e.Freeze = func(_ context.Context, mint solana.PublicKey, why string) error {
				frozen = mint.String() + ": " + why
				return nil
			}
			for range 20 {
				next, err := e.Work(t.Context(), l.Work(l.phase, 0))
				if err != nil {
					t.Fatal(err)
				}
				if next.Done {
					break
				}
				l.Clock.Pass(next.After)
			}
			if frozen != l.Mint.String()+": "+payout.OlderThanJournal {
				t.Fatalf("frozen is %q", frozen)
			}
			rebuilt, err := e.Rebuild(t.Context(), l.Mint)
			if err != nil || rebuilt.Landed < 1 {
				t.Fatalf("%+v, %v", rebuilt, err)
			}
			l.Pay(t, e, l.phase)
			if paid, _ := l.check(t); paid != 3 {
				t.Errorf("%d paid", paid)
			}
		})
	}
}

// forgetful knows nothing of transactions that are old.
type forgetful struct{ payout.Chain }

func (f forgetful) Landings(context.Context, ...solana.Signature) ([]payout.Landing, error) {
	return nil, nil
}

func (f forgetful) SignatureStatuses(_ context.Context, signatures ...solana.Signature) ([]payout.SignatureStatus, error) {
	return make([]payout.SignatureStatus, len(signatures)), nil
}

func (f forgetful) History(context.Context, solana.PublicKey) ([]payout.Landing, bool, error) {
	return nil, true, nil
}

// The nodes have forgotten the landing, and a stranger has sent dust since: the payment is
// not taken for blocked, and no holder is paid twice.
func TestDustOnAReceiptWhoseLandingIsForgottenIsNoBlock(t *testing.T) {
	l := lifeOf(t, fates["landed"])
	e := l.engine(t)
	l.step(t, e)
	receipt := l.only(t).Receipt.Address
	l.Give(t, receipt, 5)
	l.network.Strangers += 5
	own := l.only(t).Attempts[0].Signature
	e.Chains = []payout.Chain{pruned{e.Chains[0], own}}
	for range 30 {
		l.Clock.Pass(10 * time.Second)
		l.step(t, e)
		if p := l.only(t); p.Receipt.Generation > 0 {
			t.Fatal("it was taken for blocked")
		}
	}
	if p := l.only(t); p.Status() != payout.Unknown {
		t.Errorf("it is %s", p.Status())
	}
}

// pruned has forgotten a transaction.
type pruned struct {
	payout.Chain
	gone solana.Signature
}

func (f pruned) Landings(context.Context, ...solana.Signature) ([]payout.Landing, error) {
	return nil, nil
}

func (f pruned) SignatureStatuses(_ context.Context, signatures ...solana.Signature) ([]payout.SignatureStatus, error) {
	return make([]payout.SignatureStatus, len(signatures)), nil
}

func (f pruned) History(ctx context.Context, account solana.PublicKey) ([]payout.Landing, bool, error) {
	list, complete, err := f.Chain.History(ctx, account)
	return slices.DeleteFunc(list, func(l payout.Landing) bool { return l.Signature == f.gone }), complete, err
}

// The first provider returns its newest blockhash and reports a much lower height; the other is
// honest, and slow. By both heights the attempt would expire while it lives, and be paid again.
func TestNothingIsSignedOnABlockhashThatOneProviderAloneKnows(t *testing.T) {
	l := lifeOf(t, all(payouttest.Drops))
	e := l.engine(t)
	honest := e.Chains[0]
	old, err := honest.RecentBlockhash(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	l.Ledger.PassSlots(t, 60)
	e.Chains = []payout.Chain{low{honest}, slow{low{honest}, old}}
	l.step(t, e)
	attempts := l.only(t).Attempts
	if len(attempts) != 1 {
		t.Fatalf("%d attempts", len(attempts))
	}
	tx, err := wire.ParseOwn(attempts[0].Bytes)
	if err != nil {
		t.Fatal(err)
	}
	if tx.Message().Recent() != old.Hash || attempts[0].LastValid < old.LastValid {
		t.Errorf("it is signed on %s until %d, want on %s until %d at least", tx.Message().Recent(), attempts[0].LastValid, old.Hash, old.LastValid)
	}
}

// low is a node that says it is 60 blocks behind where it is.
type low struct{ payout.Chain }

func (c low) RecentBlockhash(ctx context.Context) (onchain.Blockhash, error) {
	recent, err := c.Chain.RecentBlockhash(ctx)
	recent.LastValid -= 60
	return recent, err
}

func (c low) Height(ctx context.Context) (uint64, error) {
	height, err := c.Chain.Height(ctx)
	return height - 60, err
}

// slow is a node that has come as far as a blockhash.
type slow struct {
	payout.Chain
	newest onchain.Blockhash
}

func (c slow) RecentBlockhash(context.Context) (onchain.Blockhash, error) { return c.newest, nil }

func (c slow) Knows(_ context.Context, blockhash solana.Hash) (bool, error) {
	return blockhash == c.newest.Hash, nil
}
