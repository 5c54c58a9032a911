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

// Fresh is a transaction that its caller can sign now.
type Fresh struct {
	Transaction []byte // whole, without signatures
	// ExpiresAt is when it can land no more, as fast as the network was when it was made.
	// One on a nonce has as long as its order.
	ExpiresAt time.Time
	// LastValid is the height of the last block that can take it; zero when it uses
	// a nonce.
	LastValid uint64
}

// ExpiredError says that a transaction can land no more while its order lives: Fresh is the
// same order on a newer blockhash. Told, which it wraps, has the code transaction_expired.
type ExpiredError struct {
	Told  *apperr.Error
	Fresh Fresh
}

// Error is that of Told.
func (e *ExpiredError) Error() string { return e.Told.Error() }

// Unwrap gives Told.
func (e *ExpiredError) Unwrap() error { return e.Told }

// Status gives a launch of the caller; another one's is an apperr.NotFound.
func (s Service) Status(ctx context.Context, caller solana.PublicKey, id string) (Launch, error) {
	l, err := s.own(ctx, caller, id)
	if errors.Is(err, ErrNotFound) {
		return Launch{}, apperr.New(apperr.CodeNotFound, "There is no such transaction of yours.")
	}
	return l, err
}

// own gives a launch of the caller, or ErrNotFound. What is no id is that of no launch.
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

// Refresh gives a transaction for an order that lives: of one on a nonce the same again, and
// else one on a newer blockhash, whose mint has the same address. It is an apperr.Invalid,
// code transaction_expired, when the order is over.
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

// fresh says until when a transaction on a blockhash can land: what is left of blocks, as
// fast as the network makes them.
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
