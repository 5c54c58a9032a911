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

// recordWithin bounds the writes that must happen although the caller has gone.
const recordWithin = 5 * time.Second

// submitTries bounds how often a submission starts again because the launch changed
// meanwhile.
const submitTries = 5

// Submit takes a prepared transaction that its caller has signed, records it and
// sends it. The answer's status is Confirmed, or Submitted when the chain has
// not confirmed it in time. Calling it again with the same transaction gives the
// same answer, also after the expiry, and never sends a second launch.
//
// A transaction whose blockhash is outdated while its order lives is an ExpiredError. Any
// message of the order may be submitted, also beside others: they create the same mint.
// Of one message a wallet can make several versions (transaction.Changes). The first that is
// recorded is the only one that the service ever signs, and another version gets its result.
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
			// It is this message, or one that was submitted before and whose end counts.
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

// submit records that a message is submitted, with all its signatures, and in it what the wallet
// changed. What the chain would
// refuse is not recorded: nothing of it has left the service, and the caller may put right
// what is wrong and submit again. It fails with ErrConflict when the launch has changed.
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
	// It would have landed on this slot's state, so its nonce was unspent there.
	signed.SubmittedAt, signed.SubmittedSlot = now, simulation.Slot
	signed.Status = transaction.Submitted
	err = s.Store.Submit(ctx, signed, now)
	switch {
	case errors.Is(err, ErrWalletInUse):
		return Launch{}, walletInUse()
	case errors.Is(err, ErrNoImage):
		if err = whyNoImage(s.holdImage(ctx, l.Token.ImageCID)); err == nil {
			err = ErrConflict // it is there again
		}
	}
	return signed, err
}

// sign adds the service's signatures to an accepted transaction of a launch: the mint's and that
// of the key which signs last.
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

// refused says why a message is not submitted that the chain would not take. When another
// call, or another message of the order, was faster, what becomes of that counts: an error
// such as "in use" then says that the mint is there.
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

// landed looks whether a message of a submitted launch has landed well, and settles it.
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

// Signatures are those of messages, in their order.
func Signatures(messages []transaction.Message) []solana.Signature {
	list := make([]solana.Signature, len(messages))
	for i, m := range messages {
		list[i] = m.Signature
	}
	return list
}

// outdated gives the ExpiredError of an order whose message can land no more.
func (s Service) outdated(ctx context.Context, l Launch) error {
	fresh, err := s.refresh(ctx, l)
	if err != nil {
		return err
	}
	told := apperr.New(apperr.CodeTransactionExpired,
		"The network takes this transaction no more. Sign the one in refresh, which creates the same token, and submit it under the same transactionId.")
	told.Passing = true // what is in refresh expires
	return &ExpiredError{told, fresh}
}

// finish brings a submitted message to its end: it sends the recorded bytes,
// waits, and settles the record. It may be called any number of times, for the
// chain takes the same transaction once.
func (s Service) finish(ctx context.Context, l Launch, m transaction.Message) (Launch, error) {
	if err := s.Chain.Send(ctx, m.Signed); err != nil {
		// It is recorded, so it will be sent again: by the caller, or the reconciler.
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
	// On the local chain a failed transaction leaves its nonce as it was, and
	// might land later; so the nonce is spent before the launch is called dead.
	if err := s.Nonces.Spend(ctx, l.Nonce, l.SubmittedSlot); err != nil {
		return Launch{}, fmt.Errorf("spend the nonce of launch %s: %w", l.ID, err)
	}
	return s.settle(ctx, l)
}

// unlanded says what became of a launch one of whose messages on blockhashes has not landed
// well. Another may have: then the mint was there. That a launch is dead is for the
// reconciler to say, which sees what is finalized.
func (s Service) unlanded(ctx context.Context, l Launch, m transaction.Message, outcome transaction.Outcome) (Launch, error) {
	// Before the outcomes: what they do not show at this height is not there.
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
		return l, nil // it may still land, or the reconciler says what it came to
	}
	return Launch{}, s.outdated(ctx, l)
}

// latest is the message that was submitted last.
func (l Launch) latest() transaction.Message {
	for _, m := range l.Submitted() {
		if m.Signature == l.Signature {
			return m
		}
	}
	return transaction.Message{}
}

// settle records the end of a launch, and answers it.
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

// refusal says why the chain refuses a launch that has not failed for good: once that is put
// right, the same submit succeeds.
func refusal(why string) error {
	told := failed(why)
	told.Passing = true
	return told
}

func failed(why string) *apperr.Error {
	return apperr.New(apperr.CodeTransactionFailed, why)
}
