// Package exchange holds how a distribution wallet exchanges its token for what
// holders are paid in: which quotes are good enough, how much to sell when not
// all of it is, and what a transaction that another party has written may do
// before the wallet signs it.
//
// It promises that no quote passes whose price is worse than the limits allow;
// that a swap which passes Check and CheckBalances takes at most the quoted
// input out of the wallet, brings at least the quoted minimum, and leaves the
// wallet's accounts its own; and that all arithmetic is exact.
//
// A venue is where tokens are exchanged: an aggregator (pkg/provider/jupiter), a market
// maker that signs too (pkg/provider/marketmaker), or a pool that is called directly
// (pkg/market/venue); First asks several in turn. The
// interface asks nothing that only one of them has: a direct pool quotes from
// the pool's state, and its swap is the pool's instruction between the ones that
// open and close the wallet's account of wrapped SOL, with the pool's program in
// Swap.Programs.
package exchange

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Order is what a wallet wants exchanged.
type Order struct {
	Wallet solana.PublicKey
	Input  solana.PublicKey // the mint that is sold
	Amount uint64           // base units of the input
	Output terms.Asset
	// TaxBps is what each transfer of the input costs its sender.
	TaxBps int
	// SlippageBps is how far below the quote the swap may still go through.
	SlippageBps int
}

// Quote is what a venue would do for an order. It holds nothing but values, so it
// can be stored and used by another process.
type Quote struct {
	Order Order
	// In is what leaves the wallet, in base units of the input, tax included. It may
	// turn out to be less, and what is left stays where it is.
	In uint64
	// Out is what arrives in the wallet, after any tax: base units or lamports.
	Out uint64
	// MinimumOut is what the swap brings at least, or else it fails as a whole.
	MinimumOut uint64
	// PriceImpactBps is how much the order itself worsens the price, and ImpactLimitBps
	// the most at which trading around it costs more than it brings, as far as the venue
	// knows; nil when it does not say.
	PriceImpactBps int
	ImpactLimitBps *int
	Venue          string
	// ValidUntil is when the quote ends; the zero time means that it does not say.
	ValidUntil time.Time
	// Detail is the venue's own, for Swap; no other package reads it.
	Detail []byte
}

// Price is what the quote pays.
func (q Quote) Price() Price { return Price{In: q.In, Out: q.Out} }

// Swap is a quote made into instructions. The receipt, the compute budget and with
// it the priority fee are for the caller who composes the transaction.
type Swap struct {
	// Quote is the one that the instructions carry out. It may differ from the one
	// that was asked for, and is never worse than that one's minimum.
	Quote        Quote
	Instructions []solana.Instruction
	// Programs are those of the venue, beside the System, token and associated
	// token account programs: the list is the adapter's, not the venue's answer.
	Programs []solana.PublicKey
	// CoSigners sign beside the wallet.
	CoSigners []solana.PublicKey
	// CoSign asks the co-signers for their signatures of a message, which contains
	// the instructions; nil when there are none. It fails with a *Deferred when a
	// co-signer refuses.
	CoSign func(ctx context.Context, message []byte) (map[solana.PublicKey]solana.Signature, error)
	// ComputeUnits is what the instructions need, as the venue estimates; zero
	// when it does not say.
	ComputeUnits uint32
}

// Venue exchanges tokens. Its methods change nothing: what moves is in the
// transaction that the wallet signs. They fail with a *Deferred when the order is
// not to be done now, otherwise with an apperr.Upstream when the venue does not
// answer.
type Venue interface {
	// Quote says what the venue would do for the whole order.
	Quote(ctx context.Context, o Order) (Quote, error)
	// Swap makes instructions of a quote of the same venue: exchange and, for SOL,
	// unwrap, so that the wallet's lamports rise in the same transaction.
	Swap(ctx context.Context, q Quote) (Swap, error)
}

// Reason says why an exchange is put off.
type Reason string

// Reasons.
const (
	// NoVenue: no venue is configured for the pair.
	NoVenue Reason = "no_venue"
	// NoRoute: the venue trades this pair not at all, or not this much of it.
	NoRoute Reason = "no_route"
	// PriceImpact: the order would move the price too far.
	PriceImpact Reason = "price_impact"
	// Slippage: the venue does not promise a minimum near enough to its quote.
	Slippage Reason = "slippage"
	// BelowFloor: the price is too far below the earlier ones.
	BelowFloor Reason = "below_floor"
	// Expired: the quote is no longer valid.
	Expired Reason = "expired"
	// Refused: a co-signer does not sign.
	Refused Reason = "refused"
	// TooLarge: the swap does not fit into one transaction.
	TooLarge Reason = "too_large"
	// Unsafe: the venue's answer does something that a swap has no business doing.
	Unsafe Reason = "unsafe"
	// Unreadable: the venue's accounts or answers are laid out as no version that is known
	// here. Its program or its API was changed, and this service has to follow.
	Unreadable Reason = "unreadable"
)

// Deferred appears when an order is not carried out now: a decided "no" of the
// venue or of our limits, after which nothing has moved. The tokens wait for a
// later run.
type Deferred struct {
	Reason Reason
	Detail string // a sentence for people
}

// Error gives the sentence.
func (d *Deferred) Error() string { return d.Detail }

// Defer makes a *Deferred whose sentence is formatted.
func Defer(reason Reason, format string, args ...any) error {
	return &Deferred{Reason: reason, Detail: fmt.Sprintf(format, args...)}
}

// Fits checks that the swap's instructions fit into one legacy transaction of
// the wallet that creates a receipt and sets limit and price of its compute units.
// Otherwise it gives a *Deferred.
func (s Swap) Fits() error {
	if len(s.Instructions) == 0 {
		return nil
	}
	wallet := s.Quote.Order.Wallet
	receipt := solana.PublicKey{0xff} // stands for an account that the swap does not name
	list := append([]solana.Instruction{
		systemprogram.CreateAccountWithSeed{Payer: wallet, Account: receipt, Base: wallet, Seed: strings.Repeat("s", 22)}.Instruction(),
		computebudget.SetUnitLimit(computebudget.MaxUnitLimit),
		computebudget.SetUnitPrice(1),
	}, s.Instructions...)
	_, err := wire.Compile(wallet, solana.Hash{}, list)
	if errors.Is(err, wire.ErrTooLarge) {
		return Defer(TooLarge, "The route takes more than one transaction: %v.", err)
	}
	if err != nil {
		return Defer(Unsafe, "The swap makes no transaction: %v.", err)
	}
	return nil
}
