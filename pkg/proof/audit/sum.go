package audit

import (
	"math/big"
	"math/bits"
)

// Sum is an amount in base units, of 128 bits: what was withheld over years can exceed
// the 64 bits of a balance. JSON has it as a decimal string.
type Sum struct{ hi, lo uint64 }

// SumOf gives an amount.
func SumOf(n uint64) Sum { return Sum{lo: n} }

func (s Sum) plus(o Sum) Sum {
	lo, carry := bits.Add64(s.lo, o.lo, 0)
	hi, _ := bits.Add64(s.hi, o.hi, carry)
	return Sum{hi, lo}
}

// less gives s - o, or zero when o is more.
func (s Sum) less(o Sum) Sum {
	lo, borrow := bits.Sub64(s.lo, o.lo, 0)
	hi, borrow := bits.Sub64(s.hi, o.hi, borrow)
	if borrow != 0 {
		return Sum{}
	}
	return Sum{hi, lo}
}

func (s *Sum) add(n uint64) { *s = s.plus(SumOf(n)) }

// Compare is negative when s is less than o, positive when it is more.
func (s Sum) Compare(o Sum) int { return s.Big().Cmp(o.Big()) }

// IsZero says whether it is nothing.
func (s Sum) IsZero() bool { return s == Sum{} }

// Big gives it as a big.Int of the caller's own.
func (s Sum) Big() *big.Int {
	n := new(big.Int).SetUint64(s.hi)
	return n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(s.lo))
}

// String writes it in base units.
func (s Sum) String() string { return s.Big().String() }

// MarshalText is String.
func (s Sum) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
