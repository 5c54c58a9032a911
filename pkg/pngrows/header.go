package pngrows

import (
	"encoding/binary"
	"math"
	"slices"
)

// Colour types (PNG, third edition, 11.2.1).
const (
	gray      = 0
	colour    = 2
	palette   = 3
	grayAlpha = 4
	alpha     = 6
)

// header is what the chunks before the pixels say.
type header struct {
	depth      int // bits of a sample
	kind       byte
	interlaced bool
	table      [256][3]byte // the palette; black where the file has none
	opacity    [256]byte    // of its colours
	colours    int          // that the file has
	clear      [3]uint16    // a sample, or three, to be seen through
	hasClear   bool         // or, of a palette, opacities
}

// samples are those of a pixel of each colour type, and the depths that there are.
var samples = map[byte]struct {
	count  int
	depths []byte
}{
	gray: {1, []byte{1, 2, 4, 8, 16}}, colour: {3, []byte{8, 16}}, palette: {1, []byte{1, 2, 4, 8}},
	grayAlpha: {2, []byte{8, 16}}, alpha: {4, []byte{8, 16}},
}

func (r *Reader) readSize(data []byte) error {
	if len(data) != 13 {
		return ErrUnsupported
	}
	width, height := binary.BigEndian.Uint32(data), binary.BigEndian.Uint32(data[4:])
	if width == 0 || height == 0 || width > math.MaxInt32 || height > math.MaxInt32 {
		return ErrUnsupported
	}
	depth, kind, packing, filters, interlace := data[8], data[9], data[10], data[11], data[12]
	if !slices.Contains(samples[kind].depths, depth) || packing != 0 || filters != 0 || interlace > 1 {
		return ErrUnsupported
	}
	r.Width, r.Height = int(width), int(height)
	r.depth, r.kind, r.interlaced = int(depth), kind, interlace == 1
	for i := range r.opacity {
		r.opacity[i] = 0xff
	}
	return nil
}

func (h *header) readPalette(data []byte) error {
	colours := len(data) / 3
	if h.kind == gray || h.kind == grayAlpha || len(data)%3 != 0 || colours == 0 || colours > 256 || colours > 1<<h.depth {
		return ErrUnsupported
	}
	h.colours = colours
	for i := range colours {
		h.table[i] = [3]byte(data[3*i:])
	}
	return nil
}

func (h *header) readClear(data []byte) error {
	h.hasClear = true
	switch {
	case h.kind == palette && h.colours > 0 && len(data) <= len(h.opacity):
		copy(h.opacity[:], data)
	case h.kind == gray && len(data) == 2, h.kind == colour && len(data) == 6:
		for i := range len(data) / 2 {
			h.clear[i] = binary.BigEndian.Uint16(data[2*i:])
			if h.depth < 16 {
				h.clear[i] &= 0xff // as image/png does
			}
		}
	default:
		return ErrUnsupported
	}
	return nil
}

// bits of a pixel.
func (h *header) bits() int { return samples[h.kind].count * h.depth }
