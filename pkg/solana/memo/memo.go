// Package memo encodes instructions of the SPL Memo program, which checks that the instruction's
// accounts have signed (solana-program/memo, version 3).
package memo

import "github.com/gagliardetto/solana-go"

// Signed returns a memo without text, signed by a key.
func Signed(by solana.PublicKey) solana.Instruction {
	return solana.NewInstruction(solana.MemoProgramID, solana.AccountMetaSlice{solana.Meta(by).SIGNER()}, nil)
}

// Note returns a memo with text and without signers.
func Note(text string) solana.Instruction {
	return solana.NewInstruction(solana.MemoProgramID, nil, []byte(text))
}

// IsSigned reports whether an instruction is Signed, and returns the signer.
func IsSigned(program solana.PublicKey, accounts []solana.AccountMeta, data []byte) (by solana.PublicKey, ok bool) {
	if program != solana.MemoProgramID || len(accounts) != 1 || !accounts[0].IsSigner || len(data) != 0 {
		return solana.PublicKey{}, false
	}
	return accounts[0].PublicKey, true
}
