package main_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/endpoint/docs"
	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// TestPoolAndFeatureSignOnlyRequest tests pools and promotions in the same way as curves.
func TestPoolAndFeatureSignOnlyRequest(t *testing.T) {
	t.Setenv("TOKENLAUNCH_RPC", "")
	key := order(t, "key.json", keygen())
	for call, c := range map[string]struct{ answer, what, asked string }{
		"pool " + curveMint + " --amount 7 --sol 1.5": {"pool", "pool", `POST /dex/exchange/cpmm/create-unsigned {"tokenMint":"` + curveMint + `","tokenAmount":"7","solAmount":"1500000000"}`},
		"feature " + curveMint + " --days 7":          {"promotion", "promotion", `POST /featured/create-unsigned {"tokenMint":"` + curveMint + `","durationDays":7}`},
	} {
		asked, answer := "", readAnswer(t, c.answer)
		api := signingIn(t, func(w http.ResponseWriter, r *http.Request) {
			body := json.RawMessage{}
			_ = json.NewDecoder(r.Body).Decode(&body)
			asked = r.Method + " " + r.URL.String() + " " + string(body)
			_ = json.NewEncoder(w).Encode(answer)
		})
		arguments := append(strings.Fields("--api "+api+" --key "+key+" "+call), "--rpc", taxing(t, 500, func() { t.Errorf("%s is sent", call) }))
		if got := say(t, "", arguments...); got.code != 2 || asked != "" {
			t.Errorf("%s without a response: %+v, requests %s", call, got, asked)
		}
		refuse := func(in, want string, more ...string) {
			t.Helper()
			if got := say(t, in, append(arguments, more...)...); got.code != 1 || got.out != "" || asked != c.asked || !strings.Contains(got.errs, want) {
				t.Errorf("%s requests %s: %+v, want %s", call, asked, got, want)
			}
		}
		answer["simulation"] = map[string]any{"ok": false, "reason": "program_unavailable", "detail": "This network has no program."}
		refuse("", "the "+c.what+" would fail: program_unavailable", "--yes")
		answer["simulation"] = map[string]any{"ok": true, "computeUnits": 1}
		refuse("n\n", "Sign it? [y/N] tokenlaunch: not signed, and ")
		refuse("y\n", "not what was asked for") // it is another wallet's
	}
}

// TestFeatureSendsPayment tests that a payment of the days' price is signed, sent and reported, and
// that a payment of another price is not sent.
func TestFeatureSendsPayment(t *testing.T) {
	t.Parallel()
	key := order(t, "key.json", keygen())
	signer, _, err := client.LoadKey(key)
	check(t, err)
	wallet, treasury, reference := signer.PublicKey(), solana.NewWallet().PublicKey(), solana.NewWallet().PublicKey()
	const fee, price = 5000, 600_000_000
	for lamports, honest := range map[uint64]bool{price: true, price + 1: false} {
		message, err := wire.Compile(wallet, solana.Hash{1}, []solana.Instruction{
			computebudget.SetUnitLimit(1000), computebudget.SetUnitPrice(0),
			systemprogram.Transfer{From: wallet, To: treasury, Lamports: lamports, References: []solana.PublicKey{reference}}.Instruction(),
		})
		check(t, err)
		api := claiming(t, map[string]any{
			"transaction": wire.NewTransaction(message).Base64(), "explanation": []string{"", "", ""}, "simulation": map[string]any{"ok": true},
			"cost":        map[string]string{"networkFeeLamports": strconv.Itoa(fee), "depositLamports": strconv.Itoa(price), "totalLamports": strconv.Itoa(fee + price)},
			"promotionId": "p", "amount": strconv.Itoa(price), "durationDays": 2, "recipient": treasury, "reference": reference,
		})
		sent := false
		got := say(t, "y\n", "--json", "--api", api, "--key", key, "feature", curveMint, "--days", "2", "--rpc", taxing(t, 0, func() { sent = true }))
		var out struct {
			Signature string
			Promotion struct{ PromotionID string }
		}
		_ = json.Unmarshal([]byte(got.out), &out)
		if sent != honest || (got.code == 0) != honest || honest && (out.Signature == "" || out.Promotion.PromotionID != "p") {
			t.Errorf("%d lamports: sent %t, %+v", lamports, sent, got)
		}
		if !strings.Contains(got.errs, "0.600005 SOL, of which 0.6 SOL are paid to "+treasury.String()) {
			t.Errorf("it shows %s", got.errs)
		}
	}
}

// TestFlagBoundsAgreeWithDocument tests that values within the document's bounds are sent, and
// larger values are not.
func TestFlagBoundsAgreeWithDocument(t *testing.T) {
	var document struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct{ Maximum json.Number }
			}
		}
	}
	if err := json.Unmarshal(docs.Document(), &document); err != nil {
		t.Fatal(err)
	}
	key := order(t, "key.json", keygen())
	for call, of := range map[string][2]string{
		"feature " + curveMint + " --days": {"PromotionPurchase", "durationDays"},
		"lock " + curveMint + " --amount 1 --first 2300-01-01T00:00:00Z --period 1 --releases": {"TokenLock", "releases"},
		"lock " + curveMint + " --amount 1 --first 2300-01-01T00:00:00Z --releases 2 --period": {"TokenLock", "periodSeconds"},
	} {
		maximum, err := document.Components.Schemas[of[0]].Properties[of[1]].Maximum.Int64()
		check(t, err)
		for _, n := range []int64{maximum, maximum + 1} {
			asked := false
			api := signingIn(t, func(w http.ResponseWriter, _ *http.Request) { asked = true; w.WriteHeader(http.StatusTeapot) })
			got := say(t, "", append(strings.Fields("--api "+api+" --key "+key+" "+call), strconv.FormatInt(n, 10), "--yes", "--rpc", taxing(t, 500, nil))...)
			if asked != (n == maximum) || (got.code == 2) == asked {
				t.Errorf("%s %d: requested %t, %+v", call, n, asked, got)
			}
		}
	}
}
