package terms_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token/terms"
)

func TestPatchKeepsAbsentFields(t *testing.T) {
	before := terms.Default(other)
	before.TelegramGroupID = "@the_group"
	if got := (terms.Patch{}).Apply(before); got != before {
		t.Errorf("Patch{}.Apply returns %+v of %+v", got, before)
	}
	whole := terms.Settings{
		RewardToken: usdc.String(), MinimumHolding: 7, SellBps: 100, Enabled: false, Interval: terms.Every6Hours,
		BurnBps: 1, DeveloperFeeBps: 2, DeveloperWallet: usdc, TelegramGroupID: "",
	}
	got := terms.Patch{
		RewardToken: &whole.RewardToken, MinimumHolding: &whole.MinimumHolding, SellBps: &whole.SellBps,
		Enabled: &whole.Enabled, Interval: &whole.Interval, BurnBps: &whole.BurnBps,
		DeveloperFeeBps: &whole.DeveloperFeeBps, DeveloperWallet: &whole.DeveloperWallet, TelegramGroupID: &whole.TelegramGroupID,
	}.Apply(before)
	if got != whole {
		t.Errorf("got %+v, want %+v", got, whole)
	}
	wrapped := solana.WrappedSol.String()
	if got := (terms.Patch{RewardToken: &wrapped}).Apply(before); got.RewardToken != terms.RewardSOL {
		t.Errorf("wrapped SOL is paid as %s", got.RewardToken)
	}
}

func TestPatchIsCheckedWithPresentSettings(t *testing.T) {
	none := terms.Default(other)
	none.MinimumHolding = 0
	half := terms.Default(other)
	half.BurnBps, half.DeveloperFeeBps = 5_000, 5_000
	for name, c := range map[string]struct {
		before terms.Settings
		patch  terms.Patch
		field  string // empty: all is well
		code   string
	}{
		"nothing":                       {half, terms.Patch{}, "", ""},
		"both shares":                   {half, terms.Patch{BurnBps: new(10_000), DeveloperFeeBps: new(0)}, "", ""},
		"both shares, too much":         {half, terms.Patch{BurnBps: new(5_001), DeveloperFeeBps: new(5_000)}, "developerFeePercent", "invalid_percentage"},
		"the creator's share, too much": {half, terms.Patch{DeveloperFeeBps: new(5_001)}, "developerFeePercent", "invalid_percentage"},
		"the burned share, too much":    {half, terms.Patch{BurnBps: new(5_001)}, "burnPercent", "invalid_percentage"},
		"a share above 100 %":           {half, terms.Patch{BurnBps: new(10_001)}, "burnPercent", "invalid_percentage"},
		"sells nothing":                 {half, terms.Patch{SellBps: new(99)}, "percentageToSellPerDistribution", "invalid_percentage"},
		"a minimum of zero":             {half, terms.Patch{MinimumHolding: new(uint64(0))}, "minimumHoldingRequirement", "out_of_range"},
		"a minimum that was zero":       {none, terms.Patch{SellBps: new(100)}, "", ""},
		"a minimum that stays zero":     {none, terms.Patch{MinimumHolding: new(uint64(0))}, "", ""},
		"no interval":                   {half, terms.Patch{Interval: new(terms.Interval("2h"))}, "distributionInterval", "invalid_interval"},
		"no mint":                       {half, terms.Patch{RewardToken: new("USDC")}, "rewardToken", "invalid_format"},
		"no wallet":                     {half, terms.Patch{DeveloperWallet: new(solana.PublicKey{})}, "developerWallet", "invalid_wallet_address"},
		"a group":                       {half, terms.Patch{TelegramGroupID: new("-1001234567890")}, "", ""},
		"a group's name":                {half, terms.Patch{TelegramGroupID: new("@a_12z")}, "", ""},
		"the longest name":              {half, terms.Patch{TelegramGroupID: new("@" + strings.Repeat("a", 32))}, "", ""},
		"no group":                      {half, terms.Patch{TelegramGroupID: new("")}, "", ""},
		"a name that is too long":       {half, terms.Patch{TelegramGroupID: new("@" + strings.Repeat("a", 33))}, "telegramGroupId", "invalid_format"},
		"a name that is too short":      {half, terms.Patch{TelegramGroupID: new("@abcd")}, "telegramGroupId", "invalid_format"},
		"a name with another character": {half, terms.Patch{TelegramGroupID: new("@abc-de")}, "telegramGroupId", "invalid_format"},
		"a name without its sign":       {half, terms.Patch{TelegramGroupID: new("abcdef")}, "telegramGroupId", "invalid_format"},
		"a person":                      {half, terms.Patch{TelegramGroupID: new("1001234567890")}, "telegramGroupId", "invalid_format"},
		"only a minus":                  {half, terms.Patch{TelegramGroupID: new("-")}, "telegramGroupId", "invalid_format"},
		"two lines":                     {half, terms.Patch{TelegramGroupID: new("-100\n")}, "telegramGroupId", "invalid_format"},
		"an overflowing ID":             {half, terms.Patch{TelegramGroupID: new("-" + strings.Repeat("9", 20))}, "telegramGroupId", "invalid_format"},
	} {
		t.Run(name, func(t *testing.T) {
			bad := c.patch.Check(c.before)
			switch {
			case c.field == "" && len(bad) > 0, c.field != "" && len(bad) != 1:
				t.Fatalf("found %+v", bad)
			case c.field != "" && (bad[0].Field != c.field || bad[0].Code.String() != c.code || bad[0].Message == ""):
				t.Errorf("found %+v, want %s %s", bad[0], c.field, c.code)
			}
		})
	}
}

// TestPatchHasEachField tests that a creator can change every setting.
func TestPatchHasEachField(t *testing.T) {
	settings, patch := reflect.TypeFor[terms.Settings](), reflect.TypeFor[terms.Patch]()
	for f := range settings.Fields() {
		if in, ok := patch.FieldByName(f.Name); !ok || in.Type != reflect.PointerTo(f.Type) {
			t.Errorf("%s: the patch has %v, want a pointer to %s", f.Name, in.Type, f.Type)
		}
	}
	if settings.NumField() != patch.NumField() {
		t.Errorf("the patch has %d fields, want %d", patch.NumField(), settings.NumField())
	}
}
