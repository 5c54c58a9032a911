package solanarpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go"
)

const (
	// maxPriced is the maximum number of accounts in one request for fees (Agave,
	// MAX_TX_ACCOUNT_LOCKS).
	maxPriced = 128
	// medianPercentile is the median as Triton's percentile parameter, in hundredths of a percent.
	medianPercentile = 5_000
	// estimateWithin is the maximum wait for an estimate that only some providers offer. The rest
	// of the time is for the request that every node supports.
	estimateWithin = time.Second
)

// feeQuestion is a method to request recent prices of compute units.
type feeQuestion uint32

// The methods, the best first. After a node rejects a method, the client uses the next method for
// this node.
const (
	// askEstimate is Helius' getPriorityFeeEstimate (helius.dev, "Priority Fee API").
	askEstimate feeQuestion = iota
	// askPercentile is getRecentPrioritizationFees with Triton's parameter (triton.one,
	// "Priority fees API"). Agave rejects a second parameter.
	askPercentile
	// askMinima is getRecentPrioritizationFees as every node has it.
	askMinima
)

// errNoFee is returned for a response without a fee.
var errNoFee = errors.New("the answer has no fee")

// PriorityFee estimates the price of a compute unit, in millionths of a lamport, in recent
// transactions that write these accounts. The estimate is zero if no transaction offers a price,
// because then there is no queue. A provider with percentiles returns the median. Any other node
// reports the lowest price of each of the last 150 blocks, which is far below the necessary price
// in a busy hour. PriorityFee then returns the price that three quarters of the blocks with a price
// accepted. The estimate depends on third parties, so the caller must bound the price, for example
// with computebudget.Bounds.
func (c *Client) PriorityFee(ctx context.Context, writable ...solana.PublicKey) (microLamports uint64, err error) {
	if len(writable) > maxPriced {
		return 0, fmt.Errorf("fees of %d accounts, at most %d", len(writable), maxPriced)
	}
	if writable == nil {
		writable = []solana.PublicKey{}
	}
	if len(writable) > 0 { // providers may reject an empty list like an unknown method
		if fee, ok := c.estimate(ctx, writable); ok {
			return fee, nil
		}
	}
	var list blockFees
	if err := c.call(ctx, &list, "getRecentPrioritizationFees", writable); err != nil {
		return 0, err
	}
	return list.usual(), nil
}

// estimate tries the nodes that may offer percentiles, in turn. ok is false if no node offers
// percentiles.
func (c *Client) estimate(ctx context.Context, writable []solana.PublicKey) (microLamports uint64, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, estimateWithin)
	defer cancel()
	net, err := c.roster.network(ctx)
	if err != nil {
		return 0, false
	}
	for _, node := range net.preferred() {
		for question := feeQuestion(node.fees.Load()); question < askMinima; question++ {
			fee, err := c.askFee(ctx, node, question, writable)
			if err == nil {
				return fee, true
			}
			if !unknownQuestion(err) {
				break // the node may support the method, but fails now
			}
			node.fees.Store(uint32(question + 1))
		}
	}
	return 0, false
}

// unknownQuestion reports whether an error shows that the node does not support the method.
func unknownQuestion(err error) bool {
	refusal, refused := errors.AsType[*rpcError](err)
	return errors.Is(err, errNoFee) || refused && (refusal.Code == codeMethodNotFound || refusal.Code == codeInvalidParams)
}

// askFee makes one request to one node. A failure does not count against the node, because support
// for the method is optional.
func (c *Client) askFee(ctx context.Context, node *endpoint, question feeQuestion, writable []solana.PublicKey) (uint64, error) {
	method, params := "getRecentPrioritizationFees", []any{writable, object{"percentile": medianPercentile}}
	if question == askEstimate {
		method, params = "getPriorityFeeEstimate", []any{object{
			"accountKeys": writable, "options": object{"priorityLevel": "Medium"},
		}}
	}
	body, err := encodeCall(method, params...)
	if err != nil {
		return 0, err
	}
	if err := c.identify(ctx, node); err != nil {
		return 0, err
	}
	raw, err := c.answer(ctx, node, body)
	if err != nil {
		return 0, err
	}
	if question == askEstimate {
		return decodeEstimate(raw)
	}
	var list blockFees
	if err := json.Unmarshal(raw, &list); err != nil {
		return 0, fmt.Errorf("%w: %w", errNoFee, err)
	}
	return list.usual(), nil
}

// decodeEstimate decodes Helius' estimate and drops the decimals.
func decodeEstimate(raw json.RawMessage) (uint64, error) {
	var result struct {
		Estimate json.Number `json:"priorityFeeEstimate"`
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		return 0, fmt.Errorf("%w: %w", errNoFee, err)
	}
	whole, _, _ := strings.Cut(result.Estimate.String(), ".")
	fee, err := strconv.ParseUint(whole, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", errNoFee, err)
	}
	return fee, nil
}

// blockFees is the prices of a compute unit in recent blocks.
type blockFees []struct {
	Fee uint64 `json:"prioritizationFee"`
}

// usual returns the price that three quarters of the blocks with a price accepted; zero if no block
// has a price.
func (l blockFees) usual() uint64 {
	var paid []uint64
	for _, block := range l {
		if block.Fee > 0 {
			paid = append(paid, block.Fee)
		}
	}
	if len(paid) == 0 {
		return 0
	}
	slices.Sort(paid)
	return paid[(len(paid)-1)*3/4]
}
