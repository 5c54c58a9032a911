package solanarpc_test

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
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
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// scripted answers each method with a fixed result, or an error object.
func scripted(t *testing.T, answers map[string]string) *solanarpc.Client {
	t.Helper()
	return scriptedBy(t, func(method string, _ []json.RawMessage) string { return answers[method] })
}

// scriptedBy answers each call with a result, or an error object.
func scriptedBy(t *testing.T, answer func(method string, params []json.RawMessage) string) *solanarpc.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var call struct {
			Method string
			Params []json.RawMessage
		}
		if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
			t.Error(err)
		}
		text := answer(call.Method, call.Params)
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
		t.Errorf("Landings() = %+v, %v; want the first in slot 5 and the last, failed, in slot 7", landed, err)
	}
	history, complete, err := client.History(within(t), solana.NewWallet().PublicKey())
	if err != nil || len(history) != 1 || history[0].Signature != a || !complete {
		t.Errorf("%+v, complete: %v, %v", history, complete, err)
	}
}

// TestFailureBlamesPaymentOrWallet tests failures of the payment, and of the wallet and its
// receipt, which the first instruction creates and the first account pays for.
func TestFailureBlamesPaymentOrWallet(t *testing.T) {
	for failure, poor := range map[string]bool{
		`null`:                                  false,
		`{"InstructionError":[0,{"Custom":0}]}`: true,
		`{"InstructionError":[0,"MissingAccount"]}`:        true,
		`{"InstructionError":[3,{"Custom":17}]}`:           false,
		`"InsufficientFundsForFee"`:                        true,
		`{"InsufficientFundsForRent":{"account_index":0}}`: true,
		`{"InsufficientFundsForRent":{"account_index":4}}`: false,
	} {
		client := scripted(t, map[string]string{
			"getSignatureStatuses":    `{"context":{"slot":9},"value":[{"slot":5,"err":` + failure + `,"confirmationStatus":"finalized"}]}`,
			"getSignaturesForAddress": `[{"signature":"` + solana.Signature{1}.String() + `","slot":5,"err":` + failure + `,"confirmationStatus":"finalized"}]`,
		})
		landed, err := client.Landings(within(t), solana.Signature{1})
		if err != nil || len(landed) != 1 || landed[0].Poor != poor || (landed[0].Failed == "") != (failure == "null") {
			t.Errorf("Landings() with failure %s = %+v, %v; want Poor %t", failure, landed, err, poor)
		}
		history, _, err := client.History(within(t), solana.PublicKey{1})
		if err != nil || !slices.Equal(history, landed) {
			t.Errorf("%s in the history: %+v, %v", failure, history, err)
		}
	}
}

// TestHistoryIsReadPageByPage until a page is not full, and not without end: then it is
// not complete.
func TestHistoryIsReadPageByPage(t *testing.T) {
	const full = solanarpc.MaxSignatures
	for length, want := range map[int]struct {
		read, calls int
		complete    bool
	}{
		0: {0, 1, true}, 7: {7, 1, true}, full: {full, 2, true}, 2*full + 1: {2*full + 1, 3, true},
		3 * full: {3 * full, 3, false}, 9 * full: {3 * full, 3, false},
	} {
		calls := 0
		client := scriptedBy(t, func(method string, params []json.RawMessage) string {
			calls++
			var options struct {
				Before     solana.Signature
				Limit      int
				Commitment string
			}
			if err := json.Unmarshal(params[1], &options); err != nil || method != "getSignaturesForAddress" || options.Commitment != "finalized" {
				t.Errorf("request %s %s, %v; want getSignaturesForAddress at finalized", method, params[1], err)
			}
			from := 0 // signatures count from one, newest first
			if !options.Before.IsZero() {
				from = int(binary.BigEndian.Uint32(options.Before[:]))
			}
			var page []string
			for n := from; n < min(from+options.Limit, length); n++ {
				var s solana.Signature
				binary.BigEndian.PutUint32(s[:], uint32(n+1))
				page = append(page, `{"signature":"`+s.String()+`","slot":5,"err":null,"confirmationStatus":"finalized"}`)
			}
			return "[" + strings.Join(page, ",") + "]"
		})
		history, complete, err := client.History(within(t), solana.PublicKey{1})
		if err != nil || len(history) != want.read || calls != want.calls || complete != want.complete {
			t.Errorf("of %d: %d in %d calls, complete: %v, %v; want %+v", length, len(history), calls, complete, err, want)
		}
		for n, l := range history {
			if int(binary.BigEndian.Uint32(l.Signature[:])) != n+1 {
				t.Fatalf("of %d: number %d is %s", length, n, l.Signature)
			}
		}
	}
	broken := 0
	client := scriptedBy(t, func(string, []json.RawMessage) string {
		if broken++; broken > 1 {
			return `"error":{"code":-32603,"message":"away"}`
		}
		return "[" + strings.Repeat(`{"signature":"`+solana.Signature{1}.String()+`","slot":5,"err":null,"confirmationStatus":"finalized"},`, full-1) +
			`{"signature":"` + solana.Signature{1}.String() + `","slot":5,"err":null,"confirmationStatus":"finalized"}]`
	})
	if history, complete, err := client.History(within(t), solana.PublicKey{1}); err == nil || complete {
		t.Errorf("that breaks off: %d, complete: %v", len(history), complete)
	}
}

// The time until a transaction is final is that of the network: measured, not a constant.
func TestSignatureStatusesMeasureFinality(t *testing.T) {
	statuses := `{"context":{"slot":100},"value":[
		{"slot":5,"err":null,"confirmationStatus":"finalized"},{"slot":97,"err":null,"confirmationStatus":"confirmed"},null,
		{"slot":60,"err":null,"confirmationStatus":"processed"},{"slot":101,"err":{"InstructionError":[2,{"Custom":1}]},"confirmationStatus":"processed"}]}`
	for name, c := range map[string]struct {
		finalized   string
		left        [3]time.Duration // of slots 97, 60 and 101
		epochAsked  int
		withoutTips bool
	}{
		"Tower":          {finalized: "68", left: [3]time.Duration{11_600 * time.Millisecond, 0, 12_800 * time.Millisecond}, epochAsked: 2},
		"Alpenglow":      {finalized: "99", left: [3]time.Duration{0, 0, 400 * time.Millisecond}, epochAsked: 2},
		"no measurement": {withoutTips: true, epochAsked: 1},
	} {
		asked := 0
		client := scriptedBy(t, func(method string, params []json.RawMessage) string {
			switch {
			case method == "getSignatureStatuses":
				return statuses
			case method == "getRecentPerformanceSamples":
				return `[{"slot":1,"numSlots":150,"numTransactions":1,"samplePeriodSecs":60}]`
			case method != "getEpochInfo":
				t.Errorf("%s: requested %s", name, method)
			}
			asked++
			if c.withoutTips {
				return `"error":{"code":-32601,"message":"Method not found"}`
			}
			slot := "100"
			if strings.Contains(string(params[0]), "finalized") {
				slot = c.finalized
			}
			return `{"absoluteSlot":` + slot + `,"blockHeight":7}`
		})
		seen, err := client.SignatureStatuses(within(t), make([]solana.Signature, 5)...)
		want := []payout.SignatureStatus{{Seen: true, Final: true}, {Seen: true, Left: c.left[0]}, {}, {Seen: true, Left: c.left[1]}, {Seen: true, Left: c.left[2]}}
		if err != nil || !slices.Equal(seen, want) || asked != c.epochAsked {
			t.Errorf("%s: Sightings() = %+v, %v after %d questions; want %+v", name, seen, err, asked, want)
		}
	}
}

func TestEffectFromTransaction(t *testing.T) {
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
		t.Errorf("Effect() = %+v, %t, %v; want -30 lamports, a fee of 9000000 and -15 wrapped", got, found, err)
	}
	// The local chain leaves the priority fee out of the fee: 1,000,000 units of 7 lamports.
	got, _, err = scripted(t, map[string]string{"getTransaction": answer("5000", balance(payer, "18446744073709551615"))}).Effect(within(t), solana.Signature{1})
	if err != nil || got.FeeLamports != 7_005_000 || len(got.Tokens) != 0 {
		t.Errorf("Effect() = %+v, %v; want a fee of 7005000 and no tokens", got, err)
	}
	if _, found, err := scripted(t, map[string]string{"getTransaction": "null"}).Effect(within(t), solana.Signature{1}); found || err != nil {
		t.Errorf("of an unknown one: %v, %v", found, err)
	}
	if _, _, err := scripted(t, map[string]string{"getTransaction": answer("1", balance(payer, "-1"))}).Effect(within(t), solana.Signature{1}); apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("of nonsense: %v", err)
	}
}

func TestTrialsTellPassingTroublesFromRefusals(t *testing.T) {
	for failure, want := range map[string]payout.SimulationResult{
		`null`:                {OK: true, Units: 300},
		`"BlockhashNotFound"`: {Transient: true, Units: 300},
		`"AccountInUse"`:      {Transient: true, Units: 300},
		`{"InsufficientFundsForRent":{"account_index":1}}`: {Funds: true, Units: 300},
		`{"InsufficientFundsForRent":{"account_index":0}}`: {Funds: true, Units: 300},
		`{"InstructionError":[0,{"Custom":0}]}`:            {First: true, Units: 300},
		`{"InstructionError":[1,{"Custom":17}]}`:           {Units: 300},
	} {
		got, err := scripted(t, map[string]string{
			"simulateTransaction": `{"context":{"slot":9},"value":{"err":` + failure + `,"logs":[],"unitsConsumed":300}}`,
		}).Try(within(t), nil)
		if explained := got.Detail != ""; err != nil || explained == want.OK {
			t.Errorf("Try() of %s = %+v, %v; want OK %t, or a detail", failure, got, err, want.OK)
		}
		if got.Detail = ""; got != want {
			t.Errorf("%s: %+v, want %+v", failure, got, want)
		}
	}
}
