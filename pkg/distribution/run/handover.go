package run

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/handover"
	"tokenlaunch.example/service/pkg/token/terms"
)

// A hand-over sets the authority over a token's withheld tax to another address. The last
// distribution comes before: a distribution as at any slot, also of a token that rests or is
// switched off. Then a sweep pays all debts, hands the authority over, and is proven. Debts that
// the sweep could not pay stay payable by claims. Tokens that the wallet still has, because no market
// bought them, or because a run takes up only a part, are holders' and not the new authority's: they are
// distributed for a time after the hand-over, without a collection.

// Handover is the order that a run carries out.
type Handover struct {
	handover.Order

	// Launch is the transaction of the token's launch, from which the signer learns the creator.
	Launch solana.Signature
}

// HandedOver is a finished hand-over.
type HandedOver struct {
	To solana.PublicKey
	By handover.By
	// Signature is the transaction, and ChainSlot is the slot. Both are zero if the transaction is
	// not known.
	Signature solana.Signature
	ChainSlot uint64
	At        time.Time
}

// Handovers stores the hand-overs of tokens.
type Handovers interface {
	// Handover returns the newest order of a token; a zero state without an order. The read is
	// consistent.
	Handover(ctx context.Context, mint solana.PublicKey) (handover.State, error)
	// SaveHandover replaces the state whose Version is the stored version (zero: not stored yet).
	// It returns handover.ErrConflict if another process wrote first. A state that is outstanding
	// is listed from next on, see dispatch.Ledger.ClaimsDue.
	SaveHandover(ctx context.Context, mint solana.PublicKey, s handover.State, next time.Time) error
}

// Notary is the signer's memory of hand-overs.
type Notary interface {
	// Note asks the signer to record the order, and returns the earliest time at which the signer
	// signs the hand-over by this order.
	Note(ctx context.Context, mint solana.PublicKey, o handover.Order) (time.Time, error)
	// Revoke asks the signer never to sign the hand-over by this order.
	Revoke(ctx context.Context, mint solana.PublicKey, o handover.Order) error
}

const (
	// handoverPays is the time during which the run of a hand-over begins payments. It is the time
	// of some thousand transactions; debts that wait longer are payable by claims.
	handoverPays = time.Hour
	// handoverSigns is the additional time during which the run signs the hand-over.
	handoverSigns = 30 * time.Minute
	// handoverRetry is the pause after a run that did not hand over, such as the run of a wallet
	// without lamports.
	handoverRetry = time.Hour
	// handoverBegins is the minimum remaining time of a slot for a last distribution in the slot: two sweeps of a
	// minute. With less time the slot could end before a sweep opens the run.
	handoverBegins = 2 * time.Minute
	// handoverWaits is the time during which a last distribution that could not begin is repeated in the
	// next slot. Then the tax goes to the new authority as it is, so that the wait ends.
	handoverWaits = 7 * 24 * time.Hour
	// LeftFor is the time during which the tokens that the wallet has after a hand-over are distributed.
	LeftFor = 30 * 24 * time.Hour
)

// handsOver reports whether the run hands the authority over.
func (r Run) handsOver() bool { return r.Claim != nil && r.Claim.Handover != nil }

// moved reports whether the movement is decided and happened.
func (m *Movement) moved() bool { return m != nil && m.Why == "" && !m.Signature.IsZero() }

// handed returns the hand-over of the token after a run.
func (h Head) handed(r Run) *HandedOver {
	if !r.handsOver() || !r.Handed.moved() {
		return h.HandedOver
	}
	order := r.Claim.Handover.Order
	return &HandedOver{To: order.To, By: order.By(), Signature: r.Handed.Signature, ChainSlot: r.Handed.ChainSlot, At: r.Handed.At}
}

// OrderHandover places an operator's order: the authority goes to the creator's wallet, without a
// delay. A repeated call changes nothing, and so does a call after a creator's order has begun. A
// creator's order that waits is replaced. The signer signs the hand-over only after
// capstable.Caps.Release.
func OrderHandover(ctx context.Context, store Handovers, mint, creator solana.PublicKey, now time.Time) error {
	s, err := store.Handover(ctx, mint)
	if err != nil {
		return err
	}
	status := s.Status()
	if status == handover.Done || status == handover.Begun || status == handover.Ordered && s.By() == handover.ByOperator {
		return nil
	}
	if status == handover.Ordered { // the end of the service does not wait for a creator's order
		if s, err = s.Cancel(now); err != nil {
			return err
		}
	}
	s.RevokedAt = now
	given, err := s.Give(handover.Order{Number: s.Number + 1, To: creator, EffectiveAt: now.UTC().Truncate(time.Second)}, now)
	if err != nil {
		return err
	}
	return store.SaveHandover(ctx, mint, given, now)
}

// handover takes the next step of a token's hand-over, and returns the slot of a run to advance;
// zero without a run. handled is false for a token without an outstanding order.
func (m Machine) handover(ctx context.Context, head Head, now time.Time) (slot time.Time, handled bool, err error) {
	if m.Handovers == nil {
		return time.Time{}, false, nil
	}
	s, err := m.Handovers.Handover(ctx, head.Mint)
	if err != nil {
		return time.Time{}, false, fmt.Errorf("read the hand-over of %s: %w", head.Mint, err)
	}
	switch {
	case s.Status() == handover.Cancelled && s.By() == handover.ByCreator && s.RevokedAt.IsZero():
		if err = m.Notary.Revoke(ctx, head.Mint, s.Order); err == nil {
			s.RevokedAt = now
			err = m.Handovers.SaveHandover(ctx, head.Mint, s, time.Time{})
		}
		return time.Time{}, false, settled(err)
	case s.Status() == handover.Done && !s.LeftUntil.IsZero():
		slot, handled, err = m.distributeLeft(ctx, head, s, now)
		return slot, handled, settled(err)
	case !s.Outstanding():
		return time.Time{}, false, nil
	case head.HandedOver != nil:
		s.DoneAt, s.Transaction = head.HandedOver.At, head.HandedOver.Signature
		s.LeftUntil = s.DoneAt.Add(LeftFor)
		return time.Time{}, false, settled(m.Handovers.SaveHandover(ctx, head.Mint, s, now))
	}
	slot, handled, err = m.stepHandover(ctx, head, s, now)
	return slot, handled, settled(err)
}

// settled returns nil for a conflict, because the next sweep reads again.
func settled(err error) error {
	if errors.Is(err, handover.ErrConflict) || errors.Is(err, ErrConflict) {
		return nil
	}
	return err
}

// stepHandover takes the next step of an outstanding order. Before the order is due, claims go on.
func (m Machine) stepHandover(ctx context.Context, head Head, s handover.State, now time.Time) (slot time.Time, handled bool, err error) {
	if s.By() == handover.ByCreator && s.NotedAt.IsZero() {
		// Note before the state changes: a repeated note returns the same time.
		if s.SignsAt, err = m.Notary.Note(ctx, head.Mint, s.Order); err != nil {
			return time.Time{}, true, fmt.Errorf("note the hand-over of %s: %w", head.Mint, err)
		}
		s.NotedAt = now
		due, _ := s.Due()
		return time.Time{}, false, m.Handovers.SaveHandover(ctx, head.Mint, s, due)
	}
	if due, ok := s.Due(); !ok || now.Before(due) {
		return time.Time{}, false, nil
	}
	if !head.Active.IsZero() || head.Stopped(m.Recovered) {
		return time.Time{}, true, nil
	}
	record, err := m.Tokens.TokenAt(ctx, head.Mint, now)
	if err != nil {
		return time.Time{}, true, fmt.Errorf("read token %s: %w", head.Mint, err)
	}
	if record.Status != token.Confirmed {
		return time.Time{}, true, nil
	}
	interval := record.Settings.Interval
	if s.BegunAt.IsZero() {
		s.BegunAt = now
		last := interval.Slot(now).UTC()
		next := interval.Next(now).UTC()
		if !last.After(head.LastSlot) && s.By() == handover.ByCreator || next.Before(now.Add(handoverBegins)) {
			last = next
		}
		return time.Time{}, false, m.endAt(ctx, head, s, last, now)
	}
	missed := head.LastSlot.Before(s.LastSlot) || head.Ended == CodeWalletTooLow
	switch {
	case now.Before(s.LastSlot):
		return time.Time{}, false, nil
	case head.LastSlot.Before(s.LastSlot) && now.Before(s.LastSlot.Add(interval.Duration())):
		last := m
		last.last = true
		next, err := last.open(ctx, head, s.LastSlot)
		if err != nil {
			return time.Time{}, true, fmt.Errorf("open the last distribution of %s: %w", head.Mint, err)
		}
		if !next.Done {
			return s.LastSlot, true, nil
		}
		if head, err = m.Store.Head(ctx, head.Mint); err != nil {
			return time.Time{}, true, fmt.Errorf("read the head of %s: %w", head.Mint, err)
		}
		head.Mint = record.Mint
	case missed && now.Before(s.BegunAt.Add(handoverWaits)): // a lost slot gives the new authority no tax of holders
		return time.Time{}, false, m.endAt(ctx, head, s, interval.Next(now.Add(handoverRetry)).UTC(), now)
	case now.Before(s.TriedAt.Add(handoverRetry)): // claims go on, and the sweep lists other tokens
		return time.Time{}, false, m.Handovers.SaveHandover(ctx, head.Mint, s, s.TriedAt.Add(handoverRetry))
	}
	return m.openHandover(ctx, head, s, record, now)
}

// endAt stores the slot of the last distribution. The head has the slot first, so that a run which the
// schedule opens in the slot is a last distribution, too.
func (m Machine) endAt(ctx context.Context, head Head, s handover.State, last, now time.Time) error {
	if head.Ending = last; last.After(head.LastSlot) {
		if err := m.Store.SaveHead(ctx, head); err != nil {
			return fmt.Errorf("store the last slot of %s: %w", head.Mint, err)
		}
	}
	s.LastSlot = last
	return m.Handovers.SaveHandover(ctx, head.Mint, s, later(now, last))
}

// distributeLeft opens a distribution of the tokens that the wallet has after a hand-over, also for a
// token that is switched off. Tokens without a buyer stay in the wallet after LeftFor, and are burned at
// a wind-down. They never go to the new authority: otherwise a creator could launch with a reward without a market, and
// hand the tax of holders over to themselves.
func (m Machine) distributeLeft(ctx context.Context, head Head, s handover.State, now time.Time) (slot time.Time, handled bool, err error) {
	if head.HandedOver == nil || !head.Active.IsZero() || head.Stopped(m.Recovered) {
		return time.Time{}, false, nil
	}
	record, err := m.Tokens.TokenAt(ctx, head.Mint, now)
	if err != nil {
		return time.Time{}, true, fmt.Errorf("read token %s: %w", head.Mint, err)
	}
	left, err := m.left(ctx, head, record)
	if err != nil {
		return time.Time{}, true, err
	}
	if left == 0 || !now.Before(s.LeftUntil) || record.WindDown.Begun(now) {
		s.LeftUntil = time.Time{}
		return time.Time{}, false, m.Handovers.SaveHandover(ctx, head.Mint, s, time.Time{})
	}
	// Store the next time first: a run that fails each time delays no claim.
	interval := record.Settings.Interval
	if err := m.Handovers.SaveHandover(ctx, head.Mint, s, later(now.Add(handoverRetry), interval.Next(now))); err != nil {
		return time.Time{}, true, err
	}
	if slot = interval.Slot(now).UTC(); !slot.After(head.LastSlot) {
		return time.Time{}, false, nil
	}
	m.last = true
	if next, err := m.open(ctx, head, slot); err != nil || next.Done {
		return time.Time{}, false, err
	}
	return slot, true, nil
}

// left returns the tokens in the wallet that are not allocated yet.
func (m Machine) left(ctx context.Context, head Head, record token.Record) (uint64, error) {
	address, err := token2022.AssociatedAddress(head.Wallet(record).Address, record.Mint, solana.Token2022ProgramID)
	if err != nil {
		return 0, fmt.Errorf("find the wallet's account: %w", err)
	}
	accounts, _, err := m.Chain.AccountsAt(ctx, 0, address)
	if err != nil {
		return 0, fmt.Errorf("read the wallet's account %s: %w", address, err)
	}
	if accounts[0] == nil {
		return 0, nil
	}
	state, err := token2022.DecodeAccount(accounts[0].Owner, accounts[0].Data)
	if err != nil {
		return 0, fmt.Errorf("read the wallet's account %s: %w", address, err)
	}
	held := head.ForOthers(terms.Asset(record.Mint))
	return state.Amount - min(held, state.Amount), nil
}

// later returns the later of two times.
func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// openHandover opens the run that hands the authority over.
func (m Machine) openHandover(ctx context.Context, head Head, s handover.State, record token.Record, now time.Time) (slot time.Time, handled bool, err error) {
	authority, err := m.withdrawer(ctx, record.Mint)
	switch {
	case err != nil:
		return time.Time{}, true, err
	case authority == s.To: // by a transaction whose end the providers did not agree on
		head.HandedOver = &HandedOver{To: s.To, By: s.By(), At: now}
		return time.Time{}, true, m.Store.SaveHead(ctx, head)
	case authority != head.Wallet(record).Address:
		m.Log.ErrorContext(ctx, "ALARM: the tax of a token is another address's to withdraw, and its hand-over cannot begin",
			slog.String(terms.LogMint, record.Mint.String()), slog.String("authority", authority.String()))
		return time.Time{}, true, nil
	}
	s.TriedAt = now
	if err := m.Handovers.SaveHandover(ctx, record.Mint, s, now); err != nil {
		return time.Time{}, true, err
	}
	at, free := head.claimSlot(record.Settings.Interval, now)
	if !free {
		// A boundary without a run is before the end of the interval: it has waited for the last
		// distribution long enough.
		at = head.LastSlot.Add(time.Second)
	}
	slot, err = m.openClaim(ctx, head, at, Claim{Sweep: true, Handover: &Handover{Order: s.Order}})
	return slot, true, err
}

// withdrawer returns the authority over a mint's withheld tax, at a finalized slot.
func (m Machine) withdrawer(ctx context.Context, mint solana.PublicKey) (solana.PublicKey, error) {
	accounts, _, err := m.Chain.AccountsAt(ctx, 0, mint)
	if err != nil {
		return solana.PublicKey{}, fmt.Errorf("read mint %s: %w", mint, err)
	}
	if accounts[0] == nil {
		return solana.PublicKey{}, fmt.Errorf("mint %s does not exist", mint)
	}
	read, err := token2022.DecodeMint(accounts[0].Owner, accounts[0].Data)
	if err != nil {
		return solana.PublicKey{}, fmt.Errorf("read mint %s: %w", mint, err)
	}
	if read.TransferFee == nil {
		return solana.PublicKey{}, fmt.Errorf("mint %s has no tax", mint)
	}
	return read.TransferFee.WithdrawWithheldAuthority, nil
}

// handOver hands the authority over, after the payments. A payment that has no signed transaction
// at the deadline is cancelled, and the run ends without the hand-over.
func (m Machine) handOver(ctx context.Context, r Run) (payout.Next, error) {
	late := !m.Now().Before(r.Deadline.Add(handoverSigns))
	for try := range maxTries {
		payment, err := m.payment(ctx, r, payout.Handover, try)
		if err != nil {
			return payout.Next{}, err
		}
		if status := payment.Status(); late && (status == payout.Planned || status == payout.Bound) {
			if payment, err = m.Engine.Cancel(ctx, payment, payout.ReasonLate, noTime); err != nil {
				return payout.Next{}, err
			}
		} else {
			var next payout.Next
			id := payment.ID
			payment, next, err = m.Engine.Advance(ctx, r.Token.Wallet, payment, r.fixed(id))
			if errors.Is(err, payout.ErrNotSigned) { // not ordered, by what the signer knows
				refused := payout.Payment{ID: id, Mint: r.Mint}
				if payment, err = m.Engine.Cancel(ctx, refused, reasonRefused, "The signer does not sign the hand-over."); err == nil {
					next.Done = payment.Status().Decided()
				}
			}
			if err != nil || !payment.Status().Decided() {
				return next, err
			}
		}
		if !payment.Status().Decided() { // signed meanwhile
			return after(0), nil
		}
		moved := movement(payment)
		r.Handed = &moved
		if status := payment.Status(); status == payout.Landed || status == payout.Unknown || payment.Refused == reasonRefused {
			break
		}
	}
	return m.save(ctx, r)
}
