package signing

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Limits say how much may leave distribution wallets before an operator is asked. Of tokens
// it is a part of the mint's supply, for no price of theirs can be trusted here.
type Limits struct {
	RunLamports, WalletDayLamports, DayLamports uint64
	RunSupplyBps, WalletDaySupplyBps            uint64
}

// Limit is how much of an asset may leave in a run, from a wallet in a day (UTC), and from
// all wallets in a day; Day is of SOL alone.
type Limit struct{ Run, WalletDay, Day uint64 }

// Charge is what one message moves.
type Charge struct {
	// Payment names what can happen once only: the receipt's address, or the payment's id
	// when it has none. Of all messages of one payment the chain takes one.
	Payment string
	// Message is the hash of the message.
	Message [sha256.Size]byte
	// Fee is in lamports; each message may take its own.
	Fee   uint64
	Moves map[terms.Asset]uint64
}

// Spend is what messages of one run move, with the limits of each asset.
type Spend struct {
	Run     string
	Wallet  solana.PublicKey
	Charges []Charge
	Limits  map[terms.Asset]Limit
}

// Caps count what leaves the wallets.
type Caps interface {
	// Spend counts all charges, or none and fails with payout.ErrCap. A message that was
	// counted is not counted again, nor is what its payment moves. A crash or a race may
	// count something twice, and never leaves it out.
	Spend(ctx context.Context, s Spend) error
}

// limits gives those of each asset that a spend moves.
func (c Core) limits(ctx context.Context, s Spend) (map[terms.Asset]Limit, error) {
	found := map[terms.Asset]Limit{terms.SOL: {c.Limits.RunLamports, c.Limits.WalletDayLamports, c.Limits.DayLamports}}
	for _, charge := range s.Charges {
		for asset := range charge.Moves {
			if _, ok := found[asset]; ok {
				continue
			}
			supply, err := c.supply(ctx, asset)
			if err != nil {
				return nil, err
			}
			found[asset] = Limit{
				Run:       exchange.MulDiv(supply, c.Limits.RunSupplyBps, terms.FullBps),
				WalletDay: exchange.MulDiv(supply, c.Limits.WalletDaySupplyBps, terms.FullBps),
			}
		}
	}
	return found, nil
}

// supply is how much of a token there is.
func (c Core) supply(ctx context.Context, asset terms.Asset) (uint64, error) {
	accounts, err := c.Chain.Holders(ctx, asset.Mint())
	if err != nil {
		return 0, fmt.Errorf("read mint %s: %w", asset, err)
	}
	if accounts[0] == nil {
		return 0, refuse("mint %s does not exist", asset)
	}
	mint, err := token2022.DecodeMint(accounts[0].Owner, accounts[0].Data)
	if err != nil {
		return 0, fmt.Errorf("read mint %s: %w", asset, err)
	}
	return mint.Supply, nil
}

// Reached is the failure of a spend.
func Reached(scope string, asset terms.Asset, has, more, limit uint64) error {
	return fmt.Errorf("%w: %s has moved %d base units of %s, and %d more are over %d", payout.ErrCap, scope, has, asset, more, limit)
}

// Add gives the sum, at most 2^64-1: more than any limit.
func Add(a, b uint64) uint64 {
	if a+b < a {
		return math.MaxUint64
	}
	return a + b
}
