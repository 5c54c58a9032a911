package raydium

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/onchain"
)

// CreatorFeeOn is the token in which a pool collects its creator's fee.
type CreatorFeeOn uint8

// CreatorFeeOn's values (states/pool.rs): the input token, always token 0, always token 1.
const (
	CreatorFeeOnInput  CreatorFeeOn = 0
	CreatorFeeOnToken0 CreatorFeeOn = 1
	CreatorFeeOnToken1 CreatorFeeOn = 2
)

// statusNoSwap is the bit that stops a pool's swaps (states/pool.rs,
// PoolStatusBitIndex::Swap).
const statusNoSwap = 1 << 2

// Pool is the state of a pool. Pairs of fields are in the program's order: token 0, token 1.
type Pool struct {
	Config      solana.PublicKey
	Creator     solana.PublicKey
	Vaults      [2]solana.PublicKey
	LPMint      solana.PublicKey
	Mints       [2]solana.PublicKey
	Programs    [2]solana.PublicKey // that own the mints
	Observation solana.PublicKey
	Status      uint8
	Decimals    [2]uint8
	LPSupply    uint64
	// ProtocolFees, FundFees and CreatorFees lie in the vaults, but the pool does not trade these
	// amounts.
	ProtocolFees, FundFees, CreatorFees [2]uint64
	OpenTime                            uint64 // Unix seconds
	// CreatorFeeOn applies only if HasCreatorFee is true.
	CreatorFeeOn  CreatorFeeOn
	HasCreatorFee bool
}

// Swaps reports whether the pool trades at a time, in Unix seconds.
func (p Pool) Swaps(at uint64) bool { return p.Status&statusNoSwap == 0 && at >= p.OpenTime }

// Owed returns the fees in a vault, 0 or 1, which the pool does not trade. ok is false if the sum
// is more than 2^64-1.
func (p Pool) Owed(vault int) (amount uint64, ok bool) {
	for _, fee := range [3]uint64{p.ProtocolFees[vault], p.FundFees[vault], p.CreatorFees[vault]} {
		if amount+fee < amount {
			return 0, false
		}
		amount += fee
	}
	return amount, true
}

// ErrNotPool is returned for an account that is not a pool of the program.
var ErrNotPool = errors.New("the account is not a CPMM pool")

// Tag and layout of a pool (states/pool.rs): ten keys, five bytes (the first is the
// bump of the authority), seven numbers, two bytes and six of padding, two numbers,
// and padding.
var tagPool = [8]byte{247, 237, 227, 245, 215, 195, 222, 70}

const (
	poolBytesOffset   = 8 + 10*solana.PublicKeyLength
	poolNumbersOffset = poolBytesOffset + 5
	poolFeeOnOffset   = poolNumbersOffset + 7*8
	poolCreatorOffset = poolFeeOnOffset + 8
)

// DecodePool reads a pool, given its owner and data. Data behind the known fields belongs to a
// newer program version, and is ignored. It returns ErrNotPool for other accounts, and
// onchain.ErrUnreadable as well if the program owns the account. DecodePool never panics.
func (n Network) DecodePool(owner solana.PublicKey, data []byte) (Pool, error) {
	switch {
	case owner != n.Program:
		return Pool{}, fmt.Errorf("%w: its owner is %s", ErrNotPool, owner)
	case len(data) < PoolSize:
		return Pool{}, fmt.Errorf("%w: %w: it has %d bytes", ErrNotPool, onchain.ErrUnreadable, len(data))
	case [8]byte(data) != tagPool:
		return Pool{}, fmt.Errorf("%w: %w: it is another kind of account", ErrNotPool, onchain.ErrUnreadable)
	case data[poolFeeOnOffset] > uint8(CreatorFeeOnToken1), data[poolFeeOnOffset+1] > 1:
		return Pool{}, fmt.Errorf("%w: %w: its creator's fee is of no known kind", ErrNotPool, onchain.ErrUnreadable)
	}
	key := func(i int) (k solana.PublicKey) {
		copy(k[:], data[8+i*solana.PublicKeyLength:])
		return k
	}
	number := func(i int) uint64 { return binary.LittleEndian.Uint64(data[poolNumbersOffset+8*i:]) }
	return Pool{
		Config: key(0), Creator: key(1), Vaults: [2]solana.PublicKey{key(2), key(3)}, LPMint: key(4),
		Mints: [2]solana.PublicKey{key(5), key(6)}, Programs: [2]solana.PublicKey{key(7), key(8)}, Observation: key(9),
		Status:   data[poolBytesOffset+1],
		Decimals: [2]uint8{data[poolBytesOffset+3], data[poolBytesOffset+4]},
		LPSupply: number(0), ProtocolFees: [2]uint64{number(1), number(2)}, FundFees: [2]uint64{number(3), number(4)},
		OpenTime:     number(5),
		CreatorFeeOn: CreatorFeeOn(data[poolFeeOnOffset]), HasCreatorFee: data[poolFeeOnOffset+1] == 1,
		CreatorFees: [2]uint64{
			binary.LittleEndian.Uint64(data[poolCreatorOffset:]), binary.LittleEndian.Uint64(data[poolCreatorOffset+8:]),
		},
	}, nil
}
