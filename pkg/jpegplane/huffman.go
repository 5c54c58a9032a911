package jpegplane

import "errors"

// quick is how many bits are looked up at once.
const quick = 10

// table is a Huffman table (ITU-T T.81, annex C).
type table struct {
	// looked has for the next bits what they begin with: the length of the code in bits 0
	// to 7, its symbol in 8 to 15. Zero is a longer code, or none.
	looked [1 << quick]uint16
	// known has for the next bits what their code means, where it and the value behind it are
	// within them. Zero is for long to find out.
	known [1 << quick]meaning
	// passed has for the next bits how far one comes with all that is whole within them: the
	// length of it in bits 0 to 4, whether the block ends there in bit 7, and how many
	// frequencies that were, up to the end, in 8 to 15. Zero is less than one code.
	passed [1 << quick]uint16
	// A longer code of n bits is below limits[n], aligned to 16 bits, and stands at
	// symbols[code+offsets[n]].
	limits  [18]int32
	offsets [17]int32
	symbols [256]byte
	runs    bool // whether symbols have a run of zeros in them
	there   bool
	ready   bool // known and passed are filled
}

// meaning is that of a code: the length of code and value in bits 0 to 4, the run of zeros
// before the value in 8 to 14, the value in 16 to 31. Bit 15 is set where there is no value:
// the block ends, in a progressive scan so many as the run says.
type meaning int32

const ends = 0x80

func (m meaning) length() int { return int(m & 31) }

// run has ends in it.
func (m meaning) run() int     { return int(m >> 8 & 0xff) }
func (m meaning) value() int32 { return int32(m >> 16) }

// build reads a table: 16 counts, and the symbols. It gives how many bytes that was.
func (t *table) build(data []byte, runs bool) (int, error) {
	*t = table{runs: runs}
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
	t.there = true
	return 16 + total, nil
}

// prepare fills known and passed. It is not done while reading tables, of which a file can
// have tens of thousands.
func (t *table) prepare() {
	if t.ready {
		return
	}
	for i, entry := range t.looked {
		bits := uint64(i) << (64 - quick)
		if length := int(entry & 0xff); length > 0 {
			if m := t.meaning(byte(entry>>8), length, bits); m.length() <= quick {
				t.known[i] = m
			}
		}
	}
	for i := range t.passed {
		at, frequencies, end := 0, 0, 0
		for end == 0 {
			m := t.known[i<<at&(1<<quick-1)]
			if m == 0 || at+m.length() > quick {
				break
			}
			at += m.length()
			if end = m.run() & ends; end == 0 {
				frequencies += m.run() + 1
			}
		}
		t.passed[i] = uint16(frequencies<<8 | end | at) //nolint:gosec // G115: at most ten runs of 16
	}
	t.ready = true
}

// meaning is that of a symbol whose code of this length the bits begin with.
func (t *table) meaning(symbol byte, length int, bits uint64) meaning {
	run, size := int(symbol>>4), int(symbol&15)
	value := int32(0)
	switch {
	case !t.runs && run > 0:
		return 0 // a mean that is none
	case size > 0:
		value = extend(int32(bits<<length>>(64-size)), size) //nolint:gosec // G115: at most 15 bits
	case t.runs && run < 15:
		run |= ends
	}
	return meaning(value<<16 | int32(run<<8|length+size)) //nolint:gosec // G115: 15 bits
}

// long is the meaning of a code that known does not have. Zero is none.
func (t *table) long(bits uint64) meaning {
	if entry := t.looked[bits>>(64-quick)]; entry != 0 {
		return t.meaning(byte(entry>>8), int(entry&0xff), bits)
	}
	head := int32(bits >> 48)
	for length := quick + 1; length <= 16; length++ {
		if head < t.limits[length] {
			return t.meaning(t.symbols[(head>>(16-length)+t.offsets[length])&0xff], length, bits)
		}
	}
	return 0
}

var errCode = errors.New("a code that is not in its table")

// extend makes a value of so many bits positive or negative (annex F.2.2.1).
func extend(value int32, size int) int32 {
	if value < 1<<(size-1) {
		value += -1<<size + 1
	}
	return value
}
