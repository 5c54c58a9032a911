package token2022

import "github.com/gagliardetto/solana-go"

// CloseAccount closes a token account and pays its lamports to Destination: the rent, and for
// wrapped SOL the whole balance. An account of another mint must have no tokens and no withheld
// fees.
type CloseAccount struct {
	Program                     solana.PublicKey // zero: Token-2022
	Account, Destination, Owner solana.PublicKey
}

// Instruction encodes the closing. Owner signs.
func (c CloseAccount) Instruction() solana.Instruction {
	return solana.NewInstruction(programOr(c.Program),
		solana.AccountMetaSlice{writable(c.Account), writable(c.Destination), signer(c.Owner)},
		[]byte{tagCloseAccount})
}

// SyncNative sets the token balance of an account of wrapped SOL to the lamports sent to the
// account.
type SyncNative struct {
	Program solana.PublicKey // zero: Token-2022
	Account solana.PublicKey
}

// Instruction encodes the synchronization. No key signs.
func (s SyncNative) Instruction() solana.Instruction {
	return solana.NewInstruction(programOr(s.Program),
		solana.AccountMetaSlice{writable(s.Account)}, []byte{tagSyncNative})
}
