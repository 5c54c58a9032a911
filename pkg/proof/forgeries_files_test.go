package proof_test

import (
	"slices"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
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

// claims is a claim after a run, in which each payment is charged something for
// its transactions.
func claims(t testing.TB, s *shelf, of terms.Asset, charge func(amount uint64) uint64) run {
	t.Helper()
	first, claim := twoScripts()
	first.reward, claim.reward = of, of
	r := s.run(t, first, nil)
	claim.kind, claim.holders, claim.proceeds = format.Claim, 0, 0
	claim.pay = func(_ int, p allocation.Payment, out *allocation.Outcome) []step {
		if out.Signature.IsZero() {
			return nil
		}
		if out.Charged = 0; p.Amount > charge(p.Amount) {
			out.Charged = charge(p.Amount)
		}
		out.Received = p.Amount - out.Charged
		return pays(p.Owner, of, out.Received, out.Received, false)
	}
	return s.run(t, claim, &r)
}

// passesOn has the second holder of a payment get 9 of what the first one is owed, and send them
// to the operator.
func passesOn(change func(x *tx, by solana.PublicKey, on step)) func(*script) {
	var second solana.PublicKey
	n := 0
	return all(func(c *script) {
		c.pay = func(_ int, p allocation.Payment, out *allocation.Outcome) []step {
			switch n++; n {
			case 1:
				out.Received = p.Amount - 9
				return pays(p.Owner, usd, p.Amount-9, p.Amount-9, false)
			case 2:
				second = p.Owner
				return append(pays(p.Owner, usd, p.Amount, p.Amount, false), sendsTokens(usd, p.Owner, 9))
			}
			return nil
		}
	}, acts(format.Pay, func(x *tx) {
		if !slices.ContainsFunc(x.does, func(s step) bool { return slices.Contains(s.touches, ata(second, usd)) }) {
			return
		}
		from, gets := give(second, usd, -9), give(operator, usd, 9)
		change(x, second, step{in: token2022.TransferChecked{
			Source: ata(second, usd), Mint: usd.Mint(), Destination: ata(operator, usd), Owner: second, Amount: 9, Decimals: 6, Program: programOf(usd),
		}.Instruction(), there: gets.there, apply: func(s *sim) {
			from.apply(s)
			gets.apply(s)
		}})
	}))
}

// dishonestPayments are payments that the rows tell otherwise.
func dishonestPayments() []forgery {
	theirs := signature("theirs")
	return []forgery{
		{
			name: "a failed transaction shown as paid", check: "transactions on chain", says: "and failed",
			first: acts(format.Pay, func(x *tx) { x.failed = "InstructionError" }),
		},
		{
			name: "a holder got less than the row says", check: "transactions on chain", says: "and the row says",
			first: paysFirst(0, func(p allocation.Payment, _ *allocation.Outcome) []step {
				return pays(p.Owner, usd, p.Amount-3, p.Amount-3, false)
			}),
		},
		{
			name: "another owner got a holder's payment", check: "transactions on chain", says: "it sends",
			first: paysFirst(0, func(p allocation.Payment, _ *allocation.Outcome) []step {
				return pays(operator, usd, p.Amount, p.Amount, false)
			}),
		},
		{
			name: "a part of a payment sent to the operator, shown as its tax", check: "transactions on chain", says: "it sends 9 of",
			first: paysFirst(0, func(p allocation.Payment, out *allocation.Outcome) []step {
				out.Received = p.Amount - 9
				return append(pays(p.Owner, usd, p.Amount-9, p.Amount-9, false), sendsTokens(usd, operator, 9))
			}),
		},
		{
			name: "a part of a payment in SOL sent to the operator, shown as its tax", check: "transactions on chain", says: "takes lamports of the wallet", first: honest,
			second: paysFirst(0, func(p allocation.Payment, out *allocation.Outcome) []step {
				out.Received = p.Amount - 9
				return append(pays(p.Owner, terms.SOL, p.Amount-9, p.Amount-9, false), sends(operator, 9))
			}),
		},
		{
			name: "an account for the operator within a payment", check: "transactions on chain", says: "it makes an account for",
			first: does(format.Pay, makes(operator, usd)),
		},
		{
			name: "an account of the operator's within a payment, prefunded", check: "transactions on chain", says: "takes lamports of the wallet",
			first: does(format.Pay, func() step {
				s := makes(operator, usd)
				s.in = system(uint32(systemprogram.KindCreateAccountAllowPrefund), ata(operator, usd), wallet).in
				return s
			}()),
		},
		{
			name: "rent of an account for one holder, and more", check: "transactions on chain", says: "new accounts got",
			first: all(paysFirst(0, func(p allocation.Payment, _ *allocation.Outcome) []step {
				list := pays(p.Owner, usd, p.Amount, p.Amount, true)
				return slices.Insert(list, 1, inner(sends(operator, 5)))
			}), books(terms.SOL, format.Rent, 5)),
		},
		{
			name: "a holder charged for an account that is not made", check: "transactions on chain", says: "no account is made for",
			first: paysFirst(0, func(p allocation.Payment, out *allocation.Outcome) []step {
				out.Charged, out.Received = 9, p.Amount-9
				return pays(p.Owner, usd, p.Amount-9, p.Amount-9, false)
			}),
		},
		{
			name: "a holder charged more than a tenth for an account", check: "rows", says: "for an account",
			first: paysFirst(0, func(p allocation.Payment, out *allocation.Outcome) []step {
				out.Charged = p.Amount/10 + 1
				out.Received = p.Amount - out.Charged
				return pays(p.Owner, usd, out.Received, out.Received, true)
			}),
		},
		{
			name: "a holder charged in SOL for an account that was there before", check: "rows", says: "for an account", first: honest,
			second: paysFirst(0, func(p allocation.Payment, out *allocation.Outcome) []step {
				out.Charged, out.Received = 9, p.Amount-9
				there := give(p.Owner, usd, 0)
				there.in = makes(p.Owner, usd).in
				return append(pays(p.Owner, terms.SOL, p.Amount-9, p.Amount-9, false), there)
			}),
		},
		{
			name: "lamports for a holder in addition to their tokens, and as many into their new account", check: "transactions on chain", says: "takes lamports of the wallet",
			first: all(paysFirst(0, func(p allocation.Payment, _ *allocation.Outcome) []step {
				gives := give(ata(p.Owner, usd), terms.SOL, 500)
				gives.in = systemprogram.Transfer{From: stranger, To: ata(p.Owner, usd), Lamports: 500}.Instruction()
				return append(pays(p.Owner, usd, p.Amount, p.Amount, true), gives, give(stranger, terms.SOL, -500), sends(p.Owner, 500))
			}), acts(format.Pay, func(x *tx) {
				if slices.ContainsFunc(x.does, func(s step) bool { return slices.Contains(s.touches, stranger) }) {
					x.signers = append(x.signers, stranger)
				}
			})),
		},
		{
			name: "a part of a payment that another holder passes on, shown as its tax", check: "transactions on chain", says: "sign",
			first: passesOn(func(x *tx, by solana.PublicKey, on step) {
				x.does, x.signers = append(x.does, on), append(x.signers, by)
			}),
		},
		{
			name: "a part of a payment that the wallet passes on for another holder, shown as its tax", check: "transactions on chain", says: "it sends 9 of",
			first: passesOn(func(x *tx, _ solana.PublicKey, on step) { // of whose multisig account it is a member
				accounts := append(on.in.Accounts(), solana.Meta(wallet).SIGNER())
				on.in = solana.NewInstruction(on.in.ProgramID(), accounts, must(on.in.Data()))
				x.does = append(x.does, on)
			}),
		},
		{
			name: "a part of a payment that another holder's program passes on, shown as its tax", check: "transactions on chain", says: "has no need",
			first: passesOn(func(x *tx, _ solana.PublicKey, on step) {
				on.inner = true
				x.does = append(x.does, raw(operator, nil), on)
			}),
		},
		{
			name: "a memo in a payment that takes the wallet's signature", check: "transactions on chain", says: "has no need",
			first: paysFirst(0, func(p allocation.Payment, _ *allocation.Outcome) []step {
				return append([]step{raw(format.MemoProgram, []byte("distribution"), wallet)}, pays(p.Owner, usd, p.Amount, p.Amount, false)...)
			}),
		},
		{
			name: "a memo in a payment that another instruction calls", check: "transactions on chain", says: "has no need",
			first: paysFirst(0, func(p allocation.Payment, _ *allocation.Outcome) []step {
				return append([]step{inner(noted)}, pays(p.Owner, usd, p.Amount, p.Amount, false)...)
			}),
		},
		{
			name: "an account of another token for a holder within a payment", check: "transactions on chain", says: "new accounts got",
			first: paysFirst(0, func(p allocation.Payment, _ *allocation.Outcome) []step {
				return append(pays(p.Owner, usd, p.Amount, p.Amount, true), makes(p.Owner, rival))
			}),
		},
		{
			name: "a claim that keeps more than half", check: "rows", says: "for its transactions",
			runs: func(t testing.TB, s *shelf) run { return claims(t, s, usd, func(p uint64) uint64 { return p/2 + 1 }) },
		},
		{
			name: "a claim in SOL that keeps more than transactions cost", check: "rows", says: "for its transactions",
			runs: func(t testing.TB, s *shelf) run {
				return claims(t, s, terms.SOL, func(uint64) uint64 { return format.MaxClaimFee + 1 })
			},
		},
		{name: "a payment that pays no row", check: "rows", says: "pays no row", first: func(c *script) { c.extra = true }},
		{name: "payments that are not named", check: "rows", says: "not named as a payment", first: func(c *script) { c.unnamed = true }},
		{
			name: "a payment out of another's wallet", check: "transactions on chain", says: "is in no history of the wallet",
			first: all(paysFirst(0, func(p allocation.Payment, out *allocation.Outcome) []step {
				out.Signature = theirs
				return []step{give(p.Owner, usd, int64(p.Amount))}
			}), acts(format.Pay, func(x *tx) {
				if x.id == theirs {
					x.signers, x.does = []solana.PublicKey{operator}, x.does[3:]
				}
			}), func(c *script) { c.book = func(m *format.Manifest) { m.Receipts.Lent -= rent } }, books(terms.SOL, format.ReceiptsLent, -rent)),
		},
		{
			name: "a payment out of another's wallet, which sends the wallet a lamport", check: "transactions on chain", says: "the wallet did not sign it",
			first: all(paysFirst(0, func(p allocation.Payment, out *allocation.Outcome) []step {
				out.Signature = theirs
				return []step{give(p.Owner, usd, int64(p.Amount))}
			}), acts(format.Pay, func(x *tx) {
				if x.id == theirs {
					x.signers, x.does = []solana.PublicKey{operator}, append(x.does[3:], give(wallet, terms.SOL, 1))
				}
			}), func(c *script) { c.book = func(m *format.Manifest) { m.Receipts.Lent -= rent } }, books(terms.SOL, format.ReceiptsLent, -rent), books(terms.SOL, format.Deposits, 1)),
		},
		{
			name: "a burn of less than is said", check: "books on chain", says: "burned",
			first: acts(format.Burn, func(x *tx) { x.does = append(x.does[:2:2], burns(99_999)...) }),
		},
		{
			name: "a burn that is a transfer", check: "transactions on chain", says: "it sends 100000 of",
			first: acts(format.Burn, func(x *tx) { x.does = append(x.does[:2:2], sendsTokens(terms.Asset(mint), operator, 100_000)) }),
		},
		{
			name: "a burn of what holders are owed", check: "transactions on chain", says: "it burns",
			first: all(does(format.Burn, func() step {
				s := burns(5)[0]
				s.in = ofTokens(8<<8, ata(wallet, usd), usd.Mint(), wallet).in
				return s
			}()), books(terms.Asset(mint), format.Burned, 5)),
		},
		{
			name: "a payment named as landed in another slot", check: "transactions on chain", says: "it landed at slot",
			first: acts(format.Void, func(x *tx) { x.slot++ }),
		},
		{
			name: "a transaction named for two purposes", check: "transactions", says: "is named twice",
			first: also(format.Void, tx{id: signature(terms.RunID(mint, hour), "burn"), slot: 5}),
		},
	}
}

// dishonestRows are lists of holders that contradict themselves, or the run before.
func dishonestRows() []forgery {
	return []forgery{
		{
			name: "less received in all than the run before says", check: "rows", says: "now and", first: honest,
			second: func(c *script) {
				c.reward = usd
				c.bend = func(_, _ int, r *allocation.Row) {
					if r.Total > r.Received {
						r.Total--
					}
				}
			},
		},
		{
			name: "more received in all than the run brought", check: "rows", says: "in this run, the first",
			first: bends(0, func(r *allocation.Row) { r.Total++ }),
		},
		{
			name: "an owner who is left out and shares", check: "rows", says: "shares and is left out",
			first: func(c *script) { c.leave = func(n int, l *format.LeftOut) { l.Owner = owner(n + 1) } },
		},
		{
			name: "a holder left out below a minimum that they have", check: "rows", says: "is left out, and the minimum",
			first: func(c *script) { c.leave = func(n int, l *format.LeftOut) { l.Why = format.BelowMinimum } },
		},
		{
			name: "a holder left out as no key's, whose address is one's", check: "rows", says: "and is on it",
			first: func(c *script) {
				c.leave = func(n int, l *format.LeftOut) {
					l.Why = format.OffCurve
					for !l.Owner.IsOnCurve() {
						l.Owner[30]++
					}
				}
			},
		},
		{
			name: "a holder that the supply has no room for", check: "snapshot", says: "are not the supply",
			forge: func(m *format.Manifest) { m.Snapshot.Supply -= 1000 },
		},
		{
			name: "a holder on no list", check: "snapshot", says: "are not the supply",
			forge: func(m *format.Manifest) { m.Snapshot.Supply += 1000 },
		},
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
		{
			name: "what was owed moved to another holder", check: "rows", says: "and the run before left", first: func(c *script) { c.holders = 60 },
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
			},
		},
		{
			name: "worth paying, and not paid as worth too little", check: "rows", says: "not worth paying",
			first: bends(0, func(r *allocation.Row) {
				r.Carried, r.Total = r.Carried+r.Paid+r.Charged, r.Total-r.Received
				r.Paid, r.Received, r.Charged, r.Signature, r.Reason = 0, 0, 0, solana.Signature{}, allocation.BelowCost
			}),
		},
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
	all(also(format.Pay, tx{id: alone, slot: ^uint64(90)}), books(usd, format.Adjustment, int64(amount)), books(terms.SOL, format.Adjustment, fee+rent),
		books(terms.SOL, format.Fees, fee))(&third)
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
	c.also = func(format.Manifest) []extra { return []extra{{tx: act(format.Pay, id, lateSlot)}} }
	c.act = func(_ format.Purpose, x *tx) {
		if x.id == id {
			x.does = slices.Concat(x.does, pays(owner(holder), usd, amount, amount, false), beside)
		}
	}
	c.book = func(m *format.Manifest) {
		booked(m, usd, format.Undecided, int64(amount))
		booked(m, terms.SOL, format.Fees, -fee)
		booked(m, terms.SOL, format.Undecided, fee+rent+int64(len(beside)))
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
	all(also(format.Pay, tx{id: id, slot: ^uint64(100 - lateSlot - 1)}), books(usd, format.Adjustment, int64(amount)),
		books(terms.SOL, format.Adjustment, fee+rent), books(terms.SOL, format.Fees, fee))(&c)
	return s.run(t, c, &first)
}
