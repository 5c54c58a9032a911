package image

import (
	"bytes"
	stdimage "image"

	"tokenlaunch.example/service/pkg/resample"
)

const (
	// enoughSide is the side, in pixels, above which averaging whole blocks of pixels comes
	// before the fine scaling: twice the result's, so that the fine filter still sees all
	// that the result can show.
	enoughSide = 2 * Side
	// enoughForColour is the side above which colour is averaged of four pixels each, as a
	// JPEG has it anyway.
	enoughForColour = 2 * colourSide
)

// square takes the rows of the middle square of a picture, as they are stored and on white,
// apart into the planes of a JPEG. Of a large picture, each pixel is the mean of a block; the
// square then loses what would be part of a block, less than one of its pixels. Of an odd
// remainder the smaller half goes left and above as the picture is shown, whatever the
// orientation.
type square struct {
	crop        stdimage.Rectangle // of the picture's pixels
	orientation orientation
	channels    int // 1: gray, 3: red, green and blue
	block       int
	side        int // in blocks
	sums        []uint32
	summed      int // rows that are in sums
	mean        []byte

	bright, blue, red []byte
	halved            bool // colour is
	colours           int  // the side of its planes
	upper             []byte
	hasUpper          bool
	lower             []byte
}

func newSquare(size stdimage.Point, o orientation, channels int) *square {
	block := max(1, min(size.X, size.Y)/enoughSide)
	side := min(size.X, size.Y) / block
	corner := stdimage.Pt(lead(size.X-side*block, o.farFromLeft()), lead(size.Y-side*block, o.farFromTop()))
	s := &square{
		crop:        stdimage.Rectangle{Min: corner, Max: corner.Add(stdimage.Pt(side*block, side*block))},
		orientation: o, channels: channels, block: block, side: side, halved: side >= enoughForColour, colours: side,
	}
	s.bright = make([]byte, 0, side*side)
	if block > 1 {
		s.sums, s.mean = make([]uint32, side*channels), make([]byte, side*channels)
	}
	if s.halved {
		s.colours = (side + 1) / 2
		s.upper, s.lower = make([]byte, 0, 6*s.colours+2), make([]byte, 0, 6*s.colours+2)
	}
	if channels == 3 {
		s.blue, s.red = make([]byte, 0, s.colours*s.colours), make([]byte, 0, s.colours*s.colours)
	}
	return s
}

// lead is how much of a remainder is left out before the square.
func lead(remainder int, far bool) int {
	if far {
		return remainder - remainder/2
	}
	return remainder / 2
}

// add takes the next row of the crop.
func (s *square) add(row []byte) {
	if s.block == 1 {
		s.line(row)
		return
	}
	s.sum(row)
	if s.summed++; s.summed < s.block {
		return
	}
	// By a multiplication, which is exact: neither blocks nor sums are large.
	const one = 1 << 32
	area := uint64(s.block * s.block) //nolint:gosec // G115: a block is at most MaxPixels/enoughSide² pixels
	each := (one + area - 1) / area
	for i, sum := range s.sums {
		s.mean[i] = byte((uint64(sum) + area/2) * each / one) //nolint:gosec // G115: a mean of bytes
	}
	clear(s.sums)
	s.summed = 0
	s.line(s.mean)
}

// sum adds a row to the sums of its blocks.
func (s *square) sum(row []byte) {
	if s.channels == 1 {
		for x := range s.sums {
			for _, v := range row[x*s.block:][:s.block] {
				s.sums[x] += uint32(v)
			}
		}
		return
	}
	for x := 0; x+3 <= len(s.sums); x += 3 {
		sums := s.sums[x:][:3]
		for block := row[x*s.block:][:3*s.block]; len(block) >= 3; block = block[3:] {
			sums[0] += uint32(block[0])
			sums[1] += uint32(block[1])
			sums[2] += uint32(block[2])
		}
	}
}

// line takes the next row of the square, by the weights of color.RGBToYCbCr.
func (s *square) line(row []byte) {
	if s.channels == 1 {
		s.bright = append(s.bright, row...)
		return
	}
	brightness(more(&s.bright, s.side), row)
	if !s.halved {
		colour(more(&s.blue, s.side), more(&s.red, s.side), row)
		return
	}
	if len(s.bright) == s.side && s.odd() && s.orientation.farFromTop() {
		s.pair(row) // the edge is a pair with itself
	}
	s.pair(row)
	if len(s.bright) == cap(s.bright) && s.hasUpper {
		s.pair(row)
	}
}

// more makes a plane so much longer, and gives that part of it.
func more(plane *[]byte, n int) []byte {
	at := len(*plane)
	*plane = (*plane)[:at+n]
	return (*plane)[at:]
}

func (s *square) odd() bool { return s.side%2 != 0 }

// pair takes two rows of colour together.
func (s *square) pair(row []byte) {
	if !s.hasUpper {
		s.upper, s.hasUpper = s.even(s.upper[:0], row), true
		return
	}
	s.hasUpper = false
	s.lower = s.even(s.lower[:0], row)
	halvedColour(more(&s.blue, s.colours), more(&s.red, s.colours), s.upper, s.lower)
}

// even appends a row, and of an odd one the pixel at the edge that is shown right or at the
// bottom a second time; and two bytes, for halvedColour.
func (s *square) even(out, row []byte) []byte {
	if s.odd() && s.orientation.farFromLeft() {
		out = append(out, row[:3]...)
	}
	out = append(out, row...)
	if s.odd() && !s.orientation.farFromLeft() {
		out = append(out, row[len(row)-3:]...)
	}
	return append(out, 0, 0)
}

// shrunk is the stored picture, when all rows are there.
func (s *square) shrunk() *stdimage.YCbCr {
	out := blank()
	out.Y = resample.Square(resample.Whole(turnPlane(s.bright, s.side, s.orientation), s.side, s.side), Side)
	out.Cb, out.Cr = s.scaledColour(s.blue), s.scaledColour(s.red)
	return out
}

// scaledColour scales a plane. Of an odd side, the last pixels of a halved one are half
// outside.
func (s *square) scaledColour(plane []byte) []byte {
	if bytes.Count(plane, []byte{neutral}) == len(plane) {
		return neutralPlane()
	}
	from := resample.Whole(turnPlane(plane, s.colours, s.orientation), s.colours, s.colours)
	if s.halved {
		from.Across, from.Down = float64(s.side)/2, float64(s.side)/2
	}
	return resample.Square(from, colourSide)
}
