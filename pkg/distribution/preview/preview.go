// Package preview computes the next run of a token as if the run began now, by the same arithmetic
// as the run itself. The preview moves no money and promises nothing: tax arrives, prices change,
// and settings may change.
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

// Facts is the present state of a token.
type Facts struct {
	Mint     solana.PublicKey
	Settings terms.Settings
	// Head is the state after earlier runs.
	Head run.Head
	// Tokens is the distribution wallet's balance of the token. Withheld is the tax on the mint,
	// which a run collects first. Both are in base units.
	Tokens   uint64
	Withheld uint64
}

// Run is the next run. Owed is the amount that the wallet holds for holders and the creator, and
// that is not distributed again.
type Run struct {
	Owed      uint64
	Spendable uint64
	allocation.Cut

	// Proceeds are in the reward; nil if no price is known.
	Proceeds *Proceeds
	// Price is the price of the latest exchange for the reward; nil without an earlier exchange, or
	// if no exchange is needed.
	Price *Price
}

// Proceeds are shared by the creator and the holders, in base units of the reward.
type Proceeds struct {
	Total   uint64
	Creator uint64
	Holders uint64
	// Creators are the parts of Creator by wallet, in the order of the wallets.
	Creators []uint64
}

// Price is the result of an exchange: Out for In tokens.
type Price struct {
	In, Out uint64
	At      time.Time
}

// Next computes the next run. It returns an error if the settings have an invalid reward.
func Next(f Facts) (Run, error) {
	reward, err := f.Settings.Reward()
	if err != nil {
		return Run{}, err
	}
	own := terms.Asset(f.Mint)
	next := Run{Owed: f.Head.ForOthers(own)}
	has := f.Tokens + f.Withheld // at most the supply
	next.Spendable = has - min(next.Owed, has)
	if f.Settings.RewardBasis == terms.BasisHeld && f.Head.Last == nil {
		return next, nil // the run only takes the snapshot for the comparison of the following run
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

// scale returns amount × out / in, rounded down, and at most 2^64-1.
func scale(amount, out, in uint64) uint64 {
	high, low := bits.Mul64(amount, out)
	if high >= in {
		return 1<<64 - 1
	}
	quotient, _ := bits.Div64(high, low, in)
	return quotient
}
