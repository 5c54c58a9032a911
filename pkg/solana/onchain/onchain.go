// Package onchain has what a node answers about accounts, for everybody who reads them.
package onchain

import (
	"context"
	"errors"

	"github.com/gagliardetto/solana-go"
)

// Account is what the chain stores under an address.
type Account struct {
	Owner      solana.PublicKey // the program
	Lamports   uint64
	Data       []byte
	Executable bool
}

// Reader reads accounts one at a time.
type Reader interface {
	// Account gives what is stored under an address, confirmed; found is false when
	// nothing is.
	Account(ctx context.Context, address solana.PublicKey) (account Account, found bool, err error)
}

// ErrBehind: the node that was asked has not come as far as was seen before, or does not
// know enough. A later look, or another node, may.
var ErrBehind = errors.New("the node is behind")
