// Package peertest runs the official Solana clients of infra/peer in tests, to compare this
// service's encoding and parsing with real wallets. It also runs sharp, to compare the colours of
// pictures.
package peertest

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// runWithin bounds a run of a script.
const runWithin = 2 * time.Minute

// Case is an input of infra/peer/encode.mjs: a kind and arguments.
type Case map[string]any

// Account is an account of an instruction. Role is 0 for read-only, plus 1 for writable, plus 2 for
// a signer.
type Account struct {
	Address string `json:"address"`
	Role    int    `json:"role"`
}

// Instruction is an instruction as a client encodes it.
type Instruction struct {
	Program  string    `json:"program"`
	Accounts []Account `json:"accounts"`
	Data     []byte    `json:"data"`
}

// Encoded is a client's result for a Case. Exactly one of the fields is set.
type Encoded struct {
	Instruction *Instruction `json:"instruction"`
	Transaction []byte       `json:"transaction"` // without signatures
	Error       string       `json:"error"`
}

// Encode returns the results of @solana/kit and the official program clients for each case. Encode
// skips the test in short mode, and fails the test if the clients are not installed.
func Encode(t testing.TB, cases []Case) []Encoded {
	t.Helper()
	var results []Encoded
	run(t, "encode.mjs", cases, &results)
	if len(results) != len(cases) {
		t.Fatalf("the clients gave %d results for %d cases", len(results), len(cases))
	}
	return results
}

// Client is a client with which a wallet signs.
type Client string

// The clients of infra/peer/sign.mjs.
const (
	Web3Legacy     Client = "web3-legacy"      // web3.js 1.x, Transaction.partialSign
	Web3LegacySign Client = "web3-legacy-sign" // Transaction.sign, which drops the other signatures
	Web3Versioned  Client = "web3-versioned"   // VersionedTransaction around the legacy message
	Kit            Client = "kit"              // @solana/kit, partiallySignTransaction
	Web3Guarded    Client = "web3-guarded"     // web3.js 1.x, with a price and an assertion of its own
	KitGuarded     Client = "kit-guarded"      // @solana/kit, with the same
)

// Clients returns every Client.
func Clients() []Client { return []Client{Web3Legacy, Web3LegacySign, Web3Versioned, Kit} }

// GuardingClients returns the clients that change a transaction before the signature, like wallets.
func GuardingClients() []Client { return []Client{Web3Guarded, KitGuarded} }

// Sign lets a client sign a transaction in base64 with a key, and returns the client's serialised
// transaction in base64. Sign skips the test in short mode.
func Sign(t testing.TB, client Client, transaction string, key ed25519.PrivateKey) string {
	t.Helper()
	var results []struct{ Transaction, Error string }
	run(t, "sign.mjs", []map[string]string{{
		"client": string(client), "transaction": transaction, "secret": base64.StdEncoding.EncodeToString(key),
	}}, &results)
	if len(results) != 1 || results[0].Error != "" {
		t.Fatalf("%s does not sign: %+v", client, results)
	}
	return results[0].Transaction
}

func run(t testing.TB, script string, input, output any) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the official clients in Node; not in short mode")
	}
	root, err := project.Find()
	if err != nil {
		t.Fatal(err)
	}
	folder := root.Path("infra/peer")
	if _, err := os.Stat(filepath.Join(folder, "node_modules")); err != nil {
		t.Fatal("The official Solana clients are not installed: run `make tools`.")
	}
	text, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), runWithin)
	defer cancel()
	command := exec.CommandContext(ctx, "node", filepath.Join(folder, script)) //nolint:gosec // Our own script.
	command.Stdin = bytes.NewReader(text)
	var complaint bytes.Buffer
	command.Stderr = &complaint
	answer, err := command.Output()
	if err != nil {
		t.Fatalf("node %s: %v\n%s", script, err, complaint.String())
	}
	if err := json.Unmarshal(answer, output); err != nil {
		t.Fatalf("read the answer of %s: %v", script, err)
	}
}
