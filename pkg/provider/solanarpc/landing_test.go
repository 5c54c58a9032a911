package solanarpc_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// scripted answers each method with a fixed result, or an error object.
func scripted(t *testing.T, answers map[string]string) *solanarpc.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var call struct {
			Method string
			Params []json.RawMessage
		}
		if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
			t.Error(err)
		}
		text := answers[call.Method]
		if !strings.HasPrefix(text, `"error"`) {
			text = `"result":` + text
		}
		_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":1,` + text + `}`))
	}))
	t.Cleanup(server.Close)
	client, err := solanarpc.New(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	client.Pause = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	return client
}

func TestNonceAtKnowsNodesThatAreBehind(t *testing.T) {
	account := solana.NewWallet().PublicKey()
	for name, c := range map[string]struct {
		answer string
		behind bool
	}{
		"it says so":              {`"error":{"code":-32016,"message":"Minimum context slot has not been reached"}`, true},
		"its slot is before":      {`{"context":{"slot":99},"value":[null]}`, true},
		"it has come so far":      {`{"context":{"slot":100},"value":[null]}`, false},
		"lamports at the address": {`{"context":{"slot":100},"value":[{"lamports":5,"owner":"11111111111111111111111111111111","data":["","base64"]}]}`, false},
	} {
		value, slot, err := scripted(t, map[string]string{"getMultipleAccounts": c.answer}).NonceAt(within(t), account, 100)
		if errors.Is(err, onchain.ErrBehind) != c.behind || !c.behind && (err != nil || slot != 100 || !value.IsZero()) {
			t.Errorf("%s: %s in slot %d, %v", name, value, slot, err)
		}
	}
	_, _, err := scripted(t, map[string]string{
		"getMultipleAccounts": `{"context":{"slot":100},"value":[{"lamports":5,"owner":"` + account.String() + `","data":["AAAA","base64"]}]}`,
	}).NonceAt(within(t), account, 100)
	if !errors.Is(err, systemprogram.ErrNotNonce) {
		t.Errorf("of something else: %v", err)
	}
}

func TestOnlyWhatIsFinalizedHasLanded(t *testing.T) {
	a, b, c, d := solana.Signature{1}, solana.Signature{2}, solana.Signature{3}, solana.Signature{4}
	client := scripted(t, map[string]string{
		"getSignatureStatuses": `{"context":{"slot":9},"value":[
			{"slot":5,"err":null,"confirmationStatus":"finalized"},{"slot":6,"err":null,"confirmationStatus":"confirmed"},null,
			{"slot":7,"err":{"InstructionError":[2,{"Custom":1}]},"confirmationStatus":"finalized"}]}`,
		"getSignaturesForAddress": `[{"signature":"` + a.String() + `","slot":5,"err":null,"confirmationStatus":"finalized"},
			{"signature":"` + b.String() + `","slot":6,"err":null,"confirmationStatus":"confirmed"}]`,
	})
	landed, err := client.Landings(within(t), a, b, c, d)
	if err != nil || len(landed) != 2 || landed[0] != (payout.Landing{Signature: a, Slot: 5}) ||
		landed[1] != (payout.Landing{Signature: d, Slot: 7, Failed: "instruction 2: custom program error 0x1"}) {
		t.Errorf("%+v, %v", landed, err)
	}
	history, err := client.History(within(t), solana.NewWallet().PublicKey())
	if err != nil || len(history) != 1 || history[0].Signature != a {
		t.Errorf("%+v, %v", history, err)
	}
}

func TestSightingsCountTheSlotsToFinality(t *testing.T) {
	signatures := make([]solana.Signature, 5)
	seen, err := scripted(t, map[string]string{
		"getSignatureStatuses": `{"context":{"slot":100},"value":[
			{"slot":5,"err":null,"confirmationStatus":"finalized"},{"slot":97,"err":null,"confirmationStatus":"confirmed"},null,
			{"slot":60,"err":null,"confirmationStatus":"processed"},{"slot":101,"err":{"InstructionError":[2,{"Custom":1}]},"confirmationStatus":"processed"}]}`,
	}).Sightings(within(t), signatures...)
	want := []payout.Sighting{{Seen: true}, {Seen: true, Left: 29}, {}, {Seen: true, Left: 1}, {Seen: true, Left: 33}}
	if err != nil || !slices.Equal(seen, want) {
		t.Errorf("%+v, %v", seen, err)
	}
}

func TestTheEffectIsReadFromTheTransactionItself(t *testing.T) {
	payer, other := solana.NewWallet().PublicKey(), solana.NewWallet().PublicKey()
	message, err := wire.Compile(payer, solana.Hash{1}, []solana.Instruction{
		computebudget.SetUnitLimit(1_000_000), computebudget.SetUnitPrice(7_000_000),
		systemprogram.Transfer{From: payer, To: other, Lamports: 5}.Instruction(),
	})
	if err != nil {
		t.Fatal(err)
	}
	raw := base64.StdEncoding.EncodeToString(wire.NewTransaction(message).Bytes())
	balance := func(owner solana.PublicKey, amount string) string {
		return `{"mint":"` + solana.WrappedSol.String() + `","owner":"` + owner.String() + `","uiTokenAmount":{"amount":"` + amount + `"}}`
	}
	answer := func(fee, tokens string) string {
		return `{"slot":9,"transaction":["` + raw + `","base64"],"meta":{"fee":` + fee + `,"preBalances":[100,0],"postBalances":[70,5],
			"preTokenBalances":[` + balance(payer, "18446744073709551615") + `],"postTokenBalances":[` + tokens + `,` + balance(other, "9") + `]}}`
	}
	got, found, err := scripted(t, map[string]string{"getTransaction": answer("9000000", balance(payer, "18446744073709551600"))}).Effect(within(t), solana.Signature{1})
	if err != nil || !found || got.Lamports != -30 || got.FeeLamports != 9_000_000 || len(got.Tokens) != 1 || got.Tokens[solana.WrappedSol] != -15 {
		t.Errorf("%+v, %v, %v", got, found, err)
	}
	// The local chain leaves the priority fee out of the fee: 1,000,000 units of 7 lamports.
	got, _, err = scripted(t, map[string]string{"getTransaction": answer("5000", balance(payer, "18446744073709551615"))}).Effect(within(t), solana.Signature{1})
	if err != nil || got.FeeLamports != 7_005_000 || len(got.Tokens) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, found, err := scripted(t, map[string]string{"getTransaction": "null"}).Effect(within(t), solana.Signature{1}); found || err != nil {
		t.Errorf("of an unknown one: %v, %v", found, err)
	}
	if _, _, err := scripted(t, map[string]string{"getTransaction": answer("1", balance(payer, "-1"))}).Effect(within(t), solana.Signature{1}); apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("of nonsense: %v", err)
	}
}

func TestTrialsTellPassingTroublesFromRefusals(t *testing.T) {
	for failure, want := range map[string]payout.Trial{
		`null`:                {OK: true, Units: 300},
		`"BlockhashNotFound"`: {Passing: true, Units: 300},
		`"AccountInUse"`:      {Passing: true, Units: 300},
		`{"InsufficientFundsForRent":{"account_index":1}}`: {Funds: true, Units: 300},
		`{"InstructionError":[1,{"Custom":17}]}`:           {Units: 300},
	} {
		got, err := scripted(t, map[string]string{
			"simulateTransaction": `{"context":{"slot":9},"value":{"err":` + failure + `,"logs":[],"unitsConsumed":300}}`,
		}).Try(within(t), nil)
		if explained := got.Detail != ""; err != nil || explained == want.OK {
			t.Errorf("%s: %+v, %v", failure, got, err)
		}
		if got.Detail = ""; got != want {
			t.Errorf("%s: %+v, want %+v", failure, got, want)
		}
	}
}
