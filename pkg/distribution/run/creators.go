package run

import (
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/allocation"
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

// Amount is all of it.
func (p CreatorPart) Amount() uint64 { return p.Share + p.Owed }

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
	if r.Claim != nil && !r.Claim.Sweep {
		return 0
	}
	legs := 1
	if r.Opening != nil {
		legs += len(r.arrears())
	}
	return uint64((len(r.Settings.Creators()) - 1) * legs) //nolint:gosec // a few
}
