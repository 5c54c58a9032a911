package jpegplane

import (
	"errors"
	"image"
)

// unzigzag is where in a block the frequencies lie, in the order of the file.
var unzigzag = [64]uint8{
	0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5,
	12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
	58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
}

// band is what a scan has of each block: the frequencies from first to last in the order
// of the file, and of their values the bits above low; those above high came before.
type band struct {
	first, last int
	high, low   int
}

// scan reads the header of a scan and its data.
func (d *decoder) scan(header []byte) error {
	if d.components == nil || len(header) < 4 || len(header) != 4+2*int(header[0]) {
		return errors.New("a scan that is none")
	}
	parts := make([]*component, header[0])
	for i := range parts {
		id, tables := header[1+2*i], header[2+2*i]
		for j := range d.components {
			if d.components[j].id == id {
				parts[i] = &d.components[j]
			}
		}
		if parts[i] == nil || tables>>4 > 3 || tables&15 > 3 || i > 0 && parts[i] == parts[i-1] {
			return errors.New("a scan of what is not there")
		}
		parts[i].direct, parts[i].changing = tables>>4, tables&15
	}
	if len(parts) == 0 || len(parts) > 1 && len(parts) != len(d.components) {
		return ErrUnsupported // two of three
	}
	tail := header[len(header)-3:]
	b := band{int(tail[0]), int(tail[1]), int(tail[2] >> 4), int(tail[2] & 15)}
	if !d.progressive {
		b = band{0, 63, 0, 0}
	}
	if b.last > 63 || b.first > b.last || b.first == 0 && b.last != 0 && d.progressive ||
		b.first > 0 && len(parts) > 1 || b.low > 13 || b.high != 0 && b.high != b.low+1 {
		return errors.New("a scan of no band")
	}
	for _, c := range parts {
		if !d.haveQuantiser[c.quantiser] || b.first == 0 && b.high == 0 && !d.direct[c.direct].there ||
			b.last > 0 && !d.changing[c.changing].there || c.seen && !d.progressive {
			return errors.New("a scan whose tables are missing, or that was before")
		}
		c.seen = c.seen || b.first == 0 // without its means a component is not there
		d.direct[c.direct].prepare()
		d.changing[c.changing].prepare()
	}
	return d.entropy(parts, b)
}

// entropy reads the data of a scan, unit by unit.
func (d *decoder) entropy(parts []*component, b band) error {
	from := stream{data: d.file, at: d.at}
	across, down := parts[0].across, parts[0].down
	if len(parts) > 1 {
		across, down = parts[0].stride/parts[0].h, parts[0].rows/parts[0].v
	}
	d.forget(parts)
	left, restarts := d.interval, 0
	for y := range down {
		for x := 0; x < across; {
			if d.interval > 0 && left == 0 {
				if err := from.restart(restarts); err != nil {
					return err
				}
				d.forget(parts)
				left, restarts = d.interval, restarts+1
			}
			n := 1 // units at once
			if len(parts) == 1 {
				if n = across - x; d.interval > 0 {
					n = min(n, left)
				}
				if err := d.blocks(&from, parts[0], b, x, y, n); err != nil {
					return err
				}
			} else if err := d.unit(&from, parts, b, x, y); err != nil {
				return err
			}
			x, left = x+n, left-n
		}
		if from.missing() {
			return errCut
		}
	}
	at, err := from.end()
	d.at = at
	return err
}

// forget is what happens at the start of a scan and at a restart.
func (d *decoder) forget(parts []*component) {
	for _, c := range parts {
		c.mean = 0
	}
	d.endOfBand = 0
}

// unit reads the blocks of all components that belong together.
func (d *decoder) unit(from *stream, parts []*component, b band, x, y int) error {
	for _, c := range parts {
		for v := range c.v {
			if err := d.blocks(from, c, b, x*c.h, y*c.v+v, c.h); err != nil {
				return err
			}
		}
	}
	return nil
}

// blocks reads so many blocks in a row.
func (d *decoder) blocks(from *stream, c *component, b band, x, y, n int) error {
	switch {
	case !d.progressive:
		for i := range n {
			if err := d.sequential(from, c, image.Pt(x+i, y)); err != nil {
				return err
			}
		}
		return nil
	case b.first == 0:
		return d.means(from, c, b, x, y, n)
	case b.high == 0:
		return d.firstBits(from, c, b, x, y, n)
	default:
		return d.nextBits(from, c, b, x, y, n)
	}
}

// kept is how many frequencies, in the order of the file, matter to a block of this side.
func kept(side int) int {
	switch side {
	case 1:
		return 1
	case 2:
		return 5
	case 4:
		return 25
	default:
		return 64
	}
}

// put writes a block of frequencies as pixels to its place in the plane. Without rough
// there is nothing but the mean.
func (c *component) put(block *[64]int32, at image.Point, rough bool) {
	at = at.Sub(c.needed.Min).Mul(c.side)
	out := c.plane.Pix[at.Y*c.plane.Stride+at.X:]
	switch {
	case !rough || c.side == 1:
		flat(out, c.plane.Stride, c.side, block[0])
	case c.side == 2:
		two(out, c.plane.Stride, block)
	case c.side == 4:
		four(out, c.plane.Stride, block)
	default:
		eight(out, c.plane.Stride, block)
	}
}
