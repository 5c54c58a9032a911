// Package onchain has a node's answers about accounts, for every package that reads them.
package onchain

import (
	"context"
	"errors"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
)

// Account is what the chain stores under an address.
type Account struct {
	Owner      solana.PublicKey // the program
	Lamports   uint64
	Data       []byte
	Executable bool
}

// ErrUnreadable: an account of a program that others maintain is laid out as no version
// that is known here. Most likely they upgraded it. Callers are answered 503.
var ErrUnreadable error = &apperr.Error{
	Code:       apperr.CodeUpstreamUnavailable,
	Detail:     "An on-chain program that this depends on was changed, and the service cannot read it yet; try again later.",
	RetryAfter: 5 * time.Minute,
}

// Reader reads accounts one at a time.
type Reader interface {
	// Account gives what is stored under an address, confirmed; found is false when
	// nothing is.
	Account(ctx context.Context, address solana.PublicKey) (account Account, found bool, err error)
}

// Tip is how far a chain has come, by one answer of one node.
type Tip struct {
	Slot uint64
	// Height is how many blocks there are up to that slot. Slots without a block do not
	// count, so it is smaller, and it is what a blockhash expires by.
	Height uint64
}

// Blockhash is a recent blockhash, which transactions use.
type Blockhash struct {
	Hash solana.Hash
	// LastValid is the height of the last block that takes transactions on it.
	LastValid uint64
	// Slot is the one in which the node answered.
	Slot uint64
}

// ErrBehind: the node that was asked has not come as far as was seen before, or does not
// know enough. A later look, or another node, may.
var ErrBehind = errors.New("the node is behind")
