package run

import (
	"context"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token/terms"
)

// swap makes the transaction of an exchange, at a quote of now.
func (m Machine) swap(ctx context.Context, head Head, r Run, amount uint64, into terms.Asset) (payout.Payload, error) {
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
	lanes, err := m.Intents.Lanes(ctx, r.Mint)
	if err != nil {
		return nil, err
	}
	for _, lane := range lanes {
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
