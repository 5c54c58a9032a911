package jpegplane

import (
	"encoding/binary"
	"errors"
	"image"
	"slices"
)

// component is one of the frame's: brightness, or one of the two colours.
type component struct {
	id           byte
	h, v         int // samples of a unit of the frame, in blocks
	quantiser    byte
	direct       byte // which tables the scan says
	changing     byte
	mean         int32 // of the block before
	seen         bool  // some scan had it
	across, down int   // blocks that there are
	stride       int   // blocks in a row, with those that fill units up
	side         int   // pixels that a block becomes, across and down
	needed       image.Rectangle
	plane        Plane
	rows         int      // of blocks, with those that fill units up
	coefficients []int16  // of a progressive picture: those that are kept of each block that is needed
	present      []uint64 // for each block a bit for each frequency that is not zero
}

// sampling are those that image/jpeg reads, too: how many blocks of brightness, across
// and down, there are for one of each colour.
var sampling = [][2]int{{1, 1}, {1, 2}, {2, 1}, {2, 2}, {4, 1}, {4, 2}}

// frame reads the header of the picture.
func (d *decoder) frame(data []byte) error {
	if d.components != nil {
		return errors.New("two frames")
	}
	if len(data) < 6 || data[0] != 8 || len(data) != 6+3*int(data[5]) || data[5] != 1 && data[5] != 3 {
		return ErrUnsupported
	}
	d.height, d.width = int(binary.BigEndian.Uint16(data[1:])), int(binary.BigEndian.Uint16(data[3:]))
	if d.width == 0 || d.height == 0 || d.need.Area.Empty() || !d.need.Area.In(image.Rect(0, 0, d.width, d.height)) {
		return ErrUnsupported
	}
	components := make([]component, data[5])
	for i := range components {
		of := data[6+3*i:]
		components[i] = component{id: of[0], h: int(of[1] >> 4), v: int(of[1] & 15), quantiser: of[2]}
		if of[2] > 3 || slices.ContainsFunc(components[:i], func(c component) bool { return c.id == of[0] }) {
			return ErrUnsupported
		}
	}
	if len(components) == 1 {
		components[0].h, components[0].v = 1, 1 // one component is not interleaved
	} else {
		ids := string([]byte{components[0].id, components[1].id, components[2].id})
		if ids == "RGB" || components[1].h != 1 || components[1].v != 1 || components[2].h != 1 || components[2].v != 1 {
			return ErrUnsupported
		}
	}
	d.lumaH, d.lumaV = components[0].h, components[0].v
	if !slices.Contains(sampling, [2]int{d.lumaH, d.lumaV}) {
		return ErrUnsupported
	}
	for i := range components {
		least := d.need.Bright
		if i > 0 {
			least = d.need.Colour
		}
		d.layOut(&components[i], least)
	}
	d.components = components
	return nil
}

// layOut finds how small the blocks of a component can be, and which are needed.
func (d *decoder) layOut(c *component, least int) {
	const block = 8
	samples := func(pixels, of, most int) int { return (pixels*of + most - 1) / most }
	c.across = (samples(d.width, c.h, d.lumaH) + block - 1) / block
	c.down = (samples(d.height, c.v, d.lumaV) + block - 1) / block
	c.stride = (d.width + block*d.lumaH - 1) / (block * d.lumaH) * c.h
	c.rows = (d.height + block*d.lumaV - 1) / (block * d.lumaV) * c.v
	scaleX, scaleY := float64(c.h)/float64(d.lumaH), float64(c.v)/float64(d.lumaV)
	area := d.need.Area
	for c.side = 1; c.side < block; c.side *= 2 {
		part := float64(c.side) / block
		if float64(area.Dx())*scaleX*part >= float64(least) && float64(area.Dy())*scaleY*part >= float64(least) {
			break
		}
	}
	scaleX, scaleY = scaleX*float64(c.side)/block, scaleY*float64(c.side)/block
	// Blocks beside the area are not kept: what is outside is not to be seen.
	c.needed = image.Rect(
		int(float64(area.Min.X)*scaleX)/c.side, int(float64(area.Min.Y)*scaleY)/c.side,
		min(c.across, int(float64(area.Max.X)*scaleX)/c.side+1), min(c.down, int(float64(area.Max.Y)*scaleY)/c.side+1),
	)
	c.plane = Plane{
		Stride: c.needed.Dx() * c.side, Width: c.needed.Dx() * c.side, Height: c.needed.Dy() * c.side,
		Left: float64(area.Min.X)*scaleX - float64(c.needed.Min.X*c.side), Across: float64(area.Dx()) * scaleX,
		Top: float64(area.Min.Y)*scaleY - float64(c.needed.Min.Y*c.side), Down: float64(area.Dy()) * scaleY,
	}
	c.plane.Pix = make([]byte, c.plane.Stride*c.plane.Height)
	if d.progressive {
		c.coefficients = make([]int16, kept(c.side)*c.needed.Dx()*c.needed.Dy())
		c.present = make([]uint64, c.stride*c.rows)
	}
}
