package client

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tokenlaunch.example/service/pkg/platform/decimal"
)

// Amount is a number of base units of a token, such as MustTokens("1.5", 6). Amount is a struct, so
// that the untyped constant 5 does not compile, because a reader cannot tell whether 5 means tokens
// or base units. In JSON an Amount is a decimal string.
type Amount struct{ units }

// Lamports is an amount of SOL in lamports (10^-9 SOL), such as MustSOL("0.1"). Lamports is a
// struct for the same reason as Amount. In JSON an amount of Lamports is a decimal string.
type Lamports struct{ units }

// units is a whole number of the smallest units. units has no method IsZero, because encoding/json
// would then omit an optional amount that points to 0.
type units struct{ count uint64 }

// SOL is an amount in SOL, a decimal text with at most 9 decimals.
type SOL string

// Price is a price in SOL per whole token, a decimal text.
type Price string

// Percent is a percentage with at most two decimals, such as MustPercent("2.5"). Percent is a
// struct, so that the untyped constant 5 does not compile, because a reader cannot tell whether 5
// means 5 % or 0.05 %. In JSON a Percent is a number.
type Percent struct{ hundredths }

// Factor is a number with at most two decimals, such as MustFactor("16"). In JSON a Factor is a
// number.
type Factor struct{ hundredths }

// hundredths is a number with at most two decimals.
type hundredths struct{ count uint64 }

// ParsePercent parses a percentage with at most two decimals: "2.5" is 2.5 %.
func ParsePercent(text string) (p Percent, err error) { return p, p.UnmarshalText([]byte(text)) }

// MustPercent is ParsePercent for constants. It panics if the text is not a percentage.
func MustPercent(text string) Percent { return must(ParsePercent(text)) }

// BasisPoints returns count hundredths of a percent: BasisPoints(250) is 2.5 %.
func BasisPoints(count uint64) Percent { return Percent{hundredths{count}} }

// ParseFactor parses a number with at most two decimals.
func ParseFactor(text string) (f Factor, err error) { return f, f.UnmarshalText([]byte(text)) }

// MustFactor is ParseFactor for constants. It panics if the text is not a valid factor.
func MustFactor(text string) Factor { return must(ParseFactor(text)) }

// ParseTokens parses an amount in whole tokens of a token with the given decimals: "1.5" with 6
// decimals is 1500000 base units.
func ParseTokens(text string, decimals int) (Amount, error) {
	n, err := ParseDecimal(text, decimals)
	return BaseUnits(n), err
}

// MustTokens is ParseTokens for constants. It panics if the text is not a valid amount.
func MustTokens(text string, decimals int) Amount { return must(ParseTokens(text, decimals)) }

// BaseUnits returns an amount of count base units: BaseUnits(1500000) of a token with 6 decimals is
// 1.5 tokens.
func BaseUnits(count uint64) Amount { return Amount{units{count}} }

// ParseSOL parses an amount in SOL with at most 9 decimals: "0.1" is 100000000 lamports.
func ParseSOL(text string) (Lamports, error) {
	n, err := ParseDecimal(text, solDecimals)
	return LamportsOf(n), err
}

// MustSOL is ParseSOL for constants. It panics if the text is not a valid amount.
func MustSOL(text string) Lamports { return must(ParseSOL(text)) }

// LamportsOf returns an amount of count lamports: LamportsOf(100000000) is 0.1 SOL.
func LamportsOf(count uint64) Lamports { return Lamports{units{count}} }

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Uint64 returns the number of base units or lamports.
func (u units) Uint64() uint64 { return u.count }

// String formats the number of base units.
func (u units) String() string { return strconv.FormatUint(u.count, 10) }

// Text formats an amount in whole tokens of a token with the given decimals, without rounding.
func (a Amount) Text(decimals int) string { return decimal.Text(a.count, decimals) }

// String formats the amount in SOL.
func (l Lamports) String() string { return decimal.SOL(l.count) + " SOL" }

// Hundredths returns the number times 100. For a percentage, the result is in basis points.
func (h hundredths) Hundredths() uint64 { return h.count }

// String formats the number. A percentage has no percent sign.
func (h hundredths) String() string { return decimal.Text(h.count, 2) }

// MarshalText encodes a decimal number.
func (u units) MarshalText() ([]byte, error) { return strconv.AppendUint(nil, u.count, 10), nil }

// UnmarshalText decodes a decimal number from 0 to 2^64-1, without sign and leading zeros.
func (u *units) UnmarshalText(text []byte) (err error) {
	u.count, err = parseWhole(string(text))
	return err
}

// MarshalJSON encodes a JSON number.
func (h hundredths) MarshalJSON() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalJSON decodes a number with at most two decimals. null leaves the value unchanged.
func (h *hundredths) UnmarshalJSON(text []byte) error {
	if bytes.Equal(text, []byte("null")) {
		return nil
	}
	return h.UnmarshalText(text)
}

// UnmarshalText decodes a number with at most two decimals.
func (h *hundredths) UnmarshalText(text []byte) error {
	n, err := ParseDecimal(string(text), 2)
	if err == nil {
		h.count = n
	}
	return err
}

func parseWhole(text string) (uint64, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || strconv.FormatUint(n, 10) != text {
		return 0, fmt.Errorf("%.30q is not a whole number from 0 to 18446744073709551615", text)
	}
	return n, nil
}

// ParseDecimal parses a decimal number without sign and with at most the given decimals, and
// returns the number in units of the last decimal: "1.5" with 6 decimals is 1500000. ParseDecimal
// returns an error instead of rounding.
func ParseDecimal(text string, decimals int) (uint64, error) {
	whole, fraction, point := strings.Cut(text, ".")
	if whole == "" || point && fraction == "" {
		return 0, fmt.Errorf("%.30q is not a decimal number", text)
	}
	if len(fraction) > decimals {
		return 0, fmt.Errorf("%.30q has more than %d decimals", text, decimals)
	}
	digits := whole + fraction + strings.Repeat("0", decimals-len(fraction))
	n, err := strconv.ParseUint(digits, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%.30q is too much", text)
	case err != nil:
		return 0, fmt.Errorf("%.30q is not a decimal number", text)
	}
	return n, nil
}

// Time is a moment. In JSON a Time has the service's format: RFC 3339, UTC, milliseconds.
type Time struct{ time.Time }

const timeForm = "2006-01-02T15:04:05.000Z"

// MarshalJSON encodes the moment in the service's format.
func (t Time) MarshalJSON() ([]byte, error) { return []byte(t.UTC().Format(`"` + timeForm + `"`)), nil }

// String formats the moment as in JSON.
func (t Time) String() string { return t.UTC().Format(timeForm) }
