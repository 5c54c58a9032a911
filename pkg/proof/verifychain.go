package proof

import (
	"context"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// chain checks the proof against what landed.
func (v *verifier) chain(ctx context.Context, node chain.Node) {
	a := v.report.Anchor
	withdrawer, err := node.Withdrawer(ctx, v.m.Mint.key())
	if err == nil && withdrawer != a.Wallet {
		err = fmt.Errorf("the tax of %s is %s's to withdraw, and %s signed the anchor", v.m.Mint, withdrawer, a.Wallet)
	}
	v.report.note("wallet on chain", err, "the anchor's signer is who may withdraw the token's tax")
	landed, err := landing(ctx, node, a.Signature, 0)
	v.report.note("anchor on chain", err, "%s landed at slot %d", a.Signature, landed.Slot)
	paid, err := v.payments(ctx)
	if err != nil {
		v.report.note("transactions on chain", fmt.Errorf("the rows cannot be read: %w", err), "")
		return
	}
	err = v.landings(ctx, node, paid)
	v.report.note("transactions on chain", err, "all %d landed, and moved what the rows say, to the unit", v.m.Transactions.Lines)
}

// landing reads a transaction that must have succeeded, at a slot unless that is
// zero.
func landing(ctx context.Context, node chain.Node, signature solana.Signature, slot uint64) (chain.Transaction, error) {
	l, err := node.Landing(ctx, signature)
	switch {
	case err != nil:
		return chain.Transaction{}, fmt.Errorf("%s: %w", signature, err)
	case l.Failed != "":
		return chain.Transaction{}, fmt.Errorf("%s failed: %s", signature, l.Failed)
	case slot != 0 && l.Slot != slot:
		return chain.Transaction{}, fmt.Errorf("%s landed at slot %d, not %d", signature, l.Slot, slot)
	}
	return l, nil
}

// payment is what a row says that a transaction moved.
type payment struct {
	to             chain.Holder
	paid, received uint64
}

// payments gathers the rows by the transaction that paid them.
func (v *verifier) payments(ctx context.Context) (map[solana.Signature][]payment, error) {
	by := map[solana.Signature][]payment{}
	for row, err := range walk(ctx, v.source, v.m.Rows, rowHeader, 0, ParseRow) {
		if err != nil {
			return nil, err
		}
		if row.Paid > 0 {
			by[row.Signature] = append(by[row.Signature], payment{chain.Holder{row.Owner, row.Asset}, row.Paid, row.Received})
		}
	}
	for _, l := range v.m.Legs {
		if l.Creator.Paid == 0 {
			continue
		}
		a, err := terms.ParseAsset(l.Asset)
		if err != nil {
			return nil, err
		}
		s := solana.Signature(l.Creator.Signature)
		to := chain.Holder{v.m.Settings.DeveloperWallet.key(), a}
		by[s] = append(by[s], payment{to, uint64(l.Creator.Paid), uint64(l.Creator.Received)})
	}
	return by, nil
}

// landings holds each transaction against what it was for.
func (v *verifier) landings(ctx context.Context, node chain.Node, paid map[solana.Signature][]payment) error {
	own := chain.Holder{v.m.Wallet.key(), terms.Asset(v.m.Mint)}
	var collected, burned, sold uint64
	var named Receipts
	made := map[solana.PublicKey]bool{}
	for t, err := range walk(ctx, v.source, v.m.Transactions, transactionHeader, 0, ParseTransaction) {
		if err != nil {
			return err
		}
		l, err := landing(ctx, node, t.Signature, t.Slot)
		if err != nil {
			return fmt.Errorf("%s: %w", t.Purpose, err)
		}
		moved, err := readReceipts(v.m.Wallet.key(), t.Purpose, l.Instructions)
		if err == nil && made[moved.made] {
			err = fmt.Errorf("the receipt %s was made before", moved.made)
		}
		if err != nil {
			return fmt.Errorf("%s: %s: %w", t.Purpose, t.Signature, err)
		}
		if t.Purpose.hasReceipt() {
			made[moved.made] = true
		}
		named.Lent += Amount(moved.lent)
		named.Returned += Amount(moved.returned)
		switch t.Purpose {
		case Setup:
		case Anchoring, Void, Return:
			if sol := l.Change(chain.Holder{v.m.Wallet.key(), terms.SOL}); sol.After+l.FeeLamports+moved.lent != sol.Before+moved.returned {
				return fmt.Errorf("%s: %s: the wallet went from %d to %d lamports, with a fee of %d, %d lent and %d returned",
					t.Purpose, t.Signature, sol.Before, sol.After, l.FeeLamports, moved.lent, moved.returned)
			}
		case Collect:
			collected += l.Change(own).Gain()
		case Burn:
			burned += burnedIn(l, v.m.Mint.key())
		case Exchange, Fuel:
			sold += l.Change(own).Loss()
		case Creator, Pay:
			if err := v.moved(l, moved.lent, paid[t.Signature]); err != nil {
				return fmt.Errorf("%s: %w", t.Signature, err)
			}
		}
	}
	var r rules
	for _, s := range v.m.Statements {
		if s.Asset == v.m.Mint.String() {
			// What runs that came to no proof collected is in the statement too.
			r.hold(collected <= s.Of(Collected), "%d were collected on the chain, and %d are stated", collected, s.Of(Collected))
		}
	}
	r.hold(named == v.m.Receipts, "%d lamports were lent to receipts on the chain and %d returned, and %d and %d are stated",
		named.Lent, named.Returned, v.m.Receipts.Lent, v.m.Receipts.Returned)
	stated := uint64(v.m.Exchange.Sold + v.m.Exchange.FuelSold)
	r.hold(burned == uint64(v.m.Split.Burned), "%d were burned on the chain, and %d are stated", burned, v.m.Split.Burned)
	r.hold(sold == stated, "%d were sold on the chain, and %d are stated", sold, stated)
	return r.err()
}

// moved says whether a transaction paid what the rows say, and nobody else; lent went
// to its receipt.
func (v *verifier) moved(l chain.Transaction, lent uint64, payments []payment) error {
	left := map[terms.Asset]uint64{}
	for _, p := range payments {
		if got := l.Change(p.to).Gain(); got != p.received {
			return fmt.Errorf("%s received %d of %s, and the row says %d", p.to.Owner, got, p.to.Asset, p.received)
		}
		left[p.to.Asset] += p.paid
	}
	for a, paid := range left {
		if a.IsSOL() {
			paid += l.FeeLamports + lent
		}
		if got := l.Change(chain.Holder{v.m.Wallet.key(), a}).Loss(); got != paid {
			return fmt.Errorf("%d of %s left the wallet, and the rows say %d", got, a, paid)
		}
	}
	return nil
}

// burnedIn gives what a transaction burned of a mint.
func burnedIn(t chain.Transaction, mint solana.PublicKey) (burned uint64) {
	for _, in := range t.Instructions {
		if !token2022.IsProgram(in.Program) {
			continue
		}
		if m, ok, err := token2022.ReadMovement(in.Accounts, in.Data); err == nil && ok && m.Kind.Burns() && m.Mint == mint {
			burned += m.Amount
		}
	}
	return burned
}
