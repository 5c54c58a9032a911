package bonding_test

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/solana/bonding"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

var noTax token2022.TransferFee

// drawState returns a curve somewhere between its start and twice its target price,
// with a constant fee.
func drawState(t *rapid.T) (bonding.State, bonding.Params) {
	r := drawRequest(t)
	p, err := bonding.Plan(r)
	if err != nil {
		t.Fatal(err)
	}
	bps := rapid.IntRange(meteora.MinFeeBps, meteora.MaxFeeBps).Draw(t, "feeBps")
	fee, err := meteora.ConstantFee(bps)
	if err != nil {
		t.Fatal(err)
	}
	s := bonding.State{
		Liquidity: p.Liquidity, SqrtPrice: p.StartSqrtPrice, MinSqrtPrice: p.StartSqrtPrice, MaxSqrtPrice: p.MaxSqrtPrice,
		Fee: fee, FeeVersion: 1,
	}
	if in := rapid.Uint64Range(0, 2*r.TargetLamports).Draw(t, "before"); in > 0 {
		if q, err := bonding.BuyIn(s, in, noTax); err == nil {
			s = s.After(q)
		}
	}
	return s, p
}

func drawTax(t *rapid.T) token2022.TransferFee {
	return token2022.TransferFee{
		BasisPoints: uint16(rapid.IntRange(0, 2_500).Draw(t, "taxBps")),
		MaximumFee:  rapid.SampledFrom([]uint64{math.MaxUint64, 1, 1_000_000}).Draw(t, "maximum"),
	}
}

// Buying and selling at once gains nothing, whatever the rounding.
func TestThereAndBackLosesMoney(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, _ := drawState(t)
		tax := drawTax(t)
		bought, err := bonding.Buy(s, rapid.Uint64Range(1, 1<<50).Draw(t, "tokens"), tax)
		if err != nil {
			t.Skip(err)
		}
		after := s.After(bought)
		sold, err := bonding.Sell(after, bought.Tokens, tax)
		if errors.Is(err, bonding.ErrTooLittle) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if sold.Lamports >= bought.Lamports {
			t.Errorf("paid %d and received %d", bought.Lamports, sold.Lamports)
		}
		if back := after.After(sold); back.SqrtPrice.Cmp(s.SqrtPrice) < 0 {
			t.Error("the price is below the one before")
		}
		if bought.PriceImpact.Sign() < 0 || sold.PriceImpact.Sign() > 0 {
			t.Errorf("impacts %v and %v", bought.PriceImpact, sold.PriceImpact)
		}
	})
}

// The cost quoted for an amount of tokens buys at least this amount: the two kinds of purchase
// agree.
func TestKindsOfPurchaseAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, _ := drawState(t)
		tax := drawTax(t)
		out, err := bonding.Buy(s, rapid.Uint64Range(1, 1<<56).Draw(t, "tokens"), tax)
		if err != nil {
			t.Skip(err)
		}
		in, err := bonding.BuyIn(s, out.Lamports, tax)
		if err != nil {
			t.Fatal(err)
		}
		if in.Tokens < out.Tokens {
			t.Errorf("for %d lamports %d arrive, and %d were quoted", out.Lamports, in.Tokens, out.Tokens)
		}
		for _, q := range []bonding.Quote{in, out} {
			if q.Tokens+q.Tax != q.PoolTokens || tax.On(q.PoolTokens) != q.Tax || q.CurveLamports+q.Fee != q.Lamports {
				t.Errorf("%+v does not add up", q)
			}
		}
	})
}

// More cannot be bought than there is, nor sold than was bought.
func TestLiquidityIsTheLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, p := drawState(t)
		if p.Deposit == math.MaxUint64 {
			t.Skip("no number is greater")
		}
		if q, err := bonding.Buy(s, p.Deposit+1, noTax); !errors.Is(err, bonding.ErrExceedsLiquidity) {
			t.Errorf("Buy() of more than the deposit = %+v, %v; want ErrExceedsLiquidity", q, err)
		}
		sold, err := bonding.Sold(p.Liquidity, p.StartSqrtPrice, s.SqrtPrice)
		if err != nil || sold > math.MaxUint64-10 {
			t.Skip("no room for more")
		}
		q, err := bonding.Sell(s, sold+10, noTax)
		if err == nil && q.NextSqrtPrice.Cmp(p.StartSqrtPrice) < 0 {
			t.Errorf("%d sold back at %v, below the start", sold+10, q.NextSqrtPrice)
		}
		if err != nil && !errors.Is(err, bonding.ErrExceedsLiquidity) && !errors.Is(err, bonding.ErrTooLittle) {
			t.Error(err)
		}
	})
}

func TestNothingToTrade(t *testing.T) {
	p, err := bonding.Plan(bonding.Request{Tokens: 1e15, TargetLamports: 1e11, MultiplierBps: 160_000})
	if err != nil {
		t.Fatal(err)
	}
	s := bonding.State{
		Liquidity: p.Liquidity, SqrtPrice: p.StartSqrtPrice, MinSqrtPrice: p.StartSqrtPrice, MaxSqrtPrice: p.MaxSqrtPrice,
		Fee: meteora.BaseFee{Cliff: 10_000_000}, FeeVersion: 1,
	}
	withdrawn := s
	withdrawn.Liquidity = new(big.Int)
	all := token2022.TransferFee{BasisPoints: 10_000, MaximumFee: math.MaxUint64}
	for name, try := range map[string]struct {
		quote func() (bonding.Quote, error)
		want  error
	}{
		"no tokens":                  {func() (bonding.Quote, error) { return bonding.Buy(s, 0, noTax) }, bonding.ErrTooLittle},
		"no lamports":                {func() (bonding.Quote, error) { return bonding.BuyIn(s, 0, noTax) }, bonding.ErrTooLittle},
		"a lamport that is the fee":  {func() (bonding.Quote, error) { return bonding.BuyIn(s, 1, noTax) }, bonding.ErrTooLittle},
		"nothing to sell":            {func() (bonding.Quote, error) { return bonding.Sell(s, 0, noTax) }, bonding.ErrTooLittle},
		"all of a sale is taxed":     {func() (bonding.Quote, error) { return bonding.Sell(s, 1e9, all) }, bonding.ErrTooLittle},
		"all of a purchase is taxed": {func() (bonding.Quote, error) { return bonding.BuyIn(s, 1e9, all) }, bonding.ErrTooLittle},
		"tax out of bounds":          {func() (bonding.Quote, error) { return bonding.Buy(s, 1, all) }, bonding.ErrExceedsLiquidity},
		"under the start price":      {func() (bonding.Quote, error) { return bonding.Sell(s, 1e12, noTax) }, bonding.ErrExceedsLiquidity},
		"beyond the greatest price":  {func() (bonding.Quote, error) { return bonding.BuyIn(s, math.MaxUint64, noTax) }, nil},
		"withdrawn, buy":             {func() (bonding.Quote, error) { return bonding.Buy(withdrawn, 1, noTax) }, bonding.ErrExceedsLiquidity},
		"withdrawn, buy for":         {func() (bonding.Quote, error) { return bonding.BuyIn(withdrawn, 1e9, noTax) }, bonding.ErrExceedsLiquidity},
		"withdrawn, sell":            {func() (bonding.Quote, error) { return bonding.Sell(withdrawn, 1, noTax) }, bonding.ErrExceedsLiquidity},
	} {
		t.Run(name, func(t *testing.T) {
			if q, err := try.quote(); !errors.Is(err, try.want) {
				t.Errorf("%+v, %v; want %v", q, err, try.want)
			}
		})
	}
}
