package token

import (
	"time"

	"github.com/gagliardetto/solana-go"
)

// PoolKind is the program of a pool.
type PoolKind string

// Kinds of pools.
const (
	RaydiumCPMM   PoolKind = "raydium-cpmm"
	MeteoraDAMMv2 PoolKind = "meteora-damm-v2"
)

// Pool is a pool of a token and SOL, existing or planned.
type Pool struct {
	Kind    PoolKind
	Address solana.PublicKey
	Mint    solana.PublicKey
	// Creator is the wallet that created the pool.
	Creator solana.PublicKey
	// TokenVault and SOLVault hold the pool's reserves. Authority owns both vaults.
	TokenVault, SOLVault solana.PublicKey
	Authority            solana.PublicKey
	// LPMint is the mint of the shares. Zero means a pool without shares.
	LPMint solana.PublicKey
	// CreatedAt is the time at which the pool was seen on the chain, with a resolution of
	// milliseconds.
	CreatedAt time.Time
}

// CurveState is the state of a launchpad curve.
type CurveState string

const (
	// CurvePrepared: the transaction was issued, and the curve is not known to be on the chain.
	CurvePrepared CurveState = "prepared"
	// CurveActive: the curve accepts purchases.
	CurveActive CurveState = "active"
	// CurveCompleted: the curve has reached the target. This state is final.
	CurveCompleted CurveState = "completed"
	// CurveCancelled: the creator withdrew the liquidity before completion.
	CurveCancelled CurveState = "cancelled"
)
