package run

// Figures are the results of a run, in base units: collected, burned and sold amounts of the token,
// the other amounts of the reward. Unknown results are zero.
type Figures struct {
	Collected, Burned, Sold, Proceeds, CreatorPaid, HoldersPaid, Carried uint64
	// FeesLamports and RentLamports are the costs of the run, zero until the books are closed.
	FeesLamports, RentLamports uint64

	PaidHolders uint32
	// Manifest and Anchor are the CIDs of two files of the proof, empty while the file is missing.
	Manifest, Anchor string
}

// Figures returns the results so far.
func (r Run) Figures() (t Figures) {
	if r.Collecting != nil {
		t.Collected = r.Collecting.Collected
	}
	if r.Burn != nil {
		t.Burned = r.Burn.Amount
	}
	if r.Exchange != nil {
		t.Sold, t.Proceeds = r.Exchange.Sold, r.Exchange.Proceeds
	}
	if r.Payment != nil && len(r.Payment.Legs) > 0 && r.Payment.Legs[0].CreatorPaid != nil {
		t.CreatorPaid = r.Payment.Legs[0].CreatorPaid.Amount
	}
	if r.Closing != nil {
		t.Manifest, t.Anchor = r.Closing.Manifest, r.Closing.AnchorTx
		t.FeesLamports, t.RentLamports = r.Closing.FeesLamports, r.Closing.RentLamports
		if len(r.Closing.Legs) > 0 {
			leg := r.Closing.Legs[0]
			t.HoldersPaid, t.Carried, t.PaidHolders = leg.Paid, leg.Carried, leg.PaidHolders
		}
	}
	return t
}
