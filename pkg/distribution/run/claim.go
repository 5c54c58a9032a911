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
	"tokenlaunch.example/service/pkg/token/origin"
	"tokenlaunch.example/service/pkg/token/terms"
)

// A claim is a run that only pays debts. A claim does not collect, burn, sell or share out. Holders
// request claims, and the machine opens a claim to sweep a dead token. A claim is opened, planned,
// paid, proven and settled like any run, so a claim has the same safety. Debts that a claim leaves
// are in its rows, as after any run.

// Asked reports whether the claim pays an owner.
func (c Claim) Asked(owner solana.PublicKey) bool {
	_, found := slices.BinarySearchFunc(c.Owners, owner, func(a, b solana.PublicKey) int { return bytes.Compare(a[:], b[:]) })
	return c.Sweep || found
}

const (
	// ClaimPause is the minimum time between two claims of a token. The pause leaves time for a due
	// distribution, regardless of the number of requests.
	ClaimPause = 5 * time.Minute
	// claimTime is the time during which a claim begins payments. A slot that falls due waits. A
	// sweep has as much time as a distribution.
	claimTime = 2 * time.Minute
	// MaxClaimants is the maximum number of holders that a claim pays. The oldest requests come
	// first.
	MaxClaimants = 60
	// ClaimLasts is the time during which an order to pay a claim is valid.
	ClaimLasts = time.Hour
	// DeadAfter is the inactivity period after which a token's debts are swept.
	DeadAfter = 90 * 24 * time.Hour
	// claimCosts is the number of transactions of a claim: payment, return of receipts, anchor, and
	// return of the anchor's receipt.
	claimCosts = 4
	// claimWorth is the minimum worth of a claim, as a multiple of its cost.
	claimWorth = 2
)

// Claims reads the claim orders of holders.
type Claims interface {
	// Waiting returns the holders whose orders are newer than after, oldest first, at most limit.
	Waiting(ctx context.Context, mint solana.PublicKey, after time.Time, limit int) ([]solana.PublicKey, error)
}

// ClaimFee returns the cost of a claim to the holder, in lamports. A proof allows no higher fee.
func (c Costs) ClaimFee() uint64 { return min(claimCosts*c.Transaction, format.MaxClaimFee) }

// ClaimWorth returns the minimum payment of a claim, in lamports.
func (c Costs) ClaimWorth() uint64 { return claimWorth * c.ClaimFee() }

// OpenClaim opens a run for the holders that requested payment, and returns the run's slot; zero if
// no run can be opened now.
func (m Machine) OpenClaim(ctx context.Context, mint solana.PublicKey) (time.Time, error) {
	head, err := m.Store.Head(ctx, mint)
	if err != nil {
		return time.Time{}, fmt.Errorf("read the head of %s: %w", mint, err)
	}
	head.Mint = mint
	now := m.Now().UTC()
	if slot, handled, err := m.handover(ctx, head, now); handled || err != nil {
		return slot, err
	}
	if head.Last == nil || !head.Active.IsZero() || head.Stopped(m.Recovered) || now.Before(head.Claimed.Add(ClaimPause)) ||
		!head.WindDown.Released.IsZero() {
		return time.Time{}, nil
	}
	owners, err := m.Claims.Waiting(ctx, mint, now.Add(-ClaimLasts), MaxClaimants)
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

// claimSlot returns a slot for a claim: after the last slot, and before the next boundary that may
// still have a distribution. So a claim never takes the place of a distribution.
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

// Scheduled reports whether a slot is a boundary. The slots of distributions and sweeps are
// boundaries. The slots of claims are not.
func Scheduled(slot time.Time) bool { return terms.Every5Minutes.Slot(slot).Equal(slot) }

// openClaim writes a new claim. It returns the zero time if the token cannot be paid for now.
func (m Machine) openClaim(ctx context.Context, head Head, slot time.Time, claim Claim) (time.Time, error) {
	record, err := m.Tokens.TokenAt(ctx, head.Mint, slot)
	if errors.Is(err, token.ErrSettingsUnknown) || err == nil && record.Status != token.Confirmed {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("read token %s: %w", head.Mint, err)
	}
	now := m.Now().UTC()
	r := m.newRun(head, record, slot, now)
	r.Claim, r.Deadline = &claim, now.Add(claimTime)
	switch {
	case claim.Handover != nil:
		claim.Handover.Launch = record.Signature
		r.Deadline = now.Add(handoverPays)
	case claim.Sweep:
		r.Deadline = now.Add(record.Settings.Interval.Duration() * payFor / 100)
	}
	if err := r.by(head, record); errors.Is(err, origin.ErrForged) {
		m.forged(ctx, head, err)
		return time.Time{}, nil
	}
	if r.Reward, err = m.claimReward(ctx, r); err != nil {
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

// claimReward returns the reward of a claim. A reward that cannot be paid any more blocks no claim of
// another asset, and no hand-over: its leg pays nothing.
func (m Machine) claimReward(ctx context.Context, r Run) (Currency, error) {
	coin, why, err := m.reward(ctx, r)
	if err != nil || why == "" {
		return coin, err
	}
	coin, _, err = m.owedCurrency(ctx, coin.Asset)
	return coin, err
}

// dead reports whether a token has had no income for long enough to sweep the debts.
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

// sweepDead opens the run that pays the debts of a dead token.
func (m Machine) sweepDead(ctx context.Context, head Head, slot time.Time) (payout.Next, error) {
	opened, err := m.openClaim(ctx, head, slot, Claim{Sweep: true})
	if err != nil || opened.IsZero() {
		return done, err
	}
	return after(0), nil
}

// swept returns the head after a sweep. A sweep that reached its deadline continues at the next
// slot.
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

// claims fills in the steps that a claim skips.
func (r *Run) claims() {
	s := r.Settings
	cut := allocation.Split(r.Opening.Unsold, r.Opening.Unsold, r.sellBps(), s.BurnBps)
	const why = "This run pays what was owed. It sells, burns and shares out nothing."
	still := Movement{At: r.OpenedAt, Why: why, Reason: reasonClaim}
	r.Collecting, r.Snapshot = &Collecting{Done: true, ChainSlot: r.Opening.ChainSlot}, &Snapshot{}
	r.Split = &Split{Spendable: r.Opening.Unsold, Slice: cut.Slice, Burn: cut.Burn, Sell: cut.Sell}
	r.Burn, r.Fuel, r.Exchange = &still, &Exchange{Done: true}, &Exchange{Done: true}
}

// reasonClaim: the run is a claim.
const reasonClaim payout.Reason = "claim"

// planClaim decides the payments of every leg of a claim. A claim without payments ends without a
// proof.
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
		coin, sends, err := m.owedCurrency(ctx, asset)
		if err != nil {
			return payout.Next{}, err
		}
		if asset == r.Reward.Asset {
			coin = r.Reward
		}
		leg, err := m.planLeg(ctx, r, &budget, len(p.Legs), coin, sends, 0, 0)
		if err != nil {
			return payout.Next{}, err
		}
		p.Legs = append(p.Legs, leg)
		pays += leg.Payments
	}
	if pays == 0 && len(r.Opening.Resolved) == 0 && !r.handsOver() {
		return m.end(ctx, head, r, End{Code: CodeBelowCost, Detail: "Nothing of what is owed is worth the cost of sending it now."})
	}
	r.Payment = &p
	return m.save(ctx, r)
}

// vain reports whether a claim has moved no money, because no due payment is possible now. A proof
// would have no news, and would cost the wallet its fees after every request.
func (m Machine) vain(ctx context.Context, r Run) (bool, error) {
	if r.Kind() == Distribution || len(r.Opening.Resolved) > 0 || r.Handed.moved() {
		return false, nil
	}
	moved, err := Sum(ctx, m.Payments, r)
	return err == nil && moved.Unknown == 0 && len(moved.Holders)+len(moved.Creator) == 0, err
}

// claimTerms returns the minimum payment of a claim in an asset, and sets the claim's fee. A sweep
// has no fee, because the wallet of a dead token needs no SOL for later runs. units converts
// lamports to the asset. If units is nil, no price is known, and only a sweep pays.
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
