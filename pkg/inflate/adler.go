package inflate

import "encoding/binary"

// adler goes on with a checksum of Adler-32 (RFC 1950, 9), eight bytes at a time: the second
// sum adds up the first after each byte, and so has each byte as often as there are bytes
// from it on.
func adler(digest uint32, p []byte) uint32 {
	const (
		modulus = 65521
		words   = 15 // at once, so that no sum of bytes is above 2^16
		lanes   = 0x00ff00ff00ff00ff
		pairs   = 0x0000ffff0000ffff
	)
	low, high := uint64(digest&0xffff), uint64(digest>>16)
	for ; len(p) >= 8*words; p = p[8*words:] {
		// Of each, four sums: of the odd bytes of the words; of two neighbours each; and of
		// the latter after each word.
		var odd, both, after uint64
		for i := 0; i < 8*words; i += 8 {
			word := binary.LittleEndian.Uint64(p[i:])
			odd += word >> 8 & lanes
			both += word&lanes + word>>8&lanes
			after += both
		}
		after = after&pairs + after>>16&pairs
		high += 8*words*low + 8*(after&0xffffffff+after>>32)
		high -= 2*(both*0x0000000100020003>>48) + odd*0x0001000100010001>>48
		low += both * 0x0001000100010001 >> 48
	}
	for _, b := range p {
		low += uint64(b)
		high += low
	}
	return uint32(high%modulus<<16 | low%modulus) //nolint:gosec // G115: each below 2^16
}
