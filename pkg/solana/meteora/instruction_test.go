package meteora_test

import (
	"errors"
	"math/big"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/meteora"
)

func TestInstructionKinds(t *testing.T) {
	for name, want := range map[string]meteora.Kind{
		"swap": meteora.KindSwap, "swap2": meteora.KindSwap2, "initialize_customizable_pool": meteora.KindCreatePool,
		"permanent_lock_position": meteora.KindLock, "remove_liquidity": meteora.KindRemoveLiquidity,
		"remove_all_liquidity": meteora.KindRemoveAllLiquidity, "close_position": meteora.KindClosePosition,
		"claim_position_fee": meteora.KindClaimFee, "add_liquidity": meteora.KindOther,
	} {
		data := append(anchor("global:"+name), 1, 2, 3)
		got := meteora.InstructionKind(data)
		if got != want || got.IsSwap() != (name == "swap" || name == "swap2") {
			t.Errorf("%s is decoded as %s", name, got)
		}
		if none := got == meteora.KindOther; (got.SignerIndex() < 0) != none || (got.PoolIndex() < 0) != none {
			t.Errorf("%s: signer %d, pool %d", name, got.SignerIndex(), got.PoolIndex())
		}
		if cut := meteora.InstructionKind(data[:7]); cut != meteora.KindOther {
			t.Errorf("seven bytes of %s are decoded as %s", name, cut)
		}
	}
}

func TestInstructionsRejectOverflow(t *testing.T) {
	one := big.NewInt(1)
	good := meteora.InitializeCustomizablePool{MinSqrtPrice: one, MaxSqrtPrice: one, SqrtPrice: one, Liquidity: one}
	if _, err := good.Instruction(); err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string]*big.Int{
		"none": nil, "negative": big.NewInt(-1), "129 bits": new(big.Int).Lsh(one, 128),
	} {
		for field, set := range map[string]func(*meteora.InitializeCustomizablePool){
			"least":     func(i *meteora.InitializeCustomizablePool) { i.MinSqrtPrice = bad },
			"greatest":  func(i *meteora.InitializeCustomizablePool) { i.MaxSqrtPrice = bad },
			"price":     func(i *meteora.InitializeCustomizablePool) { i.SqrtPrice = bad },
			"liquidity": func(i *meteora.InitializeCustomizablePool) { i.Liquidity = bad },
		} {
			i := good
			set(&i)
			if in, err := i.Instruction(); err == nil {
				t.Errorf("%s with too large a %s = %v, want an error", name, field, in)
			}
		}
		if in, err := (meteora.PermanentLockPosition{Liquidity: bad}).Instruction(); err == nil {
			t.Errorf("lock of %s: %v", name, in)
		}
	}
}

// Changing the bytes of one instruction does not change the next.
func TestInstructionsShareNothing(t *testing.T) {
	claim := meteora.ClaimPositionFee{}
	data, err := claim.Instruction().Data()
	if err != nil {
		t.Fatal(err)
	}
	data[0]++
	again, err := claim.Instruction().Data()
	if err != nil || again[0] == data[0] {
		t.Errorf("%x after %x, %v", again, data, err)
	}
}

func TestZeroKeysMeanTheUsual(t *testing.T) {
	plain := meteora.Swap2{Direction: meteora.Buy}
	full := plain
	full.TokenProgram, full.QuoteMint = solana.Token2022ProgramID, solana.WrappedSol
	a, b := plain.Instruction().Accounts(), full.Instruction().Accounts()
	for i := range a {
		if *a[i] != *b[i] {
			t.Errorf("account %d: %v, want %v", i, a[i], b[i])
		}
	}
}

func TestFees(t *testing.T) {
	if fee, err := meteora.ConstantFee(100); err != nil || fee != (meteora.BaseFee{Cliff: 10_000_000}) {
		t.Errorf("ConstantFee(100) = %+v, %v; want a cliff of 10000000", fee, err)
	}
	for _, bps := range []int{-1, 0, 9_901} {
		if fee, err := meteora.ConstantFee(bps); !errors.Is(err, meteora.ErrFee) {
			t.Errorf("ConstantFee(%d) = %+v, %v; want ErrFee", bps, fee, err)
		}
	}
	fee, err := meteora.DecayingFee(5_000, 100, 10*time.Minute, 7*time.Second+3*time.Second)
	if err != nil || fee.Periods != 60 || fee.PeriodSeconds != 10 || fee.Mode != meteora.FeeLinear {
		t.Fatalf("DecayingFee() = %+v, %v; want 60 periods of 10 seconds", fee, err)
	}
	// It ends exactly at 1 percent, and begins less than a step below 50 percent.
	if end := fee.Cliff - uint64(fee.Periods)*fee.Reduction; end != 10_000_000 || fee.Cliff > 500_000_000 || fee.Cliff+fee.Reduction <= 500_000_000 {
		t.Errorf("%+v ends at %d", fee, end)
	}
	for name, c := range map[string]struct {
		start, end int
		over, step time.Duration
	}{
		"rises":            {100, 200, time.Minute, time.Second},
		"stays":            {100, 100, time.Minute, time.Second},
		"ends at nothing":  {100, 0, time.Minute, time.Second},
		"more than 99":     {9_901, 100, time.Minute, time.Second},
		"no time":          {200, 100, 0, time.Second},
		"no step":          {200, 100, time.Minute, 0},
		"part of a second": {200, 100, time.Minute, 1500 * time.Millisecond},
		"uneven":           {200, 100, time.Minute, 7 * time.Second},
		"too many steps":   {200, 100, 65_536 * time.Second, time.Second},
	} {
		if fee, err := meteora.DecayingFee(c.start, c.end, c.over, c.step); !errors.Is(err, meteora.ErrFee) {
			t.Errorf("DecayingFee(), %s = %+v, %v; want ErrFee", name, fee, err)
		}
	}
}
