package allocation

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token/terms"
)

// Outcome is the result of a payment.
type Outcome struct {
	Payment Payment
	// Signature is the transaction of the payment; zero if nothing was paid.
	Signature solana.Signature
	// Charged is the part of Payment.Amount that paid the rent of an account. Received is the
	// amount that arrived.
	Charged, Received uint64
	// Reason is the reason why nothing was paid. Undecided reserves the amount.
	Reason Reason
	// Hold is the fingerprint that must change before the next payment.
	Hold Hold
}

func (o Outcome) check() error {
	paid := !o.Signature.IsZero()
	switch {
	case paid && (o.Reason != "" || o.Hold != Hold{}):
		return fmt.Errorf("it was paid, and was not because of %q", o.Reason)
	case paid && (o.Charged >= o.Payment.Amount || o.Received > o.Payment.Amount-o.Charged):
		return fmt.Errorf("of %d, %d were charged and %d arrived", o.Payment.Amount, o.Charged, o.Received)
	case !paid && !o.Reason.Valid():
		return fmt.Errorf("it was not paid because of %q", o.Reason)
	case !paid && (o.Charged > 0 || o.Received > 0):
		return errors.New("it was not paid, and something was charged or arrived")
	}
	return nil
}

// Outcomes collects the outcomes of a leg's payments, in any order. A payment without an outcome was
// not started.
type Outcomes struct {
	byRow      []result
	signatures []solana.Signature
	reasons    []Reason
	added      uint32
}

// result is a compact outcome. Every row has a result.
type result struct {
	owner             uint64 // the first bytes of the owner's key
	amount            uint64 // zero without an outcome
	received, charged uint64
	hold              Hold
	signature         uint32 // the index in signatures, from 1
	reason            uint32 // the index in reasons, from 1
}

// NewOutcomes returns an empty Outcomes for a leg with the given number of rows.
func NewOutcomes(rows uint32) *Outcomes { return &Outcomes{byRow: make([]result, rows)} }

// Add adds the outcome of a payment. It returns an error if the outcome contradicts itself, or if the
// payment has an outcome already.
func (o *Outcomes) Add(out Outcome) error {
	row := out.Payment.Row
	if int(row) >= len(o.byRow) {
		return fmt.Errorf("the payment of row %d: there are only %d", row, len(o.byRow))
	}
	at := &o.byRow[row]
	if at.amount != 0 || out.Payment.Amount == 0 {
		return fmt.Errorf("the payment of row %d, %d: a payment has one outcome and an amount", row, out.Payment.Amount)
	}
	if err := out.check(); err != nil {
		return fmt.Errorf("the payment of row %d: %w", row, err)
	}
	*at = result{
		owner: prefix(out.Payment.Owner), amount: out.Payment.Amount,
		received: out.Received, charged: out.Charged, hold: out.Hold,
	}
	if !out.Signature.IsZero() {
		// Payments of one transaction are consecutive.
		if n := len(o.signatures); n == 0 || o.signatures[n-1] != out.Signature {
			o.signatures = append(o.signatures, out.Signature)
		}
		at.signature = uint32(len(o.signatures)) //nolint:gosec // at most as many as rows
	} else {
		i := slices.Index(o.reasons, out.Reason)
		if i < 0 {
			i = len(o.reasons)
			o.reasons = append(o.reasons, out.Reason)
		}
		at.reason = uint32(i) + 1 //nolint:gosec // at most as many as rows
	}
	o.added++
	return nil
}

func prefix(owner solana.PublicKey) uint64 { return binary.BigEndian.Uint64(owner[:8]) }

// Close iterates over the leg's rows: the planned claims with their outcomes. worthPaying is the value
// of the plan. It ends with an error if the outcomes do not match the claims.
func (o *Outcomes) Close(asset terms.Asset, claims iter.Seq2[Claim, error], worthPaying uint64) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		var used uint32
		for c, err := range claims {
			if err != nil {
				yield(Row{}, err)
				return
			}
			row, known, err := o.close(asset, c, worthPaying)
			if err == nil {
				row.Total, err = add(c.Total, row.Received)
			}
			if err == nil {
				err = row.Check()
			}
			if err != nil {
				yield(Row{}, fmt.Errorf("close row %d of %s: %w", c.Row, c.Owner, err))
				return
			}
			if known {
				used++
			}
			if !yield(row, nil) {
				return
			}
		}
		if used != o.added {
			yield(Row{}, fmt.Errorf("of %d payments, %d have a row", o.added, used))
		}
	}
}

func (o *Outcomes) close(asset terms.Asset, c Claim, worthPaying uint64) (row Row, known bool, err error) {
	due := c.Due()
	if c.Late != nil {
		row, err = late(asset, c)
		return row, false, err
	}
	row = Row{
		Asset: asset, Owner: c.Owner, Balance: c.Balance, Held: c.Held, Before: c.Before, Share: c.Share, Owed: c.Owed,
		Carried: c.Reserved + due, Reserved: c.Reserved, Hold: c.Hold,
	}
	var r result
	if c.Row < math.MaxUint32 && int(c.Row) < len(o.byRow) {
		r = o.byRow[c.Row]
	}
	known = r.amount != 0
	planned := c.planned(worthPaying)
	if known && (r.amount != due-c.Fee || r.owner != prefix(c.Owner) || !planned) {
		return Row{}, false, fmt.Errorf("%d are due, and the payment was of %d to another or less than is worth paying", due, r.amount)
	}
	switch {
	case known && r.signature != 0:
		row.Charged, row.Received = r.charged+c.Fee, r.received
		row.Paid = due - row.Charged
		row.Carried = c.Reserved
		row.Signature = o.signatures[r.signature-1]
		row.Hold = Hold{}
	case known:
		row.Reason, row.Hold = o.reasons[r.reason-1], r.hold
		if row.Reason == Undecided {
			row.Reserved += due
		}
	case c.Quiet && due > 0:
		row.Reason = c.Why
	case planned:
		row.Reason = TimeOver
	case due > 0:
		row.Reason = BelowCost
	}
	if row.Reason == TimeOver && c.Why != "" { // the claim paid nothing
		row.Reason = c.Why
	}
	switch {
	case row.Carried == 0:
		row.Hold, row.Reason = Hold{}, ""
	case row.Reason == "":
		row.Reason = Undecided // only the reserved amount is carried
	}
	return row, known, nil
}

// late returns the row of an owner with a late payment.
func late(asset terms.Asset, c Claim) (Row, error) {
	l := *c.Late
	gone := l.Paid + l.Charged
	if gone < l.Paid || gone > c.Reserved {
		return Row{}, fmt.Errorf("%d and %d were paid and charged of %d reserved", l.Paid, l.Charged, c.Reserved)
	}
	row := Row{
		Asset: asset, Owner: c.Owner, Balance: c.Balance, Held: c.Held, Before: c.Before, Share: c.Share, Owed: c.Owed,
		Paid: l.Paid, Received: l.Received, Charged: l.Charged, Signature: l.Signature,
		Carried: c.Owed + c.Share - gone, Reserved: c.Reserved - gone,
	}
	switch {
	case row.Carried > row.Reserved:
		row.Reason, row.Hold = Settling, c.Hold
	case row.Carried > 0:
		row.Reason, row.Hold = Undecided, c.Hold
	}
	return row, nil
}
