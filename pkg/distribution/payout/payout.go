// Package payout moves money out of distribution wallets, each amount at most
// once.
//
// Every movement is an intent, and every transaction of an intent stands on a
// durable nonce of the wallet: a lane. The chain lets at most one transaction land
// for each value of a nonce. So whatever crashes, is repeated or races, one value
// pays one intent: first it is written down what the value is for, then a
// transaction is signed and written down, then it is sent. It may be sent again,
// and signed again with a higher fee on the same value. What became of it is read
// from the lane at a finalized slot, never from a clock, a node's word about a
// single transaction, or a lease.
package payout

import (
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token/terms"
)

// Kind says what an intent is for.
type Kind string

// The kinds. Collect and Pay come in batches over a file of records, on many
// lanes; of the others a leg of a run has one each, on lane 0.
const (
	// Setup makes lanes and the wallet's own token accounts. It stands on a blockhash,
	// for there is no lane yet; landing twice is impossible, because an account can
	// be made once only, and all of a transaction happens or nothing.
	Setup Kind = "setup"
	// Collect brings withheld tax from holders' accounts into the wallet.
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
)

// ID names an intent; the same decision has the same ID for ever.
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

// Intent is one movement of money: what it is, and what was done about it. All
// its fields are facts; Status is derived from them.
type Intent struct {
	ID   ID
	Mint solana.PublicKey // the token whose run it is
	// From and To say which records of the phase's file it pays or collects from,
	// To excluded; both zero for intents that are no batch.
	From, To uint32
	// Asset and Amount are what leaves the wallet at most, without network fees; zero
	// for collections and anchors.
	Asset  terms.Asset
	Amount uint64

	// Lane and Value are what it was bound to: no other intent ever is. Lane is
	// meaningless while BoundAt is zero.
	Lane    int
	Value   solana.Hash
	BoundAt time.Time
	// Skips are the records that were left out when it was bound.
	Skips []Skip
	// Made are the records for whose holders its transaction makes an account: each
	// gets the phase's AccountCharge less.
	Made []uint32
	// Attempts are the transactions signed for it, all on Value.
	Attempts []Attempt
	// Outcome is which attempt landed, once that is final.
	Outcome *Outcome
	// Split says that its two halves take its place: it failed, or did not fit.
	Split bool
	// Refused says why nothing was signed for it; empty otherwise. Detail is that as a
	// sentence.
	Refused Reason
	Detail  string
	// MovedAt is when the lane was first seen to have moved on while it could not be
	// said what landed; UnknownSince is set when that lasted, and nobody can say.
	MovedAt      time.Time
	UnknownSince time.Time

	// Version counts the writes; a write is refused when another one came between.
	Version int64
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

// Attempt is one signed transaction of an intent.
type Attempt struct {
	Signature solana.Signature
	// Bytes is the transaction as it was signed; empty once the end of a batch is
	// final, for it is in the journal.
	Bytes []byte
	// PriceMicroLamports is what it offers for a compute unit.
	PriceMicroLamports uint64
	// Cancel says that it only spends the nonce's value: if it lands, nothing moved.
	Cancel   bool
	SignedAt time.Time
}

// Outcome is the end of an intent whose nonce value is spent.
type Outcome struct {
	Signature solana.Signature
	Slot      uint64 // finalized
	// Failed says why it failed on the chain: then nothing moved but the fee. Empty
	// when it succeeded.
	Failed string
	// Cancelled says that the attempt that landed was one that moves nothing.
	Cancelled bool
	// FeeLamports is what the network took.
	FeeLamports uint64
	// Lamports and Tokens are what the transaction itself says that it did to the
	// wallet: how its lamports, fee included, and its associated token accounts, by
	// mint, changed.
	Lamports int64
	Tokens   map[solana.PublicKey]int64
	At       time.Time
}

// Moved says whether the intent's money moved.
func (o Outcome) Moved() bool { return o.Failed == "" && !o.Cancelled }

// Status says how far an intent has come.
type Status string

// The states of an intent.
const (
	Planned Status = "planned" // nothing has been decided about it
	Bound   Status = "bound"   // it has a nonce value; nothing is signed
	Sent    Status = "sent"    // signed, and perhaps sent: it may land at any time
	Settled Status = "settled" // its money moved, finally
	Failed  Status = "failed"  // finally, it did not move
	Split   Status = "split"   // its halves take its place
	Refused Status = "refused" // nothing was signed, and nothing will be
	Unknown Status = "unknown" // its value is spent, nobody can say by what: a reserved liability
)

// Decided says whether the state is one that nothing changes any more, but for
// what people find out about an Unknown.
func (s Status) Decided() bool {
	switch s {
	case Settled, Failed, Split, Refused, Unknown:
		return true
	case Planned, Bound, Sent:
		return false
	}
	return false
}

// Lane is a durable nonce account of a distribution wallet, whose authority is
// that wallet.
type Lane struct {
	Mint    solana.PublicKey // the token whose wallet it is
	Number  int
	Address solana.PublicKey
	// Value is the nonce's value as it was read at a finalized Slot.
	Value solana.Hash
	Slot  uint64
	// Intent is what Value is bound to; the zero ID when it is free.
	Intent ID
	// Frozen says why nothing may be bound to it; empty otherwise.
	Frozen  string
	Version int64
}

// Restored is what a lane is frozen for when the chain shows movements that the
// ledger does not have.
const Restored = "the ledger is older than the chain"

// Free says whether an intent may be bound to the lane.
func (l Lane) Free() bool { return l.Intent == ID{} && l.Frozen == "" }

// Errors of stores.
var (
	// ErrNotFound: there is no such lane or intent.
	ErrNotFound = errors.New("no such lane or intent")
	// ErrConflict: somebody else wrote meanwhile; read again.
	ErrConflict = errors.New("the ledger has changed meanwhile")
	// ErrRestored: the chain shows movements that the ledger does not have, as after a
	// restored backup. All lanes of the token are frozen until Engine.Rebuild.
	ErrRestored = errors.New("the ledger is older than the chain: its lanes are frozen")
)
