package jpegplane

import (
	"errors"
	"image"
)

var (
	errMean  = errors.New("a mean that is none")
	errBlock = errors.New("a block that is too long")
)

// sequential reads a block of a baseline picture.
func (d *decoder) sequential(from *stream, c *component, at image.Point) error {
	m, err := from.code(&d.direct[c.direct])
	if err != nil {
		return errMean
	}
	c.mean += m.value()
	table, k := &d.changing[c.changing], 1
	if !at.In(c.needed) {
		return from.pass(table, k)
	}
	quantiser, keep := &d.quantisers[c.quantiser], kept(c.side)
	var block [64]int32
	block[0] = c.mean * quantiser[0]
	rough := uint64(0) // a bit for each frequency that may not be zero
	next, have := from.next, from.have
	for k < keep {
		if have < 32 {
			next, have = from.more(next, have)
		}
		m := table.known[next>>(64-quick)]
		if m == 0 {
			if m = table.long(next); m == 0 {
				return errCode
			}
		}
		next, have = next<<m.length(), have-m.length()
		if k += m.run(); k > 63 {
			if m.run()&ends == 0 {
				return errBlock
			}
			break
		}
		// What is not kept lies where a smaller block does not look.
		block[unzigzag[k]] = m.value() * quantiser[k]
		rough |= 1 << k
		k++
	}
	from.next, from.have = next, have
	if k < 64 {
		if err := from.pass(table, k); err != nil {
			return err
		}
	}
	c.put(&block, at, rough<<(64-keep) != 0)
	return nil
}

// pass goes behind the block, from frequency k on.
func (b *stream) pass(t *table, k int) error {
	next, have := b.next, b.have
	for k < 64 {
		if have < 32 {
			next, have = b.more(next, have)
		}
		// The block may end within what passed has: then it is one code after the other.
		if p := t.passed[next>>(64-quick)]; p != 0 && k+int(p>>8) < 64 {
			next, have = next<<(p&31), have-int(p&31)
			if k += int(p >> 8); p&ends != 0 {
				break
			}
			continue
		}
		m := t.known[next>>(64-quick)]
		if m == 0 {
			if m = t.long(next); m == 0 {
				return errCode
			}
		}
		next, have = next<<m.length(), have-m.length()
		if m.run()&ends != 0 {
			break
		}
		if k += m.run() + 1; k > 64 {
			return errBlock
		}
	}
	b.next, b.have = next, have
	return nil
}
