package solanarpc_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market/featured"
	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token/terms"
)

// landV1 lets a transaction of version 1 land, or fail, and returns its signature.
func (l ledger) landV1(t *testing.T, signer wallet, instructions ...solana.Instruction) (solana.Signature, transaction.Outcome) {
	t.Helper()
	ctx := within(t)
	recent, err := l.RecentBlockhash(ctx)
	if err != nil {
		t.Fatal(err)
	}
	message, err := wire.CompileV1(signer.PublicKey, recent.Hash, wire.Config{UnitLimit: 400_000}, instructions)
	if err != nil {
		t.Fatal(err)
	}
	tx := wire.NewTransaction(message)
	if err := tx.Sign(signer.key); err != nil {
		t.Fatal(err)
	}
	id, _ := tx.ID()
	if err := l.Send(ctx, tx.Bytes()); err != nil {
		t.Fatal(err)
	}
	outcome, err := l.Await(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	return id, outcome
}

// TestReadersTakeVersion1 tests that each reader reads a payment, trade or burn in a transaction of
// version 1 as in any other transaction.
func TestReadersTakeVersion1(t *testing.T) {
	x := newTaxed(t)
	l, ctx := x.ledger, within(t)
	from, _ := x.account(t, x.creator)
	to, reference := newWallet(t), solana.PublicKey{1, 31: 1}
	id, outcome := l.landV1(t, x.creator,
		systemprogram.Transfer{From: x.creator.PublicKey, To: to.PublicKey, Lamports: 2_000_000, References: []solana.PublicKey{reference}}.Instruction(),
		token2022.BurnChecked{Account: from, Mint: x.mint, Owner: x.creator.PublicKey, Amount: 777, Decimals: 6}.Instruction())
	if outcome.State != transaction.Succeeded {
		t.Fatalf("outcome = %+v, want Succeeded", outcome)
	}
	l.PassSlots(t, 40) // finality

	listed, err := l.Signatures(ctx, reference, solana.Signature{}, 10)
	if err != nil || len(listed) != 1 || listed[0].Signature != id {
		t.Errorf("listed %+v, %v", listed, err)
	}
	landed, err := l.Transaction(ctx, id)
	if err != nil || landed.Failed || len(landed.Instructions) != 2 || landed.Instructions[1].Program != solana.Token2022ProgramID {
		t.Errorf("for the index: %+v, %v", landed, err)
	}
	paid, err := l.Payments(ctx, id, reference)
	want := []featured.Transfer{{Place: 0, From: x.creator.PublicKey, To: to.PublicKey, Lamports: 2_000_000}}
	if err != nil || !slices.Equal(paid.Transfers, want) {
		t.Errorf("for promotions: %+v, %v", paid, err)
	}
	proven, err := l.Landing(ctx, id)
	if err != nil || proven.FeeLamports != 5_000 || len(proven.Instructions) != 2 ||
		proven.Change(chain.Holder{Owner: to.PublicKey, Asset: terms.SOL}) != (chain.Change{After: 2_000_000}) ||
		proven.Change(chain.Holder{Owner: x.creator.PublicKey, Asset: terms.Asset(x.mint)}).Loss() != 777 {
		t.Errorf("for proofs: %+v, %v", proven, err)
	}
	effect, found, err := l.Effect(ctx, id)
	if err != nil || !found || effect.Lamports != -2_005_000 || effect.Tokens[x.mint] != -777 {
		t.Errorf("for payments: %+v, found %v, %v", effect, found, err)
	}

	id, outcome = l.landV1(t, x.creator,
		systemprogram.Transfer{From: x.creator.PublicKey, To: to.PublicKey, Lamports: 1_000 * lamportsPerSOL, References: []solana.PublicKey{reference}}.Instruction())
	if outcome.State != transaction.Refused || !strings.Contains(outcome.Detail, "enough SOL") {
		t.Errorf("one that fails: %+v", outcome)
	}
	l.PassSlots(t, 40)
	if paid, err := l.Payments(ctx, id, reference); err != nil || !paid.Failed || len(paid.Transfers) != 0 {
		t.Errorf("one that fails: %+v, %v", paid, err)
	}
}

// TestVersion1IgnoresFeeInstructions tests that compute budget instructions have no effect in
// version 1, so they do not count as the paid fee. (The local chain obeys them.)
func TestVersion1IgnoresFeeInstructions(t *testing.T) {
	data := func(in solana.Instruction) string {
		b, err := in.Data()
		if err != nil {
			t.Fatal(err)
		}
		return solana.Base58(b).String()
	}
	limit, price := data(computebudget.SetUnitLimit(1_000_000)), data(computebudget.SetUnitPrice(1_000_000))
	for version, want := range map[string]uint64{`"legacy"`: 1_005_000, "0": 1_005_000, "1": 5_000} {
		answer := fmt.Sprintf(`{"slot":5,"version":%s,"transaction":{"message":{"header":{"numRequiredSignatures":1},"accountKeys":[%q,%q],
			"instructions":[{"programIdIndex":1,"accounts":[],"data":%q},{"programIdIndex":1,"accounts":[],"data":%q}]}},
			"meta":{"err":null,"fee":5000,"preBalances":[9,1],"postBalances":[8,1]}}`,
			version, solana.PublicKey{1}, solana.ComputeBudget, limit, price)
		if l, err := newNode(t, result(answer)).Landing(t.Context(), solana.Signature{1}); err != nil || l.FeeLamports != want {
			t.Errorf("version %s: a fee of %d, %v, want %d", version, l.FeeLamports, err, want)
		}
	}
}
