package audit

import (
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// book records transactions, the oldest first.
type book struct {
	mint    solana.PublicKey
	history History
	// moved reports whether a balance of the mint was seen.
	moved bool

	accounts map[solana.PublicKey]*account
	// onMint and inAccounts are the withheld tax by the history.
	onMint, inAccounts Sum
	minted, burned     Sum
	atCreation         Sum
	tax                Tax
	withdrawals        []Withdrawal
	// short and over are the total differences between the withdrawn amounts and the amounts by the
	// history.
	short, over Sum

	destinations   map[solana.PublicKey]*destination
	movements      map[movementKey]*Movement
	fees           []FeeChange
	changes        []AuthorityChange
	accountChanges []AccountChange
	authorities    map[string]solana.PublicKey
	// settings are the possible fees, with the fee of the last match first.
	settings []Fee
}

func newBook(mint solana.PublicKey) *book {
	return &book{
		mint: mint, accounts: map[solana.PublicKey]*account{}, destinations: map[solana.PublicKey]*destination{},
		movements: map[movementKey]*Movement{}, authorities: map[string]solana.PublicKey{},
	}
}

// account is a token account after the last transaction.
type account struct {
	owner    solana.PublicKey
	balance  uint64
	known    bool   // the balance was seen
	withheld uint64 // present amount by the history
	ever     Sum
}

func (b *book) account(address solana.PublicKey) *account {
	a := b.accounts[address]
	if a == nil {
		a = &account{}
		b.accounts[address] = a
	}
	return a
}

// tally is the effect of a transaction on an account.
type tally struct {
	chain.TokenAccount

	in, out, minted, burned uint64
	transfers, withdrawals  []*op // into it
}

// gap returns the unexplained decrease of the balance, modulo 2^64: the withheld minus the
// withdrawn amount.
func (y tally) gap() uint64 { return y.Before + y.in + y.minted - y.out - y.burned - y.After }

// apply records a successful transaction.
func (b *book) apply(t chain.Transaction) error {
	first := b.history.Created == nil
	ops, err := b.ops(t)
	if err != nil {
		return err
	}
	tallies, order := b.tallies(t, ops)
	explained := true
	for _, address := range order {
		y := tallies[address]
		b.follow(y)
		if !b.withhold(y) {
			explained = false
		}
	}
	expected := b.keep(ops)
	for _, address := range order {
		b.settle(tallies[address], expected)
	}
	if !explained {
		b.history.Unexplained++
	}
	b.count(t, ops, tallies, first && b.history.Created != nil)
	b.trace(t, ops, tallies, order)
	return nil
}

// tallies sums the effects of the instructions for each account, in a fixed order.
func (b *book) tallies(t chain.Transaction, ops []*op) (map[solana.PublicKey]*tally, []solana.PublicKey) {
	list := map[solana.PublicKey]*tally{}
	var order []solana.PublicKey
	at := func(address solana.PublicKey) *tally {
		if list[address] == nil {
			list[address] = &tally{TokenAccount: chain.TokenAccount{Address: address, Mint: b.mint}}
			order = append(order, address)
		}
		return list[address]
	}
	for _, row := range t.Tokens {
		if row.Mint == b.mint {
			at(row.Address).TokenAccount = row
		}
	}
	for _, o := range ops {
		switch {
		case o.Kind == token2022.KindHarvest:
		case o.Kind.Withdraws():
			at(o.To).withdrawals = append(at(o.To).withdrawals, o)
		case o.Kind.Burns():
			at(o.From).burned += o.Amount
		case o.From.IsZero():
			at(o.To).minted += o.Amount
		case o.From != o.To: // A transfer from an account to itself has no effect, and no fee.
			at(o.From).out += o.Amount
			at(o.To).in += o.Amount
			at(o.To).transfers = append(at(o.To).transfers, o)
		}
	}
	return list, order
}

// follow compares an account's balance before the transaction with the balance that the last
// transaction left.
func (b *book) follow(y *tally) {
	b.moved = true
	a := b.account(y.Address)
	if a.known || b.history.Created != nil {
		if a.balance != y.Before {
			b.history.Breaks++
		}
	}
	if !a.owner.IsZero() && !y.OwnerBefore.IsZero() && a.owner != y.OwnerBefore {
		b.history.OwnersChanged++
	}
	a.known, a.balance = true, y.After
	if !y.OwnerAfter.IsZero() { // A closed account keeps the last owner here.
		a.owner = y.OwnerAfter
	}
}

// owner returns the account's owner in the transaction, or zero if the transaction does not show
// the owner.
func (y *tally) owner() solana.PublicKey {
	if y.OwnerAfter.IsZero() {
		return y.OwnerBefore
	}
	return y.OwnerAfter
}

// withhold determines the fee of each transfer into an account. It reports whether the fees explain
// the account's balance.
func (b *book) withhold(y *tally) (explained bool) {
	gap := y.gap()
	var open []*op
	for _, o := range y.transfers {
		if o.known {
			b.tax.Stated.add(o.fee)
			gap -= o.fee
		} else {
			open = append(open, o)
		}
	}
	switch {
	case len(y.withdrawals) > 0: // Two unknowns: compute the fees here; the withdrawn amount follows.
		for _, o := range open {
			if len(b.settings) > 0 {
				o.fee = b.settings[0].on(o.Amount)
			}
			b.tax.Computed.add(o.fee)
		}
		for _, o := range y.withdrawals {
			if len(open) > 0 {
				o.basis = ByFee
			}
		}
		return true
	case len(open) == 0:
		return gap == 0
	case gap > y.in:
		return false
	}
	b.tax.ByBalances.add(gap)
	// The sum is known. The fee of a single transfer only matters for a harvest in between.
	if !b.match(open, gap) {
		b.tax.OtherFees += len(open)
		for _, o := range open {
			o.fee = min(o.Amount, gap)
			gap -= o.fee
		}
	}
	return true
}

// on returns the fee on an amount.
func (f Fee) on(amount uint64) uint64 {
	return token2022.TransferFee{BasisPoints: f.Bps, MaximumFee: f.Maximum}.On(amount)
}

// maxSettings is the maximum number of possible fees. Two can be valid at a time, and some may be
// changed again before use.
const maxSettings = 8

// offer adds a possible fee.
func (b *book) offer(f Fee) {
	if slices.Contains(b.settings, f) {
		return
	}
	if len(b.settings) == maxSettings {
		b.settings = slices.Delete(b.settings, 1, 2)
	}
	b.settings = append(b.settings, f)
}

// match sets the fees of transfers by the first setting whose fees add up to sum.
func (b *book) match(transfers []*op, sum uint64) bool {
	for i, f := range b.settings {
		var total uint64
		for _, o := range transfers {
			o.fee = f.on(o.Amount)
			total += o.fee
		}
		if total == sum {
			b.settings = slices.Insert(slices.Delete(b.settings, i, i+1), 0, f)
			return true
		}
	}
	return false
}

// keep applies the instructions in order to the ledger of withheld tax, and returns the expected
// amount of each withdrawal.
func (b *book) keep(ops []*op) map[*op]uint64 {
	expected := map[*op]uint64{}
	take := func(sources []solana.PublicKey) (sum uint64) {
		for _, s := range sources {
			if a := b.accounts[s]; a != nil {
				sum += a.withheld
				b.inAccounts = b.inAccounts.less(SumOf(a.withheld))
				a.withheld = 0
			}
		}
		return sum
	}
	for _, o := range ops {
		switch {
		case o.Kind == token2022.KindHarvest:
			n := take(o.sources)
			b.onMint.add(n)
			b.tax.Harvested.add(n)
			b.tax.Harvests++
		case o.Kind == token2022.KindWithdrawMint:
			expected[o] = b.onMint.lo
			b.onMint = Sum{}
		case o.Kind == token2022.KindWithdrawAccounts:
			expected[o] = take(o.sources)
		case o.fee > 0:
			a := b.account(o.To)
			a.withheld += o.fee
			a.ever.add(o.fee)
			b.inAccounts.add(o.fee)
			b.tax.Withheld.add(o.fee)
		}
	}
	return expected
}

// settle sets the amounts of the withdrawals into an account, from the account's balance.
func (b *book) settle(y *tally, expected map[*op]uint64) {
	if len(y.withdrawals) == 0 {
		return
	}
	var fees, due uint64
	for _, o := range y.transfers {
		fees += o.fee
	}
	for _, o := range y.withdrawals {
		due += expected[o]
		o.Amount = expected[o]
		if o.basis == "" && len(y.withdrawals) > 1 {
			o.basis = ByHistory
		} else if o.basis == "" {
			o.basis = ByBalances
		}
	}
	brought := fees - y.gap()
	switch last := y.withdrawals[len(y.withdrawals)-1]; {
	case brought > due:
		b.over.add(brought - due)
		last.Amount += brought - due
	case brought < due:
		b.short.add(due - brought)
		for _, o := range slices.Backward(y.withdrawals) {
			less := min(o.Amount, due-brought)
			o.Amount, due = o.Amount-less, due-less
		}
	}
}

// count adds the transaction to the totals.
func (b *book) count(t chain.Transaction, ops []*op, tallies map[solana.PublicKey]*tally, creation bool) {
	for _, o := range ops {
		switch {
		case o.Kind == token2022.KindHarvest:
		case o.Kind.Withdraws():
			w := Withdrawal{
				Place: Place{t.Signature, t.Slot}, From: "mint", Authority: o.Authority, Account: o.To,
				Owner: tallies[o.To].owner(), Amount: o.Amount, Basis: o.basis,
			}
			if o.Kind == token2022.KindWithdrawAccounts {
				w.From, w.Sources = "accounts", len(o.sources)
			}
			b.withdrawals = append(b.withdrawals, w)
			b.tax.Withdrawn.add(o.Amount)
		case o.Kind.Burns():
			b.burned.add(o.Amount)
		case !o.From.IsZero():
			b.tax.Transfers++
		case creation:
			b.atCreation.add(o.Amount)
		default:
			b.minted.add(o.Amount)
		}
	}
}
