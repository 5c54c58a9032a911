package launchpad

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/solana/bonding"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// Cancel prepares and records the withdrawal of a curve's liquidity, for the holder of the position
// NFT. The withdrawal also pays out the position's fees and the rents of the position and the NFT.
// It returns launchpad_not_found, not_curve_creator, launchpad_not_active, launchpad_not_started or
// liquidity_locked.
func (s Service) Cancel(ctx context.Context, caller, mint solana.PublicKey) (Cancellation, error) {
	v, err := s.look(ctx, mint)
	if err != nil {
		return Cancellation{}, err
	}
	nft, err := s.holder(ctx, caller, v.curve)
	switch {
	case err != nil:
		return Cancellation{}, err
	case v.curve.State != token.CurveActive:
		return Cancellation{}, errNotActive(v.curve.State)
	case v.curve.Locked:
		return Cancellation{}, errLocked
	}
	// The program rejects a withdrawal before the curve opens.
	if _, err := v.state(); errors.Is(err, bonding.ErrNotOpen) {
		return Cancellation{}, unquotable(err)
	}
	side, err := s.sideOf(ctx, caller, mint, v.curve.Position)
	if err != nil {
		return Cancellation{}, err
	}
	free := new(big.Int).Set(v.curve.Liquidity)
	if taken(side.other) {
		position, err := meteora.DecodePosition(side.other.Owner, side.other.Data)
		switch {
		case err != nil:
			return Cancellation{}, fmt.Errorf("read the position of the curve of %s: %w", mint, err)
		case position.Unlocked.Sign() > 0:
			free = position.Unlocked
		case position.Locked.Sign() > 0 || position.Vested.Sign() > 0:
			return Cancellation{}, errLocked // locked later, by a transaction outside the service
		default:
			return Cancellation{}, errNotActive(token.CurveCancelled) // not yet in the index
		}
	}
	out := Cancellation{}
	out.Tokens, out.Lamports, err = bonding.Withdrawable(bonding.State{
		Liquidity: free, SqrtPrice: v.pool.SqrtPrice, MinSqrtPrice: v.pool.MinSqrtPrice, MaxSqrtPrice: v.pool.MaxSqrtPrice,
	})
	if err != nil {
		return Cancellation{}, fmt.Errorf("compute what is in the curve of %s: %w", mint, err)
	}
	steps, rent, err := s.openTokens(ctx, side)
	if err != nil {
		return Cancellation{}, err
	}
	wrap, err := market.WrapSteps(caller, 0, side.wrapped)
	if err != nil {
		return Cancellation{}, err
	}
	steps = append(append(steps, wrap...), withdrawal(v.curve, side, nft, out)...)
	out.Unsigned, err = s.prepare(ctx, side, transaction.Draft{Kind: transaction.KindCancel, Cost: transaction.Cost{Rent: rent}}, steps, cancelUnits)
	if err != nil {
		return Cancellation{}, err
	}
	return out, s.Issued.Record(ctx, out.Issue(v.curve.Address, out.CreatedAt.Add(firstLook)))
}

// holder returns the caller's account with the position NFT: the account that the program created,
// or the caller's associated account, after a transfer. If the chain lacks the program, the creator
// is the holder.
func (s Service) holder(ctx context.Context, caller solana.PublicKey, c market.Curve) (solana.PublicKey, error) {
	at, err := meteora.Addresses(c.Mint, solana.WrappedSol, c.NFTMint)
	if err != nil {
		return solana.PublicKey{}, err
	}
	own, err := token2022.AssociatedAddress(caller, c.NFTMint, solana.Token2022ProgramID)
	if err != nil {
		return solana.PublicKey{}, err
	}
	accounts, err := s.Chain.Accounts(ctx, meteora.Program, at.PositionNFTAccount, own)
	if err != nil {
		return solana.PublicKey{}, fmt.Errorf("read who holds the position of the curve of %s: %w", c.Mint, err)
	}
	if accounts[0] == nil && accounts[1] == nil && c.Creator == caller {
		return at.PositionNFTAccount, nil
	}
	for i, address := range []solana.PublicKey{at.PositionNFTAccount, own} {
		a := accounts[i+1]
		if !taken(a) {
			continue
		}
		held, err := token2022.DecodeAccount(a.Owner, a.Data)
		if err == nil && held.Mint == c.NFTMint && held.Owner == caller && held.Amount == 1 {
			return address, nil
		}
	}
	return solana.PublicKey{}, errNotCreator
}

// withdrawal returns the instructions that empty and close a position. Minimum amounts are not set,
// because trades only exchange value between the two sides of the pool.
func withdrawal(c market.Curve, side side, nft solana.PublicKey, out Cancellation) []transaction.Step {
	position := positionSide(c, side, nft)
	return []transaction.Step{
		{
			Instruction: meteora.RemoveAllLiquidity{PositionSide: position}.Instruction(),
			Explanation: fmt.Sprintf(
				"Cancels the bonding curve %s: takes out all that is in it, now %s of the token, of which its tax is taken, and %s SOL.",
				c.Address, side.mint.Tokens(out.Tokens), decimal.SOL(out.Lamports)),
		},
		{Instruction: meteora.ClaimPositionFee{PositionSide: position}.Instruction(), Explanation: "Takes out the fees that its liquidity has earned you."},
		{
			Instruction: meteora.ClosePosition{Accounts: position.Accounts, Owner: side.owner}.Instruction(),
			Explanation: "Closes the position and burns its token: you get their rent back.",
		},
	}
}

// positionSide returns the accounts with which a caller withdraws from a curve's position. nft is
// the account with the position NFT.
func positionSide(c market.Curve, side side, nft solana.PublicKey) meteora.PositionSide {
	return meteora.PositionSide{
		Accounts: meteora.Accounts{
			Pool: c.Address, TokenVault: c.TokenVault, SOLVault: c.SOLVault,
			Position: c.Position, PositionNFTAccount: nft, NFTMint: c.NFTMint,
		},
		Owner: side.owner, OwnerToken: side.tokenAccount, OwnerSOL: side.wrappedAccount,
		TokenMint: c.Mint, TokenProgram: side.mint.Program,
	}
}
