package terms

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/decimal"
)

// HoldersBps returns the holders' share of a run's amount, in basis points: the amount less the
// burned part and the creator's part. allocation.Split and allocation.Creator compute the same share
// in base units. HoldersBps is the share that MinimumHoldersBps bounds, in the API, in the signer,
// and in a verifier.
func (s Settings) HoldersBps() int { return FullBps - s.BurnBps - s.DeveloperFeeBps }

// minimumHolders is the name of MinimumHoldersBps in the API.
const minimumHolders = "minimumHoldersPercent"

// checkFloor lists the error of shares that leave holders less than MinimumHoldersBps.
func (s Settings) checkFloor() []apperr.Field {
	if s.MinimumHoldersBps < 0 || s.MinimumHoldersBps > FullBps {
		return []apperr.Field{{Field: minimumHolders, Code: apperr.CodeInvalidPercentage, Message: "Must be a percentage from 0 to 100."}}
	}
	if s.HoldersBps() >= s.MinimumHoldersBps {
		return nil
	}
	return []apperr.Field{{
		Field: "developerFeePercent", Code: apperr.CodeOutOfRange,
		Message: fmt.Sprintf("burnPercent and developerFeePercent together must be at most %s, because minimumHoldersPercent promises %s percent to holders.",
			decimal.Percent(FullBps-s.MinimumHoldersBps), decimal.Percent(s.MinimumHoldersBps)),
	}}
}

// CheckPromise lists the fields that break the promise of earlier settings to holders. The minimum
// for holders and the delay of changes can only be raised. While a minimum is promised, the reward can only become SOL, and
// the minimum holding can only be lowered: another reward could be worth nothing, and a high minimum
// holding could leave the creator alone. A verifier applies the same rules to consecutive proofs.
func (s Settings) CheckPromise(before Settings) (bad []apperr.Field) {
	reject := func(field, message string) {
		bad = append(bad, apperr.Field{Field: field, Code: apperr.CodeOutOfRange, Message: message})
	}
	if s.ChangeDelay.Duration() < before.ChangeDelay.Duration() {
		reject(changeDelay, fmt.Sprintf("Can only be raised: must be at least %q.", before.ChangeDelay))
	}
	if before.MinimumHoldersBps == 0 {
		return bad
	}
	if s.MinimumHoldersBps < before.MinimumHoldersBps {
		reject(minimumHolders, "Can only be raised: must be at least "+decimal.Percent(before.MinimumHoldersBps)+".")
	}
	if s.RewardToken != before.RewardToken && s.RewardToken != RewardSOL {
		reject("rewardToken", fmt.Sprintf(`Must be "SOL" or stay %q, because minimumHoldersPercent promises a share to holders.`, before.RewardToken))
	}
	if s.MinimumHolding > before.MinimumHolding {
		reject("minimumHoldingRequirement", fmt.Sprintf(
			"Can only be lowered: must be at most %d, because minimumHoldersPercent promises a share to holders.", before.MinimumHolding))
	}
	return bad
}

// launched is the form of OrderText of the settings of a launch, with the fields that CheckPromise and
// Lowered compare. A verifier accepts further lines after the shares, except those that begin with C, M or R.
var launched = regexp.MustCompile("^" + orderDomain + `\nToken: (\w+)\nVersion: 1\nInterval: (\w+)\nReward token: (\w+)\nMinimum holding: (0|[1-9][0-9]{0,19}) base units\n` +
	`Sell: ([1-9][0-9]{0,4}) basis points\nBurn: (0|[1-9][0-9]{0,4}) basis points\nDeveloper fee: (0|[1-9][0-9]{0,4}) basis points\n` +
	`(?:(?:[ABD-LN-QS-Z][a-z ]+|Creator split): [\w ]+\n)*(?:Reward basis: (\w+)\n)?` +
	`(?:Minimum for holders: ([1-9][0-9]{0,4}) basis points\n)?(?:Change delay: (\w+)\n)?Enabled: (?:yes|no)$`)

// LaunchPromise reads what OrderText of the settings of a launch promises to holders: the fields that
// CheckPromise and Lowered compare. It reports false for any other text.
func LaunchPromise(mint solana.PublicKey, text string) (Settings, bool) {
	found := launched.FindStringSubmatch(text)
	if found == nil || found[1] != mint.String() {
		return Settings{}, false
	}
	holding, err := strconv.ParseUint(found[4], 10, 64)
	points := func(i int) int {
		n, _ := strconv.Atoi(found[i]) // empty means 0
		return n
	}
	return Settings{
		Interval: Interval(found[2]), RewardToken: found[3], MinimumHolding: holding, Enabled: true,
		SellBps: points(5), BurnBps: points(6), DeveloperFeeBps: points(7),
		RewardBasis: Basis(found[8]), MinimumHoldersBps: points(9), ChangeDelay: Delay(found[10]),
	}, err == nil
}
