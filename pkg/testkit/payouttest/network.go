package payouttest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// Fate is the fate of a transaction that creates a receipt.
type Fate string

// The fates.
const (
	Lands Fate = "landed"
	Drops Fate = "not landed"
	// Fails: the transaction fails on the chain, which charges the fee.
	Fails Fate = "failed on chain"
	// Hides: the transaction lands with its receipt, but no node ever reports the transaction.
	Hides Fate = "unknown"
	// Blocks: a third party has created the receipt before the transaction arrives.
	Blocks Fate = "blocked"
)

// Network decides the fates of transactions with receipts. Network outlives the processes of On.
type Network struct {
	// Fate decides the fate of a transaction at its first sending. n counts the calls of Fate, from
	// 0.
	Fate func(tx wire.Transaction, n int) Fate

	t       testing.TB
	fixture *Fixture
	mu      sync.Mutex
	fates   map[solana.Signature]Fate
	instead map[solana.Signature]solana.Signature // the transaction that landed in place of a transaction
	sent    map[solana.Signature][]byte
	// Strangers is the amount that third parties lost to receipts.
	Strangers uint64
}

// NewNetwork returns a network of the fixture.
func (w *Fixture) NewNetwork(t testing.TB, fate func(tx wire.Transaction, n int) Fate) *Network {
	return &Network{
		Fate: fate, t: t, fixture: w, fates: map[solana.Signature]Fate{},
		instead: map[solana.Signature]solana.Signature{}, sent: map[solana.Signature][]byte{},
	}
}

// FateOf returns the fate of a transaction; empty for an unsent transaction.
func (n *Network) FateOf(id solana.Signature) Fate {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.fates[id]
}

// Operations of a node with faults, in addition to the operations of package fault.
const (
	getTransaction = "getTransaction"
	getHistory     = "getSignaturesForAddress"
)

// On lets a process see the network.
func (n *Network) On(p *fault.Process) {
	p.On(fault.Operation(fault.Solana, fault.SendTransaction), n.send)
	p.On(fault.Operation(fault.Solana, fault.GetSignatureStatus), n.statuses)
	p.On(fault.Operation(fault.Solana, getTransaction), n.transaction)
	p.On(fault.Operation(fault.Solana, getHistory), n.history)
}

// ReceiptOf returns the receipt that a transaction creates. ok is false for a transaction without a
// receipt.
func ReceiptOf(tx wire.Transaction) (receipt solana.PublicKey, ok bool) {
	first := tx.Message().Instructions()[0]
	made, err := systemprogram.DecodeCreateAccountWithSeed(first.Keys(), first.Data)
	return made.Account, err == nil && first.ProgramID == solana.SystemProgramID
}

// Sent returns the signature and the transaction of a sendTransaction request. The request's body
// can be read again.
func Sent(r *http.Request) (id solana.Signature, tx wire.Transaction, err error) {
	id, raw, err := fault.Sent(r)
	if err == nil {
		tx, err = wire.ParseOwn(raw)
	}
	return id, tx, err
}

// IsVoid reports whether a transaction only creates its receipt.
func IsVoid(tx wire.Transaction) bool {
	return !slices.ContainsFunc(tx.Message().Instructions()[1:], func(in wire.Instruction) bool { return in.ProgramID != solana.ComputeBudget })
}

func (n *Network) send(_ fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
	id, tx, err := Sent(r)
	if err != nil {
		return nil, err
	}
	receipt, ok := ReceiptOf(tx)
	if !ok {
		return send(r)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	fate, known := n.fates[id]
	switch {
	case known:
	case n.fixture.Heights.expired(tx):
		return send(r) // no fate: the chain rejects the transaction
	default:
		fate = n.Fate(tx, len(n.fates))
		n.fates[id], n.sent[id] = fate, tx.Bytes()
	}
	switch fate {
	case Blocks:
		if !known {
			rent, err := n.fixture.Chain.MinimumBalance(n.t.Context(), 0)
			must.Do(n.t, err)
			n.fixture.Give(n.t, receipt, rent)
			n.Strangers += rent
		}
		return send(r)
	case Lands, Hides:
		return send(r)
	case Fails:
		if !known {
			n.instead[id] = n.fail(tx)
		}
	case Drops:
	}
	return answer(r, id), nil
}

// fail lands a transaction with the same cost and without effect.
func (n *Network) fail(tx wire.Transaction) solana.Signature {
	message, err := Idle(tx.Message())
	must.Do(n.t, err)
	landed := wire.NewTransaction(message)
	signature, err := n.fixture.signer(nil).Sign(n.t.Context(), n.fixture.Wallet, message.Bytes())
	must.Do(n.t, err)
	must.Do(n.t, landed.SetSignature(message.FeePayer(), signature))
	node, err := solanarpc.New(n.fixture.Ledger.RPCURL)
	must.Do(n.t, err)
	must.Do(n.t, node.Execute(n.t.Context(), landed.Bytes()))
	return signature
}

// Idle returns a message with the same cost as another message and without effect.
func Idle(m wire.Message) (wire.Message, error) {
	idle := []solana.Instruction{Transfer(m.FeePayer(), m.FeePayer(), 0)}
	config, v1 := m.V1()
	if v1 {
		return wire.CompileV1(m.FeePayer(), m.Recent(), config, idle)
	}
	for _, in := range m.Instructions() {
		if in.ProgramID == solana.ComputeBudget {
			idle = append(idle, solana.NewInstruction(in.ProgramID, nil, in.Data))
		}
	}
	return wire.Compile(m.FeePayer(), m.Recent(), idle)
}

// failure is the error of a failed transaction in a node's response.
var failure = map[string]any{"InstructionError": []any{3, map[string]any{"Custom": 1}}}

func (n *Network) statuses(_ fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
	var ids []solana.Signature
	if err := Parameter(r, &ids); err != nil {
		return nil, err
	}
	return Edit(r, send, func(result map[string]any) {
		n.mu.Lock()
		defer n.mu.Unlock()
		values, _ := result["value"].([]any)
		for i, id := range ids {
			switch n.fates[id] {
			case Fails:
				values[i] = map[string]any{"slot": 1, "err": failure, "confirmationStatus": "finalized"}
			case Hides:
				values[i] = nil
			case Lands, Drops, Blocks:
			}
		}
	})
}

func (n *Network) transaction(_ fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
	var id solana.Signature
	if err := Parameter(r, &id); err != nil {
		return nil, err
	}
	n.mu.Lock()
	fate, instead, raw := n.fates[id], n.instead[id], n.sent[id]
	n.mu.Unlock()
	switch fate {
	case Fails:
		// The transaction had the effect of the transaction in its place: the fee.
		var result map[string]any
		n.fixture.Ledger.Call(n.t, &result, getTransaction, instead,
			map[string]any{"commitment": "confirmed", "encoding": "base64", "maxSupportedTransactionVersion": 1})
		if result != nil {
			result["transaction"] = []any{base64.StdEncoding.EncodeToString(raw), "base64"}
		}
		return answer(r, result), nil
	case Hides:
		return answer(r, nil), nil
	case Lands, Drops, Blocks:
	}
	return send(r)
}

// history removes the hidden transactions, and the transactions that landed in place of others.
func (n *Network) history(_ fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
	response, err := send(r)
	if err != nil {
		return nil, err
	}
	var reply struct {
		Result []map[string]any `json:"result"`
	}
	err = json.NewDecoder(response.Body).Decode(&reply)
	_ = response.Body.Close()
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	kept := slices.DeleteFunc(reply.Result, func(entry map[string]any) bool {
		text, _ := entry["signature"].(string)
		id, err := solana.SignatureFromBase58(text)
		if err != nil {
			return false
		}
		for _, instead := range n.instead {
			if instead == id {
				return true
			}
		}
		return n.fates[id] == Hides
	})
	if kept == nil {
		kept = []map[string]any{}
	}
	return answer(r, kept), nil
}

func bodyOf(r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	return body, err
}

// Parameter reads the first parameter of a call. The call's body can be read again.
func Parameter(r *http.Request, into any) error {
	body, err := bodyOf(r)
	if err != nil {
		return err
	}
	var call struct {
		Params []json.RawMessage `json:"params"`
	}
	if err := json.Unmarshal(body, &call); err != nil {
		return err
	}
	return json.Unmarshal(call.Params[0], into)
}

// Edit changes the result of a call.
func Edit(r *http.Request, send fault.Send, change func(result map[string]any)) (*http.Response, error) {
	response, err := send(r)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(response.Body)
	decoder.UseNumber()
	var reply struct {
		Result map[string]any `json:"result"`
	}
	err = decoder.Decode(&reply)
	_ = response.Body.Close()
	if err != nil {
		return nil, err
	}
	if reply.Result != nil {
		change(reply.Result)
	}
	return answer(r, reply.Result), nil
}

// answer returns a node's response.
func answer(r *http.Request, result any) *http.Response {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "result": result})
	if err != nil {
		panic(err) // of our own value
	}
	return &http.Response{
		StatusCode: http.StatusOK, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{"Content-Type": {"application/json"}},
		ContentLength: int64(len(body)), Body: io.NopCloser(bytes.NewReader(body)), Request: r,
	}
}
