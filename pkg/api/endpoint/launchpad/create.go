package launchpad

import (
	"net/http"
	"time"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/body"
	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/launchpad"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/auth"
)

func (e Endpoint) create(w http.ResponseWriter, r *http.Request) error {
	caller, err := apigw.CallerKey(r.Context())
	if err != nil {
		return err
	}
	fields, err := body.Read(r)
	if err != nil {
		return err
	}
	draft := readDraft(fields)
	fields.RejectAll(draft.Validate()...)
	if err := fields.Err(); err != nil {
		return err
	}
	created, err := market.Prepare(r.Context(), e.Limiter, apigw.SourceIP(r.Context()), func() (launchpad.Created, error) {
		return e.Curves.Create(r.Context(), caller, draft)
	})
	if err != nil {
		return err
	}
	return apigw.WriteJSON(w, http.StatusOK, newCreatedBody(created))
}

// readDraft reads the body of a creation, with defaults for omitted fields. It rejects values of
// the wrong form or out of range in f. Draft.Validate rejects invalid combinations.
func readDraft(f *body.Fields) launchpad.Draft {
	d := launchpad.Draft{Multiplier: launchpad.DefaultMultiplier, Locked: true, FeeBps: launchpad.DefaultFeeBps}
	mint := f.String("tokenMint")
	var ok bool
	if d.Mint, ok = auth.ParseWallet(mint); !ok {
		f.Reject("tokenMint", apperr.CodeInvalidFormat, "Must be the address of a mint: 32 bytes in base58.")
	}
	d.Tokens = f.Amount("tokenAmount")
	target, given := f.OptionalDecimal("targetMarketCap")
	unit, _ := f.OptionalString("targetMarketCapUnit")
	if given {
		var bad apperr.Field
		if d.TargetLamports, bad = launchpad.Target(target, unit); bad.Field != "" {
			f.RejectAll(bad)
		}
	} else {
		f.Reject("targetMarketCap", apperr.CodeRequired, "This field is required.")
	}
	if multiplier, ok := f.OptionalHundredths("priceMultiplier", launchpad.LowestMultiplier, launchpad.HighestMultiplier); ok {
		d.Multiplier = multiplier
	}
	if locked, ok := f.OptionalBool("lockLiquidity"); ok {
		d.Locked = locked
	}
	if bps, ok := f.OptionalPercent("tradeFeePercent", launchpad.LowestFeeBps, launchpad.HighestFeeBps); ok {
		d.FeeBps = bps
	}
	if bps, ok := f.OptionalPercent("antiSniperFeePercent", launchpad.LowestFeeBps, launchpad.HighestSniperBps); ok {
		d.SniperBps = bps
	}
	if minutes, ok := f.OptionalInt("antiSniperMinutes", 1, launchpad.HighestMinutes); ok {
		d.Window = time.Duration(minutes) * time.Minute
	}
	d.InitialLamports, _ = f.OptionalAmount("initialBuyLamports")
	if text, ok := f.OptionalString("startsAt"); ok {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil || at.Unix() <= 0 {
			f.Reject("startsAt", apperr.CodeInvalidFormat, "Must be a time in RFC 3339, such as \"2026-11-25T18:00:00Z\".")
		} else {
			d.StartsAt = at.UTC().Truncate(time.Second)
		}
	}
	return d
}
