package payout

import (
	"context"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/onchain"
)

// Chain is one node's view of the network. That a node does not answer is an
// apperr.Upstream.
type Chain interface {
	// NonceAt reads a nonce account at a finalized slot, which is from or later;
	// onchain.ErrBehind when the node has not come so far. The value is zero when there is no
	// such nonce.
	NonceAt(ctx context.Context, account solana.PublicKey, from uint64) (value solana.Hash, slot uint64, err error)
	// NoncesAt reads any number of nonce accounts as NonceAt does, each at a slot that is
	// slot or later.
	NoncesAt(ctx context.Context, from uint64, accounts ...solana.PublicKey) (values []solana.Hash, slot uint64, err error)
	// Sightings say how far transactions have come that were sent not long ago, in order,
	// as the node sees it now: what is not final may be undone.
	Sightings(ctx context.Context, signatures ...solana.Signature) ([]Sighting, error)
	// Landings gives those of the transactions that are finalized, old ones included.
	Landings(ctx context.Context, signatures ...solana.Signature) ([]Landing, error)
	// History gives the newest finalized transactions that name an account.
	History(ctx context.Context, account solana.PublicKey) ([]Landing, error)
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
	// LatestBlockhash gives a blockhash to stand on.
	LatestBlockhash(ctx context.Context) (solana.Hash, error)
	// BlockhashLives says whether a transaction on a blockhash could be in a finalized
	// block that is yet to come.
	BlockhashLives(ctx context.Context, blockhash solana.Hash) (bool, error)
}

// Sighting is what a node sees of a transaction that may not be final.
type Sighting struct {
	Seen bool
	// Left is how many slots are to come until it is final; zero when it is.
	Left uint64
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
	// Funds: somebody, most likely the fee payer, has too little SOL.
	Funds bool
	// Units is what it would compute.
	Units  uint32
	Detail string // a sentence, unless OK
}
