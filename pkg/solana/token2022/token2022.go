// Package token2022 encodes instructions of the Token-2022 program (also of
// the older Token program, where both share them) and of the associated token
// account program, and reads mints and token accounts.
//
// The layouts are those of spl-token-2022-interface, spl-token-metadata-interface
// and spl-associated-token-account-interface; integers are little-endian. In
// every structure the zero key means "none", where none is possible.
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
	// MintSpace is the space to create a mint with that will carry a transfer
	// fee, a metadata pointer and metadata: the base mint padded to 165, its
	// account type, and the two extensions of fixed size. The program grows
	// the account for the metadata itself, and refuses to if the space was
	// there before; the lamports must be those of MintSize from the start.
	MintSpace = extensionsOffset + tlvHeader + transferFeeConfigLength + tlvHeader + metadataPointerLength

	// AssociatedAccountSize is the size of an associated token account of a
	// mint with a transfer fee: the base account, its type, ImmutableOwner and
	// TransferFeeAmount.
	AssociatedAccountSize = extensionsOffset + tlvHeader + tlvHeader + transferFeeAmountLength

	// metadataFixedLength is what a metadata extension has beside its three
	// strings: two keys, three lengths, and an empty list of further fields.
	metadataFixedLength = 2*solana.PublicKeyLength + 3*4 + 4
)

// MintSize gives the size, in bytes, of a mint of ours once its metadata has
// been written: the size for which rent is paid.
func MintSize(name, symbol, uri string) uint64 {
	return uint64(MintSpace + tlvHeader + metadataFixedLength + len(name) + len(symbol) + len(uri))
}

// programOr gives Token-2022 for the zero key.
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
