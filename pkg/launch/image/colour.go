package image

import (
	"encoding/binary"
	"math"
)

// The weights of color.RGBToYCbCr, whose sums have 16 bits more than a byte.
const (
	brightRed, brightGreen, brightBlue = 19595, 38470, 7471
	blueRed, blueGreen, blueBlue       = -11056, -21712, 32768
	redRed, redGreen, redBlue          = 32768, -27440, -5328

	half   = 1 << 15
	centre = neutral<<16 + half
)

// brightness takes two pixels at once, in the halves of a word, where eight bytes are there.
func brightness(out, row []byte) {
	const lower, upper = 0xff, 0xff << 32
	x := 0
	for at := 0; x+2 <= len(out) && at+8 <= len(row); x, at = x+2, at+6 {
		p, to := binary.LittleEndian.Uint64(row[at:at+8:at+8]), out[x:x+2:x+2]
		r, g, b := p&lower|p<<8&upper, p>>8&lower|p&upper, p>>16&lower|p>>8&upper
		sums := brightRed*r + brightGreen*g + brightBlue*b + (half | half<<32)
		to[0], to[1] = byte(sums>>16), byte(sums>>48) //nolint:gosec // G115: at most 255 each
	}
	for ; x < len(out); x++ {
		r, g, b := int32(row[3*x]), int32(row[3*x+1]), int32(row[3*x+2])
		out[x] = byte((brightRed*r + brightGreen*g + brightBlue*b + half) >> 16) //nolint:gosec // G115: at most 255
	}
}

// colours gives both of a pixel, or of the sums of 2^bits pixels, at once: in the halves of a
// word, which are above zero with the centre.
func colours(r, g, b int64, bits int) (blue, red byte) {
	sums := (blueRed+redRed<<32)*r + (blueGreen+redGreen<<32)*g + (blueBlue+redBlue<<32)*b + (centre+centre<<32)<<bits
	return byte(min(uint32(sums)>>(16+bits), math.MaxUint8)), byte(min(uint64(sums)>>(48+bits), math.MaxUint8)) //nolint:gosec // G115: as said
}

func colour(blue, red, row []byte) {
	for x := range blue {
		blue[x], red[x] = colours(int64(row[3*x]), int64(row[3*x+1]), int64(row[3*x+2]), 0)
	}
}

// halvedColour is that of four pixels each, two of either row. Behind the rows there are two
// bytes more.
func halvedColour(blue, red, upper, lower []byte) {
	const lanes = 0x00ff00ff00ff
	for x, at := 0, 0; x < len(blue) && x < len(red) && at+8 <= len(upper) && at+8 <= len(lower); x, at = x+1, at+6 {
		u, l := binary.LittleEndian.Uint64(upper[at:at+8:at+8]), binary.LittleEndian.Uint64(lower[at:at+8:at+8])
		even, odd := u&lanes+l&lanes, u>>8&lanes+l>>8&lanes // of red, blue and green; of green, red and blue
		ends, green := even+odd>>16, even>>32+odd
		blue[x], red[x] = colours(int64(ends&0xffff), int64(green&0xffff), int64(ends>>16&0xffff), 2)
	}
}
