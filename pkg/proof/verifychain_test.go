package proof_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/token/terms"
)

// ledger is what landed, by signature.
type ledger struct {
	landed     map[solana.Signature]proof.Landing
	withdrawer solana.PublicKey
	err        error
}

func (l ledger) Landing(_ context.Context, s solana.Signature) (proof.Landing, error) {
	landing, ok := l.landed[s]
	switch {
	case l.err != nil:
		return proof.Landing{}, l.err
	case !ok:
		return proof.Landing{}, proof.ErrNotLanded
	}
	return landing, nil
}

func (l ledger) Withdrawer(context.Context, solana.PublicKey) (solana.PublicKey, error) {
	return l.withdrawer, nil
}

// onChain is the ledger where everything happened as the run says.
func onChain(t testing.TB, r run) ledger {
	t.Helper()
	const fee, much = 5000, 1 << 50
	l := ledger{landed: map[solana.Signature]proof.Landing{}, withdrawer: wallet}
	sol := proof.Holder{Owner: wallet, Asset: terms.SOL}
	at := func(s solana.Signature, slot uint64) proof.Landing {
		got, ok := l.landed[s]
		if !ok {
			got = proof.Landing{
				Slot: slot, FeeLamports: fee, Burned: map[solana.PublicKey]uint64{},
				Changes: map[proof.Holder]proof.Change{sol: {Before: much, After: much - fee}},
			}
			change := got.Changes[sol]
			if p := r.purposes[s]; p == proof.Return {
				change.After += 2*rent + dust
				for i, lamports := range []uint64{rent, rent + dust} {
					got.Instructions = append(got.Instructions, landed(t, returned(signature(s, i), lamports).Instruction()))
				}
			} else if p != proof.Collect {
				change.After -= rent
				got.Instructions = []proof.Instruction{landed(t, receipt(wallet, s).Instruction()), landed(t, computebudget.SetUnitLimit(9))}
			}
			got.Changes[sol] = change
			l.landed[s] = got
		}
		return got
	}
	// move takes the one amount from the wallet and gives the other to an owner.
	move := func(landing proof.Landing, to solana.PublicKey, a terms.Asset, paid, received uint64) {
		from := proof.Holder{Owner: wallet, Asset: a}
		change, ok := landing.Changes[from]
		if !ok {
			change = proof.Change{Before: much, After: much}
		}
		change.After -= paid
		landing.Changes[from] = change
		landing.Changes[proof.Holder{Owner: to, Asset: a}] = proof.Change{Before: 3, After: 3 + received}
	}
	m := r.closed.Manifest
	a, err := proof.ReadAnchor(r.signed)
	check(t, err)
	at(a.Signature, 99)
	for s, p := range r.purposes {
		if slot := map[proof.Purpose]uint64{proof.Anchoring: 69, proof.Return: 71, proof.Void: 80}[p]; slot > 0 {
			at(s, slot)
		}
	}
	collect := at(signature(m.RunID, "collect"), 70)
	collect.Changes[proof.Holder{Owner: wallet, Asset: terms.Asset(mint)}] = proof.Change{After: 500_000}
	burn := at(signature(m.RunID, "burn"), 78)
	burn.Burned[mint] = uint64(m.Split.Burned)
	move(at(signature(m.RunID, "exchange"), 79), owner(9999), terms.Asset(mint), uint64(m.Exchange.Sold+m.Exchange.FuelSold), 1)
	c := m.Legs[0].Creator
	move(at(solana.Signature(c.Signature), 80), developer, must(terms.ParseAsset(m.Legs[0].Asset)), uint64(c.Paid), uint64(c.Received))
	for _, row := range r.rows {
		if row.Paid > 0 {
			move(at(row.Signature, 81), row.Owner, row.Asset, row.Paid, row.Received)
		}
	}
	return l
}

// returned is the instruction that empties a receipt of the wallet's into the wallet.
func returned(number solana.Signature, lamports uint64) systemprogram.TransferWithSeed {
	of := receipt(wallet, number)
	return systemprogram.TransferWithSeed{From: of.Account, Base: wallet, To: wallet, Lamports: lamports, Seed: of.Seed, Owner: of.Owner}
}

// landed gives an instruction as a node tells it.
func landed(t testing.TB, in solana.Instruction) proof.Instruction {
	t.Helper()
	data, err := in.Data()
	check(t, err)
	told := proof.Instruction{Program: in.ProgramID(), Data: data}
	for _, meta := range in.Accounts() {
		told.Accounts = append(told.Accounts, meta.PublicKey)
	}
	return told
}

// asked gives the checks that fail when a chain is asked, and has the case written down
// for the page's verifier.
func asked(t testing.TB, files proof.Folder, anchor string, l ledger) (failed []string) {
	t.Helper()
	report, err := proof.Verify(t.Context(), files, anchor, l)
	check(t, err)
	record.addChain(t, files, anchor, report, l)
	for _, c := range report.Checks {
		if c.Verdict == proof.Failed {
			failed = append(failed, c.Name+": "+c.Detail)
		}
	}
	return failed
}

func TestTheChainIsHeldAgainstTheRows(t *testing.T) {
	s, first, second := twoRuns(t, 90)
	for _, r := range []run{first, second} {
		files := alone(s, r).folder()
		ask := func(l ledger) []string { return asked(t, files, r.anchor, l) }
		if failed := ask(onChain(t, r)); len(failed) > 0 {
			t.Fatalf("as it happened: %q", failed)
		}
		m := r.closed.Manifest
		i := slices.IndexFunc(r.rows, func(row allocation.Row) bool { return row.Paid > 0 })
		paid := r.rows[i]
		to := proof.Holder{Owner: paid.Owner, Asset: paid.Asset}
		change := func(s solana.Signature, change func(*proof.Landing)) func(*ledger) {
			return func(l *ledger) {
				landing := l.landed[s]
				change(&landing)
				l.landed[s] = landing
			}
		}
		own := proof.Holder{Owner: wallet, Asset: terms.Asset(mint)}
		a, err := proof.ReadAnchor(r.signed)
		check(t, err)
		for name, c := range map[string]struct {
			check  string
			change func(*ledger)
		}{
			"somebody else may withdraw": {"wallet on chain", func(l *ledger) { l.withdrawer = developer }},
			"the anchor has not landed":  {"anchor on chain", func(l *ledger) { delete(l.landed, a.Signature) }},
			"the anchor failed":          {"anchor on chain", change(a.Signature, func(l *proof.Landing) { l.Failed = "no" })},
			"a payment has not landed":   {"transactions on chain", func(l *ledger) { delete(l.landed, paid.Signature) }},
			"a payment failed":           {"transactions on chain", change(paid.Signature, func(l *proof.Landing) { l.Failed = "no" })},
			"a payment of another slot":  {"transactions on chain", change(paid.Signature, func(l *proof.Landing) { l.Slot++ })},
			"a unit less arrived":        {"transactions on chain", change(paid.Signature, func(l *proof.Landing) { l.Changes[to] = proof.Change{After: paid.Received - 1} })},
			"a holder lost something":    {"transactions on chain", change(paid.Signature, func(l *proof.Landing) { l.Changes[to] = proof.Change{Before: 9} })},
			"more left the wallet": {"transactions on chain", change(paid.Signature, func(l *proof.Landing) {
				l.Changes[proof.Holder{Owner: wallet, Asset: paid.Asset}] = proof.Change{Before: 1 << 50}
			})},
			"the creator got something":     {"transactions on chain", change(signature(m.RunID, "creator"), func(l *proof.Landing) { clear(l.Changes) })},
			"less was burned":               {"transactions on chain", change(signature(m.RunID, "burn"), func(l *proof.Landing) { l.Burned[mint]-- })},
			"another mint was burned":       {"transactions on chain", change(signature(m.RunID, "burn"), func(l *proof.Landing) { clear(l.Burned); l.Burned[developer] = 1 })},
			"more was sold":                 {"transactions on chain", change(signature(m.RunID, "exchange"), func(l *proof.Landing) { l.Changes[own] = proof.Change{Before: 1 << 50} })},
			"more was collected":            {"transactions on chain", change(signature(m.RunID, "collect"), func(l *proof.Landing) { l.Changes[own] = proof.Change{After: 500_001} })},
			"the node does not answer":      {"transactions on chain", func(l *ledger) { l.err = errors.New("away") }},
			"the node answers of nothing":   {"anchor on chain", func(l *ledger) { l.landed = nil }},
			"what is read is of no wallets": {"transactions on chain", change(paid.Signature, func(l *proof.Landing) { clear(l.Changes) })},
		} {
			l := onChain(t, r)
			c.change(&l)
			if failed := ask(l); !slices.ContainsFunc(failed, func(f string) bool { return strings.HasPrefix(f, c.check+": ") }) {
				t.Errorf("%s: %q", name, failed)
			}
		}
	}
}
