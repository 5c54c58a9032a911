package runner

import (
	"context"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/testkit/localnet/marketmaker"
	"tokenlaunch.example/service/pkg/token/terms"
)

const (
	// marketLamports is the initial balance of the market maker, 100,000 SOL.
	marketLamports = 100_000 * solana.LAMPORTS_PER_SOL
	// marketTokens is the number of base units of tokens with 6 decimals for which the market maker
	// pays 1 SOL: 2 million tokens. marketDepth worsens the price like a pool with 100 billion
	// tokens.
	marketTokens = 2_000_000 * 1_000_000
	marketDepth  = 100_000_000_000 * 1_000_000
)

// startMarket starts a market maker that buys every token for SOL, so that tax can be exchanged on
// a chain without a market.
func (s *Stack) startMarket(ctx context.Context) error {
	began := time.Now()
	market, err := marketmaker.New(s.Chain.RPCURL)
	if err != nil {
		return err
	}
	if err := s.Chain.Fund(ctx, market.Address.String(), marketLamports); err != nil {
		return err
	}
	s.Market = market.Address
	market.SetPrice(terms.SOL, marketmaker.Price{In: marketTokens, Out: solana.LAMPORTS_PER_SOL, Depth: marketDepth})
	// The market maker ends with Stop, not with the context of the start.
	if s.marketURL, s.stopMarket, err = market.Listen(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	s.options.Progress.Done("Market maker", s.marketURL+", pays 1 SOL for 2 million tokens"+took(began))
	return nil
}
