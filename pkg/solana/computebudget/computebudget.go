// Package computebudget encodes the instructions for a transaction's compute limits and its price
// of priority. The layouts are from solana-compute-budget-interface.
package computebudget

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/gagliardetto/solana-go"
)

// MaxUnitLimit is the maximum number of compute units that a transaction can request (Agave,
// MAX_COMPUTE_UNIT_LIMIT).
const MaxUnitLimit = 1_400_000

// MaxAccountsData is the maximum number of bytes of accounts that a transaction can request to
// load. A legacy transaction without a request has this limit (Agave,
// MAX_LOADED_ACCOUNTS_DATA_SIZE_BYTES).
const MaxAccountsData = 64 << 20

const microLamportsPerLamport = 1_000_000

// Tags of the instructions. A u32 follows tagLimit and tagData, and a u64 follows tagPrice.
const (
	tagLimit = 2
	tagPrice = 3
	tagData  = 4
)

// SetUnitLimit sets the maximum number of compute units of the transaction.
func SetUnitLimit(units uint32) solana.Instruction {
	return solana.NewInstruction(solana.ComputeBudget, nil, binary.LittleEndian.AppendUint32([]byte{tagLimit}, units))
}

// SetUnitPrice sets the price that the transaction pays for priority, in micro-lamports for each
// unit of its limit.
func SetUnitPrice(microLamports uint64) solana.Instruction {
	return solana.NewInstruction(solana.ComputeBudget, nil, binary.LittleEndian.AppendUint64([]byte{tagPrice}, microLamports))
}

// SetAccountsData limits the bytes of accounts that the transaction loads. Validators
// count a requested limit as compute units when they rank transactions.
func SetAccountsData(bytes uint32) solana.Instruction {
	return solana.NewInstruction(solana.ComputeBudget, nil, binary.LittleEndian.AppendUint32([]byte{tagData}, bytes))
}

// ReadUnitLimit returns the limit of a SetUnitLimit instruction. ok is false for any other
// instruction.
func ReadUnitLimit(program solana.PublicKey, data []byte) (units uint32, ok bool) {
	return readUint32(program, data, tagLimit)
}

// ReadUnitPrice returns the price of a SetUnitPrice instruction, in micro-lamports. ok is false for
// any other instruction.
func ReadUnitPrice(program solana.PublicKey, data []byte) (microLamports uint64, ok bool) {
	const length = 1 + 8
	if program != solana.ComputeBudget || len(data) != length || data[0] != tagPrice {
		return 0, false
	}
	return binary.LittleEndian.Uint64(data[1:]), true
}

// ReadAccountsData returns the limit of a SetAccountsData instruction. ok is false for any other
// instruction.
func ReadAccountsData(program solana.PublicKey, data []byte) (bytes uint32, ok bool) {
	return readUint32(program, data, tagData)
}

func readUint32(program solana.PublicKey, data []byte, tag byte) (value uint32, ok bool) {
	const length = 1 + 4
	if program != solana.ComputeBudget || len(data) != length || data[0] != tag {
		return 0, false
	}
	return binary.LittleEndian.Uint32(data[1:]), true
}

// PriorityFee returns the fee in lamports that a transaction with this limit and price pays on top
// of its signatures. The fee is rounded up as the network does, and is at most 2^64-1.
func PriorityFee(units uint32, microLamports uint64) uint64 {
	high, low := bits.Mul64(uint64(units), microLamports)
	low, carry := bits.Add64(low, microLamportsPerLamport-1, 0)
	high += carry
	if high >= microLamportsPerLamport {
		return math.MaxUint64
	}
	lamports, _ := bits.Div64(high, low, microLamportsPerLamport)
	return lamports
}
