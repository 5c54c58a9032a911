package token2022

import (
	"encoding/binary"

	"github.com/gagliardetto/solana-go"
)

// Tags of TokenInstruction.
const (
	tagSetAuthority             = 6
	tagMintTo                   = 7
	tagCloseAccount             = 9
	tagTransferChecked          = 12
	tagBurnChecked              = 15
	tagSyncNative               = 17
	tagInitializeMultisig2      = 19
	tagInitializeMint2          = 20
	tagTransferFeeExtension     = 26
	tagMetadataPointerExtension = 39
)

// AuthorityType is the kind of a mint's or an account's authority (spl-token-2022, AuthorityType).
type AuthorityType uint8

// Authority types.
const (
	AuthorityMintTokens        AuthorityType = 0
	AuthorityFreezeAccount     AuthorityType = 1
	AuthorityTransferFeeConfig AuthorityType = 4
	AuthorityWithdrawWithheld  AuthorityType = 5
	AuthorityMetadataPointer   AuthorityType = 12
)

// InitializeMint2 initializes an account of the right size as a mint. Extensions of fixed size are
// initialized before InitializeMint2, metadata afterwards.
type InitializeMint2 struct {
	Mint                           solana.PublicKey
	Decimals                       uint8
	MintAuthority, FreezeAuthority solana.PublicKey
}

// Instruction encodes the initialization. No key signs.
func (i InitializeMint2) Instruction() solana.Instruction {
	data := append([]byte{tagInitializeMint2, i.Decimals}, i.MintAuthority[:]...)
	return solana.NewInstruction(solana.Token2022ProgramID,
		solana.AccountMetaSlice{writable(i.Mint)}, appendOption(data, i.FreezeAuthority))
}

// InitializeMetadataPointer sets the location of a mint's metadata: the account Metadata, which may
// be the mint itself.
type InitializeMetadataPointer struct {
	Mint, Authority, Metadata solana.PublicKey
}

// Instruction encodes the initialization. No key signs.
func (i InitializeMetadataPointer) Instruction() solana.Instruction {
	const initialize = 0
	data := append([]byte{tagMetadataPointerExtension, initialize}, i.Authority[:]...)
	return solana.NewInstruction(solana.Token2022ProgramID,
		solana.AccountMetaSlice{writable(i.Mint)}, append(data, i.Metadata[:]...))
}

// MintTo creates tokens in an account.
type MintTo struct {
	Mint, Account, Authority solana.PublicKey
	Amount                   uint64 // base units
}

// Instruction encodes the minting. Authority signs.
func (m MintTo) Instruction() solana.Instruction {
	return solana.NewInstruction(solana.Token2022ProgramID,
		solana.AccountMetaSlice{writable(m.Mint), writable(m.Account), signer(m.Authority)},
		binary.LittleEndian.AppendUint64([]byte{tagMintTo}, m.Amount))
}

// SetAuthority replaces an authority of a mint or account. A zero New removes the authority
// permanently. Signers are the members that sign if Current is a multisig account, and empty
// otherwise.
type SetAuthority struct {
	Account, Current solana.PublicKey
	Type             AuthorityType
	New              solana.PublicKey
	// Signers are the members that sign for Current, if Current is a multisig account.
	Signers []solana.PublicKey
}

// Instruction encodes the replacement. Current signs, or Signers sign.
func (s SetAuthority) Instruction() solana.Instruction {
	return solana.NewInstruction(solana.Token2022ProgramID,
		append(solana.AccountMetaSlice{writable(s.Account)}, authority(s.Current, s.Signers)...),
		appendOption([]byte{tagSetAuthority, uint8(s.Type)}, s.New))
}

// TransferChecked moves tokens. If the mint has a transfer fee, the program withholds the fee in
// the destination.
type TransferChecked struct {
	Program                          solana.PublicKey // zero: Token-2022
	Source, Mint, Destination, Owner solana.PublicKey
	Amount                           uint64 // base units
	Decimals                         uint8
}

// Instruction encodes the transfer. Owner signs.
func (t TransferChecked) Instruction() solana.Instruction {
	data := binary.LittleEndian.AppendUint64([]byte{tagTransferChecked}, t.Amount)
	return solana.NewInstruction(programOr(t.Program),
		solana.AccountMetaSlice{writable(t.Source), readonly(t.Mint), writable(t.Destination), signer(t.Owner)},
		append(data, t.Decimals))
}

// BurnChecked destroys tokens of an account.
type BurnChecked struct {
	Program              solana.PublicKey // zero: Token-2022
	Account, Mint, Owner solana.PublicKey
	Amount               uint64 // base units
	Decimals             uint8
}

// Instruction encodes the burn. Owner signs.
func (b BurnChecked) Instruction() solana.Instruction {
	data := binary.LittleEndian.AppendUint64([]byte{tagBurnChecked}, b.Amount)
	return solana.NewInstruction(programOr(b.Program),
		solana.AccountMetaSlice{writable(b.Account), writable(b.Mint), signer(b.Owner)},
		append(data, b.Decimals))
}
