package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/handover"
)

// checkWithdrawer checks that the anchor's signer may withdraw the token's tax, alone or as a member
// with a guardian and the creator, or that the wallet handed that authority over by an order. A proof
// of a run before the hand-over stays proven.
func (v *verifier) checkWithdrawer(ctx context.Context, node chain.Node) {
	a := v.report.Anchor
	detail := "the anchor's signer is who may withdraw the token's tax"
	withdrawer, err := node.Withdrawer(ctx, v.m.Mint.PublicKey())
	if err == nil && withdrawer != a.Wallet {
		var members []solana.PublicKey
		var found bool
		if members, err = guarded(ctx, node, v.m.Mint.PublicKey(), withdrawer, a.Wallet); members != nil {
			found = true
			detail = fmt.Sprintf("two of three together may withdraw the token's tax: the anchor's signer, the guardian %s and the creator %s", members[1], members[2])
		} else if err == nil {
			detail, found, err = v.handedOver(ctx, node)
		}
		if err == nil && !found {
			err = v.lags(ctx, node)
		}
		if err == nil && !found {
			err = fmt.Errorf("the tax of %s is %s's to withdraw, and %s signed the anchor", v.m.Mint, withdrawer, a.Wallet)
		}
	}
	v.report.proven("wallet on chain", err, "%s", detail)
}

// maxHandoverPages is the maximum number of pages of the wallet's history that the search for a
// hand-over reads.
const maxHandoverPages = MaxTransactions / chain.PageSize

// handedOver searches for the transaction that handed the authority over, and describes the
// transaction: in the history of the account of wallet, guardian and creator, if the token has a
// guardian, and otherwise in the wallet's history. It returns an error that names a hand-over which
// the wallet signed without the creator's order.
func (v *verifier) handedOver(ctx context.Context, node chain.Node) (detail string, found bool, err error) {
	wallet, mint := v.report.Anchor.Wallet, v.m.Mint.PublicKey()
	account, err := creation.MultisigAddress(v.m.Creator.PublicKey(), mint)
	if err != nil {
		return "", false, err
	}
	members, err := guarded(ctx, node, mint, account, wallet)
	if err != nil {
		return "", false, err
	}
	if members != nil {
		// Guardian and creator need no memo, so every transaction of the account is read.
		detail, found, err = v.search(ctx, node, account, []string{""}, func(t chain.Transaction, to solana.PublicKey) (string, error) {
			order, err := v.orderOf(t, to)
			if err != nil && !t.SignedBy(wallet) {
				return fmt.Sprintf("two of three together were who may withdraw the token's tax, until %s handed that over to %s, signed by the guardian %s and the creator %s",
					t.Signature, to, members[1], members[2]), nil
			}
			return fmt.Sprintf("two of three together were who may withdraw the token's tax, until %s handed that over to %s, by order %d of the %s",
				t.Signature, to, order.Number, order.By()), err
		})
		if err != nil || found {
			return detail, found, err
		}
	}
	return v.search(ctx, node, wallet, []string{handover.MemoMark, format.RotationMark}, func(t chain.Transaction, to solana.PublicKey) (string, error) {
		order, err := v.orderOf(t, to)
		if rotated, ok := v.movedOn(t, to); ok && errors.Is(err, errUnordered) {
			v.report.trust(checkRotation, rotated)
			return fmt.Sprintf("the anchor's signer was who may withdraw the token's tax, until %s", t.Signature), nil
		}
		return fmt.Sprintf("the anchor's signer was who may withdraw the token's tax, until %s handed that over to %s, by order %d of the %s",
			t.Signature, to, order.Number, order.By()), err
	})
}

// search returns the description of the newest transaction in an authority's history that hands the
// authority over. If the node reports memos, only transactions with one of the marks are read.
func (v *verifier) search(ctx context.Context, node chain.Node, authority solana.PublicKey, marks []string,
	describe func(t chain.Transaction, to solana.PublicKey) (string, error),
) (detail string, found bool, err error) {
	var before solana.Signature
	for range maxHandoverPages {
		page, err := node.Page(ctx, authority, before)
		if err != nil || len(page) == 0 {
			return "", false, err
		}
		tells := slices.ContainsFunc(page, func(l chain.Listed) bool { return l.Memo != "" })
		for _, l := range page {
			if tells && !slices.ContainsFunc(marks, func(mark string) bool { return strings.Contains(l.Memo, mark) }) {
				continue
			}
			t, err := node.Landing(ctx, l.Signature)
			if err != nil {
				return "", false, fmt.Errorf("%s: %w", l.Signature, err)
			}
			to, hands := v.hands(t, authority)
			if t.Failed != "" || !hands {
				continue
			}
			if detail, err = describe(t, to); err != nil {
				return "", true, fmt.Errorf("%s handed the tax of %s over to %s: %w", t.Signature, v.m.Mint, to, err)
			}
			return detail, true, nil
		}
		if len(page) < chain.PageSize {
			return "", false, nil
		}
		before = page[len(page)-1].Signature
	}
	return "", false, fmt.Errorf("%w: the history of %s is too long", chain.ErrUntold, authority)
}

// hands returns the new authority of a transaction that hands an authority over.
func (v *verifier) hands(t chain.Transaction, authority solana.PublicKey) (to solana.PublicKey, ok bool) {
	for _, in := range t.Instructions {
		if to, ok := handsOver(in, v.m.Mint.PublicKey(), authority); ok {
			return to, true
		}
	}
	return to, false
}

// handsOver reads the instruction that sets an authority over withheld tax to another address.
func handsOver(in chain.Instruction, mint, authority solana.PublicKey) (to solana.PublicKey, ok bool) {
	const length = 3 + len(to) // tag, type, option, key
	if in.Program != solana.Token2022ProgramID || len(in.Accounts) < 2 || in.Accounts[0] != mint || in.Accounts[1] != authority || len(in.Data) != length {
		return to, false
	}
	copy(to[:], in.Data[3:])
	data, err := token2022.SetAuthority{Account: mint, Current: authority, Type: token2022.AuthorityWithdrawWithheld, New: to}.Instruction().Data()
	return to, err == nil && slices.Equal(in.Data, data)
}

var (
	errUnordered = errors.New("no order is in the transaction")
	errOtherTo   = errors.New("the order names another address")
	errOperator  = errors.New("the operator ordered it, and it does not go to the creator")
)

// orderOf returns the order in the memo of a hand-over. The creator must have signed the order, or
// the authority must go to the creator.
func (v *verifier) orderOf(t chain.Transaction, to solana.PublicKey) (handover.Order, error) {
	var order handover.Order
	var ok bool
	for _, in := range t.Instructions {
		if in.Program != format.MemoProgram || in.Inner {
			continue
		}
		if order, ok = handover.ParseMemo(string(in.Data)); ok {
			break
		}
	}
	creator := v.m.Creator.PublicKey()
	switch {
	case !ok:
		return order, errUnordered
	case order.To != to:
		return order, errOtherTo
	case order.By() == handover.ByOperator && to != creator:
		return order, errOperator
	case order.By() == handover.ByOperator:
		return order, nil
	}
	return order, order.Verify(creator, v.m.Mint.PublicKey())
}
