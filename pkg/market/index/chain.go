package index

import (
	"context"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/onchain"
)

// Chain is the subset of the network's API that the index needs. All results are finalized.
type Chain interface {
	// Signatures lists up to limit transactions that name an address, failed transactions included,
	// the newest first. Only transactions before the given signature are listed; zero starts at the
	// newest transaction. limit is at most 1,000. The list is shorter if the history ends, or if
	// the node does not have more transactions, because the node lags or does not know the
	// signature.
	Signatures(ctx context.Context, address solana.PublicKey, before solana.Signature, limit int) ([]Listed, error)
	// Transaction returns the effects of a transaction. It returns onchain.ErrBehind if the node
	// does not know the transaction.
	Transaction(ctx context.Context, signature solana.Signature) (Landed, error)
	// AccountsAt reads up to 100 accounts at one slot, which is from or later. A missing account is
	// nil. It returns onchain.ErrBehind if the node has not reached the slot from.
	AccountsAt(ctx context.Context, from uint64, addresses ...solana.PublicKey) (accounts []*onchain.Account, slot uint64, err error)
}

// Listed is a transaction in the history of an address.
type Listed struct {
	Signature solana.Signature
	Slot      uint64
	// At is the time of the block, to the second; zero if the node has no time.
	At     time.Time
	Failed bool
}

// Landed is a transaction on the chain.
type Landed struct {
	Slot   uint64
	Failed bool
	// Instructions are the executed instructions in the order of execution, including the
	// instructions that programs invoked.
	Instructions []Instruction
}

// Instruction is an executed instruction.
type Instruction struct {
	Program  solana.PublicKey
	Accounts []solana.PublicKey
	Data     []byte
}
