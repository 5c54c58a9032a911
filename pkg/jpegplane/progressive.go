package jpegplane

import (
	"image"
	"math/bits"
)

// values are those of a block that are kept, in the order of the file. Of a block that is
// not needed there are none.
func (c *component) values(x, y int) []int16 {
	at := image.Pt(x, y)
	if !at.In(c.needed) {
		return nil
	}
	at = at.Sub(c.needed.Min)
	keep := kept(c.side)
	return c.coefficients[(at.Y*c.needed.Dx()+at.X)*keep:][:keep]
}

// means reads what a scan has of the mean values of so many blocks in a row (ITU-T T.81,
// annex G).
func (d *decoder) means(from *stream, c *component, b band, x, y, n int) error {
	for i := range n {
		values := c.values(x+i, y)
		if b.high > 0 {
			if next := from.take(1); values != nil {
				values[0] |= int16(next << b.low) //nolint:gosec // G115: at most 2^13
			}
			continue
		}
		m, err := from.code(&d.direct[c.direct])
		if err != nil {
			return errMean
		}
		if c.mean += m.value(); values != nil {
			values[0] = int16(c.mean << b.low) //nolint:gosec // G115: of a damaged file it may be anything
		}
	}
	return nil
}

// firstBits reads the first scan that has these frequencies.
func (d *decoder) firstBits(from *stream, c *component, b band, x, y, n int) error {
	t, present := &d.changing[c.changing], c.present[y*c.stride+x:][:n]
	for i := 0; i < n; i++ {
		if d.endOfBand > 0 {
			empty := min(n-i, d.endOfBand)
			d.endOfBand -= empty
			i += empty - 1
			continue
		}
		values, here := c.values(x+i, y), present[i]
		next, have := from.next, from.have
		for k := b.first; k <= b.last; k++ {
			if have < 48 {
				next, have = from.more(next, have)
			}
			m := t.known[next>>(64-quick)]
			if m == 0 {
				if m = t.long(next); m == 0 {
					return errCode
				}
			}
			next, have = next<<m.length(), have-m.length()
			if k += m.run(); k > b.last {
				if m.run()&ends == 0 {
					return errBlock
				}
				d.endOfBand, next, have = endOfBand(m, next, have)
				d.endOfBand--
				break
			}
			if m.value() == 0 {
				continue // sixteen zeros
			}
			here |= 1 << k
			if k < len(values) {
				values[k] = int16(m.value() << b.low) //nolint:gosec // G115: of a damaged file it may be anything
			}
		}
		from.next, from.have = next, have
		present[i] = here
	}
	return nil
}

// endOfBand says of how many blocks the band ends here. It takes at most 14 bits.
func endOfBand(m meaning, next uint64, have int) (blocks int, nextOf uint64, haveOf int) {
	run := m.run() & 15
	return 1<<run + int(next>>(64-run)), next << run, have - run //nolint:gosec // G115: 14 bits
}

// nextBits reads one more bit of each value that is there, and new values of one bit.
func (d *decoder) nextBits(from *stream, c *component, b band, x, y, n int) error {
	t, present := &d.changing[c.changing], c.present[y*c.stride+x:][:n]
	all := (uint64(2)<<b.last - 1) &^ (1<<b.first - 1)
	for i := range n {
		rest, here := all, present[i] // frequencies that are still to come, and those that are not zero
		if d.endOfBand > 0 && rest&here == 0 {
			d.endOfBand--
			continue
		}
		values := c.values(x+i, y)
		for d.endOfBand == 0 && rest != 0 {
			m, err := from.code(t)
			if err != nil {
				return err
			}
			if m.run()&ends != 0 {
				if from.have < 14 {
					from.fill()
				}
				d.endOfBand, from.next, from.have = endOfBand(m, from.next, from.have)
				break
			}
			zeros := rest &^ here
			for range m.run() {
				zeros &= zeros - 1
			}
			to := zeros & -zeros // the zero behind so many
			from.correct(values, rest&here&(to-1), b.low)
			rest &^= to ^ (to - 1) // that, and all before
			switch value := m.value(); {
			case value == 0:
			case to == 0, value > 1, value < -1:
				return errBlock
			default:
				here |= to
				if k := bits.TrailingZeros64(to); k < len(values) {
					values[k] = int16(value << b.low) //nolint:gosec // G115: at most 2^13
				}
			}
		}
		if d.endOfBand > 0 {
			d.endOfBand--
			from.correct(values, rest&here, b.low)
		}
		present[i] = here
	}
	return nil
}

// correct reads the next bit of these frequencies, which are not zero.
func (b *stream) correct(values []int16, which uint64, low int) {
	within := which & (1<<len(values) - 1)
	beside := bits.OnesCount64(which &^ within)
	next, have := b.next, b.have
	for ; within != 0; within &= within - 1 {
		if have == 0 {
			next, have = b.more(next, have)
		}
		one := int16(next >> 63)
		next, have = next<<1, have-1
		v := &values[bits.TrailingZeros64(within)]
		*v += (*v>>15 | 1) << low & -one // away from zero
	}
	for beside > 0 {
		if have == 0 {
			next, have = b.more(next, have)
		}
		n := min(beside, have)
		next, have, beside = next<<n, have-n, beside-n
	}
	b.next, b.have = next, have
}

// reconstruct makes the pixels of a progressive picture, when all its scans are there.
func (d *decoder) reconstruct() {
	for i := range d.components {
		c := &d.components[i]
		quantiser := &d.quantisers[c.quantiser]
		for y := c.needed.Min.Y; y < c.needed.Max.Y; y++ {
			for x := c.needed.Min.X; x < c.needed.Max.X; x++ {
				values := c.values(x, y)
				var block [64]int32
				block[0] = int32(values[0]) * quantiser[0]
				rough := c.present[y*c.stride+x] & (1<<len(values) - 1)
				for rest := rough; rest != 0; rest &= rest - 1 {
					k := bits.TrailingZeros64(rest)
					block[unzigzag[k&63]] = int32(values[k]) * quantiser[k&63]
				}
				c.put(&block, image.Pt(x, y), rough != 0)
			}
		}
		c.coefficients, c.present = nil, nil
	}
}
