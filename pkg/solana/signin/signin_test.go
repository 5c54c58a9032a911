package signin_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/signin"
)

// TestTransactionsOfWallets: transactions that web3.js made and signed.
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
			t.Errorf("%s: %v", v.Form, err)
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

// TestAnotherKeysSignature: the message is right, and the signature is of other bytes.
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
