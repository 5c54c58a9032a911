package audit

import (
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// book takes transactions down, the oldest first.
type book struct {
	mint    solana.PublicKey
	history History
	// moved says that a balance of the mint was seen.
	moved bool

	accounts map[solana.PublicKey]*account
	// onMint and inAccounts are what is withheld by the history.
	onMint, inAccounts Sum
	minted, burned     Sum
	atCreation         Sum
	tax                Tax
	withdrawals        []Withdrawal
	// short and over are what withdrawals brought less or more than the history had.
	short, over Sum

	destinations   map[solana.PublicKey]*destination
	movements      map[movementKey]*Movement
	fees           []FeeChange
	changes        []AuthorityChange
	accountChanges []AccountChange
	authorities    map[string]solana.PublicKey
	// settings are the fees that may hold; the one that held last is the first.
	settings []Fee
}

func newBook(mint solana.PublicKey) *book {
	return &book{
		mint: mint, accounts: map[solana.PublicKey]*account{}, destinations: map[solana.PublicKey]*destination{},
		movements: map[movementKey]*Movement{}, authorities: map[string]solana.PublicKey{},
	}
}

// account is a token account, as the last transaction left it.
type account struct {
	owner    solana.PublicKey
	balance  uint64
	known    bool   // the balance was seen
	withheld uint64 // now, by the history
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

// tally is what a transaction did to an account.
type tally struct {
	chain.TokenAccount

	in, out, minted, burned uint64
	transfers, withdrawals  []*op // into it
}

// gap is what is missing in the balance, modulo 2^64: what was withheld less what was
// withdrawn.
func (y tally) gap() uint64 { return y.Before + y.in + y.minted - y.out - y.burned - y.After }

// apply takes a transaction that succeeded.
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

// tallies sums up what the instructions did to each account, in a fixed order.
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
		case o.From != o.To: // A transfer to itself does nothing, and withholds nothing.
			at(o.From).out += o.Amount
			at(o.To).in += o.Amount
			at(o.To).transfers = append(at(o.To).transfers, o)
		}
	}
	return list, order
}

// follow holds an account's balance before against what the last transaction left.
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
	if !y.OwnerAfter.IsZero() { // A closed account keeps its last owner here.
		a.owner = y.OwnerAfter
	}
}

// owner gives whose an account was in a transaction, as far as that shows.
func (y *tally) owner() solana.PublicKey {
	if y.OwnerAfter.IsZero() {
		return y.OwnerBefore
	}
	return y.OwnerAfter
}

// withhold finds what each transfer into an account withheld; it says whether the
// account's balance is explained by that.
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
	case len(y.withdrawals) > 0: // Two unknowns: what was withdrawn follows.
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
	// The sum is known. Which transfer withheld what matters only for what was harvested
	// in between.
	if !b.match(open, gap) {
		b.tax.OtherFees += len(open)
		for _, o := range open {
			o.fee = min(o.Amount, gap)
			gap -= o.fee
		}
	}
	return true
}

// on gives what is withheld of an amount.
func (f Fee) on(amount uint64) uint64 {
	return token2022.TransferFee{BasisPoints: f.Bps, MaximumFee: f.Maximum}.On(amount)
}

// mostSettings are kept to be tried: two can hold at a time, and others come in between.
const mostSettings = 8

// offer has a setting tried.
func (b *book) offer(f Fee) {
	if slices.Contains(b.settings, f) {
		return
	}
	if len(b.settings) == mostSettings {
		b.settings = slices.Delete(b.settings, 1, 2)
	}
	b.settings = append(b.settings, f)
}

// match gives each transfer its fee by the setting by which they add up to a sum.
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

// keep carries the ledger of withheld tax through the instructions in order, and gives
// what each withdrawal should bring.
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

// settle gives the withdrawals into an account their amounts, by its balance.
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

// count adds to the totals.
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
