// Package market holds what the markets of a token have in common: which program
// they run on, where they are, and which tokens they take.
package market

import (
	"errors"
	"math/big"
	"time"

	"github.com/gagliardetto/solana-go"
)

// Kind is the program that a pool belongs to.
type Kind string

// Kinds.
const (
	RaydiumCPMM   Kind = "raydium-cpmm"
	MeteoraDAMMv2 Kind = "meteora-damm-v2"
)

// Pool is a pool of a token and SOL, on the chain or to be.
type Pool struct {
	Kind    Kind
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

// State is how a curve stands.
type State string

const (
	// Prepared: its transaction was issued; it is not known to be on the chain.
	Prepared State = "prepared"
	// Active: it takes purchases.
	Active State = "active"
	// Completed: its target was reached once; that stays.
	Completed State = "completed"
	// Cancelled: its creator withdrew its liquidity before it was complete.
	Cancelled State = "cancelled"
)

// Curve is a launchpad curve. What is in it is fixed when it is prepared, but for
// what the index adds. Amounts are in base units and lamports; prices are square
// roots in 64.64 bits, of lamports for a base unit. The numbers are not changed.
type Curve struct {
	Pool            // Kind is MeteoraDAMMv2
	ID       string // the transaction that makes it
	Position solana.PublicKey
	NFTMint  solana.PublicKey // whose holder the position belongs to
	Decimals int
	// TokenProgram is that of the mint.
	TokenProgram solana.PublicKey
	// Tokens is what the vault holds at the start, after tax.
	Tokens uint64
	// TargetLamports is what is to be raised.
	TargetLamports uint64
	// StartSqrtPrice is where the pool starts, TargetSqrtPrice where it is complete.
	StartSqrtPrice, TargetSqrtPrice *big.Int
	Liquidity                       *big.Int
	// MultiplierBps is the end price over the start price, in ten-thousandths.
	MultiplierBps int64
	// Locked says whether the liquidity is locked for ever.
	Locked bool
	FeeBps int // on each trade

	State       State
	PreparedAt  time.Time
	CompletedAt time.Time // zero while it is not complete
	Index       Index
}

// Index is what was counted of a curve's trades.
type Index struct {
	// Last is the newest transaction of the pool that was counted, in ChainSlot.
	Last      solana.Signature
	ChainSlot uint64
	Trades    uint64
	Buyers    uint64 // wallets that bought
	// Bought and Sold are base units that left and came back to the pool; Paid and
	// Received lamports that came in and went out, without fees.
	Bought, Sold   uint64
	Paid, Received uint64
}

// ErrNotFound: there is no such pool or curve.
var ErrNotFound = errors.New("no such market")

// ErrConflict: somebody else changed what a write depends on; read again.
var ErrConflict = errors.New("market changed meanwhile")
