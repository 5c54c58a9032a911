// Package launchpad prepares bonding curves and trades on curves, and reports the state of curves.
//
// A curve is the first position of a DAMM v2 pool, from the start price upwards. The pool remains
// for trading after the curve has reached the target. Sold and raised amounts are read from the
// pool at the time of the request. The states complete and cancelled are those that the index has
// recorded.
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

// Store stores curves; see package curves of the launch table.
type Store interface {
	// Issue records a transaction that creates a curve, with the curve as a candidate.
	Issue(ctx context.Context, i transaction.Issued, c market.Curve) error
	// Candidates returns the recently prepared curves of a mint, the newest first.
	Candidates(ctx context.Context, mint solana.PublicKey) ([]market.Curve, error)
	// Curve returns the curve of a mint that is on the chain, or market.ErrNotFound.
	Curve(ctx context.Context, mint solana.PublicKey) (market.Curve, error)
	// Page returns up to limit curves, the newest first. after is the cursor next of an earlier
	// page, or empty for the first page. next is empty after the last page.
	Page(ctx context.Context, after string, limit int) (page []market.Curve, next string, err error)
	// Trades returns up to limit trades of a curve, the newest first, with a number below before
	// and a time not before since. A zero before starts with the newest trade.
	Trades(ctx context.Context, mint solana.PublicKey, before uint64, since time.Time, limit int) ([]market.Trade, error)
	// Candles returns up to limit candles of an interval, the newest first, with a start below
	// before and not before since. A zero before starts with the newest candle.
	Candles(ctx context.Context, mint solana.PublicKey, i market.Interval, before, since time.Time, limit int) ([]market.Candle, error)
	// MedianTime returns the median duration of completed curves, and false if no curve is
	// complete.
	MedianTime(ctx context.Context) (time.Duration, bool, error)
}

// Issued records transactions that do not create a curve; see package issued of the launch table.
type Issued interface {
	Record(ctx context.Context, i transaction.Issued) error
}

// Chain is the subset of the RPC API that the service needs; see solanarpc.Client.
type Chain interface {
	venue.Chain
	// MinimumBalance returns the rent-exempt minimum of an account with the given number of bytes,
	// in lamports.
	MinimumBalance(ctx context.Context, bytes uint64) (uint64, error)
}

// Service prepares curves and trades. Every field is required, except Kept: nil disables the cache.
type Service struct {
	Store    Store
	Issued   Issued
	Chain    Chain
	Preparer transaction.Preparer
	// Random is the source of the keys of position NFTs: crypto/rand.Reader.
	Random io.Reader
	Now    func() time.Time
	Kept   *Kept
}

// Created is a transaction that creates a curve.
type Created struct {
	transaction.Unsigned

	Curve market.Curve
	// Sent is the amount that leaves the caller's wallet, in base units. Curve.Tokens arrives.
	Sent uint64
	// Initial is the creator's first purchase, or zero.
	Initial bonding.Quote
	// ExpectedCompletion is an estimate, from the duration of other curves.
	ExpectedCompletion time.Time
}

// Status is the state of a curve. Amounts are in base units and lamports, without fees.
type Status struct {
	market.Curve

	SqrtPrice *big.Int // 64.64 bits
	Sold      uint64
	Raised    uint64
	// ProgressBps is the raised share of the target, in ten-thousandths, rounded down.
	ProgressBps int64
	// AllLocked reports whether the liquidity of the curve's position is locked permanently and in
	// full. If the chain has no pool, AllLocked is the recorded option of the curve.
	AllLocked bool
	// CreatorShare is the creator's share of the token. Nil means unknown, as in lists.
	CreatorShare *Share
	// Expected is the time of reaching the target at the present rate. Zero means unknown.
	Expected time.Time
}

// Price is the present price of a purchase.
type Price struct {
	Tokens        uint64 // received, after tax
	Tax           uint64
	Lamports      uint64 // paid, with Fee
	Fee           uint64
	Decimals      int
	SqrtPrice     *big.Int
	NextSqrtPrice *big.Int
	// ImpactBps is the increase of the price, in ten-thousandths, rounded down.
	ImpactBps *big.Int
}

// Trade is a transaction that buys or sells. Limit is the maximum cost of a purchase, or the
// minimum proceeds of a sale, in lamports. MinTokens is the minimum number of tokens that a
// purchase delivers.
type Trade struct {
	transaction.Unsigned

	Tokens   uint64 // received after tax, or sent before tax
	Lamports uint64 // paid with the fee, or received without it
	Limit    uint64

	MinTokens uint64
}

// Cancellation is a transaction that withdraws a curve's liquidity. The amounts exclude the
// position's fees, which the transaction also pays out.
type Cancellation struct {
	transaction.Unsigned

	Tokens   uint64 // amount that leaves the pool, before tax
	Lamports uint64
}

// Fees are the earnings of a curve's position, in base units before tax and in lamports.
type Fees struct {
	ClaimableTokens, ClaimableLamports uint64
	ClaimedTokens, ClaimedLamports     uint64
}

// FeeClaim is a transaction that pays out the earnings of a curve's position.
type FeeClaim struct {
	transaction.Unsigned

	Tokens   uint64 // amount that leaves the pool, before tax
	Lamports uint64
	NFTMint  solana.PublicKey // the position NFT
}

// firstLook is the delay before the first check of a watched transaction. The transaction can be
// final by then.
const firstLook = 20 * time.Second

var (
	errNotFound = apperr.New(apperr.CodeLaunchpadNotFound, "This token has no bonding curve here.")
	errLocked   = apperr.New(apperr.CodeLiquidityLocked,
		"The liquidity of this curve is permanently locked: it cannot be withdrawn, and the curve cannot be cancelled.")
	errNotCreator = apperr.New(apperr.CodeNotCurveCreator,
		"Only the wallet that holds the position NFT, at first the curve's creator, can cancel it or claim its fees.")
	errNothingToClaim = apperr.New(apperr.CodeNothingToClaim, "The position of this curve has earned no fees since they were last claimed.")
	errFeesPaid       = apperr.New(apperr.CodeLaunchpadCancelled,
		"This curve was cancelled and its position closed: the fees that it had earned were paid out with that.")
)

// NotFound returns the error for a mint without a curve of the service.
func NotFound() error { return errNotFound }

func errNotActive(s token.CurveState) error {
	return apperr.New(apperr.CodeLaunchpadNotActive, "This curve is "+string(s)+".")
}

func poolExists(pool solana.PublicKey) error {
	return apperr.New(apperr.CodePoolExists,
		"There is a pool of this token and SOL already, at "+pool.String()+"; the program allows one.")
}
