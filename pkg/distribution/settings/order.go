package settings

import (
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Order is a creator's signature of terms.OrderText: of the changed settings, or of the present
// settings if the change changes nothing.
type Order struct {
	// Version is the number of the signed settings.
	Version   int64
	Signature solana.Signature
}

// sign returns the newest version after a change: next with the order's signature, or the present
// version if next has the same settings. A version is signed only once. A nil order signs nothing.
// It returns settings_version_conflict if the order names another version, and validation_failed if
// the signature is not the creator's.
func (o *Order) sign(before Current, next terms.Version) (terms.Version, error) {
	newest := before.Versions.Newest()
	if next.Settings == newest.Settings {
		next = newest
	}
	if o == nil {
		return next, nil
	}
	if o.Version != next.Number {
		return terms.Version{}, apperr.New(apperr.CodeSettingsVersionConflict, fmt.Sprintf(
			"The settings have version %d now, so the order of this change must be of version %d, and it is of version %d. Read the settings again, and sign what they become.",
			newest.Number, next.Number, o.Version))
	}
	creator, mint := before.Token.Creator, before.Token.Mint
	if err := terms.VerifyOrder(creator, mint, next.Number, next.Settings, o.Signature); err != nil {
		return terms.Version{}, apperr.Validation([]apperr.Field{{
			Field: "order.signature", Code: apperr.CodeInvalidSignature,
			Message: "Must be the signature of the token's creator, " + creator.String() +
				", over this text or over an off-chain message of version 0 or 1 with it (a transaction's signature is none):\n" +
				terms.OrderText(mint, next.Number, next.Settings),
		}})
	}
	if !next.Ordered() {
		next.Signature = o.Signature
	}
	return next, nil
}
