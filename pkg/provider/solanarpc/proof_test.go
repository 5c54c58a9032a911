package solanarpc_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token/terms"
)

// landing executes instructions and returns their effects according to the node.
func (x taxed) landing(t *testing.T, signer wallet, instructions ...solana.Instruction) chain.Transaction {
	t.Helper()
	recent, err := x.LatestBlockhash(within(t))
	if err != nil {
		t.Fatal(err)
	}
	signed := sign(t, recent, []wallet{signer}, instructions...)
	if err := x.Execute(within(t), signed); err != nil {
		t.Fatal(err)
	}
	tx, err := wire.ParseTransaction(signed)
	if err != nil {
		t.Fatal(err)
	}
	id, _ := tx.ID()
	l, err := x.Landing(within(t), id)
	if err != nil {
		t.Fatal(err)
	}
	if l.Failed != "" || l.Slot == 0 || l.FeeLamports != 5000 {
		t.Errorf("Landing() = %+v, want success with a fee of 5000", l)
	}
	return l
}

// The fields that a verifier reads of real payments, taxed payments, and burns.
func TestLandingRoundTrip(t *testing.T) {
	x := newTaxed(t)
	holder := newWallet(t)
	from, before := x.account(t, x.creator)
	to, _ := x.account(t, holder)
	mint := terms.Asset(x.mint)

	l := x.landing(t, x.creator, systemprogram.Transfer{From: x.creator.PublicKey, To: holder.PublicKey, Lamports: 2_000_000}.Instruction())
	if got := l.Change(chain.Holder{Owner: holder.PublicKey, Asset: terms.SOL}); got != (chain.Change{After: 2_000_000}) {
		t.Errorf("the holder's lamports: %+v", got)
	}
	if got := l.Change(chain.Holder{Owner: x.creator.PublicKey, Asset: terms.SOL}); got.Before-got.After != 2_005_000 {
		t.Errorf("the payer's lamports: %+v", got)
	}

	l = x.landing(t, x.creator, token2022.TransferChecked{
		Source: from, Mint: x.mint, Destination: to, Owner: x.creator.PublicKey, Amount: 10_000, Decimals: 6,
	}.Instruction())
	if got := l.Change(chain.Holder{Owner: holder.PublicKey, Asset: mint}); got != (chain.Change{After: 9_750}) {
		t.Errorf("the holder's tokens: %+v", got)
	}
	if got, want := l.Change(chain.Holder{Owner: x.creator.PublicKey, Asset: mint}), (chain.Change{Before: before.Amount, After: before.Amount - 10_000}); got != want {
		t.Errorf("the sender's tokens: %+v, want %+v", got, want)
	}
	if len(l.Tokens) != 2 || l.Tokens[0].OwnerBefore != l.Tokens[0].OwnerAfter || !l.SignedBy(x.creator.PublicKey) || l.SignedBy(holder.PublicKey) {
		t.Errorf("token accounts %+v", l.Tokens)
	}

	l = x.landing(t, x.creator, token2022.BurnChecked{
		Account: from, Mint: x.mint, Owner: x.creator.PublicKey, Amount: 777, Decimals: 6,
	}.Instruction())
	burned, ok, err := token2022.ReadMovement(l.Instructions[0].Accounts, l.Instructions[0].Data)
	if err != nil || !ok || !burned.Kind.Burns() || burned.Amount != 777 || burned.Mint != x.mint {
		t.Errorf("burned %+v, %v", burned, err)
	}

	// A receipt is made and emptied.
	const seed, rent = "0123456789abcdef", 890_880
	receipt, err := systemprogram.AddressWithSeed(x.creator.PublicKey, seed, solana.SystemProgramID)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range []solana.Instruction{
		systemprogram.CreateAccountWithSeed{
			Payer: x.creator.PublicKey, Account: receipt, Base: x.creator.PublicKey, Seed: seed, Lamports: rent, Owner: solana.SystemProgramID,
		}.Instruction(),
		systemprogram.TransferWithSeed{
			From: receipt, Base: x.creator.PublicKey, To: x.creator.PublicKey, Lamports: rent, Seed: seed, Owner: solana.SystemProgramID,
		}.Instruction(),
	} {
		l = x.landing(t, x.creator, in)
		want := chain.Instruction{Program: solana.SystemProgramID}
		for _, meta := range in.Accounts() {
			want.Accounts = append(want.Accounts, meta.PublicKey)
		}
		want.Data, _ = in.Data()
		if !reflect.DeepEqual(l.Instructions, []chain.Instruction{want}) {
			t.Errorf("instructions %+v, want %+v", l.Instructions, want)
		}
	}

	// The histories of both name what they have done, the newest first.
	page, err := x.Page(within(t), x.creator.PublicKey, solana.Signature{})
	if err != nil || len(page) < 5 || page[0].Slot < page[len(page)-1].Slot {
		t.Errorf("the creator's history: %+v, %v", page, err)
	}
	if older, err := x.Page(within(t), x.creator.PublicKey, page[0].Signature); err != nil || len(older) != len(page)-1 || older[0] != page[1] {
		t.Errorf("the creator's older history: %+v, %v", older, err)
	}

	if who, err := x.Withdrawer(within(t), x.mint); err != nil || who != x.distribution.PublicKey {
		t.Errorf("%s may withdraw (%v), want %s", who, err, x.distribution)
	}
	if _, err := x.Withdrawer(within(t), holder.PublicKey); err == nil {
		t.Error("a wallet has an authority that may withdraw its tax")
	}
	if _, err := x.Landing(within(t), solana.Signature{1}); !errors.Is(err, chain.ErrNotLanded) {
		t.Errorf("a transaction that there is not: %v", err)
	}
}

// Invented responses do not panic, and impossible values are an error.
func TestLandingRejections(t *testing.T) {
	const key, token, burn = `"11111111111111111111111111111112"`, `"TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"`, `"6w4bF54p5Xnf"`
	answer := func(accounts, instructions, meta string) string {
		return `{"slot":5,"transaction":{"message":{"header":{"numRequiredSignatures":1},"accountKeys":[` + accounts +
			`],"instructions":[` + instructions + `]}},"meta":` + meta + `}`
	}
	const meta = `{"err":null,"fee":5000,"preBalances":[1,1],"postBalances":[1,1]}`
	for name, c := range map[string]struct {
		body string
		good bool
	}{
		"good":                            {answer(key+","+token, `{"programIdIndex":1,"accounts":[0,0],"data":`+burn+`}`, meta), true},
		"a balance missing":               {answer(key, "", meta), false},
		"no such program":                 {answer(key+","+token, `{"programIdIndex":2,"accounts":[0,0],"data":`+burn+`}`, meta), false},
		"a program below":                 {answer(key+","+token, `{"programIdIndex":-1,"accounts":[0,0],"data":`+burn+`}`, meta), false},
		"no signer":                       {strings.Replace(answer(key+","+token, "", meta), `"numRequiredSignatures":1`, `"numRequiredSignatures":3`, 1), false},
		"a balance of an unknown account": {answer(key+","+token, "", `{"preBalances":[1,1],"postBalances":[1,1],"preTokenBalances":[{"accountIndex":2,"mint":`+key+`,"owner":`+key+`,"uiTokenAmount":{"amount":"1"}}]}`), false},
		"no such account":                 {answer(key+","+token, `{"programIdIndex":0,"accounts":[2],"data":`+burn+`}`, meta), false},
		"an account below":                {answer(key+","+token, `{"programIdIndex":0,"accounts":[-1],"data":`+burn+`}`, meta), false},
		"no such mint":                    {answer(key+","+token, `{"programIdIndex":1,"accounts":[0,7],"data":`+burn+`}`, meta), false},
		"no amount":                       {answer(key+","+token, "", `{"preBalances":[1,1],"postBalances":[1,1],"preTokenBalances":[{"mint":`+key+`,"owner":`+key+`,"uiTokenAmount":{"amount":"-1"}}]}`), false},
		"an unknown transaction":          {"null", false},
		"an empty response":               {answer(key, "", "null"), false},
		"another kind of key":             {answer(`"x"`, "", meta), false},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := newNode(t, result(c.body)).Landing(t.Context(), solana.Signature{1})
			if (err == nil) != c.good {
				t.Errorf("Landing() = %+v, %v; want success %t", l, err, c.good)
			}
		})
	}
}
