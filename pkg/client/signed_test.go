package client_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/lighthouse"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// person is a wallet that changes what it signs and drops the other signatures.
type person struct {
	client.Key
	key    ed25519.PrivateKey
	change func([]solana.Instruction) []solana.Instruction
}

func newPerson(t *testing.T, change func([]solana.Instruction) []solana.Instruction) person {
	t.Helper()
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	own, err := client.KeyOf(key)
	if err != nil {
		t.Fatal(err)
	}
	return person{own, key, change}
}

func (p person) SignWhole(_ context.Context, unsigned []byte) ([]byte, error) {
	tx, err := wire.ParseTransaction(unsigned)
	if err != nil {
		return nil, err
	}
	var list []solana.Instruction
	for _, i := range tx.Message().Instructions() {
		metas := make([]*solana.AccountMeta, len(i.Accounts))
		for n := range i.Accounts {
			metas[n] = &i.Accounts[n]
		}
		list = append(list, solana.NewInstruction(i.ProgramID, metas, i.Data))
	}
	m, err := wire.Compile(p.PublicKey(), tx.Message().Recent(), p.change(list))
	if err != nil {
		return nil, err
	}
	back := wire.NewTransaction(m)
	err = back.Sign(p.key)
	return back.Bytes(), err
}

func (p person) signed(t *testing.T, tx wire.Transaction) (wire.Transaction, []string, error) {
	t.Helper()
	back, err := p.SignWhole(t.Context(), tx.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return client.CheckSigned(p.PublicKey(), tx, back)
}

func kept(list []solana.Instruction) []solana.Instruction { return list }

func guarded(list []solana.Instruction) []solana.Instruction {
	return append(list, solana.NewInstruction(lighthouse.Program, []*solana.AccountMeta{list[len(list)-1].Accounts()[0]}, []byte{5, 0, 1}))
}

func priced(list []solana.Instruction) []solana.Instruction {
	for i, in := range list {
		if data, err := in.Data(); err == nil && in.ProgramID() == solana.ComputeBudget && data[0] == 3 {
			list[i] = computebudget.SetUnitPrice(300_000)
		}
	}
	return list
}

func tipped(list []solana.Instruction) []solana.Instruction {
	from := list[len(list)-1].Accounts()[0].PublicKey
	return append(list, systemprogram.Transfer{From: from, To: key(8), Lamports: 1}.Instruction())
}

// prepared is a transaction of a wallet with further signers, some of whom have signed.
func prepared(t *testing.T, wallet solana.PublicKey, signers, signed int) (wire.Transaction, []solana.PublicKey) {
	t.Helper()
	list := []solana.Instruction{computebudget.SetUnitLimit(40_000), computebudget.SetUnitPrice(10_000)}
	var keys []ed25519.PrivateKey
	var others []solana.PublicKey
	for range signers {
		_, private, err := ed25519.GenerateKey(nil)
		if err != nil {
			t.Fatal(err)
		}
		other := solana.PublicKeyFromBytes(private[ed25519.SeedSize:])
		keys, others = append(keys, private), append(others, other)
		list = append(list, systemprogram.CreateAccount{Payer: wallet, Account: other, Lamports: 1, Owner: key(9)}.Instruction())
	}
	list = append(list, systemprogram.Transfer{From: wallet, To: key(7), Lamports: 5}.Instruction())
	m, err := wire.Compile(wallet, solana.Hash{1}, list)
	if err != nil {
		t.Fatal(err)
	}
	tx := wire.NewTransaction(m)
	for _, k := range keys[:signed] {
		if err := tx.Sign(k); err != nil {
			t.Fatal(err)
		}
	}
	return tx, others
}

// The other signatures are put back where the message is the issued one, and a change is accepted
// where the service signs last, and only there.
func TestCheckSigned(t *testing.T) {
	for name, c := range map[string]struct {
		change          func([]solana.Instruction) []solana.Instruction
		signers, signed int
		told, refused   string
	}{
		"signatures dropped":           {change: kept, signers: 1, signed: 1},
		"alone":                        {change: kept},
		"the service signs last":       {change: kept, signers: 2, signed: 1},
		"guarded, signed last":         {change: guarded, signers: 2, told: "1 Lighthouse assertion(s) added"},
		"guarded, one signed too soon": {change: guarded, signers: 2, signed: 1, told: "1 Lighthouse assertion(s) added"},
		"guarded, co-signed":           {change: guarded, signers: 1, signed: 1, refused: "1 Lighthouse assertion(s) added; it has a signature of a key that"},
		"guarded, alone":               {change: guarded, told: "1 Lighthouse assertion(s) added"},
		"tipped, signed last":          {change: tipped, signers: 1, refused: "instruction 5 was added: its program is 1111"},
		"tipped, co-signed":            {change: tipped, signers: 1, signed: 1, refused: "instruction 5 was added: its program is 11111111111111111111111111111111, and only"},
		"tipped, alone":                {change: tipped, told: "instruction 4 was added"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPerson(t, c.change)
			tx, others := prepared(t, p.PublicKey(), c.signers, c.signed)
			got, changes, err := p.signed(t, tx)
			if c.refused != "" {
				if !errors.Is(err, client.ErrWalletChanged) || !strings.Contains(err.Error(), c.refused) {
					t.Errorf("CheckSigned() = %v, want %q", err, c.refused)
				}
				return
			}
			if err != nil || !strings.Contains(strings.Join(changes, ", "), c.told) || (c.told == "") != (len(changes) == 0) {
				t.Fatalf("CheckSigned() = %q, %v; want %q", changes, err, c.told)
			}
			if err := got.VerifySignature(p.PublicKey()); err != nil {
				t.Error(err)
			}
			for n, other := range others {
				is := got.VerifySignature(other) == nil
				if want := n < c.signed && c.told == ""; is != want {
					t.Errorf("signature %d is there: %t, want %t", n, is, want)
				}
			}
		})
	}
}

// A wallet that returns the transaction unsigned, or with an invalid signature, is an error.
func TestCheckSignedWithoutSignature(t *testing.T) {
	p := newPerson(t, kept)
	tx, _ := prepared(t, p.PublicKey(), 1, 1)
	if _, _, err := client.CheckSigned(p.PublicKey(), tx, tx.Bytes()); err == nil || !strings.Contains(err.Error(), "without its signature") {
		t.Errorf("unsigned: %v", err)
	}
	wrong := tx.Bytes()
	copy(wrong[1:], slices.Repeat([]byte{1}, solana.SignatureLength))
	if _, _, err := client.CheckSigned(p.PublicKey(), tx, wrong); !errors.Is(err, wire.ErrBadSignature) {
		t.Errorf("a signature that does not fit: %v", err)
	}
	if _, _, err := client.CheckSigned(p.PublicKey(), tx, []byte{1}); !errors.Is(err, client.ErrWalletChanged) {
		t.Errorf("no transaction: %v", err)
	}
}

// A launch is signed with the guard of the wallet, and the fresh one that takes its place is known
// as the same.
func TestSignLaunchWithGuard(t *testing.T) {
	p := newPerson(t, guarded)
	c, err := client.New("https://api.example", client.WithSigner(p))
	if err != nil {
		t.Fatal(err)
	}
	o := honest(p.PublicKey())
	given := o.made(t)
	signed, err := c.SignLaunch(t.Context(), o.asked, o.to, given)
	if err != nil {
		t.Fatal(err)
	}
	tx, err := wire.ParseBase64(signed)
	if err != nil || len(tx.Message().Instructions()) != len(given.Explanation)+1 || tx.VerifySignature(p.PublicKey()) != nil {
		t.Errorf("SignLaunch() has %d instructions, %v; want one more than %d", len(tx.Message().Instructions()), err, len(given.Explanation))
	}
	p.change = tipped
	if c, err = client.New("https://api.example", client.WithSigner(p)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.SignLaunch(t.Context(), o.asked, o.to, given); !errors.Is(err, client.ErrWalletChanged) {
		t.Errorf("SignLaunch() of a wallet that pays itself = %v, want ErrWalletChanged", err)
	}
}
