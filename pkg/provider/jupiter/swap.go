package jupiter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/provider/rest"
	"tokenlaunch.example/service/pkg/token/terms"
)

// swapRequest requests the instructions of a quote. Unset options stay disabled: no fee account, no
// tip, no priority fee.
type swapRequest struct {
	UserPublicKey           string          `json:"userPublicKey"`
	QuoteResponse           json.RawMessage `json:"quoteResponse"`
	WrapAndUnwrapSol        bool            `json:"wrapAndUnwrapSol"`
	AsLegacyTransaction     bool            `json:"asLegacyTransaction"`
	DynamicComputeUnitLimit bool            `json:"dynamicComputeUnitLimit"`
}

// swapAnswer is the instructions of a quote. Lookup tables are not needed, because the instructions
// name every account in full.
type swapAnswer struct {
	ComputeBudget []rest.Instruction `json:"computeBudgetInstructions"`
	Other         []rest.Instruction `json:"otherInstructions"`
	Setup         []rest.Instruction `json:"setupInstructions"`
	Swap          *rest.Instruction  `json:"swapInstruction"`
	Cleanup       *rest.Instruction  `json:"cleanupInstruction"`
	TokenLedger   *rest.Instruction  `json:"tokenLedgerInstruction"`
}

// Swap requests the instructions of a quote. If the route does not fit into one transaction, Swap
// uses a smaller route that keeps the quote's minimum, if Jupiter has such a route.
func (c *Client) Swap(ctx context.Context, q exchange.Quote) (exchange.Swap, error) {
	if q.Venue != Venue {
		return exchange.Swap{}, fmt.Errorf("swap by a quote of %q: it is none of Jupiter", q.Venue)
	}
	swap, err := c.instructions(ctx, q)
	if tooLarge(err) {
		smaller, quoteErr := c.smaller(ctx, q)
		if _, ok := errors.AsType[*exchange.Deferred](quoteErr); ok {
			return exchange.Swap{}, err
		}
		if quoteErr != nil {
			return exchange.Swap{}, quoteErr
		}
		return c.instructions(ctx, smaller)
	}
	return swap, err
}

func tooLarge(err error) bool {
	deferred, ok := errors.AsType[*exchange.Deferred](err)
	return ok && deferred.Reason == exchange.TooLarge
}

// smaller requests a route with fewer accounts and at least the quote's minimum. Less slippage
// compensates for the worse price.
func (c *Client) smaller(ctx context.Context, q exchange.Quote) (exchange.Quote, error) {
	first, err := c.quote(ctx, q.Order, fewerAccounts)
	if err != nil {
		return exchange.Quote{}, err
	}
	if first.Out < q.MinimumOut {
		return exchange.Quote{}, exchange.Defer(exchange.Slippage, "A smaller route brings %d, less than the minimum of %d.", first.Out, q.MinimumOut)
	}
	if first.MinimumOut >= q.MinimumOut {
		return first, nil
	}
	order := q.Order
	order.SlippageBps = int(share(first.Out-q.MinimumOut, first.Out)) //nolint:gosec // At most 10,000.
	tight, err := c.quote(ctx, order, fewerAccounts)
	if err != nil {
		return exchange.Quote{}, err
	}
	if tight.MinimumOut < q.MinimumOut {
		return exchange.Quote{}, exchange.Defer(exchange.Slippage, "A smaller route promises %d, less than the minimum of %d.", tight.MinimumOut, q.MinimumOut)
	}
	return tight, nil
}

// share returns part as a share of whole in basis points, rounded down.
func share(part, whole uint64) uint64 {
	high, low := bits.Mul64(part, terms.FullBps)
	quotient, _ := bits.Div64(high, low, whole)
	return quotient
}

func (c *Client) instructions(ctx context.Context, q exchange.Quote) (exchange.Swap, error) {
	var answer swapAnswer
	err := c.api.Post(ctx, "swap-instructions", swapRequest{
		UserPublicKey: q.Order.Wallet.String(), QuoteResponse: q.Detail,
		WrapAndUnwrapSol: true, AsLegacyTransaction: true, DynamicComputeUnitLimit: true,
	}, &answer)
	if err != nil {
		return exchange.Swap{}, deferred(err)
	}
	return readSwap(answer, q)
}

// readSwap converts a response into a swap.
func readSwap(answer swapAnswer, q exchange.Quote) (exchange.Swap, error) {
	if answer.Swap == nil {
		return exchange.Swap{}, unreadable(errors.New("it has no swap instruction"))
	}
	if len(answer.Other) > 0 || answer.TokenLedger != nil {
		return exchange.Swap{}, exchange.Defer(exchange.Unsafe, "The swap is not used: it has instructions that were not asked for.")
	}
	list := append(append([]rest.Instruction{}, answer.Setup...), *answer.Swap)
	if answer.Cleanup != nil {
		list = append(list, *answer.Cleanup)
	}
	swap := exchange.Swap{Quote: q, Programs: []solana.PublicKey{Program}, ComputeUnits: unitLimit(answer.ComputeBudget)}
	for i, encoded := range list {
		in, err := encoded.Decode()
		if err != nil {
			return exchange.Swap{}, unreadable(fmt.Errorf("instruction %d of a swap: %w", i, err))
		}
		if i != len(answer.Setup) && in.ProgramID() == Program {
			return exchange.Swap{}, exchange.Defer(exchange.Unsafe, "The swap is not used: it calls Jupiter's program more than once.")
		}
		swap.Instructions = append(swap.Instructions, in)
	}
	if err := checkRoute(swap.Instructions[len(answer.Setup)], q); errors.Is(err, errNewKind) {
		return exchange.Swap{}, unreadable(err)
	} else if err != nil {
		return exchange.Swap{}, exchange.Defer(exchange.Unsafe, "The swap is not used: %v.", err)
	}
	return swap, swap.Fits()
}
