package run

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/token/terms"
)

// CreatorPart is what one of the creator's wallets is to get of a leg: its Share of this
// run's proceeds, and what is Owed to it from before. Paid is nil until that is decided.
type CreatorPart struct {
	Wallet solana.PublicKey
	Bps    int
	Share  uint64
	Owed   uint64
	Paid   *Movement
}

// CreatorParts are those of a leg, one for each of the creator's wallets. The numbers of
// their payments' batches are their places.
func (r Run) CreatorParts(number int) []CreatorPart {
	leg := r.Payment.Legs[number]
	if len(leg.Parts) > 0 {
		return leg.Parts
	}
	var owed uint64
	if r.Opening != nil {
		owed = min(r.Opening.CreatorOwed[leg.Coin.Asset], leg.Creator)
	}
	return []CreatorPart{{Wallet: r.Settings.DeveloperWallet, Bps: terms.FullBps, Share: leg.Creator - owed, Owed: owed, Paid: leg.CreatorPaid}}
}

// divide fills the parts of a leg whose creator's share is split. Each wallet keeps what is
// owed to it; the first gets what is owed to wallets that are the creator's no more, and what
// rounding leaves over.
func (r Run) divide(leg *Leg, share uint64) {
	creators := r.Settings.Creators()
	if len(creators) == 1 {
		return
	}
	rest := r.Opening.CreatorOwed[leg.Coin.Asset]
	shares := allocation.Parts(share, creators)
	leg.Parts = make([]CreatorPart, len(creators))
	for i, c := range creators {
		p := CreatorPart{Wallet: c.Wallet, Bps: c.Bps, Share: shares[i]}
		p.Owed = min(r.Opening.CreatorOwedTo[leg.Coin.Asset][c.Wallet], rest)
		rest -= p.Owed
		leg.Parts[i] = p
	}
	leg.Parts[0].Owed += rest
}

// decided says what became of all parts. With several, CreatorPaid is what they come to.
func (l *Leg) decided(parts []CreatorPart) {
	if len(l.Parts) == 0 {
		l.CreatorPaid = parts[0].Paid
		return
	}
	l.Parts = parts
	var all Movement
	for _, p := range parts {
		all.Amount += p.Paid.Amount
		all.ChainSlot = max(all.ChainSlot, p.Paid.ChainSlot)
		if p.Paid.At.After(all.At) {
			all.At = p.Paid.At
		}
		if p.Paid.Why != "" && all.Reason != reasonUndecided {
			all.Why, all.Reason = p.Paid.Why, p.Paid.Reason
		}
	}
	if all.Amount > 0 { // the parts say what became of each
		all.Why, all.Reason = "", ""
	}
	l.CreatorPaid = &all
}

// more is how many payments to the creator a run has beside the one that any has. A claim
// that holders asked for has none.
func (r Run) more() uint64 {
	if r.Kind() == HolderClaim {
		return 0
	}
	legs := 1
	if r.Opening != nil {
		legs += len(r.arrears())
	}
	return uint64((len(r.Settings.Creators()) - 1) * legs) //nolint:gosec // a few
}

// Reasons of movements that were not tried, or came to nothing.
const (
	reasonRefused   payout.Reason = "refused"
	reasonUndecided payout.Reason = "undecided"
	reasonBelowCost payout.Reason = "below_cost"
	reasonPutOff    payout.Reason = "put_off"
	reasonLimit     payout.Reason = "over_limit"
)

// movement gives the facts of a payment that is decided.
func movement(i payout.Payment) Movement {
	switch {
	case i.Status() == payout.Landed:
		return Movement{Amount: i.Amount, Signature: i.Outcome.Signature, ChainSlot: i.Outcome.Slot, At: i.Outcome.At}
	case i.Status() == payout.Unknown:
		return Movement{Why: "It may or may not have landed.", Reason: reasonUndecided, At: i.UnknownSince}
	}
	return Movement{Why: cmp.Or(i.Detail, string(i.Refused)), Reason: reasonRefused}
}

// held says whether the lesser of two snapshots' balances counts. A claim shares out nothing.
func (r Run) held() bool {
	return r.Kind() == Distribution && r.Settings.RewardBasis == terms.BasisHeld
}

// HeldBefore is what counts beside the run's own snapshot: held is false when that counts
// alone, and before is nil when there is no other.
func (r Run) HeldBefore() (before *SnapshotBefore, held bool) {
	if !r.held() || r.Opening == nil {
		return nil, r.held()
	}
	return r.Opening.Before, true
}

// Weight is what of the balances of those who share counts.
func (r Run) Weight() uint64 {
	if r.held() {
		return r.Snapshot.EligibleWeight
	}
	return r.Snapshot.EligibleBalance
}

// Look is what a token was like when a run of it was last opened or put off.
type Look struct {
	Slot time.Time
	// Newest is the newest transaction that named the mint, and Scanned what that was when
	// a run was last opened: unless it ended before, it has looked into all accounts.
	Newest, Scanned solana.Signature
	// Known is what there is to distribute without that: in the wallet, on the mint and in
	// the vaults of its pools, in base units. Lamports are the wallet's.
	Known, Lamports uint64
	// Terms is a digest of the settings and the markets.
	Terms string
	// Price is what a venue named in lamports; nil when none was asked, or named one.
	Price *Price
	// Why and Detail say why no run was opened; empty when one was.
	Why    Code
	Detail string
	// Rests counts the looks and runs in a row that have found too little. Until is when
	// the rest ends that began with this one, unless something ends it before.
	Rests int
	Until time.Time
}

// price is what tokens are worth in SOL by the newest price that was paid or named; zero
// when there is none.
func (h Head) price() snapshot.Price {
	paid := h.worth()
	if h.Look == nil || h.Look.Price == nil {
		return paid
	}
	for _, p := range h.Prices {
		if p.Asset.IsSOL() && p.At.After(h.Look.Price.At) {
			return paid
		}
	}
	return snapshot.Price{Lamports: h.Look.Price.Out, BaseUnits: h.Look.Price.In}
}

// mostTakenOver is how many resolved payments a run takes over: each is a kilobyte of its item.
const mostTakenOver = 100

// takeOver gives what of the head's resolved payments a run takes over: of each asset those of
// one run that landed, for a row has one signature, and a run pays each holder once.
func (h Head) takeOver() (list []Resolved) {
	taken := map[terms.Asset]string{}
	for _, s := range h.Resolved {
		asset := s.Payment.Asset
		if s.Landed() && taken[asset] == "" {
			taken[asset] = s.Payment.ID.Run
		}
		if !s.Landed() || taken[asset] == s.Payment.ID.Run {
			list = append(list, s)
		}
	}
	return list[:min(len(list), mostTakenOver)]
}

// Kind is what a run is for.
type Kind string

// The kinds of runs.
const (
	Distribution Kind = "distribution" // shares out what came in since the one before
	HolderClaim  Kind = "claim"        // pays holders who asked for what they are owed
	Sweep        Kind = "sweep"        // pays all that a dead token owes
)

// Kind returns what the run is for.
func (r Run) Kind() Kind {
	switch {
	case r.Claim == nil:
		return Distribution
	case r.Claim.Sweep:
		return Sweep
	}
	return HolderClaim
}

// Claim is what a claim is about.
type Claim struct {
	// Owners asked, in the order of their bytes. Sweep says that all are paid instead.
	Owners []solana.PublicKey
	Sweep  bool
	// Fees is what is kept of each payment for the transactions, by asset.
	Fees map[terms.Asset]uint64
}

// noTime is why what is owed waits for the next run.
const noTime = "There was no time left for it."

// saleUndecided says that it cannot be said whether the sale for the holders landed. Nothing is
// paid in the reward then, also of what was owed before: see lateSale.
func (r Run) saleUndecided() bool { return r.Exchange.Reason == reasonUndecided }

// Late adds up what the payments did that landed in earlier runs, which could not say so.
func (r Run) Late() (Totals, error) {
	var t Totals
	t.make()
	for _, s := range r.Opening.Resolved {
		if err := t.Add(r, s.Payment); err != nil {
			return Totals{}, err
		}
	}
	return t, nil
}

// Unsold is what the next run is to sell without burning of it again.
func (r Run) Unsold() uint64 {
	switch {
	case r.Burn.Why != "": // nothing was burned, and nothing sold
		return min(r.Opening.Unsold, r.Split.Spendable)
	case r.rewardIsToken():
		return 0
	}
	return r.Split.Sell - r.Fuel.Sold - r.Exchange.Sold
}

// prices are what the run's exchanges paid, or what was offered when the exchange
// was put off.
func (r Run) prices() (list []Price) {
	if r.Fuel.Sold > 0 {
		list = append(list, Price{Asset: terms.SOL, In: r.Fuel.Sold, Out: r.Fuel.Proceeds, At: r.Fuel.At})
	}
	switch {
	case r.Exchange.Sold > 0:
		list = append(list, Price{Asset: r.Reward.Asset, In: r.Exchange.Sold, Out: r.Exchange.Proceeds, At: r.Exchange.At})
	case r.Exchange.Quoted != nil:
		list = append(list, *r.Exchange.Quoted)
	}
	return list
}

// ownLamports is what of the wallet's lamports is neither owed from before nor came from
// the exchange.
func (r Run) ownLamports(has Balances) uint64 {
	sol := terms.SOL
	others := r.Opening.ForOthers(sol)
	if r.Reward.Asset.IsSOL() && r.Exchange != nil {
		others += r.Exchange.Proceeds
	}
	return has.Lamports - min(others, has.Lamports)
}

// arrears are the assets that are owed still and are not this run's reward, in the
// order of their text.
func (r Run) arrears() []terms.Asset {
	list := assetsOf(r.Reward.Asset, r.Opening.Owed, r.Opening.CreatorOwed, r.Opening.Remainder)
	for _, s := range r.Opening.Resolved {
		if asset := s.Payment.Asset; asset != r.Reward.Asset && !slices.Contains(list, asset) {
			list = append(list, asset)
		}
	}
	slices.SortFunc(list, func(a, b terms.Asset) int { return strings.Compare(a.String(), b.String()) })
	return list
}

// assetsOf gives the assets of which there is an amount, each once, one excepted.
func assetsOf(except terms.Asset, amounts ...map[terms.Asset]uint64) (list []terms.Asset) {
	for _, of := range amounts {
		for asset, amount := range of {
			if amount > 0 && asset != except && !slices.Contains(list, asset) {
				list = append(list, asset)
			}
		}
	}
	return list
}

// receipts names the payments of a run that may have receipts.
func (r Run) receipts() (list []payout.ID) {
	for _, id := range r.phases() {
		switch id.Kind {
		case payout.Burn, payout.Exchange, payout.Fuel, payout.Creator, payout.Pay, payout.Anchor:
			list = append(list, id)
		case payout.Setup, payout.Collect, payout.Return:
		}
	}
	return list
}

// coins are what the wallet needs accounts of its own for: the token, the reward,
// and what was the reward before, as far as it can be moved.
func (r Run) coins() []Coin {
	coins := []Coin{r.own()}
	if !r.Reward.Asset.IsSOL() && !r.rewardIsToken() {
		coins = append(coins, r.Reward)
	}
	if r.Payment == nil {
		return coins
	}
	for _, leg := range r.Payment.Legs[1:] {
		if leg.Coin.Asset != r.own().Asset && !leg.Coin.Program.IsZero() {
			coins = append(coins, leg.Coin)
		}
	}
	return coins
}

// own is the token itself as a coin.
func (r Run) own() Coin {
	return Coin{Asset: terms.Asset(r.Mint), Program: solana.Token2022ProgramID, Decimals: r.Token.Decimals, FeeBps: r.Token.FeeBps}
}

// rewardIsToken says that holders are paid in the token itself: nothing is
// exchanged for them.
func (r Run) rewardIsToken() bool { return r.Reward.Asset == r.own().Asset }

// own is what of the wallet's lamports is not owed.
func (h Head) own(lamports uint64) uint64 {
	asset := terms.SOL
	return lamports - min(h.ForOthers(asset), lamports)
}

// never is an amount that is never owed.
const never = math.MaxUint64

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

// Amount is all of it.
func (p CreatorPart) Amount() uint64 { return p.Share + p.Owed }

// overLimit is why a payment waits that is more than can leave the wallet now.
const overLimit = "It is more than can leave the distribution wallet at once. It waits for the next distribution."
