package transaction

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// Accept checks a signed transaction from the caller. The message must be an issued message, or an
// issued message with Changes of a wallet, and must have the caller's valid signature. issued
// composes the order's message on a blockhash or nonce value. Accept returns the message with only
// the caller's signature, and the index of the issued message. Other signatures are dropped,
// because the service signs last, and many wallets lose or blank the signatures of other signers.
//
// It rejects any other transaction with code invalid_transaction (400), and names the
// rejected change.
func (p Prepared) Accept(signedBase64 string, issued func(recent solana.Hash) (wire.Message, error)) (tx wire.Transaction, message int, err error) {
	sent, err := wire.ParseBase64(signedBase64)
	if err != nil {
		return wire.Transaction{}, 0, unacceptable(parseProblem(err), err)
	}
	if message = p.issuedAs(sent.Message()); message < 0 {
		compiled, err := issued(sent.Message().Recent())
		if err != nil {
			return wire.Transaction{}, 0, err
		}
		if message = p.issuedAs(compiled); message < 0 {
			return wire.Transaction{}, 0, unacceptable(fmt.Sprintf(
				"This is not the transaction that was issued under this id: the blockhash or nonce value %s is none of this order's.", sent.Message().Recent()), nil)
		}
		if _, err := Changes(compiled, sent.Message()); err != nil {
			return wire.Transaction{}, 0, unacceptable(fmt.Sprintf(
				"This is not the transaction that was issued under this id: %v. A wallet may set another priority fee and add Lighthouse assertions at the end.", err), err)
		}
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
	return tx, message, nil
}

// issuedAs returns the index of a message in p.Messages, or -1.
func (p Prepared) issuedAs(m wire.Message) int {
	digest := sha256.Sum256(m.Bytes())
	return slices.IndexFunc(p.Messages, func(m Message) bool { return m.Digest == digest })
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
