package books

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// manifest says what is known of a run beside its lists, legs and statements.
func manifest(r run.Run, order run.CloseOrder) (proof.Manifest, error) {
	account, err := token2022.AssociatedAddress(r.Token.Wallet.Address, r.Mint, solana.Token2022ProgramID)
	if err != nil {
		return proof.Manifest{}, fmt.Errorf("find the wallet's account: %w", err)
	}
	sn, cut := r.Snapshot, r.Split
	settings := proof.NewSettings(r.Settings, r.SettingsVersion, r.SettingsSignature)
	settings.RewardToken = r.Reward.Asset.String()
	number := uint64(1)
	if order.Head.Last != nil {
		number = order.Head.Last.Number + 1
	}
	kind := proof.Distribution
	if r.Kind() != run.Distribution {
		kind = proof.Claim
	}
	return proof.Manifest{
		Kind: kind, Number: number, Creator: proof.Key(r.Token.Creator), Cut: order.Balances.ChainSlot,
		RunID: r.ID, Slot: r.Slot, Mint: proof.Key(r.Mint), Program: proof.Key(solana.Token2022ProgramID), Decimals: r.Token.Decimals,
		Wallet: proof.Key(r.Token.Wallet.Address), TokenAccount: proof.Key(account),
		Settings: settings,
		Snapshot: proof.Snapshot{
			ChainSlot: sn.ChainSlot, Supply: proof.Amount(sn.Supply),
			WithheldInAccounts: proof.Amount(sn.WithheldInAccounts), WithheldOnMint: proof.Amount(sn.WithheldOnMint),
			Eligible: proof.Tally{Owners: uint64(sn.Eligible), Balance: proof.Amount(sn.EligibleBalance)},
			Held:     heldIn(r),
		},
		Split: proof.Split{
			Spendable: proof.Amount(cut.Spendable), Unsold: proof.Amount(min(r.Opening.Unsold, cut.Spendable)),
			Slice: proof.Amount(cut.Slice), Burn: proof.Amount(cut.Burn), Sell: proof.Amount(cut.Sell),
			Burned: proof.Amount(r.Burn.Amount), UnsoldAfter: proof.Amount(r.Unsold()),
		},
		Exchange: sale(r), Previous: r.Opening.PreviousManifest,
	}, nil
}

// sale says what was sold. What the wallet keeps of SOL proceeds for its own costs
// counts as sold for them.
func sale(r run.Run) proof.Sale {
	s := proof.Sale{
		Sold: proof.Amount(r.Exchange.Sold), Proceeds: proof.Amount(r.Exchange.Proceeds),
		FuelSold: proof.Amount(r.Fuel.Sold), Fuel: proof.Amount(r.Fuel.Proceeds),
	}
	if kept := r.Payment.FuelKept; kept > 0 {
		high, low := bits.Mul64(r.Exchange.Sold, kept)
		sold, rest := bits.Div64(high, low, r.Exchange.Proceeds)
		if rest > 0 {
			sold++
		}
		s.Sold -= proof.Amount(sold)
		s.FuelSold += proof.Amount(sold)
		s.Proceeds -= proof.Amount(kept)
		s.Fuel += proof.Amount(kept)
	}
	return s
}

// statements shows of each asset that nothing is lost.
func statements(r run.Run, order run.CloseOrder, m proof.Manifest) ([]proof.Statement, error) {
	own := terms.Asset(r.Mint)
	assets := []terms.Asset{own, terms.SOL}
	legs := map[terms.Asset]proof.Leg{}
	for i, leg := range r.Payment.Legs {
		asset := leg.Coin.Asset
		legs[asset] = m.Legs[i]
		if asset != own && !asset.IsSOL() {
			assets = append(assets, asset)
		}
	}
	list := make([]proof.Statement, 0, len(assets))
	var lacks []run.Lack
	for _, asset := range assets {
		s, lack, err := statement(r, order, m, asset, legs[asset])
		if err != nil {
			lack = &run.Lack{Asset: asset, Why: err.Error()}
		}
		if lack != nil {
			lacks = append(lacks, *lack)
		}
		list = append(list, s)
	}
	if len(lacks) > 0 {
		return nil, &run.Imbalance{Lacks: lacks}
	}
	return list, nil
}

// lateReason is why a statement has late payments on both sides.
const lateReason = "payments that were undecided in an earlier proof, of which the rows name those that landed"

// allowed is what the run may enter as an adjustment of an asset, and why.
func allowed(r run.Run, asset terms.Asset) (upTo uint64, reason string) {
	for _, a := range r.Allowed {
		if a.Asset == asset {
			upTo, reason = a.UpTo, a.Reason // the last word counts
		}
	}
	return upTo, reason
}

// statement is that of one asset; leg is empty when it is not paid. It says what is
// lacking when it does not balance.
func statement(r run.Run, order run.CloseOrder, m proof.Manifest, asset terms.Asset, leg proof.Leg) (proof.Statement, *run.Lack, error) {
	t, paid, creator := order.Totals, leg.Sums, leg.Creator()
	if t.Holders[asset] < uint64(paid.Paid) || t.Creator[asset] < uint64(creator.Paid) {
		return proof.Statement{}, nil, fmt.Errorf("transactions moved %d %s to holders and %d to the creator, the rows say %d and %d",
			t.Holders[asset], asset, t.Creator[asset], paid.Paid, creator.Paid)
	}
	// What left in payments and has no row is gone, as far as the statement can say.
	gone := t.Holders[asset] - uint64(paid.Paid) + t.Creator[asset] - uint64(creator.Paid)
	in, out := map[proof.Name]uint64{}, map[proof.Name]uint64{
		proof.ToCreator: uint64(creator.Received), proof.ToHolders: uint64(paid.Received),
		proof.TaxOnSending: uint64(paid.Paid - paid.Received + creator.Paid - creator.Received),
	}
	switch {
	case asset.IsSOL():
		out[proof.Fees], out[proof.Rent], out[proof.ReceiptsLent] = t.Fees, t.Rent, t.Lent
		in[proof.FuelCame], in[proof.ReceiptsReturned] = uint64(m.Exchange.Fuel), t.Returned
	case asset == terms.Asset(r.Mint):
		in[proof.Collected] = t.Collected
		out[proof.Burned], out[proof.Sold], out[proof.FuelSold] = t.Burned, uint64(m.Exchange.Sold), uint64(m.Exchange.FuelSold)
	}
	if asset == r.Reward.Asset && asset != terms.Asset(r.Mint) {
		in[proof.Proceeds] = uint64(m.Exchange.Proceeds)
	}
	// It left before the opening, as the proof before could not say.
	in[proof.Adjustment] = order.Late.Holders[asset]
	if asset.IsSOL() {
		in[proof.Adjustment] += order.Late.Fees + order.Late.Rent + order.Late.Lent
	}
	opening := uint64(0)
	if order.Head.Last != nil {
		opening = order.Head.Last.Closing[asset]
	}
	closing := order.Balances.Of(r, asset)
	before, err := add(opening, in)
	if err != nil {
		return proof.Statement{}, nil, err
	}
	out[proof.Adjustment] = gone
	after, err := add(closing, out)
	if err != nil {
		return proof.Statement{}, nil, err
	}
	if after >= before {
		in[proof.Deposits] = after - before
	} else {
		missing := before - after
		out[proof.Undecided] = min(missing, t.MayHaveTaken(asset))
		out[proof.Adjustment] += missing - out[proof.Undecided]
	}
	upTo, reason := allowed(r, asset)
	lack := run.Lack{Asset: asset}
	if out[proof.Adjustment] > upTo {
		lack.Missing = out[proof.Adjustment]
		lack.Why = fmt.Sprintf("%d %s are missing: %d and %v came, %v went, and there are %d", lack.Missing, asset, opening, in, out, closing)
	}

	held := map[proof.Name]uint64{
		proof.Owed:    uint64(paid.Carried - paid.Reserved + creator.Carried - creator.Reserved),
		proof.Carried: uint64(leg.RemainderOut),
	}
	if asset == terms.Asset(r.Mint) {
		held[proof.Carried] += uint64(m.Split.UnsoldAfter)
	}
	sum, err := add(0, held)
	if err != nil {
		return proof.Statement{}, nil, err
	}
	if sum > closing {
		lack.Short = sum - closing
		lack.Why = strings.TrimPrefix(lack.Why+fmt.Sprintf("; the wallet has %d %s, and holds them for %v", closing, asset, held), "; ")
	}
	if lack.Why != "" {
		return proof.Statement{}, &lack, nil
	}
	// What was sent, perhaps, may be gone: as much of it is held as there is.
	held[proof.Reserved] = min(uint64(paid.Reserved+creator.Reserved), closing-sum)
	held[proof.Float] = closing - sum - held[proof.Reserved]
	s := proof.Statement{
		Asset: asset.String(), Opening: proof.Amount(opening), In: proof.EntriesOf(in, lateReason),
		Out: proof.EntriesOf(out, reason), Closing: proof.Amount(closing), HeldFor: proof.Entries(held),
	}
	return s, nil, s.Check()
}

// add adds amounts up; together they are at most 64 bits, or something is wrong.
func add(first uint64, amounts map[proof.Name]uint64) (uint64, error) {
	for name, amount := range amounts {
		sum, carry := bits.Add64(first, amount, 0)
		if carry > 0 {
			return 0, fmt.Errorf("with %s the sum exceeds 64 bits", name)
		}
		first = sum
	}
	return first, nil
}
