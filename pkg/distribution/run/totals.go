package run

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Totals is the effect of the payments of one or several runs on the wallet, according to the
// transactions.
type Totals struct {
	// ChainSlot is the newest slot in which a payment landed.
	ChainSlot uint64
	// Fees is the sum of network fees. Rent is the sum of lamports for token accounts of the wallet
	// and of holders.
	Fees uint64
	Rent uint64
	// Lent is the sum of lamports deposited in receipts. Returned is the sum of lamports from
	// receipts. Returned may exceed Lent, because receipts of earlier runs and deposits of third
	// parties count.
	Lent     uint64
	Returned uint64
	// Collected is the sum of arrived tokens, Burned of destroyed tokens, and Sold of tokens sold
	// for Proceeds. FuelSold is the sum of tokens sold for the lamports of Fuel.
	Collected uint64
	Burned    uint64
	Sold      uint64
	FuelSold  uint64
	Fuel      uint64
	// Proceeds are the results of exchanges by asset. Creator and Holders are the payments by
	// asset.
	Proceeds map[terms.Asset]uint64
	Creator  map[terms.Asset]uint64
	Holders  map[terms.Asset]uint64
	// Unknown is the number of undecided payments. Unknowns names these payments.
	Unknown  uint64
	Unknowns []Unsettled
	// UndecidedHolders are the amounts that undecided payments to holders may have moved. Undecided
	// are the amounts of other undecided payments.
	Undecided        map[terms.Asset]uint64
	UndecidedHolders map[terms.Asset]uint64
}

// Add adds a payment. It returns an error if the effect of the transaction on the wallet does not
// match the kind of the payment.
func (t *Totals) Add(r Run, i payout.Payment) error {
	t.make()
	status := i.Status()
	for _, f := range i.Failures {
		t.Fees += f.FeeLamports
	}
	if status == payout.Unknown {
		t.Unknown++
		t.Unknowns = append(t.Unknowns, Unsettled{Slot: r.Slot, ID: i.ID, Since: i.UnknownSince})
		into := t.Undecided
		if i.ID.Kind == payout.Pay {
			into = t.UndecidedHolders
		}
		into[i.Asset] += i.Amount
		return nil
	}
	if i.Outcome == nil {
		return nil
	}
	o := *i.Outcome
	t.ChainSlot = max(t.ChainSlot, o.Slot)
	t.Fees += o.FeeLamports
	t.Lent += o.RentLamports
	if !o.Moved() {
		return nil
	}
	token, reward := o.Tokens[r.Mint], terms.Asset(r.Mint)
	lamports := o.Lamports + int64(o.FeeLamports+o.RentLamports) //nolint:gosec // fees and rents are small
	bad := func() error {
		return fmt.Errorf("the transaction %s of payment %s changed the wallet by %d lamports in addition to its fee and receipt, and %d tokens",
			o.Signature, i.ID, lamports, token)
	}
	switch i.ID.Kind {
	case payout.Setup, payout.Anchor, payout.Handover:
		if lamports > 0 || token != 0 {
			return bad()
		}
		t.Rent += uint64(-lamports)
	case payout.Return:
		if lamports < 0 || token != 0 {
			return bad()
		}
		t.Returned += uint64(lamports)
	case payout.Collect:
		if lamports > 0 || token < 0 {
			return bad()
		}
		t.Rent += uint64(-lamports)
		t.Collected += uint64(token)
	case payout.Release, payout.Refund: // no proof follows
	case payout.Burn:
		if lamports != 0 || token > 0 {
			return bad()
		}
		t.Burned += uint64(-token)
	case payout.Exchange, payout.Fuel:
		if token > 0 || i.Asset.IsSOL() {
			return bad()
		}
		return t.addSale(i, o, lamports, uint64(-token))
	case payout.Creator, payout.Pay:
		paid := t.Holders
		if i.ID.Kind == payout.Creator {
			paid = t.Creator
		}
		if i.Asset.IsSOL() {
			if lamports > 0 {
				return bad()
			}
			paid[i.Asset] += uint64(-lamports)
			return nil
		}
		moved := o.Tokens[i.Asset.Mint()]
		if lamports > 0 || moved > 0 || i.Asset != reward && token != 0 {
			return bad()
		}
		t.Rent += uint64(-lamports)
		paid[i.Asset] += uint64(-moved)
	}
	return nil
}

// addSale adds the result of an exchange. An exchange for a token may have paid rent for an
// account. The proceeds of an exchange for SOL are net of this rent.
func (t *Totals) addSale(i payout.Payment, o payout.Outcome, lamports int64, sold uint64) error {
	came := uint64(max(lamports, 0))
	t.Rent += uint64(max(-lamports, 0))
	if i.ID.Kind == payout.Fuel {
		t.FuelSold += sold
		t.Fuel += came
		return nil
	}
	t.Sold += sold
	t.Proceeds[terms.SOL] += came
	for mint, amount := range o.Tokens {
		if asset := terms.Asset(mint); asset != i.Asset && amount > 0 {
			t.Proceeds[asset] += uint64(amount)
		}
	}
	return nil
}

// Plus returns the sum of t and other.
func (t Totals) Plus(other Totals) Totals {
	sum := Totals{
		ChainSlot: max(t.ChainSlot, other.ChainSlot),
		Fees:      t.Fees + other.Fees, Rent: t.Rent + other.Rent,
		Lent: t.Lent + other.Lent, Returned: t.Returned + other.Returned, Collected: t.Collected + other.Collected,
		Burned: t.Burned + other.Burned, Sold: t.Sold + other.Sold,
		FuelSold: t.FuelSold + other.FuelSold, Fuel: t.Fuel + other.Fuel, Unknown: t.Unknown + other.Unknown,
		Proceeds: maps.Clone(t.Proceeds), Creator: maps.Clone(t.Creator),
		Holders: maps.Clone(t.Holders), Undecided: maps.Clone(t.Undecided), UndecidedHolders: maps.Clone(t.UndecidedHolders),
	}
	sum.Unknowns = append(slices.Clone(t.Unknowns), other.Unknowns...)
	sum.make()
	for _, pair := range []struct{ into, from map[terms.Asset]uint64 }{
		{sum.Proceeds, other.Proceeds},
		{sum.Creator, other.Creator},
		{sum.Holders, other.Holders},
		{sum.Undecided, other.Undecided},
		{sum.UndecidedHolders, other.UndecidedHolders},
	} {
		for asset, amount := range pair.from {
			pair.into[asset] += amount
		}
	}
	return sum
}

// maxFee is the maximum of fees and rent for a single transaction, in lamports.
const maxFee = 10_000_000

// MayHaveTaken returns the maximum amount of an asset that undecided payments may have moved, fees
// included.
func (t Totals) MayHaveTaken(asset terms.Asset) uint64 {
	most := t.Undecided[asset] + t.UndecidedHolders[asset]
	if asset.IsSOL() {
		most += t.Unknown * maxFee
	}
	return most
}

func (t *Totals) make() {
	for _, m := range []*map[terms.Asset]uint64{&t.Proceeds, &t.Creator, &t.Holders, &t.Undecided, &t.UndecidedHolders} {
		if *m == nil {
			*m = map[terms.Asset]uint64{}
		}
	}
}

// phases returns the kinds and legs of a run that may have payments.
func (r Run) phases() []payout.ID {
	list := []payout.ID{
		{Kind: payout.Setup}, {Kind: payout.Collect}, {Kind: payout.Collect, Leg: sweepLeg}, {Kind: payout.Burn}, {Kind: payout.Return},
	}
	for try := range maxTries {
		for _, kind := range []payout.Kind{payout.Exchange, payout.Fuel, payout.Anchor, payout.Handover} {
			if kind == payout.Handover && !r.handsOver() {
				continue
			}
			list = append(list, payout.ID{Kind: kind, Leg: try})
		}
	}
	if r.Release != nil {
		for try := range r.Release.maxTries() {
			list = append(list, payout.ID{Kind: payout.Release, Leg: try})
		}
		for try := range maxTries {
			list = append(list, payout.ID{Kind: payout.Refund, Leg: try})
		}
	}
	if r.Payment != nil {
		for leg := range r.Payment.Legs {
			list = append(list, payout.ID{Kind: payout.Creator, Leg: leg}, payout.ID{Kind: payout.Pay, Leg: leg})
		}
	}
	for i := range list {
		list[i].Run = r.ID
	}
	return list
}

// Payments reads the payments of a kind and leg of a run.
type Payments interface {
	Payments(ctx context.Context, run string, kind payout.Kind, leg int) iter.Seq2[payout.Payment, error]
}

// All returns every payment of a run.
func All(ctx context.Context, ledger Payments, r Run) iter.Seq2[payout.Payment, error] {
	return func(yield func(payout.Payment, error) bool) {
		for _, id := range r.phases() {
			for i, err := range ledger.Payments(ctx, id.Run, id.Kind, id.Leg) {
				if !yield(i, err) || err != nil {
					return
				}
			}
		}
	}
}

// Sum returns the totals of a run.
func Sum(ctx context.Context, ledger Payments, r Run) (Totals, error) {
	var t Totals
	t.make()
	for i, err := range All(ctx, ledger, r) {
		if err == nil {
			err = t.Add(r, i)
		}
		if err != nil {
			return Totals{}, fmt.Errorf("add up the movements of run %s: %w", r.ID, err)
		}
	}
	return t, nil
}

// only restricts the payments to a kind.
type only struct {
	all  Payments
	kind payout.Kind
}

// Payments returns the payments if kind matches.
func (o only) Payments(ctx context.Context, run string, kind payout.Kind, leg int) iter.Seq2[payout.Payment, error] {
	if kind != o.kind {
		return func(func(payout.Payment, error) bool) {}
	}
	return o.all.Payments(ctx, run, kind, leg)
}
