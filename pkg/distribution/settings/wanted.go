package settings

import (
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Wanted is all that a creator may send to change. The fields in which they can only repeat
// what they were told are here too: nil when they left them out.
type Wanted struct {
	Patch terms.Patch
	// TaxBps is the transfer tax; it is changed on the chain, by the creator.
	TaxBps *int
	// Model is the distribution model.
	Model *string
	// EffectiveAt is from when the settings hold.
	EffectiveAt *time.Time
	// Version numbers the settings, and Ordered is whether their creator signed them.
	Version *int64
	Ordered *bool
	// Order is the creator's signature over the settings as they are after the change;
	// nil: the change is not signed.
	Order *Order
}

// EffectiveAt is when the next run of a token with these settings is due: it
// takes them as they are now, unless they change before.
func EffectiveAt(s terms.Settings, now time.Time) time.Time { return s.Interval.Next(now) }

// CheckAlone lists the fields that are not valid on whatever token: it is for
// callers who are not to learn what another one's settings are.
func (w Wanted) CheckAlone() []apperr.Field {
	anyKey := solana.TokenProgramID // any key but zero
	return append(w.Patch.Check(terms.Default(anyKey)), w.checkModel()...)
}

// Check lists every field that is not valid once the change is merged into the
// token's settings at now, but for what CheckTax says.
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
	// A version that was told to be unsigned may have been signed since, never the reverse.
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

// told says whether a creator can have been told this time: as long as their token's
// interval is the one that it has, every boundary since its launch.
func told(t token.Record, at, now time.Time) bool {
	next := EffectiveAt(t.Settings, now)
	return at.After(t.CreatedAt) && !at.After(next) && t.Settings.Interval.Slot(at).Equal(at)
}

// CheckTax refuses another tax, also the same one, on a token whose tax is locked.
func (w Wanted) CheckTax(t token.Record) []apperr.Field {
	if w.TaxBps == nil || t.FeeAdjustable {
		return nil
	}
	return []apperr.Field{{
		Field: "transferFeePercent", Code: apperr.CodeTransferFeeLocked,
		Message: "This token was launched with a tax that cannot be changed.",
	}}
}
