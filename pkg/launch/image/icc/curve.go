package icc

import (
	"encoding/binary"
	"math/big"
	"math/bits"
	"sync"
)

// Levels and light between black and white are integers: fractions with the denominator one.
const (
	oneBits = 32
	one     = 1 << oneBits
)

// curve returns the light of a level.
type curve func(level int64) int64

// curveOf reads a tone reproduction curve (ICC.1:2022, 10.6 and 10.18).
func curveOf(data []byte) (curve, error) {
	switch kind := string(data[:4]); kind {
	case "curv":
		return sampled(data[12:], binary.BigEndian.Uint32(data[8:]))
	case "para":
		return parametric(data[12:], binary.BigEndian.Uint16(data[8:]))
	default:
		return nil, unsupported("a curve %q", kind)
	}
}

// sampled returns a curve that is linear between its samples. A curve without samples is linear
// from black to white. A single value is an exponent instead of a sample.
func sampled(data []byte, count uint32) (curve, error) {
	if int64(len(data)) < 2*int64(count) {
		return nil, unsupported("a curve of %d samples in %d bytes", count, len(data))
	}
	sample := func(i int64) int64 { return int64(binary.BigEndian.Uint16(data[2*i:])) } // of 65,535
	switch count {
	case 0:
		return func(level int64) int64 { return level }, nil
	case 1:
		return function{g: int64(binary.BigEndian.Uint16(data)) << 8, a: 1 << 16}.curve()
	default:
		last := int64(count) - 1
		return func(level int64) int64 {
			i, rest := level*last/one, level*last%one
			return (sample(i)*(one-rest) + sample(min(i+1, last))*rest) / 0xffff
		}, nil
	}
}

// function is the general form of parametric curves: (a·level + b)^g + e from d on, and c·level + f
// below d. All fields are fractions with the denominator 65,536.
type function struct{ g, a, b, c, d, e, f int64 }

// srgb is sRGB's own curve (IEC 61966-2-1), as encoded in profiles.
var srgb = function{g: 157286, a: 62119, b: 3417, c: 5072, d: 2651}

func parametric(data []byte, kind uint16) (curve, error) {
	counts := []int{1, 3, 4, 5, 7} // of parameters
	if int(kind) >= len(counts) || len(data) < 4*counts[kind] {
		return nil, unsupported("a parametric curve of type %d in %d bytes", kind, len(data))
	}
	var p [7]int64
	for i := range counts[kind] {
		p[i] = s15Fixed16(data[4*i:])
	}
	f := function{g: p[0], a: 1 << 16}
	switch kind {
	case 0:
		// X^g
	case 1, 2: // from -b/a on, where the power is zero
		f.a, f.b, f.e = p[1], p[2], p[3]
	default:
		f.a, f.b, f.c, f.d, f.e, f.f = p[1], p[2], p[3], p[4], p[5], p[6]
	}
	return f.curve()
}

// curve checks the exponent. A sampled curve can encode exponents up to 255; larger exponents could
// overflow.
func (f function) curve() (curve, error) {
	if f.g <= 0 || f.g >= 256<<16 {
		return nil, unsupported("an exponent of %d / 65536", f.g)
	}
	return f.at, nil
}

func (f function) at(level int64) int64 {
	const fraction = oneBits - 16
	// |a| is below 2^31 and the level at most 2^32.
	if level < f.d<<fraction {
		return product(f.c, level) + f.f<<fraction
	}
	return power(product(f.a, level)+f.b<<fraction, f.g) + f.e<<fraction
}

// product returns factor/65536 of a level, rounded down.
func product(factor, level int64) int64 {
	whole, part := factor>>16, factor&0xffff
	return whole*level + part*level>>16
}

// power raises a base to an exponent in parts of 65,536, between 0 and 256, by the binary
// logarithm. The result has a relative error of some 2^-28, and is at most 2^15.
func power(base, exponent int64) int64 {
	if base <= 0 {
		return 0
	}
	// The logarithm: the remainder of the base after its whole part is squared repeatedly, and each
	// doubling is a binary digit.
	top := bits.Len64(uint64(base)) - 1
	rest := uint64(base) << (63 - top) // from 1 to 2, in parts of 2^63
	log := int64(top - oneBits)
	for range oneBits {
		high, low := bits.Mul64(rest, rest)
		log <<= 1
		if high>>63 == 1 {
			log, rest = log|1, high
		} else {
			rest = high<<1 | low>>63
		}
	}
	log = log * exponent >> 16 // |log| is below 2^37, the exponent below 2^24
	result := uint64(1) << 62  // from 1 to 2, in parts of 2^62
	for i, root := range roots() {
		if log>>(oneBits-1-i)&1 == 1 {
			high, low := bits.Mul64(result, root)
			result = high<<2 | low>>62
		}
	}
	whole := log >> oneBits
	if whole >= 15 {
		return one << 15
	}
	return int64(result >> min(62-oneBits-whole, 63)) // #nosec G115 -- shifted by at least 16 bits
}

// roots are the square root of two, the square root of this root and so on, in parts of 2^62.
var roots = sync.OnceValue(func() (out [oneBits]uint64) {
	root := new(big.Int).Lsh(big.NewInt(2), 62)
	for i := range out {
		root.Sqrt(root.Lsh(root, 62))
		out[i] = root.Uint64()
	}
	return out
})

// toUint16 clips light below black and above white, and rounds.
func toUint16(light int64) uint16 {
	light = min(max(light, 0), one)
	return uint16((light*0xffff + one/2) >> oneBits) // #nosec G115 -- at most 65,535
}
