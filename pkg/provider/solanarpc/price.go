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
	// maxPriced is how many accounts a node takes for one question about fees (Agave,
	// MAX_TX_ACCOUNT_LOCKS).
	maxPriced = 128
	// medianPercentile is Triton's percentile parameter, in hundredths of a percent.
	medianPercentile = 5_000
	// estimateWithin bounds the wait for an estimate that only some providers have, so
	// that time is left for the question that every node answers.
	estimateWithin = time.Second
)

// feeQuestion is a way to ask a node what compute units are offered lately.
type feeQuestion uint32

// The questions, the best first. A node that rejects one is asked the next from then on.
const (
	// askEstimate is Helius' getPriorityFeeEstimate (helius.dev, "Priority Fee API").
	askEstimate feeQuestion = iota
	// askPercentile is getRecentPrioritizationFees with Triton's parameter (triton.one,
	// "Priority fees API"). Agave rejects a second parameter.
	askPercentile
	// askMinima is getRecentPrioritizationFees as every node has it.
	askMinima
)

// errNoFee is returned when a node answers a question about fees with something else.
var errNoFee = errors.New("the answer has no fee")

// PriorityFee estimates what is offered for a compute unit, in millionths of a lamport, by
// transactions that write these accounts; zero when nothing is, because then there is no
// queue. A provider with percentiles is asked for the median. Any other node reports for
// each of the last 150 blocks the least that was offered, which in a busy hour is far
// below what lands: three quarters of those blocks took the result or less. It is an
// estimate of others' making: keep it within bounds, as computebudget.Bounds does.
func (c *Client) PriorityFee(ctx context.Context, writable ...solana.PublicKey) (microLamports uint64, err error) {
	if len(writable) > maxPriced {
		return 0, fmt.Errorf("fees of %d accounts, at most %d", len(writable), maxPriced)
	}
	if writable == nil {
		writable = []solana.PublicKey{}
	}
	if len(writable) > 0 { // providers may reject an empty list, as if they did not know the question
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

// estimate asks the nodes in turn that may have percentiles. ok is false when none has.
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
				break // the node may have it, and fails now
			}
			node.fees.Store(uint32(question + 1))
		}
	}
	return 0, false
}

// unknownQuestion reports whether an answer shows that the node does not know the question.
func unknownQuestion(err error) bool {
	refusal, refused := errors.AsType[*rpcError](err)
	return errors.Is(err, errNoFee) || refused && (refusal.Code == codeMethodNotFound || refusal.Code == codeInvalidParams)
}

// askFee asks one node once. A failure does not count against the node: it need not know
// the question.
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

// decodeEstimate reads Helius' estimate, which has decimals. They are dropped.
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

// blockFees are the prices of a compute unit in recent blocks.
type blockFees []struct {
	Fee uint64 `json:"prioritizationFee"`
}

// usual returns what three quarters of the blocks in which anything was offered took, or
// less; zero when nothing was.
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
