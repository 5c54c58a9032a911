package run_test

import (
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/handover"
)

// handing is a token with debts whose tax is to be handed over.
type handing struct {
	claimants
	to solana.PrivateKey
}

func newHanding(t *testing.T, g *runworld.Env) handing {
	t.Helper()
	h := handing{newOwed(t, g, 2), solana.NewWallet().PrivateKey}
	h.Give(t, h.rich, 10_000*tokens) // there is something to distribute
	h.Pay(t, h.poor[0], rentExempt)  // one of the two can be paid by now
	return h
}

// order writes an order that the given wallet signed.
func (h handing) order(t *testing.T, by solana.PrivateKey, to solana.PublicKey) handover.State {
	t.Helper()
	s, err := h.Handovers().Handover(t.Context(), h.Token.Mint)
	must.Do(t, err)
	o := handover.Order{Number: s.Number + 1, To: to, EffectiveAt: h.Clock.Now().Truncate(time.Second)}
	o.Signature, err = by.Sign([]byte(o.Text(h.Token.Mint)))
	must.Do(t, err)
	given, err := s.Give(o, h.Clock.Now())
	must.Do(t, err)
	must.Do(t, h.Handovers().SaveHandover(t.Context(), h.Token.Mint, given, h.Clock.Now()))
	return given
}

func (h handing) state(t *testing.T) handover.State {
	t.Helper()
	s, err := h.Handovers().Handover(t.Context(), h.Token.Mint)
	must.Do(t, err)
	return s
}

// sweeps plays the sweep of each minute for a time, with the processes of start.
func (h handing) sweeps(t *testing.T, lasting time.Duration, start func() *fault.Process) {
	t.Helper()
	for end := h.Clock.Now().Add(lasting); h.Clock.Now().Before(end); h.Clock.Pass(time.Minute) {
		due, err := h.Runs.ClaimsDue(t.Context(), h.Clock.Now(), 10)
		must.Do(t, err)
		if len(due) > 0 {
			h.Claim(t)
			h.Drive(t, start)
		}
	}
}

// authority reads who may withdraw the tax.
func (h handing) authority(t *testing.T) solana.PublicKey {
	t.Helper()
	account, found, err := h.Node.Account(t.Context(), h.Token.Mint)
	must.Do(t, err)
	mint, err := token2022.DecodeMint(account.Owner, account.Data)
	must.Do(t, err)
	if !found || mint.TransferFee == nil {
		t.Fatal("the mint has no tax")
	}
	return mint.TransferFee.WithdrawWithheldAuthority
}

// TestHandover: an order, the delay, the last distribution with a process that dies at every step,
// and the authority is the new address's, once; no further distribution is opened, a claim still
// is paid, and the new authority collects the tax that comes in afterwards.
func TestHandover(t *testing.T) {
	g := runworld.NewEnv(t)
	h := newHanding(t, g)
	h.Token.Settings.Enabled = false // a pause keeps no one's tax from holders
	before := h.Head(t)
	given := h.order(t, h.Creator, h.to.PublicKey())
	h.sweeps(t, runworld.HandoverDelay-time.Minute, nil)
	if s := h.state(t); s.Status() != handover.Ordered || s.NotedAt.IsZero() || h.authority(t) != h.Token.Wallet.Address {
		t.Fatalf("before the delay is over the order is %s, and %s may withdraw", s.Status(), h.authority(t))
	}
	h.sweeps(t, 30*time.Minute, dying(60))
	s := h.state(t)
	if s.Status() != handover.Done || s.To != given.To || h.authority(t) != h.to.PublicKey() {
		t.Fatalf("the order is %s, and %s may withdraw: %+v", s.Status(), h.authority(t), s)
	}
	head := h.Head(t)
	if head.HandedOver == nil || head.HandedOver.Signature != s.Transaction || head.HandedOver.By != handover.ByCreator {
		t.Fatalf("the head says %+v", head.HandedOver)
	}
	// Two runs: the last distribution, and the sweep with the hand-over.
	settled := h.Settled(t)
	if n := head.Last.Number - before.Last.Number; n != 2 {
		t.Errorf("%d proofs since the order", n)
	}
	sweep, last := settled[len(settled)-1], settled[len(settled)-2]
	if last.Kind() != run.Distribution || last.Split.Slice == 0 || sweep.Kind() != run.Sweep {
		t.Errorf("the last runs are %s and %s", last.Kind(), sweep.Kind())
	}
	handed := 0
	for tx, err := range h.Manifest(t, sweep).AllTransactions(t.Context(), h.Source()) {
		must.Do(t, err)
		if tx.Purpose == format.Handover && tx.Signature == s.Transaction {
			handed++
		}
	}
	if handed != 1 {
		t.Errorf("the proof names the hand-over %d times", handed)
	}
	h.Ledger.PassSlots(t, 400)
	for _, r := range settled { // also the proofs from before, with the authority as it now is
		h.Look(t, r.Slot)
		for _, c := range h.Report(t, r).Checks {
			if c.Name == "wallet on chain" && c.Verdict != verify.Proven {
				t.Errorf("%s: %s: %s", r.ID, c.Name, c.Detail)
			}
		}
	}
	h.Token.Settings.Enabled = true
	h.Clock.Pass(time.Hour)
	h.Give(t, h.rich, 10_000*tokens)
	slot := h.Slot()
	h.Drive(t, nil)
	if h.Head(t).LastSlot.Equal(slot) {
		t.Error("a token that was handed over is distributed")
	}
	h.Pay(t, h.poor[1], rentExempt)
	h.Claim(t, h.poor[1])
	h.Drive(t, nil)
	h.arrived(t, h.poor[1])
	if h.Lamports(t, h.poor[1]) == rentExempt {
		t.Error("what is owed is not paid by a claim")
	}
	h.collected(t)
}

// collected lets the new authority collect the tax withheld in the rich holder's account.
func (h handing) collected(t *testing.T) {
	t.Helper()
	h.Pay(t, h.to.PublicKey(), rentExempt)
	create, account, err := token2022.CreateAssociatedIdempotent{
		Payer: h.Bank.PublicKey(), Wallet: h.to.PublicKey(), Mint: h.Token.Mint, Program: solana.Token2022ProgramID,
	}.Instruction()
	must.Do(t, err)
	withdraw, err := token2022.WithdrawWithheldFromAccounts{
		Mint: h.Token.Mint, Destination: account, Authority: h.to.PublicKey(), Sources: []solana.PublicKey{h.Account(t, h.rich)},
	}.Instruction()
	must.Do(t, err)
	h.Execute(t, []solana.PrivateKey{h.Bank, h.to}, create, withdraw)
	if h.Tokens(t, h.to.PublicKey(), h.Token.Mint, solana.Token2022ProgramID) == 0 {
		t.Error("the new authority collects nothing")
	}
}

// TestHandoverIsTheCreatorsAlone: a cancelled order, an order by another wallet, and an order whose
// address was changed in the ledger hand nothing over, and distributions go on.
func TestHandoverIsTheCreatorsAlone(t *testing.T) {
	g := runworld.NewEnv(t)
	h := newHanding(t, g)
	h.order(t, h.Creator, h.to.PublicKey())
	h.sweeps(t, 2*time.Minute, nil)
	cancelled := h.state(t)
	s, err := cancelled.Cancel(h.Clock.Now())
	must.Do(t, err)
	must.Do(t, h.Handovers().SaveHandover(t.Context(), h.Token.Mint, s, h.Clock.Now()))
	h.sweeps(t, 2*time.Minute, nil)
	if s = h.state(t); s.RevokedAt.IsZero() {
		t.Fatalf("the signer does not know of the cancellation: %+v", s)
	}
	refused := func(what string) {
		t.Helper()
		h.sweeps(t, 3*time.Hour, nil)
		if h.authority(t) != h.Token.Wallet.Address || h.Head(t).HandedOver != nil {
			t.Fatalf("%s hands the tax over", what)
		}
	}
	// A function that writes the ledger brings the cancelled order back.
	cancelled.Version = s.Version
	must.Do(t, h.Handovers().SaveHandover(t.Context(), h.Token.Mint, cancelled, h.Clock.Now()))
	refused("a cancelled order")
	forged := func(change func(*handover.State)) {
		s := h.state(t)
		s.BegunAt, s.LastSlot, s.TriedAt, s.NotedAt = time.Time{}, time.Time{}, time.Time{}, time.Time{}
		s.Number++
		change(&s)
		must.Do(t, h.Handovers().SaveHandover(t.Context(), h.Token.Mint, s, h.Clock.Now()))
	}
	forged(func(s *handover.State) {
		s.Signature, err = h.to.Sign([]byte(s.Text(h.Token.Mint)))
		must.Do(t, err)
	})
	refused("another wallet's order")
	forged(func(s *handover.State) {
		s.Signature, err = h.Creator.Sign([]byte(s.Text(h.Token.Mint)))
		must.Do(t, err)
		s.To = h.rich
	})
	refused("an order to another address than the signed one")
	// Nor does an operator's order that no operator has released.
	forged(func(s *handover.State) { s.Signature, s.To = solana.Signature{}, h.Creator.PublicKey() })
	refused("an order without a release")
	h.Give(t, h.rich, 10_000*tokens)
	h.Settle(t)
}

// TestProofsNameAHandoverWithoutOrder: an operator takes the tax of a token with the wallet's key.
// Every proof reports this, whether the transaction claims an order or not.
func TestProofsNameAHandoverWithoutOrder(t *testing.T) {
	g := runworld.NewEnv(t)
	forged := handover.Order{Number: 1, EffectiveAt: time.Unix(1_800_000_000, 0).UTC(), Signature: solana.Signature{1}}
	for name, memo := range map[string]func(o handover.Order) string{
		"none":            func(handover.Order) string { return "gm" },
		"false signature": handover.Order.Memo,
		"operator":        func(o handover.Order) string { o.Signature = solana.Signature{}; return o.Memo() },
	} {
		t.Run(name, func(t *testing.T) {
			h := newHanding(t, g)
			h.Drive(t, nil)
			o := forged
			o.To = h.to.PublicKey()
			h.TakeTax(t, o.To, memo(o))
			h.Ledger.PassSlots(t, 400)
			settled := h.Settled(t)
			for _, c := range h.Report(t, settled[len(settled)-1]).Checks {
				if c.Name == "wallet on chain" && c.Verdict != verify.Failed {
					t.Errorf("the proof is %s: %s", c.Verdict, c.Detail)
				}
			}
		})
	}
}

// TestHandoverByOperator tests that a released token is handed over to the creator alone, without a delay, after a last
// distribution. An order at the end of a slot waits for the next slot.
func TestHandoverByOperator(t *testing.T) {
	g := runworld.NewEnv(t)
	for name, left := range map[string]time.Duration{"at the beginning of a slot": 5 * time.Minute, "a second before its end": time.Second} {
		t.Run(name, func(t *testing.T) {
			h := newHanding(t, g)
			h.order(t, h.Creator, h.to.PublicKey()) // which waits, and is replaced
			must.Do(t, h.Caps().Release(t.Context(), h.Token.Mint, "operator", "the service ends"))
			interval := h.Token.Settings.Interval
			h.Clock.Pass(interval.Next(h.Clock.Now()).Sub(h.Clock.Now()) + interval.Duration() - left)
			must.Do(t, run.OrderHandover(t.Context(), h.Handovers(), h.Token.Mint, h.Creator.PublicKey(), h.Clock.Now()))
			h.sweeps(t, 4*time.Minute, nil)
			if s := h.state(t); s.Status() != handover.Done || s.Number != 2 || h.authority(t) != h.Creator.PublicKey() {
				t.Fatalf("the order is %s, and %s may withdraw", s.Status(), h.authority(t))
			}
			if settled := h.Settled(t); len(settled) < 2 || settled[len(settled)-2].Claim != nil {
				t.Errorf("%d runs, and no distribution before the hand-over", len(settled))
			}
		})
	}
}
