package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// Node is a Solana node, or several, as Send needs it. NodeAt makes one of an address.
type Node interface {
	// Send hands a signed transaction to the network. A node that does not answer is an error of
	// the kind apperr.Unavailable; any other error means that the node rejects the transaction.
	Send(ctx context.Context, signed []byte) error
	// Look returns what the node knows of a transaction, old transactions included.
	Look(ctx context.Context, signature solana.Signature) (transaction.Look, error)
	// Finality returns the newest finalized slot and the height of its block.
	Finality(ctx context.Context) (onchain.Tip, error)
}

const (
	// lookEvery is the pause between two looks: two slots of mainnet. The transaction is sent
	// again, and the finalized height is read, every resendEvery looks.
	lookEvery   = 400 * time.Millisecond
	resendEvery = 5
	// patience is how long a node may not answer. sendFor is longer than a blockhash lives,
	// 150 blocks, and the network takes to finalize a block.
	patience = 30 * time.Second
	sendFor  = 3 * time.Minute
)

var (
	// ErrTransactionFailed appears when a block has the transaction, and it failed there.
	// Nothing moved except the network fee.
	ErrTransactionFailed = errors.New("failed on the chain")
	// ErrTransactionExpired appears when no block took the transaction, and none can any more.
	// Nothing was paid; ask the service for a new transaction.
	ErrTransactionExpired = errors.New("missed its last block")
	errStillOpen          = fmt.Errorf("the network has not decided on it within %s", sendFor)
)

// UndecidedError appears when a transaction was sent, or may have been, and its end is not
// known. Send with the same transaction finds out, and pays nothing twice, because one
// transaction lands once. A new transaction may pay a second time.
type UndecidedError struct {
	Signature solana.Signature
	// Signed is the transaction, in base64.
	Signed string
	// LastValidBlockHeight is the height of the last block that takes the transaction; zero if
	// it is not known.
	LastValidBlockHeight uint64
	// Err is why Send ended: the context's error, or the node's.
	Err error
}

// Error names the transaction, and the height above which it cannot land.
func (e *UndecidedError) Error() string {
	text := fmt.Sprintf("it is not known whether the transaction %s landed: look for it before you do this again", e.Signature)
	if e.LastValidBlockHeight > 0 {
		text += fmt.Sprintf("; above block height %d it cannot land any more", e.LastValidBlockHeight)
	}
	return fmt.Sprintf("%s (%v)", text, e.Err)
}

// Unwrap returns the reason.
func (e *UndecidedError) Unwrap() error { return e.Err }

// Send sends a signed transaction, in base64 as the Sign methods return it, to the network, and
// again until the network has decided. It returns the transaction's signature once the
// transaction is confirmed. lastValidBlockHeight is that of the Unsigned transaction; if it is
// zero, the transaction never counts as expired.
//
// ErrTransactionFailed and ErrTransactionExpired are final. Everything else that ends a sending,
// the end of ctx too, is an *UndecidedError: call Send again with the same transaction. Send
// gives up after 3 minutes, or when the node has not answered for 30 seconds.
func Send(ctx context.Context, node Node, signed string, lastValidBlockHeight uint64) (solana.Signature, error) {
	tx, err := wire.ParseBase64(signed)
	if err != nil {
		return solana.Signature{}, fmt.Errorf("read what was signed: %w", err)
	}
	id, ok := tx.ID()
	if !ok {
		return solana.Signature{}, errors.New("the wallet that pays has not signed the transaction")
	}
	ctx, cancel := context.WithTimeoutCause(ctx, sendFor, errStillOpen)
	defer cancel()
	undecided := func(err error) (solana.Signature, error) {
		return id, &UndecidedError{Signature: id, Signed: signed, LastValidBlockHeight: lastValidBlockHeight, Err: err}
	}
	heard, seen := time.Now(), false
	for looks := 0; ; looks++ {
		var (
			refused error
			tip     onchain.Tip // zero: not read now
		)
		if looks%resendEvery == 0 && !seen {
			refused = node.Send(ctx, tx.Bytes())
			// Read before the look: what the final blocks have, the look shows.
			if final, err := node.Finality(ctx); err == nil {
				tip = final
			}
		}
		look, err := node.Look(ctx, id)
		if err == nil {
			heard, seen = time.Now(), look.Seen
			switch look.State {
			case transaction.Succeeded:
				return id, nil
			case transaction.Refused:
				return id, fmt.Errorf("transaction %s %w: %s", id, ErrTransactionFailed, look.Detail)
			case transaction.Unknown:
			}
			// A node that lags behind the final blocks does not know what they have.
			if last := lastValidBlockHeight; !seen && last > 0 && tip.Height > last && look.Slot >= tip.Slot {
				return id, fmt.Errorf("transaction %s %w: the final blocks are past height %d, and none has it; nothing was paid", id, ErrTransactionExpired, last)
			}
		}
		switch {
		case ctx.Err() != nil:
			return undecided(context.Cause(ctx))
		case looks == 0 && !seen && refused != nil && apperr.KindOf(refused) != apperr.Unavailable:
			return undecided(refused)
		case time.Since(heard) > patience:
			return undecided(err)
		}
		select {
		case <-ctx.Done():
			return undecided(context.Cause(ctx))
		case <-time.After(lookEvery):
		}
	}
}
