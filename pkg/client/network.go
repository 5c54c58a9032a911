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

// Node is the interface of one or several Solana nodes that Send needs. NodeAt returns a Node for
// an address.
type Node interface {
	// Send sends a signed transaction to the network. It returns an error of the kind
	// apperr.Unavailable if the node does not respond. Any other error means that the node rejected
	// the transaction.
	Send(ctx context.Context, signed []byte) error
	// Look returns the node's status of a transaction, old transactions included.
	Look(ctx context.Context, signature solana.Signature) (transaction.Look, error)
	// Finality returns the newest finalized slot and the block height of the slot.
	Finality(ctx context.Context) (onchain.Tip, error)
}

const (
	// lookEvery is the interval between two checks: two slots of mainnet. Every resendEvery checks,
	// Send sends the transaction again and reads the finalized height.
	lookEvery   = 400 * time.Millisecond
	resendEvery = 5
	// patience is the maximum time without a response from the node. sendFor is longer than the
	// lifetime of a blockhash, 150 blocks, plus the time to finalize a block.
	patience = 30 * time.Second
	sendFor  = 3 * time.Minute
)

var (
	// ErrTransactionFailed is returned when the transaction failed in a block. Only the network fee
	// was paid.
	ErrTransactionFailed = errors.New("failed on the chain")
	// ErrTransactionExpired is returned when no block has the transaction and no later block can
	// have the transaction. Nothing was paid. Request a new transaction from the service.
	ErrTransactionExpired = errors.New("missed its last block")
	errStillOpen          = fmt.Errorf("the network has not decided on it within %s", sendFor)
)

// UndecidedError is returned when a transaction was sent, or may have been sent, and the outcome is
// unknown. Send with the same transaction finds out, and never pays twice, because a transaction
// lands at most once. A new transaction may pay a second time.
type UndecidedError struct {
	Signature solana.Signature
	// Signed is the transaction in base64.
	Signed string
	// LastValidBlockHeight is the height of the last block that can contain the transaction; zero
	// if unknown.
	LastValidBlockHeight uint64
	// Err is the cause: the error of the context or of the node.
	Err error
}

// Error names the transaction, and the height above which the transaction cannot land.
func (e *UndecidedError) Error() string {
	text := fmt.Sprintf("it is not known whether the transaction %s landed: look for it before you do this again", e.Signature)
	if e.LastValidBlockHeight > 0 {
		text += fmt.Sprintf("; above block height %d it cannot land any more", e.LastValidBlockHeight)
	}
	return fmt.Sprintf("%s (%v)", text, e.Err)
}

// Unwrap returns the cause.
func (e *UndecidedError) Unwrap() error { return e.Err }

// Send sends a signed transaction to the network, repeatedly until the network has decided. signed
// is the base64 text that a Sign method returned. It returns the transaction's signature when the
// transaction is confirmed. lastValidBlockHeight is the height in the Unsigned transaction. If
// lastValidBlockHeight is zero, the transaction never counts as expired.
//
// ErrTransactionFailed and ErrTransactionExpired are final. After the transaction was first sent,
// every other end, such as the end of ctx, is an *UndecidedError: call Send again with the same
// transaction. Send ends after 3 minutes, or if the node has not responded for 30 seconds.
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
	answered, seen := time.Now(), false
	for looks := 0; ; looks++ {
		var (
			refused error
			tip     onchain.Tip // zero if not read in this round
		)
		if looks%resendEvery == 0 && !seen {
			refused = node.Send(ctx, tx.Bytes())
			// Read the height before the check, so that the check covers every block up to the
			// height.
			if final, err := node.Finality(ctx); err == nil {
				tip = final
			}
		}
		look, err := node.Look(ctx, id)
		if err == nil {
			answered, seen = time.Now(), look.Seen
			switch look.State {
			case transaction.Succeeded:
				return id, nil
			case transaction.Refused:
				return id, fmt.Errorf("transaction %s %w: %s", id, ErrTransactionFailed, look.Detail)
			case transaction.Unknown:
			}
			// A node that lags behind the finalized blocks does not know the transactions of the
			// newest blocks.
			if last := lastValidBlockHeight; !seen && last > 0 && tip.Height > last && look.Slot >= tip.Slot {
				return id, fmt.Errorf("transaction %s %w: the final blocks are past height %d, and none has it; nothing was paid", id, ErrTransactionExpired, last)
			}
		}
		switch {
		case ctx.Err() != nil:
			return undecided(context.Cause(ctx))
		case looks == 0 && !seen && refused != nil && apperr.KindOf(refused) != apperr.Unavailable:
			return undecided(refused)
		case time.Since(answered) > patience:
			return undecided(err)
		}
		select {
		case <-ctx.Done():
			return undecided(context.Cause(ctx))
		case <-time.After(lookEvery):
		}
	}
}
