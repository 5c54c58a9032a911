package books

import (
	"context"
	"errors"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/solana/locker"
)

// escrows is a chain on which the programs' addresses of even numbers are escrows.
type escrows struct {
	snapshot.Chain

	err error
}

func (e escrows) Programs(_ context.Context, addresses []solana.PublicKey, from uint64) ([]solana.PublicKey, error) {
	if from != 9 || len(addresses) > snapshot.MaxPrograms {
		return nil, errors.New("too many addresses, or another slot")
	}
	programs := make([]solana.PublicKey, len(addresses))
	for i, a := range addresses {
		if a[1]%2 == 0 {
			programs[i] = locker.Program
		}
	}
	return programs, e.err
}

// The figures are sums over the holders, whatever the order of rows; pools and the service's own
// wallet are not holders, and a failed look-up costs one figure only.
func TestCensusCountsHolders(t *testing.T) {
	count := func(chain snapshot.Chain, order func(int) int) *run.HolderFigures {
		rows := []snapshot.Row{
			{Owner: solana.PublicKey{9, 1}, Balance: 1 << 40, Standing: snapshot.Vault},
			{Owner: solana.PublicKey{9, 2}, Balance: 1 << 40, Standing: snapshot.DistributionWallet},
			{Owner: solana.PublicKey{9, 3}, Balance: 1 << 40, Standing: snapshot.Incinerator},
			{Owner: solana.PublicKey{8, 2}, Balance: 5000, Standing: snapshot.OffCurve},
			{Owner: solana.PublicKey{8, 3}, Balance: 6000, Standing: snapshot.OffCurve},
		}
		for i := range 20 { // 1, …, 20
			rows = append(rows, snapshot.Row{Owner: solana.PublicKey{1, byte(i)}, Balance: uint64(i + 1), Standing: []snapshot.Standing{snapshot.Eligible, snapshot.BelowMinimum}[i%2]})
		}
		for i := range 2 * snapshot.MaxPrograms { // smaller than either
			rows = append(rows, snapshot.Row{Owner: solana.PublicKey{7, 1, byte(i)}, Balance: 1, Standing: snapshot.OffCurve})
		}
		c := census{creator: solana.PublicKey{1, 4}}
		for i := range rows {
			c.add(rows[order(i)%len(rows)])
		}
		return c.holders(t.Context(), chain, &run.Snapshot{ChainSlot: 9, Supply: 1 << 50})
	}
	ascending := func(i int) int { return i }
	for name, order := range map[string]func(int) int{"ascending": ascending, "mixed": func(i int) int { return i * 7 }} {
		got := count(escrows{}, order)
		if got.Owners != 222 || got.Creator != 5 || got.TopTen != 6000+20+19+18+17+16+15+14+13+12 || got.Locked == nil || *got.Locked != 5000 || got.Supply != 1<<50 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := count(escrows{err: errors.New("down")}, ascending); got.Locked != nil || got.TopTen != 11000+20+19+18+17+16+15+14+13 {
		t.Errorf("without a node: %+v", got)
	}
}
