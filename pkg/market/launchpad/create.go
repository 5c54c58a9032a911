package launchpad

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"strings"
	"time"

	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/solana/bonding"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// Compute units. A simulation measures the units of a transaction. If a simulation is not possible,
// these limits apply: three times the measured maximum with a taxed mint, which is 131,000 for a
// creation, 64,000 for a trade, 83,000 for a withdrawal and 51,000 for a claim.
const (
	maxUnits    = 600_000
	createUnits = 400_000
	tradeUnits  = 200_000
	cancelUnits = 300_000
	claimUnits  = 200_000
)

// proofOfQuote is the number of lamports that the program takes from the creator of a pool, as a
// proof of wrapped SOL (ix_initialize_customizable_pool.rs).
const proofOfQuote = 1

// usualTime is the expected duration of a curve while no curve is complete.
const usualTime = 24 * time.Hour

// sniperStep is the interval at which an anti-sniper fee falls.
const sniperStep = 10 * time.Second

// Create prepares and records the transaction that creates a curve. The draft must have passed
// Validate. It returns token_not_found, unsupported_token, pool_exists, exceeds_liquidity, or
// validation_failed with an out-of-range field if the program does not support the curve.
func (s Service) Create(ctx context.Context, caller solana.PublicKey, d Draft) (Created, error) {
	public, private, err := ed25519.GenerateKey(s.Random)
	if err != nil {
		return Created{}, fmt.Errorf("make the key of a position: %w", err)
	}
	defer clear(private)
	at, err := meteora.Addresses(d.Mint, solana.WrappedSol, solana.PublicKeyFromBytes(public))
	if err != nil {
		return Created{}, err
	}
	side, err := s.sideOf(ctx, caller, d.Mint, at.Pool)
	if err != nil {
		return Created{}, err
	}
	if taken(side.other) {
		return Created{}, poolExists(at.Pool)
	}
	if err := d.startsIn(side.now); err != nil {
		return Created{}, err
	}
	c, params, err := plan(d, side)
	if err != nil {
		return Created{}, err
	}
	initial, err := d.first(params, side.tax())
	if err != nil {
		return Created{}, err
	}
	// The program transfers the amount for which exactly the deposit arrives. This amount may be a
	// unit less than the caller's amount.
	if d.Tokens, err = bonding.Gross(side.tax(), params.Deposit); err != nil {
		return Created{}, fmt.Errorf("send %d of %s to a curve: %w", params.Deposit, d.Mint, err)
	}
	c.Pool = token.Pool{
		Kind: token.MeteoraDAMMv2, Address: at.Pool, Mint: d.Mint, Creator: caller,
		TokenVault: at.TokenVault, SOLVault: at.SOLVault, Authority: meteora.PoolAuthority,
	}
	c.Position, c.NFTMint = at.Position, at.NFTMint
	steps, err := creation(d, c, at, side, params, initial)
	if err != nil {
		return Created{}, err
	}
	draft := transaction.Draft{
		Kind: transaction.KindCurve, Caller: caller, Mint: d.Mint, Steps: steps,
		Programs: []solana.PublicKey{meteora.Program}, Signers: []ed25519.PrivateKey{private},
		MaxUnits: maxUnits, DefaultUnits: createUnits,
		Cost: transaction.Cost{Deposit: proofOfQuote + initial.Lamports}, Holds: side.tokens, Moves: d.Tokens,
	}
	draft.Cost.Rent, err = s.rents(ctx, meteora.PoolSize, meteora.PositionSize, meteora.NFTMintSize, meteora.NFTAccountSize,
		side.mint.VaultSize(), meteora.VaultSize)
	if err != nil {
		return Created{}, err
	}
	if draft.Returned, err = s.wrappedRent(ctx, side); err != nil {
		return Created{}, err
	}
	took, known, err := s.Store.MedianTime(ctx)
	if err != nil {
		return Created{}, err
	}
	if !known {
		took = usualTime
	}
	u, err := s.Preparer.Prepare(ctx, "", draft)
	if err != nil {
		return Created{}, err
	}
	c.ID, c.PreparedAt, c.State = u.ID, u.CreatedAt, token.CurvePrepared
	if err := s.Store.Issue(ctx, u.Issue(at.Pool, u.CreatedAt.Add(firstLook)), c); err != nil {
		return Created{}, err
	}
	return Created{Unsigned: u, Curve: c, Sent: d.Tokens, Initial: initial, ExpectedCompletion: begins(c, u.CreatedAt).Add(took)}, nil
}

// plan computes the curve of a draft.
func plan(d Draft, side side) (market.Curve, bonding.Params, error) {
	arriving := d.Tokens - side.mint.TaxOn(side.now.Epoch, d.Tokens)
	params, err := bonding.Plan(bonding.Request{
		Tokens: arriving, TargetLamports: d.TargetLamports, MultiplierBps: int64(d.Multiplier) * 100,
	})
	switch {
	case errors.Is(err, bonding.ErrRequest), errors.Is(err, bonding.ErrOverflow):
		refusal := outOfRange(fieldAmount, "The program has no price for this amount of tokens and this target.")
		if e, ok := errors.AsType[*apperr.Error](refusal); ok {
			e.Cause = err
		}
		return market.Curve{}, bonding.Params{}, refusal
	case err != nil:
		return market.Curve{}, bonding.Params{}, fmt.Errorf("plan a curve of %s: %w", d.Mint, err)
	}
	return market.Curve{
		Decimals: side.mint.Decimals, TokenProgram: side.mint.Program, Tokens: params.Deposit, TargetLamports: d.TargetLamports,
		StartSqrtPrice: params.StartSqrtPrice, TargetSqrtPrice: params.TargetSqrtPrice, Liquidity: params.Liquidity,
		MultiplierBps: int64(d.Multiplier) * 100, Locked: d.Locked, FeeBps: d.FeeBps, StartsAt: d.StartsAt,
	}, params, nil
}

// creation returns the instructions that create a curve.
func creation(d Draft, c market.Curve, at meteora.Accounts, side side, p bonding.Params, initial bonding.Quote) ([]transaction.Step, error) {
	fee, err := d.fee()
	if err != nil {
		return nil, err
	}
	says := fmt.Sprintf("with a fee of %s on each trade, taken in SOL", percent(d.FeeBps))
	if d.SniperBps > 0 {
		says = fmt.Sprintf("with a fee on each trade that falls from %s to %s in %d minutes, taken in SOL",
			percent(d.SniperBps), percent(d.FeeBps), int(d.Window.Minutes()))
	}
	var opens *uint64
	if !d.StartsAt.IsZero() {
		opens = new(uint64(d.StartsAt.Unix())) //nolint:gosec // after the chain's clock
		says += ", from " + d.StartsAt.Format(time.RFC3339) + " on and no sooner"
	}
	steps, err := market.WrapSteps(side.owner, proofOfQuote+initial.Lamports, side.wrapped)
	if err != nil {
		return nil, err
	}
	initialize, err := meteora.InitializeCustomizablePool{
		Accounts: at, Creator: side.owner, Payer: side.owner, TokenMint: d.Mint, TokenProgram: side.mint.Program,
		PayerToken: side.tokenAccount, PayerSOL: side.wrappedAccount, Fee: fee,
		MinSqrtPrice: p.StartSqrtPrice, MaxSqrtPrice: p.MaxSqrtPrice, SqrtPrice: p.StartSqrtPrice, Liquidity: p.Liquidity,
		ActivationPoint: opens,
	}.Instruction()
	if err != nil {
		return nil, fmt.Errorf("make the pool of %s: %w", d.Mint, err)
	}
	start, end := millionPrices(c)
	steps = append(steps, transaction.Step{Instruction: initialize, Explanation: fmt.Sprintf(
		"Makes the bonding curve %s: moves %s of the token %s into it, of which %s arrive after tax, and sells them from %s SOL for a million on, to %s SOL for a million when %s SOL are raised, %s.",
		at.Pool, side.mint.Tokens(d.Tokens), d.Mint, side.mint.Tokens(c.Tokens), start, end, decimal.SOL(d.TargetLamports), says)})
	if d.Locked {
		lock, err := meteora.PermanentLockPosition{
			Pool: at.Pool, Position: at.Position, PositionNFTAccount: at.PositionNFTAccount, Owner: side.owner, Liquidity: p.Liquidity,
		}.Instruction()
		if err != nil {
			return nil, fmt.Errorf("lock the curve of %s: %w", d.Mint, err)
		}
		steps = append(steps, transaction.Step{
			Instruction: lock, Explanation: "Locks the liquidity permanently: it cannot be withdrawn, and you keep earning its fees.",
		})
	}
	if initial.Lamports > 0 {
		steps = append(steps, firstPurchase(d.Mint, at, side, initial))
	}
	return side.unwrap(steps)
}

// Prices returns the first price of a curve and the price at the target, in SOL for a whole token.
func Prices(c market.Curve) (start, end string) {
	return SpotPrice(c.StartSqrtPrice, c.Decimals), SpotPrice(c.TargetSqrtPrice, c.Decimals)
}

// millionDecimals turns the price of a whole token into the price of a million tokens, which has
// fewer zeros to read.
const millionDecimals = 6

// millionPrices is Prices for a million tokens, with at most six digits after leading zeros.
func millionPrices(c market.Curve) (start, end string) {
	return readable(SpotPrice(c.StartSqrtPrice, c.Decimals+millionDecimals)),
		readable(SpotPrice(c.TargetSqrtPrice, c.Decimals+millionDecimals))
}

// readable cuts the decimals of a price to six digits after leading zeros.
func readable(price string) string {
	const digits = 6
	whole, fraction, found := strings.Cut(price, ".")
	if !found {
		return price
	}
	zeros := 0
	if whole == "0" {
		zeros = len(fraction) - len(strings.TrimLeft(fraction, "0"))
	}
	return strings.TrimRight(strings.TrimRight(whole+"."+fraction[:min(len(fraction), zeros+digits)], "0"), ".")
}

// percent formats basis points.
func percent(bps int) string { return decimal.Percent(bps) + "%" }
