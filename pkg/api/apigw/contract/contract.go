// Package contract has the JSON forms that several endpoints share, in requests and responses, so
// that the forms are the same everywhere: amounts, percentages, distribution settings, and
// transactions to sign.
package contract

import (
	"encoding/json"
	"strconv"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw/body"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/auth"
	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Amount formats base units of a token, or lamports.
func Amount(n uint64) string { return strconv.FormatUint(n, 10) }

// Percent formats basis points as a JSON number of percent: 250 is 2.5.
func Percent(bps int) json.Number { return json.Number(decimal.Percent(bps)) }

// Settings are a token's distribution settings.
type Settings struct {
	RewardToken                     string      `json:"rewardToken"`
	DistributionModel               string      `json:"distributionModel"`
	MinimumHoldingRequirement       string      `json:"minimumHoldingRequirement"`
	PercentageToSellPerDistribution json.Number `json:"percentageToSellPerDistribution"`
	DistributionEnabled             bool        `json:"distributionEnabled"`
	DistributionInterval            string      `json:"distributionInterval"`
	BurnPercent                     json.Number `json:"burnPercent"`
	DeveloperFeePercent             json.Number `json:"developerFeePercent"`
	DeveloperWallet                 string      `json:"developerWallet"`
	CreatorSplits                   []Split     `json:"creatorSplits"`
	RewardBasis                     string      `json:"rewardBasis"`
	MinimumHoldersPercent           json.Number `json:"minimumHoldersPercent"`
	ChangeDelay                     string      `json:"changeDelay"`
	TelegramGroupID                 string      `json:"telegramGroupId"`
}

// Split is one wallet's part of the creator's share.
type Split struct {
	Wallet  string      `json:"wallet"`
	Percent json.Number `json:"percent"`
}

// newSplits converts splits. Without splits the list is empty.
func newSplits(s terms.Splits) []Split {
	list := []Split{}
	for _, one := range s.List() {
		list = append(list, Split{Wallet: one.Wallet.String(), Percent: Percent(one.Bps)})
	}
	return list
}

// NewSettings converts settings.
func NewSettings(s terms.Settings) Settings {
	return Settings{
		RewardToken: s.RewardToken, DistributionModel: terms.ModelProportional,
		MinimumHoldingRequirement:       Amount(s.MinimumHolding),
		PercentageToSellPerDistribution: Percent(s.SellBps), DistributionEnabled: s.Enabled,
		DistributionInterval: string(s.Interval), BurnPercent: Percent(s.BurnBps),
		DeveloperFeePercent: Percent(s.DeveloperFeeBps), DeveloperWallet: s.DeveloperWallet.String(),
		CreatorSplits: newSplits(s.CreatorSplits), RewardBasis: s.RewardBasis.String(),
		MinimumHoldersPercent: Percent(s.MinimumHoldersBps), ChangeDelay: s.ChangeDelay.String(), TelegramGroupID: s.TelegramGroupID,
	}
}

// ReadSettings reads the settings that a creator may choose at a launch and later. It rejects
// values of the wrong form in f. Package distribution checks the combination of the values.
func ReadSettings(f *body.Fields) terms.Patch {
	p := terms.Patch{
		BurnBps:           given(f.OptionalPercent("burnPercent", 0, terms.FullBps)),
		DeveloperFeeBps:   given(f.OptionalPercent("developerFeePercent", 0, terms.FullBps)),
		SellBps:           given(f.OptionalPercent("percentageToSellPerDistribution", 100, terms.FullBps)),
		MinimumHoldersBps: given(f.OptionalPercent("minimumHoldersPercent", 0, terms.FullBps)),
		MinimumHolding:    given(f.OptionalAmount("minimumHoldingRequirement")),
		RewardToken:       given(f.OptionalString("rewardToken")),
	}
	if interval, ok := f.OptionalString("distributionInterval"); ok {
		p.Interval = new(terms.Interval(interval))
	}
	if address, ok := f.OptionalString("developerWallet"); ok {
		p.DeveloperWallet = readWallet(f, "developerWallet", address)
	}
	var splits []terms.Split
	if f.OptionalList("creatorSplits", terms.MaxSplits, func(one *body.Fields) { splits = append(splits, readSplit(one)) }) {
		p.CreatorSplits = new(terms.NewSplits(splits))
	}
	if word, ok := f.OptionalString("rewardBasis"); ok {
		p.RewardBasis = new(terms.ParseBasis(word))
	}
	if word, ok := f.OptionalString("changeDelay"); ok {
		p.ChangeDelay = new(terms.ParseDelay(word))
	}
	return p
}

// readSplit reads one wallet's part of the creator's share.
func readSplit(f *body.Fields) (s terms.Split) {
	if address := f.String("wallet"); address != "" {
		s.Wallet = *readWallet(f, "wallet", address)
	}
	s.Bps = f.Percent("percent", 1, terms.FullBps-1)
	return s
}

// readWallet reads a wallet's address. If the address is invalid, readWallet rejects the field in f
// and returns the zero key.
func readWallet(f *body.Fields, name, address string) *solana.PublicKey {
	key, ok := auth.ParseWallet(address)
	if !ok {
		f.Reject(name, apperr.CodeInvalidWalletAddress, "Must be a Solana address: 32 bytes in base58.")
	}
	return &key
}

// given returns a pointer to value, or nil if ok is false.
func given[T any](value T, ok bool) *T {
	if !ok {
		return nil
	}
	return &value
}
