// Package meteora encodes the instructions of Meteora's DAMM v2 program that the service uses,
// derives the addresses of its accounts, and decodes its pools, positions and events.
//
// A pool here is a pool of the launchpad: token A is the token, token B is wrapped SOL unless
// another quote mint is set, the pool is customizable (one for each pair of mints), and fees are
// collected only in token B. Layouts are those of the program's source (programs/cp-amm, 0.2) and
// of its IDL. Integers are little-endian, u128 are *big.Int. Decoders accept any bytes and never
// panic.
package meteora

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"

	"github.com/gagliardetto/solana-go"
)

// Fixed addresses (const_pda.rs). The tests derive the authorities again.
var (
	// Program is DAMM v2, of mainnet and devnet.
	Program = solana.MustPublicKeyFromBase58("cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG")
	// PoolAuthority owns the vaults of every pool.
	PoolAuthority = solana.MustPublicKeyFromBase58("HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC")
	// EventAuthority signs the calls by which the program writes its events.
	EventAuthority = solana.MustPublicKeyFromBase58("3rmHSu74h1ZcmAisVcWerTCiRDQbUrBKmcwptYGjHfet")
)

// Sizes, in bytes, of the accounts that InitializeCustomizablePool creates. The payer pays the rent
// of each account. The sizes were read back from the program's binary (pkg/solana/bonding,
// TestRealAccountsHaveTheirSizes).
const (
	PoolSize     = discriminatorSize + 1104 // state/pool.rs
	PositionSize = discriminatorSize + 400  // state/position.rs
	// NFTMintSize is the size of a Token-2022 mint with a close authority, a metadata pointer, and
	// metadata whose three texts have 111 bytes in all (ix_create_position.rs).
	NFTMintSize = 165 + 1 + 4 + 32 + 4 + 64 + 4 + 80 + 111
	// NFTAccountSize is the size of a Token-2022 account of the NFT mint, which needs no
	// extensions.
	NFTAccountSize = 165
	// VaultSize is the size of a vault of the Token program, or of a Token-2022 mint without a
	// transfer fee. TaxedVaultSize is the size of a vault of a mint with a fee.
	VaultSize      = 165
	TaxedVaultSize = 165 + 1 + 4 + 8
)

// Bounds of the program (constants.rs). Prices are square roots, 64.64 bits.
const (
	minSqrtPrice = 4_295_048_016
	maxSqrtPrice = "79226673521066979257578248091"

	// FeeDenominator is the denominator of a fee's numerator.
	FeeDenominator = 1_000_000_000
	// MinFeeBps and MaxFeeBps bound the fee on trades of a new pool.
	MinFeeBps = 1
	MaxFeeBps = 9_900
	// FeeNumeratorPerBps is one ten-thousandth in units of 1/FeeDenominator.
	FeeNumeratorPerBps = FeeDenominator / 10_000
)

// MinSqrtPrice returns the minimum square-root price of a pool.
func MinSqrtPrice() *big.Int { return big.NewInt(minSqrtPrice) }

// MaxSqrtPrice returns the maximum square-root price of a pool.
func MaxSqrtPrice() *big.Int {
	n, _ := new(big.Int).SetString(maxSqrtPrice, 10)
	return n
}

// discriminatorSize is the length of Anchor's prefix of an account's or instruction's data.
const discriminatorSize = 8

// discriminator is the first bytes of Anchor's hash of a name: "global:" for
// instructions, "account:" for accounts, "event:" for events.
func discriminator(name string) [discriminatorSize]byte {
	sum := sha256.Sum256([]byte(name))
	return [discriminatorSize]byte(sum[:discriminatorSize])
}

// errU128 is returned if a number of an instruction is not a u128.
var errU128 = errors.New("it does not fit into 128 bits without a sign")

// appendU128 appends a number of 128 bits. name is for the error.
func appendU128(data []byte, name string, n *big.Int) ([]byte, error) {
	const size = 16
	if n == nil || n.Sign() < 0 || n.BitLen() > 8*size {
		return nil, fmt.Errorf("%s %v: %w", name, n, errU128)
	}
	var b [size]byte
	n.FillBytes(b[:])
	for i := len(b) - 1; i >= 0; i-- {
		data = append(data, b[i])
	}
	return data, nil
}

func appendU64(data []byte, n uint64) []byte { return binary.LittleEndian.AppendUint64(data, n) }

// or returns key, or other if key is zero.
func or(key, other solana.PublicKey) solana.PublicKey {
	if key.IsZero() {
		return other
	}
	return key
}

func readonly(key solana.PublicKey) *solana.AccountMeta {
	return solana.NewAccountMeta(key, false, false)
}

func writable(key solana.PublicKey) *solana.AccountMeta {
	return solana.NewAccountMeta(key, true, false)
}

func signer(key solana.PublicKey) *solana.AccountMeta {
	return solana.NewAccountMeta(key, false, true)
}

// instruction appends the accounts that Anchor requires behind the accounts of an instruction that
// writes events.
func instruction(data []byte, accounts ...*solana.AccountMeta) solana.Instruction {
	return solana.NewInstruction(Program, append(accounts, readonly(EventAuthority), readonly(Program)), data)
}
