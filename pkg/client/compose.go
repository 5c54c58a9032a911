package client

import (
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/bonding"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// side is a possible state of a wallet and a token on the chain: the program that owns the mint,
// and whether the wallet's associated accounts exist. A transaction for the wrong state fails and
// does no harm.
type side struct {
	wallet, mint, program solana.PublicKey
	hasToken, hasWrapped  bool
	token, wrapped        solana.PublicKey // the accounts
}

// ways composes a transaction for each possible state.
func ways(wallet, mint solana.PublicKey, compose func(side) ([]transaction.Step, error)) (list [][]transaction.Step, err error) {
	for _, program := range []solana.PublicKey{solana.Token2022ProgramID, solana.TokenProgramID} {
		s := side{wallet: wallet, mint: mint, program: program}
		if s.token, err = token2022.AssociatedAddress(wallet, mint, program); err != nil {
			return nil, err
		}
		if s.wrapped, err = token2022.AssociatedAddress(wallet, solana.WrappedSol, solana.TokenProgramID); err != nil {
			return nil, err
		}
		for _, s.hasToken = range []bool{false, true} {
			for _, s.hasWrapped = range []bool{false, true} {
				steps, err := compose(s)
				if err != nil {
					return nil, mismatch("%v", err)
				}
				list = append(list, steps)
			}
		}
	}
	return list, nil
}

// opens returns the step that creates an associated account of the wallet.
func (s side) opens(mint, program solana.PublicKey, says string) ([]transaction.Step, error) {
	open, _, err := token2022.CreateAssociatedIdempotent{Payer: s.wallet, Wallet: s.wallet, Mint: mint, Program: program}.Instruction()
	return []transaction.Step{{Instruction: open, Explanation: says}}, err
}

// trades returns the middle steps with the steps for the wallet's accounts. Before the middle, the
// token's account is created if the wallet receives tokens, and the account of wrapped SOL is
// created and funded with lamports. After the middle, the account of wrapped SOL is closed. An
// account that exists is neither created nor closed.
func (s side) trades(receives bool, lamports uint64, middle ...transaction.Step) (steps []transaction.Step, err error) {
	if receives && !s.hasToken {
		if steps, err = s.opens(s.mint, s.program, "opens your account for the token"); err != nil {
			return nil, err
		}
	}
	if !s.hasWrapped {
		open, err := s.opens(solana.WrappedSol, solana.TokenProgramID, "opens your account of wrapped SOL")
		if err != nil {
			return nil, err
		}
		steps = append(steps, open...)
	}
	if lamports > 0 {
		steps = append(steps,
			transaction.Step{
				Instruction: systemprogram.Transfer{From: s.wallet, To: s.wrapped, Lamports: lamports}.Instruction(),
				Explanation: "moves SOL to your account of wrapped SOL",
			},
			transaction.Step{
				Instruction: token2022.SyncNative{Program: solana.TokenProgramID, Account: s.wrapped}.Instruction(),
				Explanation: "counts it as wrapped SOL",
			})
	}
	steps = append(steps, middle...)
	if s.hasWrapped {
		return steps, nil
	}
	return append(steps, transaction.Step{
		Instruction: token2022.CloseAccount{
			Program: solana.TokenProgramID, Account: s.wrapped, Destination: s.wallet, Owner: s.wallet,
		}.Instruction(),
		Explanation: "closes your account of wrapped SOL",
	}), nil
}

// pool composes the creation of a pool.
func (s side) pool(at raydium.Addresses, network raydium.Network, tokens, lamports uint64) ([]transaction.Step, error) {
	shares, err := token2022.AssociatedAddress(s.wallet, at.LPMint, solana.TokenProgramID)
	if err != nil {
		return nil, err
	}
	initialize := raydium.Initialize{
		Network: network, Addresses: at, Creator: s.wallet, TokenProgram: s.program,
		TokenAccount: s.token, SOLAccount: s.wrapped, LPAccount: shares, TokenAmount: tokens, Lamports: lamports,
	}.Instruction()
	return s.trades(false, lamports, transaction.Step{Instruction: initialize, Explanation: "makes the pool"})
}

// curve composes the creation of a curve, with the lock of the liquidity and the first purchase.
func (s side) curve(make meteora.InitializeCustomizablePool, lock bool, first bonding.Quote) ([]transaction.Step, error) {
	make.Creator, make.Payer, make.TokenMint, make.TokenProgram = s.wallet, s.wallet, s.mint, s.program
	make.PayerToken, make.PayerSOL = s.token, s.wrapped
	initialize, err := make.Instruction()
	if err != nil {
		return nil, err
	}
	middle := []transaction.Step{{Instruction: initialize, Explanation: "makes the curve"}}
	if lock {
		locks, err := meteora.PermanentLockPosition{
			Pool: make.Pool, Position: make.Position, PositionNFTAccount: make.PositionNFTAccount, Owner: s.wallet, Liquidity: make.Liquidity,
		}.Instruction()
		if err != nil {
			return nil, err
		}
		middle = append(middle, transaction.Step{Instruction: locks, Explanation: "locks the liquidity"})
	}
	if first.Lamports > 0 {
		middle = append(middle, s.swapStep(make.Accounts, meteora.Buy, meteora.ExactIn, first.Lamports, first.Tokens))
	}
	const proof = 1 // lamport: the program requires some wrapped SOL
	return s.trades(false, proof+first.Lamports, middle...)
}

// swap composes a trade on the curve.
func (s side) swap(direction meteora.Direction, mode meteora.SwapMode, amount, limit uint64) ([]transaction.Step, error) {
	at, err := meteora.Addresses(s.mint, solana.WrappedSol, solana.PublicKey{})
	if err != nil {
		return nil, err
	}
	swaps := s.swapStep(at, direction, mode, amount, limit)
	switch {
	case direction == meteora.Sell:
		return s.trades(false, 0, swaps)
	case mode == meteora.ExactIn:
		return s.trades(true, amount, swaps)
	}
	return s.trades(true, limit, swaps)
}

func (s side) swapStep(at meteora.Accounts, direction meteora.Direction, mode meteora.SwapMode, amount, limit uint64) transaction.Step {
	return transaction.Step{Explanation: "trades with the curve", Instruction: meteora.Swap2{
		Pool: at.Pool, TokenVault: at.TokenVault, SOLVault: at.SOLVault, TokenMint: s.mint, TokenProgram: s.program,
		Payer: s.wallet, PayerToken: s.token, PayerSOL: s.wrapped, Direction: direction, Mode: mode, Amount: amount, Limit: limit,
	}.Instruction()}
}

// claim composes the payout of a position's fees. at names one of the two accounts that may hold
// the position NFT.
func (s side) claim(at meteora.Accounts) ([]transaction.Step, error) {
	position := meteora.PositionSide{
		Accounts: at, Owner: s.wallet, OwnerToken: s.token, OwnerSOL: s.wrapped, TokenMint: s.mint, TokenProgram: s.program,
	}
	return s.trades(true, 0, transaction.Step{
		Instruction: meteora.ClaimPositionFee{PositionSide: position}.Instruction(), Explanation: "takes out the fees of the curve",
	})
}

// withdraw composes the withdrawal of a position's liquidity and fees. at names one of the two
// accounts that may hold the position NFT.
func (s side) withdraw(at meteora.Accounts) ([]transaction.Step, error) {
	position := meteora.PositionSide{
		Accounts: at, Owner: s.wallet, OwnerToken: s.token, OwnerSOL: s.wrapped, TokenMint: s.mint, TokenProgram: s.program,
	}
	return s.trades(true, 0,
		transaction.Step{Instruction: meteora.RemoveAllLiquidity{PositionSide: position}.Instruction(), Explanation: "takes out what is in the curve"},
		transaction.Step{Instruction: meteora.ClaimPositionFee{PositionSide: position}.Instruction(), Explanation: "takes out its fees"},
		transaction.Step{Instruction: meteora.ClosePosition{Accounts: at, Owner: s.wallet}.Instruction(), Explanation: "closes the position"},
	)
}
