package tokens

import (
	"net/http"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/body"
	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// drafted returns the caller and the draft in the body of a creation, and the errors that the body
// alone shows.
func drafted(r *http.Request) (solana.PublicKey, token.Draft, error) {
	caller, err := apigw.CallerKey(r.Context())
	if err != nil {
		return solana.PublicKey{}, token.Draft{}, err
	}
	fields, err := body.Read(r)
	if err != nil {
		return solana.PublicKey{}, token.Draft{}, err
	}
	draft := readDraft(fields, caller).Normalize()
	fields.RejectAll(draft.Validate()...)
	return caller, draft, fields.Err()
}

// readDraft reads the body of create-unsigned, with defaults for omitted fields. It rejects missing
// fields and fields of the wrong type in f. Draft.Validate rejects other invalid values.
func readDraft(f *body.Fields, caller solana.PublicKey) token.Draft {
	d := token.DefaultDraft(caller)
	d.Name, d.Symbol = f.String("name"), f.String("symbol")
	d.Description, _ = f.OptionalString("description")
	d.ImageURI, d.WalletID = f.String("imageUri"), f.String("walletId")
	for site, link := range d.EachLink() {
		*link, _ = f.OptionalString(site.Name)
	}
	d.TransferFeeBps = f.Percent("transferFeePercent", 0, terms.FullBps)
	d.Decimals = f.Int("decimals", 0, 255)
	d.Supply = f.Amount("supply")
	d.FeeAdjustable, _ = f.OptionalBool("transferFeeAdjustable")
	d.Immutable, _ = f.OptionalBool("immutableMetadata")
	if text, ok := f.OptionalString("guardian"); ok {
		key, err := solana.PublicKeyFromBase58(text)
		if err != nil {
			f.Reject("guardian", apperr.CodeInvalidWalletAddress, "Must be the address of the guardian of this service.")
		}
		d.Guardian = key
	}
	patch := contract.ReadSettings(f)
	f.RejectAll(patch.CheckReadOnly(d.Settings)...)
	d.Settings = patch.Apply(d.Settings)
	return d
}
