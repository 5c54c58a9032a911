package main_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
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

// A landed transaction is done, a rejected transaction has failed, and a transaction that no block
// can include any more has expired; all three are known. This holds for the command's node and for
// the library's.
func TestSentTransactionsEnd(t *testing.T) {
	ledger := localnet.Chain(t)
	chain, err := solanarpc.New(ledger.RPCURL)
	check(t, err)
	plain, err := client.NodeAt(ledger.RPCURL)
	check(t, err)
	from := solana.NewWallet().PrivateKey
	const funds = 1_000_000_000
	ledger.Fund(t, from.PublicKey().String(), funds)
	for name, node := range map[string]client.Node{"solanarpc": chain, "plain": plain} {
		recent, err := chain.RecentBlockhash(t.Context())
		check(t, err)
		for _, test := range []struct {
			lamports uint64
			hash     solana.Hash
			last     uint64
			want     error
		}{
			{funds / 10, recent.Hash, recent.LastValid, nil},
			{funds, recent.Hash, recent.LastValid, client.ErrTransactionFailed},
			{1, solana.Hash{1}, 1, client.ErrTransactionExpired},
		} {
			_, err := client.Send(t.Context(), node, payment(t, from, test.hash, test.lamports), test.last)
			if !errors.Is(err, test.want) || test.want != nil && main.ExitCode(err) != 1 {
				t.Errorf("%s, %d lamports: %v, want %v", name, test.lamports, err, test.want)
			}
		}
	}
}

// A transaction that a node took and that no one saw land may land yet: the exit status is
// another than that of a failure, after which a script would trade again.
func TestUnknownOutcomeIsNotFailure(t *testing.T) {
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
		node, err := solanarpc.New(server.URL)
		check(t, err)
		_, err = client.Send(ctx, node, payment(t, solana.NewWallet().PrivateKey, solana.Hash{1}, 1), 4711)
		if main.ExitCode(err) != 4 || err == nil || !strings.Contains(err.Error(), "it is not known whether the transaction ") || !strings.Contains(err.Error(), "above block height 4711") {
			t.Errorf("Send(), %s: status %d, %v; want 4 and an unknown outcome above block height 4711", name, main.ExitCode(err), err)
		}
		server.Close()
		cancel()
	}
}
