package transaction

import (
	"time"

	"github.com/gagliardetto/solana-go"
)

// Fate is what has become of a transaction that its caller sends.
type Fate string

const (
	// Open: it may still land, or has landed and is not finalized.
	Open Fate = "open"
	// Seen: what it was to do is on the chain, finalized.
	Seen Fate = "seen"
	// Expired: it can land no more, and did not do what it was to do.
	Expired Fate = "expired"
)

// Over says whether nothing more will become of it.
func (f Fate) Over() bool {
	switch f {
	case Seen, Expired:
		return true
	case Open:
	}
	return false
}

// Issued is the record of an unsigned transaction that its caller signs and sends without the
// service. Launches, which come back to the service, have a Prepared instead.
type Issued struct {
	ID     string // a UUID
	Kind   Kind
	Caller solana.PublicKey
	Mint   solana.PublicKey
	// Subject is the address by which its effect is found on the chain: the pool that
	// it makes or changes, or the reference of a payment; zero when it is not watched.
	Subject  solana.PublicKey
	Message  []byte
	Cosigned []Cosignature
	// LastValid is the height of the last block that can take it.
	LastValid uint64
	CreatedAt time.Time
	ExpiresAt time.Time
	Fate      Fate
	// DueAt is when it is looked at next; zero when it is not watched, or no longer.
	DueAt time.Time
}

// Issue makes the record of an unsigned transaction. It is looked at from firstLook
// on by its subject; zero: it is not watched.
func (u Unsigned) Issue(subject solana.PublicKey, firstLook time.Time) Issued {
	return Issued{
		ID: u.ID, Kind: u.Kind, Caller: u.Caller, Mint: u.Mint, Subject: subject,
		Message: u.Message, Cosigned: u.Cosigned, LastValid: u.LastValid,
		CreatedAt: u.CreatedAt, ExpiresAt: u.ExpiresAt, Fate: Open, DueAt: firstLook,
	}
}
