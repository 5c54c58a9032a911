package launch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/launch/image"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// Lifetime selects a nonce or a blockhash for launches.
type Lifetime string

const (
	// OnNonce: a durable nonce. The transaction lives as long as the order, five minutes. If no
	// nonce is free, or if the network rejects the nonce, the launch uses a blockhash.
	OnNonce Lifetime = "nonce"
	// OnBlockhash: a recent blockhash. The order lives five minutes. A transaction lives as long as
	// its blockhash, and the order can then get another transaction.
	OnBlockhash Lifetime = "blockhash"
)

// Known returns the lifetime, or an error if the lifetime is neither OnNonce nor OnBlockhash.
func (l Lifetime) Known() (Lifetime, error) {
	if l != OnNonce && l != OnBlockhash {
		return l, fmt.Errorf("the lifetime of launches is %q: it must be %q or %q", l, OnNonce, OnBlockhash)
	}
	return l, nil
}

// Launch is the order for the transaction that creates a token, with the future record of the
// token.
type Launch struct {
	transaction.Prepared
	Token token.Record
	Terms Terms
}

// Terms are the parts that all messages of a launch share, in addition to the token's record.
type Terms struct {
	Units              uint32 // limit of compute units
	PriceMicroLamports uint64 // of a unit
	MintRentLamports   uint64
	// MultisigRentLamports is the rent of the account that collects the tax of a token with a
	// guardian. Zero without a guardian.
	MultisigRentLamports uint64
	FundingLamports      uint64 // for the distribution wallet
}

// Errors of a Store.
var (
	// ErrNotFound is returned when a launch does not exist.
	ErrNotFound = errors.New("no such launch")
	// ErrConflict is returned when another write changed the launch. Read the launch again.
	ErrConflict = errors.New("launch changed meanwhile")
	// ErrWalletInUse is returned when another token has the distribution wallet.
	ErrWalletInUse = errors.New("distribution wallet is in use")
	// ErrNoImage is returned when the image is deleted or blocked.
	ErrNoImage = errors.New("picture is gone or blocked")
)

// Store stores launches. Each write except Issue is one transaction with conditions, so a write is
// atomic and happens at most once.
type Store interface {
	// Current returns the caller's newest launch, or ErrNotFound. Without latest, the launch may be
	// slightly out of date. This is sufficient because Issue checks again.
	Current(ctx context.Context, caller solana.PublicKey, latest bool) (Launch, error)
	// Launch returns the launch with the given transaction ID, or ErrNotFound.
	Launch(ctx context.Context, id string) (Launch, error)
	// Issue stores a new pending launch as the caller's newest. previous is the result of Current,
	// or nil. Issue supersedes a previous launch that can still be submitted at now, and releases
	// the nonce, before storing the new launch. It returns ErrConflict if previous is no longer
	// current. A repeated call for the same launch is safe. After any error, previous may be
	// superseded and the new launch may be stored, so the caller must not receive the new launch.
	Issue(ctx context.Context, l Launch, previous *Launch, now time.Time) error
	// Refresh adds a message to an order that can still be submitted at now, or returns
	// ErrConflict. A repeated call adds the message twice, without effect.
	Refresh(ctx context.Context, id string, m transaction.Message, now time.Time) error
	// Submit records the signed message of a launch, which is the message with l.Signature.
	//
	// The first submission marks a pending launch as submitted, if the order is alive at now. It
	// also binds the wallet, counts as a use of the image, marks the nonce as in use, publishes the
	// token's record, and schedules the reconciler. If l has several submitted messages, a further
	// submission adds a message to a submitted launch.
	//
	// It returns ErrConflict if the launch is not pending or submitted, if the order has expired,
	// or if the message was submitted already. It returns ErrWalletInUse if another token has the
	// wallet, and ErrNoImage if the image is deleted or blocked.
	Submit(ctx context.Context, l Launch, now time.Time) error
	// Settle records the end of a submitted launch, with the signature of the landed message, and
	// releases the nonce. l.Status is Confirmed or Failed. Settle has no effect on an ended launch.
	// It also does not mark a launch as failed if the stored launch has submitted messages that l
	// lacks.
	Settle(ctx context.Context, l Launch, now time.Time) error
}

// Wallets reads issued distribution wallets.
type Wallets interface {
	// Get returns an issued wallet, or wallet.ErrNotFound.
	Get(ctx context.Context, id string) (wallet.Wallet, error)
}

// Images reads the service's stored images.
type Images interface {
	// Hold protects an image from removal while a launch that was prepared at now can be submitted.
	// It returns image.ErrNotFound if the image does not exist, and content.ErrBlocked if
	// operations blocked the image.
	Hold(ctx context.Context, cid string, now time.Time) error
	// Get returns an image's record. It returns the same errors as Hold.
	Get(ctx context.Context, cid string) (image.Stored, error)
}

// Names reads the names that operations blocked.
type Names interface {
	// Blocked reports for each name whether the name is blocked. visible.Key defines the
	// comparison.
	Blocked(ctx context.Context, names ...string) ([]bool, error)
}

// Files stores metadata files.
type Files interface {
	// Name returns the content id of a file.
	Name(file []byte) (cid string, err error)
	SaveMetadata(ctx context.Context, file []byte) error
}

// Nonces leases durable nonces.
type Nonces interface {
	// Lease leases a nonce to transaction id until the given time.
	Lease(ctx context.Context, id string, until time.Time) (transaction.Nonce, error)
	// Release ends the lease of transaction id early.
	Release(ctx context.Context, n transaction.Nonce, id string) error
	// Spend ensures that a nonce no longer has the given value, which the nonce had in slot held.
	// No transaction on the value can land afterwards.
	Spend(ctx context.Context, n transaction.Nonce, held uint64) error
}

// Signer is the service's key that signs every launch last, on submit. It is also the authority of
// the service's nonces.
type Signer interface {
	PublicKey(ctx context.Context) ([32]byte, error)
	Sign(ctx context.Context, message []byte) ([64]byte, error)
}

// MAC is a keyed hash, HMAC-SHA-512, whose key cannot be read.
type MAC interface {
	Sum512(ctx context.Context, message []byte) ([64]byte, error)
}
