package venue

import (
	"math/big"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/token"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/token/terms"
)

// direction is the direction of a trade of the token.
type direction bool

const (
	sell direction = false // for SOL
	buy  direction = true  // with SOL
)

// pool is the state of a pool of a token and SOL.
type pool interface {
	place() (kind token.PoolKind, address solana.PublicKey)
	// swap returns the result of an amount that leaves the wallet; ok is false if the pool does not
	// accept the amount.
	swap(d direction, amount uint64) (s swapped, ok bool)
	// price returns the pool's price before a swap, minus the lasting fee, as the ratio of out to
	// in.
	price(d direction) (out, in *big.Int)
	// harmlessBps returns the maximum impact on the price at which trading before the swap and back
	// after the swap does not pay.
	harmlessBps() int
}

// swapped is the result of a swap. given reaches the pool and left leaves the pool. out arrives in
// the wallet, which is left minus the tax.
type swapped struct{ given, left, out uint64 }

// trade is a swap in a pool.
type trade struct {
	swapped
	pool      pool
	impactBps int
}

// harmlessBps returns the larger of a token's tax and a pool's fee, in basis points, rounded down.
// An attacker who trades there and back around a swap pays both twice, and gains at most twice the
// swap's impact on the moved amount. So the larger of tax and fee is enough to make the attack a
// loss, even if the attacker gets the other back, as an owner of the pool's shares gets fees. The
// tax is the tax on the whole supply, because a tax may have a maximum.
func harmlessBps(mint market.Mint, epoch, fee, whole uint64) int {
	tax := uint64(0)
	if mint.Supply > 0 {
		tax = exchange.MulDiv(mint.TaxOn(epoch, mint.Supply), terms.FullBps, mint.Supply)
	}
	return int(min(max(tax, exchange.MulDiv(fee, terms.FullBps, whole)), terms.FullBps))
}

// limitBps returns the limit on the combined impact of several swaps. At this limit, no single swap
// exceeds that swap's harmless impact. impactBps is the combined impact.
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

// best returns the trade that pays most for the amount that leaves the wallet. It returns a
// *Deferred if no pool accepts the amount.
func (t traded) best(d direction, amount uint64) (trade, error) {
	var best trade
	for _, p := range t.pools {
		if s, ok := p.swap(d, amount); ok && s.out > best.out {
			out, in := p.price(d)
			best = trade{swapped: s, pool: p, impactBps: lossBps(s, out, in)}
		}
	}
	if best.pool == nil {
		return trade{}, exchange.Defer(exchange.NoRoute, "No pool of %s and SOL takes this much.", t.mint.Address)
	}
	return best, nil
}

// lessFee returns a price minus a fee, which is a part of the whole.
func lessFee(out, in *big.Int, fee, whole uint64) (lessOut, lessIn *big.Int) {
	return out.Mul(out, new(big.Int).SetUint64(whole-fee)), in.Mul(in, new(big.Int).SetUint64(whole))
}

// lossBps returns the difference between the amount that left a pool and the value of the given
// amount at the price out/in, in basis points of the value, rounded up.
func lossBps(s swapped, out, in *big.Int) int {
	// Both amounts are multiplied by in.
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
