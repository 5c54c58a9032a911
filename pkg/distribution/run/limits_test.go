package run_test

import (
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/testkit/localnet/marketmaker"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// A launch with a tax of 10 % moves 80 % of the supply to one holder, so that 8 % are withheld,
// more than the limit of a run. All of it is shared out at once, because the
// chain shows where it came from.
func TestRunMovesTaxAboveLimits(t *testing.T) {
	w := withheld(t)
	r := w.Distribute(t)
	if r.Exchange.Sold <= runTokens || r.Exchange.Sold != r.Split.Sell {
		t.Errorf("Exchange = %+v of %d; want all sold, more than the limit of %d", r.Exchange.Movement, r.Split.Sell, runTokens)
	}
	unalarmed(t, w)
}

// Burning the tax needs no market. The creator of a token can have any part of the supply
// burned by a transfer to an own wallet.
func TestRunBurnsAboveLimits(t *testing.T) {
	w := withheld(t)
	w.Token.Settings.BurnBps = terms.FullBps
	r := w.Distribute(t)
	if r.Burn.Amount <= runTokens {
		t.Errorf("burned %d; want more than the limit of %d", r.Burn.Amount, runTokens)
	}
	unalarmed(t, w)
}

// A sale brings more SOL than the limit of a run.
func TestRunPaysProceedsAboveLimits(t *testing.T) {
	w := withheld(t)
	w.Limits.RunLamports, w.Limits.WalletDayLamports = solana.LAMPORTS_PER_SOL/10, solana.LAMPORTS_PER_SOL/10
	r := w.Distribute(t)
	if r.Closing.Legs[0].Paid <= w.Limits.RunLamports {
		t.Errorf("paid %d lamports; want more than the limit of %d", r.Closing.Legs[0].Paid, w.Limits.RunLamports)
	}
	unalarmed(t, w)
}

// A third party deposits 9 % of the supply before the first run, so no sighting shows where it
// came from. Each run sells what the limits leave, and carries the rest, until all is sold.
func TestRunCarriesDepositAboveLimits(t *testing.T) {
	w := runworld.NewEnv(t).Fixture(t)
	w.Maker.SetPrice(terms.SOL, marketmaker.Price{In: 100_000_000_000, Out: solana.LAMPORTS_PER_SOL})
	w.Holders(t, 1, 1_000_000_000)
	w.Give(t, w.Token.Wallet.Address, 90_000_000_000)
	var sold uint64
	for n := range 3 {
		r := w.Distribute(t)
		if most := runTokens + r.Collecting.Collected; n == 0 && (r.Exchange.Sold == 0 || r.Exchange.Sold > most) {
			t.Errorf("run 1 sold %d; want at most %d, the limit and what was collected", r.Exchange.Sold, most)
		}
		sold += r.Exchange.Sold
		w.Holders(t, 1, 1_000_000)
	}
	if sold < 85_000_000_000 {
		t.Errorf("three runs sold %d of the deposit", sold)
	}
	unalarmed(t, w)
}

// runTokens is the limit of a run in base units of a fixture's token.
var runTokens = uint64(runworld.Supply/terms.FullBps) * signing.DefaultLimits.RunSupplyBps

// withheld is a token of which 8 % of the supply is withheld.
func withheld(t *testing.T) *runworld.Fixture {
	t.Helper()
	w := runworld.NewEnv(t).Taxed(t, 1_000)
	w.Maker.SetPrice(terms.SOL, marketmaker.Price{In: 100_000_000_000, Out: solana.LAMPORTS_PER_SOL})
	w.Holders(t, 1, 800_000_000_000)
	return w
}

// unalarmed fails if the signer reported a limit.
func unalarmed(t *testing.T, w *runworld.Fixture) {
	t.Helper()
	for _, line := range w.Log.Lines(t) {
		if strings.Contains(line.Text("msg"), "cap of the signer") {
			t.Errorf("alarm: %v", line)
			return
		}
	}
}
