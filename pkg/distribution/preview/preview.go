// Package preview computes what the next run of a token would come to if it began
// now, by the same arithmetic as the run itself. It moves nothing and promises
// nothing: tax comes in, prices change, and settings may too.
package preview

import (
	"math/bits"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Facts is what is known of a token now.
type Facts struct {
	Mint     solana.PublicKey
	Settings terms.Settings
	// Head is what earlier runs left.
	Head run.Head
	// Tokens is what the distribution wallet has of the token, Withheld what is
	// harvested into the mint and a run collects first; base units.
	Tokens   uint64
	Withheld uint64
}

// Run is the next run. Owed is what the wallet holds for holders and the creator,
// and is not distributed again.
type Run struct {
	Owed      uint64
	Spendable uint64
	allocation.Cut

	// Proceeds are of the reward; nil when no price of it is known.
	Proceeds *Proceeds
	// Price is that of the latest exchange for the reward; nil when there was none or
	// nothing is exchanged.
	Price *Price
}

// Proceeds are shared by the creator and the holders, in base units of the reward.
type Proceeds struct {
	Total   uint64
	Creator uint64
	Holders uint64
	// Creators is what each of the creator's wallets gets of Creator, in their order.
	Creators []uint64
}

// Price is what an exchange paid: Out for In tokens.
type Price struct {
	In, Out uint64
	At      time.Time
}

// Next computes the next run. It fails when the settings name no asset.
func Next(f Facts) (Run, error) {
	reward, err := f.Settings.Reward()
	if err != nil {
		return Run{}, err
	}
	own := terms.Asset(f.Mint)
	next := Run{Owed: f.Head.ForOthers(own)}
	has := f.Tokens + f.Withheld // no more than the supply
	next.Spendable = has - min(next.Owed, has)
	if f.Settings.RewardBasis == terms.BasisHeld && f.Head.Last == nil {
		return next, nil // it only takes the snapshot that the one after it compares with
	}
	next.Cut = allocation.Split(next.Spendable, f.Head.Unsold, f.Settings.SellBps, f.Settings.BurnBps)
	if reward == own {
		next.Proceeds = share(next.Sell, f.Settings)
		return next, nil
	}
	for _, p := range slices.Backward(f.Head.Prices) {
		if p.Asset == reward && p.In > 0 {
			next.Price = &Price{In: p.In, Out: p.Out, At: p.At}
			next.Proceeds = share(scale(next.Sell, p.Out, p.In), f.Settings)
			break
		}
	}
	return next, nil
}

func share(proceeds uint64, s terms.Settings) *Proceeds {
	creator := allocation.Creator(proceeds, s.BurnBps, s.DeveloperFeeBps)
	return &Proceeds{Total: proceeds, Creator: creator, Holders: proceeds - creator, Creators: allocation.Parts(creator, s.Creators())}
}

// scale is amount × out / in, rounded down, and at most 2^64-1.
func scale(amount, out, in uint64) uint64 {
	high, low := bits.Mul64(amount, out)
	if high >= in {
		return 1<<64 - 1
	}
	quotient, _ := bits.Div64(high, low, in)
	return quotient
}
