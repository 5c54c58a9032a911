package books

import (
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/token/terms"
)

// What was lent to receipts and came back has lines of its own in the statement of SOL,
// whether SOL is the reward or only what the network is paid in.
func TestReceiptsHaveLinesInTheStatementOfSOL(t *testing.T) {
	usd := terms.Asset(solana.PublicKey{8})
	const opening, fees, account, proceeds, holders = 20_000_000, 15_000, 2_039_280, 700, 600
	for name, c := range map[string]struct{ lent, returned uint64 }{
		"no receipts":                   {0, 0},
		"all came back":                 {2 * 650_240, 2 * 650_240},
		"some is out":                   {650_240, 0},
		"more came back than was lent":  {650_240, 5*650_240 + 1},
		"what was out before came back": {0, 650_240},
	} {
		for _, reward := range []terms.Asset{terms.SOL, usd} {
			r := run.Run{Mint: solana.PublicKey{5}, Reward: run.Currency{Asset: reward}}
			totals := run.Totals{Fees: fees, Rent: account, Lent: c.lent, Returned: c.returned}
			var leg format.Leg
			var m format.Manifest
			closing := uint64(opening) - fees - account - c.lent + c.returned
			if reward.IsSOL() {
				totals.Holders = map[terms.Asset]uint64{terms.SOL: holders}
				leg.Sums.Paid, leg.Sums.Received, m.Exchange.Proceeds = holders, holders, proceeds
				closing += proceeds - holders
			}
			order := run.CloseOrder{
				Totals: totals, Balances: run.Balances{Lamports: closing},
				Head: run.Head{Last: &run.Last{Closing: map[terms.Asset]uint64{terms.SOL: opening}}},
			}
			s, lack, err := statement(r, order, m, terms.SOL, leg)
			if err != nil || lack != nil {
				t.Errorf("%s, reward %s: %v", name, reward, err)
				continue
			}
			if s.Of(format.ReceiptsLent) != c.lent || s.Of(format.ReceiptsReturned) != c.returned || s.Of(format.Deposits) != 0 {
				t.Errorf("%s, reward %s: %s", name, reward, s)
			}
			// A lamport that nothing accounts for is missing, and one too many was sent by others.
			order.Balances.Lamports--
			if s, lack, _ := statement(r, order, m, terms.SOL, leg); lack == nil || lack.Missing != 1 || lack.Short != 0 {
				t.Errorf("%s, reward %s: a lamport less: %s, %+v", name, reward, s, lack)
			}
			// It may be entered as an adjustment, and only as much of it as is missing.
			allowed := r
			allowed.Allowed = []run.Adjustment{{Asset: terms.SOL, UpTo: 5, Reason: "a test"}}
			if s, lack, err := statement(allowed, order, m, terms.SOL, leg); err != nil || lack != nil || s.Of(format.Adjustment) != 1 {
				t.Errorf("%s, reward %s: an adjustment: %s, %+v, %v", name, reward, s, lack, err)
			}
			order.Balances.Lamports += 2
			if s, _, err := statement(r, order, m, terms.SOL, leg); err != nil || s.Of(format.Deposits) != 1 {
				t.Errorf("%s, reward %s: a lamport more: %s, %v", name, reward, s, err)
			}
			other, _, err := statement(r, order, format.Manifest{}, terms.Asset(r.Mint), format.Leg{})
			if err != nil || slices.ContainsFunc(slices.Concat(other.In, other.Out), func(e format.Entry) bool {
				return e.Name == format.ReceiptsLent || e.Name == format.ReceiptsReturned
			}) {
				t.Errorf("%s: the statement of the token: %s, %v", name, other, err)
			}
		}
	}
}
