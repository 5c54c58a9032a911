// Package token2022 encodes instructions of the Token-2022 program, of the older Token program for
// shared instructions, and of the associated token account program. Package token2022 also reads
// mints and token accounts.
//
// The layouts are those of spl-token-2022-interface, spl-token-metadata-interface and
// spl-associated-token-account-interface. Integers are little-endian. In every structure the zero
// key means "none", if the field is optional.
package token2022

import (
	"encoding/binary"

	"github.com/gagliardetto/solana-go"
)

// MaxBasisPoints is a transfer fee of the whole amount (spl-token-2022,
// MAX_FEE_BASIS_POINTS).
const MaxBasisPoints = 10_000

// Sizes of accounts, in bytes.
const (
	// MintSpace is the space at the creation of a mint with a transfer fee, a metadata pointer and
	// metadata: the base mint padded to 165, the account type, and the two extensions of fixed
	// size. The program itself grows the account for the metadata, and rejects an account that
	// already has the space. The lamports must suffice for MintSize from the start.
	MintSpace = extensionsOffset + tlvHeader + transferFeeConfigLength + tlvHeader + metadataPointerLength

	// AssociatedAccountSize is the size of an associated token account of a mint with a transfer
	// fee: the base account, its type, ImmutableOwner and TransferFeeAmount.
	AssociatedAccountSize = extensionsOffset + tlvHeader + tlvHeader + transferFeeAmountLength

	// metadataFixedLength is the length of a metadata extension without its three strings: two
	// keys, three lengths, and an empty list of further fields.
	metadataFixedLength = 2*solana.PublicKeyLength + 3*4 + 4
)

// MintSize returns the size in bytes of one of our mints after its metadata was written. The creator
// pays rent for this size.
func MintSize(name, symbol, uri string) uint64 {
	return uint64(MintSpace + tlvHeader + metadataFixedLength + len(name) + len(symbol) + len(uri))
}

// programOr returns program, or Token-2022 for the zero key.
func programOr(program solana.PublicKey) solana.PublicKey {
	if program.IsZero() {
		return solana.Token2022ProgramID
	}
	return program
}

func appendOption(b []byte, key solana.PublicKey) []byte {
	if key.IsZero() {
		return append(b, 0)
	}
	return append(append(b, 1), key[:]...)
}

func appendString(b []byte, s string) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(s))) //nolint:gosec // A string of 4 GiB fits no transaction.
	return append(b, s...)
}

func writable(key solana.PublicKey) *solana.AccountMeta {
	return solana.NewAccountMeta(key, true, false)
}

func readonly(key solana.PublicKey) *solana.AccountMeta {
	return solana.NewAccountMeta(key, false, false)
}

func signer(key solana.PublicKey) *solana.AccountMeta {
	return solana.NewAccountMeta(key, false, true)
}
