// Package exchange defines the exchange of a distribution wallet's token for the reward: the quotes
// that are good enough, the amount to sell if not the whole amount can be sold, and the permitted
// content of a venue's transaction before the wallet signs.
//
// The package promises three properties. No accepted quote has a price worse than the limits. A
// swap that passes Check and CheckBalances takes at most the quoted input out of the wallet, brings
// at least the quoted minimum, and leaves the wallet in control of its accounts. All arithmetic is
// exact.
//
// A venue exchanges tokens: an aggregator (pkg/provider/jupiter), a market maker that co-signs
// (pkg/provider/marketmaker), or a pool called directly (pkg/market/venue). First asks several
// venues in turn. The interface fits every kind of venue: a direct pool quotes from the pool's
// state, and its swap is the pool's instruction between the instructions that open and close the
// wallet's account of wrapped SOL, with the pool's program in Swap.Programs.
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

// Order is a wallet's order to exchange tokens.
type Order struct {
	Wallet solana.PublicKey
	Input  solana.PublicKey // the sold mint
	Amount uint64           // base units of the input
	Output terms.Asset
	// TaxBps is the tax on a transfer of the input.
	TaxBps int
	// SlippageBps is the maximum difference between the quote and the result of the swap.
	SlippageBps int
}

// Quote is a venue's offer for an order. A Quote has only values, so another process can store and
// use a Quote.
type Quote struct {
	Order Order
	// In is the amount that leaves the wallet, in base units of the input, tax included. If the
	// swap takes less, the rest stays in the wallet.
	In uint64
	// Out is the amount that arrives in the wallet, after any tax: base units or lamports.
	Out uint64
	// MinimumOut is the minimum result of the swap. A swap with a smaller result fails as a whole.
	MinimumOut uint64
	// PriceImpactBps is the effect of the order itself on the price. ImpactLimitBps is the largest
	// impact at which a sandwich of the order still costs more than it earns, as far as the venue
	// knows; nil if unknown.
	PriceImpactBps int
	ImpactLimitBps *int
	Venue          string
	// ValidUntil is the end of the quote; zero if the venue does not state an end.
	ValidUntil time.Time
	// Detail is the venue's private data for Swap. No other package reads Detail.
	Detail []byte
}

// Price returns the price of the quote.
func (q Quote) Price() Price { return Price{In: q.In, Out: q.Out} }

// Swap is a quote converted into instructions. The caller, who composes the transaction, adds the
// receipt, the compute budget and the priority fee.
type Swap struct {
	// Quote is the quote of the instructions. Quote may differ from the requested quote, but is
	// never worse than the requested quote's minimum.
	Quote        Quote
	Instructions []solana.Instruction
	// Programs are the venue's programs, in addition to the System, token and associated token
	// account programs. The list comes from the adapter, not from the venue's response.
	Programs []solana.PublicKey
	// CoSigners sign in addition to the wallet.
	CoSigners []solana.PublicKey
	// CoSign requests the co-signers' signatures of a message, which contains the instructions; nil
	// without co-signers. CoSign returns a *Deferred if a co-signer refuses.
	CoSign func(ctx context.Context, message []byte) (map[solana.PublicKey]solana.Signature, error)
	// ComputeUnits is the venue's estimate of the needed compute units; zero if unknown.
	ComputeUnits uint32
}

// Venue exchanges tokens. The methods change nothing, because only the transaction that the wallet
// signs moves tokens. The methods return a *Deferred if the order must not be done now, and an
// apperr.Upstream if the venue does not respond.
type Venue interface {
	// Quote returns the venue's offer for the whole order.
	Quote(ctx context.Context, o Order) (Quote, error)
	// Swap converts a quote of the same venue into instructions: exchange and, for SOL, unwrap, so
	// that the wallet's lamports rise in the same transaction.
	Swap(ctx context.Context, q Quote) (Swap, error)
}

// Reason is the reason why an exchange is deferred.
type Reason string

// The reasons.
const (
	// NoVenue: no venue is configured for the pair.
	NoVenue Reason = "no_venue"
	// NoRoute: the venue does not trade this pair, or not this amount.
	NoRoute Reason = "no_route"
	// PriceImpact: the order would move the price too far.
	PriceImpact Reason = "price_impact"
	// Slippage: the venue does not promise a minimum near enough to its quote.
	Slippage Reason = "slippage"
	// BelowFloor: the price is too far below earlier prices.
	BelowFloor Reason = "below_floor"
	// Expired: the quote is no longer valid.
	Expired Reason = "expired"
	// Refused: a co-signer does not sign.
	Refused Reason = "refused"
	// TooLarge: the swap does not fit into one transaction.
	TooLarge Reason = "too_large"
	// Unsafe: the venue's transaction does something that a swap must not do.
	Unsafe Reason = "unsafe"
	// Unreadable: the venue's accounts or responses have an unknown layout. The venue has changed
	// the program or the API, and this service needs an update.
	Unreadable Reason = "unreadable"
)

// Deferred is returned when an order is not carried out now: a decided rejection by the venue or by
// our limits. Nothing has moved, and the tokens wait for a later run.
type Deferred struct {
	Reason Reason
	Detail string // a sentence for people
}

// Error returns Detail.
func (d *Deferred) Error() string { return d.Detail }

// Defer returns a *Deferred with a formatted sentence.
func Defer(reason Reason, format string, args ...any) error {
	return &Deferred{Reason: reason, Detail: fmt.Sprintf(format, args...)}
}

// Fits checks that the swap's instructions fit into a legacy transaction of the wallet that creates
// a receipt and sets limit and price of its compute units. It returns a *Deferred if not.
func (s Swap) Fits() error {
	if len(s.Instructions) == 0 {
		return nil
	}
	wallet := s.Quote.Order.Wallet
	receipt := solana.PublicKey{0xff} // represents an account that the swap does not name
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
