package launchpad

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/apperr"
	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/curve"
	"tokenlaunch.example/service/pkg/market/venue"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/transaction"
)

// Compute units. What a simulation takes is measured; where there is none, the
// default is a fifth above what creation took on the program with a taxed mint.
const (
	mostUnits    = 600_000
	createUnits  = 400_000
	tradeUnits   = 200_000
	cancelUnits  = 300_000
	proofOfQuote = 1 // lamports that the program wants to see of whoever makes a pool
)

// usualTime is how long a curve is expected to take while none is complete.
const usualTime = 24 * time.Hour

// sniperStep is how often an anti-sniper fee falls.
const sniperStep = 10 * time.Second

// Create prepares the transaction that makes a curve, and records it. The draft must
// have passed Validate. It fails with token_not_found, unsupported_token and
// pool_exists, and with a field out of range when the program has no such curve.
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
	c, params, err := plan(d, side)
	if err != nil {
		return Created{}, err
	}
	// The program takes so much that just the deposit arrives, which may be a unit less
	// than what the caller named.
	if d.Tokens, err = curve.Gross(side.tax(), params.Deposit); err != nil {
		return Created{}, fmt.Errorf("send %d of %s to a curve: %w", params.Deposit, d.Mint, err)
	}
	c.Pool = market.Pool{
		Kind: market.MeteoraDAMMv2, Address: at.Pool, Mint: d.Mint, Creator: caller,
		TokenVault: at.TokenVault, SOLVault: at.SOLVault, Authority: meteora.PoolAuthority,
	}
	c.Position, c.NFTMint = at.Position, at.NFTMint
	steps, err := creation(d, c, at, side, params)
	if err != nil {
		return Created{}, err
	}
	draft := transaction.Draft{
		Kind: transaction.KindCurve, Caller: caller, Mint: d.Mint, Steps: steps,
		Programs: []solana.PublicKey{meteora.Program}, Signers: []ed25519.PrivateKey{private},
		MostUnits: mostUnits, DefaultUnits: createUnits,
		Cost: transaction.Cost{Deposit: proofOfQuote}, Holds: side.tokens, Moves: d.Tokens,
	}
	draft.Cost.Rent, err = s.rents(ctx, meteora.PoolSize, meteora.PositionSize, meteora.NFTMintSize, meteora.NFTAccountSize,
		side.mint.VaultSize(), meteora.VaultSize)
	if err != nil {
		return Created{}, err
	}
	if draft.Passing, err = s.wrappedRent(ctx, side); err != nil {
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
	c.ID, c.PreparedAt, c.State = u.ID, u.CreatedAt, market.Prepared
	if err := s.Store.Issue(ctx, u.Issue(at.Pool, u.CreatedAt.Add(firstLook)), c); err != nil {
		return Created{}, err
	}
	return Created{Unsigned: u, Curve: c, Sent: d.Tokens, ExpectedCompletion: u.CreatedAt.Add(took)}, nil
}

// plan reckons the curve of a draft.
func plan(d Draft, side side) (market.Curve, curve.Params, error) {
	arriving := d.Tokens - side.mint.TaxOn(side.now.epoch, d.Tokens)
	params, err := curve.Plan(curve.Request{
		Tokens: arriving, TargetLamports: d.TargetLamports, MultiplierBps: int64(d.Multiplier) * 100,
	})
	switch {
	case errors.Is(err, curve.ErrRequest), errors.Is(err, curve.ErrOverflow):
		refusal := outOfRange(fieldAmount, "The program has no price for so few or so many tokens and this target.")
		if e, ok := errors.AsType[*apperr.Error](refusal); ok {
			e.Cause = err
		}
		return market.Curve{}, curve.Params{}, refusal
	case err != nil:
		return market.Curve{}, curve.Params{}, fmt.Errorf("plan a curve of %s: %w", d.Mint, err)
	}
	return market.Curve{
		Decimals: side.mint.Decimals, TokenProgram: side.mint.Program, Tokens: params.Deposit, TargetLamports: d.TargetLamports,
		StartSqrtPrice: params.StartSqrtPrice, TargetSqrtPrice: params.TargetSqrtPrice, Liquidity: params.Liquidity,
		MultiplierBps: int64(d.Multiplier) * 100, Locked: d.Locked, FeeBps: d.FeeBps,
	}, params, nil
}

// creation lists the instructions that make a curve.
func creation(d Draft, c market.Curve, at meteora.Accounts, side side, p curve.Params) ([]transaction.Step, error) {
	fee, err := meteora.ConstantFee(d.FeeBps)
	says := fmt.Sprintf("with a fee of %s on each trade, taken in SOL", percent(d.FeeBps))
	if d.SniperBps > 0 {
		fee, err = meteora.DecayingFee(d.SniperBps, d.FeeBps, d.Window, sniperStep)
		says = fmt.Sprintf("with a fee on each trade that falls from %s to %s in %d minutes, taken in SOL",
			percent(d.SniperBps), percent(d.FeeBps), int(d.Window.Minutes()))
	}
	if err != nil {
		return nil, fmt.Errorf("the fee of a curve of %s: %w", d.Mint, err)
	}
	steps, err := market.WrapSteps(side.owner, proofOfQuote, side.wrapped)
	if err != nil {
		return nil, err
	}
	initialize, err := meteora.InitializeCustomizablePool{
		Accounts: at, Creator: side.owner, Payer: side.owner, TokenMint: d.Mint, TokenProgram: side.mint.Program,
		PayerToken: side.tokenAccount, PayerSOL: side.wrappedAccount, Fee: fee,
		MinSqrtPrice: p.StartSqrtPrice, MaxSqrtPrice: p.MaxSqrtPrice, SqrtPrice: p.StartSqrtPrice, Liquidity: p.Liquidity,
	}.Instruction()
	if err != nil {
		return nil, fmt.Errorf("make the pool of %s: %w", d.Mint, err)
	}
	start, end := Prices(c)
	steps = append(steps, transaction.Step{Instruction: initialize, Explanation: fmt.Sprintf(
		"Makes the bonding curve %s: moves %d base units of the token %s into it, of which %d arrive after tax, and sells them from %s SOL a token on, to %s SOL when %s SOL are raised, %s.",
		at.Pool, d.Tokens, d.Mint, c.Tokens, start, end, market.SOL(d.TargetLamports), says)})
	if d.Locked {
		lock, err := meteora.PermanentLockPosition{
			Pool: at.Pool, Position: at.Position, PositionNFTAccount: at.PositionNFTAccount, Owner: side.owner, Liquidity: p.Liquidity,
		}.Instruction()
		if err != nil {
			return nil, fmt.Errorf("lock the curve of %s: %w", d.Mint, err)
		}
		steps = append(steps, transaction.Step{
			Instruction: lock, Explanation: "Locks the liquidity for ever: nobody can take it away, and you keep earning its fees.",
		})
	}
	return side.unwrap(steps)
}

// Prices gives the first price of a curve, and the one at its target, in SOL for a
// whole token.
func Prices(c market.Curve) (start, end string) {
	return SpotPrice(c.StartSqrtPrice, c.Decimals), SpotPrice(c.TargetSqrtPrice, c.Decimals)
}

// percent writes basis points.
func percent(bps int) string { return market.Decimal(int64(bps), 2) + "%" }

// side is what the chain has of a caller and a token.
type side struct {
	owner solana.PublicKey
	mint  market.Mint
	now   clock
	// tokenAccount is his associated account for the token; held says whether it is
	// there, and tokens what is in it.
	tokenAccount solana.PublicKey
	held         bool
	tokens       uint64
	// wrappedAccount is the one for wrapped SOL; wrapped says whether it is there.
	wrappedAccount solana.PublicKey
	wrapped        bool
	// other is the further account that was read.
	other *venue.Account
}

// sideOf reads what the chain has of a caller and a token, and one account more. It
// fails with token_not_found and unsupported_token.
func (s Service) sideOf(ctx context.Context, owner, mint, other solana.PublicKey) (side, error) {
	out := side{owner: owner}
	wrapped, err := market.WrappedAddress(owner)
	if err != nil {
		return side{}, err
	}
	out.wrappedAccount = wrapped
	// The account's address depends on the mint's program: both are asked for.
	programs := []solana.PublicKey{solana.Token2022ProgramID, solana.TokenProgramID}
	addresses := []solana.PublicKey{solana.SysVarClockPubkey, mint, wrapped, other}
	const first = 4
	for _, program := range programs {
		account, err := token2022.AssociatedAddress(owner, mint, program)
		if err != nil {
			return side{}, err
		}
		addresses = append(addresses, account)
	}
	accounts, err := s.Chain.PoolAccounts(ctx, addresses...)
	if err != nil {
		return side{}, fmt.Errorf("read the accounts of %s for %s: %w", owner, mint, err)
	}
	if out.now, err = decodeClock(accounts[0]); err != nil {
		return side{}, err
	}
	var program solana.PublicKey
	var data []byte
	if accounts[1] != nil {
		program, data = accounts[1].Owner, accounts[1].Data
	}
	if out.mint, err = market.CheckMint(mint, program, data); err != nil {
		return side{}, err
	}
	out.wrapped, out.other = taken(accounts[2]), accounts[3]
	for i, candidate := range programs {
		if candidate != out.mint.Program {
			continue
		}
		out.tokenAccount = addresses[first+i]
		if a := accounts[first+i]; taken(a) {
			holding, err := token2022.DecodeAccount(a.Owner, a.Data)
			if err != nil {
				return side{}, fmt.Errorf("read the account %s: %w", out.tokenAccount, err)
			}
			out.held, out.tokens = true, holding.Amount
		}
	}
	return out, nil
}

// tax is the token's tax now.
func (s side) tax() token2022.TransferFee {
	if s.mint.Fee == nil {
		return token2022.TransferFee{}
	}
	return s.mint.Fee.At(s.now.epoch)
}

// taken tells an account of a program from an address to which somebody only sent
// lamports: that stands in nobody's way.
func taken(a *venue.Account) bool { return a != nil && a.Owner != solana.SystemProgramID }

// unwrap ends the caller's account of wrapped SOL, unless he had it before.
func (s side) unwrap(steps []transaction.Step) ([]transaction.Step, error) {
	if s.wrapped {
		return steps, nil
	}
	end, err := market.UnwrapStep(s.owner)
	return append(steps, end), err
}

// rents sums the rents of accounts of so many bytes.
func (s Service) rents(ctx context.Context, sizes ...uint64) (sum uint64, err error) {
	for _, size := range sizes {
		rent, err := s.Chain.MinimumBalance(ctx, size)
		if err != nil {
			return 0, err
		}
		sum += rent
	}
	return sum, nil
}

// wrappedRent is the rent of an account of wrapped SOL that the transaction opens and
// closes again.
func (s Service) wrappedRent(ctx context.Context, side side) (uint64, error) {
	if side.wrapped {
		return 0, nil
	}
	return s.rents(ctx, market.WrappedAccountSize)
}
