// Package payout moves money out of distribution wallets, each amount at most
// once.
//
// Every transfer of money is a payment. One conditional write decides a payment: the
// write binds the payment to recipients, amounts and a receipt, or cancels the payment.
// A bound payment has attempts, which are signed transactions on recent blockhashes.
// The first instruction of every attempt creates the payment's receipt, an account at an
// address that can be created only once. So the chain accepts at most one attempt,
// despite crashes, retries and races. The engine writes an attempt to the journal and
// the ledger before sending the attempt. The outcome of a payment is read at finalized
// slots, from every provider.
package payout

import (
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token/terms"
)

// Kind is the purpose of a payment.
type Kind string

// The kinds. Collect and Pay have one payment for each batch of a file of records. A leg
// of a run has at most one payment of every other kind, except Setup and Return, which
// may need several.
const (
	// Setup creates the wallet's own token accounts. Setup needs no receipt, because an
	// account can be created only once.
	Setup Kind = "setup"
	// Collect moves withheld tax from holders' accounts into the wallet. Collect needs no
	// receipt, because a second collection finds no tax.
	Collect Kind = "collect"
	// Burn destroys tokens of the wallet.
	Burn Kind = "burn"
	// Exchange sells tokens for the reward asset.
	Exchange Kind = "exchange"
	// Fuel sells tokens for the SOL that pays the wallet's own fees and rent.
	Fuel Kind = "fuel"
	// Creator pays the creator's share.
	Creator Kind = "creator"
	// Pay pays holders.
	Pay Kind = "pay"
	// Anchor writes the hash of a run's proof to the chain.
	Anchor Kind = "anchor"
	// Handover moves the authority over withheld tax to another address.
	Handover Kind = "handover"
	// Return closes receipts and returns the rent to the wallet. Return needs no receipt,
	// because a closed receipt is empty.
	Return Kind = "return"
	// Release closes the token accounts of a wound-down token's wallet. Release needs no receipt,
	// because an account can be closed only once.
	Release Kind = "release"
	// Refund sends the lamports of a wound-down token's wallet to the creator. Refund needs no
	// receipt, because the first Refund leaves nothing for a second one.
	Refund Kind = "refund"
)

// Receipted reports whether payments of the kind have receipts.
func (k Kind) Receipted() bool {
	switch k {
	case Burn, Exchange, Fuel, Creator, Pay, Anchor, Handover:
		return true
	case Setup, Collect, Return, Release, Refund:
	}
	return false
}

// ID identifies a payment. The same decision always has the same ID.
type ID struct {
	Run  string // the run's ID
	Kind Kind
	// Leg is the index of the paid asset in the run. For exchanges, which may be retried,
	// Leg is the number of the try.
	Leg int
	// Batch is the index of the batch, from 0.
	Batch int
	// Part is empty for a whole batch. The halves of a split batch are "0" and "1", the
	// halves of "0" are "00" and "01", and so on.
	Part string
}

// String returns the ID as text, for example "5b1c…/pay/0/17/01".
func (id ID) String() string {
	return fmt.Sprintf("%s/%s/%d/%d/%s", id.Run, id.Kind, id.Leg, id.Batch, id.Part)
}

// Payment is one transfer of money, with the facts that are known about the transfer.
// Status is derived from the fields.
type Payment struct {
	ID   ID
	Mint solana.PublicKey // the token whose run it is
	// From and To are the range of records of the phase's file that the payment covers,
	// To excluded. Both are zero for a payment that is not a batch.
	From, To uint32
	// Asset and Amount are the maximum that leaves the wallet, without network fees and
	// rent. Both are zero for collections, returns and anchors.
	Asset  terms.Asset
	Amount uint64

	// BoundAt is the time of the binding. Skips are the records that the binding leaves
	// out. Made are the records whose holders get an account from the transaction: every
	// such holder is paid the phase's AccountCharge less. Memos are the records whose
	// holders' accounts accept a transfer only directly after a memo. Receipt is nil for
	// kinds without receipts.
	BoundAt time.Time
	Skips   []Skip
	Made    []uint32
	Memos   []uint32
	Receipt *Receipt
	// Blocked are the receipts of earlier generations, which third parties created.
	Blocked []Receipt
	// Attempts are the signed transactions. All attempts have the same instructions,
	// except Void ones. Blockhash and fee differ.
	Attempts []Attempt

	// Outcome is the finalized attempt.
	Outcome *Outcome
	// DeadAt is the time at which no attempt had landed and no attempt could land any more.
	DeadAt time.Time
	// Split reports that two halves replace the payment.
	Split bool
	// Refused is the reason for a cancelled, dead or void payment. Detail is the reason as
	// a sentence.
	Refused Reason
	Detail  string
	// SeenAt is the time at which the receipt was first seen while the attempt that
	// created the receipt is not known. UnknownSince is set after Pace.Patience.
	SeenAt       time.Time
	UnknownSince time.Time
	// Failures are the attempts that failed on the chain and paid their fees.
	Failures []Failure
	// Quiet reports that every attempt has landed, failed or expired, so Failures is
	// complete.
	Quiet bool

	// Version is the number of writes. The store rejects a write of an older version.
	Version int64
}

// Receipt is an account that at most one attempt of a payment can create: an account of
// the System program without data, at the address derived from the wallet and the seed.
type Receipt struct {
	Address solana.PublicKey
	// Seed is secret until an attempt is sent. Anyone who knows the seed could create the
	// account first and block the receipt.
	Seed string
	// Generation counts from 0. A blocked receipt is replaced by the receipt of the next
	// generation.
	Generation int
}

// Skip is a record of a batch that is not paid, with the reason.
type Skip struct {
	Record uint32
	Reason Reason
	// Hold is the fingerprint of an account that cannot be paid. Later runs leave the
	// account out until the fingerprint changes. Zero means that the next run tries again.
	Hold [8]byte
}

// Reason is a stable word for why a payment or a record is not paid now.
type Reason string

// Attempt is one signed transaction of a payment.
type Attempt struct {
	Signature solana.Signature
	// Bytes is the signed transaction. Bytes is cleared once a batch is final, because
	// the journal keeps a copy.
	Bytes []byte
	// LastValid is the height of the last block that may contain the attempt.
	LastValid uint64
	// PriceMicroLamports is the price offered for a compute unit.
	PriceMicroLamports uint64
	// RentLamports is the rent deposited in the receipt.
	RentLamports uint64
	// Void reports that the attempt only creates the receipt. If a void attempt lands, no
	// money has moved and no other attempt can land.
	Void     bool
	SignedAt time.Time
}

// Failure is an attempt that failed on the chain and cost only the fee.
type Failure struct {
	Signature   solana.Signature
	Slot        uint64 // finalized
	FeeLamports uint64
	Why         string
}

// Outcome is the landing that ended a payment.
type Outcome struct {
	Signature solana.Signature
	Slot      uint64 // finalized
	// Void reports that the landed attempt moved no money.
	Void bool
	// FeeLamports is the network's fee. RentLamports is the rent deposited in the receipt.
	FeeLamports  uint64
	RentLamports uint64
	// Lamports is the transaction's change of the wallet's lamports, fee and receipt
	// included. Tokens are the changes of the wallet's associated token accounts, by mint.
	// Both come from the transaction's own metadata.
	Lamports int64
	Tokens   map[solana.PublicKey]int64
	At       time.Time
}

// Moved reports whether the payment's money moved.
func (o Outcome) Moved() bool { return !o.Void }

// Status is the progress of a payment.
type Status string

// The states of a payment.
const (
	Planned   Status = "planned"   // undecided
	Bound     Status = "bound"     // decided, unsigned
	Sent      Status = "sent"      // signed, perhaps sent: an attempt may land at any time
	Landed    Status = "landed"    // the money moved, finally
	Dead      Status = "dead"      // no attempt landed, and no attempt can land
	Void      Status = "void"      // a void attempt landed: only the receipt is spent
	Split     Status = "split"     // replaced by two halves
	Cancelled Status = "cancelled" // unsigned, and never signed later
	Unknown   Status = "unknown"   // the landed attempt is not known: a reserved liability
)

// Decided reports whether the state is final. Only an operator's decision changes a
// payment that is Unknown.
func (s Status) Decided() bool {
	switch s {
	case Landed, Dead, Void, Split, Cancelled, Unknown:
		return true
	case Planned, Bound, Sent:
	}
	return false
}

// Errors of stores.
var (
	// ErrNotFound is returned when the ledger has no such payment.
	ErrNotFound = errors.New("no such payment")
	// ErrConflict is returned when another worker wrote first. The caller reads again.
	ErrConflict = errors.New("the ledger has changed meanwhile")
	// ErrNotSigned is returned when the message differs from the ledger's decision, or the
	// signer signs no such message.
	ErrNotSigned = errors.New("the signer refuses the message")
	// ErrCap is returned when a payment would exceed the cap of a run or a day. The payment
	// waits until the day is over or an operator lifts the cap.
	ErrCap = errors.New("a cap of the signer is reached")
	// ErrFrozen is returned while the token is frozen. An operator ends the freeze.
	ErrFrozen = errors.New("the token is frozen")
	// ErrRestored is returned when the journal has an attempt or a landing that the ledger
	// lacks, as after a restored backup. The token is frozen until the ledger is rebuilt.
	ErrRestored = errors.New("the ledger is older than its journal")
)

// OlderThanJournal is the reason of a freeze after ErrRestored. Rebuilding the ledger ends
// the freeze.
const OlderThanJournal = "The ledger is older than its journal."
