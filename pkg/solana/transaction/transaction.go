// Package transaction holds the transactions that the service prepares for a
// caller to sign: what was issued, until when it may come back, and whether what
// comes back is exactly that.
package transaction

import (
	"crypto/sha256"
	"time"

	"github.com/gagliardetto/solana-go"
)

// Lifetime is how long a prepared transaction may be submitted (requirement).
const Lifetime = 5 * time.Minute

// Status says what has become of a prepared transaction.
type Status string

const (
	// Pending: issued, waiting for the caller's signature. The nonce authority
	// has not signed, so nobody can land it.
	Pending Status = "pending"
	// Superseded: the same caller asked for another one; this one is refused.
	Superseded Status = "superseded"
	// Submitted: signed by all, recorded, and sent or about to be. It may land.
	Submitted Status = "submitted"
	// Confirmed: landed without an error.
	Confirmed Status = "confirmed"
	// Failed: landed with an error, or can never land; nothing moved but the fee.
	Failed Status = "failed"
)

// MayLand says whether the chain may still execute the transaction.
func (s Status) MayLand() bool {
	switch s {
	case Submitted:
		return true
	case Pending, Superseded, Confirmed, Failed:
		return false
	}
	return true // an unknown state is treated as the dangerous one
}

// Prepared is one transaction that was issued. It expires at ExpiresAt by being
// refused: the service's nonce signature is made only on submit.
type Prepared struct {
	ID     string // a UUID
	Caller solana.PublicKey
	// Digest is the SHA-256 of the compiled message that the caller is to sign. The
	// message itself comes back from him.
	Digest [sha256.Size]byte
	// Cosigned are the signatures that the service made when it issued the
	// transaction: the mint's.
	Cosigned []Cosignature
	Nonce    Nonce
	Mint     solana.PublicKey
	// CreatedAt and ExpiresAt are in milliseconds' resolution.
	CreatedAt time.Time
	ExpiresAt time.Time

	Status Status
	// Signed is the whole signed transaction, Signature its id; set when the
	// status becomes Submitted, before it is first sent.
	Signed    []byte
	Signature solana.Signature
	// SubmittedAt is when, in milliseconds' resolution, and SubmittedSlot a slot in
	// which the nonce still had its value: what a node says of an earlier slot is
	// too old to decide anything. Zero: not known.
	SubmittedAt   time.Time
	SubmittedSlot uint64
	// Reason says why it failed, in a sentence for the caller.
	Reason string
}

// Cosignature is one signature on a message, with its signer.
type Cosignature struct {
	Signer    solana.PublicKey
	Signature solana.Signature
}

// Nonce is the durable nonce that a transaction stands on.
type Nonce struct {
	Account solana.PublicKey
	Value   solana.Hash
}

// Expired says whether a pending transaction may no longer be submitted at now.
func (p Prepared) Expired(now time.Time) bool { return !now.Before(p.ExpiresAt) }
