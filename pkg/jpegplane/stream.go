package jpegplane

import (
	"encoding/binary"
	"errors"
)

// stream reads the entropy-coded data of a scan. Where they end there are zeros; missing
// says whether any of those were taken.
type stream struct {
	data []byte
	at   int
	next uint64 // from the highest bit on
	have int    // how many of them
	made int    // how many of them, and of those before, were made up
}

// fill makes at least 56 bits be there.
func (b *stream) fill() {
	if b.at+8 <= len(b.data) {
		word := binary.BigEndian.Uint64(b.data[b.at:])
		// Whether any byte is 0xff, after which a zero or a marker comes.
		if word&^(word+0x0101010101010101)&0x8080808080808080 == 0 {
			b.next |= word >> b.have
			b.at += (63 - b.have) >> 3
			b.have |= 56
			return
		}
	}
	for b.have <= 56 {
		var c byte
		switch {
		case b.at >= len(b.data), b.data[b.at] == 0xff && (b.at+1 >= len(b.data) || b.data[b.at+1] != 0):
			b.made += 8
		case b.data[b.at] == 0xff:
			c = 0xff
			b.at += 2
		default:
			c = b.data[b.at]
			b.at++
		}
		b.next |= uint64(c) << (56 - b.have)
		b.have += 8
	}
}

func (b *stream) missing() bool { return b.have < b.made }

func (b *stream) drop(n int) {
	b.next <<= n
	b.have -= n
}

// take gives the next bits, at most 16.
func (b *stream) take(n int) int32 {
	if b.have < 16 {
		b.fill()
	}
	value := int32(b.next >> 48 >> (16 - n)) //nolint:gosec // G115: at most 16 bits
	b.drop(n)
	return value
}

// more is fill for who has the bits in hand.
func (b *stream) more(next uint64, have int) (uint64, int) {
	b.next, b.have = next, have
	b.fill()
	return b.next, b.have
}

// code reads a code and the value behind it, at most 31 bits.
func (b *stream) code(t *table) (meaning, error) {
	if b.have < 32 {
		b.fill()
	}
	m := t.known[b.next>>(64-quick)]
	if m == 0 {
		if m = t.long(b.next); m == 0 {
			return 0, errCode
		}
	}
	b.drop(m.length())
	return m, nil
}

// end gives where the marker is that ends the data. Before it there may be up to seven
// bits that fill up a byte.
func (b *stream) end() (int, error) {
	if b.have <= 56 {
		b.fill()
	}
	if left := b.have - b.made; b.made == 0 || left < 0 || left > 7 {
		return 0, errors.New("a scan that is shorter or longer than the picture")
	}
	return b.at, nil
}

// restart goes behind the marker that has to be next, the restart of this number.
func (b *stream) restart(number int) error {
	at, err := b.end()
	if err != nil {
		return err
	}
	if at+2 > len(b.data) || b.data[at+1] != rst0+byte(number&7) {
		return errors.New("no restart where one has to be")
	}
	*b = stream{data: b.data, at: at + 2}
	return nil
}
