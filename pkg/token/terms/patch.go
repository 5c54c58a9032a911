package terms

import (
	"reflect"
	"regexp"
	"sync"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
)

// Patch is what a creator wants changed in their token's settings. What is nil
// stays as it is. The fields have the names of those of Settings.
type Patch struct {
	RewardToken     *string
	MinimumHolding  *uint64
	SellBps         *int
	Enabled         *bool
	Interval        *Interval
	BurnBps         *int
	DeveloperFeeBps *int
	DeveloperWallet *solana.PublicKey
	// CreatorSplits of "" end the split.
	CreatorSplits   *Splits
	RewardBasis     *Basis
	TelegramGroupID *string
}

// Apply gives the settings with the patch merged into them. Wrapped SOL as the
// reward is SOL itself.
func (p Patch) Apply(s Settings) Settings {
	from, to := reflect.ValueOf(p), reflect.ValueOf(&s).Elem()
	for i := range from.NumField() {
		if value := from.Field(i); !value.IsNil() {
			to.FieldByName(from.Type().Field(i).Name).Set(value.Elem())
		}
	}
	if s.RewardToken == solana.WrappedSol.String() {
		s.RewardToken = RewardSOL
	}
	return s
}

// Check lists every field that is not valid once the patch is merged into the
// settings, under its name in the API. A minimum of zero, which a token may be
// launched with, may stay, and may not be chosen.
func (p Patch) Check(before Settings) []apperr.Field {
	after := p.Apply(before)
	bad := after.Validate()
	for i := range bad {
		// Where the two shares are too much together, the one that was sent is to blame.
		if bad[i].Field == "developerFeePercent" && p.DeveloperFeeBps == nil && p.BurnBps != nil {
			bad[i].Field = "burnPercent"
		}
	}
	if after.MinimumHolding == 0 && before.MinimumHolding != 0 {
		bad = append(bad, apperr.Field{
			Field: "minimumHoldingRequirement", Code: apperr.CodeOutOfRange,
			Message: "Must be at least 1: base units of the token.",
		})
	}
	return append(bad, p.CheckReadOnly(before)...)
}

// groupForm is what Telegram calls a group: its number, which is negative, or
// its public name (Telegram Bot API, "chat_id"; names have 5 to 32 characters).
var groupForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(-[1-9][0-9]{0,18}|@[A-Za-z0-9_]{5,32})$`)
})

// checkGroup says what is wrong with the id of a Telegram group, or nothing.
func checkGroup(id string) string {
	if id == "" || groupForm().MatchString(id) {
		return ""
	}
	return `Must be a group's id, such as "-1001234567890", its public name, such as "@group", or "" for none.`
}
