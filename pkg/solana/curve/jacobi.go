package curve

import "math/bits"

// number has 256 bits, the lowest first.
type number [4]uint64

// prime is 2^255 - 19, the order of the field.
var prime = number{0xffffffffffffffed, 0xffffffffffffffff, 0xffffffffffffffff, 0x7fffffffffffffff}

const (
	// steps are made at once on the lowest 64 bits, and then on the numbers.
	steps = 62
	// rounds is after how many times so many steps jacobi gives up; about 12 are the
	// usual number for 256 bits.
	rounds = 25
)

// jacobi gives the Jacobi symbol (g | prime), 1 or -1, of a g that is not 0 and below the
// prime. It is not sure when the steps do not end, which no input is known to do.
//
// It is the algorithm of libsecp256k1 (doc/safegcd_implementation.md, "Computing the
// Jacobi symbol"): Bernstein and Yang's division steps, adding in place of subtracting
// so that both numbers stay positive, as the symbol needs them.
func jacobi(g number) (symbol int, sure bool) {
	f, eta, sign := prime, int64(-1), uint64(0)
	for range rounds {
		var m matrix
		m, eta, sign = stepsOn(eta, f[0], g[0], sign)
		f, g = m.of(f, g)
		if f == (number{1}) {
			return 1 - 2*int(sign&1), true
		}
	}
	return 0, false
}

// matrix is what a batch of steps makes of both numbers, times 2^steps. The sum of each
// line is 2^steps at most, so neither number grows.
type matrix struct{ u, v, q, r uint64 }

// stepsOn makes the steps on the lowest bits of f, which is odd, and g. eta says when they
// change places; the lowest bit of sign is whether the symbol changed.
func stepsOn(eta int64, f, g, sign uint64) (matrix, int64, uint64) {
	m := matrix{u: 1, r: 1}
	for left := uint(steps); ; {
		// Halve g while it is even, and no more often than steps are left.
		zeros := uint(bits.TrailingZeros64(g | ^uint64(0)<<left))
		g >>= zeros
		m.u <<= zeros
		m.v <<= zeros
		eta -= int64(zeros) //nolint:gosec // At most 62.
		left -= zeros
		// (2 | f) is -1 when f is 3 or 5 mod 8.
		sign ^= uint64(zeros) & (f>>1 ^ f>>2)
		if left == 0 {
			return m, eta, sign
		}
		// Add a multiple of f to g so that its lowest bits are 0: as many as the formula
		// is good for, and not beyond the next change or the last step.
		var w uint64
		if eta < 0 {
			eta = -eta
			sign ^= (f & g) >> 1 // Reciprocity: both are 3 mod 4.
			f, g = g, f
			m.u, m.q = m.q, m.u
			m.v, m.r = m.r, m.v
			w = f * g * (f*f - 2) & 63
		} else {
			w = f + (f+1)&4<<1
			w = -w * g & 15
		}
		if limit := min(uint64(eta)+1, uint64(left)); limit < 6 { //nolint:gosec // eta is not negative here.
			w &= 1<<limit - 1
		}
		g += f * w
		m.q += m.u * w
		m.r += m.v * w
	}
}

// of gives both numbers after the steps.
func (m matrix) of(f, g number) (number, number) {
	return combine(m.u, f, m.v, g), combine(m.q, f, m.r, g)
}

// combine gives (a·f + b·g) / 2^steps, which has no remainder.
func combine(a uint64, f number, b uint64, g number) (out number) {
	var carry, low uint64 // carry of the word before; low is that word
	for i := range f {
		high1, low1 := bits.Mul64(a, f[i])
		high2, low2 := bits.Mul64(b, g[i])
		word, c := bits.Add64(low1, low2, 0)
		high, _ := bits.Add64(high1, high2, c) // below 2^63: a and b are together 2^62 at most
		word, c = bits.Add64(word, carry, 0)
		carry = high + c
		if i > 0 {
			out[i-1] = low>>steps | word<<(64-steps) //nolint:gosec // i is above 0 here.
		}
		low = word
	}
	out[3] = low>>steps | carry<<(64-steps)
	return out
}
