package token2022

import "github.com/gagliardetto/solana-go"

// CloseAccount ends a token account and gives its lamports to Destination: the
// rent, and in an account of wrapped SOL all that it holds. Another account must
// be empty of tokens, and of withheld fees.
type CloseAccount struct {
	Program                     solana.PublicKey // zero: Token-2022
	Account, Destination, Owner solana.PublicKey
}

// Instruction encodes it. Owner signs.
func (c CloseAccount) Instruction() solana.Instruction {
	return solana.NewInstruction(programOr(c.Program),
		solana.AccountMetaSlice{writable(c.Account), writable(c.Destination), signer(c.Owner)},
		[]byte{tagCloseAccount})
}

// SyncNative makes what an account of wrapped SOL holds equal to the lamports that
// were sent to it.
type SyncNative struct {
	Program solana.PublicKey // zero: Token-2022
	Account solana.PublicKey
}

// Instruction encodes it. It needs no signer.
func (s SyncNative) Instruction() solana.Instruction {
	return solana.NewInstruction(programOr(s.Program),
		solana.AccountMetaSlice{writable(s.Account)}, []byte{tagSyncNative})
}
