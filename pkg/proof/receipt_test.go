package proof_test

import (
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

// made gives the transaction of a receipt that is not as it should be.
func made(t testing.TB, s solana.Signature, change func(*systemprogram.CreateAccountWithSeed)) func(*proof.Landing) {
	return func(l *proof.Landing) {
		r := receipt(wallet, s)
		change(&r)
		l.Instructions[0] = landed(t, r.Instruction())
	}
}

// at gives the address that a changed receipt would have, so that only the change is wrong.
func at(r *systemprogram.CreateAccountWithSeed) {
	r.Account = must(systemprogram.AddressWithSeed(r.Base, r.Seed, r.Owner))
}

// What a signed bundle can say of receipts that the chain does not: each is refused by
// both verifiers.
func TestReceiptsAreHeldAgainstTheChain(t *testing.T) {
	s, first, second := twoRuns(t, 24)
	for _, r := range []run{first, second} {
		files := alone(s, r).folder()
		m := r.closed.Manifest
		pay := r.rows[slices.IndexFunc(r.rows, func(row allocation.Row) bool { return row.Paid > 0 })].Signature
		burn, back, void := signature(m.RunID, "burn"), signature(m.RunID, "return"), signature(m.RunID, "void")
		collect := signature(m.RunID, "collect")
		sol := proof.Holder{Owner: wallet, Asset: terms.SOL}
		gift := systemprogram.Transfer{From: wallet, To: developer, Lamports: 1}
		advance := systemprogram.AdvanceNonceAccount{Nonce: developer, Authority: wallet}
		assign := systemprogram.AllocateWithSeed{Account: receipt(wallet, pay).Account, Base: wallet, Seed: receipt(wallet, pay).Seed, Owner: developer}
		add := func(in solana.Instruction) func(*proof.Landing) {
			return func(l *proof.Landing) { l.Instructions = append(l.Instructions, landed(t, in)) }
		}
		elsewhere := func(change func(*systemprogram.TransferWithSeed)) func(*proof.Landing) {
			return func(l *proof.Landing) {
				in := returned(signature(back, 1), rent+dust)
				change(&in)
				l.Instructions[1] = landed(t, in.Instruction())
			}
		}
		for name, c := range map[string]struct {
			of     solana.Signature
			change func(*proof.Landing)
			says   string
		}{
			"overfunded": {pay, made(t, pay, func(r *systemprogram.CreateAccountWithSeed) {
				r.Lamports = proof.MaxReceiptLamports + 1
			}), "at most 890880 are its rent"},
			"of another amount": {burn, made(t, burn, func(r *systemprogram.CreateAccountWithSeed) { r.Lamports++ }), "lent to receipts on the chain"},
			"of another program": {pay, made(t, pay, func(r *systemprogram.CreateAccountWithSeed) {
				r.Owner = developer
				at(r)
			}), "given to the program"},
			"with data": {pay, made(t, pay, func(r *systemprogram.CreateAccountWithSeed) { r.Space = 80 }), "has 80 bytes"},
			"of another base": {pay, made(t, pay, func(r *systemprogram.CreateAccountWithSeed) {
				r.Base = developer
				at(r)
			}), "'s, paid by"},
			"paid by another": {pay, made(t, pay, func(r *systemprogram.CreateAccountWithSeed) { r.Payer = developer }), "paid by " + developer.String()},
			"at another address": {pay, made(t, pay, func(r *systemprogram.CreateAccountWithSeed) {
				r.Account = developer
			}), "is not the receipt of"},
			"with a short seed": {pay, made(t, pay, func(r *systemprogram.CreateAccountWithSeed) {
				r.Seed = r.Seed[:15]
				at(r)
			}), "is no seed"},
			"with a long seed": {pay, made(t, pay, func(r *systemprogram.CreateAccountWithSeed) {
				r.Seed += "x"
				at(r)
			}), "is no seed"},
			"with a seed of other letters": {pay, made(t, pay, func(r *systemprogram.CreateAccountWithSeed) {
				r.Seed = "0123456789abcdef="
				at(r)
			}), "is no seed"},
			"two in one transaction": {pay, add(receipt(wallet, signature("two")).Instruction()), "only a payment's first instruction"},
			"not first": {pay, func(l *proof.Landing) {
				l.Instructions[0], l.Instructions[1] = l.Instructions[1], l.Instructions[0]
			}, "only a payment's first instruction"},
			"none":                           {pay, func(l *proof.Landing) { l.Instructions = l.Instructions[1:] }, "makes no receipt"},
			"none at all":                    {burn, func(l *proof.Landing) { l.Instructions = nil }, "makes no receipt"},
			"the same twice":                 {burn, made(t, pay, func(*systemprogram.CreateAccountWithSeed) {}), "was made before"},
			"where none belongs":             {collect, add(receipt(wallet, collect).Instruction()), "only a payment's first instruction"},
			"cut off":                        {pay, func(l *proof.Landing) { l.Instructions[0].Data = l.Instructions[0].Data[:50] }, "malformed"},
			"without accounts":               {pay, func(l *proof.Landing) { l.Instructions[0].Accounts = nil }, "malformed"},
			"no kind":                        {pay, func(l *proof.Landing) { l.Instructions[0].Data = nil }, "malformed"},
			"lent to another program after":  {pay, add(assign.Instruction()), "the wallet stands in an instruction"},
			"a nonce beside it":              {pay, add(advance.Instruction()), "the wallet stands in an instruction"},
			"more beside a void":             {void, add(gift.Instruction()), "only moves receipts"},
			"another program beside a void":  {void, add(solana.NewInstruction(developer, nil, nil)), "only moves receipts"},
			"a void that costs more":         {void, func(l *proof.Landing) { l.Changes[sol] = proof.Change{Before: 1 << 50} }, "the wallet went from"},
			"returned elsewhere":             {back, elsewhere(func(in *systemprogram.TransferWithSeed) { in.To = developer }), "it returns"},
			"returned of another":            {back, elsewhere(func(in *systemprogram.TransferWithSeed) { in.Base, in.From = developer, wallet }), "it returns"},
			"returned of another program":    {back, elsewhere(func(in *systemprogram.TransferWithSeed) { in.Owner = developer }), "it returns"},
			"returned of another address":    {back, elsewhere(func(in *systemprogram.TransferWithSeed) { in.From = developer }), "is not the receipt of"},
			"less returned":                  {back, elsewhere(func(in *systemprogram.TransferWithSeed) { in.Lamports-- }), "the wallet went from"},
			"returned beside a payment":      {pay, add(returned(signature(back, 0), rent).Instruction()), "in transactions of their own"},
			"returned beside a collection":   {collect, add(returned(signature(back, 0), rent).Instruction()), "in transactions of their own"},
			"a payment beside what returns":  {back, add(gift.Instruction()), "only moves receipts"},
			"a receipt beside what returns":  {back, add(receipt(wallet, back).Instruction()), "only a payment's first instruction"},
			"returns that the wallet missed": {back, func(l *proof.Landing) { l.Changes[sol] = proof.Change{Before: 9, After: 9} }, "the wallet went from"},
		} {
			l := onChain(t, r)
			bent := l.landed[c.of]
			c.change(&bent)
			l.landed[c.of] = bent
			failed := asked(t, files, r.anchor, l)
			if len(failed) != 1 || !strings.HasPrefix(failed[0], "transactions on chain: ") || !strings.Contains(failed[0], c.says) {
				t.Errorf("a receipt %s: %q, want %q", name, failed, c.says)
			}
		}

		// What others do beside it is theirs.
		stranger := receipt(developer, pay)
		theirs := systemprogram.TransferWithSeed{From: stranger.Account, Base: developer, To: developer, Seed: stranger.Seed}
		l := onChain(t, r)
		bent := l.landed[pay]
		for _, in := range []solana.Instruction{
			stranger.Instruction(), theirs.Instruction(), computebudget.SetUnitLimit(1), gift.Instruction(),
			systemprogram.CreateAccount{Payer: wallet, Account: developer, Lamports: 1}.Instruction(),
			systemprogram.AdvanceNonceAccount{Nonce: developer, Authority: developer}.Instruction(),
		} {
			add(in)(&bent)
		}
		l.landed[pay] = bent
		if failed := asked(t, files, r.anchor, l); len(failed) > 0 {
			t.Errorf("with what others did beside a payment: %q", failed)
		}
	}
}

// What is stated of receipts is what the named transactions moved, and the statement has
// it, too.
func TestReceiptsAreStated(t *testing.T) {
	s, _, second := twoRuns(t, 24)
	alone := alone(s, second)
	// entry changes an amount of the statement of SOL, and what it is balanced by.
	entry := func(m *proof.Manifest, name proof.Name, by int64, balance proof.Name) {
		at := slices.IndexFunc(m.Statements, func(s proof.Statement) bool { return s.Asset == "SOL" })
		for _, list := range [][]proof.Entry{m.Statements[at].In, m.Statements[at].Out} {
			for i := range list {
				list[i].Amount += proof.Amount(map[proof.Name]int64{name: by, balance: -by}[list[i].Name])
			}
		}
		check(t, m.Statements[at].Check())
	}
	for name, c := range map[string]struct {
		check  string
		change func(*proof.Manifest)
	}{
		"as it is": {"", func(*proof.Manifest) {}},
		"lent, and not stated": {"transactions on chain", func(m *proof.Manifest) {
			m.Receipts.Lent -= rent
			entry(m, proof.ReceiptsLent, -rent, proof.Fees)
		}},
		"lent, and stated as fees": {"conservation", func(m *proof.Manifest) { entry(m, proof.ReceiptsLent, -rent, proof.Fees) }},
		"more is lent than was":    {"transactions on chain", func(m *proof.Manifest) { m.Receipts.Lent++; entry(m, proof.ReceiptsLent, 1, proof.Fees) }},
		"more returned than did": {"transactions on chain", func(m *proof.Manifest) {
			m.Receipts.Returned += rent
			entry(m, proof.ReceiptsReturned, rent, proof.Deposits)
		}},
		"returned, and not stated": {"conservation", func(m *proof.Manifest) { entry(m, proof.ReceiptsReturned, -1, proof.Deposits) }},
		"returned of no one":       {"transactions on chain", func(m *proof.Manifest) { m.Receipts.Returned--; entry(m, proof.ReceiptsReturned, -1, proof.Deposits) }},
		// Runs that came to no proof may have moved more: both say that they cannot know.
		"more in the statement alone": {"", func(m *proof.Manifest) { entry(m, proof.ReceiptsReturned, rent, proof.Deposits) }},
	} {
		t.Run(name, func(t *testing.T) {
			files, anchor, signed := forged(t, alone, second, walletKey, c.change)
			lied := second
			lied.signed = signed
			l := onChain(t, lied)
			failed := asked(t, files, anchor, l)
			if c.check == "" && len(failed) > 0 || c.check != "" && (len(failed) != 1 || !strings.HasPrefix(failed[0], c.check+": ")) {
				t.Errorf("%q", failed)
			}
			report, _ := verify(t, files, anchor)
			unknown := slices.ContainsFunc(report.Checks, func(c proof.Check) bool { return c.Name == "receipts" && c.Verdict == proof.Skipped })
			if unknown != (name == "more in the statement alone") {
				t.Errorf("whether more was moved than is named: %v", unknown)
			}
		})
	}
}

// An anchor is a payment: it begins with its receipt, which its own bytes show.
func TestAnchorsBeginWithAReceipt(t *testing.T) {
	s, _, second := twoRuns(t, 24)
	alone := alone(s, second)
	delete(alone.files, second.anchor+".tx")
	r := receipt(wallet, signature("anchor"))
	memo := solana.NewInstruction(proof.MemoProgram, solana.AccountMetaSlice{solana.Meta(wallet).SIGNER()}, []byte(second.closed.Memo()))
	over, foreign := r, r
	over.Lamports = proof.MaxReceiptLamports + 1
	foreign.Owner = developer
	at(&foreign)
	most := r
	most.Lamports = proof.MaxReceiptLamports
	for name, c := range map[string]struct {
		list []solana.Instruction
		good bool
	}{
		"as it should be":        {[]solana.Instruction{r.Instruction(), memo}, true},
		"with the most":          {[]solana.Instruction{most.Instruction(), memo}, true},
		"none":                   {[]solana.Instruction{memo}, false},
		"after the memo":         {[]solana.Instruction{memo, r.Instruction()}, false},
		"overfunded":             {[]solana.Instruction{over.Instruction(), memo}, false},
		"of another program":     {[]solana.Instruction{foreign.Instruction(), memo}, false},
		"two":                    {[]solana.Instruction{r.Instruction(), receipt(wallet, signature("b")).Instruction(), memo}, false},
		"with a return":          {[]solana.Instruction{r.Instruction(), returned(signature("b"), rent).Instruction(), memo}, false},
		"with a nonce":           {[]solana.Instruction{systemprogram.AdvanceNonceAccount{Nonce: developer, Authority: wallet}.Instruction(), memo}, false},
		"with a receipt's owner": {[]solana.Instruction{r.Instruction(), systemprogram.AllocateWithSeed{Account: r.Account, Base: wallet, Seed: r.Seed, Owner: developer}.Instruction(), memo}, false},
	} {
		bundle := alone.clone()
		raw := signed(t, walletKey, c.list...)
		anchor := proof.CID(hash(raw))
		bundle.files[anchor+".tx"] = raw
		if _, failed := verify(t, bundle.folder(), anchor); (len(failed) == 0) != c.good {
			t.Errorf("%s: %q", name, failed)
		}
		if _, err := proof.KeepAnchor(t.Context(), newShelf(), raw); (err == nil) != c.good {
			t.Errorf("%s: kept: %v", name, err)
		}
	}
}
