package run

import "tokenlaunch.example/service/pkg/solana/computebudget"

// Costs are what a run expects to spend, in lamports.
type Costs struct {
	// Transaction is what one costs, priority fee included.
	Transaction uint64
	// Float is what the wallet is to have for the runs to come.
	Float uint64
}

// What a transaction is expected to have: one signature (5,000 lamports, Solana
// documentation, "Fees") and some 200,000 compute units.
const (
	baseFeeLamports = 5_000
	computeUnits    = 200_000
)

// CostsAt gives the costs at a price of a compute unit, of a wallet that was funded with
// so many lamports: half of them stay for the runs to come.
func CostsAt(microLamports, fundingLamports uint64) Costs {
	return Costs{
		Transaction: baseFeeLamports + computebudget.PriorityFee(computeUnits, microLamports),
		Float:       fundingLamports / 2,
	}
}
