// Package terms defines the division of a token's tax: the settings that the creator chooses, and
// their valid values.
package terms

import (
	"fmt"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
)

// RewardSOL is the reward token that stands for SOL itself.
const RewardSOL = "SOL"

// ModelProportional is the only distribution model: every holder's share is in proportion to the
// holder's balance.
const ModelProportional = "proportional"

// FullBps is 100 percent in basis points, the unit of all shares here.
const FullBps = 10_000

// Settings are the rules for the distribution of a token's tax. Shares are in basis points.
type Settings struct {
	// RewardToken is RewardSOL or the base58 address of a mint.
	RewardToken string
	// MinimumHolding is in base units of the token; zero means no minimum.
	MinimumHolding uint64
	// SellBps is the part of the collected tax that a run distributes, 100 to 10,000.
	SellBps int
	Enabled bool
	// Interval is the interval between due runs.
	Interval Interval
	// BurnBps is the burned part of a run's amount.
	BurnBps int
	// DeveloperFeeBps is the creator's part of a run's amount. The sum with BurnBps is at most
	// 10,000.
	DeveloperFeeBps int
	// DeveloperWallet receives the creator's part unless CreatorSplits divide it.
	DeveloperWallet solana.PublicKey
	// CreatorSplits divide the creator's part among several wallets.
	CreatorSplits Splits `json:",omitzero"`
	// RewardBasis is the rule for the balance of a holder that counts.
	RewardBasis Basis `json:",omitzero"`
	// MinimumHoldersBps is the minimum of HoldersBps. The creator can only raise the minimum.
	MinimumHoldersBps int `json:",omitzero"`
	// ChangeDelay delays changes that lower what holders get. The creator can only raise the delay.
	ChangeDelay Delay `json:",omitzero"`
	// TelegramGroupID is the group that receives notifications; empty means no group.
	TelegramGroupID string
}

// Default returns the settings of a token whose creator chose nothing.
func Default(creator solana.PublicKey) Settings {
	return Settings{
		RewardToken:     RewardSOL,
		MinimumHolding:  1,
		SellBps:         FullBps,
		Enabled:         true,
		Interval:        EveryHour,
		DeveloperWallet: creator,
	}
}

// Validate lists the invalid fields, under their names in the API.
func (s Settings) Validate() []apperr.Field {
	return append(s.validate(s.Interval.Valid(), "Must be one of "+intervalWords()+"."), s.ChangeDelay.validate()...)
}

// ValidateProven is Validate for the settings of a proof. Every interval and every delay with a
// duration is valid, so that a verifier accepts proofs with an interval that is newer than the verifier.
func (s Settings) ValidateProven() []apperr.Field {
	bad := s.validate(s.Interval.Duration() > 0, `Must be a number of minutes, hours or days, such as "48h".`)
	return append(bad, s.ChangeDelay.check(s.ChangeDelay == NoDelay || s.ChangeDelay.Duration() > 0)...)
}

func (s Settings) validate(intervalOK bool, wantInterval string) []apperr.Field {
	var bad []apperr.Field
	reject := func(field string, code apperr.Code, message string) {
		bad = append(bad, apperr.Field{Field: field, Code: code, Message: message})
	}
	if !intervalOK {
		reject("distributionInterval", apperr.CodeInvalidInterval, wantInterval)
	}
	if s.SellBps < 100 || s.SellBps > FullBps {
		reject("percentageToSellPerDistribution", apperr.CodeInvalidPercentage, "Must be a percentage from 1 to 100.")
	}
	burnOK := s.BurnBps >= 0 && s.BurnBps <= FullBps
	if !burnOK {
		reject("burnPercent", apperr.CodeInvalidPercentage, "Must be a percentage from 0 to 100.")
	}
	feeOK := s.DeveloperFeeBps >= 0 && s.DeveloperFeeBps <= FullBps
	if !feeOK {
		reject("developerFeePercent", apperr.CodeInvalidPercentage, "Must be a percentage from 0 to 100.")
	}
	if burnOK && feeOK && s.BurnBps+s.DeveloperFeeBps > FullBps {
		reject("developerFeePercent", apperr.CodeInvalidPercentage, "burnPercent and developerFeePercent together must be at most 100.")
	} else if burnOK && feeOK {
		bad = append(bad, s.checkFloor()...)
	}
	if s.DeveloperWallet.IsZero() {
		reject("developerWallet", apperr.CodeInvalidWalletAddress, "Must be a Solana address: 32 bytes in base58.")
	}
	bad = append(bad, s.CreatorSplits.validate()...)
	bad = append(bad, s.RewardBasis.validate()...)
	if s.RewardToken != RewardSOL {
		if !isAddress(s.RewardToken) {
			reject("rewardToken", apperr.CodeInvalidFormat, `Must be "SOL" or the address of a mint.`)
		}
	}
	if why := checkGroup(s.TelegramGroupID); why != "" {
		reject("telegramGroupId", apperr.CodeInvalidFormat, why)
	}
	return bad
}

// maxAddressLength is the maximum length of 32 bytes in base58. The limit bounds the time of
// decoding, which is quadratic in the length.
const maxAddressLength = 44

func isAddress(text string) bool {
	if len(text) > maxAddressLength {
		return false
	}
	_, err := solana.PublicKeyFromBase58(text)
	return err == nil
}

func intervalWords() string {
	words := make([]string, 0, len(intervals))
	for _, known := range Intervals() {
		words = append(words, string(known))
	}
	return fmt.Sprintf("%s or %s", strings.Join(words[:len(words)-1], ", "), words[len(words)-1])
}

// CheckWallet lists the fields that are not valid for a token with this distribution wallet. The
// distribution wallet cannot receive the creator's part, because this wallet pays the part.
func (s Settings) CheckWallet(wallet solana.PublicKey) []apperr.Field {
	var bad []apperr.Field
	for i, one := range s.Creators() {
		if one.Wallet != wallet {
			continue
		}
		field := "developerWallet"
		if s.CreatorSplits != "" {
			field = splitField(i, "wallet")
		}
		bad = append(bad, apperr.Field{
			Field: field, Code: apperr.CodeInvalidWalletAddress,
			Message: "Must be another wallet than the token's distribution wallet.",
		})
	}
	return bad
}
