package payout

import (
	"context"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/onchain"
)

// Chain is one provider's view of the network. That it does not answer is an
// apperr.Upstream.
type Chain interface {
	computebudget.Market

	// Finality gives the newest finalized slot and its block height, from one answer.
	Finality(ctx context.Context) (onchain.Tip, error)
	// Height is the height that the node has come to, final or not.
	Height(ctx context.Context) (uint64, error)
	// FinalTime returns how long a block takes to become final, as measured.
	FinalTime(ctx context.Context) (time.Duration, error)
	// RecentBlockhash gives a blockhash to sign on.
	RecentBlockhash(ctx context.Context) (onchain.Blockhash, error)
	// Knows says whether the node takes transactions on a blockhash. Then it has come to its
	// block: what Height gives after it is no less.
	Knows(ctx context.Context, blockhash solana.Hash) (bool, error)
	// AccountsAt reads accounts, 100 at most, at one finalized slot, which is from or
	// later; nil where there is none. It fails with onchain.ErrBehind when the node has not
	// come so far.
	AccountsAt(ctx context.Context, from uint64, addresses ...solana.PublicKey) ([]*onchain.Account, uint64, error)
	// Sightings say how far transactions have come that were sent not long ago, in order,
	// as the node sees it now: what is not final may be undone.
	Sightings(ctx context.Context, signatures ...solana.Signature) ([]Sighting, error)
	// Landings gives those of the transactions that are finalized, old ones included.
	Landings(ctx context.Context, signatures ...solana.Signature) ([]Landing, error)
	// History gives the finalized transactions that name an account, newest first.
	// complete is false when there are more than it reads.
	History(ctx context.Context, account solana.PublicKey) (list []Landing, complete bool, err error)
	// Opened says whether a finalized transaction gave an account its first lamports; false
	// when the node does not have the transaction.
	Opened(ctx context.Context, signature solana.Signature, account solana.PublicKey) (bool, error)
	// Effect says what a finalized transaction did to its fee payer; found is false
	// when the node does not have it.
	Effect(ctx context.Context, signature solana.Signature) (effect Effect, found bool, err error)
	// Try says what the network would make of a transaction without signatures. That a
	// node does not read its version is no error, but a trial that is not OK.
	Try(ctx context.Context, tx []byte) (Trial, error)
	// Send hands a signed transaction to the network; again is no error.
	Send(ctx context.Context, signed []byte) error
	// Holders reads what is at addresses now, any number of them, in order; nil where
	// there is nothing.
	Holders(ctx context.Context, addresses ...solana.PublicKey) ([]*onchain.Account, error)
	// MinimumBalance gives the rent of an account of so many bytes, in lamports.
	MinimumBalance(ctx context.Context, bytes uint64) (uint64, error)
}

// Sighting is what a node sees of a transaction that may not be final.
type Sighting struct {
	Seen bool
	// Final reports whether it is final. Left is the time until then, as measured: zero if the
	// transaction is final, or should be.
	Final bool
	Left  time.Duration
}

// Landing is a transaction that is finalized.
type Landing struct {
	Signature solana.Signature
	Slot      uint64
	// Failed says why it failed; empty when it succeeded. Poor says that the fee payer
	// had too little, or that the first instruction failed, which creates the receipt:
	// then what the transaction does is not at fault.
	Failed string
	Poor   bool
}

// Effect is what a transaction did to its fee payer.
type Effect struct {
	FeeLamports uint64
	Lamports    int64 // fee included
	// Tokens are the changes of its token accounts, by mint.
	Tokens map[solana.PublicKey]int64
}

// Trial is what the network would make of a transaction.
type Trial struct {
	OK bool
	// Passing: it is about the moment, not the transaction, which may succeed later.
	Passing bool
	// Funds: an account, most likely the fee payer, has too little SOL.
	Funds bool
	// First: the first instruction failed, which creates the receipt.
	First bool
	// Units is what it would compute.
	Units uint32
	// Data is the number of bytes of accounts that it would load, as the network counts
	// them against a limit; zero: the node does not report it.
	Data   uint32
	Detail string // a sentence, unless OK
}
