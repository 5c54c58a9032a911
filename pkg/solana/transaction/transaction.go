// Package transaction holds the transactions that the service prepares for a
// caller to sign: what was issued, until when it may come back, and whether what
// comes back is exactly that.
package transaction

import (
	"crypto/sha256"
	"time"

	"github.com/gagliardetto/solana-go"
)

// Lifetime is how long an order may be submitted (requirement).
const Lifetime = 5 * time.Minute

// Status says what has become of a prepared transaction.
type Status string

const (
	// Pending: issued, waiting for the caller's signature. The service's last signature
	// is missing, so it cannot land.
	Pending Status = "pending"
	// Superseded: the same caller asked for another one; this one is refused.
	Superseded Status = "superseded"
	// Submitted: signed by all, recorded, and sent or about to be. It may land. On
	// blockhashes, more than one of its messages may.
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

// Prepared is one order: a transaction that was prepared for its caller, who brings it back
// signed. It uses a nonce, or a blockhash, and then it has a message for each
// blockhash that it was given. The order expires at ExpiresAt by being refused: the
// service's last signature is made only on submit.
type Prepared struct {
	ID     string // a UUID
	Caller solana.PublicKey
	Mint   solana.PublicKey
	// Nonce is what its one message uses; zero: its messages use blockhashes.
	Nonce Nonce
	// Messages are those that were issued, the oldest first. They differ in what they stand
	// on alone, and all create the same mint: so at most one of them lands well.
	Messages []Message
	// CreatedAt and ExpiresAt are in milliseconds' resolution.
	CreatedAt time.Time
	ExpiresAt time.Time

	Status Status
	// Signature is the id of the message that landed, and until that is known of the one
	// that was submitted last.
	Signature solana.Signature
	// SubmittedAt is when one was submitted last, in milliseconds' resolution, and
	// SubmittedSlot a slot in which the nonce still had its value: what a node says of an
	// earlier slot is too old to decide anything. Zero: not known.
	SubmittedAt   time.Time
	SubmittedSlot uint64
	// Reason says why it failed, in a sentence for the caller.
	Reason string
}

// Message is one message that was issued for an order.
type Message struct {
	// Digest is the SHA-256 of the compiled message that the caller is to sign. The
	// message itself comes back from them.
	Digest [sha256.Size]byte
	// LastValid is the height of the last block that can take it; zero when it uses
	// a nonce.
	LastValid uint64
	// Signed is the whole signed transaction with what the wallet changed, Signature its id; set
	// once it is submitted, before it is first sent, and never replaced.
	Signed    []byte
	Signature solana.Signature
}

// Submitted says whether the message was submitted, so that it may have been sent.
func (m Message) Submitted() bool { return !m.Signature.IsZero() }

// OnNonce says whether the order uses a nonce.
func (p Prepared) OnNonce() bool { return !p.Nonce.Account.IsZero() }

// Submitted gives the messages that were submitted, in the order in which they were issued.
func (p Prepared) Submitted() []Message {
	var list []Message
	for _, m := range p.Messages {
		if m.Submitted() {
			list = append(list, m)
		}
	}
	return list
}

// LastValid is the height of the last block that can take any message that was submitted;
// zero when they use a nonce.
func (p Prepared) LastValid() (height uint64) {
	for _, m := range p.Submitted() {
		height = max(height, m.LastValid)
	}
	return height
}

// Cosignature is one signature on a message, with its signer.
type Cosignature struct {
	Signer    solana.PublicKey
	Signature solana.Signature
}

// Nonce is the durable nonce that a transaction uses.
type Nonce struct {
	Account solana.PublicKey
	Value   solana.Hash
}

// Expired says whether no message of the order may be submitted any more at now.
func (p Prepared) Expired(now time.Time) bool { return !now.Before(p.ExpiresAt) }
