// Package launchpad prepares bonding curves and trades on them, and says how they
// stand.
//
// A curve is the only position of a DAMM v2 pool, from its start price upwards; the
// pool that sells the tokens is the pool that is left when the target is reached.
// What was sold and collected is read from the pool at the time; that a curve is
// complete or cancelled is what the index has recorded.
package launchpad

import (
	"context"
	"io"
	"math/big"
	"time"

	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/venue"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/bonding"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// Store keeps curves; see package curves of the launch table.
type Store interface {
	// Issue records a transaction that makes a curve, and the curve as a candidate.
	Issue(ctx context.Context, i transaction.Issued, c market.Curve) error
	// Candidates lists the curves of a mint that were prepared lately, the newest first.
	Candidates(ctx context.Context, mint solana.PublicKey) ([]market.Curve, error)
	// Curve gives the curve of a mint that is on the chain, or market.ErrNotFound.
	Curve(ctx context.Context, mint solana.PublicKey) (market.Curve, error)
	// Page gives up to limit curves, the newest first, that stand after a place which
	// an earlier page gave, or from the newest on. The next place is empty after the
	// last one.
	Page(ctx context.Context, after string, limit int) (page []market.Curve, next string, err error)
	// Trades lists up to limit trades of a curve, the newest first: those with a lower number
	// than before, or the newest of all when it is zero, and not made before since.
	Trades(ctx context.Context, mint solana.PublicKey, before uint64, since time.Time, limit int) ([]market.Trade, error)
	// Candles lists up to limit candles of an interval, the newest first: those that start
	// before a time, or the newest of all when it is zero, and not before since.
	Candles(ctx context.Context, mint solana.PublicKey, i market.Interval, before, since time.Time, limit int) ([]market.Candle, error)
	// MedianTime gives the median of the times that completed curves took, and false
	// while none is complete.
	MedianTime(ctx context.Context) (time.Duration, bool, error)
}

// Issued records the transactions from which no curve follows; see package issued of the launch table.
type Issued interface {
	Record(ctx context.Context, i transaction.Issued) error
}

// Chain is what the service asks of the network; see solanarpc.Client.
type Chain interface {
	venue.Chain
	// MinimumBalance is the rent that exempts an account of so many bytes, in lamports.
	MinimumBalance(ctx context.Context, bytes uint64) (uint64, error)
}

// Service prepares curves and trades. Every field is required, but Kept: nil keeps
// nothing.
type Service struct {
	Store    Store
	Issued   Issued
	Chain    Chain
	Preparer transaction.Preparer
	// Random makes the keys of position NFTs: crypto/rand.Reader.
	Random io.Reader
	Now    func() time.Time
	Kept   *Kept
}

// Created is a transaction that makes a curve.
type Created struct {
	transaction.Unsigned

	Curve market.Curve
	// Sent is what leaves the caller's wallet, in base units; Curve.Tokens arrives.
	Sent uint64
	// Initial is the creator's first purchase; zero when there is none.
	Initial bonding.Quote
	// ExpectedCompletion is when the target may be reached, from how long others took.
	ExpectedCompletion time.Time
}

// Status is how a curve stands. Amounts are in base units and lamports, without fees.
type Status struct {
	market.Curve

	SqrtPrice *big.Int // 64.64 bits
	Sold      uint64
	Raised    uint64
	// ProgressBps is what of the target was raised, in ten-thousandths, rounded down.
	ProgressBps int64
	// AllLocked says whether the curve's own position has all of its liquidity permanently
	// locked; where the chain has no pool, what was recorded when it was prepared.
	AllLocked bool
	// CreatorShare is what the curve's creator has of the token; nil: not known, as in lists.
	CreatorShare *Share
	// Expected is when the target is reached at the rate so far; zero: not known.
	Expected time.Time
}

// Price is what a purchase costs now.
type Price struct {
	Tokens        uint64 // received, after tax
	Tax           uint64
	Lamports      uint64 // paid, with Fee
	Fee           uint64
	Decimals      int
	SqrtPrice     *big.Int
	NextSqrtPrice *big.Int
	// ImpactBps is how much the price rises, in ten-thousandths, rounded down.
	ImpactBps *big.Int
}

// Trade is a transaction that buys or sells. Limit is the most that a purchase may
// cost, or the least that a sale must bring, in lamports; LeastTokens is the least that
// must arrive of a purchase.
type Trade struct {
	transaction.Unsigned

	Tokens   uint64 // received after tax, or sent before tax
	Lamports uint64 // paid with the fee, or received without it
	Limit    uint64

	LeastTokens uint64
}

// Cancellation is a transaction that withdraws a curve's liquidity. The fees that it
// earned come on top of what is said here.
type Cancellation struct {
	transaction.Unsigned

	Tokens   uint64 // that leave the pool, before tax
	Lamports uint64
}

// Fees are what the position of a curve earned, in base units before tax and in lamports.
type Fees struct {
	ClaimableTokens, ClaimableLamports uint64
	ClaimedTokens, ClaimedLamports     uint64
}

// FeeClaim is a transaction that pays out what a curve's position earned.
type FeeClaim struct {
	transaction.Unsigned

	Tokens   uint64 // that leave the pool, before tax
	Lamports uint64
	NFTMint  solana.PublicKey // whose holder the position belongs to
}

// firstLook is how long after its making a watched transaction is looked at first: by
// then it can be final.
const firstLook = 20 * time.Second

var (
	errNotFound = apperr.New(apperr.CodeLaunchpadNotFound, "This token has no bonding curve here.")
	errLocked   = apperr.New(apperr.CodeLiquidityLocked,
		"The liquidity of this curve is permanently locked: it cannot be withdrawn, and the curve cannot be cancelled.")
	errNotCreator = apperr.New(apperr.CodeNotCurveCreator,
		"Only the wallet that holds the position's token, at first the curve's creator, can cancel it or claim its fees.")
	errNothingToClaim = apperr.New(apperr.CodeNothingToClaim, "The position of this curve has earned no fees since they were last claimed.")
	errFeesPaid       = apperr.New(apperr.CodeLaunchpadCancelled,
		"This curve was cancelled and its position closed: the fees that it had earned were paid out with that.")
)

// NotFound is the answer for a mint that has no curve of the service.
func NotFound() error { return errNotFound }

func errNotActive(s token.CurveState) error {
	return apperr.New(apperr.CodeLaunchpadNotActive, "This curve is "+string(s)+".")
}

func poolExists(pool solana.PublicKey) error {
	return apperr.New(apperr.CodePoolExists,
		"There is a pool of this token and SOL already, at "+pool.String()+"; the program allows one.")
}
