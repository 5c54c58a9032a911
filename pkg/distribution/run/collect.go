package run

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// collect brings withheld tax into the wallet: from the accounts that have some,
// or, when there are none, from the mint, where strangers may have harvested it
// to.
func (m Machine) collect(ctx context.Context, head Head, r Run) (payout.Next, error) {
	if r.Collecting == nil {
		file := collectFile(r)
		accounts, withheld, err := m.Holders.Withheld(ctx, r, head.worth(), payout.CollectBatch, m.Costs.Transaction, file)
		if err != nil {
			return payout.Next{}, err
		}
		c := Collecting{Accounts: accounts, Withheld: withheld, BatchSize: payout.CollectBatch, Lanes: 1}
		if accounts > 0 {
			c.File = file
			budget, err := m.budget(ctx, r, r.Opening.Balances, 0)
			if err != nil {
				return payout.Next{}, err
			}
			have, err := m.lanesOf(ctx, r.Mint)
			if err != nil {
				return payout.Next{}, err
			}
			if c.Lanes, err = m.affordable(ctx, have, &budget, 0, batches(accounts, payout.CollectBatch)); err != nil {
				return payout.Next{}, err
			}
		}
		r.Collecting = &c
		return m.save(ctx, r)
	}
	c := *r.Collecting
	if c.Accounts == 0 {
		if next, err := m.sweep(ctx, head, r); err != nil || !next.Done {
			return next, err
		}
	} else {
		work := payout.Work{Kind: payout.Collect}
		if next, err := m.phase(ctx, &r, work, c.Lanes, &c.Fence, &c.Handed); err != nil || !next.Done {
			r.Collecting = &c
			return m.saveIfHanded(ctx, r, next, err)
		}
	}
	moved, err := Sum(ctx, m.Intents, r)
	if err != nil {
		return payout.Next{}, err
	}
	c.Done, c.Collected, c.ChainSlot = true, moved.Collected, moved.ChainSlot
	r.Collecting = &c
	return m.save(ctx, r)
}

// sweep withdraws what lies on the mint, if that is worth it: anybody may have
// brought some there.
func (m Machine) sweep(ctx context.Context, head Head, r Run) (payout.Next, error) {
	intent, err := m.intent(ctx, r, payout.Collect, sweepLeg)
	if err != nil {
		return payout.Next{}, err
	}
	if intent.Version == 0 {
		accounts, _, err := m.Chain.AccountsAt(ctx, r.Opening.ChainSlot, r.Mint)
		if err != nil {
			return payout.Next{}, fmt.Errorf("read mint %s: %w", r.Mint, err)
		}
		if accounts[0] == nil {
			return payout.Next{}, fmt.Errorf("mint %s does not exist", r.Mint)
		}
		mint, err := token2022.DecodeMint(accounts[0].Owner, accounts[0].Data)
		if err != nil {
			return payout.Next{}, fmt.Errorf("read mint %s: %w", r.Mint, err)
		}
		fee := mint.TransferFee
		if fee == nil || fee.Withheld == 0 || !head.worth().Covers(fee.Withheld, m.Costs.Transaction) {
			return done, nil
		}
	}
	intent, next, err := m.Engine.Advance(ctx, r.Token.Wallet, intent, func(context.Context) (payout.Payload, error) {
		return m.withdrawal(r)
	})
	if err != nil || !intent.Status().Decided() {
		return next, err
	}
	return done, nil
}

// phase hands the batches of a phase to its lanes, once, and again when nothing
// was heard of them for long. It says done when every lane has come to its end;
// fence and handed are changed when the batches were handed out.
func (m Machine) phase(ctx context.Context, r *Run, work payout.Work, lanes int, fence *int, handed *time.Time) (payout.Next, error) {
	ended, err := m.Intents.LanesDone(ctx, r.ID, work.Kind, work.Leg)
	if err != nil {
		return payout.Next{}, err
	}
	if ended >= lanes {
		return done, nil
	}
	now := m.Now().UTC()
	if !handed.IsZero() && now.Sub(*handed) < OverdueAfter {
		return after(OverdueAfter - now.Sub(*handed)), nil // a lane's end calls before that
	}
	if next, err := m.Engine.Lanes(ctx, r.ground(lanes)); err != nil || !next.Done {
		return next, err
	}
	*fence++
	*handed = now
	work.Mint, work.Slot, work.Run, work.Fence = r.Mint, r.Slot, r.ID, *fence
	messages := make([]payout.Work, lanes)
	for lane := range messages {
		messages[lane] = work
		messages[lane].Lane, messages[lane].Batch = lane, lane
	}
	if err := m.Lanes.Hand(ctx, messages); err != nil {
		return payout.Next{}, fmt.Errorf("hand out %d lanes: %w", lanes, err)
	}
	return after(OverdueAfter), nil
}

// saveIfHanded writes the run when its phase was handed out just now.
func (m Machine) saveIfHanded(ctx context.Context, r Run, next payout.Next, err error) (payout.Next, error) {
	if err != nil || next.After != OverdueAfter {
		return next, err
	}
	if err := m.Store.Save(ctx, r); err != nil {
		return payout.Next{}, err
	}
	return next, nil
}

// Phase says what a phase is, for those who work on its batches.
func (r Run) Phase(kind payout.Kind, leg int) (payout.Phase, error) {
	p := payout.Phase{Run: r.ID, Mint: r.Mint, Wallet: r.Token.Wallet, Kind: kind, Leg: leg, Deadline: r.Deadline}
	switch {
	case kind == payout.Collect && leg == 0 && r.Collecting != nil:
		c := r.Collecting
		p.File, p.Records, p.BatchSize, p.Lanes, p.Fence = c.File, c.Accounts, c.BatchSize, c.Lanes, c.Fence
		p.Asset, p.Program, p.Decimals = r.own().Asset, r.own().Program, r.Token.Decimals
		return p, nil
	case kind == payout.Pay && r.Payment != nil && leg < len(r.Payment.Legs):
		l := r.Payment.Legs[leg]
		p.File, p.Records, p.BatchSize, p.Lanes, p.Fence = l.File, l.Payments, l.BatchSize, l.Lanes, l.Fence
		p.Version = l.Version
		p.Asset, p.Program, p.Decimals = l.Coin.Asset, l.Coin.Program, l.Coin.Decimals
		p.FeeBps, p.MaximumFee = l.Coin.FeeBps, l.Coin.MaximumFee
		p.RentFloor, p.AccountCharge = l.RentFloor, l.AccountCharge
		return p, nil
	}
	return payout.Phase{}, fmt.Errorf("run %s has no phase %s of leg %d", r.ID, kind, leg)
}

// Phases gives phases from the ledger.
type Phases struct{ Store Store }

// Phase gives the phase that a message is about.
func (p Phases) Phase(ctx context.Context, work payout.Work) (payout.Phase, error) {
	r, err := p.Store.Run(ctx, work.Mint, work.Slot)
	if err != nil {
		return payout.Phase{}, fmt.Errorf("read run %s: %w", work.Run, err)
	}
	return r.Phase(work.Kind, work.Leg)
}

// Files of a run in the ledger's bucket.
func collectFile(r Run) string  { return fmt.Sprintf("collect/%s/%s.accounts", r.Mint, r.ID) }
func snapshotFile(r Run) string { return fmt.Sprintf("snapshots/%s/%s.holders", r.Mint, r.ID) }

// planFile has in its name what else the plan depends on, so that planning again,
// at another price, does not read a file that was written for this one.
func planFile(r Run, leg int, share, worth uint64) string {
	return fmt.Sprintf("plans/%s/%s-%d-%d-%d.plan", r.Mint, r.ID, leg, share, worth)
}

// never is an amount that nobody is owed.
const never = math.MaxUint64

// withdrawal is the payload that withdraws what lies on the mint.
func (m Machine) withdrawal(r Run) (payout.Payload, error) {
	account, err := token2022.AssociatedAddress(r.Token.Wallet.Address, r.Mint, solana.Token2022ProgramID)
	if err != nil {
		return payout.Payload{}, fmt.Errorf("find the wallet's account: %w", err)
	}
	return payout.Payload{Instructions: []solana.Instruction{token2022.WithdrawWithheldFromMint{
		Mint: r.Mint, Destination: account, Authority: r.Token.Wallet.Address,
	}.Instruction()}}, nil
}

// worth is what tokens were worth in SOL when some were last sold for it; zero when
// none ever were.
func (h Head) worth() snapshot.Price {
	for _, p := range slices.Backward(h.Prices) {
		if p.Asset.IsSOL() {
			return snapshot.Price{Lamports: p.Out, BaseUnits: p.In}
		}
	}
	return snapshot.Price{}
}
