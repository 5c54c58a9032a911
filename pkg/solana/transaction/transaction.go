// Package transaction defines the transactions that the service prepares for a caller to sign: the
// issued messages, the expiry, and the checks of signed transactions that callers submit.
package transaction

import (
	"crypto/sha256"
	"time"

	"github.com/gagliardetto/solana-go"
)

// Lifetime is the period in which an order may be submitted (requirement).
const Lifetime = 5 * time.Minute

// Status is the state of a prepared transaction.
type Status string

const (
	// Pending: issued, waiting for the caller's signature. The transaction cannot land without the
	// service's last signature.
	Pending Status = "pending"
	// Superseded: the same caller requested another transaction. Submitting this transaction is
	// rejected.
	Superseded Status = "superseded"
	// Submitted: signed by all signers, recorded, and sent or about to be sent. The transaction may
	// land. If the order uses blockhashes, more than one message may land.
	Submitted Status = "submitted"
	// Confirmed: landed without an error.
	Confirmed Status = "confirmed"
	// Failed: landed with an error, or can never land. Only the fee was spent.
	Failed Status = "failed"
)

// MayLand reports whether the chain may still execute the transaction.
func (s Status) MayLand() bool {
	switch s {
	case Submitted:
		return true
	case Pending, Superseded, Confirmed, Failed:
		return false
	}
	return true // an unknown state must not be treated as harmless
}

// Prepared is an order: a prepared transaction that the caller returns signed. An order has one
// message on a nonce, or a message for each issued blockhash. After ExpiresAt the service rejects
// the order. This is safe because the service makes its last signature only on submit.
type Prepared struct {
	ID     string // a UUID
	Caller solana.PublicKey
	Mint   solana.PublicKey
	// Nonce is the nonce of the only message. Zero means that the messages use blockhashes.
	Nonce Nonce
	// Messages are the issued messages, the oldest first. The messages differ only in blockhash,
	// and all create the same mint, so at most one message can succeed.
	Messages []Message
	// CreatedAt and ExpiresAt have a resolution of milliseconds.
	CreatedAt time.Time
	ExpiresAt time.Time

	Status Status
	// Signature is the transaction ID of the landed message or, until a landing is known, of the
	// message that was submitted last.
	Signature solana.Signature
	// SubmittedAt is the time of the last submission, with a resolution of milliseconds.
	// SubmittedSlot is a slot in which the nonce still had its value, or zero if unknown. A node's
	// report of an earlier slot decides nothing, because the report is too old.
	SubmittedAt   time.Time
	SubmittedSlot uint64
	// Reason is a sentence for the caller about the failure.
	Reason string
}

// Message is an issued message of an order.
type Message struct {
	// Digest is the SHA-256 of the compiled message that the caller signs. The caller returns the
	// message itself.
	Digest [sha256.Size]byte
	// LastValid is the height of the last block that accepts the message, or zero on a nonce.
	LastValid uint64
	// Signed is the whole signed transaction, with the wallet's changes. Signature is the
	// transaction ID. Both are set on submission, before the first sending, and never replaced.
	Signed    []byte
	Signature solana.Signature
}

// Submitted reports whether the message was submitted, and may have been sent.
func (m Message) Submitted() bool { return !m.Signature.IsZero() }

// OnNonce reports whether the order uses a nonce.
func (p Prepared) OnNonce() bool { return !p.Nonce.Account.IsZero() }

// Submitted returns the submitted messages, in the order of issue.
func (p Prepared) Submitted() []Message {
	var list []Message
	for _, m := range p.Messages {
		if m.Submitted() {
			list = append(list, m)
		}
	}
	return list
}

// LastValid returns the height of the last block that accepts a submitted message, or zero on a
// nonce.
func (p Prepared) LastValid() (height uint64) {
	for _, m := range p.Submitted() {
		height = max(height, m.LastValid)
	}
	return height
}

// Cosignature is a signature on a message, with the signer.
type Cosignature struct {
	Signer    solana.PublicKey
	Signature solana.Signature
}

// Nonce is the durable nonce that a transaction uses.
type Nonce struct {
	Account solana.PublicKey
	Value   solana.Hash
}

// Expired reports whether submitting a message of the order is too late at now.
func (p Prepared) Expired(now time.Time) bool { return !now.Before(p.ExpiresAt) }
