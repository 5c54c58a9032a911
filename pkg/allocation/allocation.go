// Package allocation shares a run's proceeds out among holders, to the last base
// unit.
//
// Everything is integer arithmetic: products have 128 bits, divisions round down,
// and what rounding leaves is carried to the next run, so the shares never exceed
// what there is. The same inputs give the same bytes, whoever computes them and
// how often: that makes planning repeatable after a crash, and lets anybody check
// it.
//
// Lists of holders are read as streams in the order of their keys. None is held
// in memory as a whole but the payments of a plan, at PaymentSize bytes each, and
// what became of them.
package allocation

import (
	"errors"
	"fmt"
	"math/bits"

	"tokenlaunch.example/service/pkg/distribution"
)

// Shares are the parts of a run, in basis points. Burn and Developer together are
// at most distribution.FullBps.
type Shares struct {
	Sell, Burn, Developer int
}

// SharesOf gives the parts that the settings ask for.
func SharesOf(s distribution.Settings) Shares {
	return Shares{Sell: s.SellBps, Burn: s.BurnBps, Developer: s.DeveloperFeeBps}
}

// Check says what is wrong with the shares.
func (s Shares) Check() error {
	const full = distribution.FullBps
	for _, bps := range []int{s.Sell, s.Burn, s.Developer} {
		if bps < 0 || bps > full {
			return fmt.Errorf("a share is %d basis points, want 0 to %d", bps, full)
		}
	}
	if s.Burn+s.Developer > full {
		return fmt.Errorf("burn and developer take %d basis points together, of %d", s.Burn+s.Developer, full)
	}
	return nil
}

// Split is what becomes of a wallet's tokens in a run, in base units.
type Split struct {
	// Slice is what the run takes anew.
	Slice uint64
	// Burn is burned; Sell is exchanged, or kept when the reward is the token itself.
	Burn, Sell uint64
}

// Split divides what the wallet can spend. unsold is the part of it whose burn was
// taken in an earlier run, and whose exchange was put off: it is sold and not
// burned again, unless everything is burned.
func (s Shares) Split(spendable, unsold uint64) (Split, error) {
	if err := s.Check(); err != nil {
		return Split{}, err
	}
	if unsold > spendable {
		return Split{}, fmt.Errorf("%d are left unsold, and only %d can be spent", unsold, spendable)
	}
	slice := part(spendable-unsold, s.Sell, distribution.FullBps)
	if s.Burn == distribution.FullBps {
		return Split{Slice: slice, Burn: slice + unsold}, nil
	}
	burn := part(slice, s.Burn, distribution.FullBps)
	return Split{Slice: slice, Burn: burn, Sell: slice - burn + unsold}, nil
}

// Creator is the creator's part of the proceeds; holders get the rest. Where
// everything is burned there are no proceeds to have a part of.
func (s Shares) Creator(proceeds uint64) uint64 {
	rest := distribution.FullBps - s.Burn
	if rest <= 0 || s.Developer <= 0 || s.Check() != nil {
		return 0
	}
	return part(proceeds, s.Developer, rest)
}

// part is amount × numerator / denominator, rounded down, for a numerator from 0 to
// the denominator.
func part(amount uint64, numerator, denominator int) uint64 {
	quotient, _ := divide(amount, uint64(numerator), uint64(denominator)) //nolint:gosec // both are from 0 to FullBps
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
