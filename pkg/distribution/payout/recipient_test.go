package payout_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"net/http"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
	"tokenlaunch.example/service/pkg/token/terms"
)

// reasons returns why records were not paid, and which were; it fails when a record
// is in two payments.
func reasons(t *testing.T, w *payouttest.Fixture, leg int) (skips map[uint32]payout.Skip, paid map[uint32]bool, made map[uint32]bool) {
	t.Helper()
	skips, paid, made = map[uint32]payout.Skip{}, map[uint32]bool{}, map[uint32]bool{}
	for _, i := range w.Payments(t, payout.Pay, leg) {
		for _, s := range i.Skips {
			skips[s.Record] = s
		}
		for _, record := range i.Made {
			made[record] = true
		}
		for record := i.From; record < i.To; record++ {
			if _, skipped := skips[record]; !skipped && i.Status() == payout.Landed {
				if paid[record] {
					t.Errorf("record %d is paid twice", record)
				}
				paid[record] = true
			}
		}
	}
	return skips, paid, made
}

func TestWhoCannotBePaidSOL(t *testing.T) {
	w := payouttest.NewEnv(t).Fixture(t, sol)
	existing := solana.NewWallet().PublicKey()
	w.Give(t, existing, 1_000_000)
	program := solana.NewWallet().PublicKey()
	w.Ledger.SetAccount(t, program.String(), surfpool.Account{Lamports: 5_000_000, Owner: surfpool.Token2022Program, Data: make([]byte, 3)})
	list := []payout.Entry{
		{Owner: solana.NewWallet().PublicKey(), Amount: 890_880}, // the rent of an empty account, exactly
		{Owner: solana.NewWallet().PublicKey(), Amount: 890_879},
		{Owner: existing, Amount: 1},
		{Owner: program, Amount: 1_000_000},
		{Owner: solana.Token2022ProgramID, Amount: 1_000_000},
	}
	w.Pay(t, w.Engine(t, nil), w.Plan(payouttest.SOL(payout.SOLBatch), list))
	skips, paid, _ := reasons(t, w, 0)
	for record, want := range []payout.Reason{"", "below_rent_floor", "", "not_a_wallet", "not_a_wallet"} {
		s := skips[uint32(record)]
		if s.Reason != want || paid[uint32(record)] != (want == "") {
			t.Errorf("record %d: %+v, paid %v; want %q", record, s, paid[uint32(record)], want)
		}
		if held := s.Hold != [8]byte{}; held != (want == "not_a_wallet") {
			t.Errorf("record %d has the hold %x", record, s.Hold)
		}
	}

	// In the next run the same program is left out as long as it is the same.
	again := payouttest.SOL(payout.SOLBatch)
	again.Leg = 1
	list = []payout.Entry{{Owner: program, Amount: 1_000_000, Hold: skips[3].Hold}}
	w.Pay(t, w.Engine(t, nil), w.Plan(again, list))
	if skips, _, _ = reasons(t, w, 1); skips[0].Hold != ([8]byte)(list[0].Hold) {
		t.Errorf("again: %+v", skips[0])
	}
	if i := w.Payments(t, payout.Pay, 1)[0]; i.Status() != payout.Cancelled || i.Refused != payout.ReasonNoRecipient {
		t.Errorf("a batch without recipients is %s: %s", i.Status(), i.Refused)
	}
}

// A wallet that looks as it did when the chain refused to pay it is left out, until
// its balance changes.
func TestHeldWalletIsLeftOutUntilChanged(t *testing.T) {
	w := payouttest.NewEnv(t).Fixture(t, sol)
	owner := solana.NewWallet().PublicKey()
	w.Give(t, owner, 1_000_000)
	seen := sha256.Sum256(binary.LittleEndian.AppendUint64(make([]byte, 33), 1_000_000)) // program, not executable, lamports
	held := payout.Entry{Owner: owner, Amount: 5, Hold: [8]byte(seen[:8])}
	for leg, want := range []payout.Reason{"held", ""} {
		p := payouttest.SOL(payout.SOLBatch)
		p.Leg = leg
		w.Pay(t, w.Engine(t, nil), w.Plan(p, []payout.Entry{held}))
		skips, paid, _ := reasons(t, w, leg)
		if skips[0].Reason != want || paid[0] != (want == "") || (skips[0].Hold == held.Hold) != (want != "") {
			t.Errorf("leg %d: %+v, paid %v; want %q", leg, skips[0], paid[0], want)
		}
		w.Give(t, owner, 1)
	}
}

func TestAccountsForTokensAreMadeWhenThatIsWorthIt(t *testing.T) {
	w, c := taxed(t, 100_000_000)
	list := holders(12, 5_000_000) // too many new accounts for one transaction
	list[11].Amount = 4_999_999
	p := c.Phase(payout.TokenBatch)
	p.RentFloor, p.AccountCharge = 5_000_000, 500_000
	w.Pay(t, w.Engine(t, nil), w.Plan(p, list))
	skips, paid, made := reasons(t, w, 0)
	if len(skips) != 1 || skips[11].Reason != "account_missing_too_small" || len(paid) != 11 || len(made) != 11 {
		t.Fatalf("skips %+v, %d paid, %d accounts made", skips, len(paid), len(made))
	}
	for n, h := range list[:11] {
		if got := w.Holding(t, c, h.Owner); got.Amount+got.Withheld != h.Amount-p.AccountCharge {
			t.Errorf("holder %d got %d, want %d", n, got.Amount+got.Withheld, h.Amount-p.AccountCharge)
		}
	}
	if n := len(w.Payments(t, payout.Pay, 0)); n != 2 {
		t.Errorf("%d transactions", n)
	}
}

func TestAccountsThatCannotTakeTokens(t *testing.T) {
	w, c := taxed(t, 100_000_000)
	list := holders(3, 1_000_000)
	w.Open(t, c, owners(list)...)
	w.Freeze(t, c, list[0].Owner)
	// The owner sold the account with everything in it: its owner is another now.
	account := c.Account(t, list[1].Owner)
	stolen, err := w.Chain.Holders(t.Context(), account)
	if err != nil {
		t.Fatal(err)
	}
	copy(stolen[0].Data[32:64], solana.NewWallet().PublicKey().Bytes())
	w.Ledger.SetAccount(t, account.String(), surfpool.Account{Lamports: stolen[0].Lamports, Owner: surfpool.Token2022Program, Data: stolen[0].Data})
	w.Pay(t, w.Engine(t, nil), w.Plan(c.Phase(payout.TokenBatch), list))
	skips, paid, _ := reasons(t, w, 0)
	for record, want := range []payout.Reason{"account_frozen", "account_not_owned", ""} {
		if s := skips[uint32(record)]; s.Reason != want || paid[uint32(record)] != (want == "") || (s.Hold != [8]byte{}) != (want != "") {
			t.Errorf("record %d: %+v, paid %v; want %q", record, s, paid[uint32(record)], want)
		}
	}

	// The frozen account is left out while it is frozen, and paid when it is not.
	for leg, want := range []payout.Reason{1: "account_frozen", 2: ""} {
		if leg == 0 {
			continue
		}
		if leg == 2 {
			w.Thaw(t, c, list[0].Owner)
		}
		p := c.Phase(payout.TokenBatch)
		p.Leg = leg
		held := payout.Entry{Owner: list[0].Owner, Amount: 7, Hold: skips[0].Hold}
		w.Pay(t, w.Engine(t, nil), w.Plan(p, []payout.Entry{held}))
		if got, _, _ := reasons(t, w, leg); got[0].Reason != want {
			t.Errorf("leg %d: %q, want %q", leg, got[0].Reason, want)
		}
	}
}

// An account is frozen after the wallet has looked and before the transaction would
// land, every time: the batch is split until the batch has only the holder.
func TestBadRecipientIsFoundBySplitting(t *testing.T) {
	w, c := taxed(t, 100_000_000)
	list := holders(9, 1_000_000)
	w.Open(t, c, owners(list)...)
	const bad = 6
	address := c.Account(t, list[bad].Owner).String()
	w.Freeze(t, c, list[bad].Owner)
	p := fault.NewProcess()
	p.On(fault.Operation(fault.Solana, fault.GetMultipleAccounts), func(_ fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
		var keys []string
		if err := payouttest.Parameter(r, &keys); err != nil {
			return nil, err
		}
		for _, key := range keys {
			if key == address && len(keys) > 1 {
				w.Thaw(t, c, list[bad].Owner)
				defer w.Freeze(t, c, list[bad].Owner)
			}
		}
		return send(r)
	})
	w.Pay(t, w.Engine(t, p), w.Plan(c.Phase(payout.TokenBatch), list))
	skips, paid, _ := reasons(t, w, 0)
	if len(skips) != 1 || len(paid) != len(list)-1 || paid[bad] {
		t.Fatalf("skips %+v, paid %v", skips, paid)
	}
	if s := skips[bad]; s.Hold == [8]byte{} {
		t.Errorf("it is tried again before it changes: %+v", s)
	}
	for n, h := range list {
		if got := w.Holding(t, c, h.Owner); (got.Amount > 0) != (n != bad) {
			t.Errorf("holder %d has %d", n, got.Amount)
		}
	}
}

func TestNothingIsBegunAfterTheDeadline(t *testing.T) {
	l := lifeOf(t, fates["landed"])
	late := l.phase
	late.Deadline = l.Clock.Now()
	l.Pay(t, l.Engine(t, nil), l.Plan(late, l.list))
	if p := l.only(t); p.Status() != payout.Cancelled || p.Refused != payout.ReasonLate || len(p.Skips) > 0 {
		t.Errorf("%+v", p)
	}
	// What was begun before is brought to its end.
	on := l.phase
	on.Leg, on.Deadline = 1, l.Clock.Now().Add(time.Second)
	on = l.Plan(on, l.list)
	e := l.Engine(t, nil)
	if _, err := e.Work(t.Context(), l.Work(on, 0)); err != nil {
		t.Fatal(err)
	}
	l.Clock.Pass(time.Minute)
	l.Pay(t, e, on)
	if i := l.Payments(t, payout.Pay, 1)[0]; i.Status() != payout.Landed {
		t.Errorf("it is %s", i.Status())
	}
}

func TestWalletSpendsOnlyItsBalance(t *testing.T) {
	w := payouttest.NewEnv(t).Fixture(t, 10_000_000)
	has := w.Lamports(t, w.Wallet.Address)
	for leg, amount := range []uint64{has - 2*890_880 - 5_000 + 1, has, ^uint64(0)} {
		p := payouttest.SOL(payout.SOLBatch)
		p.Leg = leg
		w.Pay(t, w.Engine(t, nil), w.Plan(p, []payout.Entry{{Owner: solana.NewWallet().PublicKey(), Amount: amount}}))
		if i := w.Payments(t, payout.Pay, leg)[0]; i.Refused != payout.ReasonFunds || len(i.Attempts) > 0 {
			t.Errorf("%d of %d: %s, %s", amount, has, i.Status(), i.Refused)
		}
	}
	// What is reserved stays, to the lamport, though the chain would let it go.
	for leg, reserved := range []uint64{3: 4_000_001, 4: 4_000_000} {
		if reserved == 0 {
			continue
		}
		e := w.Engine(t, nil)
		e.Reserved = func(context.Context, solana.PublicKey, terms.Asset) (uint64, error) { return reserved, nil }
		p := payouttest.SOL(payout.SOLBatch)
		p.Leg = leg
		priority := uint64(10)
		amount := has - 2*890_880 - 5_000 - 4_000_000 - priority
		if reserved > 4_000_000 {
			amount += priority
		}
		w.Pay(t, e, w.Plan(p, []payout.Entry{{Owner: solana.NewWallet().PublicKey(), Amount: amount}}))
		want := payout.Landed
		if reserved > 4_000_000 {
			want = payout.Cancelled
		}
		w.Return(t, e, leg)
		if i := w.Payments(t, payout.Pay, leg)[0]; i.Status() != want {
			t.Errorf("with %d reserved: %s, %s", reserved, i.Status(), i.Detail)
		}
		if got := w.Lamports(t, w.Wallet.Address); want == payout.Cancelled && got != has {
			t.Errorf("the wallet had %d and has %d lamports", has, got)
		}
	}
}

func TestChunksShareTheWork(t *testing.T) {
	w := payouttest.NewEnv(t).Fixture(t, sol)
	list := holders(14, 1_000_000)
	p := payouttest.SOL(2)
	p.Chunk = 3
	w.Pay(t, w.Engine(t, nil), w.Plan(p, list))
	for _, i := range w.Payments(t, payout.Pay, 0) {
		if i.Status() != payout.Landed || len(i.Attempts) != 1 {
			t.Errorf("payment %s is %s after %d attempts", i.ID, i.Status(), len(i.Attempts))
		}
	}
	if n, err := w.Store.ChunksDone(t.Context(), w.Run, payout.Pay, 0); n != 3 || err != nil {
		t.Errorf("%d stripes are done, %v", n, err)
	}
	for _, h := range list {
		if got := w.Lamports(t, h.Owner); got != h.Amount {
			t.Errorf("%s has %d, want %d", h.Owner, got, h.Amount)
		}
	}
}

// The payments of a second chunk are in another partition of the ledger. A worker dies when the
// ledger is marked for it and has none of them yet; another pays each holder once, and finds every receipt.
func TestLaterChunkIsPaidOnceAfterCrashAtItsBeginning(t *testing.T) {
	w := payouttest.NewEnv(t).Fixture(t, sol)
	list := holders(payout.MaxStripe+2, 1_000_000)
	phase := payouttest.SOL(1)
	phase.Chunk = payout.MaxStripe
	phase = w.Plan(phase, list)
	p := fault.NewProcess()
	dying := w.Engine(t, p)
	p.KillAfter(func(c fault.Call) bool { return c.Operation == "PutItem" })
	p.Run(func() { _, _ = dying.Work(t.Context(), w.Work(phase, 1)) })
	if begun := w.Payments(t, payout.Pay, 0); len(begun) != 0 {
		t.Fatalf("%d payments before the worker died", len(begun))
	}
	e := w.Engine(t, nil)
	w.Pay(t, e, phase)
	w.Pay(t, e, phase) // again pays nothing
	w.Return(t, e, 0)
	paid := w.Payments(t, payout.Pay, 0)
	if len(paid) != len(list) {
		t.Fatalf("%d payments to %d holders", len(paid), len(list))
	}
	for n, i := range paid {
		if i.ID.Batch != n || i.Status() != payout.Landed {
			t.Errorf("payment %s is number %d and %s", i.ID, n, i.Status())
		}
		if left := w.Lamports(t, i.Receipt.Address); left != 0 {
			t.Errorf("the receipt of %s has %d lamports", i.ID, left)
		}
		if got := w.Lamports(t, list[n].Owner); got != list[n].Amount {
			t.Errorf("%s has %d, want %d", list[n].Owner, got, list[n].Amount)
		}
	}
}

// The receipts of many payments come back by few transactions.
func TestReceiptsAreReturnedTogether(t *testing.T) {
	w := payouttest.NewEnv(t).Fixture(t, sol)
	list := holders(2*payout.ReturnBatch+1, 1_000_000)
	w.Pay(t, w.Engine(t, nil), w.Plan(payouttest.SOL(1), list))
	w.Return(t, w.Engine(t, nil), 0)
	w.Return(t, w.Engine(t, nil), 0) // again returns nothing
	var returned, lent, fees uint64
	for _, p := range w.Payments(t, payout.Pay, 0) {
		lent, fees = lent+p.Outcome.RentLamports, fees+p.Outcome.FeeLamports
		if left := w.Lamports(t, p.Receipt.Address); left != 0 {
			t.Errorf("the receipt of %s has %d lamports", p.ID, left)
		}
	}
	returns := w.Payments(t, payout.Return, 0)
	for _, p := range returns {
		returned, fees = returned+uint64(p.Outcome.Lamports+int64(p.Outcome.FeeLamports)), fees+p.Outcome.FeeLamports
	}
	if len(returns) != 3 || returned != lent || lent == 0 {
		t.Errorf("%d of %d lamports came back by %d transactions", returned, lent, len(returns))
	}
	var paid uint64
	for _, h := range list {
		paid += h.Amount
	}
	if has := w.Lamports(t, w.Wallet.Address); has != sol-paid-fees {
		t.Errorf("the wallet has %d lamports, want %d", has, sol-paid-fees)
	}
}

func TestWalletAccountsAreCreatedOnce(t *testing.T) {
	w, c := taxed(t, 0)
	before := w.Lamports(t, w.Wallet.Address)
	w.Ready(t, c.Own())
	if after := w.Lamports(t, w.Wallet.Address); after != before {
		t.Errorf("a second time cost %d lamports", before-after)
	}
	list := w.Payments(t, payout.Setup, 0)
	if len(list) != 1 || list[0].Status() != payout.Landed || -list[0].Outcome.Lamports != int64(list[0].Amount+list[0].Outcome.FeeLamports) {
		t.Errorf("%+v", list)
	}
}
