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

// Lifetime says whether launches use a nonce or a blockhash.
type Lifetime string

const (
	// OnNonce: a durable nonce, for as long as the network has them. The transaction lives
	// as long as its order, five minutes. Where there is no nonce to be had, or the network
	// refuses it, the launch uses a blockhash.
	OnNonce Lifetime = "nonce"
	// OnBlockhash: a recent blockhash. The order lives five minutes, a transaction as long
	// as its blockhash, and the order gets another one when it is over.
	OnBlockhash Lifetime = "blockhash"
)

// Known gives the lifetime, or an error when there is no such one.
func (l Lifetime) Known() (Lifetime, error) {
	if l != OnNonce && l != OnBlockhash {
		return l, fmt.Errorf("the lifetime of launches is %q: it must be %q or %q", l, OnNonce, OnBlockhash)
	}
	return l, nil
}

// Launch is one token on its way: the order for the transaction that creates it, and the
// record that the token will have.
type Launch struct {
	transaction.Prepared
	Token token.Record
	Terms Terms
}

// Terms are what all messages of a launch share, beside the token's record.
type Terms struct {
	Units              uint32 // limit of compute units
	PriceMicroLamports uint64 // for each
	MintRentLamports   uint64
	FundingLamports    uint64 // for the distribution wallet
}

// Errors of a Store.
var (
	// ErrNotFound: no such launch.
	ErrNotFound = errors.New("no such launch")
	// ErrConflict: another write changed what this one depends on; read again.
	ErrConflict = errors.New("launch changed meanwhile")
	// ErrWalletInUse: another token has the distribution wallet.
	ErrWalletInUse = errors.New("distribution wallet is in use")
	// ErrNoImage: the picture is gone or blocked.
	ErrNoImage = errors.New("picture is gone or blocked")
)

// Store keeps launches. Each write but Issue is one transaction whose conditions are the
// rules, so that it happens whole, once, or not at all.
type Store interface {
	// Current gives the caller's newest launch, ErrNotFound when there is none. Unless
	// the latest is asked for, it may be what was so a moment ago: Issue decides.
	Current(ctx context.Context, caller solana.PublicKey, latest bool) (Launch, error)
	// Launch gives a launch by its transaction's id, or ErrNotFound.
	Launch(ctx context.Context, id string) (Launch, error)
	// Issue stores a new pending launch as the caller's newest. previous is what
	// Current gave, nil for none: when it can still be submitted at now, it is
	// superseded and its nonce freed before. ErrConflict when previous is no longer
	// current; Issue may be called again for the same launch. Where it fails, previous
	// may be superseded and the new one be stored: so its caller is not told of it.
	Issue(ctx context.Context, l Launch, previous *Launch, now time.Time) error
	// Refresh adds a message to an order that can still be submitted at now. ErrConflict
	// when it cannot. Adding it again adds it twice, which changes nothing.
	Refresh(ctx context.Context, id string, m transaction.Message, now time.Time) error
	// Submit records that a message of a launch is signed: the one with l.Signature. The
	// first makes a pending launch submitted, if its order lives at now; binds the wallet,
	// counts as a use of the picture, marks the nonce as in use, publishes the token's record, and puts the launch down to
	// be looked after until it ends. Another one, where l has more of them, joins a submitted
	// launch. ErrConflict when the launch is not pending, or not submitted, its order is
	// over, or the message was submitted already; ErrWalletInUse when another token has the
	// wallet, ErrNoImage when the picture is gone or blocked.
	Submit(ctx context.Context, l Launch, now time.Time) error
	// Settle records the end of a submitted launch, l.Status being Confirmed or Failed,
	// with the signature of what landed, and frees its nonce. It does nothing when the
	// launch has ended already, nor calls it failed when it has other messages submitted
	// than l has.
	Settle(ctx context.Context, l Launch, now time.Time) error
}

// Wallets finds distribution wallets that were issued.
type Wallets interface {
	// Get gives an issued wallet; wallet.ErrNotFound when there is none.
	Get(ctx context.Context, id string) (wallet.Wallet, error)
}

// Images knows which images this service stored.
type Images interface {
	// Hold keeps a picture from being removed for as long as a launch can be submitted that
	// is prepared at now. It fails with image.ErrNotFound where there is none, and with
	// content.ErrBlocked where operations took it down.
	Hold(ctx context.Context, cid string, now time.Time) error
	// Get gives a picture's record and fails like Hold.
	Get(ctx context.Context, cid string) (image.Stored, error)
}

// Names knows what operations took down.
type Names interface {
	// Blocked says of each name whether it is blocked; how names compare is visible.Key's.
	Blocked(ctx context.Context, names ...string) ([]bool, error)
}

// Files stores metadata files.
type Files interface {
	// Name gives the content id that a file will have.
	Name(file []byte) (cid string, err error)
	SaveMetadata(ctx context.Context, file []byte) error
}

// Nonces leases durable nonces.
type Nonces interface {
	// Lease gives a nonce to transaction id until the given time.
	Lease(ctx context.Context, id string, until time.Time) (transaction.Nonce, error)
	// Release ends the lease of transaction id, which is not needed after all.
	Release(ctx context.Context, n transaction.Nonce, id string) error
	// Spend makes sure that a nonce no longer has the given value, which it had in
	// slot held, so that no transaction on that value can land any more.
	Spend(ctx context.Context, n transaction.Nonce, held uint64) error
}

// Signer is the key whose signature every launch needs and gets last, when it is submitted:
// the authority of the service's nonces.
type Signer interface {
	PublicKey(ctx context.Context) ([32]byte, error)
	Sign(ctx context.Context, message []byte) ([64]byte, error)
}

// MAC is a keyed hash, HMAC-SHA-512, whose key cannot be read.
type MAC interface {
	Sum512(ctx context.Context, message []byte) ([64]byte, error)
}
