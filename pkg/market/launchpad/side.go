package launchpad

import (
	"context"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// side is the state of a caller and a token on the chain.
type side struct {
	owner solana.PublicKey
	mint  market.Mint
	now   market.Clock
	// tokenAccount is the caller's associated account for the token. held reports whether the
	// account exists, and tokens is the balance.
	tokenAccount solana.PublicKey
	held         bool
	tokens       uint64
	// wrappedAccount is the caller's account of wrapped SOL. wrapped reports whether the account
	// exists.
	wrappedAccount solana.PublicKey
	wrapped        bool
	// other is an additional account.
	other *onchain.Account
}

// sideOf reads the state of a caller and a token, and an additional account. It returns
// token_not_found or unsupported_token.
func (s Service) sideOf(ctx context.Context, owner, mint, other solana.PublicKey) (side, error) {
	out := side{owner: owner}
	wrapped, err := market.WrappedAddress(owner)
	if err != nil {
		return side{}, err
	}
	out.wrappedAccount = wrapped
	// The account's address depends on the mint's program, which is unknown. Read both addresses.
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
	accounts, err := s.Chain.Accounts(ctx, addresses...)
	if err != nil {
		return side{}, fmt.Errorf("read the accounts of %s for %s: %w", owner, mint, err)
	}
	if out.now, err = clockOf(accounts[0]); err != nil {
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

// tax returns the token's present tax.
func (s side) tax() token2022.TransferFee {
	if s.mint.Fee == nil {
		return token2022.TransferFee{}
	}
	return s.mint.Fee.At(s.now.Epoch)
}

// taken reports whether an account belongs to a program. An address to which a third party only
// sent lamports is not taken, because lamports do not prevent the creation of an account.
func taken(a *onchain.Account) bool { return a != nil && a.Owner != solana.SystemProgramID }

// unwrap closes the caller's account of wrapped SOL, unless the account existed before.
func (s side) unwrap(steps []transaction.Step) ([]transaction.Step, error) {
	if s.wrapped {
		return steps, nil
	}
	end, err := market.UnwrapStep(s.owner)
	return append(steps, end), err
}

// rents returns the sum of the rents of accounts with the given sizes, in bytes.
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

// wrappedRent returns the rent of an account of wrapped SOL that the transaction opens and closes.
func (s Service) wrappedRent(ctx context.Context, side side) (uint64, error) {
	if side.wrapped {
		return 0, nil
	}
	return s.rents(ctx, market.WrappedAccountSize)
}
