package meteora_test

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math/big"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/meteora"
)

// anchor returns what Anchor puts before the data of a name.
func anchor(name string) []byte {
	sum := sha256.Sum256([]byte(name))
	return sum[:8]
}

// filled returns bytes that are all different from their neighbours, behind a head.
func filled(head []byte, size int) []byte {
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(i*7 + i/256)
	}
	copy(data, head)
	return data
}

func poolData() []byte     { return filled(anchor("account:Pool"), meteora.PoolSize) }
func positionData() []byte { return filled(anchor("account:Position"), meteora.PositionSize) }

func swapData() []byte {
	data := filled(append([]byte{0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d}, anchor("event:EvtSwap2")...), 196)
	data[48] = byte(meteora.Buy)
	return data
}

// u128At reads 16 bytes with the least first, u256At 32.
func u128At(data []byte, at int) *big.Int { return wideAt(data[at : at+16]) }
func u256At(data []byte, at int) *big.Int { return wideAt(data[at : at+32]) }

func wideAt(data []byte) *big.Int {
	b := slices.Clone(data)
	slices.Reverse(b)
	return new(big.Int).SetBytes(b)
}

func u64At(data []byte, at int) uint64 { return binary.LittleEndian.Uint64(data[at:]) }

// The offsets are repeated here (state/pool.rs, repr C, after the eight bytes of the type).
func checkPool(t *testing.T, p meteora.Pool, data []byte) {
	t.Helper()
	for name, n := range map[string][2]*big.Int{
		"start": {p.InitSqrtPrice, u128At(data, 152)}, "liquidity": {p.Liquidity, u128At(data, 360)},
		"least": {p.MinSqrtPrice, u128At(data, 424)}, "greatest": {p.MaxSqrtPrice, u128At(data, 440)},
		"price": {p.SqrtPrice, u128At(data, 456)}, "locked": {p.LockedLiquidity, u128At(data, 552)},
		"fees in A": {p.FeesPerLiquidityA, u256At(data, 488)}, "fees in B": {p.FeesPerLiquidityB, u256At(data, 520)},
	} {
		if n[0].Cmp(n[1]) != 0 {
			t.Errorf("%s: %v, want %v", name, n[0], n[1])
		}
	}
	if p.MintA != solana.PublicKey(data[168:200]) || p.VaultB != solana.PublicKey(data[264:296]) || p.Creator != solana.PublicKey(data[648:680]) {
		t.Errorf("keys of %+v", p)
	}
	if p.Fee.Cliff != u64At(data, 8) || byte(p.Fee.Mode) != data[16] || p.ActivationPoint != u64At(data, 472) ||
		p.ReserveA != u64At(data, 680) || p.ReserveB != u64At(data, 688) || p.ProtocolFeeB != u64At(data, 400) {
		t.Errorf("numbers of %+v", p)
	}
}

func checkPosition(t *testing.T, p meteora.Position, data []byte) {
	t.Helper()
	if p.Pool != solana.PublicKey(data[8:40]) || p.NFTMint != solana.PublicKey(data[40:72]) || p.FeePendingB != u64At(data, 144) ||
		p.FeeCheckpointA.Cmp(u256At(data, 72)) != 0 || p.FeeCheckpointB.Cmp(u256At(data, 104)) != 0 ||
		p.ClaimedA != u64At(data, 200) || p.ClaimedB != u64At(data, 208) ||
		p.Unlocked.Cmp(u128At(data, 152)) != 0 || p.Vested.Cmp(u128At(data, 168)) != 0 || p.Locked.Cmp(u128At(data, 184)) != 0 {
		t.Errorf("%+v out of %x", p, data)
	}
}

func checkSwap(t *testing.T, s meteora.Swap, data []byte) {
	t.Helper()
	if s.Pool != solana.PublicKey(data[16:48]) || byte(s.Direction) != data[48] || byte(s.Mode) != data[67] ||
		s.NextSqrtPrice.Cmp(u128At(data, 100)) != 0 || s.AmountIn != u64At(data, 148) || s.AmountOut != u64At(data, 164) ||
		uint64(s.Timestamp) != u64At(data, 172) || s.ReserveLamports != u64At(data, 188) {
		t.Errorf("%+v out of %x", s, data)
	}
}

func TestDecode(t *testing.T) {
	pool, err := meteora.DecodePool(meteora.Program, poolData())
	if err != nil {
		t.Fatal(err)
	}
	checkPool(t, pool, poolData())
	position, err := meteora.DecodePosition(meteora.Program, positionData())
	if err != nil {
		t.Fatal(err)
	}
	checkPosition(t, position, positionData())
	swap, ok := meteora.DecodeSwap(swapData())
	if !ok {
		t.Fatal("the event is not understood")
	}
	checkSwap(t, swap, swapData())
}

func TestDecodeRejectsOtherAccounts(t *testing.T) {
	for name, c := range map[string]struct {
		owner solana.PublicKey
		data  []byte
	}{
		"another owner":      {solana.TokenProgramID, poolData()},
		"too short":          {meteora.Program, poolData()[:meteora.PoolSize-1]},
		"empty":              {meteora.Program, nil},
		"a position's head":  {meteora.Program, filled(anchor("account:Position"), meteora.PoolSize)},
		"a position, sized":  {meteora.Program, positionData()},
		"no head":            {meteora.Program, filled(nil, meteora.PoolSize)},
		"no head, position":  {meteora.Program, filled(nil, meteora.PositionSize)},
		"a pool's head, 408": {solana.TokenProgramID, positionData()},
	} {
		t.Run(name, func(t *testing.T) {
			if p, err := meteora.DecodePool(c.owner, c.data); !errors.Is(err, meteora.ErrNotPool) {
				t.Errorf("DecodePool() = %+v, %v; want ErrNotPool", p, err)
			}
			if name == "a position, sized" || name == "a position's head" { // one that grew
				return
			}
			if p, err := meteora.DecodePosition(c.owner, c.data); !errors.Is(err, meteora.ErrNotPosition) {
				t.Errorf("DecodePosition() = %+v, %v; want ErrNotPosition", p, err)
			}
		})
	}
}

func TestDecodeSwapRejectsOtherEvents(t *testing.T) {
	for name, change := range map[string]func([]byte) []byte{
		"too short":        func(b []byte) []byte { return b[:195] },
		"empty":            func([]byte) []byte { return nil },
		"no tag":           func(b []byte) []byte { b[0]++; return b },
		"another event":    func(b []byte) []byte { copy(b[8:], anchor("event:EvtLiquidityChange")); return b },
		"a third way":      func(b []byte) []byte { b[48] = 2; return b },
		"only its own tag": func(b []byte) []byte { return b[:8] },
	} {
		t.Run(name, func(t *testing.T) {
			if s, ok := meteora.DecodeSwap(change(swapData())); ok {
				t.Errorf("DecodeSwap() = %+v, want no swap", s)
			}
		})
	}
}

// FuzzDecodePool tests that every field of an accepted pool is in the bytes.
func FuzzDecodePool(f *testing.F) {
	f.Add(poolData())
	f.Fuzz(func(t *testing.T, data []byte) {
		pool, err := meteora.DecodePool(meteora.Program, data)
		if err != nil {
			if !errors.Is(err, meteora.ErrNotPool) {
				t.Errorf("%v is not ErrNotPool", err)
			}
			return
		}
		checkPool(t, pool, data)
	})
}

// FuzzDecodePosition does the same as FuzzDecodePool for positions.
func FuzzDecodePosition(f *testing.F) {
	f.Add(positionData())
	f.Fuzz(func(t *testing.T, data []byte) {
		position, err := meteora.DecodePosition(meteora.Program, data)
		if err != nil {
			if !errors.Is(err, meteora.ErrNotPosition) {
				t.Errorf("%v is not ErrNotPosition", err)
			}
			return
		}
		checkPosition(t, position, data)
	})
}

// FuzzDecodeSwap does the same as FuzzDecodePool for the data of any inner instruction, such as a
// swap's event.
func FuzzDecodeSwap(f *testing.F) {
	f.Add(swapData())
	f.Add(anchor("global:swap2"))
	f.Fuzz(func(t *testing.T, data []byte) {
		kind := meteora.InstructionKind(data)
		if swap, ok := meteora.DecodeSwap(data); ok {
			checkSwap(t, swap, data)
			if kind != meteora.KindEvent {
				t.Errorf("the event is decoded as %s", kind)
			}
		}
		if kind.IsSwap() && kind.SignerIndex() < 0 {
			t.Errorf("%s has no signer", kind)
		}
	})
}
