package jpegplane

import (
	"encoding/binary"
	"image"
	"math/bits"
	"sync"
)

// A token is a symbol of one of the four tables, and the bits behind it: those in bits 0 to
// 15, the symbol in 16 to 23, the table in 24 and 25. How many bits there are is in the
// symbol's lower half.
type token uint32

const (
	meansOf  = 0 // the table of the mean values (DC); plus one for the colours
	othersOf = 2 // that of the others (AC)
	tables   = 4
)

func tokenOf(table, run int, value int32) token {
	sign := value >> 31
	size := bits.Len32(uint32((value ^ sign) - sign))                             //nolint:gosec // G115: not negative
	behind := uint32(value+sign) & (1<<size - 1)                                  //nolint:gosec // G115: the complement of a negative one is meant
	return token(uint32(table)<<24 | uint32(run)<<20 | uint32(size)<<16 | behind) //nolint:gosec // G115: 2 and 4 bits
}

// symbol is that of the token and its table.
func (t token) symbol() int { return int(t >> 16 & (tables<<8 - 1)) }

// buffers are kept from one picture to the next.
var buffers = sync.Pool{New: func() any { return new([]token) }}

// Encode writes a picture as a baseline JPEG of this quality, from 1 to 100, with tables of
// codes made for it. Its colours have half the brightness's size each way, and it has whole
// units of 16 by 16 pixels.
func Encode(picture *image.YCbCr, quality int) ([]byte, error) {
	width, height := picture.Rect.Dx(), picture.Rect.Dy()
	if picture.SubsampleRatio != image.YCbCrSubsampleRatio420 || width%16 != 0 || height%16 != 0 ||
		width == 0 || height == 0 || max(width, height) >= 1<<16 || picture.Rect.Min != (image.Point{}) {
		return nil, ErrUnsupported
	}
	buffer, _ := buffers.Get().(*[]token)
	defer buffers.Put(buffer)
	quantisers := quantisersOf(quality)
	tokens := tokensOf(picture, quantisers, (*buffer)[:0])
	*buffer = tokens
	var counts [tables << 8]int
	for _, t := range tokens {
		counts[t.symbol()]++
	}
	var books [tables]book
	for i := range books {
		books[i] = bookOf(counts[i<<8:][:256])
	}
	out := header(make([]byte, 0, len(tokens)+1024), width, height, quantisers, &books)
	out = appendData(out, tokens, &books)
	return append(out, 0xff, eoi), nil
}

// tokensOf appends what the picture is made of.
func tokensOf(picture *image.YCbCr, quantisers [2][64]byte, out []token) []token {
	bright, colours := divisorOf(quantisers[0]), divisorOf(quantisers[1])
	var means [3]int32
	for y := 0; y < picture.Rect.Dy(); y += 16 {
		for x := 0; x < picture.Rect.Dx(); x += 16 {
			at, in := y*picture.YStride+x, y/2*picture.CStride+x/2
			for _, corner := range [...]int{at, at + 8, at + 8*picture.YStride, at + 8*picture.YStride + 8} {
				out = appendBlock(out, picture.Y[corner:], picture.YStride, &bright, 0, &means[0])
			}
			out = appendBlock(out, picture.Cb[in:], picture.CStride, &colours, 1, &means[1])
			out = appendBlock(out, picture.Cr[in:], picture.CStride, &colours, 1, &means[2])
		}
	}
	return out
}

// appendBlock appends the tokens of a block. mean is that of the one before.
func appendBlock(out []token, pix []byte, stride int, by *divisor, tables int, mean *int32) []token {
	var f, q [64]int32
	frequencies(&f, pix, stride)
	rough := by.quantise(&q, &f)
	out = append(out, tokenOf(meansOf+tables, 0, q[0]-*mean))
	*mean = q[0]
	const zeros, end = token(0xf0 << 16), token(0)
	others := token(othersOf+tables) << 24 //nolint:gosec // G115: 2 or 3
	last := 0
	for rough &^= 1; rough != 0; rough &= rough - 1 {
		k := bits.TrailingZeros64(rough)
		run := k - last - 1
		for ; run > 15; run -= 16 {
			out = append(out, others|zeros)
		}
		out = append(out, tokenOf(othersOf+tables, run, q[k&63]))
		last = k
	}
	if last < 63 {
		out = append(out, others|end)
	}
	return out
}

// header appends all that is before the data of the scan.
func header(out []byte, width, height int, quantisers [2][64]byte, books *[tables]book) []byte {
	out = append(out, 0xff, soi)
	for i, q := range quantisers {
		out = append(append(out, 0xff, dqt, 0, 67, byte(i)), q[:]...)
	}
	out = append(out, 0xff, sof0, 0, 17, 8, byte(height>>8), byte(height), byte(width>>8), byte(width), 3, //nolint:gosec // G115: two halves
		1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1)
	for i, b := range books {
		class := i / othersOf << 4
		out = append(out, 0xff, dht, 0, byte(19+len(b.symbols)), byte(class|i%othersOf)) //nolint:gosec // G115: at most 162 symbols
		out = append(append(out, b.lengths[1:]...), b.symbols...)
	}
	return append(out, 0xff, sos, 0, 12, 3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0)
}

// appendData appends the tokens' bits, the last byte filled up with ones.
func appendData(out []byte, tokens []token, books *[tables]book) []byte {
	var codes [tables << 8]code
	for i := range books {
		copy(codes[i<<8:], books[i].codes[:])
	}
	var word uint64 // of which the lower bits are still to be written
	have := 0
	for _, t := range tokens {
		c := codes[t.symbol()]
		size := int(t >> 16 & 15)
		word = word<<(int(c.length)+size) | uint64(c.bits)<<size | uint64(t&0xffff)
		if have += int(c.length) + size; have >= 32 {
			have -= 32
			out = appendWord(out, uint32(word>>have)) //nolint:gosec // G115: the others are written
		}
	}
	for word, have = word<<7|0x7f, have+7; have >= 8; have -= 8 {
		out = appendByte(out, byte(word>>(have-8))) //nolint:gosec // G115: the same
	}
	return out
}

func appendWord(out []byte, word uint32) []byte {
	if word&^(word+0x01010101)&0x80808080 == 0 { // no byte is 0xff
		return binary.BigEndian.AppendUint32(out, word)
	}
	for shift := 24; shift >= 0; shift -= 8 {
		out = appendByte(out, byte(word>>shift)) //nolint:gosec // G115: one of its bytes
	}
	return out
}

// appendByte puts a zero behind 0xff, which would be a marker.
func appendByte(out []byte, b byte) []byte {
	if b == 0xff {
		return append(out, b, 0)
	}
	return append(out, b)
}
