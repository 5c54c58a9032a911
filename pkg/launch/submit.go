package launch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// recordWithin bounds the writes that must happen even if the caller has disconnected.
const recordWithin = 5 * time.Second

// submitTries is the maximum number of attempts of a submission while other calls change the
// launch.
const submitTries = 5

// Submit records a prepared transaction that the caller has signed, and sends the transaction. The
// returned status is Confirmed, or Submitted if the chain did not confirm in time. Submit is
// idempotent, even after the expiry, and never sends a second launch.
//
// If the blockhash has expired and the order is alive, Submit returns an ExpiredError. Callers may
// submit any message of the order, and several, because all create the same mint. A wallet can
// create several versions of a message (see transaction.Changes). The service signs only the
// version that is recorded first; submitting another version returns the result of the recorded
// version.
func (s Service) Submit(ctx context.Context, caller solana.PublicKey, id, signedBase64 string) (Launch, error) {
	for range submitTries {
		l, err := s.own(ctx, caller, id)
		if errors.Is(err, ErrNotFound) {
			return Launch{}, invalid("transactionId", "There is no such transaction of yours: use the transactionId that POST /tokens/create-unsigned answered.")
		}
		if err != nil {
			return Launch{}, err
		}
		tx, i, err := l.Accept(signedBase64, func(recent solana.Hash) (wire.Message, error) { return s.messageOn(ctx, l, recent) })
		if err != nil {
			return Launch{}, err
		}
		switch l.Status {
		case transaction.Pending, transaction.Submitted:
			if l.Messages[i].Submitted() {
				return s.finish(ctx, l, l.Messages[i])
			}
			submitted, err := s.submit(ctx, l, i, tx)
			if errors.Is(err, ErrConflict) {
				continue
			}
			if err != nil || submitted.Status != transaction.Submitted {
				return submitted, err
			}
			// Finish this message, or the message that was submitted before and decides the launch.
			return s.finish(ctx, submitted, submitted.latest())
		case transaction.Confirmed:
			return l, nil
		case transaction.Failed:
			return Launch{}, failed(l.Reason)
		case transaction.Superseded:
			return Launch{}, invalid("transactionId", "A newer transaction of yours has taken the place of this one: sign and submit that.")
		}
		return Launch{}, fmt.Errorf("launch %s is %s", id, l.Status)
	}
	return Launch{}, apperr.Upstream("The store", fmt.Errorf("submit launch %s: %w", id, ErrConflict))
}

// submit records the submission of a message, with all signatures and the wallet's changes. It does
// not record a message that the chain would reject: the message has not left the service, and the
// caller may fix the cause and submit again. It returns ErrConflict if the launch has changed.
func (s Service) submit(ctx context.Context, l Launch, i int, tx wire.Transaction) (Launch, error) {
	if l.Expired(s.Now()) {
		if l.Status == transaction.Submitted {
			return l, nil
		}
		return Launch{}, expired()
	}
	simulation, err := s.Chain.Simulate(ctx, tx.Bytes())
	if err != nil {
		return Launch{}, err
	}
	if !simulation.OK {
		return s.refused(ctx, l, simulation)
	}
	if err := s.sign(ctx, l, tx); err != nil {
		return Launch{}, err
	}
	signed := l
	signed.Messages = slices.Clone(l.Messages)
	signed.Messages[i].Signed = tx.Bytes()
	signed.Messages[i].Signature, _ = tx.ID()
	signed.Signature = signed.Messages[i].Signature
	signed.Token.Signature = signed.Signature
	now := s.Now().UTC().Truncate(time.Millisecond)
	// The simulation succeeded on this slot's state, so the nonce was unspent in this slot.
	signed.SubmittedAt, signed.SubmittedSlot = now, simulation.Slot
	signed.Status = transaction.Submitted
	err = s.Store.Submit(ctx, signed, now)
	switch {
	case errors.Is(err, ErrWalletInUse):
		return Launch{}, walletInUse()
	case errors.Is(err, ErrNoImage):
		if err = whyNoImage(s.holdImage(ctx, l.Token.ImageCID)); err == nil {
			err = ErrConflict // the image exists again
		}
	}
	return signed, err
}

// sign adds the service's signatures to an accepted transaction of a launch: the signature of the
// mint, and the last signature.
func (s Service) sign(ctx context.Context, l Launch, tx wire.Transaction) error {
	key, err := s.mintKey(ctx, l.ID)
	if err != nil {
		return err
	}
	defer clear(key)
	if err := tx.Sign(key); err != nil {
		return fmt.Errorf("sign for the mint %s: %w", l.Mint, err)
	}
	signer, err := s.Signer.PublicKey(ctx)
	if err != nil {
		return err
	}
	signature, err := s.Signer.Sign(ctx, tx.Message().Bytes())
	if err != nil {
		return err
	}
	if err := tx.SetSignature(signer, signature); err != nil {
		return fmt.Errorf("add the service's signature: %w", err)
	}
	if missing := tx.Missing(); len(missing) > 0 {
		return fmt.Errorf("launch %s lacks signatures of %v", l.ID, missing)
	}
	return nil
}

// refused returns the error of a message that the chain would reject. If another call or another
// message of the order was faster, the outcome of that message counts. An error such as "in use"
// then only means that the mint already exists.
func (s Service) refused(ctx context.Context, l Launch, why transaction.Simulation) (Launch, error) {
	now, err := s.Store.Launch(ctx, l.ID)
	if err != nil {
		return Launch{}, err
	}
	if now.Status != l.Status {
		return Launch{}, ErrConflict
	}
	if settled, landed, err := s.landed(ctx, now); landed || err != nil {
		return settled, err
	}
	switch {
	case why.Outdated && !l.OnNonce():
		return Launch{}, s.outdated(ctx, now)
	case len(now.Submitted()) > 0:
		return now, nil
	case why.Outdated, why.Busy:
		return Launch{}, apperr.Upstream("The Solana network", fmt.Errorf("launch %s: %s", l.ID, why.Detail))
	}
	return Launch{}, refusal(why.Detail)
}

// landed checks whether a message of a submitted launch has succeeded, and settles such a launch.
func (s Service) landed(ctx context.Context, l Launch) (Launch, bool, error) {
	submitted := l.Submitted()
	if len(submitted) == 0 {
		return Launch{}, false, nil
	}
	outcomes, err := s.Chain.Outcomes(ctx, Signatures(submitted)...)
	if err != nil {
		return Launch{}, false, err
	}
	for i, outcome := range outcomes {
		if outcome.State == transaction.Succeeded {
			l.Status, l.Signature = transaction.Confirmed, submitted[i].Signature
			settled, err := s.settle(ctx, l)
			return settled, true, err
		}
	}
	return Launch{}, false, nil
}

// Signatures returns the signatures of messages, in order.
func Signatures(messages []transaction.Message) []solana.Signature {
	list := make([]solana.Signature, len(messages))
	for i, m := range messages {
		list[i] = m.Signature
	}
	return list
}

// outdated returns the ExpiredError of an order whose message can no longer land.
func (s Service) outdated(ctx context.Context, l Launch) error {
	fresh, err := s.refresh(ctx, l)
	if err != nil {
		return err
	}
	told := apperr.New(apperr.CodeTransactionExpired,
		"The network takes this transaction no more. Sign the one in refresh, which creates the same token, and submit it under the same transactionId.")
	told.Transient = true // refresh expires
	return &ExpiredError{told, fresh}
}

// finish completes a submitted message: it sends the recorded bytes, waits, and settles the record.
// It is idempotent, because the chain accepts the same transaction only once.
func (s Service) finish(ctx context.Context, l Launch, m transaction.Message) (Launch, error) {
	if err := s.Chain.Send(ctx, m.Signed); err != nil {
		// The transaction is recorded, so the caller or the reconciler will send the transaction
		// again.
		s.Log.WarnContext(ctx, "launch not sent", "transactionId", l.ID, "mint", l.Mint.String(), "signature", m.Signature.String(), "error", err)
	}
	wait, cancel := context.WithTimeout(ctx, s.ConfirmWithin)
	defer cancel()
	outcome, err := s.Chain.Await(wait, m.Signature)
	if err != nil {
		s.Log.WarnContext(ctx, "outcome not known", "transactionId", l.ID, "mint", l.Mint.String(), "signature", m.Signature.String(), "error", err)
		return l, nil
	}
	if outcome.State == transaction.Succeeded {
		l.Status, l.Signature = transaction.Confirmed, m.Signature
		return s.settle(ctx, l)
	}
	if !l.OnNonce() {
		return s.unlanded(ctx, l, m, outcome)
	}
	if outcome.State == transaction.Unknown {
		return l, nil
	}
	l.Status, l.Reason = transaction.Failed, outcome.Detail
	// On the local chain a failed transaction leaves the nonce unchanged, and might land later.
	// Spend the nonce before the launch is marked as failed.
	if err := s.Nonces.Spend(ctx, l.Nonce, l.SubmittedSlot); err != nil {
		return Launch{}, fmt.Errorf("spend the nonce of launch %s: %w", l.ID, err)
	}
	return s.settle(ctx, l)
}

// unlanded returns the state of a launch on blockhashes after one message has not succeeded.
// Another message may have succeeded, because then the mint already existed. Only the reconciler
// marks the launch as failed, because the reconciler reads finalized state.
func (s Service) unlanded(ctx context.Context, l Launch, m transaction.Message, outcome transaction.Outcome) (Launch, error) {
	// Read the height before the outcomes: a message without an outcome at this height has not
	// landed.
	height, heightErr := s.Chain.ConfirmedHeight(ctx)
	settled, landed, err := s.landed(ctx, l)
	switch {
	case landed:
		return settled, err
	case err != nil:
		s.Log.WarnContext(ctx, "outcome not known", "transactionId", l.ID, "mint", l.Mint.String(), "signature", m.Signature.String(), "error", err)
		return l, nil
	}
	if outcome.State == transaction.Refused && len(l.Submitted()) == 1 {
		return Launch{}, refusal(outcome.Detail)
	}
	if heightErr != nil || height <= m.LastValid || l.Expired(s.Now()) {
		return l, nil // the message may still land, or the reconciler decides
	}
	return Launch{}, s.outdated(ctx, l)
}

// latest returns the message that was submitted last.
func (l Launch) latest() transaction.Message {
	for _, m := range l.Submitted() {
		if m.Signature == l.Signature {
			return m
		}
	}
	return transaction.Message{}
}

// settle records the end of a launch, and returns the launch.
func (s Service) settle(ctx context.Context, l Launch) (Launch, error) {
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
	return refuse(apperr.CodeInvalidTransaction, field, why)
}

func expired() error {
	return apperr.New(apperr.CodeTransactionExpired,
		"This order was valid for five minutes and is over: prepare a new one with POST /tokens/create-unsigned.")
}

// refusal returns the error of a launch that the chain rejects but that has not failed permanently.
// The same submission succeeds after the cause is fixed.
func refusal(why string) error {
	told := failed(why)
	told.Transient = true
	return told
}

func failed(why string) *apperr.Error {
	return apperr.New(apperr.CodeTransactionFailed, why)
}
