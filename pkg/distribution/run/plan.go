package run

import (
	"context"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// plan divides the proceeds and decides the payments of every leg.
func (m Machine) plan(ctx context.Context, head Head, r Run) (payout.Next, error) {
	has, err := m.balances(ctx, r, max(r.Snapshot.ChainSlot, r.Exchange.ChainSlot, r.Fuel.ChainSlot))
	if err != nil {
		return payout.Next{}, err
	}
	rent, err := m.Chain.MinimumBalance(ctx, emptySize)
	if err != nil {
		return payout.Next{}, err
	}
	if m.Payouts, err = m.version(ctx, r); err != nil {
		return payout.Next{}, err
	}
	receipts, err := m.receiptRent(ctx, r)
	if err != nil {
		return payout.Next{}, err
	}
	lent, err := m.lent(ctx, head, r)
	if err != nil {
		return payout.Next{}, err
	}
	p := Payment{FuelKept: m.fuelKept(r, has, lent, rent, receipts)}
	net := r.Exchange.Proceeds - p.FuelKept
	p.CreatorShare = allocation.Creator(net, r.Settings.BurnBps, r.Settings.DeveloperFeeBps)
	p.HoldersShare = net - p.CreatorShare
	budget, err := m.budget(ctx, r, has, p.FuelKept)
	if err != nil {
		return payout.Next{}, err
	}
	leg, err := m.planLeg(ctx, r, &budget, 0, r.Reward, true, p.CreatorShare, p.HoldersShare)
	if err != nil {
		return payout.Next{}, err
	}
	if r.saleUndecided() { // the rows of a payment have no place for late proceeds
		leg.Payments, leg.File, leg.Chunks = 0, "", Chunks{}
	}
	p.Legs = []Leg{leg}
	for _, asset := range r.arrears() {
		coin, sends, err := m.owedCurrency(ctx, asset)
		if err != nil {
			return payout.Next{}, err
		}
		leg, err := m.planLeg(ctx, r, &budget, len(p.Legs), coin, sends, 0, 0)
		if err != nil {
			return payout.Next{}, err
		}
		p.Legs = append(p.Legs, leg)
	}
	r.Payment = &p
	return m.save(ctx, r)
}

// fuelKept returns the part of SOL proceeds that the wallet keeps for its own costs: the shortage
// for this run and the next run, including the rent of receipts, at most a fiftieth.
func (m Machine) fuelKept(r Run, has Balances, lent, rent, receipts uint64) uint64 {
	if !r.Reward.Asset.IsSOL() {
		return 0
	}
	own, proceeds := r.ownLamports(has)+lent, r.Exchange.Proceeds
	payments := min(uint64(r.Snapshot.Eligible), proceeds/m.solWorth())
	want := max(m.Costs.Float, (1+singles+r.more())*rent+(overhead+r.more())*m.Costs.Transaction) + (payments/m.batch(terms.SOL)+1)*m.Costs.Transaction + receipts
	if own >= want {
		return 0
	}
	return min(want-own, exchange.MulDiv(proceeds, costBps, terms.FullBps))
}

// budget returns the maximum cost of payments, in lamports: the wallet's own lamports without the
// wallet's rent, the rent of receipts, and the fees of the transactions after the payments.
func (m Machine) budget(ctx context.Context, r Run, has Balances, kept uint64) (uint64, error) {
	rent, err := m.Chain.MinimumBalance(ctx, emptySize)
	if err != nil {
		return 0, err
	}
	own, keep := r.ownLamports(has)+kept, (1+singlesAfterPlan+r.more())*rent+(afterPlan+r.more())*m.Costs.Transaction
	return own - min(keep, own), nil
}

// planLeg decides the payments of a leg. If holders cannot be paid in the coin any more, the leg
// pays nothing.
func (m Machine) planLeg(ctx context.Context, r Run, budget *uint64, number int, coin Currency, sends bool, creator, holders uint64) (Leg, error) {
	asset := coin.Asset
	leg := Leg{Currency: coin, Creator: creator + r.Opening.CreatorOwed[asset], BatchSize: m.Payouts.Batch(asset), Version: m.Payouts}
	r.divide(&leg, creator)
	share := uint64(0)
	if number == 0 {
		share = holders + r.Opening.Remainder[asset]
	}
	worth := uint64(never)
	if asset.IsSOL() {
		worth = m.solWorth()
		if r.Kind() != Distribution {
			worth = m.claimTerms(r, asset, func(lamports uint64) uint64 { return lamports })
		}
	} else if sends {
		var err error
		if worth, err = m.thresholds(ctx, r, &leg, share+r.Opening.Owed[asset]); err != nil {
			return Leg{}, err
		}
	}
	room, err := m.holdersRoom(ctx, r, leg, share+r.Opening.Owed[asset])
	if err != nil {
		return Leg{}, err
	}
	file := planFile(r, number, share, worth, room)
	plan, err := m.Books.Plan(ctx, r, PlanOrder{Leg: number, Currency: coin, Share: share, Worth: worth, Room: room, File: file})
	if err != nil {
		return Leg{}, fmt.Errorf("plan the payments in %s: %w", asset, err)
	}
	leg.Share, leg.Worth = share, worth
	// Pay the largest amounts whose fees the wallet can pay from its own lamports. Debts do not pay
	// fees.
	payable := min(uint64(batches(plan.Payments, leg.BatchSize)), *budget/m.Costs.Transaction) //nolint:gosec // a number of batches
	leg.Payments, leg.Due = min(plan.Payments, uint32(payable)*leg.BatchSize), plan.Due        //nolint:gosec // as above
	*budget -= payable * m.Costs.Transaction
	if err := m.limitAccounts(ctx, r, &leg, budget); err != nil {
		return Leg{}, err
	}
	if leg.Payments > 0 {
		leg.File = file
		if leg.Chunks, err = m.chunks(ctx, *budget, batches(leg.Payments, leg.BatchSize)); err != nil {
			return Leg{}, err
		}
	}
	return leg, nil
}

// holdersRoom returns the maximum sum of a leg's payments to holders, in addition to the creator's
// payment. It returns never if the limits leave room for most, the sum of all due payments.
func (m Machine) holdersRoom(ctx context.Context, r Run, leg Leg, most uint64) (uint64, error) {
	if most == 0 {
		return never, nil
	}
	room, err := m.Rooms.Room(ctx, r.Mint, r.ID, leg.Currency.Asset)
	if err != nil {
		return 0, fmt.Errorf("read how much of %s can leave: %w", leg.Currency.Asset, err)
	}
	if leg.Creator <= room { // if not, the creator waits
		room -= leg.Creator
	}
	if room >= most {
		return never, nil
	}
	m.Log.WarnContext(ctx, "the signer's limits leave a part of what is owed to a later run", "run", r.ID, "asset", leg.Currency.Asset.String(), "room", room)
	return room, nil
}

// limitAccounts stops a leg from creating accounts if the wallet holds SOL for others and has too
// few own lamports for the rent of the maximum number of accounts.
func (m Machine) limitAccounts(ctx context.Context, r Run, leg *Leg, budget *uint64) error {
	sol := terms.SOL
	owed := r.Opening.ForOthers(sol)
	if leg.Currency.Asset.IsSOL() || leg.RentFloor == 0 || !r.Reward.Asset.IsSOL() && owed == 0 {
		return nil
	}
	rent, err := m.Chain.MinimumBalance(ctx, token2022.AssociatedAccountSize)
	if err != nil {
		return err
	}
	cost := min(uint64(leg.Payments), leg.Due/leg.RentFloor) * rent
	if cost > *budget {
		leg.RentFloor = never
		return nil
	}
	*budget -= cost
	return nil
}

// thresholds sets the minimum payment in a token, and the amount above which an account is created.
// Without a price, every amount is paid and no account is created.
func (m Machine) thresholds(ctx context.Context, r Run, leg *Leg, amount uint64) (worth uint64, err error) {
	leg.RentFloor = never
	unpriced := uint64(1)
	if r.Kind() != Distribution {
		unpriced = m.claimTerms(r, leg.Currency.Asset, nil)
	}
	if amount == 0 || m.Venue == nil {
		return unpriced, nil
	}
	quote, err := m.Venue.Quote(ctx, exchange.Order{
		Wallet: r.Token.Wallet.Address, Input: leg.Currency.Asset.Mint(), Amount: amount,
		Output: terms.SOL, SlippageBps: exchange.DefaultSlippageBps,
	})
	if err != nil || quote.Out == 0 {
		m.Log.InfoContext(ctx, "no price in SOL for what holders are paid in", "run", r.ID, "asset", leg.Currency.Asset.String())
		return unpriced, nil //nolint:nilerr // then there are no thresholds
	}
	units := func(lamports uint64) uint64 { return max(exchange.MulDiv(lamports, quote.In, quote.Out), 1) }
	size := uint64(legacyAccountSize)
	if leg.Currency.Program == solana.Token2022ProgramID {
		size = token2022.AssociatedAccountSize
	}
	rent, err := m.Chain.MinimumBalance(ctx, size)
	if err != nil {
		return 0, err
	}
	leg.RentFloor, leg.AccountCharge = units(worthRent*rent), units(rent)
	if r.Kind() != Distribution {
		return m.claimTerms(r, leg.Currency.Asset, units), nil
	}
	return units(worthCost * m.Costs.Transaction / m.batch(leg.Currency.Asset)), nil
}
