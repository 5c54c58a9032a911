// Package allocation shares a run's proceeds out among holders, to the last base
// unit.
//
// Everything is integer arithmetic: products have 128 bits, divisions round down,
// and what rounding leaves is carried to the next run, so the shares never exceed
// what there is. The same inputs give the same bytes, no matter who computes them and
// how often: that makes planning repeatable after a crash, and lets anyone check
// it.
//
// Lists of holders are read as streams in the order of their keys. None is held
// in memory as a whole but the payments of a plan, at PaymentSize bytes each, and
// what became of them.
package allocation

import (
	"errors"
	"math/bits"

	"tokenlaunch.example/service/pkg/token/terms"
)

// Cut is what becomes of a wallet's tokens in a run, in base units.
type Cut struct {
	// Slice is what the run takes anew.
	Slice uint64
	// Burn is burned; Sell is exchanged, or kept when the reward is the token itself.
	Burn, Sell uint64
}

// Split divides what the wallet can spend. unsold is the part of it whose burn was
// taken in an earlier run, and whose exchange was put off: it is sold and not
// burned again, unless everything is burned. More than can be spent is not unsold.
// The shares are those of valid settings; others are taken as the nearest valid.
func Split(spendable, unsold uint64, sellBps, burnBps int) Cut {
	unsold = min(unsold, spendable)
	slice := part(spendable-unsold, sellBps, terms.FullBps)
	if burnBps >= terms.FullBps {
		return Cut{Slice: slice, Burn: slice + unsold}
	}
	burn := part(slice, burnBps, terms.FullBps)
	return Cut{Slice: slice, Burn: burn, Sell: slice - burn + unsold}
}

// Creator is the creator's part of the proceeds, whose developer fee is of what
// was sold and burned together; holders get the rest. Where everything is burned
// there are no proceeds to have a part of.
func Creator(proceeds uint64, burnBps, developerFeeBps int) uint64 {
	return part(proceeds, developerFeeBps, terms.FullBps-burnBps)
}

// Part is a part of the creator's share, in basis points, rounded down.
func Part(share uint64, bps int) uint64 { return part(share, bps, terms.FullBps) }

// Parts divides the creator's share among their wallets. Each part is rounded down, and the
// first wallet gets what is left over, too.
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

// part is amount × numerator / denominator, rounded down, at most the amount; zero
// when either is not positive.
func part(amount uint64, numerator, denominator int) uint64 {
	if numerator <= 0 || denominator <= 0 {
		return 0
	}
	quotient, _ := divide(amount, uint64(min(numerator, denominator)), uint64(denominator))
	return quotient
}

// divide gives a × b / c and the remainder. b is at most c and c is not zero, so
// the quotient is at most a.
func divide(a, b, c uint64) (quotient, remainder uint64) {
	high, low := bits.Mul64(a, b)
	return bits.Div64(high, low, c)
}

// errOverflow: base units of one asset never exceed 64 bits, so the input is wrong.
var errOverflow = errors.New("the sum exceeds 64 bits")

func add(a, b uint64) (uint64, error) {
	sum, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return 0, errOverflow
	}
	return sum, nil
}
