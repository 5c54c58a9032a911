package jpegplane

// The frequencies of a block of pixels, by the transform of Arai, Agui and Nakajima: five
// products for eight values. What it leaves undone, a factor for each frequency, is part of
// the quantiser. All integers: the same on every machine.

const (
	sampleBits = 10 // more bits than the pixels have
	factorBits = 16
	aan707     = 46341 // cos(4 pi/16), of 2^16
	aan382     = 25080 // cos(6 pi/16)
	aan541     = 35468 // cos(2 pi/16) - cos(6 pi/16)
	aan1306    = 85627 // cos(2 pi/16) + cos(6 pi/16)
)

// forward gives eight frequencies of eight values.
func forward(d0, d1, d2, d3, d4, d5, d6, d7 int) (f0, f1, f2, f3, f4, f5, f6, f7 int) {
	sum0, sum1, sum2, sum3 := d0+d7, d1+d6, d2+d5, d3+d4
	step0, step1, step2, step3 := d0-d7, d1-d6, d2-d5, d3-d4

	outer, inner := sum0+sum3, sum1+sum2
	bend := sum0 - sum3
	z1 := (sum1 - sum2 + bend) * aan707 >> factorBits

	low, mid, high := step3+step2, step2+step1, step1+step0
	z5 := (low - high) * aan382
	z2, z4 := (low*aan541+z5)>>factorBits, (high*aan1306+z5)>>factorBits
	z3 := mid * aan707 >> factorBits
	z11, z13 := step0+z3, step0-z3
	return outer + inner, z11 + z4, bend + z1, z13 - z2, outer - inner, z13 + z2, bend - z1, z11 - z4
}

// frequencies are those of a block of pixels, in rows.
func frequencies(f *[64]int32, pix []byte, stride int) {
	for y := range 8 {
		p, row := pix[y*stride:][:8], f[8*y:][:8]
		f0, f1, f2, f3, f4, f5, f6, f7 := forward(
			int(p[0])<<sampleBits, int(p[1])<<sampleBits, int(p[2])<<sampleBits, int(p[3])<<sampleBits,
			int(p[4])<<sampleBits, int(p[5])<<sampleBits, int(p[6])<<sampleBits, int(p[7])<<sampleBits)
		row[0], row[1], row[2], row[3] = int32(f0), int32(f1), int32(f2), int32(f3) //nolint:gosec // G115: 23 bits
		row[4], row[5], row[6], row[7] = int32(f4), int32(f5), int32(f6), int32(f7) //nolint:gosec // G115: the same
	}
	for x := range 8 {
		f0, f1, f2, f3, f4, f5, f6, f7 := forward(
			int(f[x]), int(f[8+x]), int(f[16+x]), int(f[24+x]), int(f[32+x]), int(f[40+x]), int(f[48+x]), int(f[56+x]))
		f[x], f[8+x], f[16+x], f[24+x] = int32(f0), int32(f1), int32(f2), int32(f3)     //nolint:gosec // G115: 26 bits
		f[32+x], f[40+x], f[48+x], f[56+x] = int32(f4), int32(f5), int32(f6), int32(f7) //nolint:gosec // G115: the same
	}
	f[0] -= 64 * centre << sampleBits
}
