package market

import (
	"math/big"
	"strconv"
	"strings"

	"tokenlaunch.example/service/pkg/platform/decimal"
)

const (
	// lamportDigits is the number of decimals of SOL.
	lamportDigits = 9
	// priceDigits is the maximum number of significant digits of a price in a response.
	priceDigits = 12
)

// Price returns the SOL per whole token as a decimal string, for a trade of lamports for baseUnits
// of a token with the given decimals. The price has at most 12 significant digits, is rounded down,
// and has no trailing zeros and no exponent. Without base units the price is "0".
func Price(lamports, baseUnits *big.Int, decimals int) string {
	if lamports.Sign() <= 0 || baseUnits.Sign() <= 0 {
		return "0"
	}
	// The price is numerator/denominator: lamports/10^9 for baseUnits/10^decimals.
	numerator := new(big.Int).Mul(lamports, power(decimals))
	denominator := new(big.Int).Mul(baseUnits, power(lamportDigits))
	// The price is digits·10^-scale, with the largest scale that leaves at most priceDigits digits.
	// The lengths of numerator and denominator determine the scale, or exceed it by one.
	scale := max(0, priceDigits-len(numerator.String())+len(denominator.String()))
	digits := new(big.Int).Mul(numerator, power(scale))
	digits.Quo(digits, denominator)
	if text := digits.String(); len(text) > priceDigits {
		cut := power(len(text) - priceDigits)
		digits.Quo(digits, cut)
		digits.Mul(digits, cut)
	}
	return decimal.Big(digits, scale)
}

// ParseDecimal parses a decimal number as an integer of 10^-decimals. The number must not have more
// decimals, a sign, an exponent or leading zeros.
func ParseDecimal(text string, decimals int) (uint64, bool) {
	whole, fraction, dotted := strings.Cut(text, ".")
	if !onlyDigits(whole) || len(whole) > 1 && whole[0] == '0' || dotted && !onlyDigits(fraction) {
		return 0, false
	}
	if fraction = strings.TrimRight(fraction, "0"); len(fraction) > decimals {
		return 0, false
	}
	n, err := strconv.ParseUint(whole+fraction+strings.Repeat("0", decimals-len(fraction)), 10, 64)
	return n, err == nil
}

func onlyDigits(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}

func power(n int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// Decimal returns n·10^-decimals as a string without trailing zeros. n must not be negative.
func Decimal(n int64, decimals int) string { return decimal.Big(big.NewInt(n), decimals) }
