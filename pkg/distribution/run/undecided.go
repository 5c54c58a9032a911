package run

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/platform/parallel"
	"tokenlaunch.example/service/pkg/token/terms"
)

const (
	// UndecidedAfter is the age of an undecided payment at which an alarm fires. Until then the
	// machine repeats its requests to the providers without alerting an operator, who could do no
	// more: outages of a provider's history last for hours.
	UndecidedAfter = 6 * time.Hour
	// firstPause and longestPause bound the pause between two checks. Between the bounds, the pause
	// is the time since the payment became undecided.
	firstPause, longestPause = 10 * time.Minute, 24 * time.Hour
	// looksAtOnce is the maximum number of concurrent checks.
	looksAtOnce = 8
)

// pause returns the pause after a check of a payment that stays undecided. One check falls on the
// time at which the alarm is due.
func (u Unsettled) pause(now time.Time) time.Duration {
	age := now.Sub(u.Since)
	pause := min(max(age, firstPause), longestPause)
	if left := UndecidedAfter - age; left > 0 {
		pause = min(pause, left)
	}
	return pause
}

// LookAt returns the time of the next check of undecided payments of the token. It returns false if
// no payment is undecided, or if the token is frozen.
func (h Head) LookAt() (at time.Time, ok bool) {
	if h.Frozen != "" || len(h.Unknown) == 0 {
		return time.Time{}, false
	}
	return slices.MinFunc(h.Unknown, func(a, b Unsettled) int { return a.Next.Compare(b.Next) }).Next, true
}

// lookAgain asks the providers again about undecided payments of proven runs, and settles payments
// on which all providers agree, as an operator's command does. The head is written first, with the
// time of the next check. This write fails if the ledger is older than its journal, and lets only
// one of two workers continue. A payment that stays undecided does not prevent the opening of a
// run.
func (m Machine) lookAgain(ctx context.Context, head Head) (Head, error) {
	now := m.Now().UTC()
	room := maxTakenOver - len(head.Resolved) // the head keeps payments until a run takes over
	var due []Unsettled
	looked := slices.Clone(head.Unknown)
	for n, u := range looked {
		if len(due) < room && !now.Before(u.Next) {
			looked[n].Next = now.Add(u.pause(now))
			due = append(due, u)
		}
	}
	if len(due) == 0 || head.Stopped(m.Recovered) {
		return head, nil
	}
	head.Unknown = looked
	if err := m.Store.SaveHead(ctx, head); err != nil {
		return head, fmt.Errorf("write that undecided payments of %s are checked: %w", head.Mint, err)
	}
	head.Version++
	list := make([]decision, len(due))
	parallel.Each(len(due), looksAtOnce, func(n int) { list[n] = m.decide(ctx, head.Mint, due[n]) })
	return m.settleAll(ctx, head, list, now)
}

// decision is the result of a check of an undecided payment.
type decision struct {
	of      Unsettled
	run     Run
	payment payout.Payment
	err     error // nil if the payment is decided
}

// decide checks a payment. If an earlier check decided the payment but did not write the head, the
// decision stays.
func (m Machine) decide(ctx context.Context, mint solana.PublicKey, u Unsettled) decision {
	d := decision{of: u}
	if d.run, d.err = m.Store.Run(ctx, mint, u.Slot); d.err != nil {
		return d
	}
	if d.payment, d.err = m.Payments.Payment(ctx, u.ID); d.err != nil {
		return d
	}
	d.payment, d.err = m.Engine.Resolve(ctx, d.run.Token.Wallet, d.payment, payout.Word{})
	return d
}

// settleAll writes the head after a check, and raises the alarm for payments that have been
// undecided for too long.
func (m Machine) settleAll(ctx context.Context, head Head, list []decision, now time.Time) (Head, error) {
	changed := false
	var late []decision
	for _, d := range list {
		payment, mint := slog.String("payment", d.of.ID.String()), slog.String(terms.LogMint, head.Mint.String())
		if d.err != nil {
			m.Log.WarnContext(ctx, "payment is still undecided", payment, mint, slog.Time("since", d.of.Since), slog.String("cause", d.err.Error()))
			if now.Sub(d.of.Since) >= UndecidedAfter {
				late = append(late, d)
			}
			continue
		}
		known := len(head.Unknown)
		if head = head.Settled(d.run, d.payment); len(head.Unknown) < known {
			changed = true
			m.Log.InfoContext(ctx, "undecided payment is decided", payment, mint, slog.String("status", string(d.payment.Status())))
		}
	}
	if len(late) > 0 {
		metric.Log(ctx, m.Log, "ALARM: the outcome of payments is unknown; their amounts are reserved",
			metric.Line{Values: []metric.Value{payout.UndecidedAmounts.Is(1)}, As: slog.LevelError},
			slog.String("payment", late[0].of.ID.String()), slog.Int("payments", len(late)),
			slog.Time("since", late[0].of.Since), slog.String(terms.LogMint, head.Mint.String()))
	}
	if !changed {
		return head, nil
	}
	if err := m.Store.SaveHead(ctx, head); err != nil {
		return head, fmt.Errorf("write the outcome of undecided payments of %s: %w", head.Mint, err)
	}
	head.Version++
	return head, nil
}

// Settled returns the head after the decision of a payment of run r that a proof lists as
// undecided. The books of the next run take over a payment to holders. The reserved amount of any
// other payment becomes free, or is owed to the creator again. Settled does not change the head if
// the head does not name the payment, or if no later proof has a place for the payment's end.
func (h Head) Settled(r Run, p payout.Payment) Head {
	at := slices.IndexFunc(h.Unknown, func(u Unsettled) bool { return u.ID == p.ID })
	if at < 0 { // the run has closed its books and is not settled yet
		return h
	}
	lost := p.ID.Kind == payout.Creator && p.Status() != payout.Landed
	if lost && (h.Last == nil || h.Last.Run != p.ID.Run) {
		return h // a later proof has no place for the payment, so its amount stays reserved
	}
	h.Unknown = slices.Delete(slices.Clone(h.Unknown), at, at+1)
	if p.Outcome != nil { // the receipt is to be closed
		h.Unreturned = append(slices.Clone(h.Unreturned), payout.ID{Run: p.ID.Run, Kind: p.ID.Kind, Leg: p.ID.Leg})
	}
	if p.ID.Kind == payout.Pay {
		leg := r.Payment.Legs[p.ID.Leg]
		var fee uint64
		if r.Kind() != Distribution {
			fee = r.Claim.Fees[p.Asset]
		}
		p.Attempts, p.Failures = nil, nil // the earlier proof has the fees of failed attempts
		resolved := Resolved{Payment: p, File: leg.File, AccountCharge: leg.AccountCharge, Currency: leg.Currency, Fee: fee}
		if resolved.Landed() { // the money has left, so the wallet does not hold the amount any more
			h.Owed = with(h.Owed, p.Asset, resolved.Left(h.Owed[p.Asset]))
		}
		h.Resolved = append(slices.Clone(h.Resolved), resolved)
		return h
	}
	left := h.Reserved[p.Asset]
	if left == 0 {
		return h
	}
	if lost {
		h.CreatorOwed = with(h.CreatorOwed, p.Asset, h.CreatorOwed[p.Asset]+p.Amount)
		to := r.CreatorParts(p.ID.Leg)[p.ID.Batch].Wallet
		owed := with(h.CreatorOwedTo[p.Asset], to, h.CreatorOwedTo[p.Asset][to]+p.Amount)
		h.CreatorOwedTo = with(h.CreatorOwedTo, p.Asset, owed)
	}
	h.Reserved = with(h.Reserved, p.Asset, left-min(p.Amount, left))
	return h
}

// with returns a copy of amounts with one changed value.
func with[K comparable, V any](amounts map[K]V, key K, value V) map[K]V {
	amounts = maps.Clone(amounts)
	if amounts == nil {
		amounts = map[K]V{}
	}
	amounts[key] = value
	return amounts
}
