package peertest_test

import (
	"bytes"
	"math"
	"math/big"
	"reflect"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/peertest"
)

// mint returns a mint below wrapped SOL, or above it.
func (g generator) mint(below bool) solana.PublicKey {
	key := g.key()
	for (bytes.Compare(key[:], solana.WrappedSol[:]) < 0) != below {
		key = g.key()
	}
	return key
}

// u128 returns numbers of every length.
func (g generator) u128() *big.Int {
	n := new(big.Int).Lsh(new(big.Int).SetUint64(g.u64()), 64)
	n.Or(n, new(big.Int).SetUint64(g.Uint64()))
	return n.Rsh(n, uint(g.IntN(128)))
}

// u256 returns numbers of every length.
func (g generator) u256() *big.Int {
	n := new(big.Int).Lsh(g.u128(), 128)
	n.Rsh(n.Or(n, g.u128()), uint(g.IntN(256)))
	return new(big.Int).SetBytes(n.FillBytes(make([]byte, 32))) // zero in the form that reading it has
}

// between returns a number from low to high.
func (g generator) between(low, high *big.Int) *big.Int {
	n := new(big.Int).Mul(new(big.Int).Sub(high, low), new(big.Int).SetUint64(g.Uint64()))
	return n.Add(n.Rsh(n, 64), low)
}

// tradeFee returns a fee that the program takes: constant, linear or exponential.
func (g generator) tradeFee() meteora.BaseFee {
	fee := meteora.BaseFee{Cliff: uint64(1+g.IntN(9_900)) * meteora.FeeNumeratorPerBps}
	switch g.IntN(3) {
	case 0:
		fee.Periods, fee.PeriodSeconds = uint16(1+g.IntN(3_600)), uint64(1+g.IntN(600))
		fee.Reduction = (fee.Cliff - meteora.FeeNumeratorPerBps) / uint64(fee.Periods)
		if fee.Reduction == 0 {
			return meteora.BaseFee{Cliff: fee.Cliff}
		}
	case 1:
		fee.Cliff = max(fee.Cliff, 10_000_000)
		fee.Mode, fee.Periods, fee.PeriodSeconds = meteora.FeeExponential, uint16(1+g.IntN(400)), uint64(1+g.IntN(600))
		fee.Reduction = uint64(1 + g.IntN(100))
		if fee.Periods > 40 {
			fee.Reduction = uint64(1 + g.IntN(10))
		}
	}
	return fee
}

func feeCase(f meteora.BaseFee) peertest.Case {
	return peertest.Case{
		"cliff": u64(f.Cliff), "periods": f.Periods, "seconds": u64(f.PeriodSeconds), "reduction": u64(f.Reduction), "mode": f.Mode,
	}
}

// pooled is a pool with its position, and a wallet with its associated accounts.
type pooled struct {
	meteora.Accounts
	mint, program, wallet, tokens, sol solana.PublicKey
}

func (g generator) pooled(t *testing.T) pooled {
	t.Helper()
	p := pooled{
		mint: g.mint(g.IntN(2) == 0), wallet: g.key(),
		program: []solana.PublicKey{solana.TokenProgramID, solana.Token2022ProgramID}[g.IntN(2)],
	}
	var err error
	if p.Accounts, err = meteora.Addresses(p.mint, solana.PublicKey{}, g.key()); err != nil {
		t.Fatal(err)
	}
	if p.tokens, err = token2022.AssociatedAddress(p.wallet, p.mint, p.program); err != nil {
		t.Fatal(err)
	}
	if p.sol, err = token2022.AssociatedAddress(p.wallet, solana.WrappedSol, solana.TokenProgramID); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p pooled) side() meteora.PositionSide {
	return meteora.PositionSide{
		Accounts: p.Accounts, Owner: p.wallet, OwnerToken: p.tokens, OwnerSOL: p.sol, TokenMint: p.mint, TokenProgram: p.program,
	}
}

// peers returns the case that names the same pool and wallet.
func (p pooled) peers(more peertest.Case) peertest.Case {
	more["mint"], more["nft"], more["program"], more["payer"], more["owner"] = p.mint, p.NFTMint, p.program, p.wallet, p.wallet
	return more
}

func poolGenerators() map[string]generate {
	create := func(t *testing.T, g generator) (pooled, meteora.InitializeCustomizablePool, peertest.Case) {
		p := g.pooled(t)
		start := g.between(meteora.MinSqrtPrice(), meteora.MaxSqrtPrice())
		i := meteora.InitializeCustomizablePool{
			Accounts: p.Accounts, Creator: g.key(), Payer: p.wallet, TokenMint: p.mint, TokenProgram: p.program,
			PayerToken: p.tokens, PayerSOL: p.sol, Fee: g.tradeFee(),
			MinSqrtPrice: start, SqrtPrice: start, MaxSqrtPrice: meteora.MaxSqrtPrice(), Liquidity: new(big.Int).Add(g.u128(), big.NewInt(1)),
		}
		activation := any(nil)
		if g.IntN(2) == 0 {
			i.ActivationPoint = new(g.u64())
			activation = u64(*i.ActivationPoint)
		}
		return p, i, p.peers(peertest.Case{
			"creator": i.Creator, "minSqrtPrice": start.String(), "sqrtPrice": start.String(),
			"maxSqrtPrice": i.MaxSqrtPrice.String(), "liquidity": i.Liquidity.String(), "fee": feeCase(i.Fee), "activation": activation,
		})
	}
	lock := func(t *testing.T, p pooled, owner solana.PublicKey, liquidity *big.Int) solana.Instruction {
		in, err := meteora.PermanentLockPosition{
			Pool: p.Pool, Position: p.Position, PositionNFTAccount: p.PositionNFTAccount, Owner: owner, Liquidity: liquidity,
		}.Instruction()
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	return map[string]generate{
		"create": func(t *testing.T, g generator) pair {
			_, i, peers := create(t, g)
			in, err := i.Instruction()
			if err != nil {
				t.Fatal(err)
			}
			return pair{in, peers}
		},
		"createLock": func(t *testing.T, g generator) pair {
			p, i, peers := create(t, g)
			return pair{lock(t, p, i.Creator, i.Liquidity), peers}
		},
		"lock": func(t *testing.T, g generator) pair {
			p, n := g.pooled(t), g.u128()
			return pair{lock(t, p, p.wallet, n), p.peers(peertest.Case{"liquidity": n.String()})}
		},
		"removeAll": func(t *testing.T, g generator) pair {
			p := g.pooled(t)
			i := meteora.RemoveAllLiquidity{PositionSide: p.side(), MinTokens: g.u64(), MinLamports: g.u64()}
			return pair{i.Instruction(), p.peers(peertest.Case{"minTokens": u64(i.MinTokens), "minLamports": u64(i.MinLamports)})}
		},
		"claim": func(t *testing.T, g generator) pair {
			p := g.pooled(t)
			return pair{meteora.ClaimPositionFee{PositionSide: p.side()}.Instruction(), p.peers(peertest.Case{})}
		},
		"close": func(t *testing.T, g generator) pair {
			p := g.pooled(t)
			return pair{meteora.ClosePosition{Accounts: p.Accounts, Owner: p.wallet}.Instruction(), p.peers(peertest.Case{})}
		},
		"swap": func(t *testing.T, g generator) pair {
			p := g.pooled(t)
			i := meteora.Swap2{
				Pool: p.Pool, TokenVault: p.TokenVault, SOLVault: p.SOLVault, TokenMint: p.mint, TokenProgram: p.program,
				Payer: p.wallet, PayerToken: p.tokens, PayerSOL: p.sol,
				Direction: meteora.Direction(g.IntN(2)), Mode: []meteora.SwapMode{meteora.ExactIn, meteora.ExactOut}[g.IntN(2)],
				Amount: max(1, g.u64()), Limit: g.u64(),
			}
			return pair{i.Instruction(), p.peers(peertest.Case{
				"buy": i.Direction == meteora.Buy, "mode": i.Mode, "amount": u64(i.Amount), "limit": u64(i.Limit),
			})}
		},
	}
}

func TestPoolInstructionsEqualTheOfficialClient(t *testing.T) {
	g := newGenerator(2)
	var ours []solana.Instruction
	var cases []peertest.Case
	kinds := map[string]meteora.Kind{
		"create": meteora.KindCreatePool, "createLock": meteora.KindLock, "lock": meteora.KindLock,
		"removeAll": meteora.KindRemoveAllLiquidity, "claim": meteora.KindClaimFee, "close": meteora.KindClosePosition,
		"swap": meteora.KindSwap2,
	}
	for kind, make := range poolGenerators() {
		for range 2 * perKind {
			p := make(t, g)
			p.peers["kind"] = kind
			ours, cases = append(ours, p.ours), append(cases, p.peers)
		}
	}
	for i, got := range peertest.Meteora(t, cases) {
		if got.Instruction == nil {
			t.Errorf("%v: the client refused: %s", cases[i], got.Error)
			continue
		}
		want := describe(t, ours[i])
		if !reflect.DeepEqual(want, *got.Instruction) {
			t.Errorf("%v:\n ours  %+v\n peers %+v", cases[i], want, *got.Instruction)
		}
		kind := meteora.InstructionKind(got.Instruction.Data)
		if kind != kinds[cases[i]["kind"].(string)] {
			t.Errorf("%v is taken for %s", cases[i], kind)
		}
		signer, pool := got.Instruction.Accounts[kind.SignerIndex()], got.Instruction.Accounts[kind.PoolIndex()]
		if signer.Role < 2 {
			t.Errorf("%s: account %d signs nothing", kind, kind.SignerIndex())
		}
		if address, err := meteora.PoolAddress(cases[i]["mint"].(solana.PublicKey), solana.PublicKey{}); err != nil || pool.Address != address.String() {
			t.Errorf("%s: account %d is not the pool (%v)", kind, kind.PoolIndex(), err)
		}
	}
}

// What the client stores, of noise except for the fields that are read, is read.
func TestPoolStateIsReadAsTheClientWritesIt(t *testing.T) {
	g := newGenerator(3)
	const rounds = 20
	var cases []peertest.Case
	var want []any
	for range rounds {
		p := meteora.Pool{
			Fee: g.tradeFee(), DynamicFee: g.IntN(2) == 0, ProtocolFeePercent: uint8(g.IntN(101)), InitSqrtPrice: g.u128(),
			MintA: g.key(), MintB: g.key(), VaultA: g.key(), VaultB: g.key(), Liquidity: g.u128(),
			ProtocolFeeA: g.u64(), ProtocolFeeB: g.u64(), MinSqrtPrice: g.u128(), MaxSqrtPrice: g.u128(), SqrtPrice: g.u128(),
			ActivationPoint: g.u64(), ActivationType: meteora.ActivationType(g.IntN(2)), Status: uint8(g.IntN(2)),
			CollectFeeMode: meteora.CollectFeeMode(g.IntN(3)), Customizable: g.IntN(2) == 0, FeeVersion: uint8(g.IntN(2)),
			FeesPerLiquidityA: g.u256(), FeesPerLiquidityB: g.u256(), LockedLiquidity: g.u128(), LPFeesB: g.u128(), ProtocolFeesB: g.u64(), Positions: g.u64(), Creator: g.key(),
			ReserveA: g.u64(), ReserveB: g.u64(),
		}
		flag := map[bool]int{true: 1}
		cases = append(cases, peertest.Case{"kind": "stored", "type": "Pool", "fee": feeCase(p.Fee), "fields": peertest.Case{
			"pool_fees.dynamic_fee.initialized": flag[p.DynamicFee], "pool_fees.protocol_fee_percent": p.ProtocolFeePercent,
			"pool_fees.init_sqrt_price": p.InitSqrtPrice.String(), "token_a_mint": p.MintA, "token_b_mint": p.MintB,
			"token_a_vault": p.VaultA, "token_b_vault": p.VaultB, "liquidity": p.Liquidity.String(),
			"protocol_a_fee": u64(p.ProtocolFeeA), "protocol_b_fee": u64(p.ProtocolFeeB), "sqrt_min_price": p.MinSqrtPrice.String(),
			"sqrt_max_price": p.MaxSqrtPrice.String(), "sqrt_price": p.SqrtPrice.String(), "activation_point": u64(p.ActivationPoint),
			"activation_type": p.ActivationType, "pool_status": p.Status, "collect_fee_mode": p.CollectFeeMode,
			"pool_type": flag[p.Customizable], "fee_version": p.FeeVersion, "permanent_lock_liquidity": p.LockedLiquidity.String(),
			"fee_a_per_liquidity": p.FeesPerLiquidityA.String(), "fee_b_per_liquidity": p.FeesPerLiquidityB.String(),
			"metrics.total_lp_b_fee": p.LPFeesB.String(), "metrics.total_protocol_b_fee": u64(p.ProtocolFeesB),
			"metrics.total_position": u64(p.Positions), "creator": p.Creator, "token_a_amount": u64(p.ReserveA), "token_b_amount": u64(p.ReserveB),
		}})
		want = append(want, p)

		q := meteora.Position{
			Pool: g.key(), NFTMint: g.key(), FeePendingA: g.u64(), FeePendingB: g.u64(),
			FeeCheckpointA: g.u256(), FeeCheckpointB: g.u256(), Unlocked: g.u128(), Vested: g.u128(), Locked: g.u128(),
			ClaimedA: g.u64(), ClaimedB: g.u64(),
		}
		cases = append(cases, peertest.Case{"kind": "stored", "type": "Position", "fields": peertest.Case{
			"pool": q.Pool, "nft_mint": q.NFTMint, "fee_a_pending": u64(q.FeePendingA), "fee_b_pending": u64(q.FeePendingB),
			"unlocked_liquidity": q.Unlocked.String(), "vested_liquidity": q.Vested.String(), "permanent_locked_liquidity": q.Locked.String(),
			"fee_a_per_token_checkpoint": q.FeeCheckpointA.String(), "fee_b_per_token_checkpoint": q.FeeCheckpointB.String(),
			"metrics.total_claimed_a_fee": u64(q.ClaimedA), "metrics.total_claimed_b_fee": u64(q.ClaimedB),
		}})
		want = append(want, q)
		s, peers := g.swapEvent()
		cases, want = append(cases, peers), append(want, s)
	}
	for i, got := range peertest.Meteora(t, cases) {
		if got.Error != "" {
			t.Fatalf("%v: %s", cases[i], got.Error)
		}
		var have any
		var err error
		switch want[i].(type) {
		case meteora.Pool:
			have, err = meteora.DecodePool(meteora.Program, got.Data)
		case meteora.Position:
			have, err = meteora.DecodePosition(meteora.Program, got.Data)
		case meteora.Swap:
			var ok bool
			if have, ok = meteora.DecodeSwap(append(eventTag(), got.Data...)); !ok {
				t.Errorf("event %x is not understood", got.Data)
			}
		}
		if err != nil || !reflect.DeepEqual(have, want[i]) {
			t.Errorf("%v:\n read %+v\n want %+v", err, have, want[i])
		}
	}
}

// eventTag is Anchor's prefix of an event that a program writes by calling
// itself.
func eventTag() []byte { return []byte{0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d} }

// swapEvent returns the event of a swap of either direction.
func (g generator) swapEvent() (meteora.Swap, peertest.Case) {
	const some = math.MaxUint64 >> 3 // so that sums of fees and amounts fit
	includedFee, excludedFee, out := g.u64()&some, g.u64()&some, g.u64()&some
	fees := [4]uint64{g.u64() & some >> 2, g.u64() & some >> 2, g.u64() & some >> 2, g.u64() & some >> 2}
	includedTaxOut := g.u64()
	s := meteora.Swap{
		Pool: g.key(), Direction: meteora.Direction(g.IntN(2)), Mode: meteora.SwapMode(g.IntN(3)),
		AmountIn: g.u64(), AmountOut: g.u64(), Fee: fees[0] + fees[1] + fees[2] + fees[3],
		NextSqrtPrice: g.u128(), Timestamp: int64(g.Uint32()), ReserveTokens: g.u64(), ReserveLamports: g.u64(),
		CollectFeeMode: meteora.CollectOnlyB,
	}
	s.Tokens, s.Lamports = includedFee, out+s.Fee
	if s.Direction == meteora.Buy {
		s.Tokens, s.Lamports = includedTaxOut, excludedFee
	}
	return s, peertest.Case{"kind": "stored", "type": "EvtSwap2", "fields": peertest.Case{
		"pool": s.Pool, "trade_direction": s.Direction, "collect_fee_mode": s.CollectFeeMode, "params.swap_mode": s.Mode,
		"swap_result.included_fee_input_amount": u64(includedFee), "swap_result.excluded_fee_input_amount": u64(excludedFee),
		"swap_result.output_amount": u64(out), "swap_result.next_sqrt_price": s.NextSqrtPrice.String(),
		"swap_result.claiming_fee": u64(fees[0]), "swap_result.protocol_fee": u64(fees[1]),
		"swap_result.compounding_fee": u64(fees[2]), "swap_result.referral_fee": u64(fees[3]),
		"included_transfer_fee_amount_in": u64(s.AmountIn), "included_transfer_fee_amount_out": u64(includedTaxOut),
		"excluded_transfer_fee_amount_out": u64(s.AmountOut), "current_timestamp": u64(uint64(s.Timestamp)),
		"reserve_a_amount": u64(s.ReserveTokens), "reserve_b_amount": u64(s.ReserveLamports),
	}}
}
