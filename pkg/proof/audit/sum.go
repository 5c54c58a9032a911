package audit

import (
	"math/big"
	"math/bits"
)

// Sum is an amount in base units, of 128 bits: the tax withheld over years can exceed the 64 bits
// of a balance. In JSON it is a decimal string.
type Sum struct{ hi, lo uint64 }

// SumOf returns n as a Sum.
func SumOf(n uint64) Sum { return Sum{lo: n} }

func (s Sum) plus(o Sum) Sum {
	lo, carry := bits.Add64(s.lo, o.lo, 0)
	hi, _ := bits.Add64(s.hi, o.hi, carry)
	return Sum{hi, lo}
}

// less returns s - o, or zero if o exceeds s.
func (s Sum) less(o Sum) Sum {
	lo, borrow := bits.Sub64(s.lo, o.lo, 0)
	hi, borrow := bits.Sub64(s.hi, o.hi, borrow)
	if borrow != 0 {
		return Sum{}
	}
	return Sum{hi, lo}
}

func (s *Sum) add(n uint64) { *s = s.plus(SumOf(n)) }

// Compare returns a negative number if s < o, a positive number if s > o, and zero otherwise.
func (s Sum) Compare(o Sum) int { return s.Big().Cmp(o.Big()) }

// IsZero reports whether s is zero.
func (s Sum) IsZero() bool { return s == Sum{} }

// Big returns s as a new big.Int.
func (s Sum) Big() *big.Int {
	n := new(big.Int).SetUint64(s.hi)
	return n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(s.lo))
}

// String returns s in base units.
func (s Sum) String() string { return s.Big().String() }

// MarshalText returns the text of String.
func (s Sum) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
