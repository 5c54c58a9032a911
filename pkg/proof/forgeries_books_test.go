package proof_test

import (
	"bytes"
	"crypto/ed25519"
	"slices"
	"testing"

	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/token/terms"
)

// cookedBooks are statements that the chain does not bear out.
func cookedBooks() []forgery {
	own := terms.Asset(mint)
	opens := func(by format.Amount) func(*script) {
		return func(c *script) {
			before := c.book
			c.book = func(m *format.Manifest) {
				if before != nil {
					before(m)
				}
				m.Statements[1].Opening += by
			}
		}
	}
	return []forgery{
		{name: "a deposit booked smaller", check: "books on chain", says: "deposits", first: books(terms.SOL, format.Deposits, -7)},
		{
			name: "a deposit booked smaller, and proceeds larger", check: "books on chain", says: "deposits",
			first: all(books(terms.SOL, format.Deposits, -7), func(c *script) { c.plan = func(m *format.Manifest) { m.Exchange.Fuel += 7 } }, acts(format.Exchange, func(x *tx) {
				x.does = append(x.does, give(wallet, terms.SOL, -7))
			}), books(terms.SOL, format.Fees, -7)),
		},
		{
			name: "a deposit booked as what was there before", check: "books on chain", says: "opens with",
			first: all(books(terms.SOL, format.Deposits, -7), opens(7), booksOnly(terms.SOL, 7)),
		},
		{
			name: "an opening of less than the run before has left", check: "run before", says: "and this run opened with", first: honest,
			second: all(books(terms.SOL, format.Fees, 7), books(terms.SOL, format.Fees, -7), opens(^format.Amount(6)), booksOnly(terms.SOL, -7)),
		},
		{name: "a closing of less than there is", check: "books on chain", says: "closes with", first: books(terms.SOL, format.Fees, 7)},
		{
			name: "tokens that are gone, as a tax on sending", check: "conservation", says: "taxOnSending",
			forge: func(m *format.Manifest) { booked(m, own, format.TaxOnSending, 7) },
		},
		{
			name: "books closed after the anchor", check: "anchor on chain", says: "and the books are closed at slot",
			first: plans(func(m *format.Manifest) { m.Cut = 170 }),
		},
		{
			name: "books closed before a payment", check: "transactions", says: "and the books are closed at slot",
			first: plans(func(m *format.Manifest) { m.Cut = 108 }),
		},
		{
			name: "a fee that no transaction took", check: "books on chain", says: "fees",
			first: all(books(terms.SOL, format.Fees, 7), books(terms.SOL, format.Deposits, 7)),
		},
	}
}

// booksOnly changes what is left, and no entry.
func booksOnly(asset terms.Asset, by int64) func(*script) {
	return all(books(asset, format.Deposits, by), func(c *script) {
		before := c.book
		c.book = func(m *format.Manifest) {
			before(m)
			s := &m.Statements[slices.IndexFunc(m.Statements, func(s format.Statement) bool { return s.Asset == asset.String() })]
			for i := range s.In {
				if s.In[i].Name == format.Deposits {
					s.In[i].Amount -= format.Amount(by)
				}
			}
		}
	})
}

// rewrittenPasts tell two stories, or leave one out.
func rewrittenPasts() []forgery {
	memo := func(number uint64) string {
		return format.Memo{RunID: terms.RunID(mint, hour), Number: number, Root: hash([]byte("other"))}.String()
	}
	anchors := func(slot uint64, number uint64) tx {
		return act(format.Anchoring, signature("other"), slot, step{in: memoOf(memo(number))})
	}
	// after has anchors land after those of two honest runs: the number, and which manifest
	// they continue, the second's if it is nil.
	after := func(numbers ...uint64) func(testing.TB, *shelf) run {
		return func(t testing.TB, s *shelf) run {
			first, second := twoScripts()
			past := s.run(t, first, nil)
			r := s.run(t, second, &past)
			before := r.closed.Hash
			for i, number := range numbers {
				m := format.Memo{RunID: terms.RunID(mint, hour), Number: number, Root: hash([]byte("other")), Manifest: hash([]byte{byte(i)}), Previous: before}
				if number == 0 { // of the next number, and continues the first
					m.Number, m.Previous = 3, past.closed.Hash
				}
				r.acts = append(r.acts, act(format.Anchoring, signature("later", i), 300+uint64(i), step{in: memoOf(m.String())}))
				before = m.Manifest
			}
			return r
		}
	}
	return []forgery{
		{name: "two anchors for one number, the other later", check: "later anchors", says: "two stories were told", runs: after(2)},
		{name: "two anchors for the first number, the other later", check: "later anchors", says: "two stories were told", runs: after(1)},
		{name: "two anchors with one manifest before, the other later", check: "later anchors", says: "continues the manifest", runs: after(0)},
		{name: "two anchors for a later number", check: "later anchors", says: "two stories were told", runs: after(3, 4, 3)},
		{name: "a number left out later", check: "later anchors", says: "one was dropped", runs: after(3, 5)},
		{name: "two anchors for one number, the other later, as a node that lists memos tells", check: "later anchors", says: "two stories were told", runs: after(3, 3), node: func(s *sim, _ run) { s.memos = true }},
		{name: "two anchors for one number", check: "anchors", says: "two stories were told", first: honest, second: also("", anchors(55, 2))},
		{name: "two anchors for one number, the first proof's", check: "anchors", says: "two stories were told", first: also("", anchors(55, 1))},
		{name: "another history, named as the anchor before", check: "anchors", says: "two stories were told", first: honest, second: also(format.Anchoring, anchors(20, 2))},
		{name: "a proof that was anchored and is not shown", check: "transactions on chain", says: "does not name it", first: honest, second: also("", anchors(20, 2))},
		{name: "the proof before is withheld", check: "history", says: "the proof before is not at hand", unwalked: true, withheld: true, first: honest, second: honest},
		{name: "the past left out: a later proof that says it is the first", check: "transactions on chain", says: "does not name it", runs: func(t testing.TB, s *shelf) run {
			first, second := twoScripts()
			past := s.run(t, first, nil)
			for i := range past.acts {
				past.acts[i].slot -= 95
			}
			again := s.run(t, second, nil)
			again.before = &past
			return again
		}},
		{name: "a number left out", check: "run before", says: "it is proof 1, and this one 3", first: honest, second: plans(func(m *format.Manifest) { m.Number = 3 })},
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
			last.does = append(last.does[:2:2], raw(operator, nil), inner(raw(format.MemoProgram, []byte(told.closed.Memo()))))
			return s.run(t, second, &told)
		}},
		{name: "the anchor before failed", check: "transactions on chain", says: "it is named for anchor, and failed", runs: func(t testing.TB, s *shelf) run {
			first, second := twoScripts()
			told := s.run(t, first, nil)
			told.acts[len(told.acts)-1].failed = "InstructionError"
			all(func(c *script) { c.book = func(m *format.Manifest) { m.Receipts.Lent -= rent } }, books(terms.SOL, format.ReceiptsLent, -rent))(&second)
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

// splits divide the creator's share among two wallets.
func splits(c *script) { c.partner = stranger }

// unpaid has the creator's part wait for the next run.
func unpaid(c *script) { c.unpaid = true }

// otherSettings are settings that the creator did not order.
func otherSettings() []forgery {
	return []forgery{
		{
			name: "settings changed under the old version", check: "run before", says: "their version has not", first: honest,
			second: plans(func(m *format.Manifest) { m.Settings.Version = 1 }),
		},
		{
			name: "an order that the creator has not signed", check: "settings", says: "is not the creator's",
			first: plans(func(m *format.Manifest) { m.Settings.Order = format.Signature{1} }),
		},
		{name: "the creator's part paid to the operator", check: "division", says: "paid at another wallet", forge: func(m *format.Manifest) { m.Legs[0].Creators[0].Wallet = format.Key(operator) }},
		{
			name: "the creator's parts exchanged", check: "division", says: "parts of 10000, and the settings say", first: splits,
			forge: func(m *format.Manifest) {
				c := m.Legs[0].Creators
				c[0].PartBps, c[1].PartBps = c[1].PartBps, c[0].PartBps
			},
		},
		{
			name: "the operator in place of one of the creator's wallets", check: "division", says: "paid at another wallet", first: splits,
			forge: func(m *format.Manifest) { m.Legs[0].Creators[1].Wallet = format.Key(operator) },
		},
		{
			name: "one of the creator's wallets left out", check: "division", says: "has 1 wallets of the creator's, and the settings 2", first: splits,
			forge: func(m *format.Manifest) { m.Legs[0].Creators = m.Legs[0].Creators[:1] },
		},
		{
			name: "what rounding leaves over to the second of the creator's wallets", check: "division", says: "of the creator's", first: splits,
			forge: func(m *format.Manifest) {
				c := m.Legs[0].Creators
				c[0].Share, c[0].Paid, c[0].Received = c[0].Share-1, c[0].Paid-1, c[0].Received-1
				c[1].Share, c[1].Paid, c[1].Received = c[1].Share+1, c[1].Paid+1, c[1].Received+1
			},
		},
		{
			name: "a split that the creator did not order", check: "settings", says: "is not the creator's", first: all(splits, plans(func(m *format.Manifest) {
				unsplit := terms.Settings{
					RewardToken: m.Settings.RewardToken, MinimumHolding: uint64(m.Settings.MinimumHolding), SellBps: m.Settings.SellBps, Enabled: true,
					Interval: terms.Interval(m.Settings.Interval), BurnBps: m.Settings.BurnBps, DeveloperFeeBps: m.Settings.DeveloperFeeBps, DeveloperWallet: developer,
				}
				text := terms.OrderText(mint, m.Settings.Version, unsplit)
				m.Settings.Order = format.Signature(ed25519.Sign(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{9}, 32)), []byte(text)))
			})),
		},
		{
			name: "a split that is not of all", check: "run", says: "must add up to 100", first: splits,
			forge: func(m *format.Manifest) {
				m.Settings.CreatorSplits[1].PartBps--
				m.Legs[0].Creators[1].PartBps--
			},
		},
		{
			name: "one of the creator's wallets owed what was left to another", check: "run before", says: "the creator's wallets with other parts of it",
			first: all(splits, unpaid), second: splits, forge: func(m *format.Manifest) {
				for i, by := range []format.Amount{1, ^format.Amount(0)} {
					c := &m.Legs[1].Creators[i]
					c.Owed, c.Carried = c.Owed+by, c.Carried+by
				}
			},
		},
		{
			name: "another creator than in the run before", check: "run before", says: "of the creator", first: honest,
			second: plans(func(m *format.Manifest) { m.Creator = format.Key(operator) }),
		},
		{name: "the zero address as the token's program", check: "run", says: "is not the account of", forge: func(m *format.Manifest) { m.Program = format.Key{} }},
		{name: "a claim that sells", check: "run", says: "a claim sells, burns and shares out nothing", forge: func(m *format.Manifest) { m.Kind = format.Claim }},
	}
}
