package token2022

import (
	"bytes"

	"github.com/gagliardetto/solana-go"
)

// Discriminators of the token metadata interface: the first eight bytes of the
// SHA-256 of "spl_token_metadata_interface:" and the instruction's name.
var (
	discriminatorInitialize      = [8]byte{0xd2, 0xe1, 0x1e, 0xa2, 0x58, 0xb8, 0x4d, 0x8d} // initialize_account
	discriminatorUpdateField     = [8]byte{0xdd, 0xe9, 0x31, 0x2d, 0xb5, 0xca, 0xdc, 0xc8} // updating_field
	discriminatorUpdateAuthority = [8]byte{0xd7, 0xe4, 0xa6, 0xe4, 0x54, 0x64, 0x56, 0x7b} // update_the_authority
)

// InitializeMetadata writes a mint's metadata into the mint itself, after InitializeMint2. The
// account grows, and must already have the lamports for the final size.
type InitializeMetadata struct {
	Mint, UpdateAuthority, MintAuthority solana.PublicKey
	Name, Symbol, URI                    string
}

// Instruction encodes the initialization. MintAuthority signs.
func (i InitializeMetadata) Instruction() solana.Instruction {
	data := appendString(discriminatorInitialize[:], i.Name)
	data = appendString(data, i.Symbol)
	return solana.NewInstruction(solana.Token2022ProgramID,
		solana.AccountMetaSlice{writable(i.Mint), readonly(i.UpdateAuthority), readonly(i.Mint), signer(i.MintAuthority)},
		appendString(data, i.URI))
}

// ReadMetadataURI reads the URI from the data of InitializeMetadata. It reports false for the data of
// any other instruction.
func ReadMetadataURI(data []byte) (uri string, ok bool) {
	rest, ok := bytes.CutPrefix(data, discriminatorInitialize[:])
	if !ok {
		return "", false
	}
	r := reader{rest: rest}
	_, _ = r.text(), r.text()
	uri = r.text()
	return uri, !r.short && len(r.rest) == 0
}

// MetadataField names a field of the metadata.
type MetadataField struct {
	tag uint8
	key string
}

// The fields of all metadata.
var (
	FieldName   = MetadataField{tag: 0}
	FieldSymbol = MetadataField{tag: 1}
	FieldURI    = MetadataField{tag: 2}
)

// tagFieldKey marks a field with a key.
const tagFieldKey = 3

// FieldKey returns a further field with the given key.
func FieldKey(key string) MetadataField { return MetadataField{tag: tagFieldKey, key: key} }

// UpdateMetadataField writes a field. If the account grows, the account must already have the
// lamports for the final size.
type UpdateMetadataField struct {
	Mint, UpdateAuthority solana.PublicKey
	Field                 MetadataField
	Value                 string
}

// Instruction encodes the update. UpdateAuthority signs.
func (u UpdateMetadataField) Instruction() solana.Instruction {
	data := append(discriminatorUpdateField[:], u.Field.tag)
	if u.Field.tag == tagFieldKey {
		data = appendString(data, u.Field.key)
	}
	return solana.NewInstruction(solana.Token2022ProgramID,
		solana.AccountMetaSlice{writable(u.Mint), signer(u.UpdateAuthority)},
		appendString(data, u.Value))
}

// UpdateMetadataAuthority transfers the metadata to another authority. A zero New locks the
// metadata permanently.
type UpdateMetadataAuthority struct {
	Mint, Current, New solana.PublicKey
}

// Instruction encodes the transfer. Current signs.
func (u UpdateMetadataAuthority) Instruction() solana.Instruction {
	return solana.NewInstruction(solana.Token2022ProgramID,
		solana.AccountMetaSlice{writable(u.Mint), signer(u.Current)},
		append(discriminatorUpdateAuthority[:], u.New[:]...))
}
