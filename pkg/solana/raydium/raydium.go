// Package raydium encodes the instructions of Raydium's constant-product program (CPMM) that the
// service uses, derives the addresses of its accounts, and decodes its pools and configurations.
//
// The layouts are those of raydium-io/raydium-cp-swap. Integers are little-endian. A pool's two
// tokens are in the order of their mints' bytes: the program's token 0 has index 0 here.
package raydium

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// Network is the program's addresses on a network, and the configuration of new pools.
type Network struct {
	// Program is the CPMM program.
	Program solana.PublicKey
	// Config is the account of the AmmConfig with index 0.
	Config solana.PublicKey
	// FeeReceiver is the account of wrapped SOL that receives the fee for a new pool.
	FeeReceiver solana.PublicKey
}

// Networks (raydium-cp-swap, lib.rs). The configurations are the program's addresses of index 0. A
// local chain that forks mainnet uses Mainnet.
var (
	Mainnet = Network{
		Program:     solana.MustPublicKeyFromBase58("CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C"),
		Config:      solana.MustPublicKeyFromBase58("D4FPEruKEHrG5TenZ2mpDGEfu1iUvTiqBxvpU8HLBvC2"),
		FeeReceiver: solana.MustPublicKeyFromBase58("DNXgeM9EiiaAbaWvwjHj9fQQLAX5ZsfHyvmYUNRAdNC8"),
	}
	Devnet = Network{
		Program:     solana.MustPublicKeyFromBase58("DRaycpLY18LhpbydsBWbVJtxpNv9oXPgjRSfpF2bWpYb"),
		Config:      solana.MustPublicKeyFromBase58("5MxLgy9oPdTC3YgkiePHqr3EoCRD9uLVYRQS2ANAs7wy"),
		FeeReceiver: solana.MustPublicKeyFromBase58("3oE58BKVt8KuYkGxx8zBojugnymWmBiyafWgMrnb6eYy"),
	}
)

// Sizes in bytes of the accounts of a new pool, in addition to its two vaults.
const (
	PoolSize        = 637  // states/pool.rs, PoolState::LEN
	ObservationSize = 4075 // states/oracle.rs, ObservationState::LEN
	LPMintSize      = 82   // spl-token, Mint::LEN
	LPAccountSize   = 165  // spl-token, Account::LEN: the creator's account of shares
	ConfigSize      = 236  // states/config.rs, AmmConfig::LEN
)

// LockedShares is the number of a new pool's shares that no account receives
// (instructions/initialize.rs, lock_lp_amount).
const LockedShares = 100

// Seeds of addresses (states/pool.rs, states/oracle.rs, lib.rs).
const (
	seedPool        = "pool"
	seedLPMint      = "pool_lp_mint"
	seedVault       = "pool_vault"
	seedObservation = "observation"
	seedAuthority   = "vault_and_lp_mint_auth_seed"
)

// ErrNoPair is returned because a token has no pool with itself.
var ErrNoPair = errors.New("wrapped SOL has no pool with itself")

// Addresses are the addresses of the pool of a token and wrapped SOL.
type Addresses struct {
	Token       solana.PublicKey // the token's mint
	Pool        solana.PublicKey
	Authority   solana.PublicKey // owns the vaults of all pools
	LPMint      solana.PublicKey
	TokenVault  solana.PublicKey
	SOLVault    solana.PublicKey
	Observation solana.PublicKey
	// TokenFirst reports whether the token is the program's token 0: the bytes of the token's mint
	// come before the bytes of wrapped SOL.
	TokenFirst bool
	// Own reports whether the pool's account has its own key, which signs the creation, instead of
	// the address that the program derives from the mints.
	Own bool
}

// Addresses derives the addresses of the pool of a token and wrapped SOL under the network's
// configuration. It returns ErrNoPair for wrapped SOL itself.
func (n Network) Addresses(tokenMint solana.PublicKey) (Addresses, error) {
	return n.AddressesAt(tokenMint, solana.PublicKey{})
}

// AddressesAt returns the Addresses of the pool at the given account. The program accepts any
// account whose key signs, so a pool that a third party has created at the derived address does no
// harm (create_pool in instructions/initialize.rs). Zero means the derived address.
func (n Network) AddressesAt(tokenMint, pool solana.PublicKey) (Addresses, error) {
	if tokenMint == solana.WrappedSol {
		return Addresses{}, ErrNoPair
	}
	a := Addresses{Token: tokenMint, TokenFirst: bytes.Compare(tokenMint[:], solana.WrappedSol[:]) < 0}
	mints := a.ordered(tokenMint, solana.WrappedSol)
	var err error
	derive := func(seeds ...[]byte) (address solana.PublicKey) {
		if err == nil {
			address, _, err = solana.FindProgramAddress(seeds, n.Program)
		}
		return address
	}
	a.Authority = derive([]byte(seedAuthority))
	a.Pool = derive([]byte(seedPool), n.Config[:], mints[0][:], mints[1][:])
	if !pool.IsZero() && pool != a.Pool {
		a.Pool, a.Own = pool, true
	}
	a.LPMint = derive([]byte(seedLPMint), a.Pool[:])
	a.TokenVault = derive([]byte(seedVault), a.Pool[:], tokenMint[:])
	a.SOLVault = derive([]byte(seedVault), a.Pool[:], solana.WrappedSol[:])
	a.Observation = derive([]byte(seedObservation), a.Pool[:])
	if err != nil {
		return Addresses{}, fmt.Errorf("addresses of the pool of %s: %w", tokenMint, err)
	}
	return a, nil
}

// ordered returns the values of the token and of wrapped SOL in the program's order.
func (a Addresses) ordered(ofToken, ofSOL solana.PublicKey) [2]solana.PublicKey {
	if a.TokenFirst {
		return [2]solana.PublicKey{ofToken, ofSOL}
	}
	return [2]solana.PublicKey{ofSOL, ofToken}
}

func writable(key solana.PublicKey) *solana.AccountMeta {
	return solana.NewAccountMeta(key, true, false)
}

func readonly(key solana.PublicKey) *solana.AccountMeta {
	return solana.NewAccountMeta(key, false, false)
}
