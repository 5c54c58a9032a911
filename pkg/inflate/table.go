package inflate

import "math/bits"

// An entry of a table says what the next bits begin with:
//
//	bits 0 to 5    how many of them it takes, with the extra bits behind the code
//	bits 8 to 11   how long the code alone is
//	bits 13 to 15  that it is not a simple one, and which
//	bits 16 to 30  the literal, or what the extra bits are added to, or where to look on
//	bit 31         that it is a literal
type entry uint32

const (
	literal entry = 1 << 31
	special entry = 1 << 15 // one of the next two, or no code at all
	onward  entry = 1 << 14 // a longer code: look on in a second table
	ending  entry = 1 << 13 // the end of the block

	codeAt  = 8
	valueAt = 16
)

// taken is how many bits there are, with the extra ones.
func (e entry) taken() uint64 { return uint64(e & 63) }

// byte is the literal.
func (e entry) byte() byte { return byte(e >> valueAt) } //nolint:gosec // G115: the rest are flags

// with is the length or the distance, with the extra bits from behind the code.
func (e entry) with(bits uint64) int {
	return int(e>>valueAt) + int(bits&(1<<e.taken()-1)>>(e>>codeAt&15)) //nolint:gosec // G115: at most 2^15
}

// second is where the second table begins.
func (e entry) second() uint64 { return uint64(e >> valueAt) }

// How many bits are looked up at once, and the longest code there is. As a code has
// neither gaps nor overlaps, a second table has two symbols at least.
const (
	longest      = 15
	literalBits  = 11
	distanceBits = 9

	literalSize  = 1<<literalBits + mostLiterals/2<<(longest-literalBits)
	distanceSize = 1<<distanceBits + mostDistances/2<<(longest-distanceBits)
)

// Symbols that a stream can have, of those that there are codes for (RFC 1951, 3.2.5).
const (
	mostLiterals  = 286
	mostDistances = 30
	endOfBlock    = 256
)

// literalSymbols and distanceSymbols are the entries of symbols, without their codes.
var literalSymbols, distanceSymbols = symbols()

func symbols() (lengths [288]entry, distances [32]entry) {
	for i := range lengths {
		lengths[i] = special
	}
	for i := range entry(endOfBlock) {
		lengths[i] = literal | i<<valueAt
	}
	lengths[endOfBlock] = special | ending
	base, extra := entry(3), entry(0)
	for i := endOfBlock + 1; i < mostLiterals-1; i++ {
		if i >= 265 && (i-265)%4 == 0 {
			extra++
		}
		lengths[i] = base<<valueAt | extra
		base += 1 << extra
	}
	lengths[mostLiterals-1] = 258 << valueAt
	for i := range distances {
		distances[i] = special
	}
	base, extra = 1, 0
	for i := range mostDistances {
		if i >= 4 && i%2 == 0 {
			extra++
		}
		distances[i] = base<<valueAt | extra
		base += 1 << extra
	}
	return lengths, distances
}

// build fills a table for codes of these lengths, the first bits of which are looked up at
// once, and gives the mask of the second tables. It refuses what compress/flate refuses:
// codes that are not complete, unless there is just one, of one bit, or none.
func build(table []entry, first int, lengths []uint8, of []entry) (second uint64, ok bool) {
	var count, next [longest + 1]int
	for _, n := range lengths {
		count[n]++
	}
	count[0] = 0
	most := 0
	for n := 1; n <= longest; n++ {
		next[n] = (next[n-1] + count[n-1]) << 1
		if count[n] > 0 {
			most = n
		}
	}
	for i := range table[:1<<first] {
		table[i] = special
	}
	if end := next[most] + count[most]; most > 0 && end != 1<<most && (most != 1 || end != 1) {
		return 0, false
	}
	size := 1 << max(0, most-first) // of a second table
	free := 1 << first              // where the next one begins
	for symbol, n := range lengths {
		if n == 0 {
			continue
		}
		length := int(n)
		code := int(bits.Reverse16(uint16(next[length])) >> (16 - length)) //nolint:gosec // G115: below 2^15
		next[length]++
		e := of[symbol] + entry(n)<<codeAt + entry(n)
		if length <= first {
			for i := code; i < 1<<first; i += 1 << length {
				table[i] = e
			}
			continue
		}
		head := &table[code&(1<<first-1)]
		if *head == special {
			*head = special | onward | entry(free)<<valueAt //nolint:gosec // G115: within a table
			free += size
		}
		for i := code >> first; i < size; i += 1 << (length - first) {
			table[int(*head>>valueAt)+i] = e
		}
	}
	return uint64(size - 1), true //nolint:gosec // G115: at most 2^6
}
