package main

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/platform/decimal"
)

type createCurve struct {
	Amount     client.Amount   `help:"How many base units leave your wallet, tax included." required:"" placeholder:"N"`
	Target     string          `help:"What is to be raised, from 1 to 10000 SOL." required:"" placeholder:"N"`
	Unit       string          `help:"In what the target is: SOL or milliSOL." default:"SOL" enum:"SOL,milliSOL"`
	Multiplier *client.Factor  `help:"How many times the first price the price is at the target, from 1.5 to 100; 16 unless you say." placeholder:"N"`
	Lock       bool            `help:"Lock the liquidity permanently; with --no-lock you can cancel the curve, and buyers see so." default:"true" negatable:""`
	TradeFee   *client.Percent `help:"Fee on each trade, percent, from 0.01 to 10; 1 unless you say." placeholder:"PERCENT"`

	AntiSniperFee     *client.Percent `help:"A higher fee to begin with, percent, 50 at most." and:"sniper" placeholder:"PERCENT"`
	AntiSniperMinutes *int            `help:"In how many minutes, 60 at most, it falls to the other." and:"sniper" placeholder:"N"`

	InitialBuyLamports client.Lamports `help:"For how many lamports you buy in the same transaction, as the first." xor:"begin" placeholder:"N"`
	StartsAt           time.Time       `help:"When trades begin, such as 2027-03-02T18:00:00Z, within 31 days; at once unless you say." xor:"begin" placeholder:"TIME"`
	sending
}

// asked checks each flag, and the combinations.
func (f createCurve) asked(now time.Time) (client.CurveCreation, error) {
	const latest = 31 * 24 * time.Hour
	target, err := f.target()
	bad := []error{
		err,
		positive("--amount", &f.Amount),
		between("--multiplier", f.Multiplier, client.MustFactor("1.5"), client.MustFactor("100")),
		between("--trade-fee", f.TradeFee, client.MustPercent("0.01"), client.MustPercent("10")),
		between("--anti-sniper-fee", f.AntiSniperFee, client.MustPercent("0.01"), client.MustPercent("50")),
		upTo("--anti-sniper-minutes", f.AntiSniperMinutes, 60),
	}
	if fee := cmp.Or(value(f.TradeFee), client.MustPercent("1")); f.AntiSniperFee != nil && f.AntiSniperFee.Hundredths() <= fee.Hundredths() {
		bad = append(bad, usage("--anti-sniper-fee: must be above the fee on trades to which it falls, %s percent", fee))
	}
	if !f.StartsAt.IsZero() && (!f.StartsAt.After(now) || f.StartsAt.After(now.Add(latest))) {
		bad = append(bad, usage("--starts-at: must be in the future, and within 31 days"))
	}
	return client.CurveCreation{
		TokenAmount: f.Amount, TargetMarketCap: target, TargetMarketCapUnit: "SOL", PriceMultiplier: value(f.Multiplier),
		LockLiquidity: &f.Lock, TradeFeePercent: value(f.TradeFee),
		AntiSniperFeePercent: value(f.AntiSniperFee), AntiSniperMinutes: value(f.AntiSniperMinutes),
		InitialBuyLamports: f.InitialBuyLamports, StartsAt: client.Time{Time: f.StartsAt},
	}, errors.Join(bad...)
}

// target returns the amount to raise, in SOL.
func (f createCurve) target() (client.SOL, error) {
	const sol, maximum = 1_000_000_000, 10_000
	decimals, each := solDecimals, uint64(1)
	if f.Unit == "milliSOL" {
		decimals, each = 0, sol/1000
	}
	n, err := client.ParseDecimal(f.Target, decimals)
	switch {
	case err != nil:
		return "", usage("--target in %s: %v", f.Unit, err)
	case n < sol/each || n > maximum*sol/each:
		return "", usage("--target: must be from 1 to 10000 SOL, which are 1000 to 10000000 milliSOL")
	}
	return client.SOL(decimal.SOL(n * each)), nil
}

// Run creates a curve. The client composes the transaction a second time, and the command shows the
// transaction before the signature.
func (f createCurve) Run(p *program) error {
	asked, err := f.asked(time.Now())
	if err != nil {
		return err
	}
	s, err := f.open(p)
	if err != nil {
		return err
	}
	asked.TokenMint = s.mint
	tax, err := s.tax()
	if err != nil {
		return err
	}
	curve, err := s.api.CreateUnsignedCurve(p.ctx, asked)
	if err != nil {
		return err
	}
	return s.send(offered{
		Unsigned: curve.Unsigned, given: curve, what: "curve", refused: "not signed, and no curve was made",
		comesTo: fmt.Sprintf("It costs %s, first purchase included.", curve.Cost.TotalLamports),
		sign:    func() (string, error) { return s.api.SignCurve(p.ctx, asked, tax, curve) },
		rows: [][2]string{
			{"curve", curve.BondingCurveID.String()},
			{"raises", string(asked.TargetMarketCap) + " SOL"},
			{"on it", units(curve.TokenAmountAfterTax)},
			{"bought first", units(curve.InitialBuyTokens)},
		},
	})
}
