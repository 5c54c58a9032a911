package distribution_test

import (
	"crypto/ed25519"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	rules "tokenlaunch.example/service/pkg/token/terms"
)

// TestOrders signs the present settings, then a change. Both are announced, and both can be sent
// again and reverted.
func TestOrders(t *testing.T) {
	s := start(t)
	public, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	owner, target := solana.PublicKeyFromBytes(public), "/distribution/"+id+"/settings"
	own := record()
	own.Creator, own.Settings = owner, rules.Default(owner)
	s.store.Put(own)
	order := func(key ed25519.PrivateKey, version int64, settings rules.Settings) string {
		signature := solana.Signature(ed25519.Sign(key, []byte(rules.OrderText(mint, version, settings))))
		return fmt.Sprintf(`"order":{"version":%d,"signature":"%s"}`, version, signature)
	}
	patch := func(body string) (int, map[string]any) {
		t.Helper()
		return s.call(t, owner, http.MethodPatch, target, body)
	}
	checkSettings := func(what string, status int, answer map[string]any, version float64, ordered bool) {
		t.Helper()
		if status != http.StatusOK || answer["version"] != version || answer["orderedByCreator"] != ordered {
			t.Errorf("%s: %d %v, want version %v, ordered %v", what, status, answer, version, ordered)
		}
		if _, now := s.call(t, owner, http.MethodGet, target, ""); now["version"] != version || now["orderedByCreator"] != ordered {
			t.Errorf("%s: then it is %v", what, now)
		}
	}
	_, told := s.call(t, owner, http.MethodGet, target, "")

	status, answer := patch(`{` + order(key, 1, own.Settings) + `}`)
	checkSettings("the launch's settings", status, answer, 1, true)
	status, answer = patch(encode(t, told)) // what was told before it was signed
	checkSettings("sent back", status, answer, 1, true)

	burning := own.Settings
	burning.BurnBps = 700
	change := `{"burnPercent":7,` + order(key, 2, burning) + `}`
	status, answer = patch(change)
	checkSettings("a change", status, answer, 2, true)
	status, answer = patch(change)
	checkSettings("again", status, answer, 2, true)
	status, answer = patch(encode(t, answer))
	checkSettings("sent back", status, answer, 2, true)

	more := burning
	more.BurnBps = 800
	status, answer = patch(`{"burnPercent":8,` + order(key, 2, more) + `}`)
	if detail := fmt.Sprint(answer["detail"]); status != http.StatusConflict || answer["code"] != "settings_version_conflict" ||
		!strings.Contains(detail, "version 2 now") || !strings.Contains(detail, "must be of version 3") {
		t.Errorf("of the version in force: %d %v", status, answer)
	}
	_, stranger, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	status, answer = patch(`{"burnPercent":8,` + order(stranger, 3, more) + `}`)
	if status != http.StatusBadRequest || answer["code"] != "validation_failed" || codes(t, answer)["order.signature"] != "invalid_signature" ||
		!strings.Contains(encode(t, answer), strings.ReplaceAll(rules.OrderText(mint, 3, more), "\n", `\n`)) {
		t.Errorf("of another wallet: %d %v", status, answer)
	}
	_, answer = s.call(t, owner, http.MethodGet, target, "")
	checkSettings("refused", http.StatusOK, answer, 2, true)

	status, answer = patch(`{"burnPercent":8}`)
	checkSettings("without an order", status, answer, 3, false)
	status, answer = patch(encode(t, told)) // versions that were told once may be sent back
	checkSettings("what was told at first", status, answer, 4, false)
}

// TestOrderOfHardwareWallet tests that a creator may sign an off-chain message that contains the
// text.
func TestOrderOfHardwareWallet(t *testing.T) {
	s := start(t)
	public, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	owner, own := solana.PublicKeyFromBytes(public), record()
	own.Creator, own.Settings = owner, rules.Default(owner)
	s.store.Put(own)
	order := func(signer solana.PublicKey) string {
		message := "\xffsolana offchain\x01\x01" + string(signer[:]) + rules.OrderText(mint, 1, own.Settings)
		return fmt.Sprintf(`{"order":{"version":1,"signature":"%s"}}`, solana.Signature(ed25519.Sign(key, []byte(message))))
	}
	status, answer := s.call(t, owner, http.MethodPatch, "/distribution/"+id+"/settings", order(mint))
	if status != http.StatusBadRequest || !strings.Contains(encode(t, answer), "off-chain message of version 0 or 1") {
		t.Errorf("with another signer: %d %v", status, answer)
	}
	status, answer = s.call(t, owner, http.MethodPatch, "/distribution/"+id+"/settings", order(owner))
	if status != http.StatusOK || answer["orderedByCreator"] != true {
		t.Errorf("PATCH settings = %d %v, want 200 with orderedByCreator", status, answer)
	}
}
