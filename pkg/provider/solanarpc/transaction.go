package solanarpc

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/txerror"
	"tokenlaunch.example/service/pkg/solana/wire"
)

const (
	// pollEvery is the interval of Await's requests: two slots of mainnet.
	pollEvery = 400 * time.Millisecond
	// executeWithin is the maximum duration of Execute. A blockhash lives for 150 blocks, which are
	// 30 s on mainnet and 60 s on a network with slots of 400 ms.
	executeWithin = 30 * time.Second
	// MaxStatuses is the maximum number of signatures in Statuses (Agave,
	// MAX_GET_SIGNATURE_STATUSES_QUERY_ITEMS).
	MaxStatuses = 256
)

// Simulate simulates a transaction. Signatures may be missing. The transaction's blockhash or nonce
// must be valid. MissingLamports stays zero, because the chain stops at the first shortage and does
// not report the sum.
func (c *Client) Simulate(ctx context.Context, tx []byte) (transaction.Simulation, error) {
	var result contextual[struct {
		Err           *txerror.Error `json:"err"`
		Logs          []string       `json:"logs"`
		UnitsConsumed uint64         `json:"unitsConsumed"`
	}]
	err := c.call(ctx, &result, "simulateTransaction", base64.StdEncoding.EncodeToString(tx),
		object{"commitment": Confirmed, "encoding": "base64", "sigVerify": false})
	if err != nil {
		return transaction.Simulation{}, err
	}
	v := result.Value
	sim := transaction.Simulation{OK: v.Err == nil, ComputeUnits: v.UnitsConsumed, Logs: v.Logs, Slot: result.Context.Slot}
	if v.Err != nil {
		sim.Reason = transaction.ProgramError
		if v.Err.LacksFunds(tx, v.Logs) {
			sim.Reason = transaction.InsufficientFunds
		}
		sim.Detail = v.Err.Explain(tx, v.Logs)
		sim.Outdated, sim.Busy = v.Err.Outdated(tx), v.Err.Transient()
	}
	return sim, nil
}

// Send sends a signed transaction to the network, without a preflight. An accepted transaction may
// still not land. Sending a transaction again is not an error.
func (c *Client) Send(ctx context.Context, signed []byte) error {
	var signature solana.Signature
	err := c.call(ctx, &signature, "sendTransaction", base64.StdEncoding.EncodeToString(signed),
		object{"encoding": "base64", "skipPreflight": true, "preflightCommitment": Confirmed})
	var refusal *rpcError
	if errors.As(err, &refusal) && refusal.alreadyProcessed() {
		return nil
	}
	return err
}

// Status is a node's status of a transaction.
type Status struct {
	Found      bool
	Slot       uint64
	Commitment Commitment
	Err        *txerror.Error // nil when it succeeded
}

// At reports whether the transaction has reached a commitment.
func (s Status) At(commitment Commitment) bool {
	return s.Found && rank(s.Commitment) >= rank(commitment)
}

func rank(c Commitment) int {
	switch c {
	case Processed:
		return 1
	case Confirmed:
		return 2
	case Finalized:
		return 3
	}
	return 0
}

// Statuses returns the node's status of each transaction in order, old transactions included. It
// accepts at most MaxStatuses signatures.
func (c *Client) Statuses(ctx context.Context, signatures ...solana.Signature) ([]Status, error) {
	list, _, err := c.statuses(ctx, true, signatures)
	return list, err
}

// statuses returns statuses and the slot of the response. Without history, the node searches only
// the last 150 blocks.
func (c *Client) statuses(ctx context.Context, history bool, signatures []solana.Signature) (list []Status, slot uint64, err error) {
	if len(signatures) > MaxStatuses {
		return nil, 0, fmt.Errorf("statuses of %d transactions, at most %d", len(signatures), MaxStatuses)
	}
	var result contextual[[]*struct {
		Slot       uint64         `json:"slot"`
		Commitment Commitment     `json:"confirmationStatus"`
		Err        *txerror.Error `json:"err"`
	}]
	if err := c.call(ctx, &result, "getSignatureStatuses", signatures, object{"searchTransactionHistory": history}); err != nil {
		return nil, 0, err
	}
	if len(result.Value) != len(signatures) {
		return nil, 0, fmt.Errorf("the node gave %d statuses of %d transactions", len(result.Value), len(signatures))
	}
	list = make([]Status, len(signatures))
	for i, v := range result.Value {
		if v != nil {
			list[i] = Status{Found: true, Slot: v.Slot, Commitment: v.Commitment, Err: v.Err}
		}
	}
	return list, result.Context.Slot, nil
}

// Look returns the node's current status of a transaction, old transactions included.
func (c *Client) Look(ctx context.Context, signature solana.Signature) (transaction.Look, error) {
	statuses, slot, err := c.statuses(ctx, true, []solana.Signature{signature})
	if err != nil {
		return transaction.Look{Outcome: transaction.Outcome{State: transaction.Unknown}}, err
	}
	return transaction.Look{Outcome: c.outcome(ctx, signature, statuses[0]), Seen: statuses[0].Found, Slot: slot}, nil
}

// outcome converts a status into an outcome at confirmed.
func (c *Client) outcome(ctx context.Context, signature solana.Signature, status Status) transaction.Outcome {
	switch {
	case !status.At(Confirmed):
		return transaction.Outcome{State: transaction.Unknown}
	case status.Err == nil:
		return transaction.Outcome{State: transaction.Succeeded}
	default:
		return transaction.Outcome{State: transaction.Refused, Detail: c.explain(ctx, signature, status.Err)}
	}
}

// Await waits until a transaction is confirmed or has failed. It returns transaction.Unknown
// without an error if the context ends first. It returns an error if the node rejects the request,
// or did not respond until the context ended.
func (c *Client) Await(ctx context.Context, signature solana.Signature) (transaction.Outcome, error) {
	for {
		look, err := c.Look(ctx, signature)
		if look.State != transaction.Unknown || err != nil && apperr.KindOf(err) != apperr.Unavailable {
			return look.Outcome, err
		}
		if c.Pause(ctx, pollEvery) == nil {
			continue
		}
		if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
			err = nil // the request was cut off, not rejected
		}
		return look.Outcome, err
	}
}

// Execute sends a signed transaction and waits until the transaction is confirmed. It returns an
// error if the transaction fails, or if the context ends first. In the latter case the transaction
// may still land.
func (c *Client) Execute(ctx context.Context, signed []byte) error {
	tx, err := wire.ParseOwn(signed)
	if err != nil {
		return fmt.Errorf("execute: %w", err)
	}
	id, ok := tx.ID()
	if !ok {
		return errors.New("execute: the fee payer has not signed")
	}
	ctx, cancel := context.WithTimeout(ctx, executeWithin)
	defer cancel()
	if err := c.Send(ctx, signed); err != nil {
		return fmt.Errorf("send transaction %s: %w", id, err)
	}
	outcome, err := c.Await(ctx, id)
	if err != nil {
		return fmt.Errorf("await transaction %s: %w", id, err)
	}
	switch outcome.State {
	case transaction.Succeeded:
		return nil
	case transaction.Refused:
		return fmt.Errorf("transaction %s failed: %s", id, outcome.Detail)
	case transaction.Unknown:
	}
	return apperr.Upstream(upstream, fmt.Errorf("transaction %s is not confirmed yet", id))
}

// explain returns the reason why a landed transaction failed. Its bytes and logs, which name
// the program, are fetched; without them the sentence is less exact.
func (c *Client) explain(ctx context.Context, signature solana.Signature, cause *txerror.Error) string {
	var result *struct {
		Transaction encoded `json:"transaction"`
		Meta        struct {
			Logs []string `json:"logMessages"`
		} `json:"meta"`
	}
	err := c.call(ctx, &result, "getTransaction", signature,
		object{"commitment": Confirmed, "encoding": "base64", "maxSupportedTransactionVersion": maxVersion})
	if err != nil || result == nil {
		return cause.Explain(nil, nil)
	}
	return cause.Explain(result.Transaction, result.Meta.Logs)
}
