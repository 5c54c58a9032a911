package launch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// recordWithin bounds the writes that must happen although the caller has gone.
const recordWithin = 5 * time.Second

// Submit takes a prepared transaction that its caller has signed, records it and
// sends it. The answer's status is Confirmed, or Submitted when the chain has
// not confirmed it in time. Calling it again with the same transaction gives the
// same answer, also after the expiry, and never sends a second launch.
func (s Service) Submit(ctx context.Context, caller solana.PublicKey, id, signedBase64 string) (Launch, error) {
	l, err := s.Store.Launch(ctx, id)
	if errors.Is(err, ErrNotFound) || err == nil && l.Caller != caller {
		return Launch{}, invalid("transactionId", "There is no such transaction of yours: use the transactionId that POST /tokens/create-unsigned answered.")
	}
	if err != nil {
		return Launch{}, err
	}
	tx, err := l.Accept(signedBase64)
	if err != nil {
		return Launch{}, err
	}
	if l.Status == transaction.Pending {
		if l, err = s.submit(ctx, l, tx); err != nil {
			return Launch{}, err
		}
	}
	switch l.Status {
	case transaction.Submitted:
		return s.finish(ctx, l)
	case transaction.Confirmed:
		return l, nil
	case transaction.Failed:
		return Launch{}, failed(l.Reason)
	case transaction.Superseded:
		return Launch{}, invalid("transactionId", "A newer transaction of yours has taken the place of this one: sign and submit that.")
	case transaction.Pending:
	}
	return Launch{}, fmt.Errorf("launch %s is %s after its submission", id, l.Status)
}

// submit records a pending launch as submitted, with all its signatures. A
// launch that the chain would refuse stays pending: nothing of it has left the
// service, and the caller may put right what is wrong and submit again.
func (s Service) submit(ctx context.Context, l Launch, tx wire.Transaction) (Launch, error) {
	if l.Expired(s.Now()) {
		return Launch{}, expired()
	}
	simulation, err := s.Chain.Simulate(ctx, tx.Bytes())
	if err != nil {
		return Launch{}, err
	}
	if !simulation.OK {
		// Another call may have sent it meanwhile; then what it became counts.
		if now, err := s.Store.Launch(ctx, l.ID); err == nil && now.Status != transaction.Pending {
			return now, nil
		}
		return Launch{}, failed(simulation.Detail)
	}
	authority, err := s.Signer.PublicKey(ctx)
	if err != nil {
		return Launch{}, err
	}
	signature, err := s.Signer.Sign(ctx, tx.Message().Bytes())
	if err != nil {
		return Launch{}, err
	}
	if err := tx.SetSignature(authority, signature); err != nil {
		return Launch{}, fmt.Errorf("add the nonce authority's signature: %w", err)
	}
	if missing := tx.Missing(); len(missing) > 0 {
		return Launch{}, fmt.Errorf("launch %s lacks signatures of %v", l.ID, missing)
	}
	signed := l
	signed.Signed = tx.Bytes()
	signed.Signature, _ = tx.ID()
	signed.Token.Signature = signed.Signature
	signed.Status = transaction.Submitted
	now := s.Now().UTC().Truncate(time.Millisecond)
	// It would have landed on this slot's state, so its nonce was unspent there.
	signed.SubmittedAt, signed.SubmittedSlot = now, simulation.Slot
	err = s.Store.Submit(ctx, signed, now)
	switch {
	case err == nil:
		return signed, nil
	case errors.Is(err, ErrWalletInUse):
		return Launch{}, walletInUse()
	case errors.Is(err, ErrConflict):
		return s.resolve(ctx, l.ID)
	}
	return Launch{}, err
}

// resolve says what a launch has become that could not be submitted: another
// call submitted or superseded it, or its time ran out.
func (s Service) resolve(ctx context.Context, id string) (Launch, error) {
	l, err := s.Store.Launch(ctx, id)
	if err != nil {
		return Launch{}, err
	}
	if l.Status != transaction.Pending {
		return l, nil
	}
	if l.Expired(s.Now()) {
		return Launch{}, expired()
	}
	return Launch{}, apperr.Upstream("The store", fmt.Errorf("submit launch %s: %w", id, ErrConflict))
}

// finish brings a submitted launch to its end: it sends the recorded bytes,
// waits, and settles the record. It may be called any number of times, for the
// chain takes the same transaction once.
func (s Service) finish(ctx context.Context, l Launch) (Launch, error) {
	if err := s.Chain.Send(ctx, l.Signed); err != nil {
		// It is recorded, so it will be sent again: by the caller, or the reconciler.
		s.Log.WarnContext(ctx, "launch not sent", "transactionId", l.ID, "mint", l.Mint.String(), "signature", l.Signature.String(), "error", err)
	}
	wait, cancel := context.WithTimeout(ctx, s.ConfirmWithin)
	defer cancel()
	outcome, err := s.Chain.Await(wait, l.Signature)
	if err != nil {
		s.Log.WarnContext(ctx, "outcome not known", "transactionId", l.ID, "mint", l.Mint.String(), "signature", l.Signature.String(), "error", err)
		return l, nil
	}
	switch outcome.State {
	case transaction.Unknown:
		return l, nil
	case transaction.Succeeded:
		l.Status = transaction.Confirmed
	case transaction.Refused:
		l.Status, l.Reason = transaction.Failed, outcome.Detail
		// On the local chain a failed transaction leaves its nonce as it was, and
		// might land later; so the nonce is spent before the launch is called dead.
		if err := s.Nonces.Spend(ctx, l.Nonce, l.SubmittedSlot); err != nil {
			return Launch{}, fmt.Errorf("spend the nonce of launch %s: %w", l.ID, err)
		}
	}
	record, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordWithin)
	defer cancel()
	if err := s.Store.Settle(record, l, s.Now()); err != nil {
		return Launch{}, err
	}
	if l.Status == transaction.Failed {
		return Launch{}, failed(l.Reason)
	}
	return s.Store.Launch(record, l.ID)
}

func invalid(field, why string) error {
	return refuse(apperr.Invalid, "invalid_transaction", field, why)
}

func expired() error {
	return apperr.New(apperr.Invalid, "transaction_expired",
		"This transaction was valid for five minutes and has expired: prepare a new one with POST /tokens/create-unsigned.")
}

func failed(why string) error {
	return apperr.New(apperr.Invalid, "transaction_failed", why)
}
