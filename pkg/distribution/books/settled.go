package books

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/token/terms"
)

// settled are the results of formerly undecided payments of earlier runs, by owner. late are
// payments that arrived. lost are amounts that are owed again. Both are small.
type settled struct {
	late map[solana.PublicKey]*allocation.Late
	lost map[solana.PublicKey]uint64
}

func (k Bookkeeper) settled(ctx context.Context, r run.Run, asset terms.Asset) (settled, error) {
	s := settled{late: map[solana.PublicKey]*allocation.Late{}, lost: map[solana.PublicKey]uint64{}}
	for _, one := range r.Opening.Resolved {
		p := one.Payment
		if p.Asset != asset {
			continue
		}
		list, err := k.Records(ctx, payout.Phase{Run: p.ID.Run, Kind: payout.Pay, File: one.File}, p.From, p.To)
		if err != nil {
			return settled{}, fmt.Errorf("read the payment %s: %w", p.ID, err)
		}
		for n, entry := range list {
			record := p.From + uint32(n)
			switch {
			case slices.ContainsFunc(p.Skips, func(skip payout.Skip) bool { return skip.Record == record }):
			case !one.Landed():
				s.lost[entry.Owner] += entry.Amount + one.Fee
			default:
				late := allocation.Late{Paid: entry.Amount, Charged: one.Fee, Signature: p.Outcome.Signature}
				if slices.Contains(p.Made, record) {
					late.Charged += one.AccountCharge
					late.Paid -= one.AccountCharge
				}
				late.Received = late.Paid - fee(one.Currency).On(late.Paid)
				s.late[entry.Owner] = &late
			}
		}
	}
	return s, nil
}

// released returns the debts, with the reserved amounts reduced by lost payments.
func (s settled) released(owed iter.Seq2[allocation.AmountsOwed, error]) iter.Seq2[allocation.AmountsOwed, error] {
	return func(yield func(allocation.AmountsOwed, error) bool) {
		for o, err := range owed {
			if lost := s.lost[o.Owner]; err == nil && lost > o.Reserved {
				err = fmt.Errorf("%d were lost of %d that are reserved for %s", lost, o.Reserved, o.Owner)
			} else {
				o.Reserved -= lost
			}
			if !yield(o, err) {
				return
			}
		}
	}
}

// arrived returns the claims with the late payments.
func (s settled) arrived(claims iter.Seq2[allocation.Claim, error]) iter.Seq2[allocation.Claim, error] {
	return func(yield func(allocation.Claim, error) bool) {
		for c, err := range claims {
			c.Late = s.late[c.Owner]
			if !yield(c, err) {
				return
			}
		}
	}
}
