package run

import (
	"context"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/token/terms"
)

const (
	// perLane is how many batches a lane is worth making for out of the wallet's float. A
	// batch takes its lane for as long as finality takes, some 14 s.
	perLane = 8
	// laneBps is the part of what a leg pays in SOL that new lanes may take of the
	// wallet's own. It is paid once: the rent stays the wallet's.
	laneBps = 50
)

// lanesFor gives how many lanes so many batches are given to, so many each.
func lanesFor(batches, each int) int { return min(max((batches+each-1)/each, 1), payout.MostLanes) }

// surplusLanes gives how many lanes so many batches are worth making beside the float: one
// each, so that all are paid at once. One lane alone works a few off in minutes, and then
// nothing is taken from anybody for more.
func surplusLanes(batches int) int {
	if batches <= perLane {
		return 1
	}
	return lanesFor(batches, 1)
}

// batches gives how many batches of a size so many records make.
func batches(records, size uint32) int { return int((records + size - 1) / size) }

// laneShare is what new lanes may take where so much is paid.
func laneShare(lamports uint64) uint64 {
	return exchange.MulDiv(lamports, laneBps, terms.FullBps)
}

// laneRent is what it takes to make the lanes that a run's payments in SOL want and
// the wallet does not have, which has so many, as far as the proceeds are worth it.
func (m Machine) laneRent(ctx context.Context, r Run, have int) (uint64, error) {
	if !r.Reward.Asset.IsSOL() || r.Exchange == nil {
		return 0, nil
	}
	rent, err := m.Chain.MinimumBalance(ctx, nonceSize)
	if err != nil {
		return 0, err
	}
	payments := min(uint64(r.Snapshot.Eligible), r.Exchange.Proceeds/m.solWorth())
	want := surplusLanes(batches(uint32(payments), m.Payouts.Batch(terms.SOL))) //nolint:gosec // at most Eligible
	return min(uint64(max(want-have, 0))*(rent+m.Costs.Transaction), laneShare(r.Exchange.Proceeds)), nil
}

// lanesOf counts the lanes of a wallet that are made, from the first on.
func (m Machine) lanesOf(ctx context.Context, mint solana.PublicKey) (int, error) {
	lanes, err := m.Intents.Lanes(ctx, mint)
	if err != nil {
		return 0, fmt.Errorf("list the lanes of %s: %w", mint, err)
	}
	have := 0
	for _, lane := range lanes { // by number
		if lane.Number != have || lane.Value.IsZero() {
			break
		}
		have++
	}
	return have, nil
}

// affordable is on how many lanes so many batches are worked on: those that the
// wallet has, and those that it can make out of half of its float, or of what it has
// beside that as far as they are worth it. The budget is less what they take.
func (m Machine) affordable(ctx context.Context, have int, budget *uint64, worth uint64, batches int) (int, error) {
	rent, err := m.Chain.MinimumBalance(ctx, nonceSize)
	if err != nil {
		return 0, err
	}
	have = max(have, 1)
	each, float := rent+m.Costs.Transaction, min(*budget, m.Costs.Float)
	more := max(
		lacking(have, lanesFor(batches, perLane), float/2/each),
		lacking(have, surplusLanes(batches), min(*budget-float, worth)/each))
	*budget -= more * each
	return min(lanesFor(batches, 1), have+int(more)), nil //nolint:gosec // a small number
}

// lacking is how many lanes of the wanted ones are to be made, at most so many.
func lacking(have, want int, most uint64) uint64 {
	return min(uint64(max(want-have, 0)), most)
}
