package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// A claim is a run that pays what is owed and nothing else: it collects, burns, sells and
// shares out nothing. Holders ask for one, and a dead token is swept by one. It is opened,
// planned, paid, proven and settled as any run, so it is safe against whatever a run is safe
// against; what it leaves owed is in its rows, as after any run.

// Asked says whether an owner is paid.
func (c Claim) Asked(owner solana.PublicKey) bool {
	_, found := slices.BinarySearchFunc(c.Owners, owner, func(a, b solana.PublicKey) int { return bytes.Compare(a[:], b[:]) })
	return c.Sweep || found
}

const (
	// ClaimPause is the least time between two claims of a token. A distribution that is due
	// comes between them, however many holders ask.
	ClaimPause = 5 * time.Minute
	// claimTime is how long a claim begins payments: the slot that comes meanwhile waits. A sweep
	// has as long as a distribution.
	claimTime = 2 * time.Minute
	// MostClaimants is how many holders one claim pays. Those who asked first come first.
	MostClaimants = 60
	// ClaimLasts is how long an order to pay a claim waits for its turn.
	ClaimLasts = time.Hour
	// DeadAfter is how long a token has brought nothing that is swept.
	DeadAfter = 90 * 24 * time.Hour
	// claimCosts is how many transactions a claim takes: payment, return of receipts and
	// anchor, and the return of the anchor's receipt.
	claimCosts = 4
	// claimWorth is how many times its cost a claim is worth at least.
	claimWorth = 2
)

// Claims are the orders of holders to be paid.
type Claims interface {
	// Waiting gives those whose orders were given after a time, the oldest first, at most
	// limit.
	Waiting(ctx context.Context, mint solana.PublicKey, after time.Time, limit int) ([]solana.PublicKey, error)
}

// ClaimFee is what a claim costs its holder, in lamports: a proof allows no more.
func (c Costs) ClaimFee() uint64 { return min(claimCosts*c.Transaction, format.MostClaimFee) }

// ClaimWorth is the least that is paid as a claim, in lamports.
func (c Costs) ClaimWorth() uint64 { return claimWorth * c.ClaimFee() }

// OpenClaim opens a run for the holders who asked, and gives its slot; zero when none is to
// be opened now.
func (m Machine) OpenClaim(ctx context.Context, mint solana.PublicKey) (time.Time, error) {
	head, err := m.Store.Head(ctx, mint)
	if err != nil {
		return time.Time{}, fmt.Errorf("read the head of %s: %w", mint, err)
	}
	head.Mint = mint
	now := m.Now().UTC()
	if head.Last == nil || !head.Active.IsZero() || head.Stopped(m.Recovered) || now.Before(head.Claimed.Add(ClaimPause)) {
		return time.Time{}, nil
	}
	owners, err := m.Claims.Waiting(ctx, mint, now.Add(-ClaimLasts), MostClaimants)
	if err != nil || len(owners) == 0 {
		return time.Time{}, err
	}
	record, err := m.Tokens.TokenAt(ctx, mint, now)
	if err != nil {
		return time.Time{}, fmt.Errorf("read token %s: %w", mint, err)
	}
	slot, free := head.claimSlot(record.Settings.Interval, now)
	if !free {
		return time.Time{}, nil
	}
	slices.SortFunc(owners, func(a, b solana.PublicKey) int { return bytes.Compare(a[:], b[:]) })
	return m.openClaim(ctx, head, slot, Claim{Owners: slices.Compact(owners)})
}

// claimSlot gives a claim a slot: after the last, and before the boundary that may have a
// distribution yet. A claim so never takes a distribution's place.
func (h Head) claimSlot(interval terms.Interval, now time.Time) (slot time.Time, free bool) {
	due := interval.Slot(now)
	next := due
	slot = h.LastSlot.Add(time.Second)
	if !due.After(h.LastSlot) {
		next = interval.Next(now)
	} else if earliest := due.Add(time.Second - interval.Duration()); slot.Before(earliest) {
		slot = earliest
	}
	if Scheduled(slot) {
		slot = slot.Add(time.Second)
	}
	return slot, slot.Before(next)
}

// Scheduled says whether a slot is a boundary, as those of distributions and sweeps are; that
// of a claim is none.
func Scheduled(slot time.Time) bool { return terms.Every5Minutes.Slot(slot).Equal(slot) }

// openClaim writes a new claim. It gives no slot when the token cannot be paid for now.
func (m Machine) openClaim(ctx context.Context, head Head, slot time.Time, claim Claim) (time.Time, error) {
	record, err := m.Tokens.TokenAt(ctx, head.Mint, slot)
	if errors.Is(err, token.ErrSettingsUnknown) || err == nil && record.Status != token.Confirmed {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("read token %s: %w", head.Mint, err)
	}
	now := m.Now().UTC()
	r := m.newRun(record, slot, now)
	r.Claim, r.Deadline = &claim, now.Add(claimTime)
	if claim.Sweep {
		r.Deadline = now.Add(record.Settings.Interval.Duration() * payFor / 100)
	}
	var why string
	if r.Reward, why, err = m.coin(ctx, record.Settings); err != nil || why != "" {
		return time.Time{}, err
	}
	head, forged, err := m.origin(ctx, head, record)
	if err != nil || forged {
		return time.Time{}, err
	}
	head.LastSlot, head.Active, head.Claimed = r.Slot, r.Slot, now
	if claim.Sweep {
		head.Swept = r.Slot
	}
	err = m.Store.Open(ctx, head, r)
	if errors.Is(err, ErrConflict) {
		return time.Time{}, nil
	}
	return r.Slot, err
}

// dead says whether a token has brought nothing for so long that what it owes is swept.
func (h Head) dead(slot time.Time) bool {
	since := h.Earned
	if h.Swept.After(since) {
		since = h.Swept
	}
	if h.Last == nil || h.Earned.IsZero() || !h.SweptAfter.Before(h.Earned) || slot.Sub(since) < DeadAfter {
		return false
	}
	for _, amount := range h.Owed {
		if amount > 0 {
			return true
		}
	}
	return false
}

// sweepDead opens the run that pays what a dead token owes.
func (m Machine) sweepDead(ctx context.Context, head Head, slot time.Time) (payout.Next, error) {
	opened, err := m.openClaim(ctx, head, slot, Claim{Sweep: true})
	if err != nil || opened.IsZero() {
		return done, err
	}
	return after(0), nil
}

// swept gives the head after a sweep. One that had no time for all goes on at the next slot.
func (m Machine) swept(ctx context.Context, head Head, r Run) (Head, error) {
	for p, err := range All(ctx, m.Payments, r) {
		if err != nil {
			return head, fmt.Errorf("look whether the sweep %s had time for all: %w", r.ID, err)
		}
		if p.ID.Kind == payout.Pay && p.Refused == payout.ReasonLate {
			head.Swept = time.Time{}
			return head, nil
		}
	}
	if r.Closing != nil {
		head.SweptAfter = head.Earned
	}
	return head, nil
}

// claims writes down that a claim does nothing but pay.
func (r *Run) claims() {
	s := r.Settings
	cut := allocation.Split(r.Opening.Unsold, r.Opening.Unsold, s.SellBps, s.BurnBps)
	const why = "This run pays what was owed. It sells, burns and shares out nothing."
	still := Movement{At: r.OpenedAt, Why: why, Reason: reasonClaim}
	r.Collecting, r.Snapshot = &Collecting{Done: true, ChainSlot: r.Opening.ChainSlot}, &Snapshot{}
	r.Split = &Split{Spendable: r.Opening.Unsold, Slice: cut.Slice, Burn: cut.Burn, Sell: cut.Sell}
	r.Burn, r.Fuel, r.Exchange = &still, &Exchange{Done: true}, &Exchange{Done: true}
}

// reasonClaim: the run is a claim.
const reasonClaim payout.Reason = "claim"

// planClaim decides what each leg of a claim pays. One that has nothing to pay ends without
// a proof.
func (m Machine) planClaim(ctx context.Context, head Head, r Run) (payout.Next, error) {
	has, err := m.balances(ctx, r, r.Opening.ChainSlot)
	if err != nil {
		return payout.Next{}, err
	}
	if m.Payouts, err = m.version(ctx, r); err != nil {
		return payout.Next{}, err
	}
	budget, err := m.budget(ctx, r, has, 0)
	if err != nil {
		return payout.Next{}, err
	}
	claim := *r.Claim
	claim.Fees = maps.Clone(claim.Fees)
	if claim.Fees == nil {
		claim.Fees = map[terms.Asset]uint64{}
	}
	r.Claim = &claim
	var p Payment
	var pays uint32
	for _, asset := range append([]terms.Asset{r.Reward.Asset}, r.arrears()...) {
		coin, sends := r.Reward, true
		if asset != coin.Asset {
			if coin, sends, err = m.owedCoin(ctx, asset); err != nil {
				return payout.Next{}, err
			}
		}
		leg, err := m.planLeg(ctx, r, &budget, len(p.Legs), coin, sends, 0, 0)
		if err != nil {
			return payout.Next{}, err
		}
		p.Legs = append(p.Legs, leg)
		pays += leg.Payments
	}
	if pays == 0 && len(r.Opening.Resolved) == 0 {
		return m.end(ctx, head, r, End{Code: CodeBelowCost, Detail: "Nothing of what is owed is worth the cost of sending it now."})
	}
	r.Payment = &p
	return m.save(ctx, r)
}

// vain says whether a claim has paid no one: whatever is owed, none of those who are to be paid
// can be. A proof would say nothing new, at the wallet's cost, as often as they ask.
func (m Machine) vain(ctx context.Context, r Run) (bool, error) {
	if r.Kind() == Distribution || len(r.Opening.Resolved) > 0 {
		return false, nil
	}
	moved, err := Sum(ctx, m.Payments, r)
	return err == nil && moved.Unknown == 0 && len(moved.Holders)+len(moved.Creator) == 0, err
}

// claimTerms are the least that a claim pays of an asset, and what it keeps of that: a sweep
// keeps nothing, for the wallet of a dead token needs no SOL for the runs to come. units gives
// what so many lamports are in the asset; nil when that is not known, and then only a sweep
// pays.
func (m Machine) claimTerms(r Run, asset terms.Asset, units func(uint64) uint64) (worth uint64) {
	switch {
	case r.Kind() == Sweep && units == nil:
		return 1
	case r.Kind() == Sweep:
		return units(m.Costs.Transaction/m.batch(asset)) + 1
	case units == nil:
		return never
	}
	fee := units(m.Costs.ClaimFee())
	r.Claim.Fees[asset] = fee
	return max(units(m.Costs.ClaimWorth()), claimWorth*fee)
}
