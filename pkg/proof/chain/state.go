package chain

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gagliardetto/solana-go"
)

// State tracks the balances of accounts through transactions. The chain of balances is unbroken if
// every transaction begins with the balances that the previous transaction left.
type State struct {
	// Owner is the owner of the token accounts.
	Owner solana.PublicKey
	// Lamports is the owner's lamports; nil until a transaction shows the lamports.
	Lamports *uint64
	// Tokens is the balances of the owner's tracked token accounts; nil until a transaction shows
	// the balance.
	Tokens map[solana.PublicKey]*uint64
}

func (s State) fits(t Transaction) error {
	if c, ok := t.Lamports(s.Owner); ok && s.Lamports != nil && c.Before != *s.Lamports {
		return fmt.Errorf("it begins with %d lamports of %s, and there were %d", c.Before, s.Owner, *s.Lamports)
	}
	if !t.ShowsTokens() {
		return nil
	}
	for _, a := range t.Accounts {
		had := s.Tokens[a.Address]
		if had == nil {
			continue
		}
		if before := t.TokensOf(a.Address, s.Owner, false); before != *had {
			return fmt.Errorf("it begins with %d tokens in %s, and there were %d", before, a.Address, *had)
		}
	}
	return nil
}

// TokensOf returns the balance of the owner's account before or after the transaction; zero if the
// account did not exist or had another owner.
func (t Transaction) TokensOf(address, owner solana.PublicKey, after bool) (amount uint64) {
	for _, a := range t.Tokens {
		if a.Address != address {
			continue
		}
		if after && a.OwnerAfter == owner {
			amount += a.After
		}
		if !after && a.OwnerBefore == owner {
			amount += a.Before
		}
	}
	return amount
}

// After applies a transaction. It returns an error if the transaction does not begin with the
// tracked balances.
func (s *State) After(t Transaction) error {
	if err := s.fits(t); err != nil {
		return fmt.Errorf("%s: %w", t.Signature, err)
	}
	if c, ok := t.Lamports(s.Owner); ok {
		s.Lamports = &c.After
	}
	for address := range s.Tokens {
		if _, named := t.Lamports(address); named && t.ShowsTokens() {
			after := t.TokensOf(address, s.Owner, true)
			s.Tokens[address] = &after
		}
	}
	return nil
}

// orderSteps is the maximum number of steps in the search for the order within a slot.
const orderSteps = 10_000

// Order reorders the transactions of every slot so that a transaction begins with the balances that
// the previous transaction left. Nodes do not guarantee this order, and merged histories of several
// accounts do not have this order. Order stops at the first slot without a fitting order.
func (s State) Order(list []Transaction) {
	now := s.clone()
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && list[to].Slot == list[from].Slot {
			to++
		}
		steps := orderSteps
		ordered, ok := now.order(slices.Clone(list[from:to]), &steps)
		if !ok {
			return
		}
		copy(list[from:to], ordered)
		for _, t := range ordered {
			_ = now.After(t) // cannot fail: the order fits
		}
		from = to
	}
}

// order returns transactions of one slot in a fitting order; the listed order if the listed order
// fits.
func (s State) order(rest []Transaction, steps *int) ([]Transaction, bool) {
	if len(rest) == 0 {
		return nil, true
	}
	for i, t := range rest {
		if *steps--; *steps < 0 {
			return nil, false
		}
		next := s.clone()
		if next.After(t) != nil {
			continue
		}
		others := slices.Delete(slices.Clone(rest), i, i+1)
		if ordered, ok := next.order(others, steps); ok {
			return append([]Transaction{t}, ordered...), true
		}
	}
	return nil, false
}

func (s State) clone() State {
	s.Tokens = maps.Clone(s.Tokens)
	return s
}
