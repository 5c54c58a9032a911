package terms_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token/terms"
)

// TestMinimumForHoldersHolds plays a creator who tries to get below the minimum by every setting.
// Each rejection names the field, and a valid value.
func TestMinimumForHoldersHolds(t *testing.T) {
	t.Parallel()
	before := terms.Default(solana.PublicKey{1})
	before.BurnBps, before.DeveloperFeeBps, before.MinimumHoldersBps, before.MinimumHolding = 1_000, 2_000, 7_000, 5
	before.RewardToken = solana.PublicKey{7}.String()
	own := solana.PublicKey{9}.String()
	for name, c := range map[string]struct {
		patch        terms.Patch
		field, right string
	}{
		"a higher creator's share":            {terms.Patch{DeveloperFeeBps: new(2_001)}, "developerFeePercent", "must be at most 30"},
		"all for the creator":                 {terms.Patch{DeveloperFeeBps: new(10_000), BurnBps: new(0)}, "developerFeePercent", "must be at most 30"},
		"more burned":                         {terms.Patch{BurnBps: new(1_001)}, "burnPercent", "must be at most 30"},
		"a lower minimum":                     {terms.Patch{MinimumHoldersBps: new(6_999)}, "minimumHoldersPercent", "must be at least 70"},
		"no minimum, and all for the creator": {terms.Patch{MinimumHoldersBps: new(0), DeveloperFeeBps: new(9_000)}, "minimumHoldersPercent", "must be at least 70"},
		"a higher minimum than is paid":       {terms.Patch{MinimumHoldersBps: new(7_001)}, "minimumHoldersPercent", "Must be at most 70"},
		"a minimum of more than all":          {terms.Patch{MinimumHoldersBps: new(10_001)}, "minimumHoldersPercent", "from 0 to 100"},
		"a reward of the creator's own":       {terms.Patch{RewardToken: &own}, "rewardToken", `Must be "SOL"`},
		"a minimum holding for the creator":   {terms.Patch{MinimumHolding: new(uint64(6))}, "minimumHoldingRequirement", "must be at most 5"},
	} {
		bad := c.patch.Check(before)
		if len(bad) != 1 || bad[0].Field != c.field || !strings.Contains(bad[0].Message, c.right) {
			t.Errorf("%s: %v, want one error of %s with %q", name, bad, c.field, c.right)
		}
	}
	splits := terms.NewSplits([]terms.Split{{Wallet: solana.PublicKey{1}, Bps: 5_000}, {Wallet: solana.PublicKey{2}, Bps: 5_000}})
	for name, patch := range map[string]terms.Patch{
		"a share from creator to burn": {BurnBps: new(2_000), DeveloperFeeBps: new(1_000)},
		"splits of the same share":     {CreatorSplits: &splits},
		"SOL":                          {RewardToken: new(terms.RewardSOL)},
		"a lower minimum holding":      {MinimumHolding: new(uint64(1))},
		"a pause":                      {Enabled: new(false)},
		"a raised minimum, and the share that it needs": {MinimumHoldersBps: new(8_000), DeveloperFeeBps: new(1_000)},
	} {
		if bad := patch.Check(before); len(bad) > 0 {
			t.Errorf("Check(), %s: %v, want no errors", name, bad)
		}
	}
	before.ChangeDelay = terms.Delay24Hours
	for delay, ok := range map[terms.Delay]bool{terms.NoDelay: false, terms.Delay24Hours: true, terms.Delay7Days: true, "8d": false, terms.ParseDelay(""): false} {
		if bad := (terms.Patch{ChangeDelay: &delay}).Check(before); (len(bad) == 0) != ok || !ok && bad[0].Field != "changeDelay" {
			t.Errorf("a delay of %s: %v", delay, bad)
		}
	}
	before.MinimumHoldersBps, before.ChangeDelay = 0, terms.NoDelay
	if bad := (terms.Patch{DeveloperFeeBps: new(9_000), RewardToken: &own, MinimumHolding: new(uint64(9))}).Check(before); len(bad) > 0 {
		t.Errorf("without a minimum, everything is as before: %v", bad)
	}
	if names := slices.Collect(func(yield func(string) bool) {
		for _, f := range terms.Changed(before, terms.Patch{MinimumHoldersBps: new(1)}.Apply(before)) {
			yield(f.Name)
		}
	}); !slices.Equal(names, []string{"minimumHoldersPercent"}) {
		t.Errorf("the change is of %v", names)
	}
}

// The text of a launch's settings has the fields that CheckPromise compares, whatever else is chosen.
func TestLaunchPromiseReadsEveryText(t *testing.T) {
	t.Parallel()
	mint := solana.PublicKey{5}
	var text string
	cases := orders()
	for _, c := range orders() {
		c.settings.ChangeDelay = terms.Delay7Days
		cases = append(cases, c)
	}
	for _, c := range cases {
		text = terms.OrderText(mint, terms.LaunchVersion, c.settings)
		got, ok := terms.LaunchPromise(mint, text)
		want := c.settings
		want.Enabled, want.DeveloperWallet, want.CreatorSplits, want.TelegramGroupID = true, solana.PublicKey{}, "", ""
		if !ok || got != want {
			t.Errorf("%s: %+v, %v; want %+v", c.name, got, ok, want)
		}
	}
	for name, other := range map[string]string{
		"another token": terms.OrderText(solana.PublicKey{6}, terms.LaunchVersion, terms.Settings{}), "a later version": strings.Replace(text, "Version: 1", "Version: 2", 1),
		"a line feed behind": text + "\n", "another spelling of a number": strings.Replace(text, "Minimum holding: ", "Minimum holding: 0", 1),
		"two minimums":            strings.Replace(text, "Enabled", "Minimum for holders: 1 basis points\nMinimum for holders: 2 basis points\nEnabled", 1),
		"a number beyond 64 bits": strings.Replace(text, "Minimum holding: 1", "Minimum holding: 18446744073709551616", 1), "nothing": "",
	} {
		if got, ok := terms.LaunchPromise(mint, other); ok {
			t.Errorf("LaunchPromise(), %s = %+v, want none", name, got)
		}
	}
}
