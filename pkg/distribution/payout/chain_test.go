package payout_test

import (
	"log/slog"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
	"tokenlaunch.example/service/pkg/testkit/telemetrytest"
)

// holders makes payments of different amounts to new wallets.
func holders(n int, least uint64) []payout.Entry {
	list := make([]payout.Entry, n)
	for i := range list {
		list[i] = payout.Entry{Owner: solana.NewWallet().PublicKey(), Amount: least + uint64(n-i)}
	}
	return list
}

const sol = solana.LAMPORTS_PER_SOL

func TestSeventeenHoldersArePaidSOLByOneSignature(t *testing.T) {
	w := payouttest.NewEnv(t).Fixture(t, sol)
	var log telemetrytest.Log
	w.Log = log.Logger(slog.LevelInfo)
	list := holders(2*payout.SOLBatch, 1_000_000)
	before := w.Lamports(t, w.Wallet.Address)
	p := w.Plan(payouttest.SOL(payout.SOLBatch), list)
	w.Pay(t, w.Engine(t, nil), p)
	var paid, fees uint64
	for _, h := range list {
		if got := w.Lamports(t, h.Owner); got != h.Amount {
			t.Errorf("%s has %d lamports, want %d", h.Owner, got, h.Amount)
		}
		paid += h.Amount
	}
	payments := w.Payments(t, payout.Pay, 0)
	for _, i := range payments {
		if i.Status() != payout.Landed || len(i.Attempts) != 1 || i.To-i.From != payout.SOLBatch {
			t.Fatalf("payment %s is %s after %d attempts", i.ID, i.Status(), len(i.Attempts))
		}
		fees += i.Outcome.FeeLamports + i.Outcome.RentLamports
	}
	if after := w.Lamports(t, w.Wallet.Address); len(payments) != 2 || before != after+paid+fees {
		t.Errorf("%d payments; the wallet had %d and has %d lamports: %d paid, %d fees", len(payments), before, after, paid, fees)
	}
	if n, err := w.Store.ChunksDone(t.Context(), w.Run, payout.Pay, 0); n != 1 || err != nil {
		t.Errorf("%d stripes are done, %v", n, err)
	}
	byKind := map[string]float64{}
	for _, line := range log.Lines(t) {
		for _, n := range line.Metrics()["Payments"] {
			byKind[line.Text("Kind")] += n
			if line.Text("run") != w.Run || line.Text("mint") != w.Mint.String() {
				t.Errorf("%v does not name its run", line)
			}
		}
	}
	if byKind["pay"] != 2 || log.Sum(t)["HoldersPaid"] != 2*payout.SOLBatch {
		t.Errorf("measured %v, %v", byKind, log.Sum(t))
	}
	figures.Show(t, "payouts in SOL: %d a transaction, %d lamports of base fee each", payout.SOLBatch, 5000/payout.SOLBatch)
}
