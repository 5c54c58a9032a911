// Package systemprogram encodes instructions of Solana's System program, reads the instructions
// that create and empty accounts at addresses with a seed, and reads nonce accounts. The layouts
// are those of solana-system-interface, SystemInstruction: a u32 tag, then the fields, integers
// little-endian.
package systemprogram

import (
	"encoding/binary"

	"github.com/gagliardetto/solana-go"
)

// Tags of SystemInstruction.
const (
	tagCreateAccount          = 0
	tagTransfer               = 2
	tagCreateAccountWithSeed  = 3
	tagAdvanceNonceAccount    = 4
	tagWithdrawNonceAccount   = 5
	tagInitializeNonceAccount = 6
	tagAuthorizeNonceAccount  = 7
	tagAllocateWithSeed       = 9
	tagTransferWithSeed       = 11
)

// Transfer moves lamports between accounts. Each side must end with zero or with at least the rent
// minimum.
type Transfer struct {
	From, To solana.PublicKey
	Lamports uint64
	// References are addresses that the program ignores. Clients find the transaction by a
	// reference (Solana Pay, specification 1.1).
	References []solana.PublicKey
}

// Instruction encodes the transfer. From signs.
func (t Transfer) Instruction() solana.Instruction {
	data := binary.LittleEndian.AppendUint32(nil, tagTransfer)
	data = binary.LittleEndian.AppendUint64(data, t.Lamports)
	metas := []*solana.AccountMeta{signer(t.From), writable(t.To)}
	for _, r := range t.References {
		metas = append(metas, readonly(r))
	}
	return instruction(data, metas...)
}

// CreateAccount creates an account at a key that signs, and assigns the account to Owner.
type CreateAccount struct {
	Payer, Account solana.PublicKey
	Lamports       uint64
	Space          uint64 // bytes
	Owner          solana.PublicKey
}

// Instruction encodes the creation. Payer and Account sign.
func (c CreateAccount) Instruction() solana.Instruction {
	data := binary.LittleEndian.AppendUint32(nil, tagCreateAccount)
	data = binary.LittleEndian.AppendUint64(data, c.Lamports)
	data = binary.LittleEndian.AppendUint64(data, c.Space)
	data = append(data, c.Owner[:]...)
	return instruction(data, signer(c.Payer), signer(c.Account))
}

// CreateAccountWithSeed creates the account whose address comes from Base, Seed and Owner (see
// AddressWithSeed), so the account needs no key of its own.
type CreateAccountWithSeed struct {
	Payer, Account, Base solana.PublicKey
	Seed                 string // at most 32 bytes
	Lamports             uint64
	Space                uint64 // bytes
	Owner                solana.PublicKey
}

// Instruction encodes the creation. Payer and Base sign; Base may be Payer.
func (c CreateAccountWithSeed) Instruction() solana.Instruction {
	data := binary.LittleEndian.AppendUint32(nil, tagCreateAccountWithSeed)
	data = append(data, c.Base[:]...)
	data = binary.LittleEndian.AppendUint64(data, uint64(len(c.Seed)))
	data = append(data, c.Seed...)
	data = binary.LittleEndian.AppendUint64(data, c.Lamports)
	data = binary.LittleEndian.AppendUint64(data, c.Space)
	data = append(data, c.Owner[:]...)
	metas := []*solana.AccountMeta{signer(c.Payer), writable(c.Account)}
	if c.Base != c.Payer {
		metas = append(metas, readonlySigner(c.Base))
	}
	return instruction(data, metas...)
}

// AllocateWithSeed assigns space and an owner to the account whose address comes from Base, Seed
// and Owner. Unlike CreateAccountWithSeed, AllocateWithSeed succeeds even if the address already
// has lamports, which anyone can send.
type AllocateWithSeed struct {
	Account, Base solana.PublicKey
	Seed          string // at most 32 bytes
	Space         uint64 // bytes
	Owner         solana.PublicKey
}

// Instruction encodes the allocation. Base signs.
func (a AllocateWithSeed) Instruction() solana.Instruction {
	data := binary.LittleEndian.AppendUint32(nil, tagAllocateWithSeed)
	data = append(data, a.Base[:]...)
	data = binary.LittleEndian.AppendUint64(data, uint64(len(a.Seed)))
	data = append(data, a.Seed...)
	data = binary.LittleEndian.AppendUint64(data, a.Space)
	data = append(data, a.Owner[:]...)
	return instruction(data, writable(a.Account), readonlySigner(a.Base))
}

// TransferWithSeed moves lamports out of the account whose address comes from Base, Seed and Owner.
// The account must have no data and belong to the System program, whatever the Owner of its
// address.
type TransferWithSeed struct {
	From, Base, To solana.PublicKey
	Lamports       uint64
	Seed           string // at most 32 bytes
	Owner          solana.PublicKey
}

// Instruction encodes the transfer. Base signs.
func (t TransferWithSeed) Instruction() solana.Instruction {
	data := binary.LittleEndian.AppendUint32(nil, tagTransferWithSeed)
	data = binary.LittleEndian.AppendUint64(data, t.Lamports)
	data = binary.LittleEndian.AppendUint64(data, uint64(len(t.Seed)))
	data = append(data, t.Seed...)
	data = append(data, t.Owner[:]...)
	return instruction(data, writable(t.From), readonlySigner(t.Base), writable(t.To))
}

// AdvanceNonceAccount stores a new value in a nonce account. As a transaction's first instruction,
// AdvanceNonceAccount lets the old value replace the recent blockhash.
type AdvanceNonceAccount struct {
	Nonce, Authority solana.PublicKey
}

// Instruction encodes the advance. Authority signs.
func (a AdvanceNonceAccount) Instruction() solana.Instruction {
	return instruction(binary.LittleEndian.AppendUint32(nil, tagAdvanceNonceAccount),
		writable(a.Nonce), readonly(solana.SysVarRecentBlockHashesPubkey), readonlySigner(a.Authority))
}

// WithdrawNonceAccount withdraws lamports from a nonce account. Withdrawing all lamports closes the
// account.
type WithdrawNonceAccount struct {
	Nonce, To, Authority solana.PublicKey
	Lamports             uint64
}

// Instruction encodes the withdrawal. Authority signs.
func (w WithdrawNonceAccount) Instruction() solana.Instruction {
	data := binary.LittleEndian.AppendUint32(nil, tagWithdrawNonceAccount)
	data = binary.LittleEndian.AppendUint64(data, w.Lamports)
	return instruction(data,
		writable(w.Nonce), writable(w.To),
		readonly(solana.SysVarRecentBlockHashesPubkey), readonly(solana.SysVarRentPubkey),
		readonlySigner(w.Authority))
}

// InitializeNonceAccount initializes an account of NonceAccountSize bytes, owned by the System
// program, as a nonce.
type InitializeNonceAccount struct {
	Nonce, Authority solana.PublicKey
}

// Instruction encodes the initialization. No key signs.
func (i InitializeNonceAccount) Instruction() solana.Instruction {
	data := binary.LittleEndian.AppendUint32(nil, tagInitializeNonceAccount)
	data = append(data, i.Authority[:]...)
	return instruction(data,
		writable(i.Nonce), readonly(solana.SysVarRecentBlockHashesPubkey), readonly(solana.SysVarRentPubkey))
}

// AuthorizeNonceAccount transfers a nonce account to another authority.
type AuthorizeNonceAccount struct {
	Nonce, Authority, NewAuthority solana.PublicKey
}

// Instruction encodes the transfer. Authority, the present authority, signs.
func (a AuthorizeNonceAccount) Instruction() solana.Instruction {
	data := binary.LittleEndian.AppendUint32(nil, tagAuthorizeNonceAccount)
	data = append(data, a.NewAuthority[:]...)
	return instruction(data, writable(a.Nonce), readonlySigner(a.Authority))
}

func instruction(data []byte, metas ...*solana.AccountMeta) solana.Instruction {
	return solana.NewInstruction(solana.SystemProgramID, metas, data)
}

func signer(key solana.PublicKey) *solana.AccountMeta { return solana.NewAccountMeta(key, true, true) }

func writable(key solana.PublicKey) *solana.AccountMeta {
	return solana.NewAccountMeta(key, true, false)
}

func readonly(key solana.PublicKey) *solana.AccountMeta {
	return solana.NewAccountMeta(key, false, false)
}

func readonlySigner(key solana.PublicKey) *solana.AccountMeta {
	return solana.NewAccountMeta(key, false, true)
}
