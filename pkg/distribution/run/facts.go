package run

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/token/terms"
)

// CreatorPart is the part of a leg that one of the creator's wallets receives: the Share of this
// run's proceeds, and the amount Owed from before. Paid is nil until the payment is decided.
type CreatorPart struct {
	Wallet solana.PublicKey
	Bps    int
	Share  uint64
	Owed   uint64
	Paid   *Movement
}

// CreatorParts returns the parts of a leg, one for every wallet of the creator. The index of a part
// is the batch number of the part's payment.
func (r Run) CreatorParts(number int) []CreatorPart {
	leg := r.Payment.Legs[number]
	if len(leg.Parts) > 0 {
		return leg.Parts
	}
	var owed uint64
	if r.Opening != nil {
		owed = min(r.Opening.CreatorOwed[leg.Currency.Asset], leg.Creator)
	}
	return []CreatorPart{{Wallet: r.Settings.DeveloperWallet, Bps: terms.FullBps, Share: leg.Creator - owed, Owed: owed, Paid: leg.CreatorPaid}}
}

// divide fills the parts of a leg whose creator's share is split. Every wallet keeps the amount
// owed to the wallet. The first wallet also gets the debts to wallets that are not the creator's
// any more, and the remainder of rounding.
func (r Run) divide(leg *Leg, share uint64) {
	creators := r.Settings.Creators()
	if len(creators) == 1 {
		return
	}
	rest := r.Opening.CreatorOwed[leg.Currency.Asset]
	shares := allocation.Parts(share, creators)
	leg.Parts = make([]CreatorPart, len(creators))
	for i, c := range creators {
		p := CreatorPart{Wallet: c.Wallet, Bps: c.Bps, Share: shares[i]}
		p.Owed = min(r.Opening.CreatorOwedTo[leg.Currency.Asset][c.Wallet], rest)
		rest -= p.Owed
		leg.Parts[i] = p
	}
	leg.Parts[0].Owed += rest
}

// decided stores the results of all parts. If the leg has several parts, CreatorPaid is their sum.
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
	if all.Amount > 0 { // the parts have the individual results
		all.Why, all.Reason = "", ""
	}
	l.CreatorPaid = &all
}

// more returns the number of payments to the creator beyond the single payment of an ordinary run.
// A holders' claim has no such payments.
func (r Run) more() uint64 {
	if k := r.Kind(); k == HolderClaim || r.Release != nil {
		return 0
	}
	legs := 1
	if r.Opening != nil {
		legs += len(r.arrears())
	}
	return uint64((len(r.Settings.Creators()) - 1) * legs) //nolint:gosec // a few
}

// Reasons of payments that were not tried or that failed.
const (
	reasonRefused   payout.Reason = "refused"
	reasonUndecided payout.Reason = "undecided"
	reasonBelowCost payout.Reason = "below_cost"
	reasonPutOff    payout.Reason = "put_off"
	reasonLimit     payout.Reason = "over_limit"
)

// movement returns the facts of a decided payment.
func movement(i payout.Payment) Movement {
	switch {
	case i.Status() == payout.Landed:
		return Movement{Amount: i.Amount, Signature: i.Outcome.Signature, ChainSlot: i.Outcome.Slot, At: i.Outcome.At}
	case i.Status() == payout.Unknown:
		return Movement{Why: "It may or may not have landed.", Reason: reasonUndecided, At: i.UnknownSince}
	}
	return Movement{Why: cmp.Or(i.Detail, string(i.Refused)), Reason: reasonRefused}
}

// held reports whether the lesser of two snapshots' balances counts. A claim has no shares.
func (r Run) held() bool {
	return r.Kind() == Distribution && r.Settings.RewardBasis == terms.BasisHeld
}

// HeldBefore returns the snapshot that counts in addition to the run's own snapshot. held is false
// if only the run's own snapshot counts. before is nil if there is no earlier snapshot.
func (r Run) HeldBefore() (before *SnapshotBefore, held bool) {
	if !r.held() || r.Opening == nil {
		return nil, r.held()
	}
	return r.Opening.Before, true
}

// Weight returns the part of the eligible owners' balances that counts.
func (r Run) Weight() uint64 {
	if r.held() {
		return r.Snapshot.EligibleWeight
	}
	return r.Snapshot.EligibleBalance
}

// Look is the state of a token when a run was last opened or deferred.
type Look struct {
	Slot time.Time
	// Newest is the newest transaction that named the mint. Scanned is the value of Newest when a
	// run was last opened; the run scanned all accounts unless it ended early.
	Newest, Scanned solana.Signature
	// Known is the amount available without a scan of holders' accounts: in the wallet, on the mint
	// and in the vaults of the token's pools, in base units. Lamports is the wallet's balance.
	Known, Lamports uint64
	// Terms is a digest of the settings and the markets.
	Terms string
	// Price is a venue's price in lamports; nil if no venue was asked or no venue had a price.
	Price *Price
	// Why and Detail are the reason why no run was opened; empty if a run was opened.
	Why    Code
	Detail string
	// Rests is the number of consecutive checks and runs that found too little. Until is the end of
	// the pause that began with this check, unless an event ends the pause before.
	Rests int
	Until time.Time
}

// price returns the price of tokens in SOL, by the newest price that was paid or quoted; zero if
// there is no price.
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

// Lamports returns the value of tokens by the head's price, rounded down; zero without a price.
func (h Head) Lamports(tokens uint64) uint64 {
	price := h.price()
	if price.BaseUnits == 0 {
		return 0
	}
	return exchange.MulDiv(tokens, price.Lamports, price.BaseUnits)
}

// maxTakenOver is the maximum number of resolved payments that a run takes over. Every such
// payment takes a kilobyte of the run's item.
const maxTakenOver = 100

// takeOver returns the resolved payments of the head that a run takes over. For every asset, these
// include landed payments of only one run, because a row has one signature and a run pays a holder
// only once.
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
	return list[:min(len(list), maxTakenOver)]
}

// Kind is the purpose of a run.
type Kind string

// The kinds of runs.
const (
	Distribution Kind = "distribution" // shares out the income since the previous run
	HolderClaim  Kind = "claim"        // pays the debts to holders on request
	Sweep        Kind = "sweep"        // pays all debts of a dead token, or of a token that winds down
	Releasing    Kind = "release"      // releases a token that winds down
	Rotating     Kind = "rotation"     // moves the token to the wallet of another root
)

// Kind returns the purpose of the run.
func (r Run) Kind() Kind {
	switch {
	case r.Release != nil && r.Release.Into != nil:
		return Rotating
	case r.Release != nil:
		return Releasing
	case r.Claim == nil:
		return Distribution
	case r.Claim.Sweep:
		return Sweep
	}
	return HolderClaim
}

// ProofKind returns the kind in the run's proof, which has one word for every run without a
// distribution.
func (r Run) ProofKind() format.Kind {
	if r.Kind() == Distribution {
		return format.Distribution
	}
	return format.Claim
}

// Claim is the scope of a claim.
type Claim struct {
	// Owners are the holders that requested payment, in byte order. Sweep reports that all holders
	// are paid instead.
	Owners []solana.PublicKey
	Sweep  bool
	// Handover is the order of a hand-over that follows the payments; nil in any other claim. A
	// claim with a Handover is a Sweep.
	Handover *Handover `json:",omitempty"`
	// Fees is the amount deducted from every payment for the transactions, by asset.
	Fees map[terms.Asset]uint64
}

// noTime is the reason why a debt waits for the next run.
const noTime = "There was no time left for it."

// saleUndecided reports whether the outcome of the sale for the holders is unknown. The run then
// pays nothing in the reward, earlier debts included: see lateSale.
func (r Run) saleUndecided() bool { return r.Exchange.Reason == reasonUndecided }

// Late returns the sum of payments that landed in earlier runs but were undecided in the earlier
// proofs.
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

// Unsold returns the amount that the next run sells without another burn.
func (r Run) Unsold() uint64 {
	switch {
	case r.Burn.Why != "": // nothing was burned or sold
		return min(r.Opening.Unsold, r.Split.Spendable)
	case r.rewardIsToken():
		return 0
	}
	return r.Split.Sell - r.Fuel.Sold - r.Exchange.Sold
}

// prices returns the prices of the run's exchanges, or the quoted price of an exchange that was put
// off.
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

// ownLamports returns the wallet's lamports without debts and without the proceeds of the exchange.
func (r Run) ownLamports(has Balances) uint64 {
	sol := terms.SOL
	others := r.Opening.ForOthers(sol)
	if r.Reward.Asset.IsSOL() && r.Exchange != nil {
		others += r.Exchange.Proceeds
	}
	return has.Lamports - min(others, has.Lamports)
}

// arrears returns the owed assets except this run's reward, in the order of their text.
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

// assetsOf returns the assets with a positive amount, without duplicates and without except.
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

// receipts returns the payments of a run that may have receipts.
func (r Run) receipts() (list []payout.ID) {
	for _, id := range r.phases() {
		switch id.Kind {
		case payout.Burn, payout.Exchange, payout.Fuel, payout.Creator, payout.Pay, payout.Anchor, payout.Handover:
			list = append(list, id)
		case payout.Setup, payout.Collect, payout.Return, payout.Release, payout.Refund:
		}
	}
	return list
}

// coins returns the coins for which the wallet needs its own accounts: the token, the reward, and
// earlier rewards that can be moved.
func (r Run) coins() []Currency {
	coins := []Currency{r.own()}
	if !r.Reward.Asset.IsSOL() && !r.rewardIsToken() {
		coins = append(coins, r.Reward)
	}
	if r.Payment == nil {
		return coins
	}
	for _, leg := range r.Payment.Legs[1:] {
		if leg.Currency.Asset != r.own().Asset && !leg.Currency.Program.IsZero() {
			coins = append(coins, leg.Currency)
		}
	}
	return coins
}

// own returns the token itself as a coin.
func (r Run) own() Currency {
	return Currency{Asset: terms.Asset(r.Mint), Program: solana.Token2022ProgramID, Decimals: r.Token.Decimals, FeeBps: r.Token.FeeBps}
}

// rewardIsToken reports whether holders are paid in the token itself. The run then exchanges no
// tokens for holders.
func (r Run) rewardIsToken() bool { return r.Reward.Asset == r.own().Asset }

// own returns the wallet's lamports without debts.
func (h Head) own(lamports uint64) uint64 {
	asset := terms.SOL
	return lamports - min(h.ForOthers(asset), lamports)
}

// never is an amount that is never owed.
const never = math.MaxUint64

// worth returns the price of the last sale of tokens for SOL; zero before the first such sale.
func (h Head) worth() snapshot.Price {
	for _, p := range slices.Backward(h.Prices) {
		if p.Asset.IsSOL() {
			return snapshot.Price{Lamports: p.Out, BaseUnits: p.In}
		}
	}
	return snapshot.Price{}
}

// Amount returns the sum of the part.
func (p CreatorPart) Amount() uint64 { return p.Share + p.Owed }

// overLimit is the reason why a payment waits that exceeds the signer's limits.
const overLimit = "It is more than can leave the distribution wallet at once. It waits for the next distribution."
