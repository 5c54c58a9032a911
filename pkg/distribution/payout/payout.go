// Package payout moves money out of distribution wallets, each amount at most
// once.
//
// Every movement is a payment. It is decided once, by one conditional write: bound,
// with its recipients, amounts and receipt, or cancelled. A bound payment has attempts,
// which are signed transactions on recent blockhashes. The first instruction of each
// creates the payment's receipt, an account at an address that can be created once, so
// the chain lets at most one attempt land, whatever crashes, is repeated or races. An
// attempt is written to the journal and the ledger before it is sent. What became of a
// payment is read at finalized slots, from every provider.
package payout

import (
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token/terms"
)

// Kind says what a payment is for.
type Kind string

// The kinds. Collect and Pay come in batches over a file of records; of the others a
// leg of a run has one each, but for Setup and Return, which have as many as it takes.
const (
	// Setup makes the wallet's own token accounts. It has no receipt: an account is made
	// once.
	Setup Kind = "setup"
	// Collect brings withheld tax from holders' accounts into the wallet. It has no
	// receipt: what was collected cannot be collected again.
	Collect Kind = "collect"
	// Burn destroys tokens of the wallet.
	Burn Kind = "burn"
	// Exchange sells tokens for the reward asset.
	Exchange Kind = "exchange"
	// Fuel sells tokens for the SOL that the wallet's own fees and rent take.
	Fuel Kind = "fuel"
	// Creator pays the creator's share.
	Creator Kind = "creator"
	// Pay pays holders.
	Pay Kind = "pay"
	// Anchor puts a run's proof on the chain.
	Anchor Kind = "anchor"
	// Return brings the rent of receipts back. It has no receipt: what came back is gone
	// from there.
	Return Kind = "return"
)

// Receipted says whether payments of the kind have receipts.
func (k Kind) Receipted() bool {
	switch k {
	case Burn, Exchange, Fuel, Creator, Pay, Anchor:
		return true
	case Setup, Collect, Return:
	}
	return false
}

// ID names a payment; the same decision always has the same ID.
type ID struct {
	Run  string // a run's id
	Kind Kind
	// Leg is the asset that is paid, by its number in the run; the number of the try
	// for exchanges, which may be tried again.
	Leg int
	// Batch is the number of the batch, from 0.
	Batch int
	// Part is empty for a whole batch. Halves of a batch that was split are "0" and
	// "1", their halves "00" and "01", and so on.
	Part string
}

// String is, for example, "5b1c…/pay/0/17/01".
func (id ID) String() string {
	return fmt.Sprintf("%s/%s/%d/%d/%s", id.Run, id.Kind, id.Leg, id.Batch, id.Part)
}

// Payment is one movement of money: what it is, and what was done about it. All
// its fields are facts; Status is derived from them.
type Payment struct {
	ID   ID
	Mint solana.PublicKey // the token whose run it is
	// From and To say which records of the phase's file it pays or collects from,
	// To excluded; both zero for payments that are no batch.
	From, To uint32
	// Asset and Amount are what leaves the wallet at most, without network fees and
	// rent; zero for collections, returns and anchors.
	Asset  terms.Asset
	Amount uint64

	// BoundAt is when it was bound. Skips are the records that the binding leaves out,
	// Made those for whose holders its transaction makes an account: each gets the
	// phase's AccountCharge less. Memos are the records whose holders' accounts accept a
	// transfer only directly after a memo. Receipt is nil for kinds that have none.
	BoundAt time.Time
	Skips   []Skip
	Made    []uint32
	Memos   []uint32
	Receipt *Receipt
	// Blocked are the receipts of earlier generations, which strangers created.
	Blocked []Receipt
	// Attempts are the transactions signed for it. All have the same instructions, but
	// for Void ones; blockhash and fee differ.
	Attempts []Attempt

	// Outcome is which attempt landed, finally.
	Outcome *Outcome
	// DeadAt is when it was known that none landed and none can.
	DeadAt time.Time
	// Split says that its two halves take its place.
	Split bool
	// Refused says why it was cancelled, or why it is dead or void. Detail is that as a
	// sentence.
	Refused Reason
	Detail  string
	// SeenAt is when it was first seen that its receipt is there, while it cannot be said
	// which attempt created it; UnknownSince is set when that lasted.
	SeenAt       time.Time
	UnknownSince time.Time
	// Failures are the attempts that failed on the chain, which took their fees.
	Failures []Failure
	// Quiet says that no attempt can do anything any more, and Failures is complete.
	Quiet bool

	// Version counts the writes; a write is refused when another one came between.
	Version int64
}

// Receipt is an account that at most one attempt of a payment can create: the System
// program's, of no bytes, at the address that follows from the wallet and the seed.
type Receipt struct {
	Address solana.PublicKey
	// Seed is secret until an attempt is sent: who knows it can block the address.
	Seed string
	// Generation counts from 0; a blocked receipt is followed by the next generation's.
	Generation int
}

// Skip is a record of a batch that is not paid, and why.
type Skip struct {
	Record uint32
	Reason Reason
	// Hold is a fingerprint of the account that cannot be paid, so that it is left
	// out until it changes; zero when it is to be tried again.
	Hold [8]byte
}

// Reason says, in a stable word, why something is not paid now.
type Reason string

// Attempt is one signed transaction of a payment.
type Attempt struct {
	Signature solana.Signature
	// Bytes is the transaction as it was signed; empty once the end of a batch is
	// final, for it is in the journal.
	Bytes []byte
	// LastValid is the height of the last block that may have it.
	LastValid uint64
	// PriceMicroLamports is what it offers for a compute unit.
	PriceMicroLamports uint64
	// RentLamports is what it lends to the receipt.
	RentLamports uint64
	// Void says that it creates the receipt and does nothing else: if it lands, nothing
	// moved, and nothing can.
	Void     bool
	SignedAt time.Time
}

// Failure is an attempt that failed on the chain: nothing moved but the fee.
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
	// Void says that the attempt that landed was one that moves nothing.
	Void bool
	// FeeLamports is what the network took, RentLamports what the receipt holds.
	FeeLamports  uint64
	RentLamports uint64
	// Lamports and Tokens are what the transaction itself says that it did to the
	// wallet: how its lamports, fee and receipt included, and its associated token
	// accounts, by mint, changed.
	Lamports int64
	Tokens   map[solana.PublicKey]int64
	At       time.Time
}

// Moved says whether the payment's money moved.
func (o Outcome) Moved() bool { return !o.Void }

// Status says how far a payment has come.
type Status string

// The states of a payment.
const (
	Planned   Status = "planned"   // nothing has been decided about it
	Bound     Status = "bound"     // what it does is decided; nothing is signed
	Sent      Status = "sent"      // signed, and perhaps sent: it may land at any time
	Landed    Status = "landed"    // its money moved, finally
	Dead      Status = "dead"      // no attempt landed, and none can
	Void      Status = "void"      // an attempt landed that only spends the receipt
	Split     Status = "split"     // its halves take its place
	Cancelled Status = "cancelled" // nothing was signed, and nothing will be
	Unknown   Status = "unknown"   // it cannot be said what landed: a reserved liability
)

// Decided says whether the state is an end, which nothing changes any more, but for
// what operators find out about an Unknown.
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
	// ErrNotFound: there is no such payment.
	ErrNotFound = errors.New("no such payment")
	// ErrConflict: another worker wrote meanwhile; read again.
	ErrConflict = errors.New("the ledger has changed meanwhile")
	// ErrNotSigned: the message is not what the ledger decided, or no such message is
	// ever signed.
	ErrNotSigned = errors.New("the signer refuses the message")
	// ErrCap: more would leave the wallets than may, in a run or a day. The payment waits
	// until the day is over or an operator lifts the cap.
	ErrCap = errors.New("a cap of the signer is reached")
	// ErrFrozen: nothing of the token moves until an operator has resolved it.
	ErrFrozen = errors.New("the token is frozen")
	// ErrRestored: the journal has something of a payment that the ledger does not, as
	// after a restored backup. Nothing of the token moves until the ledger is rebuilt.
	ErrRestored = errors.New("the ledger is older than its journal")
)

// OlderThanJournal is what a token is frozen for after ErrRestored; restoring the ledger
// ends it.
const OlderThanJournal = "The ledger is older than its journal."
