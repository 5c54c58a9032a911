// Package onchain has the types of a node's responses about accounts, for every package that reads
// accounts.
package onchain

import (
	"context"
	"errors"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
)

// Account is the state that the chain stores under an address.
type Account struct {
	Owner      solana.PublicKey // the program
	Lamports   uint64
	Data       []byte
	Executable bool
}

// ErrUnreadable is returned for an account of a third party's program whose layout is unknown here.
// Most likely the third party upgraded the program. Callers receive 503.
var ErrUnreadable error = &apperr.Error{
	Code:       apperr.CodeUpstreamUnavailable,
	Detail:     "An on-chain program that this depends on was changed, and the service cannot read it yet; try again later.",
	RetryAfter: 5 * time.Minute,
}

// Reader reads accounts one at a time.
type Reader interface {
	// Account returns the confirmed state under an address. found is false if there is no account.
	Account(ctx context.Context, address solana.PublicKey) (account Account, found bool, err error)
}

// Tip is the progress of a chain, from one response of one node.
type Tip struct {
	Slot uint64
	// Height is the number of blocks up to that slot. Height is smaller than Slot, because slots
	// without a block do not count. A blockhash expires by height.
	Height uint64
}

// Blockhash is a recent blockhash, which transactions use.
type Blockhash struct {
	Hash solana.Hash
	// LastValid is the height of the last block that accepts transactions on this blockhash.
	LastValid uint64
	// Slot is the slot in which the node responded.
	Slot uint64
}

// ErrBehind is returned if the node lags behind a state that was seen before, or does not know
// enough. A later request, or another node, may succeed.
var ErrBehind = errors.New("the node is behind")
