package runner

import (
	"context"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/testkit/localnet/marketmaker"
	"tokenlaunch.example/service/pkg/token/terms"
)

const (
	// marketLamports is what the market maker begins with, 100,000 SOL.
	marketLamports = 100_000 * solana.LAMPORTS_PER_SOL
	// marketTokens is how many base units of tokens of 6 decimals it pays 1 SOL for,
	// 2 million tokens; and marketDepth makes its price worse as a pool with 100
	// billion tokens would.
	marketTokens = 2_000_000 * 1_000_000
	marketDepth  = 100_000_000_000 * 1_000_000
)

// startMarket starts a market maker that buys every token for SOL, so that tax can be
// exchanged on a chain without a market.
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
	// It ends with Stop, and not with the start.
	if s.marketURL, s.stopMarket, err = market.Listen(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	s.options.Progress.Done("Market maker", s.marketURL+", pays 1 SOL for 2 million tokens"+took(began))
	return nil
}
