package launchpad

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/platform/apperr"
)

// Bounds of a curve. Shares are in basis points, the multiplier in hundredths.
const (
	LowestMultiplier  = 150
	HighestMultiplier = 10_000
	DefaultMultiplier = 1_600
	LowestFeeBps      = 1
	HighestFeeBps     = 1_000
	DefaultFeeBps     = 100
	HighestSniperBps  = 5_000
	HighestMinutes    = 60
	// LatestStart is the maximum delay of a curve's first trade (DAMM v2,
	// MAX_ACTIVATION_TIME_DURATION).
	LatestStart = 31 * 24 * time.Hour

	lowestTarget  = 1 * lamportsPerSOL
	highestTarget = 10_000 * lamportsPerSOL
)

// lamportsPerSOL and lamportsPerMilli are the units of a target.
const (
	lamportsPerSOL   = 1_000_000_000
	lamportsPerMilli = lamportsPerSOL / 1000
)

// Units in which a target may be given.
const (
	UnitSOL   = "SOL"
	UnitMilli = "milliSOL"
)

// Names of the fields in validation errors.
const (
	fieldAmount  = "tokenAmount"
	fieldTarget  = "targetMarketCap"
	fieldUnit    = "targetMarketCapUnit"
	fieldSniper  = "antiSniperFeePercent"
	fieldMinutes = "antiSniperMinutes"
	fieldInitial = "initialBuyLamports"
	fieldStart   = "startsAt"

	fieldLamports = "lamports"
)

// Draft is the curve that a creator requests.
type Draft struct {
	Mint solana.PublicKey
	// Tokens is the amount to send, in base units, tax included.
	Tokens uint64
	// TargetLamports is the amount to raise.
	TargetLamports uint64
	// Multiplier is the ratio of the end price to the start price, in hundredths.
	Multiplier int
	Locked     bool
	FeeBps     int
	// SniperBps is the fee on the first trades, which falls to FeeBps within Window. Zero in both
	// means no anti-sniper fee.
	SniperBps int
	Window    time.Duration
	// InitialLamports is the amount of the creator's purchase in the transaction that creates the
	// curve, fee included. Zero means no purchase.
	InitialLamports uint64
	// StartsAt is the time of the first trade. Zero means immediately.
	StartsAt time.Time
}

// Validate checks the rules between fields. The bounds of single fields are above.
func (d Draft) Validate() []apperr.Field {
	var bad []apperr.Field
	reject := func(field string, code apperr.Code, message string) {
		bad = append(bad, apperr.Field{Field: field, Code: code, Message: message})
	}
	if d.Tokens == 0 {
		reject(fieldAmount, apperr.CodeOutOfRange, "Must be at least 1.")
	}
	if d.InitialLamports > 0 && !d.StartsAt.IsZero() {
		const message = "A curve that begins to trade later takes no first purchase: leave out startsAt or initialBuyLamports."
		reject(fieldInitial, apperr.CodeOutOfRange, message)
		reject(fieldStart, apperr.CodeOutOfRange, message)
	}
	switch {
	case d.SniperBps == 0 && d.Window == 0:
	case d.SniperBps == 0:
		reject(fieldSniper, apperr.CodeRequired, "Required together with antiSniperMinutes: the fee with which the curve begins.")
	case d.Window == 0:
		reject(fieldMinutes, apperr.CodeRequired, "Required together with antiSniperFeePercent: how long the fee takes to fall.")
	case d.SniperBps <= d.FeeBps:
		reject(fieldSniper, apperr.CodeOutOfRange, "Must be above tradeFeePercent, to which it falls.")
	}
	return bad
}

// Target parses the amount to raise, in lamports. The unit is SOL, with up to nine decimals, or
// milliSOL, a whole number. Without a unit, a number under 1,000 is in SOL, and a whole number from
// 10,000 is in milliSOL. Numbers in between need a unit. field is empty if the target is valid.
func Target(text, unit string) (lamports uint64, field apperr.Field) {
	switch unit {
	case UnitSOL, UnitMilli:
	case "":
		var ok bool
		if unit, ok = guess(text); !ok {
			return 0, apperr.Field{Field: fieldUnit, Code: apperr.CodeRequired, Message: fmt.Sprintf(
				"Say whether targetMarketCap is in %s or in %s: from 1000 to 9999 it may be either, and %s has no decimals.", UnitSOL, UnitMilli, UnitMilli)}
		}
	default:
		return 0, apperr.Field{Field: fieldUnit, Code: apperr.CodeInvalidFormat, Message: fmt.Sprintf("Must be %q or %q.", UnitSOL, UnitMilli)}
	}
	digits, scale, each := 9, uint64(1), uint64(lamportsPerSOL)
	form := "Must be a decimal number of SOL with at most nine decimals, such as \"85.5\"."
	if unit == UnitMilli {
		digits, scale, each = 0, lamportsPerMilli, lamportsPerMilli
		form = "Must be a whole number of milliSOL, such as \"100000\" for 100 SOL."
	}
	bad := func(code apperr.Code, message string) (uint64, apperr.Field) {
		return 0, apperr.Field{Field: fieldTarget, Code: code, Message: message}
	}
	n, ok := market.ParseDecimal(text, digits)
	switch {
	case !ok && strings.Trim(text, "0123456789") != "", !ok && len(text) > 1 && text[0] == '0':
		return bad(apperr.CodeInvalidFormat, form)
	case !ok, n > highestTarget/scale, n*scale < lowestTarget:
		return bad(apperr.CodeOutOfRange, fmt.Sprintf("Must be from %d to %d %s.", lowestTarget/each, highestTarget/each, unit))
	}
	return n * scale, apperr.Field{}
}

// guess returns the unit of a number without a unit, and false if the number is ambiguous.
func guess(text string) (unit string, ok bool) {
	whole, fraction, _ := strings.Cut(text, ".")
	n, err := strconv.ParseUint(whole, 10, 64)
	switch {
	case err != nil && strings.Trim(whole, "0123456789") != "", err == nil && n < 1000:
		return UnitSOL, true // or not a number, which the caller rejects
	case strings.Trim(fraction, "0") != "", err == nil && n < 10_000:
		return "", false
	}
	return UnitMilli, true
}
