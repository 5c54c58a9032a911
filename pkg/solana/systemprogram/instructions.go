// Package systemprogram encodes instructions of Solana's System program, reads those
// that make and empty accounts at addresses with a seed, and reads nonce accounts. The layouts are those of solana-system-interface,
// SystemInstruction: a u32 tag, then the fields, integers little-endian.
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

// Transfer moves lamports between accounts; both sides must end with nothing
// or with at least the rent minimum.
type Transfer struct {
	From, To solana.PublicKey
	Lamports uint64
	// References are addresses that the program ignores, and by which the transaction
	// can be found (Solana Pay, specification 1.1).
	References []solana.PublicKey
}

// Instruction encodes it. From signs.
func (t Transfer) Instruction() solana.Instruction {
	data := binary.LittleEndian.AppendUint32(nil, tagTransfer)
	data = binary.LittleEndian.AppendUint64(data, t.Lamports)
	metas := []*solana.AccountMeta{signer(t.From), writable(t.To)}
	for _, r := range t.References {
		metas = append(metas, readonly(r))
	}
	return instruction(data, metas...)
}

// CreateAccount creates an account at a key that signs, and gives it to Owner.
type CreateAccount struct {
	Payer, Account solana.PublicKey
	Lamports       uint64
	Space          uint64 // bytes
	Owner          solana.PublicKey
}

// Instruction encodes it. Payer and Account sign.
func (c CreateAccount) Instruction() solana.Instruction {
	data := binary.LittleEndian.AppendUint32(nil, tagCreateAccount)
	data = binary.LittleEndian.AppendUint64(data, c.Lamports)
	data = binary.LittleEndian.AppendUint64(data, c.Space)
	data = append(data, c.Owner[:]...)
	return instruction(data, signer(c.Payer), signer(c.Account))
}

// CreateAccountWithSeed creates the account whose address comes from Base,
// Seed and Owner (see AddressWithSeed), so that no key of its own must sign.
type CreateAccountWithSeed struct {
	Payer, Account, Base solana.PublicKey
	Seed                 string // at most 32 bytes
	Lamports             uint64
	Space                uint64 // bytes
	Owner                solana.PublicKey
}

// Instruction encodes it. Payer and Base sign; Base may be Payer.
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

// AllocateWithSeed gives space and an owner to the account whose address comes
// from Base, Seed and Owner. Unlike CreateAccountWithSeed it does so although
// a stranger has sent lamports to the address, which anyone can.
type AllocateWithSeed struct {
	Account, Base solana.PublicKey
	Seed          string // at most 32 bytes
	Space         uint64 // bytes
	Owner         solana.PublicKey
}

// Instruction encodes it. Base signs.
func (a AllocateWithSeed) Instruction() solana.Instruction {
	data := binary.LittleEndian.AppendUint32(nil, tagAllocateWithSeed)
	data = append(data, a.Base[:]...)
	data = binary.LittleEndian.AppendUint64(data, uint64(len(a.Seed)))
	data = append(data, a.Seed...)
	data = binary.LittleEndian.AppendUint64(data, a.Space)
	data = append(data, a.Owner[:]...)
	return instruction(data, writable(a.Account), readonlySigner(a.Base))
}

// TransferWithSeed moves lamports out of the account whose address comes from Base,
// Seed and Owner. The account must have no data and be the System program's, whatever
// Owner its address was made with.
type TransferWithSeed struct {
	From, Base, To solana.PublicKey
	Lamports       uint64
	Seed           string // at most 32 bytes
	Owner          solana.PublicKey
}

// Instruction encodes it. Base signs.
func (t TransferWithSeed) Instruction() solana.Instruction {
	data := binary.LittleEndian.AppendUint32(nil, tagTransferWithSeed)
	data = binary.LittleEndian.AppendUint64(data, t.Lamports)
	data = binary.LittleEndian.AppendUint64(data, uint64(len(t.Seed)))
	data = append(data, t.Seed...)
	data = append(data, t.Owner[:]...)
	return instruction(data, writable(t.From), readonlySigner(t.Base), writable(t.To))
}

// AdvanceNonceAccount puts a new value into a nonce account. As a
// transaction's first instruction, it makes the old value stand in for the
// recent blockhash.
type AdvanceNonceAccount struct {
	Nonce, Authority solana.PublicKey
}

// Instruction encodes it. Authority signs.
func (a AdvanceNonceAccount) Instruction() solana.Instruction {
	return instruction(binary.LittleEndian.AppendUint32(nil, tagAdvanceNonceAccount),
		writable(a.Nonce), readonly(solana.SysVarRecentBlockHashesPubkey), readonlySigner(a.Authority))
}

// WithdrawNonceAccount takes lamports out of a nonce account; taking all of
// them closes it.
type WithdrawNonceAccount struct {
	Nonce, To, Authority solana.PublicKey
	Lamports             uint64
}

// Instruction encodes it. Authority signs.
func (w WithdrawNonceAccount) Instruction() solana.Instruction {
	data := binary.LittleEndian.AppendUint32(nil, tagWithdrawNonceAccount)
	data = binary.LittleEndian.AppendUint64(data, w.Lamports)
	return instruction(data,
		writable(w.Nonce), writable(w.To),
		readonly(solana.SysVarRecentBlockHashesPubkey), readonly(solana.SysVarRentPubkey),
		readonlySigner(w.Authority))
}

// InitializeNonceAccount makes a nonce of an account of NonceAccountSize bytes
// that the System program owns.
type InitializeNonceAccount struct {
	Nonce, Authority solana.PublicKey
}

// Instruction encodes it. It needs no signer.
func (i InitializeNonceAccount) Instruction() solana.Instruction {
	data := binary.LittleEndian.AppendUint32(nil, tagInitializeNonceAccount)
	data = append(data, i.Authority[:]...)
	return instruction(data,
		writable(i.Nonce), readonly(solana.SysVarRecentBlockHashesPubkey), readonly(solana.SysVarRentPubkey))
}

// AuthorizeNonceAccount hands a nonce account to another authority.
type AuthorizeNonceAccount struct {
	Nonce, Authority, NewAuthority solana.PublicKey
}

// Instruction encodes it. Authority, the present one, signs.
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
