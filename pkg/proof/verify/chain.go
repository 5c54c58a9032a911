package verify

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// payment is a transfer that a row attributes to a transaction.
type payment struct {
	to             chain.Holder
	paid, received uint64
	// charged reports that the payee bore the rent of an account.
	charged bool
}

// claimed reports whether a row may be charged for the transactions of a claim: a claim of this
// run, or an earlier claim whose payment was undecided.
func (v *verifier) claimed(r allocation.Row) bool {
	return (v.m.Kind == format.Claim || v.late[r.Signature] > 0) && claimFee(r)
}

// payments returns the rows' payments by transaction, and the reserved amounts.
func (v *verifier) payments(ctx context.Context) (map[solana.Signature][]payment, map[chain.Holder]uint64, error) {
	by, reserved := map[solana.Signature][]payment{}, map[chain.Holder]uint64{}
	for row, err := range v.m.AllRows(ctx, v.source) {
		if err != nil {
			return nil, nil, err
		}
		to := chain.Holder{Owner: row.Owner, Asset: row.Asset}
		if row.Reserved > 0 {
			reserved[to] += row.Reserved
		}
		if row.Paid > 0 {
			by[row.Signature] = append(by[row.Signature], payment{to, row.Paid, row.Received, row.Charged > 0 && !v.claimed(row)})
		}
	}
	for _, l := range v.m.Legs {
		a, err := terms.ParseAsset(l.Asset)
		if err != nil {
			return nil, nil, err
		}
		for _, c := range l.Creators {
			to := chain.Holder{Owner: c.Wallet.PublicKey(), Asset: a}
			if c.Reserved > 0 {
				reserved[to] += uint64(c.Reserved)
			}
			if c.Paid > 0 {
				s := solana.Signature(c.Signature)
				by[s] = append(by[s], payment{to, uint64(c.Paid), uint64(c.Received), false})
			}
		}
	}
	return by, reserved, nil
}

// checkChain checks the proof against the chain.
func (v *verifier) checkChain(ctx context.Context, node chain.Node) {
	a := v.report.Anchor
	v.checkWithdrawer(ctx, node)
	anchor, err := landing(ctx, node, a.Signature, v.m.Cut, v.anchoredBy())
	if err == nil && anchor.Slot <= v.m.Cut {
		err = fmt.Errorf("%s landed at slot %d, and the books are closed at slot %d", a.Signature, anchor.Slot, v.m.Cut)
	}
	v.report.proven("anchor on chain", err, "%s landed at slot %d", a.Signature, anchor.Slot)
	j, err := v.judge(ctx)
	if err != nil {
		v.report.proven(checkActs, err, "")
		return
	}
	w, err := v.walk(ctx, node)
	if unchecked(err) {
		v.report.proven(checkHistory, err, "")
		err = v.judgeNamed(ctx, node, j, nil)
		v.noteActs(j, err, "all %d landed, and did what the proof says, to the unit")
		return
	}
	if !v.report.proven(checkHistory, err, "the wallet and its %d token accounts did %d transactions since the proof before: none is left out, for each begins with what the one before has left",
		len(j.custody.own), len(w.transactions)) {
		return
	}
	undecided, err := v.judgeHistory(ctx, node, j, w)
	v.noteActs(j, err, "all %d that the wallet signed are named, and each did what its purpose needs and nothing else, to the unit")
	if err == nil {
		err = j.checkBooks(w, undecided)
	}
	v.report.proven("books on chain", err, "every line of the %d statements equals the sum of the chain's own balances", len(v.m.Statements))
	if err == nil {
		for _, s := range undecided {
			v.report.trust(checkUndecided, fmt.Sprintf("%s is the wallet's, and the proof does not say what it was for", s))
		}
		for _, key := range slices.CompactFunc(j.direct, solana.PublicKey.Equals) {
			v.report.trust("market", fmt.Sprintf("tokens were sold to %s itself, and not on a market: the reader takes it for a market", key))
		}
	}
	v.checkMoved(ctx, node)
	v.report.proven("anchors", v.checkAnchors(w), "there is no other anchor since the proof before")
	v.checkLaterAnchors(ctx, node)
	v.checkHolders(ctx, node)
	v.checkLaunched(ctx)
}

// guarded returns the members of the authority over a token's tax: distribution wallet, guardian and
// creator, of whom two sign. It returns nil if the authority is not the account that the creator's
// launch creates for these members.
func guarded(ctx context.Context, node chain.Node, mint, authority, wallet solana.PublicKey) ([]solana.PublicKey, error) {
	reader, ok := node.(chain.MembersNode)
	if !ok || authority.IsZero() {
		return nil, nil
	}
	m, err := reader.Multisig(ctx, authority)
	switch {
	case errors.Is(err, token2022.ErrNotMultisig):
		return nil, nil
	case err != nil:
		return nil, err
	case m.Required != creation.MembersRequired, len(m.Members) != len(creation.Members(wallet, wallet, wallet)), m.Members[0] != wallet:
		return nil, nil
	}
	guardian, creator := m.Members[1], m.Members[2]
	address, err := creation.MultisigAddress(creator, mint)
	if err != nil || address != authority || guardian == wallet || creator == wallet || guardian == creator {
		return nil, err
	}
	return m.Members, nil
}

// checkActs is the name of the check that every transaction did what the transaction's purpose
// needs.
const checkActs = "transactions on chain"

// noteActs adds checkActs. If err is nil, and a program of a sale can only be on a later trust list,
// the verdict is TooNew.
func (v *verifier) noteActs(j *judge, err error, detail string) {
	if err != nil || len(j.unlisted) == 0 {
		v.report.proven(checkActs, err, detail, len(j.named))
		return
	}
	first := j.unlisted[0]
	v.report.tooNew(checkActs, "nothing is shown of what %d sales did with the wallet's signature: they hand it to programs that this verifier does not know, the first %s in %s. "+
		"The proof names list %d of trusted programs, and this verifier has list %d: update the verifier. If the newest verifier reports the same, the proof does not hold",
		len(j.unlisted), first.program, first.signature, v.m.TrustList, proof.TrustListVersion)
}

// anchorSlots is the number of slots after the cut by which the anchor has landed or was sent
// again: the lifetime of a blockhash.
const anchorSlots = 150

// anchoredBy returns a slot by which the anchor has landed.
func (v *verifier) anchoredBy() uint64 { return v.m.Cut + min(anchorSlots, math.MaxUint64-v.m.Cut) }

// lags returns an error if the node has not reached anchoredBy yet.
func (v *verifier) lags(ctx context.Context, node chain.Node) error {
	_, newest, err := node.Remembers(ctx)
	if err == nil && chain.Behind(newest, v.anchoredBy()) {
		err = fmt.Errorf("%w: it is at slot %d, and is to know slot %d", chain.ErrUntold, newest, v.anchoredBy())
	}
	return err
}

// landing reads a transaction that must have succeeded between two slots.
func landing(ctx context.Context, node chain.Node, signature solana.Signature, from, to uint64) (chain.Transaction, error) {
	t, err := chain.Landing(ctx, node, signature, from, to)
	if err == nil && t.Failed != "" {
		err = fmt.Errorf("it failed: %s", t.Failed)
	}
	if err != nil {
		return chain.Transaction{}, fmt.Errorf("%s: %w", signature, err)
	}
	return t, nil
}

// judgeHistory judges the transactions of the histories, and then the named transactions that
// landed before: late payments, undecided in an earlier proof. If the books state an unexplained
// amount, judgeHistory returns the unnamed transactions that the wallet signed.
func (v *verifier) judgeHistory(ctx context.Context, node chain.Node, j *judge, w walked) (undecided []solana.Signature, err error) {
	seen := map[solana.Signature]bool{}
	for _, t := range w.transactions {
		seen[t.Signature] = true
		err := j.judgeTransaction(t)
		if errors.Is(err, errUnnamed) && v.allowance() {
			undecided = append(undecided, t.Signature)
			err = j.judgeUnnamed(t)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Signature, err)
		}
	}
	return undecided, v.judgeNamed(ctx, node, j, seen)
}

// judgeNamed judges the named transactions that are not in seen.
func (v *verifier) judgeNamed(ctx context.Context, node chain.Node, j *judge, seen map[solana.Signature]bool) error {
	for t, err := range v.m.AllTransactions(ctx, v.source) {
		if err != nil {
			return err
		}
		if seen[t.Signature] || t.Purpose == format.Anchoring && len(v.m.WalletsBefore) > 0 { // see checkMoved
			continue
		}
		if seen != nil && (t.Purpose != format.Pay || v.previous == nil || t.Slot > v.previous.Cut) {
			return fmt.Errorf("%s: %s is in no history of the wallet, and is named", t.Purpose, t.Signature)
		}
		landed, err := landing(ctx, node, t.Signature, t.Slot, t.Slot)
		if err != nil {
			return fmt.Errorf("%s: %w", t.Purpose, err)
		}
		// The statements have a late payment twice: as an incoming adjustment, because the money
		// left before the opening, and under the purpose of the payment.
		if err := j.judgeTransaction(landed); err != nil {
			return fmt.Errorf("%s: %s: %w", t.Purpose, t.Signature, err)
		}
	}
	if j.receipts != v.m.Receipts {
		return fmt.Errorf("%d lamports were lent to receipts and %d returned, and %d and %d are stated",
			j.receipts.Lent, j.receipts.Returned, v.m.Receipts.Lent, v.m.Receipts.Returned)
	}
	return nil
}

// allowance reports whether the books state an unexplained amount.
func (v *verifier) allowance() bool {
	return slices.ContainsFunc(v.m.Statements, func(s format.Statement) bool { return unexplained(s) > 0 })
}

// unexplained returns the amount of a statement that no transaction explains.
func unexplained(s format.Statement) (amount uint64) {
	for _, e := range slices.Concat(s.In, s.Out) {
		if e.Name == format.Undecided || e.Name == format.Adjustment {
			amount += uint64(e.Amount)
		}
	}
	return amount
}

// checkBooks compares the computed lines with the statements.
func (j *judge) checkBooks(w walked, undecided []solana.Signature) error {
	var r rules
	for _, asset := range j.assets() {
		s, _ := j.m.Statement(asset)
		is := j.lines[asset]
		if opening := w.opening[asset]; opening != nil {
			if uint64(s.Opening) == 0 { // the wallet had the asset before the first proof about the asset
				is = merge(is, format.Deposits, *opening)
			} else {
				r.hold(*opening == uint64(s.Opening), "the statement of %s opens with %d, and there were %d", asset, s.Opening, *opening)
			}
		}
		closing := w.closing[asset]
		if closing == nil {
			closing = w.opening[asset]
		}
		r.hold(closing == nil && s.Closing == 0 || closing != nil && *closing == uint64(s.Closing),
			"the statement of %s closes with %d, and the chain does not", asset, s.Closing)
		for _, line := range []struct {
			chain  format.Name
			stated uint64
		}{
			{format.Collected, s.Of(format.Collected)},
			{format.Deposits, s.Of(format.Deposits)},
			{format.Proceeds, s.Of(format.Proceeds) + s.Of(format.FuelCame)},
			{format.ReceiptsReturned, s.Of(format.ReceiptsReturned)},
			{format.Burned, s.Of(format.Burned)},
			{format.Sold, s.Of(format.Sold) + s.Of(format.FuelSold)},
			{format.ToCreator, s.Of(format.ToCreator)},
			{format.ToHolders, s.Of(format.ToHolders)},
			{format.TaxOnSending, s.Of(format.TaxOnSending)},
			{format.Fees, s.Of(format.Fees)},
			{format.Rent, s.Of(format.Rent)},
			{format.ReceiptsLent, s.Of(format.ReceiptsLent)},
		} {
			off := max(line.stated, is[line.chain]) - min(line.stated, is[line.chain])
			r.hold(off == 0 || len(undecided) > 0 && off <= unexplained(s),
				"the statement of %s has %s %d, and the chain %d", asset, line.chain, line.stated, is[line.chain])
		}
	}
	return r.err()
}

func merge(names map[format.Name]uint64, name format.Name, amount uint64) map[format.Name]uint64 {
	with := map[format.Name]uint64{name: amount}
	for n, a := range names {
		with[n] += a
	}
	return with
}

// checkAnchors returns an error if the wallet has an anchor of another proof between the previous
// proof and this proof, or if the previous anchor contradicts this proof. An anchor that no node
// reported is sent again with the same memo. Both anchors may land, which is not an equivocation.
func (v *verifier) checkAnchors(w walked) error {
	told := []format.Memo{v.report.Anchor.Memo}
	if v.previous != nil && len(v.m.WalletsBefore) == 0 {
		i := slices.IndexFunc(w.transactions, func(t chain.Transaction) bool { return t.Signature == v.previousAnchor })
		if i < 0 {
			return fmt.Errorf("the anchor before, %s, is in no history of the wallet", v.previousAnchor)
		}
		memo, ok := memoOf(w.transactions[i], v.m.Wallet.PublicKey())
		if hash, err := v.m.PreviousHash(); !ok || err != nil || memo.Manifest != hash || memo.Number+1 != v.m.Number {
			return fmt.Errorf("the anchor before, %s, is of proof %d with the manifest %s", v.previousAnchor, memo.Number, memo.Manifest)
		}
		told = append(told, memo)
	}
	for _, other := range w.anchors {
		if !slices.Contains(told, other.Memo) {
			return fmt.Errorf("%s is another anchor since the proof before: two stories were told, or one was dropped", other.Signature)
		}
	}
	return nil
}
