package run

import (
	"context"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token/terms"
)

// swap builds the transaction of an exchange, at a new quote.
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
		Check: func(ctx context.Context, unsigned wire.Transaction, receipt *payout.Receipt) error {
			return refusal(m.inspect(ctx, swap, unsigned, *receipt))
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

// inspect checks the transaction of a venue and simulates the transaction, before the wallet signs.
func (m Machine) inspect(ctx context.Context, swap exchange.Swap, unsigned wire.Transaction, receipt payout.Receipt) error {
	if err := exchange.Check(unsigned.Message(), exchange.NewPolicy(swap, receipt.Address)); err != nil {
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

// spend returns the maximum number of lamports that a swap may cost the wallet: fees, the rent of
// an account, and the rent of the receipt.
func (m Machine) spend(ctx context.Context) (uint64, error) {
	rent, err := m.Chain.MinimumBalance(ctx, token2022.AssociatedAccountSize)
	if err != nil {
		return 0, err
	}
	receipt, err := m.Chain.MinimumBalance(ctx, emptySize)
	return rent + receipt + m.Costs.Transaction, err
}

// refusal converts a decided rejection into a payout.Refusal.
func refusal(err error) error {
	if why := deferral(err); why != "" {
		return &payout.Refusal{Reason: payout.ReasonExchange, Detail: why}
	}
	return err
}
