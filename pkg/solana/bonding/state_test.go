package bonding_test

import (
	"encoding/binary"
	"errors"
	"math/big"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/solana/bonding"
	"tokenlaunch.example/service/pkg/solana/meteora"
)

func TestFeeFallsWithTime(t *testing.T) {
	linear, err := meteora.DecayingFee(5_000, 100, 10*time.Minute, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	// Half of it every minute, five times.
	halving := meteora.BaseFee{Cliff: 320_000_000, Periods: 5, PeriodSeconds: 60, Reduction: 5_000, Mode: meteora.FeeExponential}
	for _, c := range []struct {
		fee     meteora.BaseFee
		version uint8
		after   int64 // seconds
		want    uint64
	}{
		{meteora.BaseFee{Cliff: 10_000_000}, 1, 1_000, 10_000_000},
		{linear, 1, 0, 500_000_000},
		{linear, 1, 59, 500_000_000},
		{linear, 1, 60, 451_000_000},
		{linear, 1, 599, 59_000_000},
		{linear, 1, 600, 10_000_000},
		{linear, 1, 1 << 40, 10_000_000},
		{linear, 1, -1, 10_000_000}, // before it opens the program takes the last fee
		{halving, 1, 0, 320_000_000},
		{halving, 1, 60, 160_000_000},
		{halving, 1, 125, 80_000_000},
		{halving, 1, 6_000, 10_000_000},
		{meteora.BaseFee{Cliff: 900_000_000}, 0, 0, 500_000_000}, // old pools take half at most
		{meteora.BaseFee{Cliff: 995_000_000}, 1, 0, 990_000_000},
	} {
		s := bonding.State{Fee: c.fee, FeeVersion: c.version, ActivatedAt: 1_700_000_000, Now: uint64(1_700_000_000 + c.after)}
		if got, err := s.FeeNumerator(); err != nil || got != c.want {
			t.Errorf("%+v after %d s: %d, %v; want %d", c.fee, c.after, got, err, c.want)
		}
	}
	impossible := bonding.State{Fee: meteora.BaseFee{Cliff: 5, Periods: 9, PeriodSeconds: 1, Reduction: 1}, Now: 9}
	if got, err := impossible.FeeNumerator(); !errors.Is(err, bonding.ErrOverflow) {
		t.Errorf("a fee below zero: %d, %v", got, err)
	}
}

func TestWhichPoolsAreQuoted(t *testing.T) {
	opens := time.Unix(1_700_000_000, 0)
	ours := meteora.Pool{
		CollectFeeMode: meteora.CollectOnlyB, ActivationType: meteora.ActivationByTime, ActivationPoint: uint64(opens.Unix()),
		Liquidity: big.NewInt(1), SqrtPrice: big.NewInt(5), MinSqrtPrice: big.NewInt(4), MaxSqrtPrice: big.NewInt(6), FeeVersion: 1,
	}
	s, err := bonding.StateOf(ours, opens)
	if err != nil || s.SqrtPrice.Int64() != 5 || s.Now != s.ActivatedAt {
		t.Fatalf("StateOf() = %+v, %v; want price 5 at its activation", s, err)
	}
	for name, change := range map[string]func(*meteora.Pool){
		"disabled":            func(p *meteora.Pool) { p.Status = 1 },
		"fees in both tokens": func(p *meteora.Pool) { p.CollectFeeMode = meteora.CollectBoth },
		"compounding":         func(p *meteora.Pool) { p.CollectFeeMode = meteora.CollectCompounding },
		"dynamic fee":         func(p *meteora.Pool) { p.DynamicFee = true },
		"rate limiter":        func(p *meteora.Pool) { p.Fee.Mode = meteora.FeeRateLimiter },
		"fee by market cap":   func(p *meteora.Pool) { p.Fee.Mode = meteora.FeeMarketCapLinear },
		"unknown fee mode":    func(p *meteora.Pool) { p.Fee.Mode = 9 },
		"not open yet":        func(p *meteora.Pool) { p.ActivationPoint++ },
		"fee decays by slots": func(p *meteora.Pool) {
			p.ActivationType, p.Fee.Periods = meteora.ActivationBySlot, 1
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := ours
			change(&p)
			if s, err := bonding.StateOf(p, opens); !errors.Is(err, bonding.ErrUnsupported) {
				t.Errorf("StateOf() = %+v, %v; want ErrUnsupported", s, err)
			}
		})
	}
}

// FuzzQuote quotes arbitrary pools: a quote is rejected, or adds up.
func FuzzQuote(f *testing.F) {
	p, err := bonding.Plan(bonding.Request{Tokens: 1e15, TargetLamports: 1e11, MultiplierBps: 160_000})
	if err != nil {
		f.Fatal(err)
	}
	seed := make([]byte, meteora.PoolSize)
	copy(seed, []byte{0xf1, 0x9a, 0x6d, 0x04, 0x11, 0xb1, 0x6d, 0xbc}) // account:Pool
	binary.LittleEndian.PutUint64(seed[8:], 10_000_000)
	for at, n := range map[int]*big.Int{360: p.Liquidity, 424: p.StartSqrtPrice, 440: p.MaxSqrtPrice, 456: p.StartSqrtPrice} {
		for i, b := range n.FillBytes(make([]byte, 16)) {
			seed[at+15-i] = b
		}
	}
	seed[480], seed[484] = 1, 1 // by time, fees in token B
	f.Add(seed, uint64(1_000_000))
	f.Fuzz(func(t *testing.T, data []byte, amount uint64) {
		pool, err := meteora.DecodePool(meteora.Program, data)
		if err != nil {
			return
		}
		s, err := bonding.StateOf(pool, time.Unix(1_800_000_000, 0))
		if err != nil {
			return
		}
		_, _, _ = bonding.Withdrawable(s)
		for _, quote := range []func() (bonding.Quote, error){
			func() (bonding.Quote, error) { return bonding.Buy(s, amount, noTax) },
			func() (bonding.Quote, error) { return bonding.BuyIn(s, amount, noTax) },
			func() (bonding.Quote, error) { return bonding.Sell(s, amount, noTax) },
		} {
			q, err := quote()
			if err != nil {
				continue
			}
			want := q.CurveLamports + q.Fee
			if q.Direction == meteora.Sell {
				want = q.CurveLamports - q.Fee
			}
			if q.Lamports != want || q.PoolTokens != q.Tokens {
				t.Errorf("%+v does not add up", q)
			}
		}
	})
}
