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

// Name is the venue of the quotes.
const Name = proof.PoolsVenue

// validity is the time for which a quote is used. The swap contains the minimum, so an old quote
// only fails more often.
const validity = 20 * time.Second

// Chain reads the pools.
type Chain interface {
	// Accounts reads at most 100 accounts in one confirmed slot. A missing account is nil.
	Accounts(ctx context.Context, addresses ...solana.PublicKey) ([]*onchain.Account, error)
}

// Tokens reads the records of tokens.
type Tokens interface {
	// Token returns the record of a token, or token.ErrNotFound.
	Token(ctx context.Context, mint solana.PublicKey) (token.Record, error)
}

// Pools is the venue. It implements exchange.Venue. All fields are required.
type Pools struct {
	Chain   Chain
	Tokens  Tokens
	Raydium raydium.Network
	Now     func() time.Time
	Log     *slog.Logger
}

// Quote reads the pools and returns the result of the best pool. It defers the order as NoVenue if
// no pool trades the token, as NoRoute if no pool accepts the amount, and as Unreadable if the only
// pools have an unknown layout.
//
// The price impact of a quote is the order's loss against the pool's price before the order. The
// tokens' taxes and the pool's lasting fee do not count as impact. The additional fee for early
// traders counts, so the service does not sell while a new pool charges this fee. The limit of the
// impact is the impact up to which trading around the swap does not pay.
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

// Authorities returns the owners of the tokens in all pools of both programs on a network.
func Authorities(n raydium.Network) ([]solana.PublicKey, error) {
	a, err := n.Addresses(solana.PublicKey{})
	if err != nil {
		return nil, fmt.Errorf("find who owns the pools' tokens: %w", err)
	}
	return []solana.PublicKey{a.Authority, meteora.PoolAuthority}, nil
}

// route returns the best route for an order. tokens are the sold token and, unless the order is for
// SOL, the bought token.
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
	// Each swap may use half of the order's slippage.
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

// leg returns the pool of a trade of a token.
func (t trade) leg(mint market.Mint) leg {
	kind, address := t.pool.place()
	return leg{Kind: kind, Pool: address, Program: mint.Program}
}

// less returns an amount minus the given basis points, rounded up, so never less than the basis
// points allow.
func less(amount uint64, bps int) uint64 {
	return amount - exchange.MulDiv(amount, uint64(min(max(bps, 0), terms.FullBps)), terms.FullBps)
}

// together returns the combined impact of two successive swaps, rounded up.
func together(first, second int) int {
	const full = terms.FullBps
	return full - (full-first)*(full-second)/full
}
