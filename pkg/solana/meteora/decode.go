package meteora

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/onchain"
)

var (
	// ErrNotPool is returned for an account that is not a pool of DAMM v2.
	ErrNotPool = errors.New("the account is not a pool of DAMM v2")
	// ErrNotPosition is returned for an account that is not a position of DAMM v2.
	ErrNotPosition = errors.New("the account is not a position of DAMM v2")

	errOwner         = errors.New("another program owns it")
	errSize          = fmt.Errorf("%w: it is too short", onchain.ErrUnreadable)
	errDiscriminator = fmt.Errorf("%w: it is another kind of account", onchain.ErrUnreadable)
)

var (
	poolAccount     = discriminator("account:Pool")
	positionAccount = discriminator("account:Position")
)

// PoolStatusEnabled is the status of a trading pool. The program's operators can disable a pool
// (state/pool.rs, PoolStatus).
const PoolStatusEnabled = 0

// Pool is the state of a pool of the launchpad or any other pool. In pools of the launchpad, token
// A is the token and token B is the quote.
type Pool struct {
	Fee BaseFee // its Mode defines the encoding; the other fields are set only for the time schedulers
	// DynamicFee reports whether a fee that follows volatility comes on top.
	DynamicFee bool
	// ProtocolFeePercent is the program's share of each fee.
	ProtocolFeePercent uint8
	// InitSqrtPrice is the pool's start price.
	InitSqrtPrice  *big.Int
	MintA, MintB   solana.PublicKey
	VaultA, VaultB solana.PublicKey
	Liquidity      *big.Int
	// ProtocolFeeA and ProtocolFeeB are in the vaults, for the program's operators to claim.
	ProtocolFeeA, ProtocolFeeB            uint64
	MinSqrtPrice, MaxSqrtPrice, SqrtPrice *big.Int
	ActivationPoint                       uint64 // Unix seconds, or a slot
	ActivationType                        ActivationType
	Status                                uint8 // PoolStatusEnabled, or 1: disabled
	CollectFeeMode                        CollectFeeMode
	Customizable                          bool
	// FeeVersion decides the maximum fee: 0 is half of a trade, 1 is 99%.
	FeeVersion uint8
	// FeesPerLiquidityA and FeesPerLiquidityB are the fees that a unit of liquidity has earned so
	// far: wrapping 256-bit numbers, with 128 bits behind the point.
	FeesPerLiquidityA, FeesPerLiquidityB *big.Int
	// LockedLiquidity is the permanently locked liquidity.
	LockedLiquidity *big.Int
	// LPFeesB and ProtocolFeesB are the fees earned in token B so far, claimed or not.
	LPFeesB       *big.Int
	ProtocolFeesB uint64
	Positions     uint64
	Creator       solana.PublicKey
	// ReserveA and ReserveB are the amounts in the pool without fees.
	ReserveA, ReserveB uint64
}

// OpenedAt returns the start of trading, with a resolution of seconds: the creation of the pool, or
// the later start set by the creator. It returns false if the pool counts time in slots.
func (p Pool) OpenedAt() (at time.Time, ok bool) {
	if p.ActivationType != ActivationByTime || p.ActivationPoint > math.MaxInt64 {
		return time.Time{}, false
	}
	return time.Unix(int64(p.ActivationPoint), 0).UTC(), true
}

// DecodePool reads a pool, given its account's owner and data. Data behind the known fields belongs
// to a newer program version, and is ignored. It returns ErrNotPool for other accounts, and
// onchain.ErrUnreadable as well if the program owns the account. DecodePool never panics.
func DecodePool(owner solana.PublicKey, data []byte) (Pool, error) {
	if err := check(owner, data, poolAccount, PoolSize); err != nil {
		return Pool{}, fmt.Errorf("%w: %w", ErrNotPool, err)
	}
	r := reader{data[discriminatorSize:]}
	p := Pool{Fee: r.baseFee()}
	r.skip(8) // BaseFeeStruct.padding_1
	p.ProtocolFeePercent = r.u8()
	r.skip(7) // padding, referral fee, padding, compounding fee
	p.DynamicFee = r.u8() != 0
	r.skip(95) // the rest of DynamicFeeStruct
	p.InitSqrtPrice = r.u128()
	p.MintA, p.MintB, p.VaultA, p.VaultB = r.key(), r.key(), r.key(), r.key()
	r.skip(64) // whitelisted vault, padding
	p.Liquidity = r.u128()
	r.skip(16)
	p.ProtocolFeeA, p.ProtocolFeeB = r.u64(), r.u64()
	r.skip(16)
	p.MinSqrtPrice, p.MaxSqrtPrice, p.SqrtPrice = r.u128(), r.u128(), r.u128()
	p.ActivationPoint = r.u64()
	p.ActivationType = ActivationType(r.u8())
	p.Status = r.u8()
	r.skip(2) // which token programs
	p.CollectFeeMode = CollectFeeMode(r.u8())
	p.Customizable = r.u8() == 1
	p.FeeVersion = r.u8()
	r.skip(1)
	p.FeesPerLiquidityA, p.FeesPerLiquidityB = r.u256(), r.u256()
	p.LockedLiquidity = r.u128()
	r.skip(16) // PoolMetrics.total_lp_a_fee
	p.LPFeesB = r.u128()
	r.skip(8)
	p.ProtocolFeesB = r.u64()
	r.skip(16)
	p.Positions = r.u64()
	r.skip(8)
	p.Creator = r.key()
	p.ReserveA, p.ReserveB = r.u64(), r.u64()
	return p, nil
}

// Position is the state of a position: unlocked liquidity, which the owner can withdraw, vesting
// liquidity, and permanently locked liquidity.
type Position struct {
	Pool, NFTMint solana.PublicKey
	// FeeCheckpointA and FeeCheckpointB are the pool's fees per liquidity, and FeePendingA and
	// FeePendingB the unclaimed fees, as of the last instruction on the position.
	FeeCheckpointA, FeeCheckpointB *big.Int
	FeePendingA, FeePendingB       uint64
	Unlocked, Vested, Locked       *big.Int
	// ClaimedA and ClaimedB are the fees claimed so far, before tax.
	ClaimedA, ClaimedB uint64
}

// DecodePosition reads a position, given its account's owner and data. It returns ErrNotPosition
// for other accounts, and onchain.ErrUnreadable as well if the program owns the account.
// DecodePosition never panics.
func DecodePosition(owner solana.PublicKey, data []byte) (Position, error) {
	if err := check(owner, data, positionAccount, PositionSize); err != nil {
		return Position{}, fmt.Errorf("%w: %w", ErrNotPosition, err)
	}
	r := reader{data[discriminatorSize:]}
	p := Position{Pool: r.key(), NFTMint: r.key()}
	p.FeeCheckpointA, p.FeeCheckpointB = r.u256(), r.u256()
	p.FeePendingA, p.FeePendingB = r.u64(), r.u64()
	p.Unlocked, p.Vested, p.Locked = r.u128(), r.u128(), r.u128()
	p.ClaimedA, p.ClaimedB = r.u64(), r.u64()
	return p, nil
}

func check(owner solana.PublicKey, data []byte, want [discriminatorSize]byte, size int) error {
	switch {
	case owner != Program:
		return errOwner
	case len(data) < size:
		return errSize
	case [discriminatorSize]byte(data) != want:
		return errDiscriminator
	}
	return nil
}

// reader reads fields from bytes. Callers have checked the length of the bytes.
type reader struct{ rest []byte }

func (r *reader) take(n int) []byte {
	part := r.rest[:n]
	r.rest = r.rest[n:]
	return part
}

func (r *reader) skip(n int)            { r.take(n) }
func (r *reader) u8() uint8             { return r.take(1)[0] }
func (r *reader) u16() uint16           { return binary.LittleEndian.Uint16(r.take(2)) }
func (r *reader) u64() uint64           { return binary.LittleEndian.Uint64(r.take(8)) }
func (r *reader) key() solana.PublicKey { return solana.PublicKey(r.take(solana.PublicKeyLength)) }
func (r *reader) u128() *big.Int        { return r.wide(16) }
func (r *reader) u256() *big.Int        { return r.wide(32) }
func (r *reader) wide(n int) *big.Int {
	b := slices.Clone(r.take(n))
	slices.Reverse(b)
	return new(big.Int).SetBytes(b)
}

// baseFee reads BaseFeeInfo (PodAlignedFeeTimeScheduler), 32 bytes.
func (r *reader) baseFee() BaseFee {
	f := BaseFee{Cliff: r.u64(), Mode: BaseFeeMode(r.u8())}
	rest := reader{r.take(23)}
	if f.Mode == FeeLinear || f.Mode == FeeExponential {
		rest.skip(5)
		f.Periods, f.PeriodSeconds, f.Reduction = rest.u16(), rest.u64(), rest.u64()
	}
	return f
}
