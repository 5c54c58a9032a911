package tokens

import (
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/apigw/body"
	"tokenlaunch.example/service/pkg/apperr"
	"tokenlaunch.example/service/pkg/auth"
	"tokenlaunch.example/service/pkg/distribution"
	"tokenlaunch.example/service/pkg/token"
)

// readDraft reads the body of create-unsigned over the defaults. What is of the
// wrong type or missing is noted in f; the rest is for Draft.Validate.
func readDraft(f *body.Fields, caller solana.PublicKey) token.Draft {
	d := token.DefaultDraft(caller)
	d.Name, d.Symbol = f.String("name"), f.String("symbol")
	d.Description, _ = f.OptionalString("description")
	d.ImageURI, d.WalletID = f.String("imageUri"), f.String("walletId")
	d.Twitter, _ = f.OptionalString("twitter")
	d.Telegram, _ = f.OptionalString("telegram")
	d.Website, _ = f.OptionalString("website")
	d.TransferFeeBps = f.Percent("transferFeePercent", 0, distribution.FullBps)
	d.Decimals = f.Int("decimals", 0, 255)
	d.Supply = f.Amount("supply")
	d.FeeAdjustable, _ = f.OptionalBool("transferFeeAdjustable")
	d.Immutable, _ = f.OptionalBool("immutableMetadata")
	readSettings(f, &d.Settings)
	return d
}

// readSettings reads the distribution settings that the body has.
func readSettings(f *body.Fields, s *distribution.Settings) {
	optional(&s.BurnBps)(f.OptionalPercent("burnPercent", 0, distribution.FullBps))
	optional(&s.DeveloperFeeBps)(f.OptionalPercent("developerFeePercent", 0, distribution.FullBps))
	optional(&s.SellBps)(f.OptionalPercent("percentageToSellPerDistribution", 100, distribution.FullBps))
	optional(&s.MinimumHolding)(f.OptionalAmount("minimumHoldingRequirement"))
	optional(&s.RewardToken)(f.OptionalString("rewardToken"))
	if interval, ok := f.OptionalString("distributionInterval"); ok {
		s.Interval = distribution.Interval(interval)
	}
	if address, ok := f.OptionalString("developerWallet"); ok {
		key, ok := auth.ParseWallet(address)
		if !ok {
			f.Reject("developerWallet", apperr.CodeInvalidWalletAddress, "Must be a Solana address: 32 bytes in base58.")
		}
		s.DeveloperWallet = key
	}
}

// optional sets target when a value was given.
func optional[T any](target *T) func(value T, ok bool) {
	return func(value T, ok bool) {
		if ok {
			*target = value
		}
	}
}
