package market

import (
	"errors"
	"math/big"
	"time"

	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"
)

// Curve is a launchpad curve. The preparation fixes the fields, except for the fields that the
// index updates. Amounts are in base units and lamports. Prices are square roots in 64.64 bits, of
// lamports for a base unit. The numbers are read-only.
type Curve struct {
	token.Pool        // Kind is MeteoraDAMMv2
	ID         string // the transaction that creates the curve
	Position   solana.PublicKey
	NFTMint    solana.PublicKey // the holder of the NFT owns the position
	Decimals   int
	// TokenProgram is the token program of the mint.
	TokenProgram solana.PublicKey
	// Tokens is the amount in the vault at the start, after tax.
	Tokens uint64
	// TargetLamports is the amount to raise.
	TargetLamports uint64
	// StartSqrtPrice is the start price of the pool, TargetSqrtPrice the price of a complete curve.
	StartSqrtPrice, TargetSqrtPrice *big.Int
	Liquidity                       *big.Int
	// MultiplierBps is the end price divided by the start price, in ten-thousandths.
	MultiplierBps int64
	// Locked reports whether the liquidity is permanently locked.
	Locked bool
	FeeBps int // on each trade
	// StartsAt is the start of trading, with a resolution of seconds; zero means at the creation.
	StartsAt time.Time
	// Official reports whether the creator of a token that was launched here created the curve.
	Official bool

	State       token.CurveState
	PreparedAt  time.Time
	CompletedAt time.Time // zero until the curve is complete
	Index       Index
}

// Index is the count of a curve's trades.
type Index struct {
	// Last is the pool's newest counted transaction, in slot ChainSlot.
	Last      solana.Signature
	ChainSlot uint64
	Trades    uint64
	Buyers    uint64 // wallets that bought
	// Bought and Sold are base units that left and returned to the pool. Paid and Received are
	// lamports that came in and went out, without fees.
	Bought, Sold   uint64
	Paid, Received uint64
}

// ErrNotFound is returned for an unknown pool or curve.
var ErrNotFound = errors.New("no such market")

// ErrConflict is returned if a concurrent write changed the read data. Callers read again.
var ErrConflict = errors.New("market changed meanwhile")
