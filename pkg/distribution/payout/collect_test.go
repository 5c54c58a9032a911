package payout_test

import (
	"encoding/binary"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
)

// withTax sends tokens to a number of new owners, and lists their accounts with what is withheld. The
// first account is made by transactions, and the others are written like the first: a hundred
// transactions take the local chain seconds.
func withTax(t *testing.T, w *payouttest.Fixture, c payouttest.Currency, n int) (list []payout.Entry, withheld uint64) {
	t.Helper()
	var first []*onchain.Account
	for i := range uint64(n) {
		owner, tax := solana.NewWallet().PublicKey(), 50*(i+1)
		account := c.Account(t, owner)
		if i == 0 {
			w.Send(t, c, owner, 1000)
			var err error
			first, err = w.Chain.Holders(t.Context(), account)
			must.Do(t, err)
		} else {
			data := slices.Clone(first[0].Data)
			copy(data[32:], owner[:])
			binary.LittleEndian.PutUint64(data[64:], 1000*(i+1)-tax)
			binary.LittleEndian.PutUint64(data[len(data)-8:], tax) // of the extension that comes last
			w.Ledger.SetAccount(t, account.String(), surfpool.Account{Lamports: first[0].Lamports, Owner: c.Program.String(), Data: data})
		}
		list = append(list, payout.Entry{Owner: account, Amount: tax})
		withheld += tax
	}
	return list, withheld
}

// collecting is a phase that collects from batches of a size.
func collecting(c payouttest.Currency, version payout.Version, size uint32) payout.Phase {
	p := c.Phase(size)
	p.Kind, p.Version = payout.Collect, version
	return p
}

// sent keeps what is sent, each transaction once.
func sent(p *fault.Process) *[]wire.Transaction {
	list, seen := &[]wire.Transaction{}, map[solana.Signature]bool{}
	p.On(fault.Operation(fault.Solana, fault.SendTransaction), func(_ fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
		id, tx, err := payouttest.Sent(r)
		if err != nil {
			return nil, err
		}
		if !seen[id] {
			seen[id] = true
			*list = append(*list, tx)
		}
		return send(r)
	})
	return list
}

// writes reports whether a message locks an account for writing.
func writes(m wire.Message, address solana.PublicKey) bool {
	return slices.ContainsFunc(m.Accounts(), func(a solana.AccountMeta) bool { return a.PublicKey == address && a.IsWritable })
}

// One transaction collects from as many accounts as fit, and one more account takes two.
// Only the first transaction of a run locks the mint, and it brings what lies there.
func TestCollectFillsTransactions(t *testing.T) {
	for name, version := range map[string]payout.Version{"legacy": payout.Legacy, "1": payout.V1} {
		t.Run(name, func(t *testing.T) {
			w, c := taxed(t, 0)
			size := version.CollectBatch(false)
			harvested, onMint := withTax(t, w, c, 1)
			w.Do(t, nil, token2022.HarvestWithheldToMint{Mint: c.Mint, Sources: owners(harvested)}.Instruction())
			list, withheld := withTax(t, w, c, 2*int(size))
			p := fault.NewProcess()
			transactions := sent(p)
			w.Pay(t, w.Engine(t, p), w.Plan(collecting(c, version, size), list))
			payments := w.Payments(t, payout.Collect, 0)
			if len(payments) != 2 || payments[0].Status() != payout.Landed || payments[1].Status() != payout.Landed {
				t.Fatalf("%+v", payments)
			}
			if got := w.Holding(t, c, w.Wallet.Address).Amount; got != withheld+onMint {
				t.Errorf("%d collected, want %d and %d of the mint", got, withheld, onMint)
			}
			locked := 0
			for _, tx := range *transactions {
				m := tx.Message()
				if writes(m, c.Mint) {
					locked++
				}
				if _, v1 := m.V1(); v1 != (version == payout.V1) || dataLimit(m) == 0 {
					t.Errorf("version 1 is %v, its limit of data %d", v1, dataLimit(m))
				}
				now, high := rank(t, m, 10_000, dataLimit(m))
				before, low := rank(t, m, 10_000, 64<<20)
				figures.Show(t, "collecting, version %s: %d accounts, %d bytes, %d locks; cost %d, rank %d; with the maximum %d, %d",
					name, size, len(tx.Bytes()), len(m.Accounts()), now, high, before, low)
			}
			if len(*transactions) != 2 || locked != 1 {
				t.Errorf("%d transactions, %d lock the mint", len(*transactions), locked)
			}

			more, _ := withTax(t, w, c, int(size)+1)
			phase := collecting(c, version, size+1)
			phase.Leg = 1
			w.Pay(t, w.Engine(t, nil), w.Plan(phase, more))
			if payments := w.Payments(t, payout.Collect, 1); len(payments) != 2 || payments[0].ID.Part != "0" {
				t.Errorf("%d accounts take %d payments, want two halves", size+1, len(payments))
			}
		})
	}
}

// Accounts that are not as they were listed keep nothing from being collected: the program
// skips those that it cannot take from, and takes from frozen ones and from the wallet's.
func TestCollectSkipsBadAccounts(t *testing.T) {
	w, c := taxed(t, 0)
	list, withheld := withTax(t, w, c, 3)
	frozen := solana.NewWallet().PublicKey()
	w.Send(t, c, frozen, 2_000)
	w.Freeze(t, c, frozen)
	w.Send(t, c, w.Wallet.Address, 2_000)
	withheld += 100 + 100
	other := w.Taxed(t, w.Wallet.Address, 500, 1_000_000)
	foreign := solana.NewWallet().PublicKey()
	w.Send(t, other, foreign, 2_000)
	// It has the bytes of an account with tax, and belongs to another program.
	posing, copied := solana.NewWallet().PublicKey(), c.Account(t, frozen)
	found, err := w.Chain.Holders(t.Context(), copied)
	if err != nil || found[0] == nil {
		t.Fatal(found, err)
	}
	w.Ledger.SetAccount(t, posing.String(), surfpool.Account{Lamports: sol, Owner: solana.StakeProgramID.String(), Data: found[0].Data})
	plain := solana.NewWallet().PublicKey()
	w.Give(t, plain, sol)
	for _, bad := range []solana.PublicKey{
		copied, c.Account(t, w.Wallet.Address), other.Account(t, foreign), posing, plain,
		solana.NewWallet().PublicKey(), // closed
	} {
		list = append(list, payout.Entry{Owner: bad, Amount: 100})
	}
	w.Pay(t, w.Engine(t, nil), w.Plan(collecting(c, payout.V1, payout.CollectBatchV1), list))
	payments := w.Payments(t, payout.Collect, 0)
	if len(payments) != 1 || payments[0].Status() != payout.Landed {
		t.Fatalf("%+v", payments)
	}
	if got, want := w.Holding(t, c, w.Wallet.Address).Amount, withheld+1_900; got != want {
		t.Errorf("the wallet has %d, want %d", got, want)
	}
	if got := w.Holding(t, other, foreign).Withheld; got != 100 {
		t.Errorf("the account of another mint has %d withheld, want 100", got)
	}
}

// A source that makes the program fail, as the mint itself does, is left out alone: the
// batch is split until it has a transaction of its own.
func TestCollectIsolatesFailingSource(t *testing.T) {
	w, c := taxed(t, 0)
	list, withheld := withTax(t, w, c, 7)
	list = slices.Insert(list, 4, payout.Entry{Owner: c.Mint, Amount: 1})
	w.Pay(t, w.Engine(t, nil), w.Plan(collecting(c, payout.V1, payout.CollectBatchV1), list))
	if got := w.Holding(t, c, w.Wallet.Address).Amount; got != withheld {
		t.Errorf("%d collected, want %d", got, withheld)
	}
	for _, i := range w.Payments(t, payout.Collect, 0) {
		failing := i.From == 4 && i.To == 5
		if landed := i.Status() == payout.Landed; landed == failing {
			t.Errorf("%s of records %d to %d is %s", i.ID, i.From, i.To, i.Status())
		}
	}
}

// A plan of an earlier version of the service names no version and smaller batches. It is
// carried out as it was made.
func TestCollectWithoutVersionIsLegacy(t *testing.T) {
	const before = 25
	w, c := taxed(t, 0)
	list, withheld := withTax(t, w, c, 2*before+10)
	p := fault.NewProcess()
	transactions := sent(p)
	w.Pay(t, w.Engine(t, p), w.Plan(collecting(c, payout.Legacy, before), list))
	for _, tx := range *transactions {
		if _, v1 := tx.Message().V1(); v1 {
			t.Error("version 1 is sent")
		}
	}
	if got := w.Holding(t, c, w.Wallet.Address).Amount; got != withheld || len(*transactions) != 3 {
		t.Errorf("%d collected by %d transactions, want %d by 3", got, len(*transactions), withheld)
	}
}

// A node that takes no version 1 gets legacy transactions, of which each fits.
func TestCollectFallsBackToLegacy(t *testing.T) {
	w, c := taxed(t, 0)
	list, withheld := withTax(t, w, c, payout.CollectBatchV1)
	p := fault.NewProcess()
	p.On(fault.Operation(fault.Solana, "simulateTransaction"), ofV1(fault.Answer(http.StatusOK, unsupported)))
	transactions := sent(p)
	w.Pay(t, w.Engine(t, p), w.Plan(collecting(c, payout.V1, payout.CollectBatchV1), list))
	var sizes []string
	for _, i := range w.Payments(t, payout.Collect, 0) {
		sizes = append(sizes, fmt.Sprintf("%d %s", i.To-i.From, i.Status()))
	}
	slices.Sort(sizes)
	if got := w.Holding(t, c, w.Wallet.Address).Amount; got != withheld || len(*transactions) != 4 {
		t.Errorf("%d collected by %d transactions, want %d by 4: %v", got, len(*transactions), withheld, sizes)
	}
}
