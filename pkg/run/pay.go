package run

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/allocation"
	"tokenlaunch.example/service/pkg/distribution"
	"tokenlaunch.example/service/pkg/exchange"
	"tokenlaunch.example/service/pkg/payout"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

const (
	// worthCost is how many times its own cost a payment is worth at least.
	worthCost = 20
	// worthRent is how many times its rent what is owed must be worth, before an
	// account is made for its holder.
	worthRent = 10
)

// pay pays the creator and the holders, asset by asset, and then proves it.
func (m Machine) pay(ctx context.Context, head Head, r Run) (payout.Next, error) {
	if r.Payment == nil {
		return m.plan(ctx, r)
	}
	for leg := range r.Payment.Legs {
		if !r.Payment.Legs[leg].Done {
			return m.payLeg(ctx, r, leg)
		}
	}
	if r.Closing == nil {
		return m.closeBooks(ctx, head, r)
	}
	return m.anchor(ctx, head, r)
}

// plan divides the proceeds and decides what each leg pays.
func (m Machine) plan(ctx context.Context, r Run) (payout.Next, error) {
	has, err := m.balances(ctx, r, max(r.Snapshot.ChainSlot, r.Exchange.ChainSlot, r.Fuel.ChainSlot))
	if err != nil {
		return payout.Next{}, err
	}
	rent, err := m.Chain.MinimumBalance(ctx, emptySize)
	if err != nil {
		return payout.Next{}, err
	}
	p := Payment{FuelKept: m.fuelKept(r, has, rent)}
	net := r.Exchange.Proceeds - p.FuelKept
	p.CreatorShare = allocation.Creator(net, r.Settings.BurnBps, r.Settings.DeveloperFeeBps)
	p.HoldersShare = net - p.CreatorShare
	budget, err := m.budget(ctx, r, has, p.FuelKept)
	if err != nil {
		return payout.Next{}, err
	}
	leg, err := m.planLeg(ctx, r, &budget, 0, r.Reward, p.CreatorShare, p.HoldersShare)
	if err != nil {
		return payout.Next{}, err
	}
	p.Legs = []Leg{leg}
	for _, asset := range r.arrears() {
		coin, _, err := m.coinOf(ctx, asset)
		if err != nil {
			return payout.Next{}, err
		}
		leg, err := m.planLeg(ctx, r, &budget, len(p.Legs), coin, 0, 0)
		if err != nil {
			return payout.Next{}, err
		}
		p.Legs = append(p.Legs, leg)
	}
	r.Payment = &p
	return m.save(ctx, r)
}

// fuelKept is the part of SOL proceeds that the wallet keeps for its own costs: what
// it lacks for this run and the next, a fiftieth at most.
func (m Machine) fuelKept(r Run, has Balances, rent uint64) uint64 {
	if !r.Reward.Asset.IsSOL() {
		return 0
	}
	own, proceeds := r.ownLamports(has), r.Exchange.Proceeds
	payments := min(uint64(r.Snapshot.Eligible), proceeds/m.solWorth())
	want := max(m.Costs.Float, rent+overhead*m.Costs.Transaction) + (payments/payout.SOLBatch+1)*m.Costs.Transaction
	if own >= want {
		return 0
	}
	return min(want-own, mulDiv(proceeds, costBps, distribution.FullBps))
}

// solWorth is the least that is paid in SOL, in lamports.
func (m Machine) solWorth() uint64 { return worthCost * m.Costs.Transaction / payout.SOLBatch }

// ownLamports is what of the wallet's lamports is neither owed from before nor came from
// the exchange.
func (r Run) ownLamports(has Balances) uint64 {
	sol := distribution.SOL
	others := sum(r.Opening.Owed[sol], r.Opening.CreatorOwed[sol], r.Opening.Remainder[sol], r.Opening.Reserved[sol])
	if r.Reward.Asset.IsSOL() && r.Exchange != nil {
		others += r.Exchange.Proceeds
	}
	return has.Lamports - min(others, has.Lamports)
}

// budget is what payments may cost, in lamports: of the wallet's own, what is left
// beside its rent and the transactions that come after.
func (m Machine) budget(ctx context.Context, r Run, has Balances, kept uint64) (uint64, error) {
	rent, err := m.Chain.MinimumBalance(ctx, emptySize)
	if err != nil {
		return 0, err
	}
	own, keep := r.ownLamports(has)+kept, rent+(overhead/2)*m.Costs.Transaction
	return own - min(keep, own), nil
}

// arrears are the assets that are owed still and are not this run's reward, in the
// order of their text.
func (r Run) arrears() []distribution.Asset {
	var list []distribution.Asset
	for _, owed := range []map[distribution.Asset]uint64{r.Opening.Owed, r.Opening.CreatorOwed, r.Opening.Remainder} {
		for asset, amount := range owed {
			if amount > 0 && asset != r.Reward.Asset && !slices.Contains(list, asset) {
				list = append(list, asset)
			}
		}
	}
	slices.SortFunc(list, func(a, b distribution.Asset) int { return strings.Compare(a.String(), b.String()) })
	return list
}

func (m Machine) planLeg(ctx context.Context, r Run, budget *uint64, number int, coin Coin, creator, holders uint64) (Leg, error) {
	asset := coin.Asset
	leg := Leg{Coin: coin, Creator: creator + r.Opening.CreatorOwed[asset], BatchSize: payout.TokenBatch}
	share := uint64(0)
	if number == 0 {
		share = holders + r.Opening.Remainder[asset]
	}
	worth := uint64(never)
	if asset.IsSOL() {
		leg.BatchSize = payout.SOLBatch
		worth = m.solWorth()
	} else if !coin.Program.IsZero() {
		var err error
		if worth, err = m.thresholds(ctx, r, &leg, share+r.Opening.Owed[asset]); err != nil {
			return Leg{}, err
		}
	}
	file := planFile(r, number, share, worth)
	plan, err := m.Books.Plan(ctx, r, number, coin, share, worth, file)
	if err != nil {
		return Leg{}, fmt.Errorf("plan the payments in %s: %w", asset, err)
	}
	leg.Share, leg.Worth = share, worth
	// The largest are paid for whose transactions the wallet has the fees; it does not
	// take them from what it owes.
	payable := min(uint64(batches(plan.Payments, leg.BatchSize)), *budget/m.Costs.Transaction) //nolint:gosec // a number of batches
	leg.Payments, leg.Due = min(plan.Payments, uint32(payable)*leg.BatchSize), plan.Due        //nolint:gosec // as above
	*budget -= payable * m.Costs.Transaction
	if err := m.limitAccounts(ctx, r, &leg, budget); err != nil {
		return Leg{}, err
	}
	if leg.Payments > 0 {
		leg.File = file
		if leg.Lanes, err = m.affordable(ctx, r, budget, lanesFor(int(payable))); err != nil { //nolint:gosec // as above
			return Leg{}, err
		}
	}
	return leg, nil
}

// limitAccounts lets a leg make no accounts while the wallet has SOL that is owed to
// others, and too little of its own for the rent of as many as there may be.
func (m Machine) limitAccounts(ctx context.Context, r Run, leg *Leg, budget *uint64) error {
	sol := distribution.SOL
	owed := sum(r.Opening.Owed[sol], r.Opening.CreatorOwed[sol], r.Opening.Remainder[sol], r.Opening.Reserved[sol])
	if leg.Coin.Asset.IsSOL() || leg.RentFloor == 0 || !r.Reward.Asset.IsSOL() && owed == 0 {
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

// thresholds finds out, for a token, what a payment must be worth, and from when
// on an account is made. Without a price everything is paid and no account made.
func (m Machine) thresholds(ctx context.Context, r Run, leg *Leg, amount uint64) (worth uint64, err error) {
	leg.RentFloor = never
	if amount == 0 || m.Venue == nil {
		return 1, nil
	}
	quote, err := m.Venue.Quote(ctx, exchange.Order{
		Wallet: r.Token.Wallet.Address, Input: leg.Coin.Asset.Mint(), Amount: amount,
		Output: distribution.SOL, SlippageBps: exchange.DefaultSlippageBps,
	})
	if err != nil || quote.Out == 0 {
		m.Log.InfoContext(ctx, "no price in SOL for what holders are paid in", "run", r.ID, "asset", leg.Coin.Asset.String())
		return 1, nil //nolint:nilerr // then there are no thresholds
	}
	units := func(lamports uint64) uint64 { return max(mulDiv(lamports, quote.In, quote.Out), 1) }
	size := uint64(legacyAccountSize)
	if leg.Coin.Program == solana.Token2022ProgramID {
		size = token2022.AssociatedAccountSize
	}
	rent, err := m.Chain.MinimumBalance(ctx, size)
	if err != nil {
		return 0, err
	}
	leg.RentFloor, leg.AccountCharge = units(worthRent*rent), units(rent)
	return units(worthCost * m.Costs.Transaction / payout.TokenBatch), nil
}

// legacyAccountSize is the size of an account of the Token program, in bytes.
const legacyAccountSize = 165

// affordable is how many of the wanted lanes the wallet can make out of half of the
// budget, which it takes them from; at least one, which it has.
func (m Machine) affordable(ctx context.Context, r Run, budget *uint64, want int) (int, error) {
	rent, err := m.Chain.MinimumBalance(ctx, nonceSize)
	if err != nil {
		return 0, err
	}
	have := 1
	for have < want {
		if _, err := m.Intents.Lane(ctx, r.Mint, have); err != nil {
			break
		}
		have++
	}
	more := min(uint64(max(want-have, 0)), min(*budget, m.Costs.Float)/2/rent)
	*budget -= more * (rent + m.Costs.Transaction)
	return min(want, have+int(more)), nil //nolint:gosec // a small number
}

// payLeg pays the creator's part of a leg, then the holders'.
func (m Machine) payLeg(ctx context.Context, r Run, number int) (payout.Next, error) {
	r.Payment.Legs = slices.Clone(r.Payment.Legs)
	leg := &r.Payment.Legs[number]
	if leg.CreatorPaid == nil {
		return m.payCreator(ctx, r, number)
	}
	if leg.Payments > 0 {
		work := payout.Work{Kind: payout.Pay, Leg: number}
		if next, err := m.phase(ctx, &r, work, leg.Lanes, &leg.Fence, &leg.Handed); err != nil || !next.Done {
			return m.saveIfHanded(ctx, r, next, err)
		}
	}
	leg.Done = true
	return m.save(ctx, r)
}

func (m Machine) payCreator(ctx context.Context, r Run, number int) (payout.Next, error) {
	leg := &r.Payment.Legs[number]
	least := worthCost * m.Costs.Transaction
	if !leg.Coin.Asset.IsSOL() {
		least = mulDiv(leg.Worth, payout.TokenBatch, 1)
	}
	if leg.Creator == 0 || leg.Creator < least || leg.Worth == never {
		leg.CreatorPaid = &Movement{}
		if leg.Creator > 0 {
			leg.CreatorPaid.Why, leg.CreatorPaid.Reason = "It is not yet worth the cost of sending it.", reasonBelowCost
		}
		return m.save(ctx, r)
	}
	if r.Settings.DeveloperWallet == r.Token.Wallet.Address { // nothing would move
		leg.CreatorPaid = &Movement{Why: "The creator's wallet is the distribution wallet itself.", Reason: reasonRefused}
		return m.save(ctx, r)
	}
	intent, err := m.intent(ctx, r, payout.Creator, number)
	if err != nil {
		return payout.Next{}, err
	}
	intent.Asset, intent.Amount = leg.Coin.Asset, leg.Creator
	intent, next, err := m.Engine.Advance(ctx, r.Token.Wallet, intent, func(context.Context) (payout.Payload, error) {
		return transfer(r.Token.Wallet.Address, r.Settings.DeveloperWallet, leg.Coin, leg.Creator)
	})
	if err != nil || !intent.Status().Decided() {
		return next, err
	}
	moved := movement(intent)
	leg.CreatorPaid = &moved
	return m.save(ctx, r)
}

// transfer moves an amount from the wallet, and makes the account that a token
// needs at the wallet's cost.
func transfer(from, to solana.PublicKey, coin Coin, amount uint64) (payout.Payload, error) {
	if coin.Asset.IsSOL() {
		return payout.Payload{Instructions: []solana.Instruction{
			systemprogram.Transfer{From: from, To: to, Lamports: amount}.Instruction(),
		}}, nil
	}
	source, err := token2022.AssociatedAddress(from, coin.Asset.Mint(), coin.Program)
	if err != nil {
		return payout.Payload{}, fmt.Errorf("find the wallet's account: %w", err)
	}
	create, destination, err := token2022.CreateAssociatedIdempotent{
		Payer: from, Wallet: to, Mint: coin.Asset.Mint(), Program: coin.Program,
	}.Instruction()
	if err != nil {
		return payout.Payload{}, fmt.Errorf("find the creator's account: %w", err)
	}
	return payout.Payload{Instructions: []solana.Instruction{create, token2022.TransferChecked{
		Program: coin.Program, Source: source, Mint: coin.Asset.Mint(), Destination: destination, Owner: from,
		Amount: amount, Decimals: coin.Decimals,
	}.Instruction()}}, nil
}

// mulDiv gives a*b/c, rounded down, and the largest u64 when that is more or c is
// zero.
func mulDiv(a, b, c uint64) uint64 {
	high, low := bits.Mul64(a, b)
	if high >= c {
		return never
	}
	quotient, _ := bits.Div64(high, low, c)
	return quotient
}
