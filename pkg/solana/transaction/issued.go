package transaction

import (
	"time"

	"github.com/gagliardetto/solana-go"
)

// Fate is the outcome of a transaction that the caller sends.
type Fate string

const (
	// Open: the transaction may still land, or has landed and is not finalized.
	Open Fate = "open"
	// Seen: the transaction's effect is on the chain, finalized.
	Seen Fate = "seen"
	// Expired: the transaction can no longer land, and had no effect.
	Expired Fate = "expired"
)

// Over reports whether the fate is final.
func (f Fate) Over() bool {
	switch f {
	case Seen, Expired:
		return true
	case Open:
	}
	return false
}

// Issued is the record of an unsigned transaction that the caller signs and sends without the
// service. Launches return to the service and have a Prepared.
type Issued struct {
	ID     string // a UUID
	Kind   Kind
	Caller solana.PublicKey
	Mint   solana.PublicKey
	// Subject is the address that shows the transaction's effect on the chain: the pool that the
	// transaction creates or changes, or the reference of a payment. Zero means not watched.
	Subject  solana.PublicKey
	Message  []byte
	Cosigned []Cosignature
	// LastValid is the height of the last block that accepts the transaction.
	LastValid uint64
	CreatedAt time.Time
	ExpiresAt time.Time
	Fate      Fate
	// DueAt is the time of the next check. Zero means not watched, or no longer watched.
	DueAt time.Time
}

// Issue returns the record of an unsigned transaction, with the first check of the subject at
// firstLook. A zero firstLook means that the transaction is not watched.
func (u Unsigned) Issue(subject solana.PublicKey, firstLook time.Time) Issued {
	return Issued{
		ID: u.ID, Kind: u.Kind, Caller: u.Caller, Mint: u.Mint, Subject: subject,
		Message: u.Message, Cosigned: u.Cosigned, LastValid: u.LastValid,
		CreatedAt: u.CreatedAt, ExpiresAt: u.ExpiresAt, Fate: Open, DueAt: firstLook,
	}
}
