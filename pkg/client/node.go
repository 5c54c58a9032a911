package client

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/secret"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/txerror"
)

// nodeTimeout is the maximum duration of one request to a node, and maxNodeAnswer the maximum size
// of a response in bytes.
const (
	nodeTimeout   = 15 * time.Second
	maxNodeAnswer = 1 << 20
)

// HTTPNode is one Solana node with JSON-RPC over HTTP. NodeAt returns an HTTPNode. Errors never
// contain the node's address, because the address may contain an API key.
type HTTPNode struct {
	address string
	hidden  secret.Redactor
	http    *http.Client
}

var _ Node = (*HTTPNode)(nil)

// NodeAt returns a Node for an http or https address. NodeAt does not connect.
func NodeAt(address string) (*HTTPNode, error) {
	u, ok := webAddress(address)
	if !ok {
		return nil, errors.New("the address of the Solana node is not an http or https URL")
	}
	return &HTTPNode{address, secret.Redact(u), plainHTTP(maxNodeAnswer, nodeTimeout)}, nil
}

// Send sends a signed transaction to the node; see Node.
func (n *HTTPNode) Send(ctx context.Context, signed []byte) error {
	var signature solana.Signature
	return n.call(ctx, &signature, "sendTransaction", base64.StdEncoding.EncodeToString(signed),
		map[string]any{"encoding": "base64", "skipPreflight": true})
}

// Look returns the node's status of a transaction; see Node. For a failed transaction, the detail
// is a sentence.
func (n *HTTPNode) Look(ctx context.Context, signature solana.Signature) (transaction.Look, error) {
	look := transaction.Look{Outcome: transaction.Outcome{State: transaction.Unknown}}
	var result struct {
		Context struct {
			Slot uint64 `json:"slot"`
		} `json:"context"`
		Value []*struct {
			Commitment string         `json:"confirmationStatus"`
			Err        *txerror.Error `json:"err"`
		} `json:"value"`
	}
	const method = "getSignatureStatuses"
	if err := n.call(ctx, &result, method, []solana.Signature{signature}, map[string]any{"searchTransactionHistory": true}); err != nil {
		return look, err
	}
	if len(result.Value) != 1 {
		return look, n.away(method, fmt.Errorf("%d statuses of one transaction", len(result.Value)))
	}
	look.Slot = result.Context.Slot
	status := result.Value[0]
	if status == nil {
		return look, nil
	}
	look.Seen = true
	switch {
	case status.Commitment != "confirmed" && status.Commitment != "finalized":
	case status.Err == nil:
		look.State = transaction.Succeeded
	default:
		look.State, look.Detail = transaction.Refused, n.explain(ctx, signature, status.Err)
	}
	return look, nil
}

// explain returns the sentence for the error of a transaction. The transaction and the logs name
// the program. If the node cannot return the transaction, the sentence is less exact.
func (n *HTTPNode) explain(ctx context.Context, signature solana.Signature, cause *txerror.Error) string {
	var landed struct {
		Transaction []string `json:"transaction"` // the bytes, and the name of the encoding
		Meta        struct {
			Logs []string `json:"logMessages"`
		} `json:"meta"`
	}
	var tx []byte
	if err := n.call(ctx, &landed, "getTransaction", signature,
		map[string]any{"commitment": "confirmed", "encoding": "base64", "maxSupportedTransactionVersion": 0}); err == nil && len(landed.Transaction) > 0 {
		tx, _ = base64.StdEncoding.DecodeString(landed.Transaction[0])
	}
	return cause.Explain(tx, landed.Meta.Logs)
}

// Finality returns the newest finalized slot and height; see Node.
func (n *HTTPNode) Finality(ctx context.Context) (onchain.Tip, error) {
	var info struct {
		Height *uint64 `json:"blockHeight"`
		Slot   *uint64 `json:"absoluteSlot"`
	}
	const method = "getEpochInfo"
	if err := n.call(ctx, &info, method, map[string]any{"commitment": "finalized"}); err != nil {
		return onchain.Tip{}, err
	}
	if info.Height == nil || info.Slot == nil {
		return onchain.Tip{}, n.away(method, errors.New("no height or no slot"))
	}
	return onchain.Tip{Slot: *info.Slot, Height: *info.Height}, nil
}

// call sends one request to the node and decodes the result.
func (n *HTTPNode) call(ctx context.Context, result any, method string, params ...any) error {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return fmt.Errorf("encode %s: %w", method, err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, n.address, bytes.NewReader(body))
	if err != nil {
		return n.away(method, err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := n.http.Do(request)
	if err != nil {
		if sending := (*url.Error)(nil); errors.As(err, &sending) { // the outer error contains the address
			err = sending.Err
		}
		return n.away(method, err)
	}
	defer response.Body.Close()
	var answer struct {
		Result json.RawMessage `json:"result"`
		Error  *struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	err = json.NewDecoder(response.Body).Decode(&answer)
	switch {
	case response.StatusCode == http.StatusTooManyRequests || response.StatusCode >= http.StatusInternalServerError:
		return n.away(method, fmt.Errorf("status %d", response.StatusCode))
	case err == nil && answer.Error != nil:
		return fmt.Errorf("%s: the Solana node rejects it with %d: %s", method, answer.Error.Code, n.hidden.Text(answer.Error.Message))
	case response.StatusCode != http.StatusOK:
		return n.away(method, fmt.Errorf("status %d", response.StatusCode))
	case err != nil:
		return n.away(method, err)
	}
	if err := json.Unmarshal(answer.Result, result); err != nil {
		return n.away(method, err)
	}
	return nil
}

// away returns the error for a node that does not respond, or responds with invalid content.
func (n *HTTPNode) away(method string, err error) error {
	return apperr.Upstream("The Solana node", fmt.Errorf("%s: %w", method, n.hidden.Error(err)))
}
