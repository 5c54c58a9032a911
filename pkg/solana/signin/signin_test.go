package signin_test

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/signin"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// TestTransactionsOfWallets tests transactions that web3.js created and signed.
func TestTransactionsOfWallets(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../platform/auth/testdata/wallets.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors struct {
		Wallet                            solana.PublicKey
		Texts                             map[string]string
		Transactions, RefusedTransactions []struct{ Form, What, Names, Transaction string }
	}
	if err := json.Unmarshal(raw, &vectors); err != nil {
		t.Fatal(err)
	}
	challenge := vectors.Texts["challenge"]
	if len(vectors.Transactions) == 0 || len(vectors.RefusedTransactions) == 0 {
		t.Error("no vectors")
	}
	for _, v := range vectors.Transactions {
		transaction, err := signin.Parse(v.Transaction)
		if err != nil {
			t.Fatal(err)
		}
		if err := transaction.Check(vectors.Wallet, challenge); err != nil {
			t.Errorf("Check() of form %s: %v", v.Form, err)
		}
		if transaction.Check(vectors.Wallet, vectors.Texts["order"]) == nil {
			t.Errorf("%s passes for another text", v.Form)
		}
		if transaction.Check(solana.SystemProgramID, challenge) == nil {
			t.Errorf("%s passes for another wallet", v.Form)
		}
	}
	for _, v := range vectors.RefusedTransactions {
		transaction, err := signin.Parse(v.Transaction)
		if err != nil {
			t.Fatal(err)
		}
		if err := transaction.Check(vectors.Wallet, challenge); err == nil || !strings.Contains(err.Error(), v.Names) {
			t.Errorf("%s: %v, want it to name %q", v.What, err, v.Names)
		}
	}
}

// TestAnotherKeysSignature tests the right message with a signature over other bytes.
func TestAnotherKeysSignature(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../platform/auth/testdata/wallets.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors struct {
		Wallet       solana.PublicKey
		Texts        map[string]string
		Transactions []struct{ Transaction string }
	}
	if err := json.Unmarshal(raw, &vectors); err != nil {
		t.Fatal(err)
	}
	text := []byte(vectors.Transactions[0].Transaction)
	text[10] ^= 1 // a digit of the signature
	transaction, err := signin.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := transaction.Check(vectors.Wallet, vectors.Texts["challenge"]); err == nil {
		t.Error("accepted")
	}
}

// TestNoSignatureServesTwice tests that a message for another purpose is no sign-in, and that the
// network cannot parse a sign-in as a transaction.
func TestNoSignatureServesTwice(t *testing.T) {
	t.Parallel()
	read := func(name string, into any) {
		t.Helper()
		raw, err := os.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(raw, into)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var wallets struct {
		Texts      map[string]string
		Signatures []struct{ Form, Message string }
	}
	read("../../platform/auth/testdata/wallets.json", &wallets)
	for _, v := range wallets.Signatures {
		message, err := hex.DecodeString(v.Message)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := wire.ParseMessage(message); err == nil {
			t.Errorf("%s is a transaction's message", v.Form)
		}
		if _, err := wire.ParseV1(message); err == nil {
			t.Errorf("%s is a transaction of version 1", v.Form)
		}
	}
	var asked []struct {
		Name  string
		Given struct{ Transaction string }
	}
	read("../../client/testdata/asked.json", &asked)
	if len(asked) == 0 {
		t.Error("no transactions")
	}
	for _, a := range asked {
		transaction, err := signin.Parse(a.Given.Transaction)
		if err != nil {
			continue // a later version, by which no caller signs in
		}
		payer, err := wire.ParseBase64(a.Given.Transaction)
		if err != nil {
			t.Fatal(err)
		}
		if transaction.Check(payer.Message().FeePayer(), wallets.Texts["challenge"]) == nil {
			t.Errorf("%s signs in", a.Name)
		}
	}
}
