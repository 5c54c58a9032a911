package audit

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/token2022"
)

// report returns the report.
func (b *book) report(n now, at marks, o own) Report {
	h := b.history
	h.Complete = h.Created != nil && h.Missing == 0 && h.Breaks == 0 && h.Unexplained == 0 && o.hidden == nil
	fee := n.mint.TransferFee
	r := Report{
		Mint: b.mint, Decimals: n.mint.Decimals, Slot: max(n.slot, n.listedAt), History: h, Tax: b.tax,
		Now: State{
			WithdrawAuthority: fee.WithdrawWithheldAuthority, FeeAuthority: fee.ConfigAuthority, MintAuthority: n.mint.MintAuthority,
			Fee: Fee{fee.Newer.BasisPoints, fee.Newer.MaximumFee},
		},
		Supply:      Supply{b.atCreation, b.minted, b.burned, SumOf(n.mint.Supply)},
		Withdrawals: orNone(b.withdrawals), FeeChanges: orNone(b.fees), AuthorityChanges: orNone(b.changes),
		AccountChanges: orNone(b.accountChanges), Destinations: []Destination{}, First: []Movement{}, WithheldBy: []Withholding{},
	}
	r.Tax.Listed = n.unlisted == ""
	if r.Tax.InAccounts = b.inAccounts; r.Tax.Listed {
		r.Tax.InAccounts = n.inAccounts
	}
	// The mint was read shortly before the accounts. Add the changes in between, by the history.
	r.Tax.OnMint = SumOf(fee.Withheld).plus(b.onMint).less(at.onMint)
	for _, d := range b.sorted() {
		d.Still = d.Withdrawn.less(d.Left)
		r.Destinations = append(r.Destinations, d.Destination)
	}
	for _, m := range b.movements {
		r.First = append(r.First, *m)
	}
	slices.SortFunc(r.First, func(x, y Movement) int {
		return cmp.Or(y.Amount.Compare(x.Amount), cmp.Compare(x.First.Slot, y.First.Slot), bytes.Compare(x.First.Signature[:], y.First.Signature[:]),
			bytes.Compare(x.To[:], y.To[:]), bytes.Compare(x.Account[:], y.Account[:]), bytes.Compare(x.Authority[:], y.Authority[:]))
	})
	for address, a := range b.accounts {
		if !a.ever.IsZero() {
			r.WithheldBy = append(r.WithheldBy, Withholding{address, a.owner, a.ever})
		}
	}
	slices.SortFunc(r.WithheldBy, func(x, y Withholding) int {
		return cmp.Or(y.Withheld.Compare(x.Withheld), bytes.Compare(x.Account[:], y.Account[:]))
	})
	r.Checks = b.checks(r, n, at, o)
	r.Unknown = b.unknown(r, n, o)
	return r
}

func orNone[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// checks compares the history with the node's state.
func (b *book) checks(r Report, n now, at marks, o own) []Check {
	var list []Check
	add := func(name string, agrees bool, detail string, values ...any) {
		c := Check{name, Agrees, fmt.Sprintf(detail, values...)}
		if !agrees {
			c.Verdict = Differs
		}
		list = append(list, c)
	}
	skip := func(name, detail string) { list = append(list, Check{name, NotKnown, detail}) }
	begins := r.History.Created != nil
	const later = "the history does not begin with the mint's creation"

	if r.History.Breaks == 0 && r.History.Unexplained == 0 {
		add("balances", true, "each equals the balance after the transaction before, and every change has its instruction")
	} else {
		add("balances", false, "not what the transaction before left: %d; changed by no known instruction: %d", r.History.Breaks, r.History.Unexplained)
	}
	if begins {
		add("supply", at.supply == r.Supply.Now, "%s at creation + %s minted - %s burned; %s now",
			r.Supply.AtCreation, r.Supply.Minted, r.Supply.Burned, r.Supply.Now)
		add("withdrawals", b.short.IsZero() && b.over.IsZero(),
			"they brought what the history had withheld by then, and %s more, %s less", b.over, b.short)
		add("on the mint", at.onMint == SumOf(n.mint.TransferFee.Withheld), "%s by the history, %d on the mint", at.onMint, n.mint.TransferFee.Withheld)
	} else {
		skip("supply", later)
		skip("withdrawals", later)
		skip("on the mint", later)
	}
	switch {
	case n.unlisted != "":
		skip("in accounts", n.unlisted)
		skip("tax", n.unlisted)
	case !begins:
		skip("in accounts", later)
		skip("tax", later)
	default:
		add("in accounts", at.inAccounts == r.Tax.InAccounts, "%s by the history, %s in the accounts", at.inAccounts, r.Tax.InAccounts)
		left := r.Tax.Withdrawn.plus(r.Tax.InAccounts).plus(r.Tax.OnMint)
		add("tax", left == r.Tax.Withheld, "%s withheld; %s withdrawn + %s in accounts + %s on the mint",
			r.Tax.Withheld, r.Tax.Withdrawn, r.Tax.InAccounts, r.Tax.OnMint)
	}
	if begins {
		add("authorities", b.authorities["withdraw"] == r.Now.WithdrawAuthority && b.authorities["fee"] == r.Now.FeeAuthority,
			"by the history %s may withdraw the tax and %s change the fee; now %s and %s",
			named(b.authorities["withdraw"]), named(b.authorities["fee"]), named(r.Now.WithdrawAuthority), named(r.Now.FeeAuthority))
	} else {
		skip("authorities", later)
	}
	switch {
	case o.hidden != nil:
		add("destinations", false, "%s at slot %d moved tokens of one, and the mint's history does not have it", o.hidden.Signature, o.hidden.Slot)
	case o.missing > 0:
		skip("destinations", "the node lists transactions of destinations that it does not have")
	default:
		add("destinations", true, "their own histories have no movement that the mint's does not (%d other transactions)", o.read)
	}
	return list
}

func named(authority solana.PublicKey) string {
	if authority.IsZero() {
		return "none"
	}
	return authority.String()
}

// unknown returns sentences about facts that the report cannot show.
func (b *book) unknown(r Report, n now, o own) []string {
	var list []string
	say := func(applies bool, sentence string, values ...any) {
		if applies {
			list = append(list, fmt.Sprintf(sentence, values...))
		}
	}
	h := r.History
	say(h.Created == nil, "What happened before the first transaction that this node still has: the history does not begin with the mint's creation, and every sum is at least that.")
	say(h.Missing > 0, "What is in transactions that the node lists and does not have (%d).", h.Missing)
	say(h.Breaks > 0, "What is missing where an account's balance is not what the transaction before left (%d): the history has gaps.", h.Breaks)
	say(o.hidden != nil, "How much the node hides: the mint's history lacks a transaction that a destination's has.")
	say(h.Unexplained > 0, "Why balances changed in transactions with no instruction for it that is known here (%d).", h.Unexplained)
	say(h.Batches > 0, "What batches of instructions hold (%d): only the balances around them are read.", h.Batches)
	say(h.OwnersChanged > 0, "How token accounts came to other owners (%d): those transactions do not name the mint.", h.OwnersChanged)
	say(o.missing > 0, "What happened to destinations in transactions that the node lists and does not have (%d).", o.missing)
	say(b.usesConfidential(n), "Confidential balances and their tax: the mint allows them, and only their owners can read them.")
	say(n.unlisted != "", "What the accounts still hold of the tax, from the chain: %s. The sum here is the history's.", n.unlisted)
	say(r.Tax.Harvests > 0, "What a harvest moved to the mint, from balances (%d harvests): no transaction shows it. The sum is the amount that the history had withheld there.", r.Tax.Harvests)
	say(!r.Tax.Computed.IsZero(), "A part of what was withheld, from balances (%s base units): it arrived together with a withdrawal. It is computed from the fee.", r.Tax.Computed)
	say(r.Tax.OtherFees > 0, "Why transfers withheld something else than any fee that was seen (%d).", r.Tax.OtherFees)
	say(h.Newer > 0, "What came while this report was made (%d transactions).", h.Newer)
	say(len(r.First) > 0, "Which tokens moved on: tokens are not marked. First in, first out is assumed in each destination, and nothing is followed beyond the first owner or program.")
	say(true, "Whether it is true: all of it is one node's word. Ask another, too.")
	say(true, "Who is behind an address, and whether two belong together.")
	return list
}

// usesConfidential reports whether balances of the mint can be encrypted.
func (b *book) usesConfidential(n now) bool {
	return slices.ContainsFunc(n.mint.Extensions, func(e token2022.ExtensionType) bool {
		return e == token2022.ExtensionConfidentialTransferMint || e == token2022.ExtensionConfidentialMintBurn
	})
}

// By groups withdrawals by source, authority, account and owner, in the order of the first
// withdrawal.
func (r Report) By() []Withdrawn {
	type key struct {
		from                      string
		authority, account, owner solana.PublicKey
	}
	var list []Withdrawn
	at := map[key]int{}
	for _, w := range r.Withdrawals {
		k := key{w.From, w.Authority, w.Account, w.Owner}
		i, ok := at[k]
		if !ok {
			i = len(list)
			at[k] = i
			list = append(list, Withdrawn{From: w.From, Authority: w.Authority, Account: w.Account, Owner: w.Owner})
		}
		list[i].Amount.add(w.Amount)
		list[i].Times++
	}
	return list
}

// Withdrawn is the total that an authority withdrew into an account.
type Withdrawn struct {
	From                      string
	Authority, Account, Owner solana.PublicKey
	Amount                    Sum
	Times                     int
}
