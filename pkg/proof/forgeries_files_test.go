package proof_test

import (
	"slices"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/token/terms"
)

// bends changes the first row of a leg that something was paid to, or the last row.
func bends(leg int, change func(*allocation.Row)) func(*script) {
	return func(c *script) {
		done := false
		c.bend = func(of, _ int, r *allocation.Row) {
			if of == leg && r.Paid > 0 && !done {
				done = true
				change(r)
			}
		}
	}
}

// payment changes what is done for the first payment of a leg that is paid.
func paysFirst(leg int, change func(p allocation.Payment, out *allocation.Outcome) []step) func(*script) {
	return func(c *script) {
		done := false
		c.pay = func(of int, p allocation.Payment, out *allocation.Outcome) []step {
			if of != leg || done || out.Signature.IsZero() {
				return nil
			}
			done = true
			return change(p, out)
		}
	}
}

// dishonestPayments are payments that the rows tell otherwise.
func dishonestPayments() []forgery {
	theirs := signature("theirs")
	return []forgery{
		{name: "a failed transaction shown as paid", check: "transactions on chain", says: "and failed",
			first: acts(proof.Pay, func(x *tx) { x.failed = "InstructionError" })},
		{name: "a holder got less than the row says", check: "transactions on chain", says: "and the row says",
			first: paysFirst(0, func(p allocation.Payment, _ *allocation.Outcome) []step {
				return pays(p.Owner, usd, p.Amount-3, p.Amount-3, false)
			})},
		{name: "another owner got a holder's payment", check: "transactions on chain", says: "it sends",
			first: paysFirst(0, func(p allocation.Payment, _ *allocation.Outcome) []step {
				return pays(operator, usd, p.Amount, p.Amount, false)
			})},
		{name: "a part of a payment sent to the operator, shown as its tax", check: "transactions on chain", says: "it sends 9 of",
			first: paysFirst(0, func(p allocation.Payment, out *allocation.Outcome) []step {
				out.Received = p.Amount - 9
				return append(pays(p.Owner, usd, p.Amount-9, p.Amount-9, false), sendsTokens(usd, operator, 9))
			})},
		{name: "a part of a payment in SOL sent to the operator, shown as its tax", check: "transactions on chain", says: "takes lamports of the wallet", first: honest,
			second: paysFirst(0, func(p allocation.Payment, out *allocation.Outcome) []step {
				out.Received = p.Amount - 9
				return append(pays(p.Owner, terms.SOL, p.Amount-9, p.Amount-9, false), sends(operator, 9))
			})},
		{name: "an account for the operator within a payment", check: "transactions on chain", says: "it makes an account for",
			first: does(proof.Pay, makes(operator, usd))},
		{name: "an account of the operator's within a payment, prefunded", check: "transactions on chain", says: "takes lamports of the wallet",
			first: does(proof.Pay, func() step {
				s := makes(operator, usd)
				s.in = system(uint32(systemprogram.KindCreateAccountAllowPrefund), ata(operator, usd), wallet).in
				return s
			}())},
		{name: "rent of an account for one holder, and more beside", check: "transactions on chain", says: "new accounts got",
			first: all(paysFirst(0, func(p allocation.Payment, _ *allocation.Outcome) []step {
				list := pays(p.Owner, usd, p.Amount, p.Amount, true)
				return slices.Insert(list, 1, inner(sends(operator, 5)))
			}), books(terms.SOL, proof.Rent, 5))},
		{name: "a holder charged for an account that is not made", check: "transactions on chain", says: "no account is made for",
			first: paysFirst(0, func(p allocation.Payment, out *allocation.Outcome) []step {
				out.Charged, out.Received = 9, p.Amount-9
				return pays(p.Owner, usd, p.Amount-9, p.Amount-9, false)
			})},
		{name: "a payment that pays no row", check: "rows", says: "pays no row", first: func(c *script) { c.extra = true }},
		{name: "payments that are not named", check: "rows", says: "not named as a payment", first: func(c *script) { c.unnamed = true }},
		{name: "a payment out of another's wallet", check: "transactions on chain", says: "is in no history of the wallet",
			first: all(paysFirst(0, func(p allocation.Payment, out *allocation.Outcome) []step {
				out.Signature = theirs
				return []step{give(p.Owner, usd, int64(p.Amount))}
			}), acts(proof.Pay, func(x *tx) {
				if x.id == theirs {
					x.signers, x.does = []solana.PublicKey{operator}, x.does[3:]
				}
			}), func(c *script) { c.book = func(m *proof.Manifest) { m.Receipts.Lent -= rent } }, books(terms.SOL, proof.ReceiptsLent, -rent))},
		{name: "a burn of less than is said", check: "books on chain", says: "burned",
			first: acts(proof.Burn, func(x *tx) { x.does = append(x.does[:2:2], burns(99_999)...) })},
		{name: "a burn that is a transfer", check: "transactions on chain", says: "it sends 100000 of",
			first: acts(proof.Burn, func(x *tx) { x.does = append(x.does[:2:2], sendsTokens(terms.Asset(mint), operator, 100_000)) })},
		{name: "a burn of what holders are owed", check: "transactions on chain", says: "it burns",
			first: all(does(proof.Burn, func() step {
				s := burns(5)[0]
				s.in = ofTokens(8<<8, ata(wallet, usd), usd.Mint(), wallet).in
				return s
			}()), books(terms.Asset(mint), proof.Burned, 5))},
		{name: "a payment named as landed in another slot", check: "transactions on chain", says: "it landed at slot",
			first: acts(proof.Void, func(x *tx) { x.slot++ })},
		{name: "a transaction named for two purposes", check: "transactions", says: "is named twice",
			first: also(proof.Void, tx{id: signature(terms.RunID(mint, hour), "burn"), slot: 5})},
	}
}

// cookedBooks are statements that the chain does not bear out.
func cookedBooks() []forgery {
	own := terms.Asset(mint)
	opens := func(by proof.Amount) func(*script) {
		return func(c *script) {
			before := c.book
			c.book = func(m *proof.Manifest) {
				if before != nil {
					before(m)
				}
				m.Statements[1].Opening += by
			}
		}
	}
	return []forgery{
		{name: "a deposit booked smaller", check: "books on chain", says: "deposits", first: books(terms.SOL, proof.Deposits, -7)},
		{name: "a deposit booked smaller, and proceeds larger", check: "books on chain", says: "deposits",
			first: all(books(terms.SOL, proof.Deposits, -7), func(c *script) { c.plan = func(m *proof.Manifest) { m.Exchange.Fuel += 7 } }, acts(proof.Exchange, func(x *tx) {
				x.does = append(x.does, give(wallet, terms.SOL, -7))
			}), books(terms.SOL, proof.Fees, -7))},
		{name: "a deposit booked as what was there before", check: "books on chain", says: "opens with",
			first: all(books(terms.SOL, proof.Deposits, -7), opens(7), booksOnly(terms.SOL, 7))},
		{name: "an opening of less than the run before has left", check: "run before", says: "and this run opened with", first: honest,
			second: all(books(terms.SOL, proof.Fees, 7), books(terms.SOL, proof.Fees, -7), opens(^proof.Amount(6)), booksOnly(terms.SOL, -7))},
		{name: "a closing of less than there is", check: "books on chain", says: "closes with", first: books(terms.SOL, proof.Fees, 7)},
		{name: "tokens that are gone, as a tax on sending", check: "conservation", says: "taxOnSending",
			forge: func(m *proof.Manifest) { booked(m, own, proof.TaxOnSending, 7) }},
		{name: "books closed after the anchor", check: "anchor on chain", says: "and the books are closed at slot",
			first: plans(func(m *proof.Manifest) { m.Cut = 170 })},
		{name: "books closed before a payment", check: "transactions", says: "and the books are closed at slot",
			first: plans(func(m *proof.Manifest) { m.Cut = 108 })},
		{name: "a fee that no transaction took", check: "books on chain", says: "fees",
			first: all(books(terms.SOL, proof.Fees, 7), books(terms.SOL, proof.Deposits, 7))},
	}
}

// booksOnly changes what is left, and no entry.
func booksOnly(asset terms.Asset, by int64) func(*script) {
	return all(books(asset, proof.Deposits, by), func(c *script) {
		before := c.book
		c.book = func(m *proof.Manifest) {
			before(m)
			s := &m.Statements[slices.IndexFunc(m.Statements, func(s proof.Statement) bool { return s.Asset == asset.String() })]
			for i := range s.In {
				if s.In[i].Name == proof.Deposits {
					s.In[i].Amount -= proof.Amount(by)
				}
			}
		}
	})
}

// rewrittenPasts tell two stories, or leave one out.
func rewrittenPasts() []forgery {
	memo := func(number uint64) string {
		return proof.Memo{RunID: terms.RunID(mint, hour), Number: number, Root: hash([]byte("other"))}.String()
	}
	anchors := func(slot uint64, number uint64) tx {
		return act(proof.Anchoring, signature("other"), slot, step{in: memoOf(memo(number))})
	}
	return []forgery{
		{name: "two anchors for one number", check: "anchors", says: "two stories were told", first: honest, second: also("", anchors(55, 2))},
		{name: "two anchors for one number, the first proof's", check: "anchors", says: "two stories were told", first: also("", anchors(55, 1))},
		{name: "a proof that was anchored and is not shown", check: "transactions on chain", says: "does not name it", first: honest, second: also("", anchors(20, 2))},
		{name: "the proof before is withheld", check: "history", says: "the proof before is not at hand", unwalked: true, withheld: true, first: honest, second: honest},
		{name: "a number left out", check: "run before", says: "it is proof 1, and this one 3", first: honest, second: plans(func(m *proof.Manifest) { m.Number = 3 })},
		{name: "the past rewritten: the anchor before is of another manifest", check: "anchors", says: "is of proof 1 with the manifest", runs: func(t testing.TB, s *shelf) run {
			first, second := twoScripts()
			real := s.run(t, first, nil)
			first.minimum = 1300
			told := s.run(t, first, nil)
			told.signed = real.signed
			told.acts[len(told.acts)-1] = real.acts[len(real.acts)-1]
			return s.run(t, second, &told)
		}},
		{name: "the anchor before is another transaction", check: "anchors", says: "is of proof 0 with the manifest", runs: func(t testing.TB, s *shelf) run {
			first, second := twoScripts()
			told := s.run(t, first, nil)
			last := &told.acts[len(told.acts)-1]
			last.does = last.does[:2]
			return s.run(t, second, &told)
		}},
		{name: "the anchor before has its memo from a program", check: "anchors", says: "is of proof 0 with the manifest", runs: func(t testing.TB, s *shelf) run {
			first, second := twoScripts()
			told := s.run(t, first, nil)
			last := &told.acts[len(told.acts)-1]
			last.does = append(last.does[:2:2], raw(operator, nil), inner(raw(proof.MemoProgram, []byte(told.closed.Memo()))))
			return s.run(t, second, &told)
		}},
		{name: "the anchor before failed", check: "transactions on chain", says: "it is named for anchor, and failed", runs: func(t testing.TB, s *shelf) run {
			first, second := twoScripts()
			told := s.run(t, first, nil)
			told.acts[len(told.acts)-1].failed = "InstructionError"
			all(func(c *script) { c.book = func(m *proof.Manifest) { m.Receipts.Lent -= rent } }, books(terms.SOL, proof.ReceiptsLent, -rent))(&second)
			return s.run(t, second, &told)
		}},
		{name: "the anchor failed", check: "anchor on chain", says: "it failed", runs: func(t testing.TB, s *shelf) run {
			first, _ := twoScripts()
			r := s.run(t, first, nil)
			r.acts[len(r.acts)-1].failed = "InstructionError"
			return r
		}},
		{name: "the anchor does not name the wallet's accounts", check: "anchor's accounts", says: "does not show its balance", first: func(c *script) {
			c.seal = func(t testing.TB, memo string) []byte {
				return signed(t, walletKey, receipt(wallet, signature(memo)).Instruction(), memoOf(memo))
			}
		}},
		{name: "a proof of the anchor of another wallet", check: "manifest", says: "signed the anchor", first: func(c *script) {
			c.seal = func(t testing.TB, memo string) []byte { return sign(t, memo, strangersKey) }
		}},
	}
}

// otherSettings are settings that nobody ordered.
func otherSettings() []forgery {
	return []forgery{
		{name: "settings changed under the old version", check: "run before", says: "their version has not", first: honest,
			second: plans(func(m *proof.Manifest) { m.Settings.Version = 1 })},
		{name: "an order that the creator has not signed", check: "settings", says: "is not the creator's",
			first: plans(func(m *proof.Manifest) { m.Settings.Order = proof.Signature{1} })},
		{name: "the creator's part paid to the operator", check: "division", says: "paid at another wallet", forge: func(m *proof.Manifest) { m.Legs[0].Creators[0].Wallet = proof.Key(operator) }},
		{name: "another creator than in the run before", check: "run before", says: "of the creator", first: honest,
			second: plans(func(m *proof.Manifest) { m.Creator = proof.Key(operator) })},
		{name: "a claim that sells", check: "run", says: "a claim sells, burns and shares out nothing", forge: func(m *proof.Manifest) { m.Kind = proof.Claim }},
	}
}

// dishonestRows are lists of holders that contradict themselves, or the run before.
func dishonestRows() []forgery {
	return []forgery{
		{name: "less received in all than the run before says", check: "rows", says: "now and", first: honest,
			second: func(c *script) {
				c.reward = usd
				c.bend = func(_, _ int, r *allocation.Row) {
					if r.Total > r.Received {
						r.Total--
					}
				}
			}},
		{name: "more received in all than the run brought", check: "rows", says: "in this run, the first",
			first: bends(0, func(r *allocation.Row) { r.Total++ })},
		{name: "an owner who is left out and shares", check: "rows", says: "shares and is left out",
			first: func(c *script) { c.leave = func(n int, l *proof.LeftOut) { l.Owner = owner(n + 1) } }},
		{name: "a holder left out below a minimum that they have", check: "rows", says: "is left out, and the minimum",
			first: func(c *script) { c.leave = func(n int, l *proof.LeftOut) { l.Why = proof.BelowMinimum } }},
		{name: "a holder that the supply has no room for", check: "snapshot", says: "are not the supply",
			forge: func(m *proof.Manifest) { m.Snapshot.Supply -= 1000 }},
		{name: "a holder on no list", check: "snapshot", says: "are not the supply",
			forge: func(m *proof.Manifest) { m.Snapshot.Supply += 1000 }},
		{name: "a row of the wallet itself", check: "rows", says: "the distribution wallet's own", first: func(c *script) {
			c.bend = func(leg, row int, r *allocation.Row) {
				if r.Owner == owner(23) {
					r.Owner = wallet
				}
			}
		}},
		{name: "a holder's share moved to another", check: "rows", says: "the share of", first: func(c *script) {
			by := []uint64{1, ^uint64(0)}
			c.bend = func(_, _ int, r *allocation.Row) {
				if r.Paid > 0 && len(by) > 0 {
					r.Share, r.Paid, r.Received, r.Total = r.Share+by[0], r.Paid+by[0], r.Received+by[0], r.Total+by[0]
					by = by[1:]
				}
			}
		}},
		{name: "what was owed moved to another holder", check: "rows", says: "and the run before left", first: func(c *script) { c.holders = 60 },
			second: func(c *script) {
				c.holders = 63
				given, taken := false, false
				c.bend = func(leg, _ int, r *allocation.Row) {
					switch {
					case leg != 1 || r.Paid > 0:
					case !given:
						given = true
						r.Owed, r.Carried = r.Owed+1, r.Carried+1
					case !taken && r.Carried > r.Reserved+1:
						taken = true
						r.Owed, r.Carried = r.Owed-1, r.Carried-1
					}
				}
			}},
		{name: "worth paying, and not paid as worth too little", check: "rows", says: "not worth paying",
			first: bends(0, func(r *allocation.Row) {
				r.Carried, r.Total = r.Carried+r.Paid+r.Charged, r.Total-r.Received
				r.Paid, r.Received, r.Charged, r.Signature, r.Reason = 0, 0, 0, solana.Signature{}, allocation.BelowCost
			})},
		{name: "a payment of the run before claimed again, with nothing reserved", check: "transactions", says: "is named in the run", runs: func(t testing.TB, s *shelf) run {
			return claimedTwice(t, s, false)
		}},
		{name: "a payment of the run before claimed again, out of what is reserved", check: "transactions", says: "is named in the run", runs: func(t testing.TB, s *shelf) run {
			return claimedTwice(t, s, true)
		}},
		{name: "a payment that was not reserved shown as a late one", check: "rows", says: "had 0 reserved", runs: func(t testing.TB, s *shelf) run {
			return late(t, s, allocation.AccountFrozen)
		}},
	}
}

// claimedTwice are three runs: in the first a holder's payment is undecided, where it is to
// be; in the second they are paid in a transaction of their own; and the third shows that
// as the payment of the first.
func claimedTwice(t testing.TB, s *shelf, reserved bool) run {
	alone := signature("alone")
	first, second := twoScripts()
	first.pay = func(_ int, p allocation.Payment, out *allocation.Outcome) []step {
		if p.Owner == owner(holder) && reserved {
			*out = allocation.Outcome{Payment: p, Reason: allocation.Undecided}
		}
		return nil
	}
	one := s.run(t, first, nil)
	var amount uint64
	second.reward, second.proceeds = usd, 1_000_000
	second.pay = func(_ int, p allocation.Payment, out *allocation.Outcome) []step {
		if p.Owner == owner(holder) {
			*out = allocation.Outcome{Payment: p, Signature: alone, Received: p.Amount}
			amount = p.Amount
		}
		return nil
	}
	two := s.run(t, second, &one)
	if amount == 0 {
		t.Fatal("the holder was not paid")
	}
	third := second
	third.slot, third.proceeds = second.slot.Add(time.Hour), 1_100_000
	third.pay = func(_ int, p allocation.Payment, out *allocation.Outcome) []step {
		if p.Owner == owner(holder) {
			*out = allocation.Outcome{Payment: p, Reason: allocation.TimeOver}
		}
		return nil
	}
	third.bend = func(_, _ int, r *allocation.Row) {
		if r.Owner != owner(holder) {
			return
		}
		r.Paid, r.Received, r.Signature = amount, amount, alone
		r.Carried, r.Total = r.Carried-amount, r.Total+amount
		if reserved {
			r.Reserved -= amount
		}
	}
	all(also(proof.Pay, tx{id: alone, slot: ^uint64(90)}), books(usd, proof.Adjustment, int64(amount)), books(terms.SOL, proof.Adjustment, fee+rent),
		books(terms.SOL, proof.Fees, fee))(&third)
	return s.run(t, third, &two)
}

// holder is whose payment is undecided, and lateSlot where it lands, of the run's first.
const holder, lateSlot = 3, 9

// undecided is a run in which a holder's payment lands, and the service does not know. The
// rows carry it for a reason.
func undecided(t testing.TB, s *shelf, why allocation.Reason, beside ...step) (r run, amount uint64) {
	id := signature("late")
	c, _ := twoScripts()
	c.pay = func(_ int, p allocation.Payment, out *allocation.Outcome) []step {
		if p.Owner == owner(holder) {
			*out, amount = allocation.Outcome{Payment: p, Reason: why}, p.Amount
		}
		return nil
	}
	c.also = func(proof.Manifest) []extra { return []extra{{tx: act(proof.Pay, id, lateSlot)}} }
	c.act = func(_ proof.Purpose, x *tx) {
		if x.id == id {
			x.does = slices.Concat(x.does, pays(owner(holder), usd, amount, amount, false), beside)
		}
	}
	c.book = func(m *proof.Manifest) {
		booked(m, usd, proof.Undecided, int64(amount))
		booked(m, terms.SOL, proof.Fees, -fee)
		booked(m, terms.SOL, proof.Undecided, fee+rent+int64(len(beside)))
	}
	r = s.run(t, c, nil)
	if amount == 0 {
		t.Fatal("the holder was not to be paid")
	}
	return r, amount
}

// late is the run after it, in which the service knows.
func late(t testing.TB, s *shelf, why allocation.Reason) run {
	first, amount := undecided(t, s, why)
	id := signature("late")
	_, c := twoScripts()
	c.bend = func(_, _ int, r *allocation.Row) {
		if r.Owner == owner(holder) && r.Asset == usd {
			r.Paid, r.Received, r.Signature, r.Total = amount, amount, id, r.Total+amount
			r.Carried, r.Reserved, r.Reason = 0, 0, ""
		}
	}
	c.pay = func(leg int, p allocation.Payment, out *allocation.Outcome) []step {
		if p.Owner == owner(holder) && leg == 1 {
			*out = allocation.Outcome{Payment: p, Reason: allocation.TimeOver}
		}
		return nil
	}
	all(also(proof.Pay, tx{id: id, slot: ^uint64(100 - lateSlot - 1)}), books(usd, proof.Adjustment, int64(amount)),
		books(terms.SOL, proof.Adjustment, fee+rent), books(terms.SOL, proof.Fees, fee))(&c)
	return s.run(t, c, &first)
}
