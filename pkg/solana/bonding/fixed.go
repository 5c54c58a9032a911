package bonding

import (
	"fmt"
	"math/big"
)

const bits128 = 128

// two128 is 2^128.
var two128 = new(big.Int).Lsh(big.NewInt(1), bits128)

// rounding is the direction in which a quotient is rounded.
type rounding bool

const (
	down rounding = false
	up   rounding = true
)

// quotient divides two non-negative numbers.
func quotient(a, b *big.Int, r rounding) *big.Int {
	q, rest := new(big.Int).QuoRem(a, b, new(big.Int))
	if r == up && rest.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	return q
}

func u64(n *big.Int) (uint64, error) {
	if !n.IsUint64() {
		return 0, fmt.Errorf("%w: %v does not fit into 64 bits", ErrOverflow, n)
	}
	return n.Uint64(), nil
}

// tokensBetween returns the base units between two square-root prices
// (get_delta_amount_a_unsigned): l·(upper − lower)/(upper·lower).
func tokensBetween(lower, upper, liquidity *big.Int, r rounding) (uint64, error) {
	if lower.Sign() <= 0 || upper.Cmp(lower) < 0 {
		return 0, fmt.Errorf("%w: no tokens are between the prices %v and %v", ErrOverflow, lower, upper)
	}
	numerator := new(big.Int).Sub(upper, lower)
	numerator.Mul(numerator, liquidity)
	return u64(quotient(numerator, new(big.Int).Mul(lower, upper), r))
}

// lamportsBetween returns the lamports between two square-root prices
// (get_delta_amount_b_unsigned): l·(upper − lower)/2^128.
func lamportsBetween(lower, upper, liquidity *big.Int, r rounding) (uint64, error) {
	if upper.Cmp(lower) < 0 {
		return 0, fmt.Errorf("%w: no lamports are between the prices %v and %v", ErrOverflow, lower, upper)
	}
	product := new(big.Int).Sub(upper, lower)
	return u64(quotient(product.Mul(product, liquidity), two128, r))
}

// nextFromSOLIn returns the square-root price after lamports came in
// (get_next_sqrt_price_from_amount_in_b_rounding_down).
func nextFromSOLIn(s, liquidity *big.Int, lamports uint64) *big.Int {
	step := new(big.Int).Lsh(new(big.Int).SetUint64(lamports), bits128)
	return step.Add(step.Quo(step, liquidity), s)
}

// nextFromTokensIn returns the square-root price after base units came in
// (get_next_sqrt_price_from_amount_in_a_rounding_up).
func nextFromTokensIn(s, liquidity *big.Int, tokens uint64) *big.Int {
	denominator := new(big.Int).SetUint64(tokens)
	denominator.Add(denominator.Mul(denominator, s), liquidity)
	return quotient(new(big.Int).Mul(liquidity, s), denominator, up)
}

// nextFromTokensOut returns the square-root price after base units went out
// (get_next_sqrt_price_from_amount_out_a_rounding_up). It returns ErrExceedsLiquidity if the pool
// has too few base units at any price.
func nextFromTokensOut(s, liquidity *big.Int, tokens uint64) (*big.Int, error) {
	denominator := new(big.Int).SetUint64(tokens)
	denominator.Sub(liquidity, denominator.Mul(denominator, s))
	if denominator.Sign() <= 0 {
		return nil, ErrExceedsLiquidity
	}
	return quotient(new(big.Int).Mul(liquidity, s), denominator, up), nil
}
