package allocation

import (
	"bytes"
	"fmt"
	"iter"

	"github.com/gagliardetto/solana-go"
)

// Holding is what an owner held at the snapshot, in base units of the token.
type Holding struct {
	Owner   solana.PublicKey
	Balance uint64
	// Before is the balance in the snapshot before; see Terms.Held.
	Before uint64
}

// Hold is a fingerprint of an account that could not be paid. Its owner is left
// out until the account changes. Zero means that nothing is held.
type Hold [8]byte

// Owing is what an owner is owed from before.
type Owing struct {
	Owner  solana.PublicKey
	Amount uint64
	// Reserved is the part of Amount that was sent, perhaps: it is not paid again.
	Reserved uint64
	Hold     Hold
	// Total is what has arrived so far, see Row.
	Total uint64
	// Reason is why it is owed.
	Reason Reason
}

// Claim is what an owner is to get of a leg: one line of its rows, before anything
// is paid.
type Claim struct {
	Row     uint32 // its number in the leg, from 0
	Owner   solana.PublicKey
	Balance uint64 // at the snapshot, when it counts; otherwise zero
	// Held says that the lesser of Balance and Before counted, and Before is the balance in the
	// snapshot before; zero where Balance is.
	Held   bool
	Before uint64
	Share  uint64 // of this run
	Owed   uint64 // from before, Reserved included
	// Reserved is as in Owing.
	Reserved uint64
	Hold     Hold
	// Total is as in Owing.
	Total uint64
	// Late is a payment of an earlier run that was undecided, and is known to have
	// landed; nil when there is none. The row shows that, so the rest waits for the next
	// run: a row has one signature.
	Late *Late
	// Fee is kept of what is paid, for the transaction: in claims alone.
	Fee uint64
	// Quiet says that the owner is not paid in a claim: another one asked. Why is the reason of
	// the row before, which stays.
	Quiet bool
	Why   Reason
}

// Late is an undecided payment that landed after all: Paid and Charged were reserved.
type Late struct {
	Paid, Received, Charged uint64
	Signature               solana.Signature
}

// Due is what may be paid now.
func (c Claim) Due() uint64 {
	if c.Late != nil {
		return 0
	}
	return c.Owed - c.Reserved + c.Share
}

// Terms say how a leg is shared out.
type Terms struct {
	// Total is what holders get together, in base units of the asset; zero in legs of
	// arrears.
	Total uint64
	// Eligible is the sum of all weights that count: see Sum.
	Eligible uint64
	// Minimum is the least weight that counts, in base units of the token. None means
	// that every weight counts but zero.
	Minimum uint64
	// Held says that an owner's weight is the lesser of their balances in this snapshot and in
	// the one before; otherwise it is that in this one.
	Held bool
	// Asked says, in a claim, whether an owner is paid, and Fee what is kept of that; nil in
	// a distribution. A claim has a row for each who was ever paid, so that Row.Total goes on.
	Asked func(owner solana.PublicKey) bool
	Fee   uint64
}

// Weight is what counts of an owner's balances in this snapshot and in the one before.
func (t Terms) Weight(balance, before uint64) uint64 {
	if t.Held {
		return min(balance, before)
	}
	return balance
}

// Counts says whether a weight has a share.
func (t Terms) Counts(weight uint64) bool { return weight > 0 && weight >= t.Minimum }

// Share is the part of the total for a weight that counts, rounded down.
func (t Terms) Share(weight uint64) (uint64, error) {
	if weight > t.Eligible || t.Eligible == 0 {
		return 0, fmt.Errorf("a balance of %d is more than all together, %d", weight, t.Eligible)
	}
	share, _ := divide(t.Total, weight, t.Eligible)
	return share, nil
}

// Sum adds up the balances of the owners who count by these terms, and of the others.
func (t Terms) Sum(holdings iter.Seq2[Holding, error]) (counting, others Balances, err error) {
	for h, err := range holdings {
		if err != nil {
			return Balances{}, Balances{}, err
		}
		into, weight := &others, t.Weight(h.Balance, h.Before)
		if t.Counts(weight) {
			into = &counting
			into.Weight += weight // no more than the balances
		}
		into.Owners++
		if into.Sum, err = add(into.Sum, h.Balance); err != nil {
			return Balances{}, Balances{}, fmt.Errorf("add the balances: %w", err)
		}
	}
	return counting, others, nil
}

// Balances is a sum over owners. Weight is that of those who count.
type Balances struct {
	Owners      uint32
	Sum, Weight uint64
}

// Claims joins the holders with those who are owed something. Both streams are in
// the order of the owners' bytes, each owner once; so are the claims. Those who
// neither count nor are owed anything have none. It ends with an error when a
// stream does, when the order is broken, or when the balances are not those that
// t.Eligible adds up.
func (t Terms) Claims(holdings iter.Seq2[Holding, error], owed iter.Seq2[Owing, error]) iter.Seq2[Claim, error] {
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
		if c.Why == Undecided && c.Reserved == 0 { // it is known since: the payment was lost
			c.Why = TimeOver
		}
	}
	_, err := add(c.Owed, c.Share)
	return c, err
}

// pair is what both streams say of an owner.
type pair struct {
	owner           solana.PublicKey
	balance, before uint64
	owing           Owing
}

// join merges the streams by owner.
func join(holdings iter.Seq2[Holding, error], owed iter.Seq2[Owing, error]) iter.Seq2[pair, error] {
	return func(yield func(pair, error) bool) {
		next, stop := iter.Pull2(inOrder("owed", owed, func(o Owing) solana.PublicKey { return o.Owner }))
		defer stop()
		owing, err, more := next()
		// before yields those who are owed and come before the owner; all when there is
		// none.
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

// inOrder passes a stream on while its owners ascend.
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
