package tokens

import (
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw/body"
	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
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
	d.TransferFeeBps = f.Percent("transferFeePercent", 0, terms.FullBps)
	d.Decimals = f.Int("decimals", 0, 255)
	d.Supply = f.Amount("supply")
	d.FeeAdjustable, _ = f.OptionalBool("transferFeeAdjustable")
	d.Immutable, _ = f.OptionalBool("immutableMetadata")
	d.Settings = contract.ReadSettings(f).Apply(d.Settings)
	return d
}
