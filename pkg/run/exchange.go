package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/apperr"
	"tokenlaunch.example/service/pkg/distribution"
	"tokenlaunch.example/service/pkg/exchange"
	"tokenlaunch.example/service/pkg/payout"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
)

const (
	// mostQuotes bounds the search for the largest amount that can be sold.
	mostQuotes = 6
	// costBps is the part of what is sold that a run may cost.
	costBps = 200
)

// patience is until when a run waits for its exchange: half of its time, the rest
// is for paying.
func (r Run) patience() time.Time { return r.OpenedAt.Add(r.Deadline.Sub(r.OpenedAt) / 2) }

// deferral says, in a sentence, why an exchange is put off; empty when err is
// none.
func deferral(err error) string {
	var deferred *exchange.Deferred
	if errors.As(err, &deferred) {
		return deferred.Detail
	}
	return ""
}

// quote asks what selling tokens brings, the largest amount of them that keeps to
// the limits.
func (m Machine) quote(ctx context.Context, head Head, r Run, amount uint64, into distribution.Asset) (exchange.Quote, error) {
	if m.Venue == nil {
		return exchange.Quote{}, exchange.Defer(exchange.NoVenue, "There is nowhere to exchange tokens.")
	}
	limits := exchange.DefaultLimits()
	order := exchange.Order{
		Wallet: r.Token.Wallet.Address, Input: r.Mint, Amount: amount, Output: into, SlippageBps: limits.SlippageBps,
	}
	return exchange.LargestThatFits(ctx, m.Venue, order, limits, head.prices(into), mostQuotes, m.Now)
}

// prices gives the newest prices in an asset, oldest first.
func (h Head) prices(asset distribution.Asset) []exchange.Price {
	var list []exchange.Price
	for _, p := range h.Prices {
		if p.Asset == asset {
			list = append(list, exchange.Price{In: p.In, Out: p.Out})
		}
	}
	return list
}

// burn destroys the part that is for burning, once it is known that the rest can
// be exchanged: burned tokens cannot be brought back.
func (m Machine) burn(ctx context.Context, r Run) (payout.Next, error) {
	intent, err := m.intent(ctx, r, payout.Burn, 0)
	if err != nil {
		return payout.Next{}, err
	}
	if intent.Version == 0 {
		if decided, next, err := m.worthwhile(ctx, &r); decided || err != nil {
			return next, err
		}
	}
	if r.Split.Burn == 0 {
		r.Burn = &Movement{At: m.Now().UTC()}
		return m.save(ctx, r)
	}
	intent.Asset, intent.Amount = r.own().Asset, r.Split.Burn
	intent, next, err := m.Engine.Advance(ctx, r.Token.Wallet, intent, func(context.Context) (payout.Payload, error) {
		account, err := token2022.AssociatedAddress(r.Token.Wallet.Address, r.Mint, solana.Token2022ProgramID)
		if err != nil {
			return payout.Payload{}, fmt.Errorf("find the wallet's account: %w", err)
		}
		return payout.Payload{Instructions: []solana.Instruction{token2022.BurnChecked{
			Account: account, Mint: r.Mint, Owner: r.Token.Wallet.Address, Amount: r.Split.Burn, Decimals: r.Token.Decimals,
		}.Instruction()}}, nil
	})
	if err != nil || !intent.Status().Decided() {
		return next, err
	}
	moved := movement(intent)
	if moved.Why != "" {
		return m.putOff(ctx, r, moved, "The burn failed: "+moved.Why, nil)
	}
	r.Burn = &moved
	err = m.Store.SaveBurn(ctx, r, Burn{
		Mint: r.Mint, Run: r.ID, Amount: moved.Amount, Signature: moved.Signature, ChainSlot: moved.ChainSlot, At: moved.At,
	})
	return after(0), err
}

// worthwhile looks, before anything is burned, whether the rest can be exchanged
// and is worth it. When it is not, it decides so and writes that down.
func (m Machine) worthwhile(ctx context.Context, r *Run) (decided bool, next payout.Next, err error) {
	if r.Split.Sell == 0 && r.Split.Burn == 0 {
		return false, next, nil
	}
	head, err := m.Store.Head(ctx, r.Mint)
	if err != nil {
		return true, next, err
	}
	if r.Split.Sell == 0 || r.rewardIsToken() {
		if value, known := m.value(ctx, *r); known && m.belowCost(value) {
			next, err = m.tooLittle(ctx, head, *r, value)
			return true, next, err
		}
		return false, next, nil
	}
	quote, err := m.quote(ctx, head, *r, r.Split.Sell, r.Reward.Asset)
	if err == nil {
		value, known := quote.Out, r.Reward.Asset.IsSOL()
		if !known {
			value, known = m.value(ctx, *r)
		}
		if known && m.belowCost(value) {
			next, err = m.tooLittle(ctx, head, *r, value)
			return true, next, err
		}
	}
	why := deferral(err)
	switch {
	case err == nil:
		return false, next, nil
	case why == "" && m.Now().Before(r.patience()):
		return true, after(again), nil // the venue does not answer
	case why == "" && apperr.KindOf(err) != apperr.Unavailable:
		return true, next, err
	case why == "":
		why = "The exchange does not answer."
	}
	next, err = m.putOff(ctx, *r, Movement{At: m.Now().UTC(), Why: why}, why, m.quoted(ctx, *r))
	return true, next, err
}

// value is what the tokens of the run are worth in lamports, as far as somebody
// names a price.
func (m Machine) value(ctx context.Context, r Run) (lamports uint64, known bool) {
	if m.Venue == nil {
		return 0, false
	}
	quote, err := m.Venue.Quote(ctx, exchange.Order{
		Wallet: r.Token.Wallet.Address, Input: r.Mint, Amount: r.Split.Sell + r.Split.Burn, Output: distribution.SOL,
		SlippageBps: exchange.DefaultSlippageBps,
	})
	return quote.Out, err == nil && quote.In > 0
}

// belowCost says whether what comes in, in lamports, is too little for what a run
// costs.
func (m Machine) belowCost(lamports uint64) bool {
	return lamports/distribution.FullBps*costBps < overhead*m.Costs.Transaction
}

// tooLittle ends a run whose tokens are worth too little, or leaves them to a later
// run when there are payments that the last one had no time for.
func (m Machine) tooLittle(ctx context.Context, head Head, r Run, lamports uint64) (payout.Next, error) {
	why := fmt.Sprintf("What has come in is worth %s SOL, too little for the network fees of a distribution. It waits for the next.", sol(lamports))
	if head.Late > 0 {
		return m.putOff(ctx, r, Movement{At: m.Now().UTC(), Why: why}, why, nil)
	}
	return m.end(ctx, head, r, End{Code: CodeBelowCost, Detail: why})
}

// putOff leaves burn and exchange to a later run, and goes on with what is owed
// from before.
func (m Machine) putOff(ctx context.Context, r Run, burn Movement, why string, quoted *Price) (payout.Next, error) {
	r.Burn = &burn
	r.Exchange = &Exchange{Done: true, Deferred: why, Quoted: quoted}
	r.Fuel = &Exchange{Done: true}
	return m.save(ctx, r)
}

// quoted is the price that a venue names while it is not taken, so that a fall
// that lasts is followed in the end; nil when it names none.
func (m Machine) quoted(ctx context.Context, r Run) *Price {
	if m.Venue == nil {
		return nil
	}
	quote, err := m.Venue.Quote(ctx, exchange.Order{
		Wallet: r.Token.Wallet.Address, Input: r.Mint, Amount: r.Split.Sell, Output: r.Reward.Asset,
		SlippageBps: exchange.DefaultSlippageBps,
	})
	if err != nil || quote.In == 0 {
		return nil
	}
	return &Price{Asset: r.Reward.Asset, In: quote.In, Out: quote.Out, At: m.Now().UTC()}
}

// Reasons of movements that were not tried, or came to nothing.
const (
	reasonRefused   payout.Reason = "refused"
	reasonUndecided payout.Reason = "undecided"
	reasonBelowCost payout.Reason = "below_cost"
)

// movement gives the facts of an intent that is decided.
func movement(i payout.Intent) Movement {
	switch {
	case i.Outcome != nil:
		moved := Movement{Amount: i.Amount, Signature: i.Outcome.Signature, ChainSlot: i.Outcome.Slot, At: i.Outcome.At}
		if !i.Outcome.Moved() {
			moved.Amount, moved.Why, moved.Reason = 0, cmpOr(i.Outcome.Failed, "It did not reach the chain."), reasonRefused
		}
		return moved
	case i.Status() == payout.Unknown:
		return Movement{Why: "Nobody can say what became of it.", Reason: reasonUndecided, At: i.UnknownSince}
	}
	return Movement{Why: cmpOr(i.Detail, string(i.Refused)), Reason: reasonRefused}
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// exchange sells what is for selling: first, when the wallet runs low, the part
// for its own fees, then the rest for the reward asset.
func (m Machine) exchange(ctx context.Context, head Head, r Run) (payout.Next, error) {
	if r.Fuel == nil || !r.Fuel.Done {
		return m.fuel(ctx, head, r)
	}
	if r.Exchange == nil {
		r.Exchange = &Exchange{}
	}
	e := *r.Exchange
	amount := r.Split.Sell - r.Fuel.Sold
	if amount == 0 || r.rewardIsToken() {
		e.Done, e.Proceeds = true, amount
		r.Exchange = &e
		return m.save(ctx, r)
	}
	next, err := m.sell(ctx, head, r, payout.Exchange, amount, r.Reward.Asset, &e)
	return m.saveTry(ctx, &r, &r.Exchange, e, next, err)
}

// saveTry writes an exchange that is at its end, or failed once more; into is r's.
func (m Machine) saveTry(ctx context.Context, r *Run, into **Exchange, e Exchange, next payout.Next, err error) (payout.Next, error) {
	if err != nil || !e.Done && e.Tries == (*into).Tries {
		return next, err
	}
	*into = &e
	if err := m.Store.Save(ctx, *r); err != nil {
		return payout.Next{}, err
	}
	if e.Done {
		return after(0), nil
	}
	return next, nil
}

// fuel sells tokens for SOL, when the reward is none and the wallet runs low.
func (m Machine) fuel(ctx context.Context, head Head, r Run) (payout.Next, error) {
	if r.Fuel == nil {
		r.Fuel = &Exchange{}
		if r.Reward.Asset.IsSOL() || r.Split.Sell == 0 {
			r.Fuel.Done = true
			return m.save(ctx, r)
		}
		amount, err := m.fuelAmount(ctx, head, r)
		if err != nil {
			return payout.Next{}, err
		}
		r.Split.FuelSell = amount
		r.Fuel.Done = amount == 0
		return m.save(ctx, r)
	}
	e := *r.Fuel
	next, err := m.sell(ctx, head, r, payout.Fuel, r.Split.FuelSell, distribution.SOL, &e)
	return m.saveTry(ctx, &r, &r.Fuel, e, next, err)
}

// fuelAmount gives how many tokens to sell so that the wallet has its float again,
// a fiftieth of what there is to sell at most. Nothing when no price is to be had:
// the run goes on with what the wallet has.
func (m Machine) fuelAmount(ctx context.Context, head Head, r Run) (uint64, error) {
	has, err := m.balances(ctx, r, r.Snapshot.ChainSlot)
	if err != nil {
		return 0, err
	}
	own := r.ownLamports(has)
	if own >= m.Costs.Float {
		return 0, nil
	}
	most := mulDiv(r.Split.Sell, costBps, distribution.FullBps)
	if most == 0 {
		return 0, nil
	}
	quote, err := m.quote(ctx, head, r, most, distribution.SOL)
	if err != nil {
		m.Log.InfoContext(ctx, "no price for the wallet's own costs", "run", r.ID, "cause", err.Error())
		return 0, nil //nolint:nilerr // it is not needed now
	}
	return min(mulDiv(quote.In, m.Costs.Float-own, max(quote.Out, 1)), quote.In), nil
}

// sell exchanges tokens, and says in e when that is at its end: after maxTries
// failures that are decided, it is put off.
func (m Machine) sell(ctx context.Context, head Head, r Run, kind payout.Kind, amount uint64, into distribution.Asset, e *Exchange) (payout.Next, error) {
	intent, err := m.intent(ctx, r, kind, e.Tries)
	if err != nil {
		return payout.Next{}, err
	}
	if intent.Version == 0 && !m.Now().Before(r.patience()) {
		e.Deferred, e.Done = cmpOr(e.Why, "There was no time left for the exchange."), true
		return payout.Next{}, nil
	}
	intent.Asset, intent.Amount = r.own().Asset, amount
	intent, next, err := m.Engine.Advance(ctx, r.Token.Wallet, intent, func(ctx context.Context) (payout.Payload, error) {
		return m.swap(ctx, head, r, amount, into)
	})
	if err != nil || !intent.Status().Decided() {
		return next, err
	}
	e.Movement = movement(intent)
	switch {
	case e.Why == "":
		return payout.Next{}, m.sold(r, intent, into, e)
	case intent.Status() == payout.Unknown:
		e.Done = true
	default:
		e.Tries++
		e.Done = e.Tries == maxTries
	}
	if e.Done {
		e.Deferred = e.Why
	}
	return after(tryAgain), nil
}

// sold takes from the transaction itself what was sold and what it brought.
func (m Machine) sold(r Run, intent payout.Intent, into distribution.Asset, e *Exchange) error {
	var t Totals
	if err := t.Add(r, intent); err != nil {
		return err
	}
	e.Done, e.Sold, e.Proceeds = true, t.Sold+t.FuelSold, t.Proceeds[into]+t.Fuel
	e.Amount = e.Sold
	return nil
}

// swap makes the transaction of an exchange, at a quote of now.
func (m Machine) swap(ctx context.Context, head Head, r Run, amount uint64, into distribution.Asset) (payout.Payload, error) {
	quote, err := m.quote(ctx, head, r, amount, into)
	if err != nil {
		return payout.Payload{}, refusal(err)
	}
	swap, err := m.Venue.Swap(ctx, quote)
	if err == nil {
		err = swap.Fits()
	}
	if err != nil {
		return payout.Payload{}, refusal(err)
	}
	p := payout.Payload{
		Instructions: swap.Instructions,
		Check: func(ctx context.Context, unsigned wire.Transaction, lane solana.PublicKey) error {
			return refusal(m.inspect(ctx, r, swap, unsigned, lane))
		},
	}
	if swap.CoSign != nil {
		p.CoSign = func(ctx context.Context, message []byte) (map[solana.PublicKey]solana.Signature, error) {
			signatures, err := swap.CoSign(ctx, message)
			return signatures, refusal(err)
		}
	}
	return p, nil
}

// inspect reads what somebody else has written and looks at what it would do, in a
// simulation, before the wallet signs it.
func (m Machine) inspect(ctx context.Context, r Run, swap exchange.Swap, unsigned wire.Transaction, lane solana.PublicKey) error {
	guarded, err := m.guarded(ctx, r, lane)
	if err != nil {
		return err
	}
	if err := exchange.Check(unsigned.Message(), exchange.NewPolicy(swap, lane, guarded...)); err != nil {
		return err
	}
	watched, err := exchange.Watched(swap.Quote.Order)
	if err != nil {
		return err
	}
	simulated, before, post, err := m.Chain.SimulateBalances(ctx, unsigned.Bytes(), watched)
	if err != nil {
		return err
	}
	if !simulated.OK {
		return exchange.Defer(exchange.Refused, "The exchange would fail: %s", simulated.Detail)
	}
	spend, err := m.spend(ctx)
	if err != nil {
		return err
	}
	return exchange.CheckBalances(swap.Quote, before, post, spend)
}

// spend is what a swap may take of the wallet's lamports: fees, and the rent of an
// account.
func (m Machine) spend(ctx context.Context) (uint64, error) {
	rent, err := m.Chain.MinimumBalance(ctx, token2022.AssociatedAccountSize)
	return rent + m.Costs.Transaction, err
}

// guarded are the wallet's other lanes, which no swap may name.
func (m Machine) guarded(ctx context.Context, r Run, used solana.PublicKey) ([]solana.PublicKey, error) {
	var list []solana.PublicKey
	for number := range payout.MostLanes {
		lane, err := m.Intents.Lane(ctx, r.Mint, number)
		if errors.Is(err, payout.ErrNotFound) {
			break
		}
		if err != nil {
			return nil, err
		}
		if lane.Address != used {
			list = append(list, lane.Address)
		}
	}
	return slices.Clip(list), nil
}

// refusal turns a decided "no" into one of an intent.
func refusal(err error) error {
	if why := deferral(err); why != "" {
		return &payout.Refusal{Reason: payout.ReasonExchange, Detail: why}
	}
	return err
}
