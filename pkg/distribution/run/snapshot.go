package run

import (
	"context"
	"errors"
	"fmt"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/token/terms"
)

// snapshot records the holders of the token, and then splits the tokens.
func (m Machine) snapshot(ctx context.Context, head Head, r Run) (payout.Next, error) {
	if r.Snapshot == nil {
		taken, err := m.Holders.Snapshot(ctx, r, snapshotFile(r))
		if errors.Is(err, ErrDoesNotAddUp) {
			return m.end(ctx, head, r, End{Code: CodeSnapshot, Detail: err.Error(), Failed: true})
		}
		if err != nil {
			return payout.Next{}, err
		}
		r.Snapshot = &taken
		return m.save(ctx, r)
	}
	has, err := m.balances(ctx, r, max(r.Snapshot.ChainSlot, r.Collecting.ChainSlot))
	if err != nil {
		return payout.Next{}, err
	}
	own := r.own().Asset
	held := r.Opening.ForOthers(own)
	spendable := has.Tokens - min(held, has.Tokens)
	s := r.Settings
	cut := allocation.Split(spendable, r.Opening.Unsold, r.sellBps(), s.BurnBps)
	r.Split = &Split{Spendable: spendable, Slice: cut.Slice, Burn: cut.Burn, Sell: cut.Sell}
	toHolders := s.BurnBps+s.DeveloperFeeBps < terms.FullBps
	switch {
	case cut.Burn == 0 && cut.Sell == 0 && head.Late == 0 && r.Snapshot.WithheldInAccounts+r.Snapshot.WithheldOnMint > 0:
		return m.end(ctx, head, r, End{
			Code: CodeBelowCost, Detail: "What has come in is worth too little for the network fees of a distribution. It waits for the next.",
		})
	case cut.Burn == 0 && cut.Sell == 0 && head.Late == 0:
		return m.end(ctx, head, r, End{Code: CodeNothing, Detail: "No tax has come in since the last distribution."})
	case r.Snapshot.Eligible == 0 && r.Snapshot.NotHeld > 0 && toHolders && cut.Sell > 0:
		return m.wait(ctx, head, r)
	case r.Snapshot.Eligible == 0 && toHolders && cut.Sell > 0:
		why := fmt.Sprintf("No holder has the minimum of %d base units. The tax waits for the next distribution.", s.MinimumHolding)
		if head.Late > 0 { // late payments are made regardless
			return m.putOff(ctx, r, Movement{At: m.Now().UTC(), Why: why}, why, nil)
		}
		return m.end(ctx, head, r, End{Code: CodeNoHolders, Detail: why})
	}
	return m.save(ctx, r)
}
