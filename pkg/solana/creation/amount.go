package creation

import (
	"strconv"
	"strings"
)

// lamportDecimals is the number of decimals of SOL.
const lamportDecimals = 9

func sol(lamports uint64) string { return decimal(lamports, lamportDecimals) + " SOL" }

// decimal writes n with its last digits behind a point, without trailing
// zeros.
func decimal(n uint64, decimals uint8) string {
	text := strconv.FormatUint(n, 10)
	if missing := int(decimals) + 1 - len(text); missing > 0 {
		text = strings.Repeat("0", missing) + text
	}
	point := len(text) - int(decimals)
	whole, fraction := text[:point], strings.TrimRight(text[point:], "0")
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}
