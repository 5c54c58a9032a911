package venue

import (
	"math/big"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/token"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/token/terms"
)

// direction is what is done with the token.
type direction bool

const (
	sell direction = false // for SOL
	buy  direction = true  // with SOL
)

// pool is one of a token and SOL, as it was read.
type pool interface {
	place() (kind token.PoolKind, address solana.PublicKey)
	// swap says what comes of an amount that leaves the wallet; ok is false when the
	// pool does not take it.
	swap(d direction, amount uint64) (s swapped, ok bool)
	// price is what the pool shows before a swap, less its lasting fee: out of it for
	// in.
	price(d direction) (out, in *big.Int)
	// harmlessBps is the greatest impact on the price at which trading before the swap and
	// back after it does not pay.
	harmlessBps() int
}

// swapped is what a swap does. given reaches the pool and left leaves it; out, which
// is less by the tax, arrives in the wallet.
type swapped struct{ given, left, out uint64 }

// trade is a swap in a pool.
type trade struct {
	swapped
	pool      pool
	impactBps int
}

// harmlessBps is the larger of a token's tax and a pool's fee, in basis points, rounded
// down. An attacker who trades there and back around a swap pays both twice, and gains at
// most twice the swap's impact on what is moved: so the larger of them alone makes it a loss,
// even where the other comes back, as fees do to an owner of the pool's shares. A tax counts
// as what is withheld of the whole supply, for it may have a maximum.
func harmlessBps(mint market.Mint, epoch, fee, whole uint64) int {
	tax := uint64(0)
	if mint.Supply > 0 {
		tax = exchange.MulDiv(mint.TaxOn(epoch, mint.Supply), terms.FullBps, mint.Supply)
	}
	return int(min(max(tax, exchange.MulDiv(fee, terms.FullBps, whole)), terms.FullBps))
}

// limitBps gives the impact of several swaps as one at which the impact of none is more
// than harmless, where together they have impactBps.
func limitBps(impactBps int, trades ...trade) *int {
	limit := terms.FullBps
	for _, t := range trades {
		if harmless := t.pool.harmlessBps(); len(trades) == 1 {
			limit = harmless
		} else if t.impactBps > 0 {
			limit = min(limit, impactBps*harmless/t.impactBps)
		}
	}
	return &limit
}

// best gives the trade that brings most for what leaves the wallet. It fails with a
// *Deferred.
func (t traded) best(d direction, amount uint64) (trade, error) {
	var most trade
	for _, p := range t.pools {
		if s, ok := p.swap(d, amount); ok && s.out > most.out {
			out, in := p.price(d)
			most = trade{swapped: s, pool: p, impactBps: lossBps(s, out, in)}
		}
	}
	if most.pool == nil {
		return trade{}, exchange.Defer(exchange.NoRoute, "No pool of %s and SOL takes this much.", t.mint.Address)
	}
	return most, nil
}

// lessFee gives a price less a fee, which is a part of the whole.
func lessFee(out, in *big.Int, fee, whole uint64) (lessOut, lessIn *big.Int) {
	return out.Mul(out, new(big.Int).SetUint64(whole-fee)), in.Mul(in, new(big.Int).SetUint64(whole))
}

// lossBps gives how far what left a pool lies below what the price out/in makes of
// what was given to it, in basis points, rounded up.
func lossBps(s swapped, out, in *big.Int) int {
	// Both are in what leaves the pool, times in.
	worth := out.Mul(new(big.Int).SetUint64(s.given), out)
	loss := in.Mul(new(big.Int).SetUint64(s.left), in)
	loss.Sub(worth, loss)
	switch {
	case worth.Sign() <= 0:
		return terms.FullBps
	case loss.Sign() <= 0:
		return 0
	}
	loss.Mul(loss, big.NewInt(terms.FullBps)).Add(loss, worth).Sub(loss, big.NewInt(1)).Quo(loss, worth)
	return int(loss.Int64()) // at most 10,000
}
