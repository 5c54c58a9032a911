package raydium

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/onchain"
)

// RateDenominator is the denominator of rates (curve/fees.rs, FEE_RATE_DENOMINATOR_VALUE).
const RateDenominator = 1_000_000

// Config is Raydium's configuration of a group of pools (AmmConfig). Rates are in parts of
// RateDenominator.
type Config struct {
	// Closed reports that the configuration does not allow new pools.
	Closed bool
	Index  uint16
	// TradeFeeRate is the share of the incoming amount. ProtocolFeeRate and FundFeeRate are shares
	// of that fee; the remainder of the fee stays in the pool.
	TradeFeeRate, ProtocolFeeRate, FundFeeRate uint64
	// PoolFee is the price of a new pool, in lamports.
	PoolFee uint64
	// CreatorFeeRate comes on top if a pool has a creator's fee.
	CreatorFeeRate uint64
}

// DefaultConfig is the mainnet configuration of index 0, as read in 2026. DefaultConfig is used on
// a network without the program.
var DefaultConfig = Config{TradeFeeRate: 2_500, ProtocolFeeRate: 120_000, FundFeeRate: 40_000, PoolFee: 150_000_000}

// ErrNotConfig is returned for an account that is not a configuration of the program.
var ErrNotConfig = errors.New("the account is not an AmmConfig")

// Tag and layout of a configuration (states/config.rs): bump, closed, u16 index,
// four rates, two owners, the creator's rate, and padding.
var tagConfig = [8]byte{218, 244, 33, 104, 203, 203, 43, 111}

const (
	configClosedOffset  = 9
	configIndexOffset   = 10
	configRatesOffset   = 12
	configCreatorOffset = 108
)

// DecodeConfig reads a configuration, given its owner and data. It returns ErrNotConfig for other
// accounts, and for rates at which the program would reject every swap. It returns
// onchain.ErrUnreadable as well if the program owns the account. DecodeConfig never panics. Data
// behind the known fields is ignored.
func (n Network) DecodeConfig(owner solana.PublicKey, data []byte) (Config, error) {
	switch {
	case owner != n.Program:
		return Config{}, fmt.Errorf("%w: its owner is %s", ErrNotConfig, owner)
	case len(data) < ConfigSize:
		return Config{}, fmt.Errorf("%w: %w: it has %d bytes", ErrNotConfig, onchain.ErrUnreadable, len(data))
	case [8]byte(data) != tagConfig:
		return Config{}, fmt.Errorf("%w: %w: it is another kind of account", ErrNotConfig, onchain.ErrUnreadable)
	case data[configClosedOffset] > 1:
		return Config{}, fmt.Errorf("%w: %w: a truth value is %d", ErrNotConfig, onchain.ErrUnreadable, data[configClosedOffset])
	}
	rate := func(at int) uint64 { return binary.LittleEndian.Uint64(data[at:]) }
	c := Config{
		Closed: data[configClosedOffset] == 1, Index: binary.LittleEndian.Uint16(data[configIndexOffset:]),
		TradeFeeRate: rate(configRatesOffset), ProtocolFeeRate: rate(configRatesOffset + 8),
		FundFeeRate: rate(configRatesOffset + 16), PoolFee: rate(configRatesOffset + 24),
		CreatorFeeRate: rate(configCreatorOffset),
	}
	// The program enforces the same limits on its administrators (lib.rs, create_amm_config).
	switch {
	case c.TradeFeeRate >= RateDenominator, c.CreatorFeeRate >= RateDenominator-c.TradeFeeRate:
		return Config{}, fmt.Errorf("%w: %w: its fees are the whole amount", ErrNotConfig, onchain.ErrUnreadable)
	case c.ProtocolFeeRate > RateDenominator, c.FundFeeRate > RateDenominator-c.ProtocolFeeRate:
		return Config{}, fmt.Errorf("%w: %w: it shares out more than the fee", ErrNotConfig, onchain.ErrUnreadable)
	}
	return c, nil
}
