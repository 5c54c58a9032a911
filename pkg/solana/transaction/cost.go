package transaction

import "math"

// LamportsPerSignature is the base fee (Solana, "Transaction fees").
const LamportsPerSignature = 5_000

// Cost is the cost for the caller, in lamports.
type Cost struct {
	NetworkFee uint64 // base fee and priority fee
	Rent       uint64 // rent of the accounts that the transaction creates and leaves open
	Protocol   uint64 // charges of a program, such as a pool's creation fee
	// Deposit is the amount moved to other accounts: a pool, a distribution wallet, the service.
	Deposit uint64
}

// Total returns the sum, in lamports, and at most 2^64-1, because callers choose deposits.
func (c Cost) Total() uint64 { return sum(c.NetworkFee, c.Rent, c.Protocol, c.Deposit) }

func networkFee(signatures int, priority uint64) uint64 {
	return sum(uint64(signatures)*LamportsPerSignature, priority) //nolint:gosec // as many as fit into a packet
}

// sum returns the sum of lamports, and at most 2^64-1.
func sum(amounts ...uint64) uint64 {
	var total uint64
	for _, a := range amounts {
		if a > math.MaxUint64-total {
			return math.MaxUint64
		}
		total += a
	}
	return total
}
