package venue

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/proof"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Name is what quotes carry as their venue.
const Name = proof.PoolsVenue

// validity is how long a quote is used. The minimum is in the swap, so an old one
// only fails more often.
const validity = 20 * time.Second

// Chain reads the pools.
type Chain interface {
	// Accounts reads accounts, at most 100, in one confirmed slot; nil where there
	// is none.
	Accounts(ctx context.Context, addresses ...solana.PublicKey) ([]*onchain.Account, error)
}

// Tokens reads what is recorded of tokens.
type Tokens interface {
	// Token gives the record of a token, or token.ErrNotFound.
	Token(ctx context.Context, mint solana.PublicKey) (token.Record, error)
}

// Pools is the venue; it implements exchange.Venue. Every field is required.
type Pools struct {
	Chain   Chain
	Tokens  Tokens
	Raydium raydium.Network
	Now     func() time.Time
	Log     *slog.Logger
}

// Quote reads the pools and says what the best of them would do. It is put off as
// NoVenue when there is no pool to ask, as NoRoute when none takes this much, and as
// Unreadable when the only pools are of a layout that is not known.
//
// The price impact of a quote is what the order loses against the price that the
// pool shows before it. The tokens' taxes and the pool's lasting fee are no part of
// it, but what the fee is higher for those who come early is: so nothing is sold
// while a new pool takes that of snipers. Its limit is the impact up to which trading
// around the swap does not pay.
func (p Pools) Quote(ctx context.Context, o exchange.Order) (exchange.Quote, error) {
	output := o.Output.Mint()
	if o.Input == solana.WrappedSol || o.Input == output || !o.Output.IsSOL() && output == solana.WrappedSol {
		return exchange.Quote{}, exchange.Defer(exchange.NoVenue, "There is nothing to exchange %s for %s in.", o.Input, o.Output)
	}
	mints := []solana.PublicKey{o.Input}
	if !o.Output.IsSOL() {
		mints = append(mints, output)
	}
	tokens, err := p.read(ctx, mints)
	if err != nil {
		return exchange.Quote{}, err
	}
	q, d, err := route(o, tokens)
	if err != nil {
		return exchange.Quote{}, err
	}
	if q.Detail, err = json.Marshal(d); err != nil {
		return exchange.Quote{}, fmt.Errorf("keep a quote: %w", err)
	}
	q.Order, q.Venue, q.ValidUntil = o, Name, p.Now().Add(validity)
	return q, nil
}

// Authorities are the owners of the tokens in every pool of both programs on a
// network.
func Authorities(n raydium.Network) ([]solana.PublicKey, error) {
	a, err := n.Addresses(solana.PublicKey{})
	if err != nil {
		return nil, fmt.Errorf("find who owns the pools' tokens: %w", err)
	}
	return []solana.PublicKey{a.Authority, meteora.PoolAuthority}, nil
}

// route finds the best way for an order, given the token that is sold and, unless it
// is sold for SOL, the one that is bought.
func route(o exchange.Order, tokens []traded) (exchange.Quote, detail, error) {
	first, err := tokens[0].best(sell, o.Amount)
	if err != nil {
		return exchange.Quote{}, detail{}, err
	}
	d := detail{Sell: first.leg(tokens[0].mint)}
	if len(tokens) == 1 {
		return exchange.Quote{
			In: o.Amount, Out: first.out, MinimumOut: less(first.out, o.SlippageBps),
			PriceImpactBps: first.impactBps, ImpactLimitBps: limitBps(first.impactBps, first),
		}, d, nil
	}
	// Each swap may get worse by half of what the order may.
	half := o.SlippageBps / 2
	d.Between = less(first.out, half)
	second, err := tokens[1].best(buy, d.Between)
	if err != nil {
		return exchange.Quote{}, detail{}, err
	}
	bought := second.leg(tokens[1].mint)
	d.Buy = &bought
	impact := together(first.impactBps, second.impactBps)
	return exchange.Quote{
		In: o.Amount, Out: second.out, MinimumOut: less(second.out, o.SlippageBps-half),
		PriceImpactBps: impact, ImpactLimitBps: limitBps(impact, first, second),
	}, d, nil
}

// leg says where a trade of a token is made.
func (t trade) leg(mint market.Mint) leg {
	kind, address := t.pool.place()
	return leg{Kind: kind, Pool: address, Program: mint.Program}
}

// less gives an amount less so many basis points, rounded up: never less than what
// the basis points allow.
func less(amount uint64, bps int) uint64 {
	return amount - exchange.MulDiv(amount, uint64(min(max(bps, 0), terms.FullBps)), terms.FullBps)
}

// together gives the impact of two swaps, one after the other, rounded up.
func together(first, second int) int {
	const full = terms.FullBps
	return full - (full-first)*(full-second)/full
}
