package market

import (
	"errors"
	"math/big"
	"time"

	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"
)

// Curve is a launchpad curve. What is in it is fixed when it is prepared, but for
// what the index adds. Amounts are in base units and lamports; prices are square
// roots in 64.64 bits, of lamports for a base unit. The numbers are not changed.
type Curve struct {
	token.Pool        // Kind is MeteoraDAMMv2
	ID         string // the transaction that makes it
	Position   solana.PublicKey
	NFTMint    solana.PublicKey // whose holder the position belongs to
	Decimals   int
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
	// Locked says whether the liquidity is permanently locked.
	Locked bool
	FeeBps int // on each trade
	// StartsAt is when it begins to trade, in seconds' resolution; zero: when it is made.
	StartsAt time.Time
	// Official says whether the creator of a token that was launched here made it.
	Official bool

	State       token.CurveState
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

// ErrConflict: another write changed what this one depends on; read again.
var ErrConflict = errors.New("market changed meanwhile")
