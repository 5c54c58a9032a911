package bonding_test

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/solana/bonding"
	"tokenlaunch.example/service/pkg/solana/meteora"
)

func drawRequest(t *rapid.T) bonding.Request {
	return bonding.Request{
		Tokens:         rapid.Uint64Range(1_000_000, math.MaxUint64).Draw(t, "tokens"),
		TargetLamports: rapid.Uint64Range(1_000_000_000, 10_000_000_000_000).Draw(t, "target"),
		MultiplierBps:  rapid.Int64Range(bonding.MinMultiplierBps, bonding.MaxMultiplierBps).Draw(t, "multiplier"),
	}
}

// near reports whether two numbers are within one part in a million.
func near(a, b *big.Rat) bool {
	difference := new(big.Rat).Sub(a, b)
	return difference.Abs(difference).Cmp(new(big.Rat).Mul(b, big.NewRat(1, 1_000_000))) <= 0
}

// A plan takes exactly the tokens, raises exactly the target at its target price,
// which is the multiplier times its start price.
func TestPlanKeepsItsPromises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRequest(t)
		p, err := bonding.Plan(r)
		if err != nil {
			t.Fatal(err)
		}
		if p.Deposit != r.Tokens {
			t.Errorf("charged %d", p.Deposit)
		}
		if raised, err := bonding.Raised(p.Liquidity, p.StartSqrtPrice, p.TargetSqrtPrice); err != nil || raised != r.TargetLamports {
			t.Errorf("raises %d, %v", raised, err)
		}
		start, end := bonding.SpotPrice(p.StartSqrtPrice), bonding.SpotPrice(p.TargetSqrtPrice)
		if m := new(big.Rat).Quo(end, start); !near(m, big.NewRat(r.MultiplierBps, bonding.MultiplierUnit)) {
			t.Errorf("the price grows by %s", m.FloatString(6))
		}
		// For x·y = k the share 1 − √(start/end) is sold at the target. So the square of the rest,
		// times the multiplier, is the square of all tokens.
		sold, err := bonding.Sold(p.Liquidity, p.StartSqrtPrice, p.TargetSqrtPrice)
		if err != nil {
			t.Fatal(err)
		}
		left := new(big.Rat).SetFrac(new(big.Int).SetUint64(r.Tokens-sold), new(big.Int).SetUint64(r.Tokens))
		left.Mul(left, left)
		if !near(left.Mul(left, big.NewRat(r.MultiplierBps, bonding.MultiplierUnit)), big.NewRat(1, 1)) {
			// Rounding dominates if few tokens are left.
			if r.Tokens-sold > 10_000_000 {
				t.Errorf("%d of %d are sold", sold, r.Tokens)
			}
		}
	})
}

func TestPlanRefuses(t *testing.T) {
	good := bonding.Request{Tokens: 1e15, TargetLamports: 1e11, MultiplierBps: 160_000}
	if _, err := bonding.Plan(good); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*bonding.Request){
		"no tokens":               func(r *bonding.Request) { r.Tokens = 0 },
		"no target":               func(r *bonding.Request) { r.TargetLamports = 0 },
		"too small a multiplier":  func(r *bonding.Request) { r.MultiplierBps = bonding.MinMultiplierBps - 1 },
		"too large a multiplier":  func(r *bonding.Request) { r.MultiplierBps = bonding.MaxMultiplierBps + 1 },
		"a price under the least": func(r *bonding.Request) { r.Tokens, r.TargetLamports = math.MaxUint64, 1 },
		"a price over the greatest": func(r *bonding.Request) {
			r.Tokens, r.TargetLamports, r.MultiplierBps = 1, math.MaxUint64, bonding.MinMultiplierBps
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := good
			change(&r)
			if p, err := bonding.Plan(r); !errors.Is(err, bonding.ErrRequest) {
				t.Errorf("Plan() = %+v, %v; want ErrRequest", p, err)
			}
		})
	}
}

// At a start price of one lamport for a base unit and a multiplier of 16, the curve
// is x·y = T² with T tokens: computed by hand.
func TestCurveByHand(t *testing.T) {
	const tokens = 1_000_000
	p, err := bonding.Plan(bonding.Request{Tokens: tokens, TargetLamports: 3 * tokens, MultiplierBps: 160_000})
	if err != nil {
		t.Fatal(err)
	}
	one := new(big.Int).Lsh(big.NewInt(1), 64)
	if p.StartSqrtPrice.Cmp(one) != 0 {
		t.Errorf("it starts at %v, want 2^64", p.StartSqrtPrice)
	}
	if four := new(big.Int).Lsh(one, 2); new(big.Int).Sub(four, p.TargetSqrtPrice).CmpAbs(new(big.Int).Rsh(one, 20)) > 0 {
		t.Errorf("it is complete at %v, want about 2^66", p.TargetSqrtPrice)
	}
	fee, err := meteora.ConstantFee(100)
	if err != nil {
		t.Fatal(err)
	}
	s := bonding.State{
		Liquidity: p.Liquidity, SqrtPrice: p.StartSqrtPrice, MinSqrtPrice: p.StartSqrtPrice, MaxSqrtPrice: p.MaxSqrtPrice,
		Fee: fee, FeeVersion: 1,
	}
	for bought, want := range map[uint64]uint64{
		500_000: 1_000_000, // 10^12/500,000 − 10^6
		200_000: 250_000,   // 10^12/800,000 − 10^6
		750_000: 3_000_000, // 10^12/250,000 − 10^6: the target
	} {
		q, err := bonding.Buy(s, bought, noTax)
		if err != nil {
			t.Fatal(err)
		}
		// A purchase rounds up, by one for the price and one for the lamport.
		if q.CurveLamports < want || q.CurveLamports > want+2 {
			t.Errorf("%d base units cost %d, want %d", bought, q.CurveLamports, want)
		}
		// 1 percent of what is paid, rounded up.
		if q.Fee != (q.Lamports+99)/100 || q.Lamports != q.CurveLamports+q.Fee {
			t.Errorf("%d and a fee of %d are %d", q.CurveLamports, q.Fee, q.Lamports)
		}
	}
	// Half of the tokens bring the price to 4 lamports: a rise of 300 percent.
	q, err := bonding.Buy(s, 500_000, noTax)
	if err != nil || !near(q.PriceImpact, big.NewRat(3, 1)) {
		t.Errorf("impact %v, %v", q.PriceImpact, err)
	}
	if price := bonding.SpotPrice(q.NextSqrtPrice); !near(price, big.NewRat(4, 1)) {
		t.Errorf("price %v", price)
	}
}

// Below its start a curve has raised and sold nothing.
func TestNothingIsRaisedAtTheStart(t *testing.T) {
	p, err := bonding.Plan(bonding.Request{Tokens: 1e15, TargetLamports: 1e11, MultiplierBps: 160_000})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []*big.Int{p.StartSqrtPrice, new(big.Int).Sub(p.StartSqrtPrice, big.NewInt(5)), new(big.Int)} {
		raised, err := bonding.Raised(p.Liquidity, p.StartSqrtPrice, at)
		sold, err2 := bonding.Sold(p.Liquidity, p.StartSqrtPrice, at)
		if raised != 0 || sold != 0 || err != nil || err2 != nil {
			t.Errorf("at %v: raised %d, sold %d, %v, %v", at, raised, sold, err, err2)
		}
	}
}
