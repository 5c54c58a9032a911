package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/token/terms"
)

// MaxTransactions is the maximum number of walked transactions of an account between two anchors.
// Third parties can cause more transactions, and no reader should have to wait for more.
const MaxTransactions = 2_000_000

// walked is the histories of the wallet and the wallet's accounts, after the cut of the previous
// proof and up to the cut of this proof.
type walked struct {
	// transactions are the transactions up to the cut, in an order in which every transaction
	// begins with the balances that the previous transaction left.
	transactions []chain.Transaction
	// opening is the balances at the previous cut, as far as a transaction shows the balances.
	// closing is the balances at the cut of this proof.
	opening, closing map[terms.Asset]*uint64
	// anchors are the memos of proofs between the previous anchor and this anchor, without both
	// anchors.
	anchors []anchored
}

// anchored is a memo of a proof with the memo's transaction.
type anchored struct {
	solana.Signature
	format.Memo
}

// walk reads the histories. It returns chain.ErrHistoryIncomplete if the previous proof is not at hand.
func (v *verifier) walk(ctx context.Context, node chain.Node) (walked, error) {
	m, a := v.m, v.report.Anchor
	span := chain.Span{Newest: a.Signature, By: v.anchoredBy(), Most: MaxTransactions}
	fresh := len(m.WalletsBefore) > 0 // the wallet begins with the rotation
	if m.Previous != "" && !fresh {
		if v.previous == nil || v.previousAnchor.IsZero() {
			return walked{}, fmt.Errorf("%w: the proof before is not at hand", chain.ErrHistoryIncomplete)
		}
		span.After, span.Seen = v.previous.Cut, v.previousAnchor
	}
	accounts, err := m.Accounts()
	if err != nil {
		return walked{}, err
	}
	state := chain.State{Owner: m.Wallet.PublicKey(), Tokens: map[solana.PublicKey]*uint64{}}
	lists := make([][]chain.Listed, 0, len(accounts)+1)
	for i, of := range append([]format.Account{{Asset: terms.SOL, Address: m.Wallet.PublicKey()}}, accounts...) {
		within := span
		had := new(uint64) // at the previous cut; zero before the first proof
		if v.previous != nil && !fresh {
			if s, known := v.previous.Statement(of.Asset); known {
				*had = uint64(s.Closing)
			} else {
				within.Seen = solana.Signature{} // the previous anchor need not name the account
				had = nil
			}
		}
		if i == 0 {
			state.Lamports = had
		} else {
			state.Tokens[of.Address] = had
		}
		list, err := chain.History(ctx, node, of.Address, within)
		if err != nil {
			return walked{}, err
		}
		lists = append(lists, list)
	}
	list := chain.Merge(lists...)
	if len(list) == 0 || list[len(list)-1].Signature != a.Signature {
		// Other transactions of the anchor's slot may have been listed after the anchor.
		list = slices.DeleteFunc(list, func(l chain.Listed) bool { return l.Signature == a.Signature })
		anchor, err := chain.Landing(ctx, node, a.Signature, m.Cut, v.anchoredBy())
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
			into[of.Asset] = state.Tokens[of.Address]
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
		for _, of := range accounts { // a balance that a transaction is the first to show was there before
			if _, named := t.Lamports(of.Address); named && t.ShowsTokens() && first.Tokens[of.Address] == nil {
				before := t.TokensOf(of.Address, state.Owner, false)
				w.opening[of.Asset], state.Tokens[of.Address] = &before, &before
			}
		}
		if err := state.After(t); err != nil {
			return walked{}, fmt.Errorf("the balances are not an unbroken chain: %w", err)
		}
		if !closed {
			w.transactions = append(w.transactions, t)
		}
		if memo, ok := memoOf(t, m.Wallet.PublicKey()); ok && t.Signature != a.Signature && t.Signature != v.previousAnchor {
			w.anchors = append(w.anchors, anchored{t.Signature, memo})
		}
	}
	return w, nil
}

// memoOf returns the memo of a proof in a transaction, if the transaction succeeded, the wallet
// pays the fee, and the memo is in the message itself.
func memoOf(t chain.Transaction, wallet solana.PublicKey) (format.Memo, bool) {
	if t.Failed != "" || t.Payer() != wallet {
		return format.Memo{}, false
	}
	for _, in := range t.Instructions {
		if in.Program != format.MemoProgram || in.Inner {
			continue
		}
		if m, err := format.ParseMemo(string(in.Data)); err == nil {
			return m, true
		}
	}
	return format.Memo{}, false
}

// lines is the sums of a walk, by asset and name.
type lines map[terms.Asset]map[format.Name]uint64

func (l lines) add(asset terms.Asset, name format.Name, amount uint64) error {
	if l[asset] == nil {
		l[asset] = map[format.Name]uint64{}
	}
	if sum := l[asset][name] + amount; sum >= amount {
		l[asset][name] = sum
		return nil
	}
	return fmt.Errorf("%s of %s exceed 64 bits", name, asset)
}

// errUnnamed is returned if the wallet signed a transaction that the proof does not name.
var errUnnamed = errors.New("the wallet signed it, and the proof does not name it")
