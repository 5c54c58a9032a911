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
)

// Fate is what becomes of a transaction that stands on a nonce.
type Fate string

// The fates.
const (
	Lands Fate = "landed"
	Drops Fate = "not landed"
	// Fails: it fails on the chain and spends its nonce's value, as on mainnet; the
	// local chain would leave the value.
	Fails Fate = "failed on chain"
	// Hides: it lands, and no node ever says so.
	Hides Fate = "unknown, landed"
	// Vanishes: its nonce's value is spent by something else, and no node says by what.
	Vanishes Fate = "unknown, not landed"
)

// Network lets transactions on nonces meet their fates. It outlives the processes
// that On shows it to.
type Network struct {
	// Fate decides about a transaction when it is sent first; n counts those that it
	// was asked about, from 0.
	Fate func(tx wire.Transaction, n int) Fate

	t      testing.TB
	world  *Fixture
	mu     sync.Mutex
	fates  map[solana.Signature]Fate
	spends map[solana.Signature]solana.Signature // what was landed in the place of a transaction
	sent   map[solana.Signature][]byte
}

// NewNetwork is the world's network.
func (w *Fixture) NewNetwork(t testing.TB, fate func(tx wire.Transaction, n int) Fate) *Network {
	return &Network{
		Fate: fate, t: t, world: w, fates: map[solana.Signature]Fate{},
		spends: map[solana.Signature]solana.Signature{}, sent: map[solana.Signature][]byte{},
	}
}

// Operations of a node that faults are for, beside those of package fault.
const (
	getTransaction  = "getTransaction"
	getHistory      = "getSignaturesForAddress"
	AdvanceNonceTag = 4 // SystemInstruction::AdvanceNonceAccount
)

// On shows the network to a process.
func (n *Network) On(p *fault.Process) {
	p.On(fault.Operation(fault.Solana, fault.SendTransaction), n.send)
	p.On(fault.Operation(fault.Solana, fault.GetSignatureStatus), n.statuses)
	p.On(fault.Operation(fault.Solana, getTransaction), n.transaction)
	p.On(fault.Operation(fault.Solana, getHistory), n.history)
}

// IsCancel says whether a transaction on a nonce does nothing but spend it.
func IsCancel(tx wire.Transaction) bool {
	return !slices.ContainsFunc(tx.Message().Instructions()[1:], func(in wire.Instruction) bool { return in.ProgramID != solana.ComputeBudget })
}

func onNonce(tx wire.Transaction) bool {
	first := tx.Message().Instructions()[0]
	return first.ProgramID == solana.SystemProgramID && len(first.Data) == 4 && first.Data[0] == AdvanceNonceTag
}

func (n *Network) send(_ fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
	id, raw, err := fault.Sent(r)
	if err != nil {
		return nil, err
	}
	tx, err := wire.ParseOwn(raw)
	if err != nil {
		return nil, err
	}
	if !onNonce(tx) {
		return send(r)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	fate, known := n.fates[id]
	if !known {
		fate = n.Fate(tx, len(n.fates))
		n.fates[id], n.sent[id] = fate, raw
	}
	switch fate {
	case Lands, Hides:
		return send(r)
	case Fails, Vanishes:
		if !known {
			n.spends[id] = n.spend(tx)
		}
	case Drops:
	}
	return answer(r, id), nil
}

// spend lands a transaction that only spends the value which another stands on, and
// costs the same.
func (n *Network) spend(tx wire.Transaction) solana.Signature {
	m := tx.Message()
	var instructions []solana.Instruction
	for i, in := range m.Instructions() {
		if i > 0 && in.ProgramID != solana.ComputeBudget {
			continue
		}
		accounts := make(solana.AccountMetaSlice, len(in.Accounts))
		for k := range in.Accounts {
			accounts[k] = &in.Accounts[k]
		}
		instructions = append(instructions, solana.NewInstruction(in.ProgramID, accounts, in.Data))
	}
	if config, v1 := m.V1(); v1 {
		message, err := wire.CompileV1(m.FeePayer(), m.Recent(), config, instructions)
		must(n.t, err)
		return n.land(message)
	}
	message, err := wire.Compile(m.FeePayer(), m.Recent(), instructions)
	must(n.t, err)
	return n.land(message)
}

func (n *Network) land(message wire.Message) solana.Signature {
	spending := wire.NewTransaction(message)
	signature, err := n.world.signer(nil).Sign(n.t.Context(), n.world.Wallet, message.Bytes())
	must(n.t, err)
	must(n.t, spending.SetSignature(message.FeePayer(), signature))
	node, err := solanarpc.New(n.world.Ledger.RPCURL)
	must(n.t, err)
	_ = node.Execute(n.t.Context(), spending.Bytes()) // which fails where the value was spent before
	return signature
}

// Spend moves a lane of the world's wallet on, as somebody else would who has its
// key.
func (n *Network) Spend(lane solana.PublicKey) {
	value, _, err := n.world.Chain.NonceAt(n.t.Context(), lane, 0)
	must(n.t, err)
	message, err := wire.Compile(n.world.Wallet.Address, value, []solana.Instruction{
		systemprogram.AdvanceNonceAccount{Nonce: lane, Authority: n.world.Wallet.Address}.Instruction(),
	})
	must(n.t, err)
	n.land(message)
}

// failure is how a node names a failed transaction's error.
var failure = map[string]any{"InstructionError": []any{3, map[string]any{"Custom": 1}}}

func (n *Network) statuses(_ fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
	var ids []solana.Signature
	if err := Parameter(r, &ids); err != nil {
		return nil, err
	}
	return edit(r, send, func(result map[string]any) {
		n.mu.Lock()
		defer n.mu.Unlock()
		values, _ := result["value"].([]any)
		for i, id := range ids {
			switch n.fates[id] {
			case Fails:
				values[i] = map[string]any{"slot": 1, "err": failure, "confirmationStatus": "finalized"}
			case Hides, Vanishes:
				values[i] = nil
			case Lands, Drops:
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
	fate, instead, raw := n.fates[id], n.spends[id], n.sent[id]
	n.mu.Unlock()
	switch fate {
	case Fails:
		// It did to the wallet what the one did that landed in its place: it took a fee.
		var result map[string]any
		n.world.Ledger.Call(n.t, &result, getTransaction, instead,
			map[string]any{"commitment": "confirmed", "encoding": "base64", "maxSupportedTransactionVersion": 1})
		if result != nil {
			result["transaction"] = []any{base64.StdEncoding.EncodeToString(raw), "base64"}
		}
		return answer(r, result), nil
	case Hides, Vanishes:
		return answer(r, nil), nil
	case Lands, Drops:
	}
	return send(r)
}

// history leaves out what nobody is to know, and whatever landed in its place.
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
		for _, instead := range n.spends {
			if instead == id {
				return true
			}
		}
		return n.fates[id] == Hides || n.fates[id] == Vanishes
	})
	if kept == nil {
		kept = []map[string]any{}
	}
	return answer(r, kept), nil
}

// Parameter reads the first parameter of a call and leaves the call as it is.
func Parameter(r *http.Request, into any) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	var call struct {
		Params []json.RawMessage `json:"params"`
	}
	if err := json.Unmarshal(body, &call); err != nil {
		return err
	}
	return json.Unmarshal(call.Params[0], into)
}

// edit changes the result of a call.
func edit(r *http.Request, send fault.Send, change func(result map[string]any)) (*http.Response, error) {
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

// answer is what a node answers.
func answer(r *http.Request, result any) *http.Response {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "result": result})
	if err != nil {
		panic(err) // of a value of our own
	}
	return &http.Response{
		StatusCode: http.StatusOK, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{"Content-Type": {"application/json"}},
		ContentLength: int64(len(body)), Body: io.NopCloser(bytes.NewReader(body)), Request: r,
	}
}
