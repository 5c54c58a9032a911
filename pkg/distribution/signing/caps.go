package signing

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Limits bound the outflow of distribution wallets beyond the income that the chain shows. Zero
// allows no outflow beyond the income. Amounts of tokens are parts of the mint's supply, because no
// price of a token can be trusted here.
type Limits struct {
	RunLamports, WalletDayLamports, DayLamports uint64
	RunSupplyBps, WalletDaySupplyBps            uint64
}

// DefaultLimits are the limits of a stack whose settings omit the limits.
var DefaultLimits = Limits{
	RunLamports: 200 * solana.LAMPORTS_PER_SOL, WalletDayLamports: 500 * solana.LAMPORTS_PER_SOL, DayLamports: 5_000 * solana.LAMPORTS_PER_SOL,
	RunSupplyBps: 500, WalletDaySupplyBps: 2_500,
}

// walletShare is the divisor of the daily limit for a single wallet: a tenth.
const walletShare = 10

// Limit bounds the outflow of an asset: in a run, from a wallet in a day (UTC), and from all
// wallets in a day. Day applies only to SOL.
type Limit struct{ Run, WalletDay, Day uint64 }

// feesPart is the divisor of a limit for the part reserved for network fees: a hundredth. Without
// this reserve, a run could not sign its own proof after the payments have used up a limit.
const feesPart = 100

// ForPayments returns the part of a limit available to payments. The rest is reserved for fees.
func ForPayments(limit uint64) uint64 { return limit - limit/feesPart }

// Charge is the outflow of a message.
type Charge struct {
	// Payment identifies the payment, which can land only once: the address of the receipt, or the
	// ID of a payment without a receipt. The chain accepts at most one of the messages of a
	// payment.
	Payment string
	// Message is the hash of the message.
	Message [sha256.Size]byte
	// Fee is in lamports. Every message can cost a fee.
	Fee   uint64
	Moves map[terms.Asset]uint64
	// Returns are the lamports that the message returns from receipts. These lamports do not become
	// credit, because the wallet had the lamports before.
	Returns uint64
}

// Spend is the outflow of messages of one run, with the limits of every asset.
type Spend struct {
	Run     string
	Wallet  solana.PublicKey
	Charges []Charge
	Limits  map[terms.Asset]Limit
}

// Pays reports whether any message moves more than its fee.
func (s Spend) Pays() bool {
	return slices.ContainsFunc(s.Charges, func(c Charge) bool { return len(c.Moves) > 0 })
}

// Sight is a reading of a wallet's balances at a finalized slot. Balances has an entry for every
// asset in the reading, zero if the account does not exist.
type Sight struct {
	Wallet   solana.PublicKey
	Slot     uint64
	Balances map[terms.Asset]uint64
}

// Caps count the outflow of the wallets.
//
// Every wallet has a credit in every asset: the income on the chain during the last CreditLasts. A
// payment uses the credit first. Only the remainder counts against the limits. So the limits bound
// a thief's access to a wallet's stock, and never bound the tax that a run passes on.
type Caps interface {
	// Observe stores a sighting of a wallet. The gain of an asset since the previous sighting
	// becomes credit, except at the first sighting of the asset. Observe ignores a sighting that is
	// not newer than the stored sighting.
	Observe(ctx context.Context, s Sight) error
	// Forget removes the stored sighting of a wallet, so the next sighting is the first.
	Forget(ctx context.Context, wallet solana.PublicKey) error
	// Spend counts all charges, or counts no charge and returns payout.ErrCap. A message is counted
	// once, and the outflow of a payment is counted once. A crash or a race may count an amount
	// twice, but never leaves an amount out.
	Spend(ctx context.Context, s Spend) error
	// Room returns the amount of an asset that payments of a run can move now. s has the limit of
	// the asset. Room only reads, so that a run can plan within the room.
	Room(ctx context.Context, s Spend, asset terms.Asset) (uint64, error)
}

// CreditLasts is the minimum time for which income can leave without counting against the limits.
// The maximum is twice CreditLasts, because credit is kept by periods of this length.
const CreditLasts = 7 * 24 * time.Hour

// observe reads the balances of a run's wallet, and counts the income. A wallet that a rotation is
// filling is not observed.
func (c Core) observe(ctx context.Context, r run.Run) error {
	if moving, err := c.moving(ctx, r.Mint, r.Token.Wallet.Root, r.Token.Wallet.Address); moving || err != nil {
		return err
	}
	assets, addresses := []terms.Asset{terms.SOL}, []solana.PublicKey{r.Token.Wallet.Address}
	for _, a := range r.Requirements().Accounts {
		address, err := token2022.AssociatedAddress(r.Token.Wallet.Address, a.Mint, a.Program)
		if err != nil {
			return refuse("run %s has a coin %s without an account: %v", r.ID, a.Mint, err)
		}
		assets, addresses = append(assets, terms.Asset(a.Mint)), append(addresses, address)
	}
	accounts, slot, err := c.Chain.AccountsAt(ctx, 0, addresses...)
	if err != nil {
		return fmt.Errorf("read what wallet %s has: %w", r.Token.Wallet.Address, err)
	}
	seen := Sight{Wallet: r.Token.Wallet.Address, Slot: slot, Balances: map[terms.Asset]uint64{}}
	for n, account := range accounts {
		switch {
		case account == nil:
			seen.Balances[assets[n]] = 0
		case assets[n].IsSOL():
			seen.Balances[terms.SOL] = account.Lamports
		default:
			// An account of another owner or mint is not a balance of the wallet.
			state, err := token2022.DecodeAccount(account.Owner, account.Data)
			if err == nil && state.Mint == assets[n].Mint() && state.Owner == seen.Wallet {
				seen.Balances[assets[n]] = state.Amount
			}
		}
	}
	return c.Caps.Observe(ctx, seen)
}

// room returns the amount of an asset that payments of a token's active run can move now, in base
// units. It returns payout.ErrConflict if the run is not active any more.
func (c Core) room(ctx context.Context, reads *facts, o RoomOrder) (uint64, error) {
	r, err := reads.of(ctx, o.Mint)
	if err != nil {
		return 0, err
	}
	if r.ID != o.Run {
		return 0, stale("the active run of %s is %s", o.Mint, r.ID)
	}
	if err := c.observe(ctx, r); err != nil {
		return 0, err
	}
	limit, err := c.limit(ctx, o.Asset)
	if err != nil {
		return 0, err
	}
	return c.Caps.Room(ctx, Spend{
		Run: r.ID, Wallet: r.Token.Wallet.Address, Limits: map[terms.Asset]Limit{o.Asset: limit},
	}, o.Asset)
}

// limits returns the limits of the assets of a spend.
func (c Core) limits(ctx context.Context, s Spend) (map[terms.Asset]Limit, error) {
	assets := map[terms.Asset]bool{terms.SOL: true}
	for _, charge := range s.Charges {
		for asset := range charge.Moves {
			assets[asset] = true
		}
	}
	found := map[terms.Asset]Limit{}
	for asset := range assets {
		var err error
		if found[asset], err = c.limit(ctx, asset); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func (c Core) limit(ctx context.Context, asset terms.Asset) (Limit, error) {
	if asset.IsSOL() {
		l := c.Limits
		return Limit{Run: l.RunLamports, WalletDay: min(l.WalletDayLamports, l.DayLamports/walletShare), Day: l.DayLamports}, nil
	}
	supply, err := c.supply(ctx, asset)
	return Limit{
		Run:       exchange.MulDiv(supply, c.Limits.RunSupplyBps, terms.FullBps),
		WalletDay: exchange.MulDiv(supply, c.Limits.WalletDaySupplyBps, terms.FullBps),
	}, err
}

// supply returns the supply of a token.
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

// Reached returns the error of a spend beyond a limit.
func Reached(scope string, asset terms.Asset, has, more, limit uint64) error {
	return fmt.Errorf("%w: %s has moved %d base units of %s, and %d more are over %d", payout.ErrCap, scope, has, asset, more, limit)
}

// Add returns the sum, at most 2^64-1, which is more than any limit.
func Add(a, b uint64) uint64 {
	if a+b < a {
		return math.MaxUint64
	}
	return a + b
}
