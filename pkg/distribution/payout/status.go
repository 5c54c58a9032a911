package payout

// Status derives the status from the payment's facts. The first line of the table that is true
// is the status:
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
// The chain's decisions come before the service's decisions, because money that moved has moved,
// whatever else is stored. A payment is not final while a signed transaction may land.
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

// Follows returns the states of a stored payment that p may replace: the condition of a store's
// write. Planned replaces no state. An Unknown payment may be decided later. A payment that was
// bound again because of an old backup may have been sent.
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

// size returns the number of records of the payment; zero for a payment that is not a batch.
func (p Payment) size() uint32 { return p.To - p.From }

// halves returns the two payments that replace a batch.
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

// lag is the maximum distance, in blocks, between the node that listed transactions and the node
// that reported the tip. Only payments without a receipt need the margin, because a receipt is
// read at a known slot.
const lag = 32

// last returns the height of the last block that may contain an attempt.
func (p Payment) last(a Attempt) uint64 {
	if p.Receipt == nil {
		return a.LastValid + lag
	}
	return a.LastValid
}

// expired reports whether every attempt's last block is below a finalized height.
func (p Payment) expired(height uint64) bool {
	for _, a := range p.Attempts {
		if p.last(a) >= height {
			return false
		}
	}
	return true
}
