package token2022

import (
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// AssociatedAddress returns the address of a wallet's associated token account for a mint. program
// is the token program that owns the mint; zero means Token-2022.
func AssociatedAddress(wallet, mint, program solana.PublicKey) (solana.PublicKey, error) {
	owner := programOr(program)
	address, _, err := solana.FindProgramAddress(
		[][]byte{wallet[:], owner[:], mint[:]}, solana.SPLAssociatedTokenAccountProgramID)
	if err != nil {
		return solana.PublicKey{}, fmt.Errorf("associated token account of %s for %s: %w", wallet, mint, err)
	}
	return address, nil
}

// CreateAssociatedIdempotent creates a wallet's associated token account, unless the account
// exists.
type CreateAssociatedIdempotent struct {
	Payer, Wallet, Mint solana.PublicKey
	Program             solana.PublicKey // zero: Token-2022
}

// Instruction encodes the creation and returns the account's address. Payer signs.
func (c CreateAssociatedIdempotent) Instruction() (solana.Instruction, solana.PublicKey, error) {
	const tag = 1
	address, err := AssociatedAddress(c.Wallet, c.Mint, c.Program)
	if err != nil {
		return nil, solana.PublicKey{}, err
	}
	return solana.NewInstruction(solana.SPLAssociatedTokenAccountProgramID,
		solana.AccountMetaSlice{
			solana.NewAccountMeta(c.Payer, true, true), writable(address), readonly(c.Wallet), readonly(c.Mint),
			readonly(solana.SystemProgramID), readonly(programOr(c.Program)),
		},
		[]byte{tag}), address, nil
}
