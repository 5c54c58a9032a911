package terms

import (
	"reflect"
	"regexp"
	"sync"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/decimal"
)

// Patch is a requested change of a token's settings. A nil field does not change. The fields have
// the names of the fields of Settings.
type Patch struct {
	RewardToken     *string
	MinimumHolding  *uint64
	SellBps         *int
	Enabled         *bool
	Interval        *Interval
	BurnBps         *int
	DeveloperFeeBps *int
	DeveloperWallet *solana.PublicKey
	// CreatorSplits of "" ends the split.
	CreatorSplits *Splits
	RewardBasis   *Basis
	// MinimumHoldersBps can only be raised.
	MinimumHoldersBps *int
	// ChangeDelay can only be raised.
	ChangeDelay     *Delay
	TelegramGroupID *string
}

// Apply returns the settings with the patch merged in. Wrapped SOL as the reward becomes SOL.
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

// Check lists the invalid fields of the settings with the patch merged in, under their names in the
// API. A token may be launched with a minimum of zero and may keep the zero, but a patch cannot set
// zero.
func (p Patch) Check(before Settings) []apperr.Field {
	after := p.Apply(before)
	bad := after.Validate()
	for i := range bad {
		// If the two shares add up to too much, report the share that the patch changes.
		switch {
		case bad[i].Field != "developerFeePercent" || p.DeveloperFeeBps != nil:
		case p.BurnBps != nil:
			bad[i].Field = "burnPercent"
		case p.MinimumHoldersBps != nil:
			bad[i].Field = minimumHolders
			bad[i].Message = "Must be at most " + decimal.Percent(max(0, after.HoldersBps())) + ": the share that burnPercent and developerFeePercent leave to holders."
		}
	}
	if after.MinimumHolding == 0 && before.MinimumHolding != 0 {
		bad = append(bad, apperr.Field{
			Field: "minimumHoldingRequirement", Code: apperr.CodeOutOfRange,
			Message: "Must be at least 1: base units of the token.",
		})
	}
	bad = append(bad, after.CheckPromise(before)...)
	return append(bad, p.CheckReadOnly(before)...)
}

// groupForm matches Telegram's ID of a group: its negative number, or its public name (Telegram Bot
// API, "chat_id"; names have 5 to 32 characters).
var groupForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(-[1-9][0-9]{0,18}|@[A-Za-z0-9_]{5,32})$`)
})

// checkGroup returns the error of a Telegram group's ID, or "" for a valid ID.
func checkGroup(id string) string {
	if id == "" || groupForm().MatchString(id) {
		return ""
	}
	return `Must be a group's id, such as "-1001234567890", its public name, such as "@group", or "" for none.`
}
