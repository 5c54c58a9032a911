package settings

import (
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Order is a creator's signature over terms.OrderText of the settings that a change makes,
// or of those that stand when it changes nothing.
type Order struct {
	// Version is the number that those settings have.
	Version   int64
	Signature solana.Signature
}

// sign gives the version of the settings that stands after a change: next with the order's
// signature, or the newest one when next says nothing new, which is signed once. A nil
// order signs nothing. It fails with settings_version_conflict when the order is of another
// version, and with validation_failed when the signature is not the creator's.
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
