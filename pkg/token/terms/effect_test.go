package terms_test

import (
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token/terms"
)

// TestEffectOfEachField changes each field in both directions. Every field of the table has a case.
func TestEffectOfEachField(t *testing.T) {
	base := terms.Default(solana.PublicKey{1})
	base.Interval, base.MinimumHolding, base.SellBps, base.BurnBps, base.DeveloperFeeBps, base.MinimumHoldersBps = terms.EveryHour, 10, 5_000, 1_000, 1_000, 1_000
	base.ChangeDelay = terms.Delay24Hours
	seen := map[string]bool{}
	for _, c := range []struct {
		field  string
		change func(*terms.Settings)
		want   terms.Effect
		back   terms.Effect // of the opposite change
	}{
		{"distributionInterval", func(s *terms.Settings) { s.Interval = terms.Every24Hours }, terms.Lowers, terms.Raises},
		{"rewardToken", func(s *terms.Settings) { s.RewardToken = solana.TokenProgramID.String() }, terms.Lowers, terms.Lowers},
		{"minimumHoldingRequirement", func(s *terms.Settings) { s.MinimumHolding = 1<<64 - 1 }, terms.Lowers, terms.Raises},
		{"percentageToSellPerDistribution", func(s *terms.Settings) { s.SellBps-- }, terms.Lowers, terms.Raises},
		{"burnPercent", func(s *terms.Settings) { s.BurnBps++ }, terms.Lowers, terms.Raises},
		{"developerFeePercent", func(s *terms.Settings) { s.DeveloperFeeBps++ }, terms.Lowers, terms.Raises},
		{"developerWallet", func(s *terms.Settings) { s.DeveloperWallet = solana.PublicKey{2} }, terms.Neutral, terms.Neutral},
		{"creatorSplits", func(s *terms.Settings) {
			s.CreatorSplits = terms.NewSplits([]terms.Split{{Wallet: solana.PublicKey{1}, Bps: 4_000}, {Wallet: solana.PublicKey{2}, Bps: 6_000}})
		}, terms.Neutral, terms.Neutral},
		{"rewardBasis", func(s *terms.Settings) { s.RewardBasis = terms.BasisHeld }, terms.Lowers, terms.Lowers},
		{"minimumHoldersPercent", func(s *terms.Settings) { s.MinimumHoldersBps-- }, terms.Lowers, terms.Raises},
		{"changeDelay", func(s *terms.Settings) { s.ChangeDelay = terms.NoDelay }, terms.Lowers, terms.Raises},
		{"distributionEnabled", func(s *terms.Settings) { s.Enabled = false }, terms.Lowers, terms.Raises},
		{"telegramGroupId", func(s *terms.Settings) { s.TelegramGroupID = "-1" }, terms.Neutral, terms.Neutral},
	} {
		seen[c.field] = true
		after := base
		c.change(&after)
		for _, f := range terms.Fields() {
			want, back := terms.Neutral, terms.Neutral
			if f.Name == c.field {
				want, back = c.want, c.back
			}
			if got, got2 := f.Effect(base, after), f.Effect(after, base); got != want || got2 != back {
				t.Errorf("%s changed: Effect of %s = %d, %d; want %d, %d", c.field, f.Name, got, got2, want, back)
			}
		}
		after.BurnBps-- // a better share does not outweigh a lowered setting
		if got := len(terms.Lowered(base, after)) == 1; got != (c.want == terms.Lowers && c.field != "burnPercent") {
			t.Errorf("%s and a lower burn: lowers %v", c.field, got)
		}
	}
	for _, f := range terms.Fields() {
		if !seen[f.Name] {
			t.Errorf("%s has no case", f.Name)
		}
	}
}
