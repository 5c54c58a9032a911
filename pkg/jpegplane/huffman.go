package jpegplane

import (
	"encoding/binary"
	"errors"
)

// quick is how many bits are looked up at once.
const quick = 10

// table is a Huffman table (ITU-T T.81, annex C).
type table struct {
	// looked has for the next bits what they begin with: the length of the code in bits 0
	// to 7, its symbol in 8 to 15. Zero is a longer code, or none.
	looked [1 << quick]uint16
	// known has it with the value behind the code, where both are within the bits: the
	// length of both in bits 0 to 7, the run of zeros in 8 to 15, the value in 16 to 31.
	known [1 << quick]int32
	// A longer code of n bits is below limits[n], aligned to 16 bits, and stands at
	// symbols[code+offsets[n]].
	limits  [18]int32
	offsets [17]int32
	symbols [256]byte
	there   bool
}

// build reads a table: 16 counts, and the symbols. It gives how many bytes that was.
func (t *table) build(data []byte, runs bool) (int, error) {
	*t = table{}
	total := 0
	for _, n := range data[:16] {
		total += int(n)
	}
	if total == 0 || total > len(t.symbols) || len(data) < 16+total {
		return 0, errors.New("a Huffman table that is none")
	}
	copy(t.symbols[:], data[16:16+total])
	code, at := int32(0), 0
	for length := 1; length <= 16; length++ {
		n := int(data[length-1])
		t.offsets[length] = int32(at) - code
		for range n {
			if code >= 1<<length {
				return 0, errors.New("a Huffman table with too many codes")
			}
			if length <= quick {
				for i := range 1 << (quick - length) {
					t.looked[int(code)<<(quick-length)+i] = uint16(t.symbols[at])<<8 | uint16(length)
				}
			}
			code, at = code+1, at+1
		}
		t.limits[length] = code << (16 - length)
		code <<= 1
	}
	t.limits[17] = 1 << 16
	if runs {
		t.know()
	}
	t.there = true
	return 16 + total, nil
}

// know fills the table of codes with their values.
func (t *table) know() {
	for bits, entry := range t.looked {
		length, symbol := int(entry&0xff), entry>>8
		size := int(symbol & 15)
		if length == 0 || size == 0 || length+size > quick {
			continue
		}
		value := extend(int32(bits)>>(quick-length-size)&(1<<size-1), size)
		t.known[bits] = value<<16 | int32(symbol>>4)<<8 | int32(length+size)
	}
}

// extend makes a value of so many bits positive or negative (annex F.2.2.1).
func extend(value int32, size int) int32 {
	if value < 1<<(size-1) {
		value += -1<<size + 1
	}
	return value
}

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

// symbol reads a code; with less than 48 bits there, at most 16 bits are used.
func (b *stream) symbol(t *table) (byte, error) {
	if b.have < 32 {
		b.fill()
	}
	if entry := t.looked[b.next>>(64-quick)]; entry != 0 {
		b.drop(int(entry & 0xff))
		return byte(entry >> 8), nil
	}
	head := int32(b.next >> 48)
	for length := quick + 1; length <= 16; length++ {
		if head < t.limits[length] {
			b.drop(length)
			return t.symbols[(head>>(16-length)+t.offsets[length])&0xff], nil
		}
	}
	return 0, errors.New("a code that is not in its table")
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
