// Package memo encodes instructions of the SPL Memo program, which checks that the accounts
// it is given have signed (solana-program/memo, version 3).
package memo

import "github.com/gagliardetto/solana-go"

// Signed is a memo without text that needs a key's signature.
func Signed(by solana.PublicKey) solana.Instruction {
	return solana.NewInstruction(solana.MemoProgramID, solana.AccountMetaSlice{solana.Meta(by).SIGNER()}, nil)
}

// Note is a memo with text that needs no signature.
func Note(text string) solana.Instruction {
	return solana.NewInstruction(solana.MemoProgramID, nil, []byte(text))
}

// IsSigned says whether an instruction is Signed, and by whom.
func IsSigned(program solana.PublicKey, accounts []solana.AccountMeta, data []byte) (by solana.PublicKey, ok bool) {
	if program != solana.MemoProgramID || len(accounts) != 1 || !accounts[0].IsSigner || len(data) != 0 {
		return solana.PublicKey{}, false
	}
	return accounts[0].PublicKey, true
}
