package proof

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// MostTransactions is how many transactions of an account between two anchors are walked
// at most: more than that a stranger may cause, and no reader should wait for it.
const MostTransactions = 2_000_000

// account is a token account of the wallet.
type account struct {
	asset   terms.Asset
	address solana.PublicKey
}

// accounts are the wallet's for the token and for what is paid, in the order of the
// statements.
func (m Manifest) accounts() ([]account, error) {
	list := []account{{terms.Asset(m.Mint), m.TokenAccount.key()}}
	for _, l := range m.Legs {
		asset, err := terms.ParseAsset(l.Asset)
		if err != nil {
			return nil, err
		}
		if asset.IsSOL() || asset == terms.Asset(m.Mint) {
			continue
		}
		program, err := parseKey(l.Program)
		if err != nil {
			return nil, err
		}
		address, err := token2022.AssociatedAddress(m.Wallet.key(), asset.Mint(), program)
		if err != nil {
			return nil, err
		}
		list = append(list, account{asset, address})
	}
	return list, nil
}

// AnchorAccounts are those that the anchor names beside: the wallet's token accounts and
// the mint, so that it stands in their histories, and the token programs, for mainnet
// shows balances of tokens only in transactions that name one.
func (m Manifest) AnchorAccounts() ([]solana.PublicKey, error) {
	accounts, err := m.accounts()
	if err != nil {
		return nil, err
	}
	list := []solana.PublicKey{m.Mint.key()}
	for _, a := range accounts {
		list = append(list, a.address)
	}
	return append(list, solana.TokenProgramID, solana.Token2022ProgramID), nil
}

// statement gives that of an asset; ok is false when there is none.
func (m Manifest) statement(asset terms.Asset) (s Statement, ok bool) {
	i := slices.IndexFunc(m.Statements, func(s Statement) bool { return s.Asset == asset.String() })
	if i < 0 {
		return Statement{}, false
	}
	return m.Statements[i], true
}

// walked is what the histories of the wallet and of its accounts show, after the cut of
// the proof before and up to this one's.
type walked struct {
	// transactions are those up to the cut, in an order in which each begins with what the
	// one before has left.
	transactions []chain.Transaction
	// opening are the balances at the cut before, as far as a transaction tells, and closing
	// those at this one's.
	opening, closing map[terms.Asset]*uint64
	// anchors are what the transactions with a memo of a proof say, between the anchor
	// before and this one, none of both.
	anchors []anchored
}

// anchored is a memo of a proof with the transaction that has it.
type anchored struct {
	solana.Signature
	Memo
}

// walk reads the histories. Where the proof before is not at hand, they cannot be.
func (v *verifier) walk(ctx context.Context, node chain.Node) (walked, error) {
	m, a := v.m, v.report.Anchor
	span := chain.Span{Newest: a.Signature, Most: MostTransactions}
	if m.Previous != "" {
		if v.previous == nil || v.previousAnchor.IsZero() {
			return walked{}, fmt.Errorf("%w: the proof before is not at hand", chain.ErrNotWalked)
		}
		span.After, span.Seen = v.previous.Cut, v.previousAnchor
	}
	accounts, err := m.accounts()
	if err != nil {
		return walked{}, err
	}
	state := chain.State{Owner: m.Wallet.key(), Tokens: map[solana.PublicKey]*uint64{}}
	lists := make([][]chain.Listed, 0, len(accounts)+1)
	for i, of := range append([]account{{terms.SOL, m.Wallet.key()}}, accounts...) {
		within := span
		had := new(uint64) // at the cut before; the first proof begins with nothing
		if v.previous != nil {
			if s, known := v.previous.statement(of.asset); known {
				*had = uint64(s.Closing)
			} else {
				within.Seen = solana.Signature{} // the anchor before need not name it
				had = nil
			}
		}
		if i == 0 {
			state.Lamports = had
		} else {
			state.Tokens[of.address] = had
		}
		list, err := chain.History(ctx, node, of.address, within)
		if err != nil {
			return walked{}, err
		}
		lists = append(lists, list)
	}
	list := chain.Merge(lists...)
	if len(list) == 0 || list[len(list)-1].Signature != a.Signature {
		// Others of the anchor's slot may have been listed after it.
		list = slices.DeleteFunc(list, func(l chain.Listed) bool { return l.Signature == a.Signature })
		anchor, err := node.Landing(ctx, a.Signature)
		if err != nil {
			return walked{}, err
		}
		list = append(list, chain.Listed{Signature: a.Signature, Slot: anchor.Slot})
	}
	transactions, err := chain.Read(ctx, node, list)
	if err != nil {
		return walked{}, err
	}
	state.Order(transactions)
	w := walked{opening: map[terms.Asset]*uint64{}, closing: map[terms.Asset]*uint64{}}
	note := func(into map[terms.Asset]*uint64) {
		into[terms.SOL] = state.Lamports
		for _, of := range accounts {
			into[of.asset] = state.Tokens[of.address]
		}
	}
	note(w.opening)
	closed := false
	for _, t := range transactions {
		if !closed && t.Slot > m.Cut {
			note(w.closing)
			closed = true
		}
		first := chain.State{Owner: state.Owner, Tokens: state.Tokens}
		for _, of := range accounts { // what a transaction is the first to tell was there before
			if _, named := t.Lamports(of.address); named && t.ShowsTokens() && first.Tokens[of.address] == nil {
				before := t.TokensOf(of.address, state.Owner, false)
				w.opening[of.asset], state.Tokens[of.address] = &before, &before
			}
		}
		if err := state.After(t); err != nil {
			return walked{}, fmt.Errorf("the balances are not an unbroken chain: %w", err)
		}
		if !closed {
			w.transactions = append(w.transactions, t)
		}
		if memo, ok := v.memoOf(t); ok && t.Signature != a.Signature && t.Signature != v.previousAnchor {
			w.anchors = append(w.anchors, anchored{t.Signature, memo})
		}
	}
	return w, nil
}

// memoOf gives the memo of a proof that a transaction has: it succeeded, the wallet pays
// for it, and the memo is in the message itself.
func (v *verifier) memoOf(t chain.Transaction) (Memo, bool) {
	if t.Failed != "" || t.Payer() != v.m.Wallet.key() {
		return Memo{}, false
	}
	for _, in := range t.Instructions {
		if in.Program != MemoProgram || in.Inner {
			continue
		}
		if m, err := ParseMemo(string(in.Data)); err == nil {
			return m, true
		}
	}
	return Memo{}, false
}

// lines are what a walk adds up to, by asset and name.
type lines map[terms.Asset]map[Name]uint64

func (l lines) add(asset terms.Asset, name Name, amount uint64) error {
	if l[asset] == nil {
		l[asset] = map[Name]uint64{}
	}
	if sum := l[asset][name] + amount; sum >= amount {
		l[asset][name] = sum
		return nil
	}
	return fmt.Errorf("%s of %s exceed 64 bits", name, asset)
}

// errUnnamed appears when the wallet signed a transaction that the proof does not name.
var errUnnamed = errors.New("the wallet signed it, and the proof does not name it")
