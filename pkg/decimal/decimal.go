// Package decimal writes amounts that are counted in small units, such as lamports
// and base units, in the units that people use.
package decimal

import (
	"strconv"
	"strings"
)

// lamportPlaces is the number of decimals of SOL.
const lamportPlaces = 9

// Text writes n with its last places digits behind a point, without trailing
// zeros: 1,500,000 with six places is 1.5.
func Text(n uint64, places int) string {
	text := strconv.FormatUint(n, 10)
	if missing := places + 1 - len(text); missing > 0 {
		text = strings.Repeat("0", missing) + text
	}
	point := len(text) - places
	whole, fraction := text[:point], strings.TrimRight(text[point:], "0")
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// SOL writes lamports in SOL, with the unit: 20,000,000 is 0.02 SOL.
func SOL(lamports uint64) string { return Text(lamports, lamportPlaces) + " SOL" }
