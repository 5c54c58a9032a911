package body

import (
	"fmt"
	"strconv"
	"strings"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/decimal"
)

// OptionalDecimal gives a decimal number as it was written, in a string or as a JSON
// number without an exponent, and false when it is absent, null, "" or bad. What the
// text says is for the caller to judge.
func (f *Fields) OptionalDecimal(name string) (string, bool) {
	raw, ok := f.value(name)
	if !ok {
		return "", false
	}
	if raw[0] == '"' {
		return f.OptionalString(name)
	}
	if _, _, ok := f.number(name); !ok {
		return "", false
	}
	return string(raw), true
}

// OptionalHundredths gives a JSON number with at most two decimals, in hundredths:
// 1.5 gives 150. The bounds are hundredths too. It gives false when the number is
// absent, null or bad.
func (f *Fields) OptionalHundredths(name string, lowest, highest int) (int, bool) {
	whole, fraction, ok := f.number(name)
	if !ok {
		return 0, false
	}
	if len(fraction) > 2 {
		f.Reject(name, apperr.CodeInvalidFormat, "Must have at most two decimals.")
		return 0, false
	}
	value, err := strconv.Atoi(whole + (fraction + "00")[:2])
	if err != nil || value < lowest || value > highest || strings.HasPrefix(whole, "-") {
		f.Reject(name, apperr.CodeOutOfRange, fmt.Sprintf("Must be from %s to %s.", decimal.Percent(lowest), decimal.Percent(highest)))
		return 0, false
	}
	return value, true
}
