package transaction_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/lighthouse"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// The accounts of the orders of these tests: the mint and the nonce's authority sign.
var (
	mint, nonceAccount, authority, elsewhere = key(2), key(3), key(4), key(9)
	payer                                    = address(twoKeys()[0])
)

// order is a launch in small: it advances a nonce and creates the mint.
func order(payer solana.PublicKey) []solana.Instruction {
	return []solana.Instruction{
		systemprogram.AdvanceNonceAccount{Nonce: nonceAccount, Authority: authority}.Instruction(),
		computebudget.SetUnitLimit(40_000),
		computebudget.SetUnitPrice(10_000),
		systemprogram.CreateAccount{Payer: payer, Account: mint, Lamports: 5_000_000, Space: 346, Owner: solana.Token2022ProgramID}.Instruction(),
		systemprogram.Transfer{From: payer, To: key(5), Lamports: 20_000_000}.Instruction(),
	}
}

// assertion is a guard of Lighthouse about accounts.
func assertion(accounts ...*solana.AccountMeta) solana.Instruction {
	return solana.NewInstruction(lighthouse.Program, accounts, []byte{5, 0, 1})
}

func budgetOf(data ...byte) solana.Instruction {
	return solana.NewInstruction(solana.ComputeBudget, nil, data)
}

func compiled(t interface{ Fatal(...any) }, payer solana.PublicKey, list ...solana.Instruction) wire.Message {
	m, err := wire.Compile(payer, solana.Hash{7}, list)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// changes applies what a wallet does to the instructions of an order.
func changes(what func([]solana.Instruction) []solana.Instruction) []solana.Instruction {
	return what(order(payer))
}

// behind appends instructions.
func behind(more ...solana.Instruction) []solana.Instruction { return append(order(payer), more...) }

// at replaces an instruction.
func at(i int, with solana.Instruction) []solana.Instruction {
	list := order(payer)
	list[i] = with
	return list
}

// A wallet may set its own price and limit and add assertions, and each is described.
func TestChangesOfAWallet(t *testing.T) {
	issued := compiled(t, payer, order(payer)...)
	for name, c := range allowed() {
		got, err := transaction.Changes(issued, compiled(t, payer, c.list...))
		if err != nil || strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
	}
}

// returned is the transaction that a wallet returned: its instructions, and what Changes says of them, or a part of
// its error.
type returned struct {
	list []solana.Instruction
	want string
}

func allowed() map[string]returned {
	dearer := at(2, computebudget.SetUnitPrice(2_000_000))
	return map[string]returned{
		"nothing":                  {order(payer), ""},
		"a higher price":           {dearer, "priority fee of 0.00008 SOL in place of 0.0000004 SOL"},
		"a lower price":            {at(2, computebudget.SetUnitPrice(0)), "priority fee of 0 SOL in place of 0.0000004 SOL"},
		"a higher limit":           {at(1, computebudget.SetUnitLimit(80_000)), "compute unit limit 80000 in place of 40000; priority fee of 0.0000008 SOL in place of 0.0000004 SOL"},
		"the highest fee":          {at(2, computebudget.SetUnitPrice(250_000_000)), "priority fee of 0.01 SOL in place of 0.0000004 SOL"},
		"a guard":                  {behind(assertion(solana.Meta(payer))), "1 Lighthouse assertion(s) added"},
		"a guard without accounts": {behind(assertion()), "1 Lighthouse assertion(s) added"},
		"two guards":               {append(slices.Clone(dearer), assertion(solana.Meta(payer)), assertion(solana.Meta(elsewhere))), "priority fee of 0.00008 SOL in place of 0.0000004 SOL; 2 Lighthouse assertion(s) added"},
		"the last guard":           {behind(solana.NewInstruction(lighthouse.Program, nil, []byte{15})), "1 Lighthouse assertion(s) added"},
		"the nonce, read":          {behind(assertion(solana.Meta(nonceAccount))), "1 Lighthouse assertion(s) added"},
		"the first guard":          {behind(solana.NewInstruction(lighthouse.Program, nil, []byte{2, 9, 9})), "1 Lighthouse assertion(s) added"},
		"the distribution":         {behind(assertion(solana.Meta(key(5)))), "1 Lighthouse assertion(s) added"},
	}
}

// Every other change to a message is rejected, and the error names the difference: the other
// signatures must never authorize more than the issued message.
func TestChangeRejections(t *testing.T) {
	issued := compiled(t, payer, order(payer)...)
	for name, c := range rejected() {
		got, err := transaction.Changes(issued, compiled(t, payer, c.list...))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q, %v; want an error with %q", name, got, err, c.want)
		}
	}
	if _, err := transaction.Changes(issued, compiled(t, elsewhere, order(payer)...)); err == nil || !strings.Contains(err.Error(), "the fee payer is "+elsewhere.String()) {
		t.Errorf("another fee payer: %v", err)
	}
	other, err := issued.OnRecent(solana.Hash{8})
	must.Do(t, err)
	if _, err := transaction.Changes(issued, other); err == nil || !strings.Contains(err.Error(), "the blockhash is") {
		t.Errorf("another blockhash: %v", err)
	}
}

func rejected() map[string]returned {
	steal := systemprogram.Transfer{From: mint, To: elsewhere, Lamports: 1}.Instruction()
	return map[string]returned{
		"another instruction behind":         {behind(steal), "instruction 6 was added: its program is 1111"},
		"another instruction behind a guard": {behind(assertion(), steal), "instruction 7 was added"},
		"a withdrawal of the nonce":          {behind(solana.NewInstruction(solana.SystemProgramID, []*solana.AccountMeta{solana.Meta(nonceAccount).WRITE(), solana.Meta(elsewhere).WRITE(), solana.Meta(authority).SIGNER()}, []byte{5, 0, 0, 0})), "instruction 6 was added"},
		"a guard before":                     {changes(func(l []solana.Instruction) []solana.Instruction { return slices.Insert(l, 4, assertion()) }), "instruction 5: its program is L2TE"},
		"a guard first":                      {changes(func(l []solana.Instruction) []solana.Instruction { return slices.Insert(l, 0, assertion()) }), "instruction 1: its program is L2TE"},
		"a price before the nonce": {changes(func(l []solana.Instruction) []solana.Instruction {
			return slices.Insert(l, 0, computebudget.SetUnitPrice(1))
		}), "instruction 1: its program is Compute"},
		"a second price":                 {behind(computebudget.SetUnitPrice(1)), "instruction 6 was added: its program is Compute"},
		"price and limit exchanged":      {changes(func(l []solana.Instruction) []solana.Instruction { l[1], l[2] = l[2], l[1]; return l }), "instruction 2: it has 9 bytes of data, and 5"},
		"the price twice":                {at(1, computebudget.SetUnitPrice(1)), "instruction 2: it has 9 bytes"},
		"a heap in place of the limit":   {at(1, budgetOf(1, 0, 0, 4, 0)), "instruction 2: its data differ from byte 1 on"},
		"too high a fee":                 {at(2, computebudget.SetUnitPrice(250_000_001)), "the priority fee is 0.010000001 SOL (40000 compute units at 250000001 micro-lamports), and at most 0.01 SOL"},
		"a fee past 64 bits":             {at(2, computebudget.SetUnitPrice(1<<64-1)), "the priority fee is"},
		"too high a limit":               {at(1, computebudget.SetUnitLimit(1_400_001)), "the compute unit limit is 1400001"},
		"no nonce":                       {order(payer)[1:], "it has 4 instructions, and 5 were issued"},
		"no nonce, and a guard":          {append(order(payer)[1:], assertion()), "instruction 1: its program is Compute"},
		"another nonce":                  {at(0, systemprogram.AdvanceNonceAccount{Nonce: elsewhere, Authority: authority}.Instruction()), "instruction 1: account 1 is " + elsewhere.String() + ", and " + nonceAccount.String()},
		"another amount":                 {at(4, systemprogram.Transfer{From: payer, To: key(5), Lamports: 20_000_001}.Instruction()), "instruction 5: its data differ from byte 5 on"},
		"another recipient":              {at(4, systemprogram.Transfer{From: payer, To: elsewhere, Lamports: 20_000_000}.Instruction()), "instruction 5: account 2 is " + elsewhere.String()},
		"one account more":               {at(4, systemprogram.Transfer{From: payer, To: key(5), Lamports: 20_000_000, References: []solana.PublicKey{elsewhere}}.Instruction()), "instruction 5: it has 3 accounts, and 2"},
		"a memory write":                 {behind(solana.NewInstruction(lighthouse.Program, nil, []byte{0, 1})), "instruction 6 was added: it is not an assertion"},
		"a memory account closed":        {behind(solana.NewInstruction(lighthouse.Program, nil, []byte{1, 1})), "it is not an assertion of Lighthouse that only reads accounts (first byte 01)"},
		"a Merkle tree":                  {behind(solana.NewInstruction(lighthouse.Program, nil, []byte{16})), "it is not an assertion"},
		"a guard without data":           {behind(solana.NewInstruction(lighthouse.Program, nil, nil)), "it is not an assertion"},
		"a guard that names the mint":    {behind(assertion(solana.Meta(payer), solana.Meta(mint))), "instruction 6 was added: its account 2 is " + mint.String() + ", which signs"},
		"a guard with the authority":     {behind(assertion(solana.Meta(authority))), "its account 1 is " + authority.String() + ", which signs"},
		"a guard with a signer of its":   {behind(assertion(solana.Meta(elsewhere).SIGNER())), "its account 1 is " + elsewhere.String() + ", which signs"},
		"a guard that writes":            {behind(assertion(solana.Meta(elsewhere).WRITE())), "the account " + elsewhere.String() + " is writable: true, and false"},
		"a guard that makes it writable": {behind(assertion(solana.Meta(authority).WRITE())), "which signs"},
		"rights for a program's sysvar":  {behind(assertion(solana.Meta(solana.SysVarRecentBlockHashesPubkey).WRITE())), "is writable: true, and false was issued"},
	}
}

var update = flag.Bool("update", false, "write the vectors of the TypeScript client again")

// The TypeScript client says the same of the same messages.
func TestChangesVectors(t *testing.T) {
	type vector struct {
		Name, Issued, Returned string
		Changes                []string
		Error                  string
	}
	var list []vector
	issued := compiled(t, payer, order(payer)...)
	add := func(name string, back wire.Message) {
		v := vector{Name: name, Issued: wire.NewTransaction(issued).Base64(), Returned: wire.NewTransaction(back).Base64(), Changes: []string{}}
		changes, err := transaction.Changes(issued, back)
		if v.Changes = append(v.Changes, changes...); err != nil {
			v.Error = err.Error()
		}
		list = append(list, v)
	}
	for _, cases := range []map[string]returned{allowed(), rejected()} {
		for _, name := range slices.Sorted(maps.Keys(cases)) {
			add(name, compiled(t, payer, cases[name].list...))
		}
	}
	add("another payer", compiled(t, elsewhere, order(payer)...))
	add("another order of accounts", reordered(t, issued))
	got, err := json.MarshalIndent(list, "", "  ")
	must.Do(t, err)
	const path = "../../client/testdata/changes.json"
	if *update {
		must.Do(t, os.WriteFile(path, append(got, '\n'), 0o600))
	}
	want, err := os.ReadFile(path)
	must.Do(t, err)
	if string(want) != string(got)+"\n" {
		t.Error("the vectors of the TypeScript client are out of date: run this test with -update")
	}
}

// reordered exchanges the last two accounts of a message.
func reordered(t *testing.T, m wire.Message) wire.Message {
	t.Helper()
	raw, accounts := m.Bytes(), m.Accounts()
	a, b := len(accounts)-2, len(accounts)-1
	first, second := raw[4+32*a:4+32*b], raw[4+32*b:4+32*(b+1)]
	kept := slices.Clone(first)
	copy(first, second)
	copy(second, kept)
	for at := 4 + 32*len(accounts) + 32 + 1; at < len(raw); {
		at = exchange(raw, at, byte(a), byte(b))
	}
	back, err := wire.ParseMessage(raw)
	must.Do(t, err)
	return back
}

// exchange exchanges two indexes in an instruction, and returns where the next one begins.
func exchange(raw []byte, at int, a, b byte) int {
	accounts := int(raw[at+1])
	for _, i := range append([]int{at}, indexes(at+2, accounts)...) {
		switch raw[i] {
		case a:
			raw[i] = b
		case b:
			raw[i] = a
		}
	}
	return at + 2 + accounts + 1 + int(raw[at+2+accounts])
}

func indexes(from, count int) (list []int) {
	for i := range count {
		list = append(list, from+i)
	}
	return list
}

// Rights and accounts are in the message's header, which no instruction shows.
func TestHeaderRejections(t *testing.T) {
	issued := compiled(t, payer, order(payer)...)
	raw := issued.Bytes()
	const readonlySigners, readonlyOthers = 1, 2
	for name, c := range map[string]struct {
		change func([]byte)
		want   string
	}{
		"a signer that may be written":  {func(b []byte) { b[readonlySigners]-- }, "is writable: true"},
		"a program that may be written": {func(b []byte) { b[readonlyOthers]-- }, "is writable: true"},
		"an account that is only read":  {func(b []byte) { b[readonlyOthers]++ }, "is writable: false"},
		"another signer":                {func(b []byte) { b[0]++; b[readonlySigners]++ }, "signs: true, and false"},
	} {
		changed := slices.Clone(raw)
		c.change(changed)
		m, err := wire.ParseMessage(changed)
		must.Do(t, err)
		if _, err := transaction.Changes(issued, m); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Changes(), %s: %v, want %q", name, err, c.want)
		}
	}
	// An account that no instruction uses, at the end of the list.
	count := raw[3]
	grown := slices.Concat(raw[:4], raw[4:4+32*int(count)], elsewhere[:], raw[4+32*int(count):])
	grown[3]++
	grown[readonlyOthers]++
	m, err := wire.ParseMessage(grown)
	must.Do(t, err)
	if _, err := transaction.Changes(issued, m); err == nil || !strings.Contains(err.Error(), "no instruction uses it") {
		t.Errorf("an account more: %v", err)
	}
}

// Any byte of the issued message that changes is rejected, except those of the two amounts: the
// limit and the price.
func TestChangedBytes(t *testing.T) {
	issued := compiled(t, payer, order(payer)...)
	rapid.Check(t, func(t *rapid.T) {
		raw := issued.Bytes()
		at := rapid.IntRange(0, len(raw)-1).Draw(t, "at")
		raw[at] ^= rapid.ByteRange(1, 255).Draw(t, "with")
		harmless(t, issued, raw)
	})
}

// FuzzChanges tests that an accepted message, whatever a caller returns, has the effects of the
// issued message.
func FuzzChanges(f *testing.F) {
	for _, cases := range []map[string]returned{allowed(), rejected()} {
		for _, c := range cases {
			f.Add(compiled(f, payer, c.list...).Bytes())
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) { harmless(t, compiled(t, payer, order(payer)...), raw) })
}

// harmless checks that a message is rejected, or has the issued instructions within the bounds of
// the fee, the issued signers and writable accounts, and only assertions of the payer's behind.
func harmless(t interface {
	Fatalf(string, ...any)
}, issued wire.Message, raw []byte,
) {
	m, err := wire.ParseMessage(raw)
	if err != nil {
		return
	}
	if _, err := transaction.Changes(issued, m); err != nil {
		return
	}
	have, want := m.Instructions(), issued.Instructions()
	for i := range want {
		const limit, price = 1, 2
		if i == limit || i == price {
			continue
		}
		if !have[i].Same(solana.NewInstruction(want[i].ProgramID, metas(want[i]), want[i].Data)) {
			t.Fatalf("%x changes instruction %d, and is accepted", raw, i)
		}
	}
	for _, guard := range have[len(want):] {
		if guard.ProgramID != lighthouse.Program || slices.Contains(guard.Keys(), mint) || slices.Contains(guard.Keys(), authority) {
			t.Fatalf("%x adds %+v, and is accepted", raw, guard)
		}
	}
	units, each := binary.LittleEndian.Uint32(have[1].Data[1:]), binary.LittleEndian.Uint64(have[2].Data[1:])
	if fee := computebudget.PriorityFee(units, each); fee > transaction.MaxPriorityFee {
		t.Fatalf("%x pays a fee of %d lamports, and is accepted", raw, fee)
	}
	if got, want := powers(m), powers(issued); !maps.Equal(got, want) {
		t.Fatalf("%x signs and writes %v, and is accepted; want %v", raw, got, want)
	}
}

// powers lists the accounts that sign or may be written.
func powers(m wire.Message) map[solana.PublicKey][2]bool {
	all := map[solana.PublicKey][2]bool{}
	for _, a := range m.Accounts() {
		if a.IsSigner || a.IsWritable {
			all[a.PublicKey] = [2]bool{a.IsSigner, a.IsWritable}
		}
	}
	return all
}

func metas(i wire.Instruction) (list []*solana.AccountMeta) {
	for _, a := range i.Accounts {
		list = append(list, &a)
	}
	return list
}

// Accept returns what the wallet made of it, with the caller's signature only.
func TestAcceptTakesTheIssuedMessageAndItsChanges(t *testing.T) {
	private := twoKeys()[0]
	issued := compiled(t, payer, order(payer)...)
	p := transaction.Prepared{Caller: payer, Mint: mint, Messages: []transaction.Message{{}, {Digest: sha256.Sum256(issued.Bytes())}}}
	again := func(recent solana.Hash) (wire.Message, error) { return issued.OnRecent(recent) }
	for name, list := range map[string][]solana.Instruction{"as issued": order(payer), "guarded": behind(assertion(solana.Meta(payer)))} {
		tx := wire.NewTransaction(compiled(t, payer, list...))
		must.Do(t, tx.Sign(private))
		got, message, err := p.Accept(tx.Base64(), again)
		must.Do(t, err)
		if message != 1 || !got.Message().Equal(tx.Message()) || len(got.Missing()) != 2 {
			t.Errorf("%s: message %d, %d signatures are missing; want 1 and 2", name, message, len(got.Missing()))
		}
	}
	other, err := issued.OnRecent(solana.Hash{8})
	must.Do(t, err)
	for want, m := range map[string]wire.Message{
		"instruction 6 was added": compiled(t, payer, behind(systemprogram.Transfer{From: mint, To: payer, Lamports: 1}.Instruction())...),
		"is none of this order's": other,
	} {
		tx := wire.NewTransaction(m)
		must.Do(t, tx.Sign(private))
		if _, _, err := p.Accept(tx.Base64(), again); apperr.KindOf(err) != apperr.Invalid || !strings.Contains(err.Error(), want) {
			t.Errorf("Accept() = %v, want invalid with %q", err, want)
		}
	}
}
