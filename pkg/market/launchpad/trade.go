package launchpad

import (
	"context"
	"fmt"
	"math/bits"
	"time"

	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// Bounds of a trade's slippage, in basis points.
const (
	HighestSlippageBps = 5_000
	DefaultSlippageBps = 300
)

// Buy prepares and records a purchase. With an amount of tokens, exactly these tokens arrive, after
// tax, and the price may rise by the slippage. With an amount of lamports, exactly these lamports
// are paid, and the tokens may fall short by the slippage. It returns launchpad_not_found,
// launchpad_not_active, launchpad_not_started or exceeds_liquidity.
func (s Service) Buy(ctx context.Context, caller, mint solana.PublicKey, amount Amount, slippageBps int) (Trade, error) {
	v, side, err := s.tradable(ctx, caller, mint)
	if err != nil {
		return Trade{}, err
	}
	q, err := v.buy(amount.field(fieldAmount), amount)
	if err != nil {
		return Trade{}, err
	}
	t := Trade{Tokens: q.Tokens, MinTokens: q.Tokens, Lamports: q.Lamports, Limit: q.Lamports}
	fixed, bound := &t.Tokens, &t.Limit
	var says string
	if amount.Lamports > 0 {
		t.MinTokens = below(q.Tokens, slippageBps)
		fixed, bound = &t.Lamports, &t.MinTokens
		says = fmt.Sprintf("Buys the token %s for %s SOL, fee included: %s arrive after its tax at the price now, and %s at least.",
			mint, decimal.SOL(t.Lamports), side.mint.Tokens(t.Tokens), side.mint.Tokens(t.MinTokens))
	} else {
		t.Limit = above(q.Lamports, slippageBps)
		says = fmt.Sprintf(
			"Buys %s of the token %s, which arrive after its tax, for %s SOL at the price now, fee included, and for %s SOL at most.",
			side.mint.Tokens(t.Tokens), mint, decimal.SOL(t.Lamports), decimal.SOL(t.Limit))
	}
	steps, rent, err := s.openTokens(ctx, side)
	if err != nil {
		return Trade{}, err
	}
	wrap, err := market.WrapSteps(caller, t.Limit, side.wrapped)
	if err != nil {
		return Trade{}, err
	}
	steps = append(append(steps, wrap...), transaction.Step{
		Instruction: v.swap(side, meteora.Buy, amount.mode(), *fixed, *bound), Explanation: says,
	})
	draft := transaction.Draft{
		Kind: transaction.KindBuy, Cost: transaction.Cost{Rent: rent, Deposit: t.Lamports},
		Returned: t.Limit - t.Lamports,
	}
	if side.wrapped {
		// Unused lamports stay wrapped.
		draft.Cost.Deposit, draft.Returned = t.Limit, 0
	}
	t.Unsigned, err = s.trade(ctx, side, draft, steps)
	return t, err
}

// Sell prepares and records a sale of tokens, before tax. The proceeds may fall short of the
// present price by the slippage. It returns the same errors as Buy.
func (s Service) Sell(ctx context.Context, caller, mint solana.PublicKey, tokens uint64, slippageBps int) (Trade, error) {
	v, side, err := s.tradable(ctx, caller, mint)
	if err != nil {
		return Trade{}, err
	}
	q, err := v.sell(tokens)
	if err != nil {
		return Trade{}, err
	}
	limit := below(q.Lamports, slippageBps)
	steps, err := market.WrapSteps(caller, 0, side.wrapped)
	if err != nil {
		return Trade{}, err
	}
	stays := ""
	if side.wrapped {
		stays = " It stays in your account of wrapped SOL."
	}
	steps = append(steps, transaction.Step{
		Instruction: v.swap(side, meteora.Sell, meteora.ExactIn, tokens, limit),
		Explanation: fmt.Sprintf(
			"Sells %s of the token %s, its tax included, for %s SOL at the price now, after the fee, and for %s SOL at least.%s",
			side.mint.Tokens(tokens), mint, decimal.SOL(q.Lamports), decimal.SOL(limit), stays),
	})
	u, err := s.trade(ctx, side, transaction.Draft{Kind: transaction.KindSell, Holds: side.tokens, Moves: tokens}, steps)
	return Trade{Unsigned: u, Tokens: tokens, Lamports: q.Lamports, Limit: limit}, err
}

// tradable reads a curve that is not cancelled, and the caller's side.
func (s Service) tradable(ctx context.Context, caller, mint solana.PublicKey) (view, side, error) {
	v, err := s.look(ctx, mint)
	if err != nil {
		return view{}, side{}, err
	}
	if v.curve.State == token.CurveCancelled {
		return view{}, side{}, errNotActive(v.curve.State)
	}
	mine, err := s.sideOf(ctx, caller, mint, v.curve.Address)
	return v, mine, err
}

// openTokens returns the step that opens the caller's account for the token, and the rent. If the
// account exists, the step and the rent are empty.
func (s Service) openTokens(ctx context.Context, side side) ([]transaction.Step, uint64, error) {
	if side.held {
		return nil, 0, nil
	}
	open, account, err := token2022.CreateAssociatedIdempotent{
		Payer: side.owner, Wallet: side.owner, Mint: side.mint.Address, Program: side.mint.Program,
	}.Instruction()
	if err != nil {
		return nil, 0, err
	}
	rent, err := s.rents(ctx, side.mint.AssociatedSize())
	return []transaction.Step{{
		Instruction: open, Explanation: fmt.Sprintf("Opens your account %s for the token %s; you pay its rent.", account, side.mint.Address),
	}}, rent, err
}

func (v view) swap(side side, d meteora.Direction, mode meteora.SwapMode, amount, limit uint64) solana.Instruction {
	return meteora.Swap2{
		Pool: v.curve.Address, TokenVault: v.curve.TokenVault, SOLVault: v.curve.SOLVault,
		TokenMint: v.curve.Mint, TokenProgram: side.mint.Program, Payer: side.owner,
		PayerToken: side.tokenAccount, PayerSOL: side.wrappedAccount, Direction: d, Mode: mode, Amount: amount, Limit: limit,
	}.Instruction()
}

// trade prepares and records a caller's transaction. The transaction is not watched, because the
// index finds every trade on the chain.
func (s Service) trade(ctx context.Context, side side, d transaction.Draft, steps []transaction.Step) (transaction.Unsigned, error) {
	u, err := s.prepare(ctx, side, d, steps, tradeUnits)
	if err != nil {
		return transaction.Unsigned{}, err
	}
	return u, s.Issued.Record(ctx, u.Issue(solana.PublicKey{}, time.Time{}))
}

// prepare builds the transaction of a draft for the caller. The transaction closes the caller's
// account of wrapped SOL, unless the account existed before.
func (s Service) prepare(ctx context.Context, side side, d transaction.Draft, steps []transaction.Step, units uint32) (transaction.Unsigned, error) {
	var err error
	if d.Steps, err = side.unwrap(steps); err != nil {
		return transaction.Unsigned{}, err
	}
	rent, err := s.wrappedRent(ctx, side)
	if err != nil {
		return transaction.Unsigned{}, err
	}
	d.Caller, d.Mint, d.Programs = side.owner, side.mint.Address, []solana.PublicKey{meteora.Program}
	d.MaxUnits, d.DefaultUnits = maxUnits, units
	d.Returned += rent
	return s.Preparer.Prepare(ctx, "", d)
}

// above returns an amount plus a share in basis points, rounded up, and at most 2^64-1.
func above(lamports uint64, bps int) uint64 {
	high, low := bits.Mul64(lamports, uint64(bps)) //nolint:gosec // a share of 0 to 5,000
	low, carry := bits.Add64(low, FullBps-1, 0)
	more, _ := bits.Div64(high+carry, low, FullBps)
	sum, overflow := bits.Add64(lamports, more, 0)
	if overflow != 0 {
		return ^uint64(0)
	}
	return sum
}

// below returns an amount minus a share in basis points, rounded down, and at least 1.
func below(lamports uint64, bps int) uint64 {
	high, low := bits.Mul64(lamports, uint64(FullBps-bps)) //nolint:gosec // a share of 5,000 to 10,000
	minimum, _ := bits.Div64(high, low, FullBps)
	return max(1, minimum)
}
