// Package signin reads the sign-in transaction of wallets that sign only transactions, like some
// hardware wallets.
package signin

import (
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/wire"
)

// Transaction is a signed transaction with a text as memo.
//
// The network can never accept the transaction: the blockhash is all zeros, which no block has, and
// no instruction advances a nonce. So the transaction is never sent, and costs no lamports. No
// transaction that a caller signs for another purpose has this form: such a transaction has a
// blockhash or a nonce's value, and calls further programs.
type Transaction struct{ signed wire.Transaction }

// Parse reads a legacy transaction in standard base64.
func Parse(text string) (Transaction, error) {
	signed, err := wire.ParseBase64(text)
	return Transaction{signed}, err
}

// Check returns nil if the wallet pays for the transaction and is the only signer, and the memo is
// exactly the text. A wallet may have set a compute limit and price.
func (t Transaction) Check(wallet solana.PublicKey, text string) error {
	if err := t.check(wallet, text); err != nil {
		return fmt.Errorf("signedTransaction is not this wallet's for this challenge: %w", err)
	}
	return nil
}

func (t Transaction) check(wallet solana.PublicKey, text string) error {
	message := t.signed.Message()
	memos := 0
	for i, in := range message.Instructions() {
		switch in.ProgramID {
		case solana.MemoProgramID:
			if string(in.Data) != text {
				return fmt.Errorf("instruction %d has another memo than the challenge", i)
			}
			for _, account := range in.Accounts {
				if account.PublicKey != wallet {
					return fmt.Errorf("the memo of instruction %d is signed by %s too", i, account.PublicKey)
				}
			}
			memos++
		case solana.ComputeBudget:
		default:
			return fmt.Errorf("instruction %d is of the program %s, and only a memo and the compute budget may be there", i, in.ProgramID)
		}
	}
	switch signers := message.Signers(); {
	case memos != 1:
		return fmt.Errorf("it has %d memos instead of one", memos)
	case len(signers) != 1 || signers[0] != wallet:
		return errors.New("the wallet must pay for it and be its only signer")
	case message.Recent() != solana.Hash{}:
		return errors.New("its blockhash must be all zeros (11111111111111111111111111111111), so that it can never be sent")
	}
	return t.signed.VerifySignature(wallet) //nolint:wrapcheck // a clause about the wallet
}
