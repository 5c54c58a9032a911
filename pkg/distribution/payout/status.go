package payout

// Status derives how far the intent has come. What the chain has decided comes
// before what we have: money that moved has moved, whatever else is written; and
// while a signed transaction may land, nothing else is final.
func (i Intent) Status() Status {
	switch {
	case i.Outcome != nil && i.Outcome.Moved():
		return Settled
	case i.Outcome != nil && i.Split:
		return Split
	case i.Outcome != nil:
		return Failed
	case !i.UnknownSince.IsZero():
		return Unknown
	case len(i.Attempts) > 0:
		return Sent
	case i.Split:
		return Split
	case i.Refused != "":
		return Refused
	case !i.BoundAt.IsZero():
		return Bound
	}
	return Planned
}

// size is how many records the intent is about; zero when it is no batch.
func (i Intent) size() uint32 { return i.To - i.From }

// halves gives the two intents that take a batch's place.
func (i Intent) halves() []Intent {
	middle := i.From + i.size()/2
	parts := make([]Intent, 2)
	for n := range parts {
		parts[n] = Intent{ID: i.ID, Mint: i.Mint, Asset: i.Asset, From: i.From, To: middle}
	}
	parts[0].ID.Part += "0"
	parts[1].ID.Part += "1"
	parts[1].From, parts[1].To = middle, i.To
	return parts
}
