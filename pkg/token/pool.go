package token

import (
	"time"

	"github.com/gagliardetto/solana-go"
)

// PoolKind is the program that a pool belongs to.
type PoolKind string

// Kinds of pools.
const (
	RaydiumCPMM   PoolKind = "raydium-cpmm"
	MeteoraDAMMv2 PoolKind = "meteora-damm-v2"
)

// Pool is a pool of a token and SOL, on the chain or to be.
type Pool struct {
	Kind    PoolKind
	Address solana.PublicKey
	Mint    solana.PublicKey
	// Creator is the wallet that made it.
	Creator solana.PublicKey
	// TokenVault and SOLVault hold what is in it; Authority owns both.
	TokenVault, SOLVault solana.PublicKey
	Authority            solana.PublicKey
	// LPMint is the mint of the shares; zero where there is none.
	LPMint solana.PublicKey
	// CreatedAt is when it was seen on the chain, in milliseconds' resolution.
	CreatedAt time.Time
}

// CurveState is how a launchpad curve stands.
type CurveState string

const (
	// CurvePrepared: its transaction was issued; it is not known to be on the chain.
	CurvePrepared CurveState = "prepared"
	// CurveActive: it takes purchases.
	CurveActive CurveState = "active"
	// CurveCompleted: its target was reached once; that stays.
	CurveCompleted CurveState = "completed"
	// CurveCancelled: its creator withdrew its liquidity before it was complete.
	CurveCancelled CurveState = "cancelled"
)
