package launch

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// Fresh is a transaction that the caller can sign now.
type Fresh struct {
	Transaction []byte // whole, without signatures
	// ExpiresAt is the estimated time after which the transaction can no longer land. A transaction
	// on a nonce expires with the order.
	ExpiresAt time.Time
	// LastValid is the height of the last block that accepts the transaction, or zero on a nonce.
	LastValid uint64
}

// ExpiredError reports that a transaction can no longer land although the order is alive. Fresh is
// the same order on a newer blockhash. The wrapped error Told has the code transaction_expired.
type ExpiredError struct {
	Told  *apperr.Error
	Fresh Fresh
}

// Error returns the text of Told.
func (e *ExpiredError) Error() string { return e.Told.Error() }

// Unwrap returns Told.
func (e *ExpiredError) Unwrap() error { return e.Told }

// Status returns a launch of the caller. For another caller's launch it returns an apperr.NotFound.
func (s Service) Status(ctx context.Context, caller solana.PublicKey, id string) (Launch, error) {
	l, err := s.own(ctx, caller, id)
	if errors.Is(err, ErrNotFound) {
		return Launch{}, apperr.New(apperr.CodeNotFound, "There is no such transaction of yours.")
	}
	return l, err
}

// own returns a launch of the caller. For an invalid id, and for another caller's launch, it
// returns ErrNotFound.
func (s Service) own(ctx context.Context, caller solana.PublicKey, id string) (Launch, error) {
	id, ok := wallet.ParseID(id)
	if !ok {
		return Launch{}, ErrNotFound
	}
	l, err := s.Store.Launch(ctx, id)
	if err == nil && l.Caller != caller {
		return Launch{}, ErrNotFound
	}
	return l, err
}

// Refresh returns a transaction for a live order. On a nonce this is the same transaction again.
// Otherwise it is a transaction on a newer blockhash, for the same mint. If the order has expired,
// it returns an apperr.Error with code transaction_expired.
func (s Service) Refresh(ctx context.Context, caller solana.PublicKey, id string) (Fresh, error) {
	l, err := s.Status(ctx, caller, id)
	if err != nil {
		return Fresh{}, err
	}
	return s.refresh(ctx, l)
}

func (s Service) refresh(ctx context.Context, l Launch) (Fresh, error) {
	if l.Expired(s.Now()) || l.Status != transaction.Pending && l.Status != transaction.Submitted {
		return Fresh{}, expired()
	}
	recent := onchain.Blockhash{Hash: l.Nonce.Value}
	var err error
	if !l.OnNonce() {
		if recent, err = s.Chain.RecentBlockhash(ctx); err != nil {
			return Fresh{}, err
		}
	}
	message, err := s.messageOn(ctx, l, recent.Hash)
	if err != nil {
		return Fresh{}, err
	}
	m := transaction.Message{Digest: sha256.Sum256(message.Bytes()), LastValid: recent.LastValid}
	tx := wire.NewTransaction(message).Bytes()
	if l.OnNonce() {
		if m.Digest != l.Messages[0].Digest {
			return Fresh{}, fmt.Errorf("launch %s: its message cannot be made again", l.ID)
		}
		return Fresh{Transaction: tx, ExpiresAt: l.ExpiresAt}, nil
	}
	switch err := s.Store.Refresh(ctx, l.ID, m, s.Now()); {
	case errors.Is(err, ErrConflict):
		return Fresh{}, expired()
	case err != nil:
		return Fresh{}, err
	}
	return s.fresh(ctx, tx, m.LastValid)
}

// fresh returns the transaction with the estimated expiry: the remaining blocks, at the network's
// present pace.
func (s Service) fresh(ctx context.Context, tx []byte, lastValid uint64) (Fresh, error) {
	height, err := s.Chain.ConfirmedHeight(ctx)
	if err != nil {
		return Fresh{}, err
	}
	slot, err := s.Chain.SlotTime(ctx)
	if err != nil {
		return Fresh{}, err
	}
	left := time.Duration(max(lastValid, height)-height) * slot //nolint:gosec // some 150 blocks
	return Fresh{Transaction: tx, ExpiresAt: s.Now().UTC().Add(left).Truncate(time.Millisecond), LastValid: lastValid}, nil
}
