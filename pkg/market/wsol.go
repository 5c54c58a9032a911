package market

import (
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// WrappedAccountSize is the size in bytes, and so decides the rent, of an account of wrapped SOL
// (spl-token, Account::LEN).
const WrappedAccountSize = 165

// WrappedAddress returns a wallet's associated account of wrapped SOL.
func WrappedAddress(owner solana.PublicKey) (solana.PublicKey, error) {
	return token2022.AssociatedAddress(owner, solana.WrappedSol, solana.TokenProgramID)
}

// WrapSteps returns the steps that move lamports of a wallet into the wallet's account of wrapped
// SOL. Unless the account exists, the steps create the account. With zero lamports the steps at
// most create the account.
func WrapSteps(owner solana.PublicKey, lamports uint64, exists bool) ([]transaction.Step, error) {
	create, account, err := token2022.CreateAssociatedIdempotent{
		Payer: owner, Wallet: owner, Mint: solana.WrappedSol, Program: solana.TokenProgramID,
	}.Instruction()
	if err != nil {
		return nil, err
	}
	var steps []transaction.Step
	if !exists {
		steps = append(steps, transaction.Step{Instruction: create, Explanation: fmt.Sprintf(
			"Opens your account of wrapped SOL %s; you pay its rent.", account)})
	}
	if lamports == 0 {
		return steps, nil
	}
	return append(steps,
		transaction.Step{
			Instruction: systemprogram.Transfer{From: owner, To: account, Lamports: lamports}.Instruction(),
			Explanation: fmt.Sprintf("Moves %s SOL to your account of wrapped SOL.", decimal.SOL(lamports)),
		},
		transaction.Step{
			Instruction: token2022.SyncNative{Program: solana.TokenProgramID, Account: account}.Instruction(),
			Explanation: "Counts it as wrapped SOL.",
		}), nil
}

// UnwrapStep returns the step that closes a wallet's account of wrapped SOL. The balance and the
// rent become SOL of the wallet. Callers must not close an account that existed before.
func UnwrapStep(owner solana.PublicKey) (transaction.Step, error) {
	account, err := WrappedAddress(owner)
	if err != nil {
		return transaction.Step{}, err
	}
	return transaction.Step{
		Instruction: token2022.CloseAccount{
			Program: solana.TokenProgramID, Account: account, Destination: owner, Owner: owner,
		}.Instruction(),
		Explanation: "Closes your account of wrapped SOL: you get its rent and what is left in it back as SOL.",
	}, nil
}
