package jpegplane

import "math"

// coarseness are the quantisers of brightness and of the colours at quality 50, in the
// order of the file (ITU-T T.81, annex K.1).
var coarseness = [2][64]byte{{
	16, 11, 12, 14, 12, 10, 16, 14, 13, 14, 18, 17, 16, 19, 24, 40,
	26, 24, 22, 22, 24, 49, 35, 37, 29, 40, 58, 51, 61, 60, 57, 51,
	56, 55, 64, 72, 92, 78, 64, 68, 87, 69, 55, 56, 80, 109, 81, 87,
	95, 98, 103, 104, 103, 62, 77, 113, 121, 112, 100, 120, 92, 101, 103, 99,
}, {
	17, 18, 18, 24, 21, 24, 47, 26, 26, 47, 99, 66, 56, 66, 99, 99,
	99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
	99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
	99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
}}

// quantisersOf are those of a quality from 1 to 100, by the rule that everybody uses.
func quantisersOf(quality int) (out [2][64]byte) {
	percent := 200 - 2*quality
	if quality < 50 {
		percent = 5000 / quality
	}
	for i, table := range coarseness {
		for k, q := range table {
			out[i][k] = byte(max(1, min(255, (int(q)*percent+50)/100)))
		}
	}
	return out
}

// divisor is a table of quantisers to multiply by: what frequencies leaves undone, too.
type divisor [64]int64

const divisorBits = 40

func divisorOf(quantisers [64]byte) (out divisor) {
	// Of frequency k: the cosine of k pi/16 times the square root of two, and one.
	factors := [8]float64{1, 1.387039845, 1.306562965, 1.175875602, 1, 0.785694958, 0.541196100, 0.275899379}
	for k, q := range quantisers {
		at := unzigzag[k]
		out[k] = int64(math.Round(math.Exp2(divisorBits-sampleBits) / (8 * factors[at>>3] * factors[at&7] * float64(q))))
	}
	return out
}

// quantise gives the quantised frequencies in the order of the file, and in a bit for each
// which of them are not zero.
func (d *divisor) quantise(out *[64]int32, f *[64]int32) (rough uint64) {
	const half = 1 << (divisorBits - 1)
	for k := range 64 {
		v := (int64(f[unzigzag[k]&63])*d[k] + half) >> divisorBits
		out[k] = int32(v)                       //nolint:gosec // G115: 11 bits
		rough = rough>>1 | uint64(v|-v)&(1<<63) //nolint:gosec // G115: its sign is meant
	}
	return rough
}
