package proof_test

import (
	"slices"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/memo"
	"tokenlaunch.example/service/pkg/token/terms"
)

// strangers' transactions: what they send, and to whom.
func fromStranger(word string, slot uint64, does ...step) tx {
	return tx{id: signature(word), slot: slot, signers: []solana.PublicKey{stranger}, does: does}
}

// noted is a memo for an account that requires one.
var noted = step{in: memo.Note("distribution")}

// looks names an account and changes nothing.
func looks(accounts ...solana.PublicKey) step {
	return step{in: computebudget.SetUnitLimit(1), touches: accounts}
}

// failed is a transaction of the wallet's that took its fee.
func failed(x tx) tx {
	x.failed = "InstructionError"
	return x
}

// anchorAgain is another anchor of a run's proof.
func anchorAgain(r run, slot uint64) tx {
	memo := must(verify.ReadAnchor(r.signed)).String()
	return act(format.Anchoring, signature("again", memo, slot), slot, step{in: memoOf(memo)})
}

// anchoredTwice is a run after one whose anchor landed twice: no node told of it at first.
func anchoredTwice(t testing.TB, s *shelf, c script, slot uint64) run {
	first, _ := twoScripts()
	told := s.run(t, first, nil)
	again, last := anchorAgain(told, slot), len(told.acts)-1
	if slot > told.acts[last].slot {
		last++
	}
	told.acts = slices.Insert(told.acts, last, again)
	const base = 200 // what the script adds
	c.also = func(format.Manifest) []extra { return []extra{{format.Anchoring, tx{id: again.id, slot: slot - base}}} }
	return s.run(t, c, &told)
}

// Whatever strangers and the network do, an honest run is complete on the chain, and what
// is taken on trust is named.
func TestHonestRunsOfEveryKindAreComplete(t *testing.T) {
	own := terms.Asset(mint)
	account := ata(wallet, own)
	dust := func(word string, slot uint64) []extra {
		return []extra{
			{tx: fromStranger(word+"SOL", slot, give(wallet, terms.SOL, 3))},
			{tx: fromStranger(word+"token", slot, give(wallet, own, 2))},
			{tx: fromStranger(word+"reward", slot, give(wallet, usd, 1))},
			{tx: fromStranger(word+"account", slot, give(account, terms.SOL, 5))},
			{tx: fromStranger(word+"looks", slot, looks(wallet, account, ata(wallet, usd)))},
			{tx: fromStranger(word+"looks up tokens", slot, looks(wallet, account, solana.Token2022ProgramID))},
			{tx: failed(fromStranger(word+"fails", slot, give(wallet, terms.SOL, 3)))},
		}
	}
	everywhere := func(c *script) {
		word := c.slot.String()
		c.also = func(format.Manifest) []extra {
			return slices.Concat(dust(word+"early", 0), dust(word+"among", 6), dust(word+"at the cut", 50), dust(word+"after the cut", 51), dust(word+"at the anchor", 60))
		}
	}
	tries := func(list ...tx) func(*script) {
		return func(c *script) {
			c.also = func(format.Manifest) (all []extra) {
				for _, x := range list {
					all = append(all, extra{tx: failed(x)})
				}
				return all
			}
		}
	}
	two := func(t testing.TB, s *shelf, c script) run {
		first, _ := twoScripts()
		r := s.run(t, first, nil)
		return s.run(t, c, &r)
	}
	_, claim := twoScripts()
	claim.kind, claim.holders, claim.reward, claim.proceeds = format.Claim, 0, usd, 0
	for name, c := range map[string]struct {
		forgery

		trusted string
		markets []solana.PublicKey
	}{
		"failed attempts": {forgery: forgery{first: tries(
			act(format.Burn, signature("try 1"), 5, burns(100_000)...), act(format.Pay, signature("try 2"), 9), bare("try 3", 1, collects(5)...))}},
		"dust everywhere":                  {forgery: forgery{first: everywhere, second: everywhere}},
		"dust, listed in another order":    {forgery: forgery{first: everywhere, second: everywhere, node: func(s *sim, _ run) { s.lie = shuffled }}},
		"slots listed in another order":    {forgery: forgery{first: honest, second: honest, node: func(s *sim, _ run) { s.lie = shuffled }}},
		"a late payment that was reserved": {forgery: forgery{runs: func(t testing.TB, s *shelf) run { return late(t, s, allocation.Undecided) }}, trusted: "adjustment"},
		"an undecided payment": {forgery: forgery{runs: func(t testing.TB, s *shelf) run {
			r, _ := undecided(t, s, allocation.Undecided)
			return r
		}}, trusted: "undecided"},
		"a claim that keeps the fee of its transactions": {forgery: forgery{runs: func(t testing.TB, s *shelf) run {
			return claims(t, s, terms.SOL, func(uint64) uint64 { return format.MaxClaimFee })
		}}},
		"a claim that keeps half": {forgery: forgery{runs: func(t testing.TB, s *shelf) run {
			return claims(t, s, usd, func(p uint64) uint64 { return p / 2 })
		}}},
		"a claim while something is unsold": {forgery: forgery{runs: func(t testing.TB, s *shelf) run {
			first, _ := twoScripts()
			waits := func(m *format.Manifest) {
				m.Split.UnsoldAfter, m.Exchange.Sold = 7, m.Exchange.Sold-7
			}
			first.plan = waits
			r := s.run(t, first, nil)
			c := claim
			c.plan = func(m *format.Manifest) {
				m.Split = format.Split{Spendable: 7, Unsold: 7, Sell: 7, UnsoldAfter: 7}
			}
			return s.run(t, c, &r)
		}}},
		"the wallet's accounts made by setup": {forgery: forgery{first: func(c *script) {
			c.also = func(format.Manifest) []extra {
				return []extra{
					{tx: fromStranger("float", 0, give(wallet, terms.SOL, 20_000_000))},
					{format.Setup, bare("setup", 0, makes(wallet, own), makes(wallet, usd))},
				}
			}
		}}},
		"a payment with a memo": {forgery: forgery{first: paysFirst(0, func(p allocation.Payment, out *allocation.Outcome) []step {
			return append([]step{noted}, pays(p.Owner, usd, p.Amount-out.Charged, out.Received, out.Charged > 0)...)
		})}},
		"an account made by collecting": {forgery: forgery{first: func(c *script) {
			c.act = func(p format.Purpose, x *tx) {
				if p == format.Collect {
					x.does = slices.Insert(x.does, 1, makes(wallet, own))
				}
				if x.signers[0] == stranger { // they send SOL alone
					x.does = x.does[:1]
				}
			}
		}}},
		"later proofs": {forgery: forgery{first: honest, runs: func(t testing.TB, s *shelf) run {
			r := two(t, s, claim)
			before := r.closed.Hash
			for i := range uint64(3) {
				m := format.Memo{RunID: terms.RunID(mint, hour), Number: 3 + i, Manifest: hash([]byte{byte(i)}), Previous: before}
				before = m.Manifest
				r.acts = append(r.acts, act(format.Anchoring, signature("later", i), 300+2*i, step{in: memoOf(m.String())}),
					fromStranger("looks later"+m.String(), 301+2*i, looks(wallet)))
			}
			failing := format.Memo{RunID: terms.RunID(mint, hour), Number: 2}
			r.acts = append(r.acts, failed(act(format.Anchoring, signature("later", "failed"), 310, step{in: memoOf(failing.String())})),
				fromStranger("says it is the wallet's", 311, looks(wallet), step{in: memoOf(failing.String())}))
			return r
		}}},
		"an anchor that was sent again": {forgery: forgery{first: honest, runs: func(t testing.TB, s *shelf) run {
			_, c := twoScripts()
			return anchoredTwice(t, s, c, 158)
		}}},
		"an anchor that was sent again, and the next one, too": {forgery: forgery{first: honest, runs: func(t testing.TB, s *shelf) run {
			_, c := twoScripts()
			r := anchoredTwice(t, s, c, 162)
			for slot := range uint64(2) {
				r.acts = append(r.acts, anchorAgain(r, 261+slot))
			}
			return r
		}}},
		"a burn in the snapshot's slot": {forgery: forgery{
			first: plans(func(m *format.Manifest) { m.Snapshot.ChainSlot++ }), second: plans(func(m *format.Manifest) { m.Snapshot.ChainSlot++ }),
		}},
		"a burn in the slot of the snapshot before": {forgery: forgery{first: plans(func(m *format.Manifest) { m.Snapshot.ChainSlot++ }), second: honest}},
		"a void and a second attempt":               {forgery: forgery{first: tries(act(format.Burn, signature("try"), 4, burns(100_000)...))}},
		"a claim":                                   {forgery: forgery{runs: func(t testing.TB, s *shelf) run { return two(t, s, claim) }}},
		"a run after a claim": {forgery: forgery{runs: func(t testing.TB, s *shelf) run {
			r := two(t, s, claim)
			_, c := twoScripts()
			c.slot = c.slot.Add(time.Hour)
			return s.run(t, c, &r)
		}}},
		"what was held before counts, from the first":     {forgery: forgery{first: lesser, second: holding}},
		"what was held before counts, from the second on": {forgery: forgery{first: honest, second: holding}},
		"what was held before counts no more":             {forgery: forgery{first: lesser, second: honest}},
		"what was held before a claim counts": {forgery: forgery{runs: func(t testing.TB, s *shelf) run {
			r := two(t, s, claim)
			_, c := twoScripts()
			c.slot = c.slot.Add(time.Hour)
			holding(&c)
			return s.run(t, c, &r)
		}}},
		"what was held in the last of two snapshots counts": {forgery: forgery{runs: func(t testing.TB, s *shelf) run {
			return three(t, s, func(*script, run, run) {})
		}}},
		"a token with a guardian":                                {forgery: forgery{first: guarded, second: guarded, node: byMembers}},
		"a token with a guardian, moved by guardian and creator": {forgery: forgery{runs: movedBy(creator, guardian), node: moved}},
		"a rotation":                   {forgery: forgery{runs: rotated(), node: ofLater}},
		"two rotations":                {forgery: forgery{runs: rotated(middleKey), node: ofLater}},
		"a later rotation":             {forgery: forgery{runs: rotatedSince(nil), node: ofLater}, trusted: "rotation"},
		"two wallets of the creator's": {forgery: forgery{first: splits, second: splits}},
		"two wallets of the creator's that wait for their parts": {forgery: forgery{first: all(splits, unpaid), second: splits}},
		"a sale to a market that the reader names": {forgery: forgery{first: acts(format.Exchange, func(x *tx) {
			sold := x.does[3]
			sold.inner = false
			x.does[2], x.does[3] = looks(stranger), sold
			x.signers = append(x.signers, stranger)
		})}, trusted: "market", markets: []solana.PublicKey{stranger}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShelf()
			r := c.make(t, s)
			node := onChain(t, r)
			if c.node != nil {
				c.node(node, r)
			}
			report, failed := asked(t, s.folder(), r.anchor, node, c.markets...)
			if len(failed) > 0 {
				t.Fatalf("%q", failed)
			}
			for _, name := range checksOfTheChain {
				if !slices.ContainsFunc(report.Checks, func(c verify.Check) bool { return c.Name == name && c.Verdict == verify.Proven }) {
					t.Errorf("%s is not proven", name)
				}
			}
			for _, of := range report.Checks {
				usual := slices.Contains([]string{"settings", "receipts", c.trusted}, of.Name) || slices.ContainsFunc(verify.Limits(), func(l verify.Check) bool { return l.Name == of.Name })
				if of.Verdict == verify.Skipped || of.Verdict == verify.Trusted && !usual {
					t.Errorf("%s is %s: %s", of.Name, of.Verdict, of.Detail)
				}
			}
			if c.trusted != "" && !slices.ContainsFunc(report.Checks, func(of verify.Check) bool { return of.Name == c.trusted && of.Verdict == verify.Trusted }) {
				t.Errorf("%s is not said to be on trust", c.trusted)
			}
		})
	}
}
