package token2022

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// MultisigSize is the size of a multisig account, in bytes (spl-token, Multisig::LEN). The program
// recognizes a multisig account by the size: no mint and no token account has the size.
const MultisigSize = multisigLength

// MaxMembers is the maximum number of members of a multisig account (spl-token, MAX_SIGNERS).
const MaxMembers = 11

// ErrNotMultisig is returned for an account that is not an initialized multisig account of
// Token-2022.
var ErrNotMultisig = errors.New("the account is not a multisig account of Token-2022")

// Multisig is the state of a multisig account. The program has no instruction that changes or closes
// an initialized multisig account.
type Multisig struct {
	Required uint8 // the number of members that sign an instruction
	Members  []solana.PublicKey
}

// Layout of a multisig account (spl-token, Multisig): m, n, initialized, and the places of 11
// members.
const (
	multisigRequired    = 0
	multisigMembers     = 1
	multisigInitialized = 2
	multisigKeys        = 3
)

// DecodeMultisig reads a multisig account, given its owner and data. It returns ErrNotMultisig for
// other accounts, and never panics.
func DecodeMultisig(owner solana.PublicKey, data []byte) (Multisig, error) {
	switch {
	case owner != solana.Token2022ProgramID:
		return Multisig{}, fmt.Errorf("%w: %w", ErrNotMultisig, errWrongProgram)
	case len(data) != MultisigSize:
		return Multisig{}, fmt.Errorf("%w: %w", ErrNotMultisig, errLength)
	case data[multisigInitialized] != 1:
		return Multisig{}, fmt.Errorf("%w: %w", ErrNotMultisig, errUninitialized)
	case data[multisigRequired] == 0, data[multisigRequired] > data[multisigMembers], data[multisigMembers] > MaxMembers:
		return Multisig{}, fmt.Errorf("%w: %d of %d members", ErrNotMultisig, data[multisigRequired], data[multisigMembers])
	}
	m := Multisig{Required: data[multisigRequired], Members: make([]solana.PublicKey, data[multisigMembers])}
	rest := bytes.NewReader(data[multisigKeys:])
	for n := range m.Members {
		_, _ = rest.Read(m.Members[n][:]) // 11 places are there
	}
	return m, nil
}

// InitializeMultisig2 initializes an account of MultisigSize bytes that Token-2022 owns. Required
// of Members sign for the account.
type InitializeMultisig2 struct {
	Account  solana.PublicKey
	Required uint8
	Members  []solana.PublicKey // 1 to MaxMembers
}

// Instruction encodes the initialization. No key signs.
func (i InitializeMultisig2) Instruction() solana.Instruction {
	metas := solana.AccountMetaSlice{writable(i.Account)}
	for _, member := range i.Members {
		metas = append(metas, readonly(member))
	}
	return solana.NewInstruction(solana.Token2022ProgramID, metas, []byte{tagInitializeMultisig2, i.Required})
}

// authority returns the accounts of an authority: a key that signs, or a multisig account followed
// by the members that sign (spl-token, validate_owner).
func authority(key solana.PublicKey, signers []solana.PublicKey) solana.AccountMetaSlice {
	if len(signers) == 0 {
		return solana.AccountMetaSlice{signer(key)}
	}
	metas := solana.AccountMetaSlice{readonly(key)}
	for _, member := range signers {
		metas = append(metas, signer(member))
	}
	return metas
}
