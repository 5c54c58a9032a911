package solanarpc_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
)

// FuzzAnswers returns arbitrary responses of a node: each call ends in a value or an error, and no
// error shows the node's address.
func FuzzAnswers(f *testing.F) {
	const address = "11111111111111111111111111111111"
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":5},"value":{"lamports":7,"owner":"` + address + `","data":["AQAAAA==","base64"]}}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":5},"value":[{"slot":5,"confirmationStatus":"confirmed","err":{"InstructionError":[0,{"Custom":1}]}}]}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":5},"value":{"err":"AccountNotFound","logs":["x"],"unitsConsumed":9}}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":5},"value":[null]}}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"` + secret + `","data":{"err":"AlreadyProcessed"}}}`,
		`{"jsonrpc":"2.0","id":1,"result":[{"numSlots":1,"samplePeriodSecs":4294967295,"prioritizationFee":18446744073709551615}]}`,
		`{"jsonrpc":"2.0","id":1,"result":{"absoluteSlot":18446744073709551615,"blockHeight":5}}`,
		`{"result":null}`, `{"result":[1]} {}`, `{"result":-1e400}`, `"ok"`, ``,
	} {
		f.Add(http.StatusOK, []byte(seed))
	}
	f.Add(http.StatusTooManyRequests, []byte(`slow down, `+secret))
	f.Fuzz(func(t *testing.T, code int, answer []byte) {
		if code < 200 || code > 599 {
			return
		}
		n := newNode(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(code)
			_, _ = w.Write(answer)
		})
		ctx := t.Context()
		// The key stays hidden even if the node repeats it.
		check := func(call string, err error) {
			if err != nil && strings.Contains(err.Error(), secret) {
				t.Errorf("%s shows the address: %v", call, err)
			}
		}
		_, _, err := n.Account(ctx, solana.PublicKey{})
		check("Account", err)
		_, _, err = n.Nonce(ctx, solana.PublicKey{})
		check("Nonce", err)
		_, err = n.Balance(ctx, solana.PublicKey{})
		check("Balance", err)
		_, err = n.RecentBlockhash(ctx)
		check("RecentBlockhash", err)
		_, err = n.Knows(ctx, solana.Hash{})
		check("Knows", err)
		_, err = n.PriorityFee(ctx, solana.PublicKey{})
		check("PriorityFee", err)
		slot, err := n.SlotTime(ctx)
		check("SlotTime", err)
		if err == nil && (slot < 50*time.Millisecond || slot > time.Second) {
			t.Errorf("a slot takes %s", slot)
		}
		check("Health", n.Health(ctx))
		check("Send", n.Send(ctx, []byte{1}))
		simulation, err := n.Simulate(ctx, []byte{1})
		check("Simulate", err)
		if err == nil && !simulation.OK && (simulation.Reason == "" || simulation.Detail == "") {
			t.Errorf("a failed simulation without a reason: %+v", simulation)
		}
		statuses, err := n.Statuses(ctx, solana.Signature{1})
		check("Statuses", err)
		if err == nil && len(statuses) != 1 {
			t.Errorf("%d statuses of one transaction", len(statuses))
		}
	})
}
