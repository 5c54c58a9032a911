package settings

import (
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Wanted is a creator's request for a change. Some fields can only repeat values that the service
// has returned; such a field is nil if the request omits the field.
type Wanted struct {
	Patch terms.Patch
	// TaxBps is the transfer tax. The creator changes the tax on the chain.
	TaxBps *int
	// Model is the distribution model.
	Model *string
	// EffectiveAt is the time from which the settings apply.
	EffectiveAt *time.Time
	// Version is the number of the settings. Ordered reports whether the creator signed the
	// settings.
	Version *int64
	Ordered *bool
	// Order is the creator's signature of the settings after the change; nil if the change is not
	// signed.
	Order *Order
}

// EffectiveAt returns the time of the next run of a token with these settings. The run uses the
// present settings unless the settings change before.
func EffectiveAt(s terms.Settings, now time.Time) time.Time { return s.Interval.Next(now) }

// CheckAlone returns the fields that are invalid for every token, for callers that must not learn a
// token's settings.
func (w Wanted) CheckAlone() []apperr.Field {
	anyKey := solana.TokenProgramID // any key except zero
	return append(w.Patch.Check(terms.Default(anyKey)), w.checkModel()...)
}

// Check returns every field that is invalid after the change of the token's settings at now,
// without the checks of CheckTax.
func (w Wanted) Check(t token.Record, now time.Time) []apperr.Field {
	bad := append(w.Patch.Check(t.Settings), w.checkModel()...)
	if w.Patch.DeveloperWallet != nil || w.Patch.CreatorSplits != nil {
		bad = append(bad, w.Patch.Apply(t.Settings).CheckWallet(t.Wallet.Address)...)
	}
	if w.EffectiveAt != nil && !told(t, *w.EffectiveAt, now) {
		bad = append(bad, apperr.Field{
			Field: "effectiveAt", Code: apperr.CodeReadOnly, Message: "Cannot be chosen: settings hold from the next distribution on.",
		})
	}
	if w.Version != nil && (*w.Version < terms.LaunchVersion || *w.Version > t.SettingsVersion) {
		bad = append(bad, apperr.Field{
			Field: "version", Code: apperr.CodeReadOnly, Message: "Cannot be chosen: the service counts the versions of the settings.",
		})
	}
	// A version that was returned as unsigned may be signed by now, but a signed version stays
	// signed.
	if newest := w.Version == nil || *w.Version == t.SettingsVersion; newest && w.Ordered != nil && *w.Ordered && t.SettingsSignature.IsZero() {
		bad = append(bad, apperr.Field{
			Field: "orderedByCreator", Code: apperr.CodeReadOnly, Message: "Cannot be chosen: send your signature as order instead.",
		})
	}
	return bad
}

func (w Wanted) checkModel() []apperr.Field {
	if w.Model == nil || *w.Model == terms.ModelProportional {
		return nil
	}
	return []apperr.Field{{
		Field: "distributionModel", Code: apperr.CodeReadOnly, Message: `Cannot be changed: it is always "proportional".`,
	}}
}

// told reports whether the service can have returned this time to the creator. Every boundary of
// the token's present interval since the launch qualifies.
func told(t token.Record, at, now time.Time) bool {
	next := EffectiveAt(t.Settings, t.HoldsFrom(now))
	return at.After(t.CreatedAt) && !at.After(next) && t.Settings.Interval.Slot(at).Equal(at)
}

// CheckTax rejects a tax on a token whose tax is locked, even the present tax.
func (w Wanted) CheckTax(t token.Record) []apperr.Field {
	if w.TaxBps == nil || t.FeeAdjustable {
		return nil
	}
	return []apperr.Field{{
		Field: "transferFeePercent", Code: apperr.CodeTransferFeeLocked,
		Message: "This token was launched with a tax that cannot be changed.",
	}}
}
