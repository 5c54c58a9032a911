package main_test

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	main "tokenlaunch.example/service/pkg/client/tokenlaunch"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

// payment is a signed transfer to a new wallet.
func payment(t *testing.T, from solana.PrivateKey, recent solana.Hash, lamports uint64) string {
	t.Helper()
	message, err := wire.Compile(from.PublicKey(), recent, []solana.Instruction{
		systemprogram.Transfer{From: from.PublicKey(), To: solana.NewWallet().PublicKey(), Lamports: lamports}.Instruction(),
	})
	check(t, err)
	tx := wire.NewTransaction(message)
	check(t, tx.Sign(ed25519.PrivateKey(from)))
	return tx.Base64()
}

// What landed is done, and what the chain refused has failed; both are known.
func TestSentTransactionsEnd(t *testing.T) {
	ledger := localnet.Chain(t)
	node, err := solanarpc.New(ledger.RPCURL)
	check(t, err)
	from := solana.NewWallet().PrivateKey
	const funds = 1_000_000_000
	ledger.Fund(t, from.PublicKey().String(), funds)
	for want, lamports := range map[string]uint64{"": funds / 10, " failed: ": funds} {
		recent, err := node.LatestBlockhash(t.Context())
		check(t, err)
		code, err := main.Land(t.Context(), ledger.RPCURL, payment(t, from, recent, lamports), 1)
		if fails := want != ""; fails != (err != nil) || fails != (code == 1) || fails && !strings.Contains(err.Error(), want) {
			t.Errorf("%d lamports: %d %v, want %q", lamports, code, err, want)
		}
	}
}

// A transaction that a node took and that no one saw land may land yet: the exit status is
// another than that of a failure, after which a script would trade again.
func TestUnknownEndsAreNoFailures(t *testing.T) {
	for name, asked := range map[string]string{"the node takes it and never has it": "getSignatureStatuses", "the node does not answer": "sendTransaction"} {
		ctx, cancel := context.WithCancel(t.Context())
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			call, _ := io.ReadAll(r.Body)
			if strings.Contains(string(call), asked) {
				cancel() // as Ctrl-C does
			}
			result := `""`
			switch {
			case strings.Contains(string(call), "getSignatureStatuses"):
				result = `{"context":{"slot":1},"value":[null]}`
			case strings.Contains(string(call), "sendTransaction"):
				result = `"` + solana.Signature{1}.String() + `"`
			}
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":%s}`, result)
		}))
		code, err := main.Land(ctx, server.URL, payment(t, solana.NewWallet().PrivateKey, solana.Hash{1}, 1), 4711)
		if code != 4 || err == nil || !strings.Contains(err.Error(), "it is not known whether the transaction ") || !strings.Contains(err.Error(), "above block height 4711") {
			t.Errorf("%s: %d %v", name, code, err)
		}
		server.Close()
		cancel()
	}
}
