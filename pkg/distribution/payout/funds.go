package payout

import (
	"context"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// afford checks before a signature that the wallet can pay the amount and the transaction's cost
// without touching reserved amounts and the wallet's own rent. It returns the remaining lamports.
func (e Engine) afford(ctx context.Context, m movement, p Payment, has *own, costLamports uint64) (spare uint64, err error) {
	keep := uint64(0)
	if e.Reserved != nil && p.Amount > 0 {
		if keep, err = e.Reserved(ctx, p.Mint, p.Asset); err != nil {
			return 0, fmt.Errorf("read what is reserved: %w", err)
		}
	}
	rent, err := e.Chains[0].MinimumBalance(ctx, 0)
	if err != nil {
		return 0, err
	}
	if has == nil {
		if has, err = e.has(ctx, m.wallet.Address, p.Asset); err != nil {
			return 0, err
		}
	}
	lamports, tokens := has.lamports, has.tokens
	need, of := []uint64{rent, costLamports}, []uint64{p.Amount, keep}
	if p.Asset.IsSOL() {
		need, of = append(need, of...), nil
	}
	spare, enough := less(lamports, need...)
	if _, covered := less(tokens, of...); !enough || !covered {
		return 0, &Refusal{Reason: ReasonFunds, Detail: fmt.Sprintf(
			"The wallet has %d lamports and %d base units of %s; to move %d, with %d reserved, %d of rent and %d of cost, takes more.",
			lamports, tokens, p.Asset, p.Amount, keep, rent, costLamports)}
	}
	return spare, nil
}

// own is a wallet's balance: lamports, and tokens of an asset. tokens is zero for SOL.
type own struct{ lamports, tokens uint64 }

func (e Engine) has(ctx context.Context, wallet solana.PublicKey, asset terms.Asset) (*own, error) {
	addresses, err := ownAddresses(wallet, asset)
	if err != nil {
		return nil, err
	}
	accounts, err := e.Chains[0].Holders(ctx, addresses...)
	if err != nil {
		return nil, fmt.Errorf("read what the wallet has: %w", err)
	}
	return ownOf(asset, accounts), nil
}

// ownAddresses returns the addresses of the wallet and of the wallet's accounts of an asset.
func ownAddresses(wallet solana.PublicKey, asset terms.Asset) ([]solana.PublicKey, error) {
	addresses := []solana.PublicKey{wallet}
	if asset.IsSOL() {
		return addresses, nil
	}
	for _, program := range []solana.PublicKey{solana.Token2022ProgramID, solana.TokenProgramID} {
		address, err := token2022.AssociatedAddress(wallet, asset.Mint(), program)
		if err != nil {
			return nil, fmt.Errorf("find the wallet's account of %s: %w", asset, err)
		}
		addresses = append(addresses, address)
	}
	return addresses, nil
}

// ownOf adds up the accounts at ownAddresses.
func ownOf(asset terms.Asset, accounts []*onchain.Account) *own {
	has := &own{}
	if accounts[0] != nil {
		has.lamports = accounts[0].Lamports
	}
	for _, a := range accounts[1:] {
		if a == nil {
			continue
		}
		if state, err := token2022.DecodeAccount(a.Owner, a.Data); err == nil && state.Mint == asset.Mint() {
			has.tokens += state.Amount // an address belongs to only one of the programs
		}
	}
	return has
}

// less subtracts amounts from a balance. It returns false if the balance is too small.
func less(has uint64, amounts ...uint64) (uint64, bool) {
	for _, amount := range amounts {
		if amount > has {
			return 0, false
		}
		has -= amount
	}
	return has, true
}
