package runworld

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
)

// Fate is the fate of the transactions that a process sends.
type Fate string

// The fates, for transactions with a receipt. All other transactions land.
const (
	// Lands: the transaction lands.
	Lands Fate = "landed"
	// Vanishes: the node accepts the transaction, twice, and the transaction is never seen.
	Vanishes Fate = "not landed"
	// ReplyLost: the transaction lands, but the sender receives no response.
	ReplyLost Fate = "reply lost"
	// Fails: the transaction fails on the chain, which charges the fee. Another transaction causes
	// this fee, and the node's responses name the sent transaction.
	Fails Fate = "failed on chain"
	// Hides: the transaction lands with its receipt, but no node can report the transaction.
	Hides Fate = "unknown"
	// Blocks: a third party creates the receipt first, and no node can report the third party. The
	// transaction vanishes, and so do later attempts. BlocksFails: the attempts fail on the chain
	// because of the receipt.
	Blocks      Fate = "blocked"
	BlocksFails Fate = "blocked, and failed on chain"
)

// Network is the network as seen by all processes of a fixture.
type Network struct {
	fixture *Fixture
	key     ed25519.PrivateKey

	mu     sync.Mutex
	failed map[solana.Signature]solana.Signature // by the sent transaction: the transaction that landed instead
	hidden map[solana.Signature]bool
	lost   map[solana.Signature]int  // the number of losses
	sent   map[solana.Signature]bool // to the chain, so the fate is decided
	// blocked are the receipts that a third party has created.
	blocked map[solana.PublicKey]bool
}

// walletsKey returns the distribution wallet's key, which the service has.
func (w *Fixture) walletsKey(t testing.TB) ed25519.PrivateKey {
	t.Helper()
	key, err := w.Derivation(w.Config(nil)).PrivateKey(t.Context(), w.Token.Wallet.ID)
	must.Do(t, err)
	return key
}

// NewNetwork returns a network without transactions.
func (w *Fixture) NewNetwork(t testing.TB) *Network {
	t.Helper()
	return &Network{fixture: w, key: w.walletsKey(t), failed: map[solana.Signature]solana.Signature{}, hidden: map[solana.Signature]bool{}, lost: map[solana.Signature]int{}, sent: map[solana.Signature]bool{}, blocked: map[solana.PublicKey]bool{}}
}

// Process returns a process that sees the network; see On.
func (n *Network) Process(fate Fate, numbers ...int) *fault.Process {
	p := fault.NewProcess()
	n.On(p, fate, numbers...)
	return p
}

// On lets a process see the network. The process's transactions with receipts that have these
// numbers, from 1, get the fate. The other transactions land.
func (n *Network) On(p *fault.Process, fate Fate, numbers ...int) {
	var mu sync.Mutex
	var sent []solana.Signature
	// chosen reports whether the transaction has one of the numbers.
	chosen := func(id solana.Signature) bool {
		mu.Lock()
		defer mu.Unlock()
		i := slices.Index(sent, id)
		if i < 0 {
			i = len(sent)
			sent = append(sent, id)
		}
		return slices.Contains(numbers, i+1)
	}
	p.On(fault.Operation(fault.Solana, fault.GetSignatureStatus), n.statuses)
	p.On(fault.Operation(fault.Solana, "getTransaction"), n.transaction)
	p.On(fault.Operation(fault.Solana, "getSignaturesForAddress"), n.history)
	p.On(fault.Operation(fault.Solana, fault.SendTransaction), func(c fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
		id, tx, err := payouttest.Sent(r)
		if err != nil {
			return nil, fmt.Errorf("read what is sent: %w", err)
		}
		n.mu.Lock()
		_, failed := n.failed[id]
		decided := n.sent[id]
		n.mu.Unlock()
		if failed {
			return fault.Dropped(c, r, send)
		}
		receipt, ok := payouttest.ReceiptOf(tx)
		n.mu.Lock()
		blocked := n.blocked[receipt]
		n.mu.Unlock()
		if !ok || decided || !blocked && !chosen(id) {
			return n.pass(r, id, send)
		}
		switch fate {
		case ReplyLost:
			n.passes(id)
			return fault.ReplyLost(c, r, send)
		case Fails:
			return n.fail(c, r, send, id, tx)
		case Blocks, BlocksFails:
			if err := n.block(r.Context(), tx); err != nil {
				return nil, err
			}
			if fate == Blocks {
				return fault.Dropped(c, r, send)
			}
		case Hides:
			n.mu.Lock()
			n.hidden[id] = true
			n.mu.Unlock()
		case Vanishes:
			n.mu.Lock()
			n.lost[id]++
			gone := n.lost[id] <= vanishes
			n.mu.Unlock()
			if gone {
				return fault.Dropped(c, r, send)
			}
		case Lands:
		}
		return n.pass(r, id, send)
	})
}

// pass sends a transaction to the chain.
func (n *Network) pass(r *http.Request, id solana.Signature, send fault.Send) (*http.Response, error) {
	n.passes(id)
	return send(r)
}

func (n *Network) passes(id solana.Signature) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.sent[id] = true
}

// block creates the receipt of a transaction as a third party. No node reports this creation.
func (n *Network) block(ctx context.Context, tx wire.Transaction) error {
	receipt, _ := payouttest.ReceiptOf(tx)
	n.mu.Lock()
	done := n.blocked[receipt]
	n.blocked[receipt] = true
	n.mu.Unlock()
	if done {
		return nil
	}
	node, bank := n.fixture.Node, n.fixture.Bank
	rent, err := node.MinimumBalance(ctx, 0)
	if err != nil {
		return err
	}
	stranger, err := payouttest.Signed(ctx, node, []solana.PrivateKey{bank}, []solana.Instruction{payouttest.Transfer(bank.PublicKey(), receipt, rent)})
	if err != nil {
		return err
	}
	made, _ := stranger.ID()
	n.mu.Lock()
	n.hidden[made] = true
	n.mu.Unlock()
	return node.Execute(ctx, stranger.Bytes())
}

// vanishes is the number of losses of a vanishing transaction.
const vanishes = 2

// fail lands a transaction with the same cost and without effect.
func (n *Network) fail(c fault.Call, r *http.Request, send fault.Send, id solana.Signature, tx wire.Transaction) (*http.Response, error) {
	message, err := payouttest.Idle(tx.Message())
	if err != nil {
		return nil, fmt.Errorf("compile what lands: %w", err)
	}
	landed := wire.NewTransaction(message)
	if err := landed.Sign(n.key); err != nil {
		return nil, fmt.Errorf("sign what lands: %w", err)
	}
	inPlace, _ := landed.ID()
	n.mu.Lock()
	n.failed[id] = inPlace
	n.mu.Unlock()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"sendTransaction","params":[%q,{"encoding":"base64","skipPreflight":true}]}`,
		base64.StdEncoding.EncodeToString(landed.Bytes()))
	response, err := send(fault.WithBody(r, []byte(body)))
	if err != nil {
		return nil, err
	}
	_ = response.Body.Close()
	return fault.Dropped(c, r, send)
}

// failure is the error of transactions that failed.
var failure = json.RawMessage(`{"InstructionError":[3,{"Custom":1}]}`)

// ask sends a request with the signatures of the landed transactions, and decodes the result.
func (n *Network) ask(r *http.Request, send fault.Send, result any) (*http.Response, map[string]json.RawMessage, error) {
	asked, err := io.ReadAll(r.Body)
	_ = r.Body.Close()
	if err != nil {
		return nil, nil, err
	}
	n.mu.Lock()
	for sent, landed := range n.failed {
		asked = bytes.ReplaceAll(asked, []byte(sent.String()), []byte(landed.String()))
	}
	n.mu.Unlock()
	response, err := send(fault.WithBody(r, asked))
	if err != nil {
		return nil, nil, err
	}
	answer, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	if err != nil {
		return nil, nil, err
	}
	var whole map[string]json.RawMessage
	if err := json.Unmarshal(answer, &whole); err != nil {
		return nil, nil, fmt.Errorf("read the node's answer: %w", err)
	}
	if err := json.Unmarshal(whole["result"], result); err != nil {
		return nil, nil, fmt.Errorf("read the node's answer: %w", err)
	}
	return response, whole, nil
}

// answer replaces the result in a node's response.
func answer(response *http.Response, whole map[string]json.RawMessage, result any) (*http.Response, error) {
	changed, err := json.Marshal(result)
	if err != nil {
		return nil, fmt.Errorf("encode the answer: %w", err)
	}
	whole["result"] = changed
	body, err := json.Marshal(whole)
	if err != nil {
		return nil, fmt.Errorf("encode the answer: %w", err)
	}
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	response.Header.Del("Content-Length")
	return response, nil
}

// stand reports whether the transaction with a requested signature failed or is hidden.
func (n *Network) stand(asked string) (failed, hidden bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	id, err := solana.SignatureFromBase58(asked)
	if err != nil {
		return false, false
	}
	_, failed = n.failed[id]
	return failed, n.hidden[id]
}

func (n *Network) statuses(_ fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
	var asked []string
	if err := payouttest.Parameter(r, &asked); err != nil {
		return nil, err
	}
	var result struct {
		Context json.RawMessage              `json:"context"`
		Value   []map[string]json.RawMessage `json:"value"`
	}
	response, whole, err := n.ask(r, send, &result)
	if err != nil {
		return nil, err
	}
	for i, id := range asked {
		failed, hidden := n.stand(id)
		if hidden {
			result.Value[i] = nil
		}
		if failed && result.Value[i] != nil {
			result.Value[i]["err"] = failure
		}
	}
	return answer(response, whole, result)
}

func (n *Network) transaction(_ fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
	var asked string
	if err := payouttest.Parameter(r, &asked); err != nil {
		return nil, err
	}
	var result map[string]json.RawMessage
	response, whole, err := n.ask(r, send, &result)
	if err != nil {
		return nil, err
	}
	failed, hidden := n.stand(asked)
	if hidden {
		return answer(response, whole, nil)
	}
	if failed && result != nil {
		var meta map[string]json.RawMessage
		if err := json.Unmarshal(result["meta"], &meta); err != nil {
			return nil, fmt.Errorf("read the node's answer: %w", err)
		}
		meta["err"] = failure
		if result["meta"], err = json.Marshal(meta); err != nil {
			return nil, fmt.Errorf("encode the answer: %w", err)
		}
	}
	return answer(response, whole, result)
}

func (n *Network) history(_ fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
	var result []map[string]json.RawMessage
	response, whole, err := n.ask(r, send, &result)
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	result = slices.DeleteFunc(result, func(entry map[string]json.RawMessage) bool {
		var id string
		_ = json.Unmarshal(entry["signature"], &id)
		for sent, landed := range n.failed {
			if landed.String() == id {
				entry["signature"], entry["err"] = json.RawMessage(fmt.Sprintf("%q", sent)), failure
			}
		}
		for hidden := range n.hidden {
			if hidden.String() == id {
				return true
			}
		}
		return false
	})
	return answer(response, whole, result)
}
