package ed25519curve

import "math/bits"

// number has 256 bits, the lowest first.
type number [4]uint64

// prime is 2^255 - 19, the order of the field.
var prime = number{0xffffffffffffffed, 0xffffffffffffffff, 0xffffffffffffffff, 0x7fffffffffffffff}

const (
	half = 32 // bits of a word
	low  = 1<<half - 1
	// steps is how many bits are shifted out of a word before it is made anew: two less
	// than it has right, which the symbol asks for.
	steps = half - 2
	// rounds is after how many words jacobi gives up; 9 or 10 are the usual number.
	rounds = 30
)

// jacobi gives the Jacobi symbol (b | prime), 1 or -1, of a b that is not 0 and below the
// prime. It is not sure when the steps do not end, which no input is known to do.
//
// It is the binary algorithm: zeros are shifted out of b, and the smaller number is
// subtracted from the larger one. That is done to words in place of the numbers, and then
// to the numbers at once (Pornin, "Optimized Binary GCD for Modular Inversion", 2020): a
// word has the highest bits, which tell the larger number, and the lowest, which tell
// everything else. The highest may be wrong about numbers that are nearly equal. Then a
// difference is below 0, and the laws of the symbol hold all the same, as long as a and b
// are not both; one is always above, for it was or is the difference to the other.
func jacobi(b number) (symbol int, sure bool) {
	a, sign, top := prime, uint64(0), len(prime)-1
	for range rounds {
		for top > 0 && a[top]|b[top] == 0 {
			top--
		}
		if top == 0 {
			return 1 - 2*int(wordSign(a[0], b[0], sign)&1), true
		}
		zeros := uint(bits.LeadingZeros64(a[top] | b[top]))
		var first, second line
		first, second, sign = stepsOn(a.word(top, zeros), b.word(top, zeros), sign)
		nextA, _ := first.of(&a, &b)
		nextB, below := second.of(&a, &b)
		a, b = nextA, nextB
		sign ^= below & (a[0] >> 1) // (-1 | a) is -1 when a is 3 mod 4.
	}
	return 0, false
}

// word gives the highest bits, from those zeros in n[top] on, and the lowest.
func (n *number) word(top int, zeros uint) uint64 {
	high := n[top]<<(zeros&63) | n[top-1]>>1>>(63-zeros&63)
	return high&^low | n[0]&low
}

// line is what a batch of steps makes of a and b, times 2^steps: a·f + b·g. What is below
// 0 here is written as its complement.
type line struct{ f, g uint64 }

// unpack takes apart f + g·2^32.
func unpack(both uint64) line {
	f := extend(both)
	return line{f, extend((both - f) >> half)}
}

// extend makes a number of 64 bits of one of 32.
func extend(n uint64) uint64 { return n&low - n>>(half-1)&1<<half }

// stepsOn makes the steps on words, of which a is odd. The lowest bit of sign is whether
// the symbol changed.
func stepsOn(a, b, sign uint64) (first, second line, _ uint64) {
	ofA, ofB := uint64(1), uint64(1)<<half // both numbers of a line
	left := uint64(1) << steps             // is 1 when none are
	zeros := uint(bits.TrailingZeros64(b | left))
	for {
		b >>= zeros & 63
		left >>= zeros & 63
		ofA <<= zeros & 63
		sign ^= uint64(zeros) & (a>>1 ^ a>>2) // (2 | a) is -1 when a is 3 or 5 mod 8.
		if left == 1 {
			return unpack(ofA), unpack(ofB), sign
		}
		// Without branches, which could not be foretold: change places when b is smaller.
		difference, smaller := bits.Sub64(b, a, 0)
		zeros = uint(bits.TrailingZeros64(difference | left))
		change := -smaller
		sign ^= (a & b & change) >> 1 // Reciprocity: both are 3 mod 4.
		a += difference & change
		b = (difference ^ change) + smaller
		difference = ofB - ofA
		ofA += difference & change
		ofB = (difference ^ change) + smaller
	}
}

// wordSign is stepsOn on numbers of one word to their end, which is when b is 0.
func wordSign(a, b, sign uint64) uint64 {
	for b != 0 {
		zeros := uint(bits.TrailingZeros64(b))
		b >>= zeros & 63
		sign ^= uint64(zeros) & (a>>1 ^ a>>2)
		difference, smaller := bits.Sub64(b, a, 0)
		change := -smaller
		sign ^= (a & b & change) >> 1
		a += difference & change
		b = (difference ^ change) + smaller
	}
	return sign
}

// of gives the amount of (a·f + b·g) / 2^steps, which has no remainder; below has all bits
// when that is below 0, and none otherwise.
func (l line) of(a, b *number) (out number, below uint64) {
	var carry, before uint64 // before is the word before this one
	belowF, belowG := -(l.f >> 63), -(l.g >> 63)
	for i := range a {
		high1, low1 := bits.Mul64(l.f, a[i])
		high2, low2 := bits.Mul64(l.g, b[i])
		word, c1 := bits.Add64(low1, low2, 0)
		word, c2 := bits.Add64(word, carry, 0)
		carry = high1 - a[i]&belowF + high2 - b[i]&belowG - carry>>63 + c1 + c2
		if i > 0 {
			out[i-1] = before>>steps | word<<(64-steps) //nolint:gosec // i is above 0 here.
		}
		before = word
	}
	out[3] = before>>steps | carry<<(64-steps)
	below = -(carry >> 63)
	c := below & 1
	for i := range out {
		out[i], c = bits.Add64(out[i]^below, 0, c)
	}
	return out, below
}
