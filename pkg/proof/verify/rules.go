package verify

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// CheckManifest recomputes the facts that follow from the manifest without the lists. It returns an
// error if the manifest contradicts itself.
func CheckManifest(m format.Manifest) error {
	return errors.Join(checkRun(m), checkSnapshot(m), checkSplit(m), checkLegs(m), checkStatements(m))
}

// rules collects the broken rules.
type rules struct{ broken []error }

func (r *rules) hold(ok bool, format string, values ...any) {
	if !ok {
		r.broken = append(r.broken, fmt.Errorf(format, values...))
	}
}

func (r *rules) err() error { return errors.Join(r.broken...) }

// checkRun checks that the run's ID belongs to the token and slot, and that the settings are valid.
func checkRun(m format.Manifest) error {
	var r rules
	want := terms.RunID(m.Mint.PublicKey(), m.Slot)
	r.hold(m.RunID == want, "the run of %s at %s is %s, not %q", m.Mint, m.Slot, want, m.RunID)
	account, err := token2022.AssociatedAddress(m.Wallet.PublicKey(), m.Mint.PublicKey(), m.Program.PublicKey())
	// A zero program would mean Token-2022 to AssociatedAddress, and another account to other verifiers.
	r.hold(err == nil && account == m.TokenAccount.PublicKey() && !m.Program.PublicKey().IsZero(), "%s is not the account of %s for the token", m.TokenAccount, m.Wallet)
	for _, bad := range m.Settings.Terms().ValidateProven() {
		r.hold(false, "the setting %s: %s", bad.Field, bad.Message)
	}
	checkNext(m, &r)
	r.hold(m.Kind == format.Distribution || m.Kind == format.Claim, "%.30q is no kind of run", m.Kind)
	r.hold(m.Number > 0 && (m.Number == 1) == (m.Previous == ""), "it is number %d, and the run before is %q", m.Number, m.Previous)
	r.hold(m.Settings.Version >= terms.LaunchVersion, "the settings have the version %d", m.Settings.Version)
	r.hold(m.Cut > 0 && m.Cut >= m.Snapshot.ChainSlot, "the books are closed at slot %d, and the snapshot is of slot %d", m.Cut, m.Snapshot.ChainSlot)
	r.hold(!m.Creator.PublicKey().IsZero(), "the token has no creator")
	if m.Kind == format.Claim {
		s := m.Split
		r.hold(s.Spendable == s.Unsold && s.Burned == 0 && s.UnsoldAfter == s.Unsold && m.Exchange == format.Sale{} && m.Snapshot == format.Snapshot{},
			"a claim sells, burns and shares out nothing")
	}
	return r.err()
}

// checkSnapshot checks that balances and withheld tax add up to the supply.
func checkSnapshot(m format.Manifest) error {
	var r rules
	s := m.Snapshot
	parts := total(s.Eligible.Balance, []format.Entry{
		{Amount: s.LeftOut.Balance},
		{Amount: s.WithheldInAccounts},
		{Amount: s.WithheldOnMint},
	})
	r.hold(parts == sum{low: uint64(s.Supply)}, "the balances and the tax withheld are not the supply of %d", s.Supply)
	r.hold((s.Eligible.Owners > 0) == (s.Eligible.Balance > 0), "%d owners share with %d together", s.Eligible.Owners, s.Eligible.Balance)
	r.hold((s.ChainSlot > 0) == (m.Kind == format.Distribution), "the snapshot is of slot %d", s.ChainSlot)
	checkHeld(m, &r)
	r.hold(s.LeftOut.Owners == m.LeftOut.Lines, "%d owners are left out, and %d are listed", s.LeftOut.Owners, m.LeftOut.Lines)
	return r.err()
}

// checkSplit checks that the tokens were divided according to the settings, and that every token
// was burned, sold, kept for rewards, or waits.
func checkSplit(m format.Manifest) error {
	var r rules
	s, sale := m.Split, m.Exchange
	want := allocation.Split(uint64(s.Spendable), uint64(s.Unsold), m.SellBps(), m.Settings.BurnBps)
	got := allocation.Cut{Slice: uint64(s.Slice), Burn: uint64(s.Burn), Sell: uint64(s.Sell)}
	r.hold(s.Unsold <= s.Spendable && got == want, "of %d, with %d unsold, a run takes %d, burns %d and sells %d, not %d, %d and %d",
		s.Spendable, s.Unsold, want.Slice, want.Burn, want.Sell, s.Slice, s.Burn, s.Sell)
	kept := format.Amount(0)
	if ownReward(m) {
		r.hold(sale.Sold == 0, "%d were sold for the token itself", sale.Sold)
		kept = sale.Proceeds
	} else {
		r.hold(sale.Sold > 0 || sale.Proceeds == 0, "nothing was sold, and brought %d", sale.Proceeds)
	}
	r.hold(sale.FuelSold > 0 || sale.Fuel == 0, "nothing was sold for costs, and brought %d", sale.Fuel)
	used := total(sale.Sold, []format.Entry{{Amount: sale.FuelSold}, {Amount: kept}})
	taken := s.Burned == s.Burn && total(s.UnsoldAfter, []format.Entry{{Amount: format.Amount(used.low)}}) == sum{low: uint64(s.Sell)} && used.high == 0
	postponed := s.Burned == 0 && used == sum{} && s.UnsoldAfter == s.Unsold
	r.hold(taken || postponed, "of %d to burn and %d to sell, %d were burned, %d sold, %d sold for costs, %d kept, and %d wait",
		s.Burn, s.Sell, s.Burned, sale.Sold, sale.FuelSold, kept, s.UnsoldAfter)
	return r.err()
}

// ownReward reports whether the reward is the token itself.
func ownReward(m format.Manifest) bool { return m.Reward() == m.Mint.String() }

// checkLegs checks that the proceeds were divided between creator and holders, and that the columns
// add up.
func checkLegs(m format.Manifest) error {
	var r rules
	r.hold(len(m.Legs) > 0, "there is no leg")
	seen := map[string]bool{}
	var rows uint64
	for i, l := range m.Legs {
		a, err := terms.ParseAsset(l.Asset)
		r.hold(err == nil && a.String() == l.Asset && !seen[l.Asset], "leg %d is of %.50q, which is no asset or paid twice", i, l.Asset)
		seen[l.Asset] = true
		rows += l.Rows
		if l.Asset == terms.RewardSOL {
			r.hold(l.Program == "" && l.Decimals == 9, "leg %d is SOL with %d decimals of the program %.50q", i, l.Decimals, l.Program)
		} else {
			program, err := format.ParseKey(l.Program)
			r.hold(err == nil && !program.IsZero(), "leg %d has the token program %.50q", i, l.Program)
		}
		var proceeds, eligible uint64
		if i == 0 {
			r.hold(l.Asset == m.Reward(), "the first leg is of %s, and the reward is %s", l.Asset, m.Reward())
			proceeds, eligible = uint64(m.Exchange.Proceeds), uint64(m.Snapshot.Eligible.Balance)
		}
		share := allocation.Creator(proceeds, m.Settings.BurnBps, m.Settings.DeveloperFeeBps)
		checkCreators(l, &r, share, m.Settings.Terms().Creators())
		if i == 0 {
			r.hold(equal(2, l.Total, format.Amount(share), format.Amount(proceeds), l.RemainderIn),
				"%d %s and %d left over, less the creator's %d, are not the %d that were shared out", proceeds, l.Asset, l.RemainderIn, share, l.Total)
			r.hold(equal(1, l.Total, l.Sums.Share, l.RemainderOut), "of %d %s, the shares are %d, and %d are left over", l.Total, l.Asset, l.Sums.Share, l.RemainderOut)
		} else {
			r.hold(l.Total == 0 && l.Sums.Share == 0 && l.RemainderOut == l.RemainderIn, "something of the arrears in %s was shared out", l.Asset)
		}
		r.hold(uint64(l.Sums.Balance) == eligible, "the balances of leg %d are %d, not %d", i, l.Sums.Balance, eligible)
		checkSums(l, &r)
	}
	r.hold(rows == m.Rows.Lines, "the legs have %d rows, and %d are listed", rows, m.Rows.Lines)
	return r.err()
}

func checkSums(l format.Leg, r *rules) {
	s := l.Sums
	r.hold(equal(2, s.Owed, s.Share, s.Paid, s.Charged, s.Carried), "owed %d and shares %d of %s are not paid %d, charged %d and carried %d",
		s.Owed, s.Share, l.Asset, s.Paid, s.Charged, s.Carried)
	r.hold(s.Received <= s.Paid && s.Reserved <= s.Carried, "more %s arrived than was sent, or is reserved than carried", l.Asset)
}

// checkCreators checks that the creator's share is divided among the wallets of the settings, in
// the order and by the parts of the settings. Every part is rounded down, and the first wallet gets
// the remainder. Every line must add up.
func checkCreators(l format.Leg, r *rules, share uint64, creators []terms.Split) {
	r.hold(len(l.Creators) == len(creators), "leg %s has %d wallets of the creator's, and the settings %d", l.Asset, len(l.Creators), len(creators))
	want := allocation.Parts(share, creators)
	lines := make([]format.Entry, 0, 2*len(l.Creators))
	for i, c := range l.Creators {
		if i < len(creators) {
			of := creators[i]
			r.hold(c.Wallet.PublicKey() == of.Wallet, "the creator is paid at another wallet than %s: at %s", of.Wallet, c.Wallet)
			r.hold(c.PartBps == of.Bps, "the creator's wallet %s has %d parts of 10000, and the settings say %d", c.Wallet, c.PartBps, of.Bps)
			r.hold(uint64(c.Share) == want[i], "%s gets %d of the creator's %d %s, not %d", c.Wallet, c.Share, share, l.Asset, want[i])
		}
		checkCreator(l, r, c)
		lines = append(lines, format.Entry{Amount: c.Paid}, format.Entry{Amount: c.Carried})
	}
	r.hold(total(0, lines).high == 0, "the creator's lines of %s exceed 64 bits together", l.Asset)
}

func checkCreator(l format.Leg, r *rules, c format.CreatorShare) {
	r.hold(equal(2, c.Owed, c.Share, c.Paid, c.Carried), "the creator's owed %d and share %d of %s are not paid %d and carried %d",
		c.Owed, c.Share, l.Asset, c.Paid, c.Carried)
	r.hold(c.Received <= c.Paid && c.Reserved <= c.Carried, "more %s arrived at the creator's than was sent, or is reserved than carried", l.Asset)
	r.hold((c.Carried > 0) == c.Reason.Valid() && (c.Carried > 0 || c.Reason == ""), "%d %s of the creator's are carried because of %.40q", c.Carried, l.Asset, c.Reason)
	r.hold((c.Paid > 0) == (c.Signature != format.Signature{}), "the creator's payment of %d %s has the signature %q", c.Paid, l.Asset, c.Signature)
}

// equal reports whether the sum of the first left amounts equals the sum of the rest.
func equal(left int, amounts ...format.Amount) bool {
	entries := make([]format.Entry, 0, len(amounts))
	for _, a := range amounts {
		entries = append(entries, format.Entry{Amount: a})
	}
	return total(0, entries[:left]) == total(0, entries[left:])
}

// checkStatements checks that no unit of the token, of SOL, or of a paid asset is lost, and that
// the statements belong to this run.
func checkStatements(m format.Manifest) error {
	var r rules
	want := map[string]bool{m.Mint.String(): true, terms.RewardSOL: true}
	legs := map[string]format.Leg{}
	for _, l := range m.Legs {
		want[l.Asset] = true
		legs[l.Asset] = l
	}
	for _, s := range m.Statements {
		r.hold(want[s.Asset], "there is a statement of %.50q too much", s.Asset)
		delete(want, s.Asset)
		if err := CheckStatement(s); err != nil {
			r.broken = append(r.broken, err)
		}
		// A reserved amount may have left the wallet.
		l := legs[s.Asset]
		r.hold(s.Of(format.Reserved) <= uint64(l.Sums.Reserved+l.Creator().Reserved), "the statement of %s reserves %d, and the rows %d",
			s.Asset, s.Of(format.Reserved), l.Sums.Reserved+l.Creator().Reserved)
		for name, amount := range expected(m, s.Asset, legs[s.Asset]) {
			if others(m, s.Asset, name) && uint64(amount) < s.Of(name) {
				continue // runs without a proof did the rest
			}
			r.hold(s.Of(name) == uint64(amount), "the statement of %s has %s %d, and the run %d", s.Asset, name, s.Of(name), amount)
		}
	}
	for asset := range want {
		r.hold(false, "there is no statement of %s", asset)
	}
	return r.err()
}

// others reports whether an entry includes the amounts of runs without a proof.
func others(m format.Manifest, asset string, name format.Name) bool {
	return name == format.Burned && asset == m.Mint.String() ||
		(name == format.ReceiptsLent || name == format.ReceiptsReturned) && asset == terms.RewardSOL
}

// expected returns the amounts of a statement's entries according to the rest of the manifest. l is
// the asset's leg, or empty.
func expected(m format.Manifest, asset string, l format.Leg) map[format.Name]format.Amount {
	creator := l.Creator()
	want := map[format.Name]format.Amount{
		format.ToHolders:    l.Sums.Received,
		format.ToCreator:    creator.Received,
		format.TaxOnSending: l.Sums.Paid - l.Sums.Received + creator.Paid - creator.Received,
		format.Owed:         l.Sums.Carried - l.Sums.Reserved + creator.Carried - creator.Reserved,
		format.Carried:      l.RemainderOut,
		format.Burned:       0, format.Sold: 0, format.FuelSold: 0, format.Proceeds: 0, format.FuelCame: 0,
	}
	if asset == m.Mint.String() {
		want[format.Burned], want[format.Sold], want[format.FuelSold] = m.Split.Burned, m.Exchange.Sold, m.Exchange.FuelSold
		want[format.Carried] += m.Split.UnsoldAfter
	} else { // only the token is taxed
		want[format.Collected] = 0
	}
	if asset == m.Reward() && !ownReward(m) {
		want[format.Proceeds] = m.Exchange.Proceeds
	}
	if asset == terms.RewardSOL {
		want[format.FuelCame] = m.Exchange.Fuel
		want[format.ReceiptsLent], want[format.ReceiptsReturned] = m.Receipts.Lent, m.Receipts.Returned
	} else { // the network is paid in SOL
		want[format.Fees], want[format.Rent], want[format.Returned], want[format.ReceiptsLent], want[format.ReceiptsReturned] = 0, 0, 0, 0, 0
	}
	return want
}

// CheckStatement returns an error unless the statement balances to the unit.
func CheckStatement(s format.Statement) error {
	for _, list := range []struct {
		entries []format.Entry
		names   []format.Name
	}{{s.In, format.InNames}, {s.Out, format.OutNames}, {s.HeldFor, format.HeldNames}} {
		at := -1
		for _, e := range list.entries {
			i := slices.Index(list.names, e.Name)
			if i <= at {
				return fmt.Errorf("the statement of %s has %.20q out of place", s.Asset, e.Name)
			}
			at = i
			if e.Name == format.Adjustment != format.ValidReason(e.Reason) || e.Name != format.Adjustment && e.Reason != "" {
				return fmt.Errorf("the statement of %s has an adjustment without a reason, or a reason without one", s.Asset)
			}
		}
	}
	before, after := total(s.Opening, s.In), total(s.Closing, s.Out)
	if before != after {
		return fmt.Errorf("the statement of %s does not balance: %s", s.Asset, s)
	}
	if total(0, s.HeldFor) != total(s.Closing, nil) {
		return fmt.Errorf("the closing of %s is not what it is held for: %s", s.Asset, s)
	}
	return nil
}

// sum has 128 bits, because amounts of third parties may exceed 64 bits together.
type sum struct{ high, low uint64 }

func total(first format.Amount, entries []format.Entry) sum {
	t := sum{low: uint64(first)}
	for _, e := range entries {
		var carry uint64
		t.low, carry = bits.Add64(t.low, uint64(e.Amount), 0)
		t.high += carry
	}
	return t
}

// over returns the excess of s over other, at most 64 bits; zero if s is smaller.
func (s sum) over(other sum) uint64 {
	low, borrow := bits.Sub64(s.low, other.low, 0)
	high, borrow := bits.Sub64(s.high, other.high, borrow)
	switch {
	case borrow > 0:
		return 0
	case high > 0:
		return math.MaxUint64
	}
	return low
}
