package cpmm

import (
	"context"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// draft returns the steps of the transaction and its exact cost in lamports.
func (s Service) draft(ctx context.Context, caller solana.PublicKey, mint market.Mint, f facts, tokenAmount, lamports uint64) (transaction.Draft, error) {
	steps, err := s.steps(caller, mint, f, tokenAmount, lamports)
	if err != nil {
		return transaction.Draft{}, err
	}
	d := transaction.Draft{
		Kind: transaction.KindPool, Caller: caller, Mint: mint.Address, Steps: steps,
		Programs: []solana.PublicKey{s.Network.Program},
		MaxUnits: maxUnits, DefaultUnits: defaultUnits,
		Cost:  transaction.Cost{Protocol: f.config.PoolFee, Deposit: lamports},
		Holds: f.holds, Moves: tokenAmount,
	}
	for _, size := range []uint64{
		raydium.PoolSize, raydium.ObservationSize, raydium.LPMintSize, raydium.LPAccountSize,
		mint.VaultSize(), market.WrappedAccountSize,
	} {
		rent, err := s.Chain.MinimumBalance(ctx, size)
		if err != nil {
			return transaction.Draft{}, fmt.Errorf("ask for the rent of %d bytes: %w", size, err)
		}
		d.Cost.Rent += rent
	}
	if !f.hasWrapped { // the account is closed at the end
		if d.Returned, err = s.Chain.MinimumBalance(ctx, market.WrappedAccountSize); err != nil {
			return transaction.Draft{}, fmt.Errorf("ask for the rent of an account of wrapped SOL: %w", err)
		}
	}
	return d, nil
}

func (s Service) steps(caller solana.PublicKey, mint market.Mint, f facts, tokenAmount, lamports uint64) ([]transaction.Step, error) {
	steps, err := market.WrapSteps(caller, lamports, f.hasWrapped)
	if err != nil {
		return nil, err
	}
	shares, err := token2022.AssociatedAddress(caller, f.addresses.LPMint, solana.TokenProgramID)
	if err != nil {
		return nil, err
	}
	initialize := raydium.Initialize{
		Network: s.Network, Addresses: f.addresses, Creator: caller, TokenProgram: mint.Program,
		TokenAccount: f.tokenAccount, SOLAccount: f.solAccount, LPAccount: shares,
		TokenAmount: tokenAmount, Lamports: lamports,
	}
	steps = append(steps, transaction.Step{
		Instruction: initialize.Instruction(),
		Explanation: explain(f, mint, tokenAmount, lamports),
	})
	if f.hasWrapped {
		return steps, nil
	}
	unwrap, err := market.UnwrapStep(caller)
	if err != nil {
		return nil, err
	}
	return append(steps, unwrap), nil
}

// explain describes the instruction that creates the pool in one sentence.
func explain(f facts, mint market.Mint, tokenAmount, lamports uint64) string {
	tax := mint.TaxOn(f.epoch, tokenAmount)
	withheld := ""
	if tax > 0 {
		withheld = fmt.Sprintf(", of which the token's tax withholds %s on the way,", mint.Tokens(tax))
	}
	return fmt.Sprintf("Makes the Raydium pool %s of %s of the token %s%s and %s SOL, for a fee of %s SOL and the rent of its accounts; you get all of its shares except a tiny part that the program keeps.",
		f.addresses.Pool, mint.Tokens(tokenAmount), mint.Address, withheld, decimal.SOL(lamports), decimal.SOL(f.config.PoolFee))
}
