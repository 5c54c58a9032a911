// Package meteora encodes the instructions of Meteora's DAMM v2 program that the
// service uses, derives the addresses of its accounts, and decodes its pools,
// positions and events.
//
// A pool here is one of the launchpad: token A is the token, token B is wrapped
// SOL unless another quote mint is named, it is customizable (one for each pair of
// mints), and fees are collected in token B only. Layouts are those of the
// program's source (programs/cp-amm, 0.2) and of its IDL; integers are
// little-endian, u128 are *big.Int. Decoders take any bytes and never panic.
package meteora

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"

	"github.com/gagliardetto/solana-go"
)

// Fixed addresses (const_pda.rs; the tests derive them again).
var (
	// Program is DAMM v2, of mainnet and devnet.
	Program = solana.MustPublicKeyFromBase58("cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG")
	// PoolAuthority owns the vaults of every pool.
	PoolAuthority = solana.MustPublicKeyFromBase58("HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC")
	// EventAuthority signs the calls by which the program writes its events.
	EventAuthority = solana.MustPublicKeyFromBase58("3rmHSu74h1ZcmAisVcWerTCiRDQbUrBKmcwptYGjHfet")
)

// Sizes, in bytes, of the accounts that InitializeCustomizablePool creates. The
// payer pays the rent of each. They were read back from the program's binary
// (pkg/solana/bonding, TestRealAccountsHaveTheirSizes).
const (
	PoolSize     = discriminatorSize + 1104 // state/pool.rs
	PositionSize = discriminatorSize + 400  // state/position.rs
	// NFTMintSize is a Token-2022 mint with a close authority, a metadata pointer,
	// and metadata whose three texts have 111 bytes in all (ix_create_position.rs).
	NFTMintSize = 165 + 1 + 4 + 32 + 4 + 64 + 4 + 80 + 111
	// NFTAccountSize is a Token-2022 account of that mint: no extension is due.
	NFTAccountSize = 165
	// VaultSize is a vault of the Token program, or of a Token-2022 mint without
	// a transfer fee; TaxedVaultSize one of a mint with a fee.
	VaultSize      = 165
	TaxedVaultSize = 165 + 1 + 4 + 8
)

// Bounds of the program (constants.rs). Prices are square roots, 64.64 bits.
const (
	minSqrtPrice = 4_295_048_016
	maxSqrtPrice = "79226673521066979257578248091"

	// FeeDenominator is what a fee's numerator is over.
	FeeDenominator = 1_000_000_000
	// MinFeeBps and MaxFeeBps bound the fee on trades of a new pool.
	MinFeeBps = 1
	MaxFeeBps = 9_900
	// FeeNumeratorPerBps is one ten-thousandth in units of 1/FeeDenominator.
	FeeNumeratorPerBps = FeeDenominator / 10_000
)

// MinSqrtPrice gives the lowest square-root price that a pool may have.
func MinSqrtPrice() *big.Int { return big.NewInt(minSqrtPrice) }

// MaxSqrtPrice gives the highest square-root price that a pool may have.
func MaxSqrtPrice() *big.Int {
	n, _ := new(big.Int).SetString(maxSqrtPrice, 10)
	return n
}

// discriminatorSize is what Anchor puts before an account's or instruction's data.
const discriminatorSize = 8

// discriminator is the first bytes of Anchor's hash of a name: "global:" for
// instructions, "account:" for accounts, "event:" for events.
func discriminator(name string) [discriminatorSize]byte {
	sum := sha256.Sum256([]byte(name))
	return [discriminatorSize]byte(sum[:discriminatorSize])
}

// errU128 appears when a number given for an instruction is no u128.
var errU128 = errors.New("it does not fit into 128 bits without a sign")

// appendU128 appends a named number of 128 bits.
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

// or gives the other key in place of the zero key.
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

// instruction appends to the accounts what Anchor wants behind those of an
// instruction that writes events.
func instruction(data []byte, accounts ...*solana.AccountMeta) solana.Instruction {
	return solana.NewInstruction(Program, append(accounts, readonly(EventAuthority), readonly(Program)), data)
}
