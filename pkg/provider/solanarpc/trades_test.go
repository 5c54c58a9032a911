package solanarpc_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market/index"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// On a real chain: three transactions that name a wallet are listed in pages, the newest first, and
// the one that creates an account shows what its program called.
func TestHistoryOfAnAddressOnTheChain(t *testing.T) {
	x := newTaxed(t)
	l := x.ledger
	ctx := within(t)
	holder := newWallet(t)
	create, _, err := token2022.CreateAssociatedIdempotent{
		Payer: l.payer.PublicKey, Wallet: holder.PublicKey, Mint: x.mint, Program: solana.Token2022ProgramID,
	}.Instruction()
	if err != nil {
		t.Fatal(err)
	}
	for n := range uint32(3) {
		l.execute(t, []wallet{l.payer}, create, computebudget.SetUnitLimit(200_000+n))
	}
	l.PassSlots(t, 40) // finality
	tip, err := l.Finality(ctx)
	if err != nil || tip.Height == 0 || tip.Slot == 0 {
		t.Fatalf("finalized %+v, %v", tip, err)
	}
	var all []index.Listed
	var before solana.Signature
	for {
		page, err := l.Signatures(ctx, holder.PublicKey, before, 2)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		all, before = append(all, page...), page[len(page)-1].Signature
	}
	if len(all) != 3 || all[0].Slot < all[1].Slot || all[1].Slot < all[2].Slot {
		t.Fatalf("%+v; want three, the newest first", all)
	}
	landed, err := l.Transaction(ctx, all[2].Signature)
	if err != nil {
		t.Fatal(err)
	}
	var programs []string
	for _, in := range landed.Instructions {
		programs = append(programs, in.Program.String())
	}
	if age := time.Since(all[2].At); age < -time.Minute || age > time.Hour {
		t.Errorf("a transaction of now is at %s", all[2].At)
	}
	if landed.Slot != all[2].Slot || landed.Failed || len(programs) < 4 {
		t.Errorf("transaction = %+v, want success in slot %d with four programs", landed, all[2].Slot)
	}
	if landed.Instructions[0].Program != solana.SPLAssociatedTokenAccountProgramID || landed.Instructions[0].Accounts[2] != holder.PublicKey {
		t.Errorf("the first instruction is %+v", landed.Instructions[0])
	}
	for _, in := range landed.Instructions[1 : len(landed.Instructions)-1] {
		if in.Program != solana.SystemProgramID && in.Program != solana.Token2022ProgramID {
			t.Errorf("it called %s", in.Program)
		}
	}
	accounts, at, err := l.AccountsAt(ctx, tip.Slot, x.mint, newWallet(t).PublicKey)
	if err != nil || at < tip.Slot || len(accounts) != 2 || accounts[0] == nil || accounts[0].Owner != solana.Token2022ProgramID || accounts[1] != nil {
		t.Errorf("%v at %d, %v", accounts, at, err)
	}
}

func TestSignatures(t *testing.T) {
	sig := func(n byte) string { return solana.Signature{n}.String() }
	entry := func(n byte, slot int, rest string) string {
		return fmt.Sprintf(`{"signature":%q,"slot":%d%s}`, sig(n), slot, rest)
	}
	var asked struct {
		Params []json.RawMessage `json:"params"`
	}
	answer := "[" + entry(3, 9, `,"err":null,"confirmationStatus":"confirmed"`) + "," +
		entry(2, 8, `,"err":"AccountNotFound","confirmationStatus":"finalized"`) + "," + entry(1, 8, `,"blockTime":1700000000`) + "]"
	n := newNode(t, func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewDecoder(r.Body).Decode(&asked)
		result(answer)(w, r)
	})
	listed, err := n.Signatures(t.Context(), solana.PublicKey{7}, solana.Signature{4}, 3)
	want := []index.Listed{{Signature: solana.Signature{2}, Slot: 8, Failed: true}, {Signature: solana.Signature{1}, Slot: 8, At: time.Unix(1_700_000_000, 0).UTC()}}
	if err != nil || fmt.Sprint(listed) != fmt.Sprint(want) {
		t.Errorf("%v, %v; want %v", listed, err, want)
	}
	for _, option := range []string{`"commitment":"finalized"`, `"limit":3`, `"before":"` + sig(4) + `"`} {
		if !strings.Contains(string(asked.Params[1]), option) {
			t.Errorf("requested with %s, without %s", asked.Params[1], option)
		}
	}
	for name, answer := range map[string]string{
		"out of order": "[" + entry(1, 8, "") + "," + entry(2, 9, "") + "]",
		"too many":     "[" + entry(1, 8, "") + "," + entry(2, 8, "") + "," + entry(3, 8, "") + "]",
		"no signature": `[{"slot":8}]`,
		"a short one":  `[{"signature":"abc","slot":8}]`,
	} {
		if listed, err := newNode(t, result(answer)).Signatures(t.Context(), solana.PublicKey{7}, solana.Signature{}, 2); apperr.KindOf(err) != apperr.Unavailable {
			t.Errorf("Signatures(), %s = %v, %v; want an error of kind Unavailable", name, listed, err)
		}
	}
	for _, limit := range []int{0, -1, solanarpc.MaxSignatures + 1} {
		if _, err := n.Signatures(t.Context(), solana.PublicKey{7}, solana.Signature{}, limit); err == nil {
			t.Errorf("%d are listed", limit)
		}
	}
}

func TestTransaction(t *testing.T) {
	key := func(n byte) string { return solana.PublicKey{n}.String() }
	const meta = `{"err":null,"innerInstructions":[{"index":1,"instructions":[{"programIdIndex":2,"accounts":[3,4],"data":"3"}]}],
		"loadedAddresses":{"writable":["%s"],"readonly":["%s"]}}`
	whole := fmt.Sprintf(meta, key(4), key(5))
	answer := func(signature, instructions, meta string) string {
		return fmt.Sprintf(`{"slot":8,"transaction":{"signatures":[%q],"message":{"accountKeys":[%q,%q,%q],"instructions":%s}},"meta":%s}`,
			signature, key(1), key(2), key(3), instructions, meta)
	}
	signature := solana.Signature{9}
	const two = `[{"programIdIndex":1,"accounts":[0],"data":"2"},{"programIdIndex":2,"accounts":[],"data":""}]`
	n := newNode(t, result(answer(signature.String(), two, whole)))
	got, err := n.Transaction(t.Context(), signature)
	want := index.Landed{Slot: 8, Instructions: []index.Instruction{
		{Program: solana.PublicKey{2}, Accounts: []solana.PublicKey{{1}}, Data: []byte{1}},
		{Program: solana.PublicKey{3}, Accounts: []solana.PublicKey{}, Data: []byte{}},
		{Program: solana.PublicKey{3}, Accounts: []solana.PublicKey{{4}, {5}}, Data: []byte{2}},
	}}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	failed := newNode(t, result(answer(signature.String(), two, `{"err":"AccountNotFound"}`)))
	if got, err := failed.Transaction(t.Context(), signature); err != nil || !got.Failed || got.Instructions != nil {
		t.Errorf("a failed one: %+v, %v", got, err)
	}
	if _, err := newNode(t, result("null")).Transaction(t.Context(), signature); !errors.Is(err, onchain.ErrBehind) {
		t.Errorf("one that the node does not know: %v", err)
	}
	twice := strings.Replace(whole, `[{"index":1`, `[{"index":1,"instructions":[]},{"index":1`, 1)
	for name, answer := range map[string]string{
		"another one":           answer(solana.Signature{8}.String(), two, whole),
		"without what it did":   answer(signature.String(), two, "null"),
		"without what it calls": answer(signature.String(), two, `{"err":null,"innerInstructions":null}`),
		"no such program":       answer(signature.String(), `[{"programIdIndex":9,"accounts":[],"data":""}]`, `{"err":null,"innerInstructions":[]}`),
		"a negative program":    answer(signature.String(), `[{"programIdIndex":-1,"accounts":[],"data":""}]`, `{"err":null,"innerInstructions":[]}`),
		"no such account":       answer(signature.String(), `[{"programIdIndex":1,"accounts":[3],"data":""}]`, `{"err":null,"innerInstructions":[]}`),
		"called by none":        answer(signature.String(), `[]`, whole),
		"called twice":          answer(signature.String(), two, twice),
		"not base58":            answer(signature.String(), `[{"programIdIndex":1,"accounts":[],"data":"0"}]`, whole),
	} {
		if got, err := newNode(t, result(answer)).Transaction(t.Context(), signature); apperr.KindOf(err) != apperr.Unavailable {
			t.Errorf("Transaction(), %s = %+v, %v; want an error of kind Unavailable", name, got, err)
		}
	}
}

func TestAccountsAtLaggingNode(t *testing.T) {
	const found = `{"context":{"slot":7},"value":[null]}`
	if accounts, slot, err := newNode(t, result(found)).AccountsAt(t.Context(), 7, solana.PublicKey{1}); err != nil || slot != 7 || accounts[0] != nil {
		t.Errorf("%v at %d, %v", accounts, slot, err)
	}
	for name, answer := range map[string]http.HandlerFunc{
		"it admits it":          refusal(-32016, "Minimum context slot has not been reached"),
		"it is before the slot": result(found),
	} {
		if _, _, err := newNode(t, answer).AccountsAt(t.Context(), 8, solana.PublicKey{1}); !errors.Is(err, onchain.ErrBehind) {
			t.Errorf("AccountsAt(), %s: %v, want ErrBehind", name, err)
		}
	}
	n := newNode(t, status(http.StatusInternalServerError))
	if accounts, slot, err := n.AccountsAt(t.Context(), 8); err != nil || slot != 8 || len(accounts) != 0 || n.calls.Load() != 0 {
		t.Errorf("of no account: %v at %d, %v", accounts, slot, err)
	}
}

// FuzzHistory returns arbitrary responses of a node: each call ends in a consistent value or an
// error.
func FuzzHistory(f *testing.F) {
	sig := solana.Signature{9}.String()
	for _, seed := range []string{
		`[{"signature":"` + sig + `","slot":3,"err":null,"confirmationStatus":"finalized"}]`,
		`{"slot":1,"transaction":{"signatures":["` + sig + `"],"message":{"accountKeys":["11111111111111111111111111111111"],"instructions":[{"programIdIndex":0,"accounts":[0],"data":"2"}]}},"meta":{"err":null,"innerInstructions":[{"index":0,"instructions":[{"programIdIndex":0,"accounts":[],"data":""}]}]}}`,
		`{"context":{"slot":5},"value":[{"lamports":1,"owner":"11111111111111111111111111111111","data":["AA==","base64"]}]}`,
		`null`, `[]`, `{}`, `5`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, answer []byte) {
		if !json.Valid(answer) {
			return
		}
		n := newNode(t, result(string(answer)))
		_, _ = n.Finality(t.Context())
		if listed, err := n.Signatures(t.Context(), solana.PublicKey{}, solana.Signature{}, 5); err == nil && len(listed) > 5 {
			t.Errorf("%d are listed", len(listed))
		}
		if landed, err := n.Transaction(t.Context(), solana.Signature{9}); err == nil && landed.Failed && landed.Instructions != nil {
			t.Error("a failed transaction did something")
		}
		if accounts, slot, err := n.AccountsAt(t.Context(), 3, solana.PublicKey{}); err == nil && (slot < 3 || len(accounts) != 1) {
			t.Errorf("%d accounts at slot %d", len(accounts), slot)
		}
	})
}
