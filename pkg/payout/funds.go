package payout

import (
	"context"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// afford asserts, before anything is signed, that the wallet has what leaves it
// and the fee, and keeps what is reserved, and its own rent. It gives the lamports
// that are left over.
func (e Engine) afford(ctx context.Context, m movement, i Intent, feeLamports uint64) (spare uint64, err error) {
	keep := uint64(0)
	if e.Reserved != nil && i.Amount > 0 {
		if keep, err = e.Reserved(ctx, i.Mint, i.Asset); err != nil {
			return 0, fmt.Errorf("read what is reserved: %w", err)
		}
	}
	rent, err := e.Chains[0].MinimumBalance(ctx, 0)
	if err != nil {
		return 0, err
	}
	lamports, tokens, err := e.has(ctx, m.wallet.Address, i.Asset)
	if err != nil {
		return 0, err
	}
	need, of := []uint64{rent, feeLamports}, []uint64{i.Amount, keep}
	if i.Asset.IsSOL() {
		need, of = append(need, of...), nil
	}
	spare, enough := less(lamports, need...)
	if _, covered := less(tokens, of...); !enough || !covered {
		return 0, &Refusal{Reason: ReasonFunds, Detail: fmt.Sprintf(
			"The wallet has %d lamports and %d base units of %s; to move %d, with %d reserved, %d of rent and %d of fee, takes more.",
			lamports, tokens, i.Asset, i.Amount, keep, rent, feeLamports)}
	}
	return spare, nil
}

// has reads a wallet's lamports and its tokens of an asset; of SOL it has none.
func (e Engine) has(ctx context.Context, wallet solana.PublicKey, asset distribution.Asset) (lamports, tokens uint64, err error) {
	addresses := []solana.PublicKey{wallet}
	if !asset.IsSOL() {
		for _, program := range []solana.PublicKey{solana.Token2022ProgramID, solana.TokenProgramID} {
			address, err := token2022.AssociatedAddress(wallet, asset.Mint(), program)
			if err != nil {
				return 0, 0, fmt.Errorf("find the wallet's account of %s: %w", asset, err)
			}
			addresses = append(addresses, address)
		}
	}
	accounts, err := e.Chains[0].Holders(ctx, addresses...)
	if err != nil {
		return 0, 0, fmt.Errorf("read what the wallet has: %w", err)
	}
	if accounts[0] != nil {
		lamports = accounts[0].Lamports
	}
	for _, a := range accounts[1:] {
		if a == nil {
			continue
		}
		if state, err := token2022.DecodeAccount(a.Owner, a.Data); err == nil && state.Mint == asset.Mint() {
			tokens += state.Amount // an address belongs to one program
		}
	}
	return lamports, tokens, nil
}

// less takes amounts off what there is; false when they are more.
func less(has uint64, amounts ...uint64) (uint64, bool) {
	for _, amount := range amounts {
		if amount > has {
			return 0, false
		}
		has -= amount
	}
	return has, true
}
