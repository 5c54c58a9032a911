package books

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// manifest returns the manifest of a run without lists, legs and statements.
func manifest(r run.Run, order run.CloseOrder) (format.Manifest, error) {
	account, err := token2022.AssociatedAddress(r.Token.Wallet.Address, r.Mint, solana.Token2022ProgramID)
	if err != nil {
		return format.Manifest{}, fmt.Errorf("find the wallet's account: %w", err)
	}
	sn, cut := r.Snapshot, r.Split
	settings := format.NewSettings(r.Settings, r.SettingsVersion, r.SettingsSignature)
	if r.Next == nil { // SOL takes the place of earlier settings' reward that cannot be paid any more
		settings.RewardToken = r.Reward.Asset.String()
	}
	number := uint64(1)
	if order.Head.Last != nil {
		number = order.Head.Last.Number + 1
	}
	var before []format.WalletBefore
	if rotated := order.Head.Rotated; rotated != nil {
		for _, w := range rotated.Before {
			before = append(before, format.WalletBefore{Wallet: format.Key(w.Wallet), Last: format.Signature(w.Last), Slot: w.ChainSlot})
		}
	}
	return format.Manifest{
		WalletsBefore: before,

		Kind: r.ProofKind(), Number: number, Creator: format.Key(r.Token.Creator), Cut: order.Balances.ChainSlot,
		RunID: r.ID, Slot: r.Slot, Mint: format.Key(r.Mint), Program: format.Key(solana.Token2022ProgramID), Decimals: r.Token.Decimals,
		Wallet: format.Key(r.Token.Wallet.Address), TokenAccount: format.Key(account),
		Settings: settings, Next: format.NewNext(r.Paid()),
		Snapshot: format.Snapshot{
			ChainSlot: sn.ChainSlot, Supply: format.Amount(sn.Supply),
			WithheldInAccounts: format.Amount(sn.WithheldInAccounts), WithheldOnMint: format.Amount(sn.WithheldOnMint),
			Eligible: format.Tally{Owners: uint64(sn.Eligible), Balance: format.Amount(sn.EligibleBalance)},
			Held:     heldIn(r),
		},
		Split: format.Split{
			Spendable: format.Amount(cut.Spendable), Unsold: format.Amount(min(r.Opening.Unsold, cut.Spendable)),
			Slice: format.Amount(cut.Slice), Burn: format.Amount(cut.Burn), Sell: format.Amount(cut.Sell),
			Burned: format.Amount(r.Burn.Amount), UnsoldAfter: format.Amount(r.Unsold()),
		},
		Exchange: sale(r), Previous: r.Opening.PreviousManifest,
	}, nil
}

// sale returns the sales of a run. The part of SOL proceeds that the wallet keeps for its own costs
// counts as fuel.
func sale(r run.Run) format.Sale {
	s := format.Sale{
		Sold: format.Amount(r.Exchange.Sold), Proceeds: format.Amount(r.Exchange.Proceeds),
		FuelSold: format.Amount(r.Fuel.Sold), Fuel: format.Amount(r.Fuel.Proceeds),
	}
	if kept := r.Payment.FuelKept; kept > 0 {
		high, low := bits.Mul64(r.Exchange.Sold, kept)
		sold, rest := bits.Div64(high, low, r.Exchange.Proceeds)
		if rest > 0 {
			sold++
		}
		s.Sold -= format.Amount(sold)
		s.FuelSold += format.Amount(sold)
		s.Proceeds -= format.Amount(kept)
		s.Fuel += format.Amount(kept)
	}
	return s
}

// statements returns a statement for every asset, which shows that no amount is lost.
func statements(r run.Run, order run.CloseOrder, m format.Manifest) ([]format.Statement, error) {
	own := terms.Asset(r.Mint)
	assets := []terms.Asset{own, terms.SOL}
	legs := map[terms.Asset]format.Leg{}
	for i, leg := range r.Payment.Legs {
		asset := leg.Currency.Asset
		legs[asset] = m.Legs[i]
		if asset != own && !asset.IsSOL() {
			assets = append(assets, asset)
		}
	}
	list := make([]format.Statement, 0, len(assets))
	var lacks []run.Discrepancy
	for _, asset := range assets {
		s, lack, err := statement(r, order, m, asset, legs[asset])
		if err != nil {
			lack = &run.Discrepancy{Asset: asset, Why: err.Error()}
		}
		if lack != nil {
			lacks = append(lacks, *lack)
		}
		list = append(list, s)
	}
	if len(lacks) > 0 {
		return nil, &run.Imbalance{Discrepancies: lacks}
	}
	return list, nil
}

// lateReason is the reason for late payments on both sides of a statement.
const lateReason = "payments that were undecided in an earlier proof, of which the rows name those that landed"

// allowed returns the maximum adjustment of an asset that the run may enter, and the reason.
func allowed(r run.Run, asset terms.Asset) (upTo uint64, reason string) {
	for _, a := range r.Allowed {
		if a.Asset == asset {
			upTo, reason = a.UpTo, a.Reason // the last decision counts
		}
	}
	return upTo, reason
}

// statement returns the statement of an asset. leg is empty if the asset is not paid. The lack is
// nil if the statement balances.
func statement(r run.Run, order run.CloseOrder, m format.Manifest, asset terms.Asset, leg format.Leg) (format.Statement, *run.Discrepancy, error) {
	t, paid, creator := order.Totals, leg.Sums, leg.Creator()
	if t.Holders[asset] < uint64(paid.Paid) || t.Creator[asset] < uint64(creator.Paid) {
		return format.Statement{}, nil, fmt.Errorf("transactions moved %d %s to holders and %d to the creator, the rows say %d and %d",
			t.Holders[asset], asset, t.Creator[asset], paid.Paid, creator.Paid)
	}
	// A payment without a row counts as gone in the statement.
	gone := t.Holders[asset] - uint64(paid.Paid) + t.Creator[asset] - uint64(creator.Paid)
	in, out := map[format.Name]uint64{}, map[format.Name]uint64{
		format.ToCreator: uint64(creator.Received), format.ToHolders: uint64(paid.Received),
		format.TaxOnSending: uint64(paid.Paid - paid.Received + creator.Paid - creator.Received),
	}
	switch {
	case asset.IsSOL():
		out[format.Fees], out[format.Rent], out[format.ReceiptsLent] = t.Fees, t.Rent, t.Lent
		in[format.FuelCame], in[format.ReceiptsReturned] = uint64(m.Exchange.Fuel), t.Returned
	case asset == terms.Asset(r.Mint):
		in[format.Collected] = t.Collected
		out[format.Burned], out[format.Sold], out[format.FuelSold] = t.Burned, uint64(m.Exchange.Sold), uint64(m.Exchange.FuelSold)
	}
	if asset == r.Reward.Asset && asset != terms.Asset(r.Mint) {
		in[format.Proceeds] = uint64(m.Exchange.Proceeds)
	}
	// Late payments left before the opening, but the previous proof could not state the outcome.
	in[format.Adjustment] = order.Late.Holders[asset]
	if asset.IsSOL() {
		in[format.Adjustment] += order.Late.Fees + order.Late.Rent + order.Late.Lent
	}
	opening := uint64(0)
	if order.Head.Last != nil {
		opening = order.Head.Last.Closing[asset]
	}
	closing := order.Balances.Of(r, asset)
	before, err := add(opening, in)
	if err != nil {
		return format.Statement{}, nil, err
	}
	out[format.Adjustment] = gone
	after, err := add(closing, out)
	if err != nil {
		return format.Statement{}, nil, err
	}
	if after >= before {
		in[format.Deposits] = after - before
	} else {
		missing := before - after
		out[format.Undecided] = min(missing, t.MayHaveTaken(asset))
		out[format.Adjustment] += missing - out[format.Undecided]
	}
	upTo, reason := allowed(r, asset)
	lack := run.Discrepancy{Asset: asset}
	if out[format.Adjustment] > upTo {
		lack.Missing = out[format.Adjustment]
		lack.Why = fmt.Sprintf("%d %s are missing: %d and %v came, %v went, and there are %d", lack.Missing, asset, opening, in, out, closing)
	}

	held := map[format.Name]uint64{
		format.Owed:    uint64(paid.Carried - paid.Reserved + creator.Carried - creator.Reserved),
		format.Carried: uint64(leg.RemainderOut),
	}
	if asset == terms.Asset(r.Mint) {
		held[format.Carried] += uint64(m.Split.UnsoldAfter)
	}
	sum, err := add(0, held)
	if err != nil {
		return format.Statement{}, nil, err
	}
	if sum > closing {
		lack.Short = sum - closing
		lack.Why = strings.TrimPrefix(lack.Why+fmt.Sprintf("; the wallet has %d %s, and holds them for %v", closing, asset, held), "; ")
	}
	if lack.Why != "" {
		return format.Statement{}, &lack, nil
	}
	// An undecided payment may have left the wallet, so the reserve is at most the remaining
	// balance.
	held[format.Reserved] = min(uint64(paid.Reserved+creator.Reserved), closing-sum)
	held[format.Float] = closing - sum - held[format.Reserved]
	s := format.Statement{
		Asset: asset.String(), Opening: format.Amount(opening), In: format.EntriesOf(in, lateReason),
		Out: format.EntriesOf(out, reason), Closing: format.Amount(closing), HeldFor: format.Entries(held),
	}
	return s, nil, verify.CheckStatement(s)
}

// add returns the sum of the amounts. It returns an error if the sum exceeds 64 bits.
func add(first uint64, amounts map[format.Name]uint64) (uint64, error) {
	for name, amount := range amounts {
		sum, carry := bits.Add64(first, amount, 0)
		if carry > 0 {
			return 0, fmt.Errorf("with %s the sum exceeds 64 bits", name)
		}
		first = sum
	}
	return first, nil
}
