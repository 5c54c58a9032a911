package meteora

import (
	"bytes"
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// Seeds of addresses (constants.rs, seeds).
const (
	seedCustomizablePool   = "cpool"
	seedTokenVault         = "token_vault"
	seedPosition           = "position"
	seedPositionNFTAccount = "position_nft_account"
)

// Accounts are the accounts of a pool with one position.
type Accounts struct {
	Pool solana.PublicKey
	// TokenVault holds token A, SOLVault token B; PoolAuthority owns both.
	TokenVault, SOLVault solana.PublicKey
	// Position belongs to the owner of PositionNFTAccount, which holds the only token of NFTMint.
	Position, PositionNFTAccount, NFTMint solana.PublicKey
}

// Addresses derives the accounts of the pool of two mints and of the position of
// an NFT mint. A zero quote mint means wrapped SOL.
func Addresses(tokenMint, quoteMint, nftMint solana.PublicKey) (Accounts, error) {
	pool, err := PoolAddress(tokenMint, quoteMint)
	if err != nil {
		return Accounts{}, err
	}
	a := Accounts{Pool: pool, NFTMint: nftMint}
	if a.TokenVault, err = VaultAddress(tokenMint, pool); err != nil {
		return Accounts{}, err
	}
	if a.SOLVault, err = VaultAddress(or(quoteMint, solana.WrappedSol), pool); err != nil {
		return Accounts{}, err
	}
	if a.Position, err = derive(seedPosition, nftMint[:]); err != nil {
		return Accounts{}, err
	}
	if a.PositionNFTAccount, err = derive(seedPositionNFTAccount, nftMint[:]); err != nil {
		return Accounts{}, err
	}
	return a, nil
}

// PoolAddress derives the customizable pool of two mints in either order, because a pair has only
// one such pool. A zero quote mint means wrapped SOL.
func PoolAddress(tokenMint, quoteMint solana.PublicKey) (solana.PublicKey, error) {
	larger, smaller := tokenMint, or(quoteMint, solana.WrappedSol)
	if bytes.Compare(larger[:], smaller[:]) < 0 {
		larger, smaller = smaller, larger
	}
	return derive(seedCustomizablePool, larger[:], smaller[:])
}

// VaultAddress derives the account in which a pool holds tokens of a mint.
func VaultAddress(mint, pool solana.PublicKey) (solana.PublicKey, error) {
	return derive(seedTokenVault, mint[:], pool[:])
}

func derive(seed string, keys ...[]byte) (solana.PublicKey, error) {
	address, _, err := solana.FindProgramAddress(append([][]byte{[]byte(seed)}, keys...), Program)
	if err != nil {
		return solana.PublicKey{}, fmt.Errorf("derive %s of DAMM v2: %w", seed, err)
	}
	return address, nil
}
