package chain_test

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/chain"
)

// node invents histories: every page is the result of pages for the entry before it.
type node struct {
	pages func(before solana.Signature) []chain.Listed
	slot  uint64
}

func (n node) TokenAccountsOf(context.Context, solana.PublicKey, solana.PublicKey) ([]solana.PublicKey, error) {
	return nil, nil
}

func (n node) Page(_ context.Context, _ solana.PublicKey, before solana.Signature) ([]chain.Listed, error) {
	return n.pages(before), nil
}

func (n node) Landing(_ context.Context, s solana.Signature) (chain.Transaction, error) {
	return chain.Transaction{Signature: s, Slot: n.slot, Accounts: []chain.Account{{Address: solana.PublicKey{1}}}}, nil
}

func (n node) Withdrawer(context.Context, solana.PublicKey) (solana.PublicKey, error) {
	return solana.PublicKey{}, nil
}

func (n node) Remembers(context.Context) (first, newest uint64, err error) {
	return 0, n.slot, nil
}

func id(n uint64) (s solana.Signature) {
	binary.BigEndian.PutUint64(s[:], n)
	return s
}

// A node that invents transactions endlessly is left after as many as the reader bears.
func TestHistoryWithoutEndIsIncomplete(t *testing.T) {
	pages := 0
	invents := node{slot: 9, pages: func(before solana.Signature) (list []chain.Listed) {
		pages++
		from := binary.BigEndian.Uint64(before[:])
		for i := range uint64(chain.PageSize) {
			list = append(list, chain.Listed{Signature: id(from + 1 + i), Slot: 9})
		}
		return list
	}}
	span := chain.Span{Newest: id(1), Seen: solana.Signature{63: 1}, After: 5, Most: 2_500}
	if _, err := chain.History(t.Context(), invents, solana.PublicKey{1}, span); !errors.Is(err, chain.ErrHistoryIncomplete) || pages != 3 {
		t.Errorf("%d pages are read: %v", pages, err)
	}
}

// The slot up to which a history is walked can be reached without what is to be seen there.
func TestHistoryWithoutKnownTransactionIsIncomplete(t *testing.T) {
	tells := func(list ...chain.Listed) node {
		return node{slot: 9, pages: func(before solana.Signature) []chain.Listed {
			i := slices.IndexFunc(list, func(l chain.Listed) bool { return l.Signature == before })
			return list[i+1:]
		}}
	}
	span := chain.Span{Newest: id(1), Seen: id(3), After: 5, Most: 10}
	for name, n := range map[string]node{
		"nothing":          tells(),
		"the end too soon": tells(chain.Listed{Signature: id(2), Slot: 7}),
		"older ones alone": tells(chain.Listed{Signature: id(2), Slot: 7}, chain.Listed{Signature: id(4), Slot: 5}),
		"a later slot":     tells(chain.Listed{Signature: id(2), Slot: 10}, chain.Listed{Signature: id(3), Slot: 6}, chain.Listed{Signature: id(4), Slot: 5}),
	} {
		if list, err := chain.History(t.Context(), n, solana.PublicKey{1}, span); !errors.Is(err, chain.ErrHistoryIncomplete) {
			t.Errorf("%s: %v, %v", name, list, err)
		}
	}
	good := tells(chain.Listed{Signature: id(2), Slot: 7}, chain.Listed{Signature: id(3), Slot: 6}, chain.Listed{Signature: id(4), Slot: 5}, chain.Listed{Signature: id(5), Slot: 4})
	list, err := chain.History(t.Context(), good, solana.PublicKey{1}, span)
	if want := []chain.Listed{{Signature: id(3), Slot: 6}, {Signature: id(2), Slot: 7}, {Signature: id(1), Slot: 9}}; err != nil || !slices.Equal(list, want) {
		t.Errorf("%v, %v", list, err)
	}
}

// What a transaction did is read from the slot in which it is listed.
func TestTransactionOfAnotherSlotIsRejected(t *testing.T) {
	n := node{slot: 9}
	if _, err := chain.Read(t.Context(), n, []chain.Listed{{Signature: id(1), Slot: 9}, {Signature: id(2), Slot: 8}}); err == nil {
		t.Error("it is read")
	}
}

// Transactions of one slot are put into the order in which each begins with what the one
// before has left; where there is none, the break stays.
func TestOrderWithinSlotIsFound(t *testing.T) {
	owner, account := solana.PublicKey{1}, solana.PublicKey{2}
	step := func(n, before, after, tokensBefore, tokensAfter uint64) chain.Transaction {
		return chain.Transaction{
			Signature: id(n), Slot: 7, Signers: 1,
			Accounts: []chain.Account{{Address: owner, Before: before, After: after}, {Address: account}},
			Tokens:   []chain.TokenAccount{{Address: account, OwnerBefore: owner, OwnerAfter: owner, Before: tokensBefore, After: tokensAfter}},
		}
	}
	begin := func() chain.State {
		lamports, tokens := uint64(10), uint64(0)
		return chain.State{Owner: owner, Lamports: &lamports, Tokens: map[solana.PublicKey]*uint64{account: &tokens}}
	}
	// Lamports alone leave open which of the first two comes first.
	list := []chain.Transaction{step(3, 10, 9, 8, 3), step(1, 10, 10, 0, 5), step(2, 10, 10, 5, 8)}
	s := begin()
	s.Order(list)
	for i, one := range list {
		if err := s.After(one); err != nil || one.Signature != id(uint64(i)+1) {
			t.Errorf("%d: %s, %v", i, one.Signature, err)
		}
	}
	broken := []chain.Transaction{step(2, 10, 9, 5, 8), step(1, 10, 10, 0, 4)}
	s = begin()
	s.Order(broken)
	if s.After(broken[0]) == nil && s.After(broken[1]) == nil {
		t.Error("a break is not noticed")
	}
}

// A transaction that names no token program shows no tokens, and moves none.
func TestSilenceAboutTokensIsNoBreak(t *testing.T) {
	owner, account := solana.PublicKey{1}, solana.PublicKey{2}
	had := uint64(5)
	s := chain.State{Owner: owner, Tokens: map[solana.PublicKey]*uint64{account: &had}}
	silent := chain.Transaction{Accounts: []chain.Account{{Address: account}}}
	if err := s.After(silent); err != nil || *s.Tokens[account] != 5 {
		t.Errorf("%v, %d", err, *s.Tokens[account])
	}
	silent.Accounts = append(silent.Accounts, chain.Account{Address: solana.TokenProgramID})
	if err := s.After(silent); err == nil {
		t.Error("the account's tokens are gone, and it is no break")
	}
}

// without is a node at slot 1,000,000 that knows no transaction.
type without struct{ node }

func (without) Landing(context.Context, solana.Signature) (chain.Transaction, error) {
	return chain.Transaction{}, chain.ErrNotLanded
}

// A node that is behind says nothing of a slot within a day. A proof cannot name a slot beyond: the
// transaction has not landed.
func TestLandingOfSlotAhead(t *testing.T) {
	for slot, want := range map[uint64]error{
		1_000_000: chain.ErrNotLanded, 1_000_001: chain.ErrUntold, 1_432_000: chain.ErrUntold, 1_432_001: chain.ErrNotLanded, 1<<64 - 1: chain.ErrNotLanded,
	} {
		if _, err := chain.Landing(t.Context(), without{node{slot: 1_000_000}}, id(1), slot, slot); !errors.Is(err, want) {
			t.Errorf("Landing() at slot %d = %v, want %v", slot, err, want)
		}
	}
}
