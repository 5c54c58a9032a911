package bonding_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/bonding"
	"tokenlaunch.example/service/pkg/solana/meteora"
)

// Ten purchases, of both modes, and a sale do what was quoted, to the lamport; the
// tenth passes the target.
func TestRealTradesAreAsQuoted(t *testing.T) {
	w := newFixture(t)
	for name, c := range coins() {
		t.Run(name, func(t *testing.T) {
			m := w.open(t, c, constant(t, 100), true)
			p := m.params
			buyer := w.wallet(t)
			w.wrap(t, buyer, 100*solana.LAMPORTS_PER_SOL, m.mint, c.program)
			s := m.state(t)
			for i := range 10 {
				var q bonding.Quote
				var err error
				mode := meteora.ExactOut
				if i%2 == 0 {
					q, err = bonding.Buy(s, 59_999_999_999_999+uint64(i), c.tax)
				} else {
					mode = meteora.ExactIn
					q, err = bonding.BuyIn(s, 123_456_789*uint64(i), c.tax)
				}
				if err != nil {
					t.Fatal(err)
				}
				s = m.trade(t, s, buyer, mode, q)
			}
			q, err := bonding.Sell(s, 7_654_321_987_654, c.tax)
			if err != nil {
				t.Fatal(err)
			}
			s = m.trade(t, s, buyer, meteora.ExactIn, q)

			// The rest to the target, and one more lamport for the price's rounding. The pool
			// counts what came in, and each trade leaves it up to a lamport.
			raised, err := bonding.Raised(p.Liquidity, p.StartSqrtPrice, s.SqrtPrice)
			if has := m.pool(t, m.Pool).ReserveB; err != nil || has-raised > 11 {
				t.Errorf("raised %d (%v), the pool has %d", raised, err, has)
			}
			left := 10*solana.LAMPORTS_PER_SOL - raised + 1
			if q, err = bonding.BuyIn(s, left*100/99+1, c.tax); err != nil {
				t.Fatal(err)
			}
			if s = m.trade(t, s, buyer, meteora.ExactIn, q); s.SqrtPrice.Cmp(p.TargetSqrtPrice) < 0 {
				t.Errorf("the target is not reached at %v, want %v", s.SqrtPrice, p.TargetSqrtPrice)
			}
			sold, err := bonding.Sold(p.Liquidity, p.StartSqrtPrice, s.SqrtPrice)
			if gone := p.Deposit - m.pool(t, m.Pool).ReserveA; err != nil || sold-gone > 12 {
				t.Errorf("sold %d (%v), the pool paid out %d", sold, err, gone)
			}
			// 1 - 1/√16 of the tokens are sold at the target.
			if part := float64(sold) / float64(p.Deposit); math.Abs(part-0.75) > 1e-6 {
				t.Errorf("%v of the tokens are sold", part)
			}
		})
	}
}

// The accounts that the program creates have the sizes of the rent computation.
func TestRealAccountsHaveTheirSizes(t *testing.T) {
	w := newFixture(t)
	for name, c := range coins() {
		t.Run(name, func(t *testing.T) {
			m := w.open(t, c, constant(t, 100), true)
			vault := meteora.VaultSize
			if c.tax.BasisPoints != 0 {
				vault = meteora.TaxedVaultSize
			}
			for what, account := range map[string]struct {
				address solana.PublicKey
				size    int
			}{
				"pool": {m.Pool, meteora.PoolSize}, "position": {m.Position, meteora.PositionSize},
				"NFT mint": {m.NFTMint, meteora.NFTMintSize}, "NFT account": {m.PositionNFTAccount, meteora.NFTAccountSize},
				"token vault": {m.TokenVault, vault}, "SOL vault": {m.SOLVault, meteora.VaultSize},
			} {
				got := w.account(t, account.address)
				var rent uint64
				w.Call(t, &rent, "getMinimumBalanceForRentExemption", account.size)
				if what == "SOL vault" {
					rent++ // the lamport of wrapped SOL
				}
				if len(got.Data) != account.size || got.Lamports != rent {
					t.Errorf("the %s has %d bytes and %d lamports, want %d and %d", what, len(got.Data), got.Lamports, account.size, rent)
				}
				t.Logf("%s: %d bytes, %d lamports", what, len(got.Data), got.Lamports)
			}
		})
	}
}

// A decaying fee follows the chain's clock.
func TestRealDecayingFee(t *testing.T) {
	linear, err := meteora.DecayingFee(5_000, 100, 10*time.Minute, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	for name, fee := range map[string]meteora.BaseFee{
		"linear":      linear,
		"exponential": {Cliff: 500_000_000, Periods: 60, PeriodSeconds: 10, Reduction: 631, Mode: meteora.FeeExponential},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t)
			c := coins()["taxed, above wrapped SOL"]
			m := w.open(t, c, fee, true)
			if got := m.pool(t, m.Pool).Fee; got != fee {
				t.Errorf("the pool's fee is %+v, want %+v", got, fee)
			}
			buyer := w.wallet(t)
			w.wrap(t, buyer, 20*solana.LAMPORTS_PER_SOL, m.mint, c.program)
			activated := time.Unix(int64(m.pool(t, m.Pool).ActivationPoint), 0)
			var last uint64 = math.MaxUint64
			for _, after := range []time.Duration{0, 9 * time.Second, 5*time.Minute + 5*time.Second, 10 * time.Minute, time.Hour} {
				if after > 0 { // The clock goes forwards only.
					w.TimeTravel(t, activated.Add(after))
				}
				s := m.state(t)
				numerator, err := s.FeeNumerator()
				if err != nil || numerator > last {
					t.Errorf("after %v the fee is %d, %v", after, numerator, err)
				}
				last = numerator
				q, err := bonding.Buy(s, 1_000_000_000_000, c.tax)
				if err != nil {
					t.Fatal(err)
				}
				s = m.trade(t, s, buyer, meteora.ExactOut, q)
				if q, err = bonding.Sell(s, 500_000_000_000, c.tax); err != nil {
					t.Fatal(err)
				}
				m.trade(t, s, buyer, meteora.ExactIn, q)
			}
			if last < 9_900_000 || last > 10_100_000 {
				t.Errorf("it ends at %d, want about 1 percent", last)
			}
		})
	}
}

// Curves at the bounds of what can be asked for are taken, and trade as quoted.
func TestRealExtremeCurves(t *testing.T) {
	w := newFixture(t)
	c := coins()["legacy, above wrapped SOL"]
	for name, r := range map[string]bonding.Request{
		"all tokens there can be": {Tokens: math.MaxUint64, TargetLamports: solana.LAMPORTS_PER_SOL, MultiplierBps: bonding.MaxMultiplierBps},
		"few tokens, much SOL":    {Tokens: 1_000, TargetLamports: 10_000 * solana.LAMPORTS_PER_SOL, MultiplierBps: bonding.MinMultiplierBps},
		"one token":               {Tokens: 1, TargetLamports: solana.LAMPORTS_PER_SOL, MultiplierBps: 160_000},
	} {
		t.Run(name, func(t *testing.T) {
			c.supply = r.Tokens
			m := w.openAs(t, c, constant(t, 100), true, r.Tokens, r)
			buyer := w.wallet(t)
			w.wrap(t, buyer, 900*solana.LAMPORTS_PER_SOL, m.mint, c.program)
			s := m.state(t)
			q, err := bonding.BuyIn(s, solana.LAMPORTS_PER_SOL/2, noTax)
			if err != nil && !errors.Is(err, bonding.ErrTooLittle) {
				t.Fatal(err)
			}
			if err == nil {
				s = m.trade(t, s, buyer, meteora.ExactIn, q)
			}
			if q, err = bonding.Buy(s, r.Tokens/1_000, noTax); err == nil {
				m.trade(t, s, buyer, meteora.ExactOut, q)
			} else if r.Tokens >= 1_000 {
				t.Error(err)
			}
		})
	}
}

// The older instruction writes the same event.
func TestRealOlderSwap(t *testing.T) {
	w := newFixture(t)
	c := coins()["taxed, above wrapped SOL"]
	m := w.open(t, c, constant(t, 100), true)
	buyer := w.wallet(t)
	sol, tokens := w.wrap(t, buyer, 20*solana.LAMPORTS_PER_SOL, m.mint, c.program)
	q, err := bonding.BuyIn(m.state(t), solana.LAMPORTS_PER_SOL, c.tax)
	if err != nil {
		t.Fatal(err)
	}
	in := meteora.Swap2{
		Pool: m.Pool, TokenVault: m.TokenVault, SOLVault: m.SOLVault, TokenMint: m.mint, TokenProgram: c.program,
		Payer: buyer.PublicKey(), PayerToken: tokens, PayerSOL: sol, Direction: meteora.Buy,
		Mode: meteora.ExactIn, Amount: q.Lamports, Limit: q.Tokens,
	}.Instruction()
	data, err := in.Data()
	if err != nil {
		t.Fatal(err)
	}
	swap := append([]byte{0xf8, 0xc6, 0x9e, 0x91, 0xe1, 0x75, 0x87, 0xc8}, data[8:24]...) // global:swap, without a mode
	if kind := meteora.InstructionKind(swap); kind != meteora.KindSwap {
		t.Errorf("decoded as %s", kind)
	}
	d := w.do(t, []solana.PrivateKey{buyer}, solana.NewInstruction(meteora.Program, in.Accounts(), swap))
	if len(d.events) != 1 {
		t.Fatalf("%d events", len(d.events))
	}
	if e, ok := meteora.DecodeSwap(d.events[0]); !ok || e.AmountIn != q.Lamports || e.AmountOut != q.Tokens || e.Fee != q.Fee {
		t.Errorf("%+v, %v; want %+v", e, ok, q)
	}
}

// A purchase that is more than was offered for it, or a sale for less, is rejected.
func TestRealLimitsHold(t *testing.T) {
	w := newFixture(t)
	c := coins()["taxed, below wrapped SOL"]
	m := w.open(t, c, constant(t, 100), true)
	buyer := w.wallet(t)
	sol, tokens := w.wrap(t, buyer, 20*solana.LAMPORTS_PER_SOL, m.mint, c.program)
	q, err := bonding.Buy(m.state(t), 1_000_000_000_000, c.tax)
	if err != nil {
		t.Fatal(err)
	}
	swap := meteora.Swap2{
		Pool: m.Pool, TokenVault: m.TokenVault, SOLVault: m.SOLVault, TokenMint: m.mint, TokenProgram: c.program,
		Payer: buyer.PublicKey(), PayerToken: tokens, PayerSOL: sol,
		Direction: meteora.Buy, Mode: meteora.ExactOut, Amount: q.Tokens, Limit: q.Lamports - 1,
	}
	const exceededSlippage = "custom program error: 0x1772" // 6002
	d, _ := w.attempt(t, []solana.PrivateKey{buyer}, swap.Instruction())
	if d.failed == nil || !strings.Contains(strings.Join(d.logs, "\n"), exceededSlippage) {
		t.Errorf("a lamport too few: %s %q", d.failed, d.logs)
	}
}
