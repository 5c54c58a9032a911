package auth_test

import (
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/auth"
	"tokenlaunch.example/service/pkg/platform/auth/siws"
)

// wallets are signatures that the libraries of others made; which, and of what version, is in
// the file.
type wallets struct {
	Wallet              solana.PublicKey
	Texts               map[string]string
	Signatures, Refused []struct{ Form, What, Text, Message, Signature string }
}

func readWallets(t *testing.T) (w wallets) {
	t.Helper()
	raw, err := os.ReadFile("testdata/wallets.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &w); err != nil {
		t.Fatal(err)
	}
	return w
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	raw, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestSignaturesOfWallets tests that every form in which a wallet signs a text is accepted, only
// for its own text and wallet.
func TestSignaturesOfWallets(t *testing.T) {
	t.Parallel()
	w := readWallets(t)
	if _, err := siws.Parse(w.Texts["challenge"]); err != nil {
		t.Errorf("the wallet standard's own text: %v", err)
	}
	forms := map[string]bool{}
	for _, v := range w.Signatures {
		text, signature := w.Texts[v.Text], solana.Signature(unhex(t, v.Signature))
		if !auth.SignedText(w.Wallet, text, signature) {
			t.Errorf("%s of %s is rejected", v.Form, v.Text)
		}
		for what, other := range w.Texts {
			if other != text && auth.SignedText(w.Wallet, other, signature) {
				t.Errorf("%s of %s passes for %s", v.Form, v.Text, what)
			}
		}
		if auth.SignedText(newOwner(t).address, text, signature) {
			t.Errorf("%s of %s passes for another wallet", v.Form, v.Text)
		}
		forms[v.Form] = true
	}
	if len(forms) != 5 {
		t.Errorf("%d forms: %v", len(forms), forms)
	}
	for _, v := range w.Refused {
		if auth.SignedText(w.Wallet, w.Texts[v.Text], solana.Signature(unhex(t, v.Signature))) {
			t.Errorf("%s is accepted", v.What)
		}
	}
}

// TestOffchainMessageRejectsInput tests that texts that a screen cannot show, or that are too long
// for a hardware wallet, are signed unchanged or not at all.
func TestOffchainMessageRejectsInput(t *testing.T) {
	t.Parallel()
	o := newOwner(t)
	for what, text := range map[string]string{
		"none": "", "a carriage return": "a\rb", "a zero": "a\x00", "no UTF-8": "a\xff", "a long text": strings.Repeat("a", 1232-84),
	} {
		envelope := "\xffsolana offchain\x01\x01" + string(o.address[:]) + text
		if auth.SignedText(o.address, text, solana.Signature(ed25519.Sign(o.key, []byte(envelope)))) {
			t.Errorf("%s: an off-chain message is accepted", what)
		}
		if !auth.SignedText(o.address, text, solana.Signature(ed25519.Sign(o.key, []byte(text)))) {
			t.Errorf("%s: the text's own signature is rejected", what)
		}
	}
}

// TestVerifyAcceptsEveryWalletForm tests that each form of a signed challenge is accepted.
func TestVerifyAcceptsEveryWalletForm(t *testing.T) {
	t.Parallel()
	for what, header := range map[string]func(o owner, text string) string{
		"raw": func(owner, string) string { return "" },
		"first proposal": func(_ owner, text string) string {
			return "\x00\x00" + string([]byte{byte(len(text)), byte(len(text) >> 8)})
		},
		"version 0": func(o owner, text string) string {
			return strings.Repeat("\x00", 33) + "\x00\x01" + string(o.address[:]) + string([]byte{byte(len(text)), byte(len(text) >> 8)})
		},
		"version 1": func(o owner, _ string) string { return "\x01\x01" + string(o.address[:]) },
	} {
		b, o := newBench(t), newOwner(t)
		c := b.issue(t, o.address)
		signed := c.Message
		if h := header(o, c.Message); h != "" {
			signed = "\xffsolana offchain" + h + c.Message
		}
		if _, err := b.Verify(t.Context(), o.address, c.Message, o.sign(t, signed)); err != nil {
			t.Errorf("Verify(), %s: %v", what, err)
		}
	}
}

// TestRefusalNamesForms, and what a multisig's vault can be here.
func TestRefusalNamesForms(t *testing.T) {
	t.Parallel()
	b, o := newBench(t), newOwner(t)
	c := b.issue(t, o.address)
	_, err := b.Verify(t.Context(), o.address, c.Message, o.sign(t, "hello"))
	for _, form := range []string{"challenge's bytes", "off-chain message of version 0 or 1", "signedTransaction"} {
		if apperr.CodeOf(err) != "invalid_signature" || !strings.Contains(err.Error(), form) {
			t.Errorf("%v does not name %q", err, form)
		}
	}
	vault, _, err := solana.FindProgramAddress([][]byte{[]byte("multisig"), []byte("vault"), {0}}, solana.MemoProgramID)
	if err != nil {
		t.Fatal(err)
	}
	c = b.issue(t, vault)
	_, err = b.Verify(t.Context(), vault, c.Message, o.sign(t, c.Message))
	if apperr.CodeOf(err) != "invalid_signature" || !strings.Contains(err.Error(), "developerWallet or a wallet of creatorSplits") {
		t.Errorf("a vault signs in: %v", err)
	}
}
