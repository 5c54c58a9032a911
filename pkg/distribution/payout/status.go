package payout

// Status derives how far the payment has come. The first line of the table that holds is the
// status:
//
//	Outcome moved                                    Landed
//	Split, and Outcome, or DeadAt, or no Attempts    Split
//	Outcome void                                     Void
//	DeadAt                                           Dead
//	UnknownSince                                     Unknown
//	Attempts                                         Sent
//	Refused                                          Cancelled
//	BoundAt                                          Bound
//	otherwise                                        Planned
//
// The chain's decisions come before the service's: money that moved has moved, whatever else is
// stored. While a signed transaction may land, nothing else is an end.
func (p Payment) Status() Status {
	switch {
	case p.Outcome != nil && p.Outcome.Moved():
		return Landed
	case p.Split && (p.Outcome != nil || !p.DeadAt.IsZero() || len(p.Attempts) == 0):
		return Split
	case p.Outcome != nil:
		return Void
	case !p.DeadAt.IsZero():
		return Dead
	case !p.UnknownSince.IsZero():
		return Unknown
	case len(p.Attempts) > 0:
		return Sent
	case p.Refused != "":
		return Cancelled
	case !p.BoundAt.IsZero():
		return Bound
	}
	return Planned
}

// Follows lists the states that a stored payment may have when p takes its place, which is the
// condition of a store's write. No state is followed by Planned. A payment that is Unknown may be
// decided later, and one that was bound again because of an old backup may have been sent.
func (p Payment) Follows() []Status {
	switch status := p.Status(); {
	case status == Bound && len(p.Blocked) > 0:
		return []Status{Planned, Bound, Sent}
	case status == Bound:
		return []Status{Planned}
	case status == Sent:
		return []Status{Bound, Sent}
	case status.Decided():
		return []Status{Planned, Bound, Sent, Unknown}
	}
	return nil
}

// size is how many records the payment is about; zero when it is no batch.
func (p Payment) size() uint32 { return p.To - p.From }

// halves gives the two payments that take a batch's place.
func (p Payment) halves() []Payment {
	middle := p.From + p.size()/2
	parts := make([]Payment, 2)
	for n := range parts {
		parts[n] = Payment{ID: p.ID, Mint: p.Mint, Asset: p.Asset, From: p.From, To: middle}
	}
	parts[0].ID.Part += "0"
	parts[1].ID.Part += "1"
	parts[1].From, parts[1].To = middle, p.To
	return parts
}

// lag is how many blocks a node that lists transactions may be behind the one that told
// the tip, where no receipt says at which slot it was read.
const lag = 32

// last is the height of the last block that may have an attempt.
func (p Payment) last(a Attempt) uint64 {
	if p.Receipt == nil {
		return a.LastValid + lag
	}
	return a.LastValid
}

// expired says whether no attempt can be in a block above a finalized height.
func (p Payment) expired(height uint64) bool {
	for _, a := range p.Attempts {
		if p.last(a) >= height {
			return false
		}
	}
	return true
}
