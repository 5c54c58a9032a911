package transaction

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// Accept checks what a caller sends back: exactly one of the messages that were issued,
// with their own signature on it. It answers the transaction with that signature and the
// mint's, and which of the order's messages it is. Other signatures are dropped and added
// again, for many wallets lose or blank them when they sign.
// It fails with apperr.Invalid, code invalid_transaction, saying what is wrong.
func (p Prepared) Accept(signedBase64 string) (tx wire.Transaction, message int, err error) {
	sent, err := wire.ParseBase64(signedBase64)
	if err != nil {
		return wire.Transaction{}, 0, unacceptable(parseProblem(err), err)
	}
	digest := sha256.Sum256(sent.Message().Bytes())
	message = slices.IndexFunc(p.Messages, func(m Message) bool { return m.Digest == digest })
	if message < 0 {
		return wire.Transaction{}, 0, unacceptable("This is not the transaction that was issued under this id: its message was changed.", nil)
	}
	switch err := sent.VerifySignature(p.Caller); {
	case errors.Is(err, wire.ErrUnsigned):
		return wire.Transaction{}, 0, unacceptable("Your wallet has not signed it: the signature of "+p.Caller.String()+" is missing.", nil)
	case err != nil:
		return wire.Transaction{}, 0, unacceptable("The signature of your wallet "+p.Caller.String()+" does not fit the transaction.", err)
	}
	tx = wire.NewTransaction(sent.Message())
	signature, _ := sent.Signature(p.Caller)
	if err := tx.SetSignature(p.Caller, signature); err != nil {
		return wire.Transaction{}, 0, fmt.Errorf("keep the caller's signature: %w", err)
	}
	if err := tx.SetSignature(p.Mint, p.Messages[message].MintSigned); err != nil {
		return wire.Transaction{}, 0, fmt.Errorf("add the signature of the mint %s: %w", p.Mint, err)
	}
	return tx, message, nil
}

func parseProblem(err error) string {
	switch {
	case errors.Is(err, wire.ErrNotBase64):
		return "It is not base64: send the whole signed transaction in standard base64."
	case errors.Is(err, wire.ErrVersioned):
		return "It is a versioned transaction: sign the legacy transaction that was issued."
	}
	return "It is not a Solana transaction."
}

func unacceptable(why string, cause error) error {
	return &apperr.Error{
		Code: apperr.CodeInvalidTransaction, Detail: why, Cause: cause,
		Fields: []apperr.Field{{Field: "signedTransaction", Code: apperr.CodeInvalidTransaction, Message: why}},
	}
}
