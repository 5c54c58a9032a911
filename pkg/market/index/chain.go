package index

import (
	"context"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/onchain"
)

// Chain is what the index asks of the network. Everything is as of finalized.
type Chain interface {
	// Signatures lists transactions that name an address, failed ones too, the newest
	// first: those before a signature, or the newest of all when it is zero; limit,
	// 1,000 at most, of them, or fewer when there are no more or the node does not know
	// more: it may be behind, or not know the signature.
	Signatures(ctx context.Context, address solana.PublicKey, before solana.Signature, limit int) ([]Listed, error)
	// Transaction gives what a transaction did. It fails with onchain.ErrBehind when the node
	// does not know it.
	Transaction(ctx context.Context, signature solana.Signature) (Landed, error)
	// AccountsAt reads up to 100 accounts at one slot, which is from or later; nil
	// where there is none. It fails with onchain.ErrBehind when the node has not come so far.
	AccountsAt(ctx context.Context, from uint64, addresses ...solana.PublicKey) (accounts []*onchain.Account, slot uint64, err error)
}

// Listed is a transaction in the history of an address.
type Listed struct {
	Signature solana.Signature
	Slot      uint64
	// At is its block's time, in seconds' resolution; zero when the node has none.
	At     time.Time
	Failed bool
}

// Landed is a transaction on the chain.
type Landed struct {
	Slot   uint64
	Failed bool
	// Instructions are all that it executed, those that programs called included, in
	// the order of their execution.
	Instructions []Instruction
}

// Instruction is one that was executed.
type Instruction struct {
	Program  solana.PublicKey
	Accounts []solana.PublicKey
	Data     []byte
}
