// Package decimal formats amounts of small units, such as lamports and base units, in the units
// that people use.
package decimal

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// lamportPlaces is the number of decimals of SOL.
const lamportPlaces = 9

// Text formats n with the last places digits after a point, without trailing zeros: 1,500,000 with
// six places is 1.5.
func Text(n uint64, places int) string { return point(strconv.FormatUint(n, 10), places) }

// Grouped is Text with a comma between thousands, for a sentence that people read: 1,000,000.5.
func Grouped(n uint64, places int) string {
	whole, fraction, found := strings.Cut(Text(n, places), ".")
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	if found {
		return whole + "." + fraction
	}
	return whole
}

// Big is Text for numbers of any size that are not negative.
func Big(n *big.Int, places int) string { return point(n.String(), places) }

// point puts the point before the last places digits.
func point(text string, places int) string {
	if missing := places + 1 - len(text); missing > 0 {
		text = strings.Repeat("0", missing) + text
	}
	end := len(text) - places
	whole, fraction := text[:end], strings.TrimRight(text[end:], "0")
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// SOL formats lamports in SOL: 20,000,000 is 0.02.
func SOL(lamports uint64) string { return Text(lamports, lamportPlaces) }

// Percent formats basis points as a percentage: 250 is 2.5. Negative numbers are 0.
func Percent(bps int) string { return Text(uint64(max(bps, 0)), 2) }

// PercentFixed is Percent with two decimals: 250 is 2.50. Negative numbers are 0.00.
func PercentFixed(bps int) string { return fmt.Sprintf("%d.%02d", max(bps, 0)/100, max(bps, 0)%100) }
