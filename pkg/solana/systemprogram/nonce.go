package systemprogram

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// NonceAccountSize is the length of a nonce account's data, in bytes
// (solana-nonce, State::size).
const NonceAccountSize = 80

// MaxSeedLength is the longest seed of an address, in bytes (solana-pubkey,
// MAX_SEED_LEN).
const MaxSeedLength = 32

// ErrNotNonce is returned for an account that is not an initialized nonce of the present version.
var ErrNotNonce = errors.New("the account is not an initialized nonce")

// Nonce is the state of a nonce account.
type Nonce struct {
	Authority solana.PublicKey
	// Value replaces the recent blockhash of a transaction that begins with AdvanceNonceAccount.
	Value solana.Hash
	// LamportsPerSignature is the fee at the time when Value was stored.
	LamportsPerSignature uint64
}

// Layout of a nonce account (solana-nonce, Versions::Current(State::Initialized)):
// u32 version, u32 state, authority, value, u64 fee.
const (
	nonceVersionCurrent   = 1
	nonceStateInitialized = 1
	nonceStateOffset      = 4
	nonceAuthorityOffset  = 8
	nonceValueOffset      = 40
	nonceFeeOffset        = 72
)

// IsAdvanceNonce reports whether an instruction is AdvanceNonceAccount.
func IsAdvanceNonce(program solana.PublicKey, data []byte) bool {
	return program == solana.SystemProgramID && len(data) == 4 && binary.LittleEndian.Uint32(data) == tagAdvanceNonceAccount
}

// DecodeNonce reads a nonce account, given its owner and data. It returns ErrNotNonce for other
// accounts.
func DecodeNonce(owner solana.PublicKey, data []byte) (Nonce, error) {
	switch {
	case owner != solana.SystemProgramID:
		return Nonce{}, fmt.Errorf("%w: its owner is %s", ErrNotNonce, owner)
	case len(data) != NonceAccountSize:
		return Nonce{}, fmt.Errorf("%w: it has %d bytes", ErrNotNonce, len(data))
	case binary.LittleEndian.Uint32(data) != nonceVersionCurrent:
		return Nonce{}, fmt.Errorf("%w: its version is old", ErrNotNonce)
	case binary.LittleEndian.Uint32(data[nonceStateOffset:]) != nonceStateInitialized:
		return Nonce{}, ErrNotNonce
	}
	var n Nonce
	copy(n.Authority[:], data[nonceAuthorityOffset:])
	copy(n.Value[:], data[nonceValueOffset:])
	n.LamportsPerSignature = binary.LittleEndian.Uint64(data[nonceFeeOffset:])
	return n, nil
}

// AddressWithSeed returns the address at which CreateAccountWithSeed creates an account. The seed
// has at most MaxSeedLength bytes.
func AddressWithSeed(base solana.PublicKey, seed string, owner solana.PublicKey) (solana.PublicKey, error) {
	address, err := solana.CreateWithSeed(base, seed, owner)
	if err != nil {
		return solana.PublicKey{}, fmt.Errorf("address with seed %q: %w", seed, err)
	}
	return address, nil
}
