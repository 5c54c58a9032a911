package client_test

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
	"testing/synctest"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// lastBlock is the height of the last block that takes the payments of these tests.
const lastBlock = 150

// payment is a signed transfer, and its signature.
func payment(t *testing.T) (string, solana.Signature) {
	t.Helper()
	from := solana.NewWallet().PrivateKey
	message, err := wire.Compile(from.PublicKey(), solana.Hash{1}, []solana.Instruction{
		systemprogram.Transfer{From: from.PublicKey(), To: solana.NewWallet().PublicKey(), Lamports: 1}.Instruction(),
	})
	if err != nil {
		t.Fatal(err)
	}
	tx := wire.NewTransaction(message)
	if err := tx.Sign(ed25519.PrivateKey(from)); err != nil {
		t.Fatal(err)
	}
	id, _ := tx.ID()
	return tx.Base64(), id
}

// network is a node whose responses depend on the number of earlier requests. If a function is nil,
// the node accepts everything and decides nothing.
type network struct {
	send         func(sent int) error
	look         func(looks int) (transaction.Look, error)
	height       func(looks int) uint64
	bytes        map[string]int
	sends, looks int
}

func (n *network) Send(_ context.Context, signed []byte) error {
	if n.bytes == nil {
		n.bytes = map[string]int{}
	}
	n.bytes[string(signed)]++
	if n.sends++; n.send == nil {
		return nil
	}
	return n.send(n.sends)
}

func (n *network) Look(context.Context, solana.Signature) (transaction.Look, error) {
	if n.looks++; n.look == nil {
		return transaction.Look{Outcome: transaction.Outcome{State: transaction.Unknown}, Slot: 1000}, nil
	}
	return n.look(n.looks)
}

func (n *network) Finality(context.Context) (onchain.Tip, error) {
	if n.height == nil {
		return onchain.Tip{Height: 1, Slot: 1}, nil
	}
	h := n.height(n.looks)
	return onchain.Tip{Height: h, Slot: h}, nil
}

func state(s transaction.OutcomeState, seen bool, slot uint64) transaction.Look {
	return transaction.Look{Outcome: transaction.Outcome{State: s, Detail: "no money"}, Seen: seen, Slot: slot}
}

// errAway and errRefusal are of a node that does not answer, and of one that rejects a transaction.
var (
	errAway    = apperr.Upstream("The Solana node", errors.New("connection refused"))
	errRefusal = errors.New("refused with -32003")
)

// Every sending ends with what is known: a transaction that may land yet is never called
// expired or failed.
func TestSendingEnds(t *testing.T) {
	seenFrom := func(n int, after transaction.Look) func(int) (transaction.Look, error) {
		return func(looks int) (transaction.Look, error) {
			if looks < n {
				return state(transaction.Unknown, false, 1000), nil
			}
			return after, nil
		}
	}
	past := func(int) uint64 { return lastBlock + 1 }
	for name, test := range map[string]struct {
		node network
		open bool  // no last block is known
		want error // nil: it landed
		says string
		// sends is the least number of sends, all of the same bytes.
		sends int
	}{
		"lands immediately":               {node: network{look: seenFrom(1, state(transaction.Succeeded, true, 1000))}, sends: 1},
		"it is sent again until it lands": {node: network{look: seenFrom(12, state(transaction.Succeeded, true, 1000))}, sends: 3},
		"it landed before it expired":     {node: network{look: seenFrom(1, state(transaction.Succeeded, true, 1000)), height: past}, sends: 1},
		"a temporary outage of the node":  {node: network{send: func(n int) error { return map[int]error{1: errAway}[n] }, look: seenFrom(12, state(transaction.Succeeded, true, 1000))}, sends: 3},
		"a node that rejects a duplicate": {node: network{send: func(int) error { return errRefusal }, look: seenFrom(1, state(transaction.Succeeded, true, 1000))}, sends: 1},
		"a node that rejects it, and it is in a block": {node: network{send: func(int) error { return errRefusal }, look: func(looks int) (transaction.Look, error) {
			if looks < 3 {
				return state(transaction.Unknown, true, 1000), nil
			}
			return state(transaction.Succeeded, true, 1000), nil
		}}, sends: 1},
		"the chain rejects it": {node: network{look: seenFrom(3, state(transaction.Refused, true, 1000))}, want: client.ErrTransactionFailed, says: "no money", sends: 1},
		"it expires":           {node: network{height: func(looks int) uint64 { return uint64(140 + looks) }}, want: client.ErrTransactionExpired, says: "nothing was paid", sends: 4},
		"the last block includes it": {
			node: network{height: func(int) uint64 { return lastBlock }}, want: &client.UndecidedError{}, says: "within 3m0s", sends: 10,
		},
		"a node that lags": {
			node: network{height: past, look: seenFrom(1, state(transaction.Unknown, false, lastBlock))}, want: &client.UndecidedError{}, says: "within 3m0s", sends: 10,
		},
		"it is in a block, and no one confirms it": {
			node: network{height: past, look: seenFrom(1, state(transaction.Unknown, true, 1000))}, want: &client.UndecidedError{}, says: "above block height 150", sends: 1,
		},
		"no last block is known": {node: network{height: past}, open: true, want: &client.UndecidedError{}, says: "look for it before you do this again (", sends: 10},
		"the node rejects it":    {node: network{send: func(int) error { return errRefusal }}, want: errRefusal, says: "it is not known", sends: 1},
		"the node dies":          {node: network{look: func(int) (transaction.Look, error) { return transaction.Look{}, errAway }}, want: errAway, says: "it is not known", sends: 10},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				signed, id := payment(t)
				last := uint64(lastBlock)
				if test.open {
					last = 0
				}
				got, err := client.Send(t.Context(), &test.node, signed, last)
				if got != id {
					t.Errorf("signature %s, want %s", got, id)
				}
				var open, wanted *client.UndecidedError
				undecided := errors.As(err, &open)
				switch {
				case test.want == nil && err != nil:
					t.Error(err)
				case test.want == nil:
				case errors.As(test.want, &wanted):
					if !undecided {
						t.Errorf("got %v", err)
					}
				case !errors.Is(err, test.want):
					t.Errorf("got %v, want %v", err, test.want)
				}
				if err != nil && !strings.Contains(err.Error(), test.says) {
					t.Errorf("text %q, want %q", err, test.says)
				}
				if final := errors.Is(err, client.ErrTransactionFailed) || errors.Is(err, client.ErrTransactionExpired); err != nil && undecided == final {
					t.Errorf("undecided %t, final %t: %v", undecided, final, err)
				}
				if undecided && (open.Signed != signed || open.Signature != id || open.LastValidBlockHeight != last) {
					t.Errorf("left %+v", open)
				}
				if len(test.node.bytes) != 1 || test.node.sends < test.sends || test.sends < 10 && test.node.sends != test.sends {
					t.Errorf("sent %d times, %d transactions, want %d times", test.node.sends, len(test.node.bytes), test.sends)
				}
			})
		})
	}
}

// A caller who cancels a send keeps the transaction, and may continue to send it.
func TestCancelledSendCanContinue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		signed, id := payment(t)
		ctx, cancel := context.WithCancel(t.Context())
		n := &network{look: func(looks int) (transaction.Look, error) {
			if looks == 2 {
				cancel()
			}
			return state(transaction.Unknown, false, 1000), nil
		}}
		_, err := client.Send(ctx, n, signed, lastBlock)
		var open *client.UndecidedError
		if !errors.As(err, &open) || !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		n.look = func(int) (transaction.Look, error) { return state(transaction.Succeeded, true, 1000), nil }
		if got, err := client.Send(t.Context(), n, open.Signed, open.LastValidBlockHeight); err != nil || got != id {
			t.Errorf("Send() = %s, %v; want %s", got, err, id)
		}
	})
}

func TestSendRejectsUnsigned(t *testing.T) {
	n := &network{}
	message, err := wire.Compile(solana.PublicKey{1}, solana.Hash{1}, []solana.Instruction{
		systemprogram.Transfer{From: solana.PublicKey{1}, To: solana.PublicKey{2}, Lamports: 1}.Instruction(),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, signed := range []string{"", "undefined", wire.NewTransaction(message).Base64()} {
		if _, err := client.Send(t.Context(), n, signed, lastBlock); err == nil || n.sends > 0 {
			t.Errorf("Send(%q) = %v, want an error and nothing sent", signed, err)
		}
	}
}

// nodeSecret is in the address of every node of these tests.
const nodeSecret = "s3cr3t-api-key"

// answering is a node that responds to a method with a status and a body.
func answering(t *testing.T, status int, body string) *client.HTTPNode {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	node, err := client.NodeAt(server.URL + "/" + nodeSecret + "?key=" + nodeSecret)
	if err != nil {
		t.Fatal(err)
	}
	return node
}

// A node's statuses are read as the node returns them.
func TestNodeStatuses(t *testing.T) {
	for status, want := range map[string]transaction.Look{
		`null`: {Outcome: transaction.Outcome{State: transaction.Unknown}, Slot: 7},
		`{"confirmationStatus":"processed","err":{"InstructionError":[0,{"Custom":1}]}}`: {Outcome: transaction.Outcome{State: transaction.Unknown}, Seen: true, Slot: 7},
		`{"confirmationStatus":null,"err":null}`:                                         {Outcome: transaction.Outcome{State: transaction.Unknown}, Seen: true, Slot: 7},
		`{"confirmationStatus":"confirmed","err":null}`:                                  {Outcome: transaction.Outcome{State: transaction.Succeeded}, Seen: true, Slot: 7},
		`{"confirmationStatus":"finalized","err":{"InstructionError":[0,{"Custom":1}]}}`: {
			Outcome: transaction.Outcome{State: transaction.Refused, Detail: "Instruction 1 failed with error 0x1."}, Seen: true, Slot: 7,
		},
	} {
		got, err := answering(t, 200, `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":7},"value":[`+status+`]}}`).Look(t.Context(), solana.Signature{1})
		if err != nil || got != want {
			t.Errorf("Look() of status %s = %+v, %v; want %+v", status, got, err, want)
		}
	}
	tip, err := answering(t, 200, `{"result":{"blockHeight":18446744073709551615,"absoluteSlot":9}}`).Finality(t.Context())
	if err != nil || tip != (onchain.Tip{Height: 1<<64 - 1, Slot: 9}) {
		t.Errorf("Finality() = %+v, %v; want height 2^64-1 and slot 9", tip, err)
	}
}

// TestNodeExplainsFailure tests that the logs of a failed transaction name the program that
// rejected it.
func TestNodeExplainsFailure(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		answer := `{"context":{"slot":7},"value":[{"confirmationStatus":"confirmed","err":{"InstructionError":[0,{"Custom":1}]}}]}`
		if strings.Contains(string(body), "getTransaction") {
			answer = `{"transaction":["AA==","base64"],"meta":{"logMessages":["Program 11111111111111111111111111111111 failed: custom program error: 0x1"]}}`
		}
		_, _ = io.WriteString(w, `{"result":`+answer+`}`)
	}))
	defer server.Close()
	node, err := client.NodeAt(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	const want = "Instruction 1 failed: The paying account does not have enough SOL."
	if look, err := node.Look(t.Context(), solana.Signature{1}); err != nil || look.Detail != want {
		t.Errorf("Look() = %+v, %v; want %q", look, err, want)
	}
}

// An unavailable node and a rejecting node have different errors, and no error shows the address.
func TestNodeUnavailable(t *testing.T) {
	gone, err := client.NodeAt("http://127.0.0.1:1/" + nodeSecret)
	if err != nil {
		t.Fatal(err)
	}
	refusal := `{"error":{"code":-32003,"message":"signature verification failure of ` + nodeSecret + `"}}`
	for name, test := range map[string]struct {
		node *client.HTTPNode
		kind apperr.Kind
	}{
		"no connection": {gone, apperr.Unavailable},
		"status 500":    {answering(t, 500, nodeSecret), apperr.Unavailable},
		"status 429":    {answering(t, 429, refusal), apperr.Unavailable},
		"not JSON":      {answering(t, 200, "<html>"+nodeSecret), apperr.Unavailable},
		"nothing":       {answering(t, 200, "{}"), apperr.Unavailable},
		"another thing": {answering(t, 200, `{"result":{"value":[]}}`), apperr.Unavailable},
		"too long":      {answering(t, 200, `{"result":"`+strings.Repeat("x", 1<<20)+`"}`), apperr.Unavailable},
		"a redirection": {answering(t, 302, ""), apperr.Unavailable},
		"a refusal":     {answering(t, 400, refusal), apperr.Internal},
	} {
		_, look := test.node.Look(t.Context(), solana.Signature{1})
		_, final := test.node.Finality(t.Context())
		for _, err := range []error{look, final, test.node.Send(t.Context(), []byte{1})} {
			if apperr.KindOf(err) != test.kind || err == nil {
				t.Errorf("%s: %v, want an error of kind %v", name, err, test.kind)
			}
			for shown := err; shown != nil; shown = errors.Unwrap(shown) {
				if strings.Contains(fmt.Sprintf("%v %+v", shown, shown), nodeSecret) {
					t.Errorf("%s shows the address: %v", name, shown)
				}
			}
		}
	}
	for _, address := range []string{"", "localhost:8899", "ftp://node/" + nodeSecret, "http://" + nodeSecret + ":x"} {
		if _, err := client.NodeAt(address); err == nil || strings.Contains(err.Error(), nodeSecret) {
			t.Errorf("NodeAt(%q) = %v, want an error without the address", address, err)
		}
	}
}
