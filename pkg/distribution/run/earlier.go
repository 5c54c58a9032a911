package run

import (
	"context"
	"fmt"
	"time"

	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/origin"
	"tokenlaunch.example/service/pkg/token/terms"
)

// inForce returns the version in force of a record of a slot.
func inForce(record token.Record) terms.Version {
	return terms.Version{Settings: record.Settings, Number: record.SettingsVersion, Signature: record.SettingsSignature}
}

// paid returns the facts that decide the settings of a token's next run: of the last proof, or of the
// launch before the first proof. ok is false for a token without a delay.
func (h Head) paid(record token.Record) (p terms.Paid, ok bool, err error) {
	switch launched := record.Launched; {
	case h.Paid != nil:
		return *h.Paid, true, nil
	case h.Last != nil || launched.ChangeDelay == terms.NoDelay:
		return terms.Paid{}, false, nil
	case terms.OrderHash(record.Mint, terms.LaunchVersion, launched.Settings) != record.LaunchTerms:
		return terms.Paid{}, false, fmt.Errorf("token %s: %w: the settings of the launch were others", record.Mint, origin.ErrForged)
	default:
		return terms.Paid{Version: launched}, true, nil
	}
}

// Divides returns the settings that divide the tax of the distribution in a slot, of a record with the
// settings in force at the slot. The part to sell is what the distribution takes up.
func (h Head) Divides(record token.Record, slot time.Time) terms.Settings {
	if h.Paid == nil {
		return record.Settings
	}
	p := h.Paid.Due(inForce(record), slot, true)
	if p.Next != nil {
		p.Version.SellBps = terms.FullBps
	}
	return p.Version.Settings
}

// by makes a run divide by the settings before a change that lowers what holders get, if the tax
// withheld before is not divided yet; see terms.Paid.
func (r *Run) by(head Head, record token.Record) error {
	before, ok, err := head.paid(record)
	if err != nil || !ok {
		return err
	}
	now := before.Due(inForce(record), r.Slot, r.Kind() == Distribution)
	r.Settings, r.SettingsVersion, r.SettingsSignature = now.Version.Settings, now.Version.Number, now.Version.Signature
	r.Next, r.Since = now.Next, now.Since
	return nil
}

// Paid returns the facts of the run that decide the settings of the next run. Done is right only after
// the sale.
func (r Run) Paid() terms.Paid {
	return terms.Paid{
		Version: terms.Version{Settings: r.Settings, Number: r.SettingsVersion, Signature: r.SettingsSignature},
		Next:    r.Next, Since: r.Since, Done: r.Next != nil && r.took(),
	}
}

// took reports whether a distribution left none of the tokens that it took up. A postponed run leaves all
// tokens. A verifier derives the same from the manifest (format.Manifest.Paid).
func (r Run) took() bool {
	if r.Kind() != Distribution || r.Split == nil || r.Burn == nil || r.Fuel == nil || r.Exchange == nil {
		return false
	}
	sold := r.Exchange.Sold > 0 || r.Fuel.Sold > 0 || r.Exchange.Proceeds > 0
	return r.Unsold() == 0 && r.Burn.Amount >= r.Split.Burn && (sold || r.Split.Sell == 0)
}

// sellBps returns the part of the collected tax that the run takes up: all of it by earlier settings.
func (r Run) sellBps() int {
	if r.Next != nil {
		return terms.FullBps
	}
	return r.Settings.SellBps
}

// reward returns the asset in which the run pays; see coin. A run by earlier settings pays in SOL if
// their reward cannot be paid any more, because later settings would never begin otherwise.
func (m Machine) reward(ctx context.Context, r Run) (coin Currency, why string, err error) {
	if coin, why, err = m.coin(ctx, r.Settings); err != nil || why == "" || r.Next == nil {
		return coin, why, err
	}
	return m.currencyOf(ctx, terms.SOL)
}
