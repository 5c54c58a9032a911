package run

import (
	"context"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/token/terms"
)

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

const (
	// mostQuotes bounds the search for the largest amount that can be sold.
	mostQuotes = 6
	// costBps is the part of what is sold that a run may cost.
	costBps = 200
)

const (
	// emptySize is how many bytes a wallet has, and a receipt.
	emptySize = 0
	// overhead is how many transactions a run takes at least: setup, collection, burn, fuel,
	// exchange, creator, a payment, the receipts' return and the anchor, with room for one
	// that fails. The last three but the payment come after it is planned.
	overhead, afterPlan = 10, 3
)

const (
	// worthCost is how many times its own cost a payment is worth at least.
	worthCost = 20
	// worthRent is how many times its rent what is owed must be worth, before an
	// account is made for its holder.
	worthRent = 10
)

// legacyAccountSize is the size of an account of the Token program, in bytes.
const legacyAccountSize = 165

// version is how a run collects and pays: as is set, or by legacy transactions where the
// node takes no others. The wallet's fees depend on it, so it is asked before.
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

// solWorth is the least that is paid in SOL, in lamports.
func (m Machine) solWorth() uint64 {
	return worthCost * m.Costs.Transaction / m.batch(terms.SOL)
}

// batch is how many payments in an asset one transaction takes.
func (m Machine) batch(asset terms.Asset) uint64 { return uint64(m.Payouts.Batch(asset)) }

// singles is how many receipts a run has out at once at least: of burn, fuel, exchange,
// creator and one batch. The last two come after the payments are planned.
const singles, singlesAfterPlan = 5, 2

// batches gives how many batches of a size so many records make.
func batches(records, size uint32) int { return int((records + size - 1) / size) }
