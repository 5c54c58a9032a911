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

// Amount is a number of base units of a token. In JSON it is a decimal string.
type Amount uint64

// Lamports is an amount of SOL in lamports (10^-9 SOL). In JSON it is a decimal string.
type Lamports uint64

// SOL is an amount in SOL, a decimal text with at most 9 decimals.
type SOL string

// Price is a price in SOL per whole token, a decimal text.
type Price string

// Percent is a percentage with at most two decimals, in hundredths: 250 is 2.5 %. In JSON
// it is a number.
type Percent uint64

// Factor is a number with at most two decimals, in hundredths: 1600 is 16. In JSON it is
// a number.
type Factor uint64

// Text writes an amount in whole tokens of so many decimals, without rounding.
func (a Amount) Text(decimals int) string { return decimal.Text(uint64(a), decimals) }

// String writes the amount in SOL.
func (l Lamports) String() string { return decimal.SOL(uint64(l)) + " SOL" }

// String writes the percentage without a sign for percent.
func (p Percent) String() string { return decimal.Text(uint64(p), hundredths) }

// String writes the number.
func (f Factor) String() string { return decimal.Text(uint64(f), hundredths) }

// MarshalText writes a decimal number.
func (a Amount) MarshalText() ([]byte, error) { return strconv.AppendUint(nil, uint64(a), 10), nil }

// UnmarshalText reads a decimal number without sign and leading zeros, of at most 2^64-1.
func (a *Amount) UnmarshalText(text []byte) error {
	n, err := parseWhole(string(text))
	*a = Amount(n)
	return err
}

// MarshalText writes a decimal number.
func (l Lamports) MarshalText() ([]byte, error) { return strconv.AppendUint(nil, uint64(l), 10), nil }

// UnmarshalText reads a decimal number without sign and leading zeros, of at most 2^64-1.
func (l *Lamports) UnmarshalText(text []byte) error {
	n, err := parseWhole(string(text))
	*l = Lamports(n)
	return err
}

// MarshalJSON writes a number.
func (p Percent) MarshalJSON() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalJSON reads a number with at most two decimals.
func (p *Percent) UnmarshalJSON(text []byte) error { return unmarshalHundredths((*uint64)(p), text) }

// UnmarshalText reads a number with at most two decimals.
func (p *Percent) UnmarshalText(text []byte) error { return unmarshalHundredths((*uint64)(p), text) }

// MarshalJSON writes a number.
func (f Factor) MarshalJSON() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalJSON reads a number with at most two decimals.
func (f *Factor) UnmarshalJSON(text []byte) error { return unmarshalHundredths((*uint64)(f), text) }

func parseWhole(text string) (uint64, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || strconv.FormatUint(n, 10) != text {
		return 0, fmt.Errorf("%.30q is not a whole number from 0 to 18446744073709551615", text)
	}
	return n, nil
}

// hundredths are two decimals.
const hundredths = 2

func unmarshalHundredths(into *uint64, text []byte) error {
	if bytes.Equal(text, []byte("null")) {
		return nil
	}
	n, err := ParseDecimal(string(text), hundredths)
	if err != nil {
		return err
	}
	*into = n
	return nil
}

// ParseDecimal reads a decimal number without sign, with at most so many decimals, and
// gives it in units of the last of them: "1.5" with 6 decimals is 1500000. It never
// rounds.
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

// Time is a moment, in JSON as the service writes it: RFC 3339, UTC, milliseconds.
type Time struct{ time.Time }

const timeForm = "2006-01-02T15:04:05.000Z"

// MarshalJSON writes the moment.
func (t Time) MarshalJSON() ([]byte, error) { return []byte(t.UTC().Format(`"` + timeForm + `"`)), nil }

// String writes the moment as the service does.
func (t Time) String() string { return t.UTC().Format(timeForm) }
