package payout

import (
	"context"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/onchain"
)

// Chain is one provider's view of the network. Methods return an apperr.Upstream if the provider
// does not respond.
type Chain interface {
	computebudget.Market

	// Finality returns the newest finalized slot and the block height of the slot, both from
	// one response.
	Finality(ctx context.Context) (onchain.Tip, error)
	// Height returns the node's block height, finalized or not.
	Height(ctx context.Context) (uint64, error)
	// FinalTime returns the measured time from a block to the block's finality.
	FinalTime(ctx context.Context) (time.Duration, error)
	// RecentBlockhash returns a blockhash for a signature.
	RecentBlockhash(ctx context.Context) (onchain.Blockhash, error)
	// Knows reports whether the node accepts transactions on a blockhash. If so, a later
	// Height is at least the height of the blockhash's block.
	Knows(ctx context.Context, blockhash solana.Hash) (bool, error)
	// AccountsAt reads up to 100 accounts at one finalized slot, which is from or later. A
	// missing account is nil. It returns onchain.ErrBehind if the node has not reached the
	// slot from.
	AccountsAt(ctx context.Context, from uint64, addresses ...solana.PublicKey) ([]*onchain.Account, uint64, error)
	// SignatureStatuses returns the node's status of recently sent transactions, in order. A status
	// that is not final may be rolled back.
	SignatureStatuses(ctx context.Context, signatures ...solana.Signature) ([]SignatureStatus, error)
	// Landings returns the finalized transactions among signatures, old transactions included.
	Landings(ctx context.Context, signatures ...solana.Signature) ([]Landing, error)
	// History returns the finalized transactions that name an account, newest first.
	// complete is false if the account has more transactions than the method reads.
	History(ctx context.Context, account solana.PublicKey) (list []Landing, complete bool, err error)
	// Opened reports whether a finalized transaction gave an account its first lamports. It
	// returns false if the node does not have the transaction.
	Opened(ctx context.Context, signature solana.Signature, account solana.PublicKey) (bool, error)
	// Effect returns the balance changes of a finalized transaction's fee payer. found is
	// false if the node does not have the transaction.
	Effect(ctx context.Context, signature solana.Signature) (effect Effect, found bool, err error)
	// Try simulates a transaction without signatures. If the node cannot read the
	// transaction's version, Try returns a Trial that is not OK, without an error.
	Try(ctx context.Context, tx []byte) (SimulationResult, error)
	// Send sends a signed transaction to the network. It is idempotent.
	Send(ctx context.Context, signed []byte) error
	// Holders reads any number of accounts at the newest slot, in order. A missing account
	// is nil.
	Holders(ctx context.Context, addresses ...solana.PublicKey) ([]*onchain.Account, error)
	// MinimumBalance returns the rent of an account of the given size, in lamports.
	MinimumBalance(ctx context.Context, bytes uint64) (uint64, error)
}

// Sighting is a node's status of a transaction that may not be final.
type SignatureStatus struct {
	Seen bool
	// Final reports whether the transaction is final. Left is the measured time until
	// finality: zero if the transaction is final, or should be final by now.
	Final bool
	Left  time.Duration
}

// Landing is a finalized transaction.
type Landing struct {
	Signature solana.Signature
	Slot      uint64
	// Failed is the cause of a failure; empty if the transaction succeeded. Poor reports
	// that the fee payer had too few lamports, or that the first instruction failed, which
	// creates the receipt: the payment's own instructions are not at fault.
	Failed string
	Poor   bool
}

// Effect is the balance changes of a transaction's fee payer.
type Effect struct {
	FeeLamports uint64
	Lamports    int64 // fee included
	// Tokens are the changes of the fee payer's token accounts, by mint.
	Tokens map[solana.PublicKey]int64
}

// Trial is the result of a simulation.
type SimulationResult struct {
	OK bool
	// Passing reports a transient failure: the same transaction may succeed later.
	Transient bool
	// Funds reports that an account, most likely the fee payer, has too few lamports.
	Funds bool
	// First reports that the first instruction failed, which creates the receipt.
	First bool
	// Units is the number of compute units that the transaction consumes.
	Units uint32
	// Data is the number of bytes of loaded accounts, as the network counts bytes against a
	// limit; zero if the node does not report the number.
	Data   uint32
	Detail string // a sentence, unless OK
}
