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

// SetUnitLimit sets the maximum number of compute units of the transaction.
func SetUnitLimit(units uint32) solana.Instruction {
	const tag = 2
	return solana.NewInstruction(solana.ComputeBudget, nil, binary.LittleEndian.AppendUint32([]byte{tag}, units))
}

// SetUnitPrice sets the price that the transaction pays for priority, in micro-lamports for each
// unit of its limit.
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
