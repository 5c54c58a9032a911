package jpegplane

import (
	"errors"
	"image"
)

// refine reads what a progressive scan has of a block (ITU-T T.81, annex G).
func (d *decoder) refine(from *stream, c *component, b band, block *[64]int16) error {
	switch {
	case b.first == 0 && b.high == 0:
		size, err := from.symbol(&d.direct[c.direct])
		if err != nil {
			return err
		}
		if size > 15 {
			return errors.New("a mean that is none")
		}
		if size > 0 {
			c.mean += extend(from.take(int(size)), int(size))
		}
		block[0] = int16(c.mean << b.low) //nolint:gosec // G115: of a damaged file it may be anything
		return nil
	case b.first == 0:
		if from.take(1) != 0 {
			block[0] |= 1 << b.low
		}
		return nil
	case b.high == 0:
		return d.firstBits(from, &d.changing[c.changing], b, block)
	default:
		return d.nextBits(from, &d.changing[c.changing], b, block)
	}
}

// endOfBands reads how many blocks end here, and of the coming ones are empty.
func endOfBands(from *stream, run int) int32 {
	blocks := int32(1) << run
	if run > 0 {
		blocks += from.take(run)
	}
	return blocks
}

func (d *decoder) firstBits(from *stream, t *table, b band, block *[64]int16) error {
	if d.endOfBand > 0 {
		d.endOfBand--
		return nil
	}
	for k := b.first; k <= b.last; k++ {
		if from.have < 32 {
			from.fill()
		}
		if known := t.known[from.next>>(64-quick)]; known != 0 {
			from.drop(int(known & 0xff))
			k += int(known >> 8 & 0xff)
			if k > b.last {
				return errors.New("a block that is too long")
			}
			block[k] = int16(known >> 16 << b.low) //nolint:gosec // G115: of a damaged file it may be anything
			continue
		}
		symbol, err := from.symbol(t)
		if err != nil {
			return err
		}
		run, size := int(symbol>>4), int(symbol&15)
		switch {
		case size > 0:
			if k += run; k > b.last {
				return errors.New("a block that is too long")
			}
			block[k] = int16(extend(from.take(size), size) << b.low) //nolint:gosec // G115: of a damaged file it may be anything
		case run == 15:
			k += 15
		default:
			d.endOfBand = endOfBands(from, run) - 1
			return nil
		}
	}
	return nil
}

// nextBits reads one more bit of each value that is there, and new values of one bit.
func (d *decoder) nextBits(from *stream, t *table, b band, block *[64]int16) error {
	k := b.first
	for d.endOfBand == 0 && k <= b.last {
		symbol, err := from.symbol(t)
		if err != nil {
			return err
		}
		run, size := int(symbol>>4), symbol&15
		var value int16
		switch {
		case size == 1:
			value = -1 << b.low
			if from.take(1) != 0 {
				value = 1 << b.low
			}
		case size > 1:
			return errors.New("a new value of more than a bit")
		case run < 15:
			d.endOfBand = endOfBands(from, run)
		}
		if d.endOfBand > 0 {
			break
		}
		k = correct(from, b, block, k, run)
		if value != 0 {
			if k > b.last {
				return errors.New("a block that is too long")
			}
			block[k] = value
		}
		k++
	}
	if d.endOfBand > 0 {
		d.endOfBand--
		correct(from, b, block, k, 64)
	}
	return nil
}

// correct reads the next bit of the values from k on, over so many zeros, and gives where
// the zero after them is.
func correct(from *stream, b band, block *[64]int16, k, zeros int) int {
	for ; k <= b.last; k++ {
		v := block[k&63]
		if v == 0 {
			if zeros == 0 {
				break
			}
			zeros--
			continue
		}
		if from.have == 0 {
			from.fill()
		}
		one := from.next>>63 != 0
		from.drop(1)
		if one {
			if v > 0 {
				block[k&63] += 1 << b.low
			} else {
				block[k&63] -= 1 << b.low
			}
		}
	}
	return k
}

// reconstruct makes the pixels of a progressive picture, when all its scans are there.
func (d *decoder) reconstruct() {
	for i := range d.components {
		c := &d.components[i]
		keep, quantiser := kept(c.side), &d.quantisers[c.quantiser]
		for y := c.needed.Min.Y; y < c.needed.Max.Y; y++ {
			for x := c.needed.Min.X; x < c.needed.Max.X; x++ {
				coefficients := c.coefficients[(y*c.stride+x)*64:][:64]
				var block [64]int32
				rough := int32(0)
				for k, v := range coefficients[:keep] {
					value := int32(v) * quantiser[k]
					block[unzigzag[k&63]] = value
					if k > 0 {
						rough |= value
					}
				}
				c.put(&block, image.Pt(x, y), rough != 0)
			}
		}
		c.coefficients = nil
	}
}
