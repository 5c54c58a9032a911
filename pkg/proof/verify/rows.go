package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/bits"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/token/terms"
)

// outsiders is the left-out owners.
type outsiders struct {
	*format.Ordered[format.LeftOut]

	balance sum
	// belowMinimum is the largest balance that is said to be below the minimum.
	belowMinimum uint64
	// trusted are those whose reason neither the balances nor the address show.
	trusted format.Tally
}

// leftOut reads the left-out owners. shareTerms are the allocation terms of the first leg.
func leftOut(stream iter.Seq2[format.LeftOut, error], shareTerms allocation.Terms) *outsiders {
	o := &outsiders{}
	counted := func(yield func(format.LeftOut, error) bool) {
		for l, err := range stream {
			var carry uint64
			o.balance.low, carry = bits.Add64(o.balance.low, l.Balance, 0)
			o.balance.high += carry
			switch l.Why {
			case format.BelowMinimum:
				o.belowMinimum = max(o.belowMinimum, l.Balance)
			case format.OffCurve, format.NotHeld:
			default:
				o.trusted.Owners++
				o.trusted.Balance += format.Amount(l.Balance) // at most the supply: end compares the sum of all
			}
			if err == nil && l.Why == format.OffCurve && l.Owner.IsOnCurve() {
				err = fmt.Errorf("%s is left out as off the curve, and is on it", l.Owner)
			}
			if err == nil && l.Why == format.NotHeld && (!l.Held || !shareTerms.Counts(l.Balance) || shareTerms.Counts(shareTerms.Weight(l.Balance, l.Before))) {
				err = fmt.Errorf("%s is left out because they did not hold it before, and that is not so", l.Owner)
			}
			if !yield(l, err) {
				return
			}
		}
	}
	o.Ordered = format.Ascending(counted, func(l format.LeftOut) solana.PublicKey { return l.Owner })
	return o
}

// disjoint returns an error if the owner of a row with a balance is also left out.
func (o *outsiders) disjoint(row allocation.Row) error {
	if o == nil {
		return nil
	}
	for {
		next, more, err := o.Peek()
		if err != nil {
			return fmt.Errorf("those who are left out: %w", err)
		}
		if !more {
			return nil
		}
		switch c := bytes.Compare(next.Owner[:], row.Owner[:]); {
		case c > 0:
			return nil
		case c == 0 && row.Balance > 0:
			return fmt.Errorf("%s shares and is left out", row.Owner)
		}
		o.Ahead = nil
	}
}

// end reads the remaining owners, and compares the totals with the manifest.
func (o *outsiders) end(m format.Manifest) error {
	for {
		_, more, err := o.Take()
		if err != nil {
			return fmt.Errorf("those who are left out: %w", err)
		}
		if !more {
			break
		}
	}
	if o.belowMinimum >= max(1, uint64(m.Settings.MinimumHolding)) {
		return fmt.Errorf("an owner with %d is left out, and the minimum is %d", o.belowMinimum, m.Settings.MinimumHolding)
	}
	if want := (sum{low: uint64(m.Snapshot.LeftOut.Balance)}); o.balance != want {
		return fmt.Errorf("those who are left out have %d together, not %d", o.balance.low, want.low)
	}
	return nil
}

// rows reads and recomputes all rows, and compares the rows with the left-out owners, the
// transactions, and the amounts that the previous run left outstanding.
func (v *verifier) rows(ctx context.Context) (uint64, error) {
	next, stop := iter.Pull2(v.m.AllRows(ctx, v.source))
	defer stop()
	for i, leg := range v.m.Legs {
		if err := v.leg(ctx, i, leg, next); err != nil {
			return 0, fmt.Errorf("%s: %w", leg.Asset, err)
		}
	}
	if row, err, more := next(); more {
		return 0, errors.Join(err, fmt.Errorf("after the last leg there is a row of %s", row.Owner))
	}
	for signature, used := range v.pays {
		if !used {
			return 0, fmt.Errorf("the payment %s pays no row", signature)
		}
	}
	return v.m.Rows.Lines, nil
}

func (v *verifier) leg(ctx context.Context, number int, l format.Leg, next func() (allocation.Row, error, bool)) error {
	a, err := terms.ParseAsset(l.Asset)
	if err != nil {
		return err
	}
	shareTerms := shareTerms(v.m, number)
	var outside *outsiders
	if number == 0 {
		outside = leftOut(v.m.AllLeftOut(ctx, v.source), shareTerms)
		defer outside.Stop()
	}
	var owed *format.Ordered[allocation.AmountsOwed]
	if v.previous != nil {
		owed = format.Ascending(v.previous.AmountsOwed(ctx, v.source, a), func(o allocation.AmountsOwed) solana.PublicKey { return o.Owner })
		defer owed.Stop()
	}
	var sums format.Sums
	var sharing, weight uint64
	var last solana.PublicKey
	for n := range l.Rows {
		row, err, more := next()
		if err != nil || !more {
			return errors.Join(err, fmt.Errorf("row %d is missing", n))
		}
		if row.Asset != a || n > 0 && bytes.Compare(last[:], row.Owner[:]) >= 0 {
			return fmt.Errorf("row %d, of %s in %s, is out of order", n, row.Owner, row.Asset)
		}
		last = row.Owner
		if err := v.row(row, shareTerms, l); err != nil {
			return fmt.Errorf("the row of %s: %w", row.Owner, err)
		}
		if row.Balance > 0 {
			sharing++
			weight += shareTerms.Weight(row.Balance, row.Before) // at most the balances
		}
		if err := outside.disjoint(row); err != nil {
			return err
		}
		if err := v.took(owed, row); err != nil {
			return err
		}
		if err := sums.Add(row); err != nil {
			return err
		}
	}
	if sums != l.Sums {
		return fmt.Errorf("the columns add up to %+v, not to %+v", sums, l.Sums)
	}
	if err := tookAll(owed); err != nil {
		return err
	}
	if number > 0 {
		return nil
	}
	if sharing != v.m.Snapshot.Eligible.Owners {
		return fmt.Errorf("%d owners share, not %d", sharing, v.m.Snapshot.Eligible.Owners)
	}
	if weight != shareTerms.Eligible {
		return fmt.Errorf("what counts of the balances adds up to %d, not to %d", weight, shareTerms.Eligible)
	}
	if err := outside.end(v.m); err != nil {
		return err
	}
	v.onTrust = &outside.trusted
	return nil
}

// row recomputes a row.
func (v *verifier) row(r allocation.Row, shareTerms allocation.Terms, l format.Leg) error {
	if r.Balance > 0 {
		weight := shareTerms.Weight(r.Balance, r.Before)
		want, err := shareTerms.Share(weight)
		if err != nil {
			return err
		}
		if !shareTerms.Counts(weight) || r.Share != want {
			return fmt.Errorf("the share of %d is %d, not %d, or it does not count", weight, want, r.Share)
		}
	}
	// An amount is reserved now and not before if a payment is undecided. The row then has no
	// payment.
	due := r.Carried - r.Reserved
	if v.m.Kind == format.Claim {
		due = 0 // unpaid holders keep the reason of the previous run
		if !claimFee(r) {
			return fmt.Errorf("a claim of %d keeps %d for its transactions", r.Paid+r.Charged, r.Charged)
		}
	} else if r.Balance == 0 && r.Owed == 0 {
		return errors.New("there is neither a balance nor anything owed")
	}
	switch {
	case r.Owner == v.m.Wallet.PublicKey():
		return errors.New("it is the distribution wallet's own")
	case v.m.Previous == "" && r.Total != r.Received:
		return fmt.Errorf("%d have arrived in all, and %d in this run, the first", r.Total, r.Received)
	case v.m.Kind != format.Claim && !accountFee(r) && !v.lateClaim(r):
		return fmt.Errorf("%d of %d are charged for an account, and at most a tenth can be", r.Charged, r.Paid+r.Charged)
	case r.Reason == allocation.BelowCost && due >= uint64(l.WorthPaying) && due > 0:
		return fmt.Errorf("%d are carried as not worth paying, and from %d on they are", due, l.WorthPaying)
	case r.Reason == allocation.TimeOver && v.m.Kind != format.Claim && due < uint64(l.WorthPaying):
		return fmt.Errorf("%d are carried for want of time, and are not worth paying", due)
	case r.Paid > 0 && r.Paid+r.Charged > r.Owed && r.Paid+r.Charged < uint64(l.WorthPaying):
		return fmt.Errorf("%d were paid and are not worth it", r.Paid)
	}
	if r.Signature.IsZero() {
		return nil
	}
	if _, ok := v.pays[r.Signature]; !ok {
		return fmt.Errorf("it was paid by %s, which is not named as a payment", r.Signature)
	}
	v.pays[r.Signature] = true
	return nil
}

// accountFee reports whether a row's charge may be the rent of an account. An account is created
// only for a token, and only for an amount of at least ten times the rent. If a unit is worth more
// than the rent, the charge is one unit.
func accountFee(r allocation.Row) bool {
	return r.Charged == 0 || !r.Asset.IsSOL() && r.Charged <= max(1, (r.Paid+r.Charged)/10)
}

// lateClaim reports whether a row's charge may be the fee of a claim whose payment was undecided.
// Without the previous run's files, the late payments are unknown.
func (v *verifier) lateClaim(r allocation.Row) bool {
	unknown := v.previous == nil && v.m.Previous != ""
	return (unknown || v.late[r.Signature] > 0) && claimFee(r)
}

// claimFee reports whether a row's charge may be the fee of a claim.
func claimFee(r allocation.Row) bool {
	if r.Asset.IsSOL() {
		return r.Charged <= format.MaxClaimFee
	}
	return r.Charged <= r.Paid
}

// took compares the amount that a row takes over with the amount that the previous run left to the
// owner.
func (v *verifier) took(owed *format.Ordered[allocation.AmountsOwed], row allocation.Row) error {
	var left allocation.AmountsOwed
	if owed != nil {
		var err error
		if left, err = passed(owed, &row.Owner); err != nil {
			return err
		}
	}
	switch {
	case left.Amount != row.Owed && owed != nil:
		return fmt.Errorf("%s takes over %d, and the run before left %d", row.Owner, row.Owed, left.Amount)
	case v.late[row.Signature] > 0 && row.Paid+row.Charged > left.Reserved:
		return fmt.Errorf("%s was paid %d by %s, before this run, and the run before had %d reserved", row.Owner, row.Paid, row.Signature, left.Reserved)
	case row.Paid > 0 && left.Amount > 0 && row.Reserved > left.Reserved:
		return fmt.Errorf("%s was paid, and more is undecided than before", row.Owner)
	case owed != nil && row.Total-row.Received != left.Total:
		return fmt.Errorf("%s has received %d in all, of it %d now and %d before", row.Owner, row.Total, row.Received, left.Total)
	}
	return nil
}

// passed returns the amount that was left to an owner, or zero. It returns an error if an amount
// was left to an earlier owner, because such an owner has no row. Without an owner, passed reads to
// the end.
func passed(owed *format.Ordered[allocation.AmountsOwed], owner *solana.PublicKey) (allocation.AmountsOwed, error) {
	for {
		o, more, err := owed.Peek()
		if err != nil {
			return allocation.AmountsOwed{}, fmt.Errorf("the run before: %w", err)
		}
		if !more || owner != nil && bytes.Compare(o.Owner[:], owner[:]) > 0 {
			return allocation.AmountsOwed{}, nil
		}
		owed.Ahead = nil
		if owner != nil && o.Owner == *owner {
			return o, nil
		}
		if o.Amount > 0 {
			return allocation.AmountsOwed{}, fmt.Errorf("the run before left %d to %s, who has no row", o.Amount, o.Owner)
		}
	}
}

func tookAll(owed *format.Ordered[allocation.AmountsOwed]) error {
	if owed == nil {
		return nil
	}
	_, err := passed(owed, nil)
	return err
}
