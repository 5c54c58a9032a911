package solanarpc_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/launch/reconcile"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

func TestObserveReadsBothAccountsAtOnce(t *testing.T) {
	l := newLedger(t)
	ctx := within(t)
	nonceAccount := l.nonceAccount(t, l.payer, "nonce/v1/0")
	mint := newWallet(t)
	value := l.nonce(t, nonceAccount).Value

	before, err := l.Observe(ctx, nonceAccount, mint.PublicKey, 1)
	want := reconcile.Observation{Slot: before.Slot, Nonce: value, NonceFound: true}
	if err != nil || before != want || before.Slot == 0 {
		t.Errorf("%+v, %v; want %+v", before, err, want)
	}
	// Lamports at the mint's address are no mint, and at a nonce's no nonce.
	l.Fund(t, mint.String(), lamportsPerSOL)
	if s, err := l.Observe(ctx, mint.PublicKey, mint.PublicKey, 0); err != nil || s.MintFound || s.NonceFound {
		t.Errorf("an address with lamports only: %+v, %v", s, err)
	}
	if _, err := l.Observe(ctx, solana.Token2022ProgramID, mint.PublicKey, 0); err == nil {
		t.Error("a program is accepted as a nonce")
	}
}

// A finalized slot is asked for, not before the one that is named; a node that
// has not come there decides nothing.
func TestObserveLaggingNode(t *testing.T) {
	var asked struct {
		Params []json.RawMessage `json:"params"`
	}
	n := newNode(t, func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewDecoder(r.Body).Decode(&asked)
		refusal(-32016, "Minimum context slot has not been reached")(w, r)
	})
	s, err := n.Observe(t.Context(), solana.PublicKey{1}, solana.PublicKey{2}, 1234)
	if err != nil || s != (reconcile.Observation{}) {
		t.Errorf("%+v, %v; want a sighting of no slot", s, err)
	}
	options := string(asked.Params[1])
	for _, want := range []string{`"commitment":"finalized"`, `"minContextSlot":1234`} {
		if !strings.Contains(options, want) {
			t.Errorf("requested with %s, without %s", options, want)
		}
	}
}

func TestObserveRejectsResponses(t *testing.T) {
	for name, answer := range map[string]string{
		"too few":   `{"context":{"slot":9},"value":[null]}`,
		"too many":  `{"context":{"slot":9},"value":[null,null,null]}`,
		"no nonce":  `{"context":{"slot":9},"value":[{"lamports":1,"owner":"TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb","data":["AAAA","base64"]},null]}`,
		"no base64": `{"context":{"slot":9},"value":[{"lamports":1,"owner":"TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb","data":["AAAA","base58"]},null]}`,
	} {
		n := newNode(t, result(answer))
		if s, err := n.Observe(t.Context(), solana.PublicKey{1}, solana.PublicKey{2}, 0); err == nil {
			t.Errorf("Observe(), %s = %+v, want an error", name, s)
		}
	}
	n := newNode(t, status(http.StatusInternalServerError))
	if _, err := n.Observe(t.Context(), solana.PublicKey{1}, solana.PublicKey{2}, 0); apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("%v, want unavailable", err)
	}
	if _, err := n.Missing(t.Context(), make([]solana.PublicKey, solanarpc.MaxAccounts+1)...); err == nil {
		t.Error("requested more accounts than a node reads at once")
	}
}

func TestMissing(t *testing.T) {
	l := newLedger(t)
	ctx := within(t)
	there, funded, nowhere := l.nonceAccount(t, l.payer, "nonce/v1/0"), newWallet(t).PublicKey, newWallet(t).PublicKey
	l.Fund(t, funded.String(), lamportsPerSOL)
	missing, err := l.Missing(ctx, there, funded, nowhere)
	if err != nil || fmt.Sprint(missing) != fmt.Sprint([]solana.PublicKey{funded, nowhere}) {
		t.Errorf("%v, %v; want the two other accounts", missing, err)
	}
	if missing, err := l.Missing(ctx); err != nil || len(missing) != 0 {
		t.Errorf("without addresses: %v, %v", missing, err)
	}
}

// A processed transaction may still be dropped.
func TestOutcomes(t *testing.T) {
	n := newNode(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), "getTransaction") {
			result("null")(w, r)
			return
		}
		result(`{"context":{"slot":9},"value":[null,
			{"slot":8,"confirmationStatus":"processed","err":null},
			{"slot":8,"confirmationStatus":"confirmed","err":null},
			{"slot":8,"confirmationStatus":"finalized","err":"AccountNotFound"}]}`)(w, r)
	})
	outcomes, err := n.Outcomes(t.Context(), make([]solana.Signature, 4)...)
	if err != nil {
		t.Fatal(err)
	}
	want := []transaction.OutcomeState{transaction.Unknown, transaction.Unknown, transaction.Succeeded, transaction.Refused}
	for i, o := range outcomes {
		if o.State != want[i] || (o.Detail != "") != (o.State == transaction.Refused) {
			t.Errorf("%d: %+v, want %s", i, o, want[i])
		}
	}
}
