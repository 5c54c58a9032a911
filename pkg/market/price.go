package market

import (
	"math/big"
	"strconv"
	"strings"

	"tokenlaunch.example/service/pkg/platform/decimal"
)

const (
	// lamportDigits is how many decimals a SOL has in lamports.
	lamportDigits = 9
	// priceDigits is how many significant digits a price is answered with.
	priceDigits = 12
)

// Price is SOL per whole token as a decimal string: so many lamports for so many
// base units of a token with the given decimals. It has at most 12 significant
// digits, is rounded down, and has no trailing zeros and no exponent. No base units
// at all have no price: it is "0".
func Price(lamports, baseUnits *big.Int, decimals int) string {
	if lamports.Sign() <= 0 || baseUnits.Sign() <= 0 {
		return "0"
	}
	// The price is numerator/denominator: lamports/10^9 for baseUnits/10^decimals.
	numerator := new(big.Int).Mul(lamports, power(decimals))
	denominator := new(big.Int).Mul(baseUnits, power(lamportDigits))
	// It is read as digits·10^-scale: the largest scale that leaves no more digits
	// than allowed. The lengths of both tell it but for one.
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

// ParseDecimal reads a decimal number of at most so many decimals, without a sign,
// an exponent or needless zeros in front, as an integer of 10^-decimals.
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

// Decimal writes n·10^-decimals without trailing zeros; n is not negative.
func Decimal(n int64, decimals int) string { return decimal.Big(big.NewInt(n), decimals) }
