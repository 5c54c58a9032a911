package verify

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof"
	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// MaxFeeLamports is the maximum fee of a transaction. The limit matters because a fee can be a tip
// to the sender: the leader of a slot receives half of the fee. The limit is the price of 1,400,000
// compute units at the highest price to which the service is ever set, 5,000,000 micro-lamports,
// and some signatures.
const MaxFeeLamports = 7_100_000

// judge adds up the effects of a proof's transactions by purpose.
type judge struct {
	m       format.Manifest
	custody custody
	named   map[solana.Signature]format.Transaction
	paid    map[solana.Signature][]payment
	// reserved are the amounts that may have been sent. adjusted reports that only the service's
	// word explains an outgoing amount.
	reserved map[chain.Holder]uint64
	adjusted bool
	lines    lines
	// made is the created receipts. A receipt must not be created twice.
	made     map[solana.PublicKey]bool
	receipts format.Receipts
	markets  []solana.PublicKey
	// direct are the counterparties to whom tokens were sold without a market's program.
	direct []solana.PublicKey
	// unlisted are the sales through programs that can only be on a later trust list.
	unlisted []unlistedSale
}

// unlistedSale is a sale through a program that can only be on a later trust list.
type unlistedSale struct {
	signature solana.Signature
	program   solana.PublicKey
}

func (v *verifier) judge(ctx context.Context) (*judge, error) {
	paid, reserved, err := v.payments(ctx)
	if err != nil {
		return nil, fmt.Errorf("the rows cannot be read: %w", err)
	}
	accounts, err := v.m.Accounts()
	if err != nil {
		return nil, err
	}
	j := &judge{m: v.m, markets: v.markets, named: map[solana.Signature]format.Transaction{}, paid: paid, reserved: reserved, lines: lines{}, made: map[solana.PublicKey]bool{}}
	j.adjusted = slices.ContainsFunc(v.m.Statements, func(s format.Statement) bool {
		return slices.ContainsFunc(s.Out, func(e format.Entry) bool { return e.Name == format.Adjustment })
	})
	j.custody = custody{wallet: v.m.Wallet.PublicKey(), mint: v.m.Mint.PublicKey(), tokens: v.m.TokenAccount.PublicKey(), newer: v.m.TrustList > proof.TrustListVersion}
	for _, a := range accounts {
		j.custody.own = append(j.custody.own, a.Address)
	}
	if j.custody.wrapped, err = token2022.AssociatedAddress(j.custody.wallet, solana.WrappedSol, solana.TokenProgramID); err != nil {
		return nil, err
	}
	for t, err := range v.m.AllTransactions(ctx, v.source) {
		if err != nil {
			return nil, err
		}
		j.named[t.Signature] = t
	}
	return j, nil
}

// judgeTransaction judges a transaction of the wallet's history, and adds the effects to the lines.
func (j *judge) judgeTransaction(t chain.Transaction) error {
	wallet := j.custody.wallet
	sol, _ := t.Lamports(wallet)
	signed := t.SignedBy(wallet)
	pays := t.Payer() == wallet
	if pays && t.FeeLamports > MaxFeeLamports {
		return fmt.Errorf("its fee is %d lamports, at most %d are one", t.FeeLamports, MaxFeeLamports)
	}
	for _, a := range t.Tokens {
		if slices.Contains(j.custody.own, a.Address) && a.OwnerBefore == wallet && a.OwnerAfter != wallet {
			return fmt.Errorf("the wallet's account %s is %s's after it, or closed", a.Address, a.OwnerAfter)
		}
	}
	named, ok := j.named[t.Signature]
	if t.Failed != "" {
		if ok {
			return fmt.Errorf("it is named for %s, and failed: %s", named.Purpose, t.Failed)
		}
		if !pays {
			return nil
		}
		if sol.Loss() != t.FeeLamports || sol.Gain() > 0 {
			return fmt.Errorf("it failed, and took %d lamports with a fee of %d", sol.Loss(), t.FeeLamports)
		}
		return j.lines.add(terms.SOL, format.Fees, t.FeeLamports)
	}
	switch {
	case !signed && ok:
		return fmt.Errorf("it is named for %s, and the wallet did not sign it", named.Purpose)
	case !signed:
		return j.noteDeposit(t)
	case !ok:
		return errUnnamed
	}
	if named.Slot != t.Slot {
		return fmt.Errorf("it landed at slot %d, not %d", t.Slot, named.Slot)
	}
	return j.judgePurpose(named.Purpose, t, pays)
}

// noteDeposit records the amounts that third parties sent.
func (j *judge) noteDeposit(t chain.Transaction) error {
	for _, asset := range j.assets() {
		c := j.change(t, asset)
		if c.Loss() > 0 {
			return fmt.Errorf("%d of %s left the wallet without its signature", c.Loss(), asset)
		}
		if err := j.lines.add(asset, format.Deposits, c.Gain()); err != nil {
			return err
		}
	}
	return nil
}

// assets returns the assets of the statements.
func (j *judge) assets() []terms.Asset {
	list := []terms.Asset{terms.SOL, terms.Asset(j.m.Mint)}
	for _, l := range j.m.Legs {
		if a, err := terms.ParseAsset(l.Asset); err == nil && !slices.Contains(list, a) {
			list = append(list, a)
		}
	}
	return list
}

// change returns the change of the wallet's lamports, or of the wallet's account of a token.
func (j *judge) change(t chain.Transaction, asset terms.Asset) (c chain.Change) {
	if asset.IsSOL() {
		c, _ = t.Lamports(j.custody.wallet)
		return c
	}
	for _, a := range t.Tokens {
		if a.Mint == asset.Mint() && slices.Contains(j.custody.own, a.Address) {
			c.Before += a.Before
			c.After += a.After
		}
	}
	return c
}

// judgePurpose judges a transaction of the wallet by the purpose that the proof states.
func (j *judge) judgePurpose(purpose format.Purpose, t chain.Transaction, pays bool) error {
	payees := map[solana.PublicKey]bool{}
	c := j.custody
	for _, p := range j.paid[t.Signature] {
		payees[p.to.Owner] = true
		c.inSOL = c.inSOL || p.to.Asset.IsSOL()
	}
	c.payees = func(key solana.PublicKey) bool { return payees[key] }
	e, err := c.effects(purpose, t)
	if err != nil {
		return err
	}
	if !pays {
		return errors.New("the wallet signed it, and does not pay for it")
	}
	if purpose.Pays() && t.Signers != 1 { // another signer could pass on the received amount in the same transaction
		return fmt.Errorf("%d sign it, and a payment is the wallet's alone", t.Signers)
	}
	if purpose.HasReceipt() {
		if j.made[e.made] {
			return fmt.Errorf("the receipt %s was made before", e.made)
		}
		j.made[e.made] = true
	}
	j.receipts.Lent += format.Amount(e.lent)
	j.receipts.Returned += format.Amount(e.returned)
	changes := map[terms.Asset]chain.Change{}
	for _, asset := range j.assets() {
		changes[asset] = j.change(t, asset)
	}
	sol := changes[terms.SOL]
	// The change of the wallet's lamports without the fee and the receipts.
	left := chain.Change{Before: sol.Before + e.returned, After: sol.After + t.FeeLamports + e.lent}
	err = errors.Join(
		j.lines.add(terms.SOL, format.Fees, t.FeeLamports), j.lines.add(terms.SOL, format.ReceiptsLent, e.lent),
		j.lines.add(terms.SOL, format.ReceiptsReturned, e.returned))
	if err != nil {
		return err
	}
	own := terms.Asset(j.m.Mint)
	still := func(except ...terms.Asset) error {
		for asset, change := range changes {
			if !asset.IsSOL() && !slices.Contains(except, asset) && change.Before != change.After {
				return fmt.Errorf("%s went from %d to %d, and a transaction of this purpose does not move it", asset, change.Before, change.After)
			}
		}
		return nil
	}
	switch purpose {
	case format.Setup, format.Collect:
		if left.Gain() > 0 || left.Loss() > j.rent(t) || changes[own].Loss() > 0 || purpose == format.Setup && changes[own].Gain() > 0 {
			return fmt.Errorf("the wallet lost %d lamports in addition to its fee, and its accounts got %d", left.Loss(), j.rent(t))
		}
		return errors.Join(still(own), j.lines.add(terms.SOL, format.Rent, left.Loss()), j.lines.add(own, format.Collected, changes[own].Gain()))
	case format.Anchoring, format.Handover, format.Void, format.Return:
		if left.Before != left.After {
			return fmt.Errorf("the wallet went from %d to %d lamports, with a fee of %d, %d lent and %d returned",
				sol.Before, sol.After, t.FeeLamports, e.lent, e.returned)
		}
		return still()
	case format.Burn:
		if left.Before != left.After || changes[own].Loss() != e.burned || changes[own].Gain() > 0 {
			return fmt.Errorf("%d were burned, and the wallet lost %d tokens and %d lamports", e.burned, changes[own].Loss(), left.Loss())
		}
		return errors.Join(still(own), j.lines.add(own, format.Burned, e.burned))
	case format.Exchange, format.Fuel:
		return j.judgeSale(e, t, changes, left)
	case format.Creator, format.Pay:
		return j.judgePayment(purpose, t, changes, left, still)
	}
	return fmt.Errorf("the purpose %q is unknown", purpose)
}

// makesAccountOf reports whether a transaction has an instruction to create an owner's account. The
// instruction does nothing if the account exists.
func makesAccountOf(t chain.Transaction, owner solana.PublicKey) bool {
	return slices.ContainsFunc(t.Instructions, func(in chain.Instruction) bool {
		return in.Program == solana.SPLAssociatedTokenAccountProgramID && len(in.Accounts) > 2 && in.Accounts[2] == owner
	})
}

// rent returns the lamports of the wallet's token accounts that a transaction created.
func (j *judge) rent(t chain.Transaction) (lamports uint64) {
	for _, a := range t.Tokens {
		if a.OwnerBefore.IsZero() && a.OwnerAfter == j.custody.wallet {
			c, _ := t.Lamports(a.Address)
			lamports += c.Gain()
		}
	}
	return lamports
}

// judgeSale judges an exchange by the sold and the received amounts.
func (j *judge) judgeSale(e effect, t chain.Transaction, changes map[terms.Asset]chain.Change, left chain.Change) error {
	own := terms.Asset(j.m.Mint)
	reward, err := terms.ParseAsset(j.m.Reward())
	if err != nil {
		return err
	}
	for _, a := range t.Tokens {
		if a.OwnerAfter == j.custody.wallet && a.After > a.Before && !slices.Contains(j.custody.own, a.Address) {
			return fmt.Errorf("an exchange left %d of %s in the wallet's account %s, which no statement has", a.After-a.Before, a.Mint, a.Address)
		}
	}
	sold, brought := changes[own].Loss(), left.Gain()
	for asset, change := range changes {
		if asset != own && !asset.IsSOL() {
			if change.Loss() > 0 || asset != reward && change.Gain() > 0 {
				return fmt.Errorf("an exchange for %s changed %s from %d to %d", reward, asset, change.Before, change.After)
			}
			brought += change.Gain()
		}
	}
	switch {
	case sold == 0 || brought == 0:
		return fmt.Errorf("an exchange of %d tokens brought %d", sold, brought)
	case left.Loss() > j.rent(t):
		return fmt.Errorf("an exchange took %d lamports in addition to its fee and receipt, and the wallet's accounts got %d", left.Loss(), j.rent(t))
	case !e.called && !e.sent:
		return errors.New("tokens left in an exchange that calls no program of one")
	case e.sent:
		with, err := j.counterparty(t)
		if err != nil {
			return err
		}
		if !slices.Contains(j.markets, with) {
			return fmt.Errorf("tokens were sold to %s itself, which is no market that the reader has named", with)
		}
		j.direct = append(j.direct, with)
	}
	if !e.unlisted.IsZero() {
		j.unlisted = append(j.unlisted, unlistedSale{t.Signature, e.unlisted})
	}
	return errors.Join(
		j.lines.add(own, format.Sold, sold), j.lines.add(terms.SOL, format.Proceeds, left.Gain()), j.lines.add(terms.SOL, format.Rent, left.Loss()),
		j.proceeds(changes, own))
}

func (j *judge) proceeds(changes map[terms.Asset]chain.Change, own terms.Asset) error {
	for _, asset := range slices.SortedFunc(maps.Keys(changes), func(a, b terms.Asset) int { return slices.Compare(a[:], b[:]) }) {
		if asset == own || asset.IsSOL() {
			continue
		}
		if err := j.lines.add(asset, format.Proceeds, changes[asset].Gain()); err != nil {
			return err
		}
	}
	return nil
}

// counterparty returns the signer of an exchange other than the wallet.
func (j *judge) counterparty(t chain.Transaction) (solana.PublicKey, error) {
	for _, a := range t.Accounts[:t.Signers] {
		if a.Address != j.custody.wallet {
			return a.Address, nil
		}
	}
	return solana.PublicKey{}, errors.New("tokens went straight to an account, and its owner has not signed: that is a gift")
}

// judgePayment judges a payment by the rows of the payment.
func (j *judge) judgePayment(purpose format.Purpose, t chain.Transaction, changes map[terms.Asset]chain.Change, left chain.Change, still func(...terms.Asset) error) error {
	rows := j.paid[t.Signature]
	if len(rows) == 0 {
		return errors.New("it pays no row")
	}
	asset := rows[0].to.Asset
	var paid, received uint64
	for _, p := range rows {
		if p.to.Asset != asset {
			return fmt.Errorf("it pays rows of %s and of %s", asset, p.to.Asset)
		}
		if got := t.Change(p.to).Gain(); got != p.received {
			return fmt.Errorf("%s received %d of %s, and the row says %d", p.to.Owner, got, asset, p.received)
		}
		if p.charged && !makesAccountOf(t, p.to.Owner) {
			return fmt.Errorf("%s was charged for an account, and no account is made for it", p.to.Owner)
		}
		paid += p.paid
		received += p.received
	}
	rent := left.Loss()
	if asset.IsSOL() {
		if left.Loss() != paid || left.Gain() > 0 {
			return fmt.Errorf("%d of SOL left the wallet, and the rows say %d", left.Loss(), paid)
		}
		rent = 0
	} else if changes[asset].Loss() != paid || left.Gain() > 0 {
		return fmt.Errorf("%d of %s left the wallet, and the rows say %d", changes[asset].Loss(), asset, paid)
	}
	var accounts uint64 // the lamports of the payees' new accounts for the asset
	for _, a := range t.Tokens {
		if a.OwnerBefore.IsZero() && a.Mint == asset.Mint() && slices.ContainsFunc(rows, func(p payment) bool { return p.to.Owner == a.OwnerAfter }) {
			c, _ := t.Lamports(a.Address)
			accounts += c.Gain()
		}
	}
	if rent > accounts {
		return fmt.Errorf("%d lamports left in addition to the fee and the receipt, and new accounts got %d", rent, accounts)
	}
	name := format.ToHolders
	if purpose == format.Creator {
		name = format.ToCreator
	}
	return errors.Join(still(asset), j.lines.add(terms.SOL, format.Rent, rent), j.lines.add(asset, name, received), j.lines.add(asset, format.TaxOnSending, paid-received))
}
