package chain

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gagliardetto/solana-go"
)

// State follows the balances of accounts through their transactions. It is unbroken when
// each transaction begins with what the one before has left.
type State struct {
	// Owner is whose the token accounts are.
	Owner solana.PublicKey
	// Lamports are those of the owner. It is nil until a transaction tells.
	Lamports *uint64
	// Tokens are the balances of the owner's token accounts that are followed; nil until a
	// transaction tells.
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

// TokensOf gives what an account of the owner's had, after or before; zero when it was not
// there or another's.
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

// After follows a transaction. It fails when it does not begin with the state.
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

// orderSteps bounds the search for the order within a slot.
const orderSteps = 10_000

// Order puts the transactions of each slot into an order in which each begins with what
// the one before has left: nodes need not list them so, least of all those of several
// accounts. Where it finds none, they stay.
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
			_ = now.After(t) // it fits
		}
		from = to
	}
}

// order puts transactions of one slot into an order that fits; the listed one if it does.
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
