package tokens_test

import (
	"net/http"
	"reflect"
	"testing"

	"github.com/gagliardetto/solana-go"
)

// fresh is the transaction that takes the place of an outdated one.
var fresh = map[string]any{"transaction": "Ag==", "expiresAt": "2026-11-21T12:00:00.005Z", "lastValidBlockHeight": 4_711.0}

func TestOutdatedTransactionIsRefreshed(t *testing.T) {
	status, answer := call(t, &service{}, http.MethodPost, "/tokens/submit", `{"transactionId":"old","signedTransaction":"AQ=="}`)
	if status != http.StatusBadRequest || answer["code"] != "transaction_expired" || !reflect.DeepEqual(answer["refresh"], any(fresh)) {
		t.Errorf("submit = %d %v, want 400 transaction_expired with a fresh transaction", status, answer)
	}
	status, answer = call(t, &service{}, http.MethodPost, "/tokens/transactions/waiting/refresh", "")
	if status != http.StatusOK || !reflect.DeepEqual(answer, fresh) {
		t.Errorf("refreshed: %d %v", status, answer)
	}
	if status, answer = call(t, &service{}, http.MethodPost, "/tokens/transactions/none/refresh", ""); status != http.StatusNotFound {
		t.Errorf("refreshed, another's: %d %v", status, answer)
	}
}

func TestTransactionStatus(t *testing.T) {
	signature := solana.Signature{1}.String()
	for id, want := range map[string]map[string]any{
		"waiting": {"status": "expired", "signature": nil, "reason": nil},
		"sent":    {"status": "submitted", "signature": signature, "reason": nil},
		"refused": {"status": "failed", "signature": signature, "reason": "Poor."},
	} {
		want["transactionId"], want["expiresAt"], want["mintAddress"] = id, fresh["expiresAt"], mint.String()
		if status, answer := call(t, &service{}, http.MethodGet, "/tokens/transactions/"+id, ""); status != http.StatusOK || !reflect.DeepEqual(answer, want) {
			t.Errorf("%s: %d %v, want %v", id, status, answer, want)
		}
	}
	if status, answer := call(t, &service{}, http.MethodGet, "/tokens/transactions/none", ""); status != http.StatusNotFound || answer["code"] != "not_found" {
		t.Errorf("another's: %d %v", status, answer)
	}
}
