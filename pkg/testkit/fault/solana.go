package fault

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/gagliardetto/solana-go"
)

// The service and operations of a Solana node for the faults below.
const (
	Solana              = "solana"
	SendTransaction     = "sendTransaction"
	GetSignatureStatus  = "getSignatureStatuses"
	GetAccountInfo      = "getAccountInfo"
	GetMultipleAccounts = "getMultipleAccounts"
)

// signatureOffset is the offset of the first signature of a transaction, after the number of
// signatures, which is one byte below 128.
const signatureOffset = 1

// version1 is the first byte of a version 1 transaction. The next byte is the number of signatures,
// which are at the end.
const version1 = 0x81

// Sent returns the signature and the bytes of a sendTransaction request. The request's body can be
// read again.
func Sent(r *http.Request) (id solana.Signature, tx []byte, err error) {
	params, err := parameters(r)
	if err != nil {
		return id, nil, err
	}
	var text string
	if len(params) == 0 || json.Unmarshal(params[0], &text) != nil {
		return id, nil, fmt.Errorf("sendTransaction has no transaction: %s", params)
	}
	if tx, err = base64.StdEncoding.DecodeString(text); err != nil {
		return id, nil, fmt.Errorf("read the transaction: %w", err)
	}
	at := signatureOffset
	if len(tx) > 1 && tx[0] == version1 {
		at = len(tx) - int(tx[1])*len(id)
	}
	if at < 0 || len(tx) < at+len(id) {
		return id, nil, fmt.Errorf("the transaction has %d bytes", len(tx))
	}
	copy(id[:], tx[at:])
	return id, tx, nil
}

func parameters(r *http.Request) ([]json.RawMessage, error) {
	body, err := read(r)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	var rpc struct {
		Params []json.RawMessage `json:"params"`
	}
	if err := json.Unmarshal(body, &rpc); err != nil {
		return nil, fmt.Errorf("read the call of a node: %w", err)
	}
	return rpc.Params, nil
}

// Dropped simulates a node that accepts a transaction, returns its signature, and loses the
// transaction. Dropped is for sendTransaction.
func Dropped(_ Call, r *http.Request, _ Send) (*http.Response, error) {
	id, _, err := Sent(r)
	if err != nil {
		return nil, err
	}
	return result(r, id), nil
}

// Fork is a node on a fork that the network abandons. A transaction that is sent to the node lands
// there at Commitment, for example "processed". After SignatureStatuses status requests the transaction
// disappears. The transaction never reaches the network. On replaces a process's node by the Fork.
type Fork struct {
	Commitment        string
	SignatureStatuses int

	mu     sync.Mutex
	landed map[solana.Signature]int // number of status requests
}

// On lets the process see the fork.
func (f *Fork) On(p *Process) {
	p.On(Operation(Solana, SendTransaction), f.take)
	p.On(Operation(Solana, GetSignatureStatus), f.statuses)
}

func (f *Fork) take(_ Call, r *http.Request, _ Send) (*http.Response, error) {
	id, _, err := Sent(r)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.landed == nil {
		f.landed = map[solana.Signature]int{}
	}
	f.landed[id] = 0
	return result(r, id), nil
}

func (f *Fork) statuses(_ Call, r *http.Request, send Send) (*http.Response, error) {
	params, err := parameters(r)
	if err != nil {
		return nil, err
	}
	var ids []solana.Signature
	if len(params) == 0 || json.Unmarshal(params[0], &ids) != nil || len(ids) != 1 {
		return send(r)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	seen, ok := f.landed[ids[0]]
	if !ok || seen >= f.SignatureStatuses {
		return send(r)
	}
	f.landed[ids[0]]++
	return result(r, map[string]any{
		"context": map[string]any{"slot": 1},
		"value":   []any{map[string]any{"slot": 1, "confirmations": 0, "err": nil, "confirmationStatus": f.Commitment}},
	}), nil
}

// Behind is a node that stops following the network when frozen. The node repeats its earlier
// responses. Transactions and accounts that were not requested before are unknown to the node. The
// node forwards transactions to the network.
type Behind struct {
	mu     sync.Mutex
	frozen bool
	old    map[string]string // responses by request
}

// On lets the process see the lagging node in the given operations, or in all reading operations if
// none are given.
func (b *Behind) On(p *Process, operations ...string) {
	if len(operations) == 0 {
		operations = []string{GetSignatureStatus, GetAccountInfo, GetMultipleAccounts}
	}
	for _, operation := range operations {
		p.On(Operation(Solana, operation), b.ask)
	}
}

// Freeze stops the node.
func (b *Behind) Freeze() { b.set(true) }

// Thaw lets the node catch up.
func (b *Behind) Thaw() { b.set(false) }

func (b *Behind) set(frozen bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.frozen = frozen
}

func (b *Behind) ask(c Call, r *http.Request, send Send) (*http.Response, error) {
	params, err := parameters(r)
	if err != nil {
		return nil, err
	}
	key := c.Operation
	count := 1
	if len(params) > 0 {
		key += string(params[0])
		var list []string
		if json.Unmarshal(params[0], &list) == nil {
			count = len(list)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.frozen {
		if old, ok := b.old[key]; ok {
			return reply(r, http.StatusOK, old), nil
		}
		var value any
		if c.Operation != GetAccountInfo {
			value = make([]any, count)
		}
		return result(r, map[string]any{"context": map[string]any{"slot": 1}, "value": value}), nil
	}
	response, err := send(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	if err != nil {
		return nil, fmt.Errorf("read the node's answer: %w", err)
	}
	if b.old == nil {
		b.old = map[string]string{}
	}
	b.old[key] = string(body)
	return reply(r, response.StatusCode, string(body)), nil
}

func result(r *http.Request, value any) *http.Response {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "result": value})
	if err != nil {
		panic(err) // of a value from above
	}
	return reply(r, http.StatusOK, string(body))
}
