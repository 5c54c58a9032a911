package proof_test

import (
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// skims are lamports that go to the operator, booked as fees.
func skims() []forgery {
	skim := func(purpose format.Purpose, x tx) func(*script) {
		x.does = append(x.does, sends(operator, 1))
		return all(also(purpose, x), books(terms.SOL, format.Fees, 1))
	}
	id := signature("skim")
	const takes, only = "takes lamports of the wallet", "only moves receipts"
	return []forgery{
		{name: "one lamport skimmed, and not named", check: "transactions on chain", says: "does not name it", first: skim("", bare("skim", 20))},
		{name: "a skim named as setup", check: "transactions on chain", says: takes, first: skim(format.Setup, bare("skim", 20))},
		{name: "a skim named as collecting", check: "transactions on chain", says: takes, first: skim(format.Collect, act(format.Collect, id, 20))},
		{name: "a skim named as a return of receipts", check: "transactions on chain", says: only, first: skim(format.Return, act(format.Return, id, 20, returns(id)...))},
		{name: "a skim named as a void", check: "transactions on chain", says: only, first: skim(format.Void, act(format.Void, id, 20))},
		{
			name: "a skim named as the anchor before", check: "transactions on chain", says: takes, first: honest,
			second: skim(format.Anchoring, act(format.Anchoring, id, 20)),
		},
		{name: "a skim in the anchor itself", check: "anchor", says: takes, first: func(c *script) {
			c.seal = func(t testing.TB, memo string) []byte {
				return signed(t, walletKey, naming(receipt(wallet, signature(memo)).Instruction(), wallet), memoOf(memo), sends(operator, 1).in)
			}
		}},
		{
			name: "a skim within a payment to holders", check: "transactions on chain", says: takes,
			first: all(does(format.Pay, sends(operator, 1)), books(terms.SOL, format.Fees, 1)),
		},
		{
			name: "a skim within the creator's payment", check: "transactions on chain", says: takes,
			first: all(does(format.Creator, sends(operator, 1)), books(terms.SOL, format.Fees, 1)),
		},
		{
			name: "a skim within a burn", check: "transactions on chain", says: takes,
			first: all(does(format.Burn, sends(operator, 1)), books(terms.SOL, format.Fees, 1)),
		},
		{
			name: "a skim as a huge fee, for a friend who makes the block", check: "transactions on chain", says: "its fee is",
			first: acts(format.Void, func(x *tx) { x.fee = verify.MaxFeeLamports + 1 }),
		},
		{
			name: "a skim in a transaction that a stranger pays for", check: "transactions on chain", says: "does not name it",
			first: all(also("", byStranger(bare("skim", 20, sends(operator, 1)))), books(terms.SOL, format.Fees, 1)),
		},
		{
			name: "a payment that a stranger pays for", check: "transactions on chain", says: "does not pay for it",
			first: all(acts(format.Pay, func(x *tx) { *x = byStranger(*x) }), books(terms.SOL, format.Fees, 0)),
		},
		{name: "a skim in the anchor before", check: "transactions on chain", says: takes, runs: func(t testing.TB, s *shelf) run {
			first, second := twoScripts()
			told := s.run(t, first, nil)
			last := &told.acts[len(told.acts)-1]
			last.does = append(last.does, sends(operator, 1))
			books(terms.SOL, format.Fees, 1)(&second)
			return s.run(t, second, &told)
		}},
		{name: "a skim as a payment that is undecided", check: "transactions on chain", says: "it pays none for whom something is reserved", first: all(
			also("", act(format.Pay, id, 20, sends(operator, 7))), books(terms.SOL, format.Fees, -fee), books(terms.SOL, format.Undecided, fee+rent+7))},
		{name: "a skim of tokens as a payment that is undecided", check: "transactions on chain", says: "it pays none for whom something is reserved", first: all(
			also("", act(format.Pay, id, 20, sendsTokens(usd, operator, 7))), books(terms.SOL, format.Fees, -fee),
			books(terms.SOL, format.Undecided, fee+rent), books(usd, format.Undecided, 7))},
		{name: "a skim in addition to a payment that is undecided", check: "transactions on chain", says: takes, runs: func(t testing.TB, s *shelf) run {
			r, _ := undecided(t, s, allocation.Undecided, sends(operator, 1))
			return r
		}},
		{name: "a payment that is undecided, of more than is reserved", check: "transactions on chain", says: "are reserved", runs: func(t testing.TB, s *shelf) run {
			r, _ := undecided(t, s, allocation.Undecided, sendsTokens(usd, owner(holder), 5))
			return r
		}},
		{name: "a payment that is undecided, and not reserved", check: "transactions on chain", says: "it pays none for whom something is reserved", runs: func(t testing.TB, s *shelf) run {
			r, _ := undecided(t, s, allocation.AccountFrozen)
			return r
		}},
		{name: "more adjusted than the operator says", check: "books on chain", says: "has fees", first: all(
			also("", act(format.Pay, id, 20, sends(operator, 7))), adjusts(1), books(terms.SOL, format.Fees, rent+6))},
	}
}

// memoOf is the instruction of a memo.
func memoOf(memo string) solana.Instruction {
	return solana.NewInstruction(format.MemoProgram, solana.AccountMetaSlice{solana.Meta(wallet).SIGNER()}, []byte(memo))
}

// liesOfNodes are told by a node that is the operator's.
func liesOfNodes() []forgery {
	skimmed := all(also("", bare("skim", 20, sends(operator, 1))), books(terms.SOL, format.Fees, 1))
	tells := func(l lie) func(*sim, run) { return func(s *sim, _ run) { s.lie = l } }
	return []forgery{
		{
			name: "the node hides a skim", check: "history", says: "not an unbroken chain", first: skimmed,
			node: func(s *sim, _ run) { s.hidden[signature("skim")] = true },
		},
		{
			name: "the node tells of a skim without its loss", check: "history", says: "not an unbroken chain", first: skimmed,
			node: func(s *sim, _ run) {
				s.bent[signature("skim")] = func(t *chain.Transaction) { t.Accounts[0].After++ }
			},
		},
		{
			name: "the node hides what a stranger sent in tokens", check: "history", says: "not an unbroken chain", first: honest,
			node: func(s *sim, r run) { s.hidden[signature(r.closed.Manifest.RunID, "deposit")] = true },
		},
		{
			name: "the node tells of tokens that were there before the first run", check: "history", says: "not an unbroken chain", first: honest,
			node: func(s *sim, r run) {
				s.bent[signature(r.closed.Manifest.RunID, "deposit")] = func(t *chain.Transaction) {
					for i := range t.Tokens {
						t.Tokens[i].OwnerBefore, t.Tokens[i].Before = wallet, t.Tokens[i].After
					}
				}
			},
		},
		{
			name: "the node does not know the anchor", check: "anchor on chain", says: "has not landed", first: honest,
			node: func(s *sim, r run) { s.hidden[r.acts[len(r.acts)-1].id] = true },
		},
		{name: "the node knows nothing before the first anchor", check: "history", says: "not an unbroken chain", first: honest, node: tells(nothingOlder)},
		{name: "the node knows nothing before a later anchor", check: "history", says: "does not list", unwalked: true, first: honest, second: honest, node: tells(nothingOlder)},
		{
			name: "the node does not list the anchor before", check: "transactions on chain", says: "has not landed", first: honest, second: honest,
			node: func(s *sim, r run) { s.hidden[r.before.acts[len(r.before.acts)-1].id] = true },
		},
		{name: "the node lists a transaction twice", check: "history", says: "twice", unwalked: true, first: honest, node: tells(twice)},
		{name: "the node lists the oldest first", check: "history", says: "after slot", unwalked: true, first: honest, node: tells(reversed)},
		{name: "the node's list has no end", check: "history", says: "twice", unwalked: true, first: honest, second: honest, node: tells(endless)},
		{
			name: "another wallet may withdraw the tax", check: "wallet on chain", says: "to withdraw", first: honest,
			node: func(s *sim, _ run) { s.withdrawer = operator },
		},
	}
}

// dishonestSales are exchanges that are none, or bring more than is said.
func dishonestSales() []forgery {
	fewer := func(c *script) { // the whole sale brings one unit
		c.proceeds = 1
		c.plan = func(m *format.Manifest) { m.Exchange.FuelSold, m.Exchange.Fuel, m.Exchange.Sold = 0, 0, m.Split.Sell }
	}
	const sold = 400_000
	// straight sends the tokens to a key of the operator's.
	straight := func(signers ...solana.PublicKey) func(*script) {
		return all(fewer, acts(format.Exchange, func(x *tx) {
			x.does = append(x.does[:2:2], sendsTokens(terms.Asset(mint), operator, sold), give(wallet, usd, 1))
			x.signers = append(x.signers, signers...)
		}))
	}
	inSOL := func(c *script) { c.reward, c.proceeds = terms.SOL, 2_000_000 }
	wrapped := ata(wallet, terms.Asset(solana.WrappedSol))
	return []forgery{
		{name: "a sale for nothing", check: "transactions on chain", says: "brought 0", first: func(c *script) {
			fewer(c)
			c.proceeds = 0
		}},
		{
			name: "proceeds understated, and kept as a deposit", check: "books on chain", says: "proceeds",
			first: all(does(format.Exchange, give(wallet, usd, 100)), books(usd, format.Deposits, 100)),
		},
		{
			name: "proceeds understated, and kept as wrapped SOL", check: "transactions on chain", says: "which no statement has",
			first: all(inSOL, does(format.Exchange, give(wallet, terms.Asset(solana.WrappedSol), 100))),
		},
		{
			name: "proceeds in an account of the wallet's that no statement has", check: "transactions on chain", says: "which no statement has",
			first: does(format.Exchange, give(wallet, rival, 100)),
		},
		{
			name: "wrapped SOL closed to the operator", check: "transactions on chain", says: "closes the account",
			first: all(inSOL, does(format.Exchange, raw(solana.TokenProgramID, []byte{byte(token2022.KindCloseAccount >> 8)}, wrapped, operator, wallet))),
		},
		{name: "tokens sent straight to an account of the operator's, named as a sale", check: "transactions on chain", says: "that is a gift", first: straight()},
		{name: "a sale to the operator, signed by both", check: "transactions on chain", says: "no market that the reader has named", first: straight(operator)},
		{
			name: "a sale through a program of the operator's own", check: "transactions on chain", says: "hands the wallet's signature to the program",
			first: acts(format.Exchange, func(x *tx) { x.does[2] = raw(operator, []byte{1}, wallet) }),
		},
		{
			name: "tokens sold without a market's program", check: "transactions on chain", says: "calls no program of one",
			first: acts(format.Exchange, func(x *tx) { x.does[2] = raw(operator, []byte{1}) }),
		},
		{
			name: "a tip to the operator in the exchange", check: "transactions on chain", says: "takes lamports of the wallet",
			first: all(does(format.Exchange, sends(operator, 10)), books(terms.SOL, format.Fees, 10)),
		},
		{name: "a tip that a program takes in the exchange", check: "transactions on chain", says: "in addition to its fee and receipt", first: all(
			plans(func(m *format.Manifest) {
				m.Exchange.Sold += m.Exchange.FuelSold
				m.Exchange.FuelSold, m.Exchange.Fuel = 0, 0
			}),
			does(format.Exchange, inner(sends(operator, 10))), books(terms.SOL, format.Fees, 10))},
		{
			name: "an account made in the exchange, paid for in addition", check: "transactions on chain", says: "takes lamports of the wallet",
			first: all(inSOL, does(format.Exchange, system(uint32(systemprogram.KindCreateAccountAllowPrefund), operator, wallet).and(func(s *sim) {
				s.lamports[wallet] -= 10
				s.lamports[operator] += 10
			})), books(terms.SOL, format.Fees, 10)),
		},
		{
			name: "an exchange that sells what holders are owed", check: "transactions on chain", says: "it sends 10 of", first: honest,
			second: all(does(format.Exchange, inner(sendsTokens(usd, operator, 10))), books(usd, format.TaxOnSending, 0)),
		},
		{
			name: "a snapshot after the exchange", check: "transactions", says: "who shares was chosen later",
			first: plans(func(m *format.Manifest) { m.Snapshot.ChainSlot = 107 }),
		},
		{
			name: "a snapshot after the sale for costs", check: "transactions", says: "who shares was chosen later",
			first: also(format.Fuel, act(format.Fuel, signature("fuel"), 3)),
		},
	}
}

// inner has a program do it that the instruction before invoked.
func inner(s step) step {
	s.inner = true
	return s
}

// elsewhere is a forgery that the vectors have, in addition to one for each check.
const elsewhere = "tax of accounts withdrawn to the operator in addition to the collected tax"

// takenTax is withheld tax that goes elsewhere.
func takenTax() []forgery {
	own := terms.Asset(mint)
	other := withdraws(rival, wallet, 50)
	return []forgery{
		{
			name: "tax withdrawn to the operator, a stranger paying the fee", check: "transactions on chain", says: "does not name it",
			first: also("", byStranger(bare("tax", 20, withdraws(own, operator, 50)))),
		},
		{
			name: "tax withdrawn to the operator, named as collecting", check: "transactions on chain", says: "it withdraws tax of",
			first: also(format.Collect, bare("tax", 20, withdraws(own, operator, 50))),
		},
		{
			name: "tax withdrawn to the operator in addition to the collected tax", check: "transactions on chain", says: "it withdraws tax of",
			first: does(format.Collect, withdraws(own, operator, 50)),
		},
		{name: "tax of another mint withdrawn", check: "transactions on chain", says: "it withdraws tax of", first: also(format.Collect, bare("tax", 20, other))},
		{
			name: "tax withdrawn in a transaction of another purpose", check: "transactions on chain", says: "it withdraws tax of",
			first: all(does(format.Burn, withdraws(own, wallet, 50)), books(own, format.Collected, 50)),
		},
		{
			name: "tax of accounts withdrawn to the operator, a stranger paying the fee", check: "transactions on chain", says: "does not name it",
			first: also("", byStranger(bare("tax", 20, withdrawsFrom(own, operator, 50)))),
		},
		{
			name: "tax of accounts withdrawn to the operator, named as collecting", check: "transactions on chain", says: "it withdraws tax of",
			first: also(format.Collect, bare("tax", 20, withdrawsFrom(own, operator, 50))),
		},
		{
			name: elsewhere, check: "transactions on chain", says: "it withdraws tax of",
			first: does(format.Collect, withdrawsFrom(own, operator, 50)),
		},
		{
			name: "tax of another mint's accounts withdrawn", check: "transactions on chain", says: "it withdraws tax of",
			first: also(format.Collect, bare("tax", 20, withdrawsFrom(rival, wallet, 50))),
		},
		{
			name: "tax of accounts withdrawn in a transaction of another purpose", check: "transactions on chain", says: "it withdraws tax of",
			first: all(does(format.Burn, withdrawsFrom(own, wallet, 50)), books(own, format.Collected, 50)),
		},
		{
			name: "less collected than was, and the rest as a deposit", check: "books on chain", says: "collected",
			first: all(books(own, format.Collected, -50), books(own, format.Deposits, 50)),
		},
	}
}

// lentAuthority hands over what the wallet may do, for later.
func lentAuthority() []forgery {
	account := ata(wallet, terms.Asset(mint))
	hands := func(kind token2022.InstructionKind, accounts ...solana.PublicKey) step {
		return ofTokens(kind, accounts...)
	}
	const none = "for which nothing here has a need"
	list := []forgery{
		{
			name: "the authority over the tax given away and back, a stranger paying the fee", check: "transactions on chain", says: "does not name it",
			first: also("", byStranger(bare("authority", 20, hands(token2022.KindSetAuthority, mint, wallet)))),
		},
		{
			name: "the authority over the tax given away, named as setup", check: "transactions on chain", says: none,
			first: also(format.Setup, bare("authority", 20, hands(token2022.KindSetAuthority, mint, wallet))),
		},
		{name: "the authority over the tax given away under cover of an undecided payment", check: "transactions on chain", says: "nothing that can be undecided", first: all(
			also("", bare("authority", 20, hands(token2022.KindSetAuthority, mint, wallet))),
			books(terms.SOL, format.Undecided, 1), books(terms.SOL, format.Fees, -1))},
		{name: "the authority over the tax given away under cover of an adjustment", check: "transactions on chain", says: none, first: all(
			also("", act(format.Pay, signature("authority"), 20, hands(token2022.KindSetAuthority, mint, wallet))),
			adjusts(fee+rent), books(terms.SOL, format.Fees, -fee))},
		{
			name: "the wallet's account given to the operator", check: "transactions on chain", says: "after it, or closed",
			first: also(format.Setup, bare("owner", 20, hands(token2022.KindSetAuthority, account, wallet).and(func(s *sim) { s.tokens[account].owner = operator }))),
		},
		{
			name: "the wallet's account closed to the operator", check: "transactions on chain", says: "it closes the account",
			first: also(format.Setup, bare("close", 20, hands(token2022.KindCloseAccount, ata(wallet, rival), operator, wallet))),
		},
		{
			name: "the wallet's account for the reward closed", check: "transactions on chain", says: "after it, or closed",
			first: does(format.Void, hands(token2022.KindCloseAccount, ata(wallet, usd), operator, wallet).and(func(s *sim) { delete(s.tokens, ata(wallet, usd)) })),
		},
		{
			name: "the operator approved as a delegate, a stranger paying the fee", check: "transactions on chain", says: "does not name it",
			first: also("", byStranger(bare("approve", 20, hands(token2022.KindApprove, account, operator, wallet)))),
		},
		{
			name: "the operator approved as a delegate, named as setup", check: "transactions on chain", says: none,
			first: also(format.Setup, bare("approve", 20, hands(token2022.KindApproveChecked, account, mint, operator, wallet))),
		},
		{
			name: "the operator approved as a delegate within a payment", check: "transactions on chain", says: none,
			first: does(format.Pay, hands(token2022.KindApproveChecked, account, mint, operator, wallet)),
		},
		{
			name: "tokens that leave by a delegate", check: "transactions on chain", says: "left the wallet without its signature",
			first: all(also("", tx{id: signature("delegate"), slot: 20, signers: []solana.PublicKey{operator}, does: []step{give(wallet, terms.Asset(mint), -5), give(operator, terms.Asset(mint), 5)}}),
				books(terms.Asset(mint), format.TaxOnSending, 0)),
		},
		{
			name: "many instructions in one that is handed the wallet", check: "transactions on chain", says: none,
			first: does(format.Collect, hands(255<<8, account, mint, ata(operator, terms.Asset(mint)), wallet)),
		},
		{
			name: "lamports of the wallet's account withdrawn", check: "transactions on chain", says: none,
			first: also(format.Setup, bare("excess", 20, hands(38<<8, account, operator, wallet))),
		},
		{
			name: "the wallet given to a program", check: "transactions on chain", says: "the System program's kind 1",
			first: does(format.Pay, system(1, wallet)),
		},
		{
			name: "a durable nonce of the wallet's given away", check: "transactions on chain", says: "the System program's kind 7",
			first: also(format.Setup, bare("nonce", 20, system(7, stranger, wallet))),
		},
		{
			name: "a payment with the lifetime of a durable nonce", check: "transactions on chain", says: "the System program's kind 4",
			first: does(format.Pay, system(4, stranger, solana.SysVarRecentBlockHashesPubkey, wallet)),
		},
		{
			name: "an account made for the operator in the setup", check: "transactions on chain", says: "it makes an account for",
			first: all(also(format.Setup, bare("account", 20, makes(operator, usd)))),
		},
	}
	return list
}

// dishonestReceipts are receipts in which money is left, or which are used twice.
func dishonestReceipts() []forgery {
	more := func(m *format.Manifest) { m.Receipts.Lent += 1_000_000 }
	shared := receipt(wallet, signature("shared"))
	back := func(to solana.PublicKey) step {
		of := receipt(wallet, signature("back"))
		return step{in: systemprogram.TransferWithSeed{From: of.Account, Base: wallet, To: to, Lamports: 5, Seed: of.Seed, Owner: of.Owner}.Instruction()}
	}
	return []forgery{
		{
			name: "a receipt that holds more than its rent", check: "transactions on chain", says: "at most 890880",
			first: all(acts(format.Void, receiptOf(func(r *systemprogram.CreateAccountWithSeed) { r.Lamports += 1_000_000 })),
				func(c *script) { c.book = more }, books(terms.SOL, format.ReceiptsLent, 1_000_000)),
		},
		{
			name: "a receipt given to a program of the operator's", check: "transactions on chain", says: "is given to the program",
			first: acts(format.Void, receiptOf(func(r *systemprogram.CreateAccountWithSeed) {
				r.Owner = operator
				r.Account = must(systemprogram.AddressWithSeed(wallet, r.Seed, operator))
			})),
		},
		{
			name: "a receipt of the operator's", check: "transactions on chain", says: "paid by",
			first: acts(format.Void, receiptOf(func(r *systemprogram.CreateAccountWithSeed) {
				r.Base = operator
				r.Account = must(systemprogram.AddressWithSeed(operator, r.Seed, r.Owner))
			})),
		},
		{
			name: "a payment without a receipt", check: "transactions on chain", says: "makes no receipt",
			first: all(acts(format.Void, func(x *tx) { x.does = x.does[1:] }), func(c *script) {
				c.book = func(m *format.Manifest) { m.Receipts.Lent -= rent }
			}, books(terms.SOL, format.ReceiptsLent, -rent)),
		},
		{name: "two payments with one receipt", check: "transactions on chain", says: "was made before", first: all(
			also(format.Void, act(format.Void, signature("shared"), 20)),
			func(c *script) {
				c.act = func(p format.Purpose, x *tx) {
					if p == format.Void || p == format.Burn {
						x.does[0] = lends(shared)
					}
				}
			})},
		{
			name: "a receipt emptied to the operator", check: "transactions on chain", says: "it returns 5 lamports",
			first: does(format.Return, back(operator)),
		},
		{
			name: "a receipt emptied to the operator in a payment", check: "transactions on chain", says: "it empties the receipt",
			first: does(format.Pay, back(operator)),
		},
		{
			name: "an account of the operator's emptied as a receipt", check: "transactions on chain", says: "is not the receipt",
			first: does(format.Return, step{in: systemprogram.TransferWithSeed{
				From: operator, Base: wallet, To: wallet, Lamports: 5, Seed: shared.Seed, Owner: shared.Owner,
			}.Instruction()}),
		},
		{
			name: "more returned from receipts than came back", check: "transactions on chain", says: "were lent to receipts",
			first: all(func(c *script) { c.book = func(m *format.Manifest) { m.Receipts.Returned += 9 } },
				books(terms.SOL, format.ReceiptsReturned, 9), books(terms.SOL, format.Deposits, -9)),
		},
	}
}
