package run

import (
	"context"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Costs are the expected costs of a run, in lamports.
type Costs struct {
	// Transaction is the cost of a transaction, priority fee included.
	Transaction uint64
	// Float is the amount that the wallet should keep for later runs.
	Float uint64
}

// The expected size of a transaction: one signature (5,000 lamports, Solana documentation, "Fees")
// and some 200,000 compute units.
const (
	baseFeeLamports = 5_000
	computeUnits    = 200_000
)

// CostsAt returns the costs at a price of a compute unit, for a wallet funded with fundingLamports.
// Half of the funding is kept for later runs.
func CostsAt(microLamports, fundingLamports uint64) Costs {
	return Costs{
		Transaction: baseFeeLamports + computebudget.PriorityFee(computeUnits, microLamports),
		Float:       fundingLamports / 2,
	}
}

const (
	// maxQuotes is the maximum number of quotes in the search for the largest amount that can be
	// sold.
	maxQuotes = 6
	// costBps is the part of the proceeds that a run may cost.
	costBps = 200
)

const (
	// emptySize is the data size of a wallet and of a receipt, in bytes.
	emptySize = 0
	// overhead is the minimum number of transactions of a run: setup, collection, burn, fuel,
	// exchange, creator, a payment, the receipts' return and the anchor, with room for one failure.
	// afterPlan counts the creator, the return and the anchor, which follow the plan.
	overhead, afterPlan = 10, 3
)

const (
	// worthCost is the minimum worth of a payment, as a multiple of the payment's cost.
	worthCost = 20
	// worthRent is the minimum worth of a debt for which an account is created, as a multiple of
	// the rent.
	worthRent = 10
)

// legacyAccountSize is the size of an account of the Token program, in bytes.
const legacyAccountSize = 165

// version returns the encoding of a run's transactions: the configured version, or legacy if the
// node does not accept the version. version is called before the wallet's fees are computed,
// because the fees depend on the version.
func (m Machine) version(ctx context.Context, r Run) (payout.Version, error) {
	if m.Payouts != payout.V1 {
		return payout.Legacy, nil
	}
	takes, err := m.Engine.Takes(ctx, r.Token.Wallet)
	if err != nil {
		return payout.Legacy, err
	}
	if !takes {
		m.Log.WarnContext(ctx, "the node takes no transactions of version 1, so the run sends legacy ones", "run", r.ID)
		return payout.Legacy, nil
	}
	return payout.V1, nil
}

// solWorth returns the minimum payment in SOL, in lamports.
func (m Machine) solWorth() uint64 {
	return worthCost * m.Costs.Transaction / m.batch(terms.SOL)
}

// batch returns the number of payments in an asset that fit into a transaction.
func (m Machine) batch(asset terms.Asset) uint64 { return uint64(m.Payouts.Batch(asset)) }

// singles is the minimum number of receipts that a run has open at the same time: burn, fuel,
// exchange, creator and one batch. singlesAfterPlan counts the creator and the batch, which follow
// the plan.
const singles, singlesAfterPlan = 5, 2

// batches returns the number of batches.
func batches(records, size uint32) int { return int((records + size - 1) / size) }
