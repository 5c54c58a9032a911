// Package handover orders and cancels the hand-over of the authority over a token's tax, at the
// request of the creator. Package token/handover has the rules, package run carries an order out,
// and the signer decides.
package handover

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/auth"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/handover"
)

// Store stores the hand-overs of tokens; see run.Handovers.
type Store interface {
	Handover(ctx context.Context, mint solana.PublicKey) (handover.State, error)
	SaveHandover(ctx context.Context, mint solana.PublicKey, s handover.State, next time.Time) error
}

// Service orders and cancels hand-overs. Every field is required.
type Service struct {
	Store Store
	// Delay is the minimum time between an order and the order's effect, as the signer has it.
	Delay time.Duration
	Now   func() time.Time
}

// View is the hand-over of a token, with the values of the next order.
type View struct {
	handover.State

	// Delay is the delay of an order. Next is the number of the next order.
	Delay time.Duration
	Next  int64
}

// tries is the maximum number of reads when other processes write concurrently.
const tries = 5

// Of returns the hand-over of a token.
func (s Service) Of(ctx context.Context, mint solana.PublicKey) (View, error) {
	state, err := s.Store.Handover(ctx, mint)
	return View{State: state, Delay: s.Delay, Next: state.Number + 1}, err
}

// Order places a creator's order. It returns validation_failed, handover_ordered,
// handover_needs_guardian or token_handed_over. A repeated order returns the present state.
func (s Service) Order(ctx context.Context, t token.Record, o handover.Order) (View, error) {
	if t.Collector().Guarded() {
		// The wallet is one of the two required members, so its signature alone moves nothing.
		return View{}, apperr.New(apperr.CodeHandoverNeedsGuardian,
			"The tax of this token needs two of three signatures: you and the guardian move its authority without the service.")
	}
	return s.change(ctx, t.Mint, func(before handover.State, now time.Time) (handover.State, error) {
		if before.Outstanding() && before.Hash(t.Mint) == o.Hash(t.Mint) && before.Signature == o.Signature {
			return before, errUnchanged
		}
		after, err := before.Give(o, now)
		switch {
		case errors.Is(err, handover.ErrDone):
			return after, handedOver(before)
		case errors.Is(err, handover.ErrOutstanding):
			return after, apperr.New(apperr.CodeHandoverOrdered,
				"A hand-over is ordered, or its cancellation is less than a few minutes old. Cancel it with DELETE first, or wait.")
		}
		return after, apperr.Validation(s.check(t, before, o, now))
	})
}

// Cancel cancels the outstanding order. It returns handover_not_cancellable or token_handed_over. A
// repeated request returns the present state.
func (s Service) Cancel(ctx context.Context, t token.Record) (View, error) {
	return s.change(ctx, t.Mint, func(before handover.State, now time.Time) (handover.State, error) {
		after, err := before.Cancel(now)
		switch {
		case errors.Is(err, handover.ErrDone):
			return after, handedOver(before)
		case errors.Is(err, handover.ErrNone) && before.Status() == handover.Cancelled:
			return after, errUnchanged
		case errors.Is(err, handover.ErrNone):
			return after, apperr.New(apperr.CodeHandoverNotCancellable, "No hand-over of this token is ordered.")
		case err != nil:
			return after, apperr.New(apperr.CodeHandoverNotCancellable, "The hand-over has begun, so it cannot be cancelled any more.")
		case before.By() == handover.ByOperator:
			return after, apperr.New(apperr.CodeHandoverNotCancellable, "The operator ordered this hand-over to your wallet, so you cannot cancel it.")
		}
		return after, nil
	})
}

// errUnchanged is returned by a step of change that has nothing to store.
var errUnchanged = errors.New("the hand-over stays as it is")

// change stores the state that step returns for the stored one, and reads again when another process
// wrote first. The next sweep has the signer record the result.
func (s Service) change(ctx context.Context, mint solana.PublicKey, step func(before handover.State, now time.Time) (handover.State, error)) (View, error) {
	for range tries {
		before, err := s.Store.Handover(ctx, mint)
		if err != nil {
			return View{}, err
		}
		now := s.Now().UTC()
		after, err := step(before, now)
		if err == nil {
			err = s.Store.SaveHandover(ctx, mint, after, now)
		}
		switch {
		case err == nil, errors.Is(err, errUnchanged):
			return s.Of(ctx, mint)
		case !errors.Is(err, handover.ErrConflict):
			return View{}, err
		}
	}
	return View{}, apperr.Upstream("The store", handover.ErrConflict)
}

func handedOver(s handover.State) error {
	return apperr.New(apperr.CodeTokenHandedOver, fmt.Sprintf("The token was handed over to %s at %s, and is no longer run here.",
		s.To, s.DoneAt.Format(time.RFC3339)))
}

// check returns the invalid fields of an order.
func (s Service) check(t token.Record, before handover.State, o handover.Order, now time.Time) (bad []apperr.Field) {
	reject := func(field, message string, code apperr.Code) {
		bad = append(bad, apperr.Field{Field: field, Code: code, Message: message})
	}
	if next := before.Number + 1; o.Number != next {
		reject("number", fmt.Sprintf("Must be %d, one more than the number of the newest order.", next), apperr.CodeOutOfRange)
	}
	switch {
	case o.To == t.Wallet.Address:
		reject("newAuthority", "Must be another address than the distribution wallet, which has the authority.", apperr.CodeInvalidWalletAddress)
	case !o.Collects(t.Mint):
		reject("newAuthority", "Must be an address that can sign, or a multisig account of Token-2022: from this address the tax could never be collected.", apperr.CodeInvalidWalletAddress)
	}
	earliest := now.Add(s.Delay)
	switch {
	case !o.EffectiveAt.Equal(o.EffectiveAt.Truncate(time.Second)):
		reject("effectiveAt", "Must be in whole seconds.", apperr.CodeInvalidFormat)
	case o.EffectiveAt.Before(earliest), o.EffectiveAt.After(earliest.Add(handover.MaxAhead)):
		reject("effectiveAt", fmt.Sprintf("Must be from %s to %s: at least %s from now.", earliest.Add(time.Second).Truncate(time.Second).Format(time.RFC3339),
			earliest.Add(handover.MaxAhead).Truncate(time.Second).Format(time.RFC3339), s.Delay), apperr.CodeOutOfRange)
	}
	if len(bad) == 0 && !auth.SignedText(t.Creator, o.Text(t.Mint), o.Signature) {
		reject("signature", "Must be the signature of the token's creator, "+t.Creator.String()+
			", over this text or over an off-chain message of version 0 or 1 with it (a transaction's signature is none):\n"+o.Text(t.Mint), apperr.CodeInvalidSignature)
	}
	return bad
}
