package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Median returns the median, or the lower of the two middle values of an even number. The list must
// not be empty.
func Median[T cmp.Ordered](list []T) T {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[(len(sorted)-1)/2]
}

// Each returns the results of f for each value.
func Each[A, B any](list []A, f func(A) B) []B {
	out := make([]B, len(list))
	for i, a := range list {
		out[i] = f(a)
	}
	return out
}

// Millis returns a duration in milliseconds, with one decimal.
func Millis(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}

// Seconds returns a duration in seconds with one decimal.
func Seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }

// Spread returns the minimum and the maximum of a list that is not empty.
func Spread(list []time.Duration) string {
	return Millis(slices.Min(list)) + " to " + Millis(slices.Max(list))
}

// Decimal returns a number with one decimal, or without decimals for a whole number.
func Decimal(f float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", f), ".0") }

// Number returns a number above zero with three significant digits and separated thousands: 0.0123,
// 4.56, 78.9, 1,230,000.
func Number(f float64) string {
	const digits = 3
	after := max(0, digits-1-int(math.Floor(math.Log10(f))))
	unit := math.Pow10(digits - 1 - int(math.Floor(math.Log10(f))))
	text := strconv.FormatFloat(math.Round(f*unit)/unit, 'f', after, 64)
	whole, fraction, broken := strings.Cut(text, ".")
	for n := len(whole) - digits; n > 0; n -= digits {
		whole = whole[:n] + "," + whole[n:]
	}
	if fraction = strings.TrimRight(fraction, "0"); !broken || fraction == "" {
		return whole
	}
	return whole + "." + fraction
}
