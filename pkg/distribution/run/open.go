package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/origin"
	"tokenlaunch.example/service/pkg/token/terms"
)

// payFor is the part of an interval, in percent, after which the run begins no new payment, so that
// a run is over when the next run is due.
const payFor = 80

// open writes a new run, with the settings as of the run's slot. A run that cannot begin is written
// as skipped, so that the creator sees the reason.
func (m Machine) open(ctx context.Context, head Head, slot time.Time) (payout.Next, error) {
	record, err := m.Tokens.TokenAt(ctx, head.Mint, slot)
	if errors.Is(err, token.ErrSettingsUnknown) {
		m.Log.WarnContext(ctx, "a slot is too old: its tax is in the next run", "mint", head.Mint.String(), "slot", slot)
		return done, nil
	}
	if err != nil {
		return payout.Next{}, fmt.Errorf("read token %s: %w", head.Mint, err)
	}
	now := m.Now().UTC()
	if head.Version == 0 && !m.Recovered.IsZero() && record.CreatedAt.After(m.Recovered) {
		head.Compared = now // no other stack ever paid for the token
	}
	if record.Status != token.Confirmed || head.Stopped(m.Recovered) {
		return done, nil
	}
	if head.rotates(record) {
		return m.openRotation(ctx, head, record, now)
	}
	if head.HandedOver == nil && slot.Equal(head.Ending) {
		m.last = true // also if the schedule opens this slot before the hand-over does
	}
	// A token that winds down is handed over first, by the same rules: see OpenClaim.
	if winding := record.WindDown.Begun(now); !m.last && (winding || head.HandedOver != nil) {
		if !winding || head.HandedOver == nil || slot.After(now) {
			return done, nil
		}
		return m.openRelease(ctx, head, record, slot)
	}
	// Check the slot: the function that accepts claims faces the internet and may write to the
	// queue, too.
	if slot.After(now) || !record.Settings.Interval.Slot(slot).Equal(slot) {
		m.Log.WarnContext(ctx, "a message names no slot of the token, or one to come", "mint", head.Mint.String(), "slot", slot)
		return done, nil
	}
	r := m.newRun(head, record, slot, now)
	if err := r.by(head, record); errors.Is(err, origin.ErrForged) {
		m.forged(ctx, head, err)
		return done, nil
	}
	from := slot
	if late := now.Sub(slot); late > record.Settings.Interval.Duration()*(100-payFor)/100 {
		from = now
	}
	r.Deadline = from.Add(record.Settings.Interval.Duration() * payFor / 100).UTC()

	if r.Reward.Asset, err = r.Settings.Reward(); err != nil {
		return payout.Next{}, fmt.Errorf("read the reward token: %w", err)
	}
	if m.last && head.HandedOver == nil {
		head.Look = nil // also a token that rests, or is switched off, has a last distribution
	} else if record.Settings.Enabled || m.last {
		var none bool
		if head, none, err = m.look(ctx, head, r, record); err != nil {
			return done, err
		}
		if none && head.dead(slot) {
			return m.sweepDead(ctx, head, slot)
		}
		if none {
			return done, nil
		}
	} else if head.dead(slot) {
		return m.sweepDead(ctx, head, slot)
	}
	coin, why, err := m.reward(ctx, r)
	if why == "" && len(assetsOf(coin.Asset, head.Owed, head.CreatorOwed, head.Remainder, head.Reserved)) >= maxArrears {
		why = fmt.Sprintf("Something is owed in %d other reward tokens still, which is the most. Choose one of those.", maxArrears)
	}
	switch {
	case err != nil:
		return payout.Next{}, err
	case !record.Settings.Enabled && !m.last:
		r.End = &End{Code: CodePaused, Detail: "Distribution is switched off. The tax continues to collect and is in the first run after it is switched on."}
	case why != "":
		r.End = &End{Code: CodeReward, Detail: why}
	}
	if r.End == nil {
		var forged bool
		if head, forged, err = m.origin(ctx, head, record); err != nil || forged {
			return done, err
		}
	}
	r.Reward = coin
	head.LastSlot = slot.UTC()
	if r.End != nil {
		r.End.At, r.End.Again, head.Ended = now, head.Ended == r.End.Code, r.End.Code
	} else {
		head.Active = slot.UTC()
	}
	if err := m.Store.Open(ctx, head, r); err != nil {
		return payout.Next{}, err
	}
	if r.End != nil {
		m.ended(ctx, r)
		return done, nil
	}
	return after(0), nil
}

// maxArrears is the maximum number of assets of a token's debts, in addition to the present
// reward. Every such asset is a leg of every run, and all legs share one item of the table.
const maxArrears = 16

// newRun returns a run of a slot, before the first step.
func (m Machine) newRun(head Head, record token.Record, slot, now time.Time) Run {
	return Run{
		ID: terms.RunID(record.Mint, slot), Mint: record.Mint, Slot: slot.UTC(), OpenedAt: now,
		Settings: record.Settings, SettingsVersion: record.SettingsVersion, SettingsSignature: record.SettingsSignature,
		SettingsNewest: record.SettingsNewest,
		Token: Token{
			ID: record.ID, Name: record.Name, Symbol: record.Symbol,
			Decimals: uint8(record.Decimals),        //nolint:gosec // 6 or 9
			FeeBps:   uint16(record.TransferFeeBps), //nolint:gosec // at most 10,000
			Wallet:   head.Wallet(record), Creator: record.Creator, Guardian: record.Guardian, Vaults: m.vaults(record),
		},
	}
}

// origin compares the record with the creator's signature, once for every version of the record. A
// slot with a forged record has no run, and raises an alarm.
func (m Machine) origin(ctx context.Context, head Head, record token.Record) (Head, bool, error) {
	mark := origin.Mark(record)
	if head.Origin == mark {
		return head, false, nil
	}
	err := m.Origins.Check(ctx, record)
	if errors.Is(err, origin.ErrForged) {
		m.forged(ctx, head, err)
		return head, true, nil
	}
	head.Origin = mark
	return head, false, err
}

// forged raises the alarm of a record that the creator did not sign.
func (m Machine) forged(ctx context.Context, head Head, err error) {
	m.Log.ErrorContext(ctx, "ALARM: a token's record is not what its creator signed: nothing is paid by it", "mint", head.Mint.String(), "error", err)
}

// vaults returns the owners of a token's vaults without duplicates: the owners of any pool, and of
// the pools that the record names.
func (m Machine) vaults(record token.Record) []solana.PublicKey {
	list := slices.Clone(m.Vaults)
	for _, pool := range record.Pools {
		if !pool.Authority.IsZero() {
			list = append(list, pool.Authority)
		}
	}
	slices.SortFunc(list, func(a, b solana.PublicKey) int { return bytes.Compare(a[:], b[:]) })
	return slices.Compact(list)
}

// begin creates the wallet's accounts and reads the balances.
func (m Machine) begin(ctx context.Context, head Head, r Run) (payout.Next, error) {
	balances, err := m.balances(ctx, r, 0)
	if err != nil {
		return payout.Next{}, err
	}
	begun := false // then the setup is paid already, and the balance need not cover the setup
	for _, err := range m.Payments.Payments(ctx, r.ID, payout.Setup, 0) {
		if err != nil {
			return payout.Next{}, fmt.Errorf("read the setup of run %s: %w", r.ID, err)
		}
		begun = true
	}
	if !begun {
		if why, err := m.tooLow(ctx, head, r, balances); err != nil {
			return payout.Next{}, err
		} else if why != "" {
			if begun, err := m.cancel(ctx, r, payout.Setup, 0, payout.ReasonFunds, why); begun || err != nil {
				return after(0), err
			}
			return m.end(ctx, head, r, End{Code: CodeWalletTooLow, Detail: why})
		}
	}
	if next, err := m.Engine.Require(ctx, r.requirements(head)); err != nil || !next.Done {
		return next, err
	}
	if balances, err = m.balances(ctx, r, balances.ChainSlot); err != nil {
		return payout.Next{}, err
	}
	r.Opening = &Opening{
		Balances: balances, Unsold: head.Unsold, Debts: head.Debts, Resolved: head.takeOver(),
	}
	if head.Last != nil {
		r.Opening.Previous, r.Opening.PreviousManifest = head.Last.Run, head.Last.Manifest
	}
	if r.held() {
		r.Opening.Before = head.Snapshot
	}
	if r.Kind() != Distribution {
		r.claims()
	}
	next, err := m.save(ctx, r)
	if err == nil {
		m.began(ctx, r)
	}
	return next, err
}
