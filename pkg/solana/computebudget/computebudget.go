// Package computebudget encodes the instructions by which a transaction says
// how much computing it needs and what it offers for priority. The layouts are
// those of solana-compute-budget-interface.
package computebudget

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/gagliardetto/solana-go"
)

// MaxUnitLimit is the most compute units that a transaction can ask for (Agave,
// MAX_COMPUTE_UNIT_LIMIT).
const MaxUnitLimit = 1_400_000

// MaxAccountsData is the most bytes of accounts that a transaction can ask to load, and
// what a legacy one may load that asks for nothing (Agave,
// MAX_LOADED_ACCOUNTS_DATA_SIZE_BYTES).
const MaxAccountsData = 64 << 20

const microLamportsPerLamport = 1_000_000

// SetUnitLimit sets how many compute units the transaction may use.
func SetUnitLimit(units uint32) solana.Instruction {
	const tag = 2
	return solana.NewInstruction(solana.ComputeBudget, nil, binary.LittleEndian.AppendUint32([]byte{tag}, units))
}

// SetUnitPrice sets what the transaction pays for priority, in millionths of a
// lamport for each unit of its limit.
func SetUnitPrice(microLamports uint64) solana.Instruction {
	const tag = 3
	return solana.NewInstruction(solana.ComputeBudget, nil, binary.LittleEndian.AppendUint64([]byte{tag}, microLamports))
}

// SetAccountsData limits the bytes of accounts that the transaction loads. Validators
// count a requested limit as compute units when they rank transactions.
func SetAccountsData(bytes uint32) solana.Instruction {
	const tag = 4
	return solana.NewInstruction(solana.ComputeBudget, nil, binary.LittleEndian.AppendUint32([]byte{tag}, bytes))
}

// PriorityFee gives what a transaction with this limit and price pays on top
// of its signatures, in lamports, rounded up as the network does, and at most
// 2^64-1.
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
