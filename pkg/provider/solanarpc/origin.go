package solanarpc

import (
	"context"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/txerror"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// SignedLaunch returns a finalized successful transaction; see origin.Chain.
func (c *Client) SignedLaunch(ctx context.Context, signature solana.Signature) (wire.Transaction, error) {
	tx, failed, err := c.Signed(ctx, signature)
	if err == nil && failed {
		err = fmt.Errorf("read transaction %s: %w", signature, onchain.ErrBehind)
	}
	return tx, err
}

// Signed returns a finalized transaction with signatures, in a format that this service signs, and
// reports whether the transaction failed.
func (c *Client) Signed(ctx context.Context, signature solana.Signature) (tx wire.Transaction, failed bool, err error) {
	var found *struct {
		Transaction encoded `json:"transaction"`
		Meta        *struct {
			Err *txerror.Error `json:"err"`
		} `json:"meta"`
	}
	err = c.call(ctx, &found, "getTransaction", signature,
		object{"commitment": Finalized, "encoding": "base64", "maxSupportedTransactionVersion": maxVersion})
	if err != nil {
		return wire.Transaction{}, false, err
	}
	if found == nil || found.Meta == nil {
		return wire.Transaction{}, false, fmt.Errorf("read transaction %s: %w", signature, onchain.ErrBehind)
	}
	tx, err = wire.ParseOwn(found.Transaction)
	if err == nil {
		if id, _ := tx.ID(); id != signature {
			err = errors.New("it is another one")
		}
		for _, signer := range tx.Message().Signers() {
			err = errors.Join(err, tx.VerifySignature(signer))
		}
	}
	if err != nil {
		return wire.Transaction{}, false, apperr.Upstream(upstream, fmt.Errorf("read transaction %s: %w", signature, err))
	}
	return tx, found.Meta.Err != nil, nil
}
