package payout_test

import (
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
)

// taxed is a fixture whose wallet has tokens of a taxed coin.
func taxed(t *testing.T, tokens uint64) (*payouttest.Fixture, payouttest.Currency) {
	t.Helper()
	w := payouttest.NewEnv(t).Fixture(t, sol)
	c := w.Taxed(t, w.Wallet.Address, 500, 1_000_000_000_000)
	w.Mint = c.Mint
	w.Ready(t, c.Own())
	if tokens > 0 {
		w.Send(t, c, w.Wallet.Address, tokens)
	}
	return w, c
}

func owners(list []payout.Entry) []solana.PublicKey {
	var keys []solana.PublicKey
	for _, p := range list {
		keys = append(keys, p.Owner)
	}
	return keys
}

// One transaction pays a full number of holders, of a legacy token and of a taxed
// one.
func TestTokenPayouts(t *testing.T) {
	g := payouttest.NewEnv(t)
	w := g.Fixture(t, sol)
	usdc := g.USDC(t)
	coins := map[string]payouttest.Currency{"legacy": usdc, "taxed": g.Taxed(t, w.Wallet.Address, 500, 1_000_000_000_000)}
	w.Ready(t, usdc.Own(), coins["taxed"].Own())
	leg := 0
	for name, c := range coins {
		list := holders(payout.TokenBatch, 1_000_000)
		w.Open(t, c, owners(list)...)
		if c.FeeBps == 0 {
			w.Ledger.FundToken(t, w.Wallet.Address.String(), c.Mint.String(), 100_000_000, c.Program.String())
		} else {
			w.Send(t, c, w.Wallet.Address, 100_000_000)
		}
		before := w.Holding(t, c, w.Wallet.Address).Amount
		p := c.Phase(payout.TokenBatch)
		p.Leg = leg
		leg++
		w.Pay(t, w.Engine(t, nil), w.Plan(p, list))
		payments := w.Payments(t, payout.Pay, p.Leg)
		if len(payments) != 1 || payments[0].Status() != payout.Landed {
			t.Fatalf("%s: %+v", name, payments)
		}
		var sum uint64
		for _, h := range list {
			tax := token2022.TransferFee{BasisPoints: c.FeeBps, MaximumFee: ^uint64(0)}.On(h.Amount)
			if got := w.Holding(t, c, h.Owner); got.Amount != h.Amount-tax || got.Withheld != tax {
				t.Errorf("%s: a holder has %d and %d withheld, want %d and %d", name, got.Amount, got.Withheld, h.Amount-tax, tax)
			}
			sum += h.Amount
		}
		after := w.Holding(t, c, w.Wallet.Address).Amount
		if o := payments[0].Outcome; before-after != sum || o.Tokens[c.Mint] != -int64(sum) || payments[0].Amount != sum || o.Lamports != -int64(o.FeeLamports+o.RentLamports) {
			t.Errorf("%s: the wallet had %d and has %d tokens, %d paid; the outcome is %+v", name, before, after, sum, o)
		}
	}
	figures.Show(t, "payouts in a token: %d a transaction", payout.TokenBatch)
}
