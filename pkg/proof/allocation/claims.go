package allocation

import (
	"bytes"
	"fmt"
	"iter"

	"github.com/gagliardetto/solana-go"
)

// Holding is an owner's balance at the snapshot, in base units of the token.
type Holding struct {
	Owner   solana.PublicKey
	Balance uint64
	// Before is the balance in the previous snapshot; see Terms.Held.
	Before uint64
}

// Hold is a fingerprint of an account that could not be paid. The owner is not paid until the
// fingerprint changes. A zero Hold holds no payment back.
type Hold [8]byte

// Owing is an owner's outstanding amount from earlier runs.
type AmountsOwed struct {
	Owner  solana.PublicKey
	Amount uint64
	// Reserved is the part of Amount that an undecided payment may have paid. Reserved is not
	// paid again.
	Reserved uint64
	Hold     Hold
	// Total is the amount received so far, see Row.
	Total uint64
	// Reason is the reason why Amount is outstanding.
	Reason Reason
}

// Claim is an owner's entitlement in a leg: a row before the payment.
type Claim struct {
	Row     uint32 // the row's index in the leg, from 0
	Owner   solana.PublicKey
	Balance uint64 // at the snapshot, if the balance counts; otherwise zero
	// Held reports that the lesser of Balance and Before counts. Before is the balance in the
	// previous snapshot; zero if Balance is zero.
	Held   bool
	Before uint64
	Share  uint64 // of this run
	Owed   uint64 // from earlier runs, Reserved included
	// Reserved has the meaning of Owing.Reserved.
	Reserved uint64
	Hold     Hold
	// Total has the meaning of Owing.Total.
	Total uint64
	// Late is a landed payment of an earlier run that was undecided before; nil without such
	// a payment. The row shows the late payment. The rest waits for the next run, because a
	// row has only one signature.
	Late *Late
	// Fee is deducted from the payment to cover the transaction. Only claims have a fee.
	Fee uint64
	// Quiet reports that the owner is not paid in a claim, because the owner did not request
	// the claim. Why is the reason of the owner's previous row, which stays.
	Quiet bool
	Why   Reason
}

// Late is a landed payment that was undecided before. Paid and Charged were reserved.
type Late struct {
	Paid, Received, Charged uint64
	Signature               solana.Signature
}

// Due returns the amount that may be paid now.
func (c Claim) Due() uint64 {
	if c.Late != nil {
		return 0
	}
	return c.Owed - c.Reserved + c.Share
}

// Terms are the rules for dividing a leg.
type Terms struct {
	// Total is the amount for all holders, in base units of the asset; zero in a leg that
	// only pays outstanding amounts.
	Total uint64
	// Eligible is the sum of all weights that count: see Sum.
	Eligible uint64
	// Minimum is the minimum weight that counts, in base units of the token. If Minimum is
	// zero, every nonzero weight counts.
	Minimum uint64
	// Held reports that an owner's weight is the lesser of the balances in this snapshot and in
	// the previous snapshot. Otherwise the weight is the balance in this snapshot.
	Held bool
	// Asked reports whether an owner requested the claim, and Fee is the fee of a claim's
	// payment. Asked is nil in a distribution. A claim has a row for every owner who was ever
	// paid, so that Row.Total has no gap.
	Asked func(owner solana.PublicKey) bool
	Fee   uint64
}

// Weight returns the weight of an owner's balances in this snapshot and in the previous snapshot.
func (t Terms) Weight(balance, before uint64) uint64 {
	if t.Held {
		return min(balance, before)
	}
	return balance
}

// Counts reports whether a weight has a share.
func (t Terms) Counts(weight uint64) bool { return weight > 0 && weight >= t.Minimum }

// Share returns the part of Total for a weight that counts, rounded down.
func (t Terms) Share(weight uint64) (uint64, error) {
	if weight > t.Eligible || t.Eligible == 0 {
		return 0, fmt.Errorf("a balance of %d is more than all together, %d", weight, t.Eligible)
	}
	share, _ := divide(t.Total, weight, t.Eligible)
	return share, nil
}

// Sum adds up the balances of the owners whose weight counts, and of the remaining owners.
func (t Terms) Sum(holdings iter.Seq2[Holding, error]) (counting, others Balances, err error) {
	for h, err := range holdings {
		if err != nil {
			return Balances{}, Balances{}, err
		}
		into, weight := &others, t.Weight(h.Balance, h.Before)
		if t.Counts(weight) {
			into = &counting
			into.Weight += weight // at most the sum of the balances
		}
		into.Owners++
		if into.Sum, err = add(into.Sum, h.Balance); err != nil {
			return Balances{}, Balances{}, fmt.Errorf("add the balances: %w", err)
		}
	}
	return counting, others, nil
}

// Balances is a sum over owners. Weight is the sum of the weights that count.
type Balances struct {
	Owners      uint32
	Sum, Weight uint64
}

// Claims joins the holders with the outstanding amounts. Both streams are in the order of the
// owners' bytes, with each owner once, and so are the claims. An owner whose weight does not count
// has a claim only with an outstanding amount. Claims ends with an error if a stream does, if a
// stream is out of order, or if the sum of the weights is not t.Eligible.
func (t Terms) Claims(holdings iter.Seq2[Holding, error], owed iter.Seq2[AmountsOwed, error]) iter.Seq2[Claim, error] {
	return func(yield func(Claim, error) bool) {
		var eligible uint64
		var rows uint32
		for pair, err := range join(holdings, owed) {
			if err != nil {
				yield(Claim{}, err)
				return
			}
			claim, err := t.claim(pair)
			if err == nil {
				eligible, err = add(eligible, t.Weight(claim.Balance, claim.Before))
			}
			if err != nil {
				yield(Claim{}, fmt.Errorf("allocate to %s: %w", pair.owner, err))
				return
			}
			if claim.Balance == 0 && claim.Owed == 0 && (t.Asked == nil || claim.Total == 0) {
				continue
			}
			claim.Row = rows
			rows++
			if !yield(claim, nil) {
				return
			}
		}
		if eligible != t.Eligible {
			yield(Claim{}, fmt.Errorf("the balances add up to %d, and the shares were to be of %d", eligible, t.Eligible))
		}
	}
}

func (t Terms) claim(p pair) (Claim, error) {
	c := Claim{Owner: p.owner, Held: t.Held, Owed: p.owing.Amount, Reserved: p.owing.Reserved, Hold: p.owing.Hold, Total: p.owing.Total}
	if c.Reserved > c.Owed {
		return Claim{}, fmt.Errorf("%d are reserved of %d", c.Reserved, c.Owed)
	}
	if weight := t.Weight(p.balance, p.before); t.Counts(weight) {
		var err error
		if c.Share, err = t.Share(weight); err != nil {
			return Claim{}, err
		}
		c.Balance = p.balance
		if t.Held {
			c.Before = p.before
		}
	}
	if t.Asked != nil {
		c.Why, c.Quiet, c.Fee = p.owing.Reason, !t.Asked(c.Owner), t.Fee
		if c.Why == Undecided && c.Reserved == 0 { // decided by now: the payment was lost
			c.Why = TimeOver
		}
	}
	_, err := add(c.Owed, c.Share)
	return c, err
}

// pair is the entries of both streams for an owner.
type pair struct {
	owner           solana.PublicKey
	balance, before uint64
	owing           AmountsOwed
}

// join merges the streams by owner.
func join(holdings iter.Seq2[Holding, error], owed iter.Seq2[AmountsOwed, error]) iter.Seq2[pair, error] {
	return func(yield func(pair, error) bool) {
		next, stop := iter.Pull2(inOrder("owed", owed, func(o AmountsOwed) solana.PublicKey { return o.Owner }))
		defer stop()
		owing, err, more := next()
		// before yields the outstanding amounts before the given owner, or all if owner is nil.
		before := func(owner *solana.PublicKey) bool {
			for more && err == nil && (owner == nil || bytes.Compare(owing.Owner[:], owner[:]) < 0) {
				if !yield(pair{owner: owing.Owner, owing: owing}, nil) {
					return false
				}
				owing, err, more = next()
			}
			if more && err != nil {
				yield(pair{}, err)
				return false
			}
			return true
		}
		for h, holdingErr := range inOrder("holders", holdings, func(h Holding) solana.PublicKey { return h.Owner }) {
			if holdingErr != nil {
				yield(pair{}, holdingErr)
				return
			}
			if !before(&h.Owner) {
				return
			}
			p := pair{owner: h.Owner, balance: h.Balance, before: h.Before}
			if more && owing.Owner == h.Owner {
				p.owing = owing
				owing, err, more = next()
			}
			if !yield(p, nil) {
				return
			}
		}
		before(nil)
	}
}

// inOrder forwards a stream, and ends with an error if the owners do not ascend.
func inOrder[T any](what string, stream iter.Seq2[T, error], owner func(T) solana.PublicKey) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var last solana.PublicKey
		first := true
		for v, err := range stream {
			at := owner(v)
			if err == nil && !first && bytes.Compare(at[:], last[:]) <= 0 {
				err = fmt.Errorf("the list of %s is not in order: %s comes after %s", what, at, last)
			}
			if !yield(v, err) || err != nil {
				return
			}
			first, last = false, at
		}
	}
}
