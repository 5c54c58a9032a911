// Package allocation divides a run's proceeds among holders, to the last base unit.
//
// All arithmetic uses integers: products have 128 bits, and divisions round down. The
// remainder of the rounding is carried to the next run, so the shares never exceed the
// proceeds. The computation is deterministic: a plan can be repeated after a crash, and
// anyone can check the result.
//
// Lists of holders are streams in the order of the owners' bytes. Memory holds only the
// payments of a plan, PaymentSize bytes per payment, and the payments' outcomes.
package allocation

import (
	"errors"
	"math/bits"

	"tokenlaunch.example/service/pkg/token/terms"
)

// Cut is the division of a wallet's tokens in a run, in base units.
type Cut struct {
	// Slice is the amount that the run adds to the unsold tokens.
	Slice uint64
	// Burn is the amount to burn. Sell is the amount to exchange, or to keep if the reward
	// is the token itself.
	Burn, Sell uint64
}

// Split divides the wallet's spendable tokens. unsold is the part of spendable whose burn an
// earlier run has deducted, and whose exchange was postponed. Split sells unsold without
// burning a second time, unless everything is burned. Split limits unsold to spendable, and
// the shares to valid settings.
func Split(spendable, unsold uint64, sellBps, burnBps int) Cut {
	unsold = min(unsold, spendable)
	slice := part(spendable-unsold, sellBps, terms.FullBps)
	if burnBps >= terms.FullBps {
		return Cut{Slice: slice, Burn: slice + unsold}
	}
	burn := part(slice, burnBps, terms.FullBps)
	return Cut{Slice: slice, Burn: burn, Sell: slice - burn + unsold}
}

// Creator returns the creator's part of the proceeds. The holders receive the rest. The
// developer fee is a share of sold and burned tokens together. If everything is burned, the
// creator's part is zero.
func Creator(proceeds uint64, burnBps, developerFeeBps int) uint64 {
	return part(proceeds, developerFeeBps, terms.FullBps-burnBps)
}

// Part returns bps basis points of the creator's share, rounded down.
func Part(share uint64, bps int) uint64 { return part(share, bps, terms.FullBps) }

// Parts divides the creator's share among the creator's wallets. Every part is rounded down,
// and the first wallet also receives the remainder.
func Parts(share uint64, creators []terms.Split) []uint64 {
	parts := make([]uint64, len(creators))
	left := share
	for i := 1; i < len(creators); i++ {
		parts[i] = Part(share, creators[i].Bps)
		left -= parts[i]
	}
	if len(parts) > 0 {
		parts[0] = left
	}
	return parts
}

// part returns amount × numerator / denominator, rounded down, at most amount. It returns
// zero if numerator or denominator is not positive.
func part(amount uint64, numerator, denominator int) uint64 {
	if numerator <= 0 || denominator <= 0 {
		return 0
	}
	quotient, _ := divide(amount, uint64(min(numerator, denominator)), uint64(denominator))
	return quotient
}

// divide returns a × b / c and the remainder. b is at most c and c is not zero, so the
// quotient is at most a.
func divide(a, b, c uint64) (quotient, remainder uint64) {
	high, low := bits.Mul64(a, b)
	return bits.Div64(high, low, c)
}

// errOverflow is returned if a sum exceeds 64 bits. The amounts of one asset never do, so the
// input is wrong.
var errOverflow = errors.New("the sum exceeds 64 bits")

func add(a, b uint64) (uint64, error) {
	sum, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return 0, errOverflow
	}
	return sum, nil
}
