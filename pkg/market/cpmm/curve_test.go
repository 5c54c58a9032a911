package cpmm_test

import (
	"errors"
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/cpmm"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// anyCurve draws a curve that has something on both sides.
func anyCurve(t *rapid.T) cpmm.Curve {
	return cpmm.Curve{
		In: rapid.Uint64Range(1, math.MaxUint64).Draw(t, "in"), Out: rapid.Uint64Range(1, math.MaxUint64).Draw(t, "out"),
		TradeFeeRate:    rapid.Uint64Range(1, 500_000).Draw(t, "trade fee"),
		ProtocolFeeRate: rapid.Uint64Range(0, 500_000).Draw(t, "protocol fee"), FundFeeRate: rapid.Uint64Range(0, 500_000).Draw(t, "fund fee"),
		CreatorFeeRate: rapid.Uint64Range(0, 499_999).Draw(t, "creator fee"), CreatorFeeOnInput: rapid.Bool().Draw(t, "on input"),
	}
}

// holds checks what every swap must keep to: the pool never loses by it, and what it
// sets aside is no more than the fee.
func holds(t *rapid.T, c cpmm.Curve, s cpmm.Swap) {
	t.Helper()
	big64 := func(n uint64) *big.Int { return new(big.Int).SetUint64(n) }
	in, out := new(big.Int).Sub(big64(s.In), big64(s.TradeFee)), big64(s.Out)
	if c.CreatorFeeOnInput {
		in.Sub(in, big64(s.CreatorFee))
	} else {
		out.Add(out, big64(s.CreatorFee))
	}
	before := new(big.Int).Mul(big64(c.In), big64(c.Out))
	rest := new(big.Int).Sub(big64(c.Out), out)
	after := new(big.Int).Mul(new(big.Int).Add(big64(c.In), in), rest)
	if in.Sign() < 0 || rest.Sign() < 0 || after.Cmp(before) < 0 {
		t.Errorf("the pool loses: %+v by %+v", c, s)
	}
	if s.ProtocolFee+s.FundFee > s.TradeFee {
		t.Errorf("more is set aside than the fee: %+v", s)
	}
}

func TestPoolNeverLoses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, amount := anyCurve(t), rapid.Uint64().Draw(t, "amount")
		if s, err := c.ExactIn(amount); err == nil {
			if s.In != amount {
				t.Errorf("%d in of %d", s.In, amount)
			}
			holds(t, c, s)
		}
		if s, err := c.ExactOut(amount); err == nil {
			if s.Out != amount {
				t.Errorf("%d out of %d", s.Out, amount)
			}
			holds(t, c, s)
			// The cost of a purchase buys at least the same amount.
			if back, err := c.ExactIn(s.In); err == nil && back.Out < amount && !c.CreatorFeeOnInput {
				t.Errorf("%+v costs %+v, and that buys %+v", amount, s, back)
			}
		}
	})
}

func TestUntradableCurves(t *testing.T) {
	good := cpmm.Curve{In: 1_000, Out: 1_000, TradeFeeRate: 2_500}
	with := func(change func(*cpmm.Curve)) cpmm.Curve {
		c := good
		change(&c)
		return c
	}
	for name, c := range map[string]struct {
		curve  cpmm.Curve
		amount uint64
		in     error
		out    error
	}{
		"good":               {good, 100, nil, nil},
		"nothing":            {good, 0, cpmm.ErrTooSmall, cpmm.ErrTooSmall},
		"all is fee":         {good, 1, cpmm.ErrTooSmall, nil},
		"all that is there":  {good, 1_000, nil, cpmm.ErrTooLarge},
		"more than is there": {good, 1_001, nil, cpmm.ErrTooLarge},
		"too expensive":      {with(func(c *cpmm.Curve) { c.In = math.MaxUint64 }), 999, nil, cpmm.ErrTooLarge},
		"an empty side":      {with(func(c *cpmm.Curve) { c.Out = 0 }), 1, cpmm.ErrNoQuote, cpmm.ErrNoQuote},
		"the other side":     {with(func(c *cpmm.Curve) { c.In = 0 }), 1, cpmm.ErrNoQuote, cpmm.ErrNoQuote},
		"a fee of all":       {with(func(c *cpmm.Curve) { c.CreatorFeeRate = 997_500 }), 1, cpmm.ErrNoQuote, cpmm.ErrNoQuote},
		"no fee to divide":   {with(func(c *cpmm.Curve) { c.TradeFeeRate, c.CreatorFeeOnInput = 0, true }), 1, cpmm.ErrNoQuote, cpmm.ErrNoQuote},
	} {
		_, in := c.curve.ExactIn(c.amount)
		_, out := c.curve.ExactOut(c.amount)
		if name == "too expensive" {
			in = nil // nothing comes of it
		}
		if !errors.Is(in, c.in) || !errors.Is(out, c.out) {
			t.Errorf("%s: %v and %v, want %v and %v", name, in, out, c.in, c.out)
		}
	}
}

// A figure computed by hand: 1 SOL into a pool of 10 SOL and 760 million tokens.
func TestQuoteByHand(t *testing.T) {
	state := tradedState()
	q, err := state.Buy(sol)
	// Fee 2,500,000; 997,500,000 · 760e12 / 10,997,500,000 = 68,933,848,601,954 and a
	// fraction; a twentieth of it, rounded up, is tax.
	want := cpmm.Quote{
		Sent: sol, Received: 65_487_156_171_856, TaxOut: 3_446_692_430_098,
		Swap: cpmm.Swap{In: sol, Out: 68_933_848_601_954, TradeFee: 2_500_000, ProtocolFee: 300_000, FundFee: 100_000},
	}
	if err != nil || q != want {
		t.Errorf("got  %+v, %v\nwant %+v", q, err, want)
	}
}

// tradedState is a pool of 760 million tokens, taxed by 5%, and 10 SOL.
func tradedState() cpmm.State {
	mint := solana.PublicKey{1}
	return cpmm.State{
		Pool:       raydium.Pool{Mints: [2]solana.PublicKey{mint, solana.WrappedSol}},
		Config:     raydium.DefaultConfig,
		Token:      market.Mint{Address: mint, Fee: &token2022.TransferFeeConfig{Newer: token2022.TransferFee{BasisPoints: 500, MaximumFee: math.MaxUint64}}},
		TokenVault: 760_000_000 * base, SOLVault: 10 * sol, Now: time.Unix(100, 0),
	}
}

func TestStatesWithoutAQuote(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*cpmm.State)
		want   error
	}{
		"as it is":              {func(*cpmm.State) {}, nil},
		"not open yet":          {func(s *cpmm.State) { s.Pool.OpenTime = 101 }, cpmm.ErrNoQuote},
		"just open":             {func(s *cpmm.State) { s.Pool.OpenTime = 100 }, nil},
		"stopped":               {func(s *cpmm.State) { s.Pool.Status = 4 }, cpmm.ErrNoQuote},
		"another token's":       {func(s *cpmm.State) { s.Pool.Mints[0] = solana.PublicKey{2} }, cpmm.ErrNoQuote},
		"not of SOL":            {func(s *cpmm.State) { s.Pool.Mints[1] = solana.PublicKey{2} }, cpmm.ErrNoQuote},
		"owes more than it has": {func(s *cpmm.State) { s.Pool.FundFees[1] = 10*sol + 1 }, cpmm.ErrNoQuote},
		"owes all":              {func(s *cpmm.State) { s.Pool.ProtocolFees[0] = 760_000_000 * base }, cpmm.ErrNoQuote},
		"owes without bounds":   {func(s *cpmm.State) { s.Pool.CreatorFees, s.Pool.FundFees = [2]uint64{math.MaxUint64}, [2]uint64{1} }, cpmm.ErrNoQuote},
		"taxed wholly":          {func(s *cpmm.State) { s.Token.Fee.Newer.BasisPoints = 10_000 }, cpmm.ErrTooSmall},
	} {
		state := tradedState()
		c.change(&state)
		if _, err := state.Buy(sol); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if _, err := state.Sell(base); !errors.Is(err, c.want) {
			t.Errorf("%s: the sale: %v, want %v", name, err, c.want)
		}
	}
}

// Fees in the vaults are not part of the traded reserves.
func TestOwedFeesAreNotTraded(t *testing.T) {
	state := tradedState()
	want, err := state.Buy(sol)
	if err != nil {
		t.Fatal(err)
	}
	state.Pool.ProtocolFees, state.Pool.FundFees, state.Pool.CreatorFees = [2]uint64{1, 20}, [2]uint64{300, 4_000}, [2]uint64{50_000, 600_000}
	state.TokenVault += 50_301
	state.SOLVault += 604_020
	if got, err := state.Buy(sol); err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
}
