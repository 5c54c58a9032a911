package terms

import (
	"cmp"
	"strconv"
	"strings"

	"tokenlaunch.example/service/pkg/platform/decimal"
)

// Field is a setting: its names, and its value as texts. Webhooks, notices, signed orders and the
// command line are all generated from the fields.
type Field struct {
	// Name is the name in the API.
	Name string
	// Label is the name for people.
	Label string
	// Text returns the value in webhooks. Two values are equal if their texts are equal.
	Text func(Settings) string
	// Words returns the value for people.
	Words func(Settings) string
	// Private means that webhooks contain the name of the field, but not the value.
	Private bool
	// ordered returns the lines of the field in OrderText. Nil means that the creator does not
	// sign the field.
	ordered func(Settings) []string
	// holders returns the effect of a changed value on holders. Nil means that every change may
	// lower what holders get.
	holders func(before, after Settings) Effect
}

// fields has each field of Settings once, in the order of OrderText.
var fields = []Field{
	text("distributionInterval", "Interval", "Interval: ", func(s Settings) string { return string(s.Interval) }).
		worth(func(s Settings) int64 { return -int64(s.Interval.Duration()) }),
	text("rewardToken", "Reward token", "Reward token: ", func(s Settings) string { return s.RewardToken }),
	{
		Name: "minimumHoldingRequirement", Label: "Minimum holding, base units", Text: minimum, Words: minimum,
		holders: func(before, after Settings) Effect {
			return effect(cmp.Compare(before.MinimumHolding, after.MinimumHolding))
		},
		ordered: func(s Settings) []string { return []string{"Minimum holding: " + minimum(s) + " base units"} },
	},
	share("percentageToSellPerDistribution", "Sold per distribution", "Sell: ", func(s Settings) int { return s.SellBps }).
		worth(func(s Settings) int64 { return int64(s.SellBps) }),
	share("burnPercent", "Burned", "Burn: ", func(s Settings) int { return s.BurnBps }).
		worth(func(s Settings) int64 { return -int64(s.BurnBps) }),
	share("developerFeePercent", "Creator's share", "Developer fee: ", func(s Settings) int { return s.DeveloperFeeBps }).
		worth(func(s Settings) int64 { return -int64(s.DeveloperFeeBps) }),
	text("developerWallet", "Creator's wallet", "Developer wallet: ", func(s Settings) string { return s.DeveloperWallet.String() }).
		neutral(),
	{
		Name: "creatorSplits", Label: "Creator's wallets", holders: unaffected,
		Text:  func(s Settings) string { return s.CreatorSplits.each("=", "") },
		Words: func(s Settings) string { return cmp.Or(s.CreatorSplits.each(" ", "%"), "one") },
		ordered: func(s Settings) (lines []string) {
			for _, one := range s.CreatorSplits.List() {
				lines = append(lines, "Creator split: "+strconv.Itoa(one.Bps)+" basis points to "+one.Wallet.String())
			}
			return lines
		},
	},
	{
		Name: "rewardBasis", Label: "Holders are paid by",
		Text: func(s Settings) string { return s.RewardBasis.String() },
		Words: func(s Settings) string {
			if s.RewardBasis == BasisHeld {
				return "what they held in this snapshot and the one before"
			}
			return "what they hold in the snapshot"
		},
		ordered: func(s Settings) []string {
			if s.RewardBasis == BasisSnapshot {
				return nil
			}
			return []string{"Reward basis: " + s.RewardBasis.String()}
		},
	},
	Field{
		Name: minimumHolders, Label: "Holders get at least",
		Text:  func(s Settings) string { return decimal.Percent(s.MinimumHoldersBps) },
		Words: func(s Settings) string { return decimal.Percent(s.MinimumHoldersBps) + "%" },
		ordered: func(s Settings) []string {
			if s.MinimumHoldersBps == 0 {
				return nil
			}
			return []string{"Minimum for holders: " + strconv.Itoa(s.MinimumHoldersBps) + " basis points"}
		},
	}.worth(func(s Settings) int64 { return int64(s.MinimumHoldersBps) }),
	Field{
		Name: changeDelay, Label: "Delay of lowering changes",
		Text:  func(s Settings) string { return s.ChangeDelay.String() },
		Words: func(s Settings) string { return s.ChangeDelay.String() },
		ordered: func(s Settings) []string {
			if s.ChangeDelay == NoDelay {
				return nil
			}
			return []string{"Change delay: " + string(s.ChangeDelay)}
		},
	}.worth(func(s Settings) int64 { return int64(s.ChangeDelay.Duration()) }),
	{
		Name: "distributionEnabled", Label: "Distribution",
		holders: func(_, after Settings) Effect {
			if after.Enabled {
				return Raises
			}
			return Lowers
		},
		Text:    func(s Settings) string { return strconv.FormatBool(s.Enabled) },
		Words:   func(s Settings) string { return either(s.Enabled, "on", "off") },
		ordered: func(s Settings) []string { return []string{"Enabled: " + either(s.Enabled, "yes", "no")} },
	},
	{Name: "telegramGroupId", Label: "Telegram group", Text: group, Words: group, Private: true, holders: unaffected},
}

// Fields lists the settings in the order of OrderText.
func Fields() []Field { return fields }

// Changed lists the settings whose values differ.
func Changed(before, after Settings) (list []Field) {
	for _, f := range fields {
		if f.Text(before) != f.Text(after) {
			list = append(list, f)
		}
	}
	return list
}

// text returns a field whose texts for webhooks, people and orders are the same.
func text(name, label, line string, value func(Settings) string) Field {
	return Field{
		Name: name, Label: label, Text: value, Words: value,
		ordered: func(s Settings) []string { return []string{line + value(s)} },
	}
}

// share returns a field in basis points.
func share(name, label, line string, bps func(Settings) int) Field {
	return Field{
		Name: name, Label: label,
		Text:    func(s Settings) string { return decimal.Percent(bps(s)) },
		Words:   func(s Settings) string { return decimal.Percent(bps(s)) + "%" },
		ordered: func(s Settings) []string { return []string{line + strconv.Itoa(bps(s)) + " basis points"} },
	}
}

func minimum(s Settings) string { return strconv.FormatUint(s.MinimumHolding, 10) }

func group(s Settings) string { return s.TelegramGroupID }

func either(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}

// each returns a list of the wallets, with the percentage of each wallet.
func (s Splits) each(between, sign string) string {
	words := make([]string, 0, MaxSplits)
	for _, one := range s.List() {
		words = append(words, one.Wallet.String()+between+decimal.Percent(one.Bps)+sign)
	}
	return strings.Join(words, ", ")
}
