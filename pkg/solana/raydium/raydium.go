// Package raydium encodes the instructions of Raydium's constant-product program
// (CPMM) that the service uses, derives the addresses of its accounts, and decodes
// its pools and configurations.
//
// The layouts are those of raydium-io/raydium-cp-swap; integers are little-endian.
// A pool's two tokens stand in the order of their mints' bytes: what the program
// calls token 0 is here index 0.
package raydium

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// Network is where the program is on a network, and what pools are made with there.
type Network struct {
	// Program is the CPMM program.
	Program solana.PublicKey
	// Config is the account of the AmmConfig with index 0.
	Config solana.PublicKey
	// FeeReceiver is the account of wrapped SOL that takes the fee for a new pool.
	FeeReceiver solana.PublicKey
}

// Networks (raydium-cp-swap, lib.rs; the configurations are the program's addresses
// of index 0). A local chain that forks mainnet has mainnet's.
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

// Sizes of the accounts that a new pool consists of, in bytes, beside its two vaults.
const (
	PoolSize        = 637  // states/pool.rs, PoolState::LEN
	ObservationSize = 4075 // states/oracle.rs, ObservationState::LEN
	LPMintSize      = 82   // spl-token, Mint::LEN
	LPAccountSize   = 165  // spl-token, Account::LEN: the creator's account of shares
	ConfigSize      = 236  // states/config.rs, AmmConfig::LEN
)

// LockedShares is how many of a new pool's shares no account gets
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

// ErrNoPair: a token has no pool with itself.
var ErrNoPair = errors.New("wrapped SOL has no pool with itself")

// Addresses are those of the pool of a token and wrapped SOL.
type Addresses struct {
	Token       solana.PublicKey // the token's mint
	Pool        solana.PublicKey
	Authority   solana.PublicKey // owns the vaults of all pools
	LPMint      solana.PublicKey
	TokenVault  solana.PublicKey
	SOLVault    solana.PublicKey
	Observation solana.PublicKey
	// TokenFirst says whether the token is the program's token 0: its mint's bytes
	// come before those of wrapped SOL.
	TokenFirst bool
	// Own says whether the pool's account is one of its own, whose key signs when the pool
	// is made, and not the one that the program derives of the mints.
	Own bool
}

// Addresses derives the addresses of the pool of a token and wrapped SOL under the
// network's configuration. It fails with ErrNoPair for wrapped SOL itself.
func (n Network) Addresses(tokenMint solana.PublicKey) (Addresses, error) {
	return n.AddressesAt(tokenMint, solana.PublicKey{})
}

// AddressesAt is Addresses of the pool with this account: the program takes any whose key
// signs, so that it does not matter who has made the pool that it derives (create_pool in
// instructions/initialize.rs). Zero stands for the derived one.
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

// ordered gives the token's and wrapped SOL's in the program's order.
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
