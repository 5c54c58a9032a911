package proof_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// sim is a chain of the tests' own: it moves balances as the programs do, tells of every
// transaction what a node tells, and can be made to lie.
type sim struct {
	lamports map[solana.PublicKey]uint64
	tokens   map[solana.PublicKey]*tokenState
	// supply is that of the mint.
	supply uint64
	landed []chain.Transaction
	// known has the places of what landed, and named those that name an address.
	known map[solana.Signature]int
	named map[solana.PublicKey][]int
	mutex sync.Mutex // over both
	// withdrawer is who may withdraw the mint's tax.
	withdrawer solana.PublicKey
	// members are those of the account that is the authority of a token with a guardian.
	members *members
	err     error
	// hidden are not told of, and bent are changed before they are told.
	hidden map[solana.Signature]bool
	bent   map[solana.Signature]func(*chain.Transaction)
	// memos reports that histories tell of memos, and forgotten are listed, and no more is known.
	memos     bool
	forgotten map[solana.Signature]bool
	// lie is how histories are told wrongly; empty for a node that does not lie.
	lie lie
	// first and newest are the slots between which the node knows what landed; newest is zero for
	// all.
	first, newest uint64
}

// lie is a way to tell a history wrongly.
type lie string

const (
	twice        lie = "twice"         // the newest transaction is listed twice
	reversed     lie = "reversed"      // the oldest first
	endless      lie = "endless"       // the newest page again and again
	nothingOlder lie = "nothing older" // no page after the newest transaction that is asked for
	// shuffled is none: transactions of one slot stand in another order.
	shuffled lie = "shuffled"
)

type tokenState struct {
	mint, owner solana.PublicKey
	amount      uint64
}

func newSim() *sim {
	return &sim{
		lamports: map[solana.PublicKey]uint64{creator: 1 << 50, stranger: 1 << 50}, tokens: map[solana.PublicKey]*tokenState{}, withdrawer: wallet,
		hidden: map[solana.Signature]bool{}, bent: map[solana.Signature]func(*chain.Transaction){},
	}
}

// tx is a transaction that is going to land.
type tx struct {
	id      solana.Signature
	slot    uint64
	signers []solana.PublicKey // the first pays
	does    []step
	failed  string
	// fee is the fee of each signature; zero for the usual.
	fee uint64
}

// step is an instruction and what it does to the balances. An inner one was invoked by the
// last that is not.
type step struct {
	in    solana.Instruction
	inner bool
	apply func(*sim)
	// touches are accounts that it names or changes.
	touches []solana.PublicKey
	// there makes an account that has been there before the transaction.
	there func(*sim)
}

const fee = 5000

// land lets a transaction land.
func (s *sim) land(t testing.TB, x tx) {
	t.Helper()
	var keys []solana.PublicKey
	name := func(list ...solana.PublicKey) {
		for _, key := range list {
			if !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	name(x.signers...)
	landed := chain.Transaction{Signature: x.id, Slot: x.slot, Failed: x.failed, FeeLamports: cmp.Or(x.fee, fee) * uint64(len(x.signers)), Signers: len(x.signers)}
	top := -1
	for _, one := range x.does {
		if one.there != nil {
			one.there(s)
		}
		name(one.touches...)
		if one.in == nil {
			continue
		}
		for _, meta := range one.in.Accounts() {
			name(meta.PublicKey)
		}
		name(one.in.ProgramID())
		if !one.inner {
			top++
		}
		told := instruction(t, one.in)
		told.Top, told.Inner = max(top, 0), one.inner
		landed.Instructions = append(landed.Instructions, told)
	}
	// As mainnet does: balances of tokens are told where a token program is named.
	tells := slices.ContainsFunc(keys, token2022.IsProgram)
	for _, key := range keys {
		landed.Accounts = append(landed.Accounts, chain.Account{Address: key, Before: s.lamports[key]})
		if a := s.tokens[key]; a != nil && tells {
			landed.Tokens = append(landed.Tokens, chain.TokenAccount{Address: key, Mint: a.mint, OwnerBefore: a.owner, Before: a.amount})
		}
	}
	for _, in := range landed.Instructions {
		m, ok, err := token2022.ReadMovement(in.Accounts, in.Data)
		switch {
		case !token2022.IsProgram(in.Program) || err != nil || !ok || m.Mint != mint || x.failed != "":
		case m.Kind.Burns():
			s.supply -= m.Amount
		case m.Kind == token2022.KindMintTo:
			s.supply += m.Amount
		}
	}
	s.lamports[x.signers[0]] -= landed.FeeLamports
	if x.failed == "" {
		for _, one := range x.does {
			if one.apply != nil {
				one.apply(s)
			}
		}
	}
	for i, a := range landed.Accounts {
		landed.Accounts[i].After = s.lamports[a.Address]
		state := s.tokens[a.Address]
		at := slices.IndexFunc(landed.Tokens, func(told chain.TokenAccount) bool { return told.Address == a.Address })
		if state == nil || !tells {
			continue
		}
		if at < 0 {
			at = len(landed.Tokens)
			landed.Tokens = append(landed.Tokens, chain.TokenAccount{Address: a.Address, Mint: state.mint})
		}
		landed.Tokens[at].OwnerAfter, landed.Tokens[at].After = state.owner, state.amount
	}
	s.landed = append(s.landed, landed)
}

// instruction returns one as a node tells it.
func instruction(t testing.TB, in solana.Instruction) chain.Instruction {
	t.Helper()
	data, err := in.Data()
	check(t, err)
	told := chain.Instruction{Program: in.ProgramID(), Data: data}
	for _, meta := range in.Accounts() {
		told.Accounts = append(told.Accounts, meta.PublicKey)
	}
	return told
}

// ata is an owner's account for a mint.
func ata(of solana.PublicKey, a terms.Asset) solana.PublicKey {
	return must(token2022.AssociatedAddress(of, a.Mint(), programOf(a)))
}

func programOf(a terms.Asset) solana.PublicKey {
	if a == terms.Asset(mint) {
		return solana.Token2022ProgramID
	}
	return solana.TokenProgramID
}

// give changes what a wallet has, of SOL or in their associated account.
func give(to solana.PublicKey, a terms.Asset, amount int64) step {
	if a.IsSOL() {
		return step{touches: []solana.PublicKey{to}, apply: func(s *sim) { s.lamports[to] += uint64(amount) }}
	}
	address := ata(to, a)
	there := func(s *sim) {
		if s.tokens[address] == nil {
			s.tokens[address] = &tokenState{mint: a.Mint(), owner: to}
			s.lamports[address] += accountRent
		}
	}
	return step{touches: []solana.PublicKey{address, programOf(a), a.Mint()}, there: there, apply: func(s *sim) {
		s.tokens[address].amount += uint64(amount)
	}}
}

// accountRent is that of a token account.
const accountRent = 2_039_280

// knows reports whether the node knows the slot.
func (s *sim) knows(slot uint64) bool { return s.first <= slot && slot <= s.top() }

// top is the newest slot that the node knows.
func (s *sim) top() uint64 { return cmp.Or(s.newest, math.MaxUint64) }

// Remembers is chain.Node's.
func (s *sim) Remembers(context.Context) (first, newest uint64, err error) {
	return s.first, s.top(), s.err
}

func (s *sim) get(id solana.Signature) (chain.Transaction, bool) {
	s.look()
	at, ok := s.known[id]
	if !ok || s.hidden[id] || !s.knows(s.landed[at].Slot) {
		return chain.Transaction{}, false
	}
	t := s.landed[at]
	t.Accounts, t.Tokens, t.Instructions = slices.Clone(t.Accounts), slices.Clone(t.Tokens), slices.Clone(t.Instructions)
	if bend := s.bent[id]; bend != nil {
		bend(&t)
	}
	return t, true
}

// look notes what landed since it looked last.
func (s *sim) look() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.known == nil {
		s.known, s.named = map[solana.Signature]int{}, map[solana.PublicKey][]int{}
	}
	for i := len(s.known); i < len(s.landed); i++ {
		s.known[s.landed[i].Signature] = i
		for _, a := range s.landed[i].Accounts {
			s.named[a.Address] = append(s.named[a.Address], i)
		}
	}
}

// Landing is chain.Node's.
func (s *sim) Landing(_ context.Context, id solana.Signature) (chain.Transaction, error) {
	t, ok := s.get(id)
	ok = ok && !s.forgotten[id]
	switch {
	case s.err != nil:
		return chain.Transaction{}, s.err
	case !ok:
		return chain.Transaction{}, chain.ErrNotLanded
	}
	return t, nil
}

// Page is chain.Node's.
func (s *sim) Page(_ context.Context, address solana.PublicKey, before solana.Signature) ([]chain.Listed, error) {
	s.look()
	var list []chain.Listed
	end, ok := len(s.landed), true
	if !before.IsZero() && s.lie != endless {
		if end, ok = s.known[before]; !ok {
			end = 0
		}
	}
	for _, at := range slices.Backward(s.named[address]) {
		t := s.landed[at]
		if at < end && !s.hidden[t.Signature] && s.knows(t.Slot) && len(list) < chain.PageSize {
			list = append(list, chain.Listed{Signature: t.Signature, Slot: t.Slot, Memo: s.memosOf(t)})
		}
		if len(list) == chain.PageSize {
			break
		}
	}
	switch {
	case s.lie == twice && len(list) > 0:
		list = slices.Insert(list, 0, list[0])
	case s.lie == reversed:
		slices.Reverse(list)
	case s.lie == nothingOlder:
		list = nil
	case s.lie == shuffled:
		slices.Reverse(list)
		slices.SortStableFunc(list, func(a, b chain.Listed) int { return cmp.Compare(b.Slot, a.Slot) })
	}
	return list, s.err
}

// memosOf returns the memos of a message as nodes list them.
func (s *sim) memosOf(t chain.Transaction) string {
	var list []string
	for _, in := range t.Instructions {
		if s.memos && in.Program == format.MemoProgram && !in.Inner {
			list = append(list, fmt.Sprintf("[%d] %s", len(in.Data), in.Data))
		}
	}
	return strings.Join(list, "; ")
}

// TokenAccountsOf is chain.Node's.
func (s *sim) TokenAccountsOf(_ context.Context, owner, mint solana.PublicKey) (list []solana.PublicKey, err error) {
	for address, state := range s.tokens {
		if state.owner == owner && state.mint == mint {
			list = append(list, address)
		}
	}
	return list, s.err
}

// Withdrawer is chain.Node's.
func (s *sim) Withdrawer(context.Context, solana.PublicKey) (solana.PublicKey, error) {
	return s.withdrawer, s.err
}

// Multisig is chain.MembersNode's.
func (s *sim) Multisig(_ context.Context, address solana.PublicKey) (token2022.Multisig, error) {
	switch {
	case s.err != nil:
		return token2022.Multisig{}, s.err
	case s.members == nil || s.members.account != address:
		return token2022.Multisig{}, token2022.ErrNotMultisig
	}
	return token2022.Multisig{Required: s.members.required, Members: s.members.list}, nil
}

// clone returns a chain that can be made to lie on its own.
func (s *sim) clone() *sim {
	c := newSim()
	c.landed, c.withdrawer, c.members = slices.Clone(s.landed), s.withdrawer, s.members
	return c
}
