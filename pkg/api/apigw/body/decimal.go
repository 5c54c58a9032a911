package body

import (
	"fmt"
	"strconv"
	"strings"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/decimal"
)

// OptionalDecimal returns the text of a decimal number, from a string or from a JSON number without
// an exponent. It returns false if the number is absent, null, "" or invalid. The caller must check
// the text of a string.
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

// OptionalHundredths returns a JSON number with at most two decimals, in hundredths: 1.5 becomes
// 150. The bounds are in hundredths, too. It returns false if the number is absent, null or
// invalid.
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
