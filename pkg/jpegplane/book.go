package jpegplane

import "slices"

// longest is how long a code can be.
const longest = 16

// code is that of a symbol.
type code struct {
	bits   uint16
	length uint8 // zero for none
}

// book is a table of codes made for a picture.
type book struct {
	lengths [1 + longest]byte // how many codes there are of each length
	symbols []byte            // by the length of their codes
	codes   [256]code
}

// bookOf gives the shortest codes for symbols of which there are so many each (ITU-T T.81,
// annex K.2).
func bookOf(counts []int) book {
	var b book
	sizes := codeLengths(counts)
	code := uint16(0)
	for length := 1; length <= longest; length++ {
		code <<= 1
		for symbol, size := range sizes {
			if size != length {
				continue
			}
			b.symbols = append(b.symbols, byte(symbol))
			b.codes[symbol].bits, b.codes[symbol].length = code, uint8(length)
			b.lengths[length]++
			code++
		}
	}
	return b
}

// codeLengths gives how long the code of each symbol is, by the package-merge algorithm
// (Larmore and Hirschberg, 1990), which keeps to the longest. One more symbol, of which
// there are none, takes the code of ones alone, which must not be used.
func codeLengths(counts []int) (lengths [256]int) {
	var symbols []int
	for symbol, n := range counts {
		if n > 0 {
			symbols = append(symbols, symbol)
		}
	}
	if len(symbols) == 0 {
		symbols = []int{0} // a table has at least one
	}
	slices.SortStableFunc(symbols, func(a, b int) int { return counts[a] - counts[b] })
	weights := make([]int, 1, 1+len(symbols))
	for _, symbol := range symbols {
		weights = append(weights, counts[symbol])
	}
	// A list has the symbols, and pairs of neighbours in the list before, by weight.
	var single [longest][]bool // whether it is a symbol that stands there
	var pairs []int
	for level := range single {
		list := make([]int, 0, len(weights)+len(pairs))
		for rest := weights; len(rest) > 0 || len(pairs) > 0; {
			alone := len(pairs) == 0 || len(rest) > 0 && rest[0] <= pairs[0]
			from := &pairs
			if alone {
				from = &rest
			}
			list, *from = append(list, (*from)[0]), (*from)[1:]
			single[level] = append(single[level], alone)
		}
		pairs = make([]int, 0, len(list)/2)
		for i := 1; i < len(list); i += 2 {
			pairs = append(pairs, list[i-1]+list[i])
		}
	}
	for level, taken := longest-1, 2*len(weights)-2; level >= 0; level-- {
		alone := 0
		for _, is := range single[level][:taken] {
			if is {
				alone++
			}
		}
		for i := 1; i < alone; i++ {
			lengths[symbols[i-1]]++
		}
		taken = 2 * (taken - alone)
	}
	return lengths
}
