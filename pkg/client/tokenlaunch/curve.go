package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
)

type curveCommand struct {
	Create createCurve `cmd:"" help:"Put tokens that you hold on a curve."`
	Show   showCurve   `cmd:"" help:"Show the state of a token's curve."`
	List   listCurves  `cmd:"" help:"List the curves of all tokens, newest first."`
	Price  showPrice   `cmd:"" help:"Show what a purchase would cost now, or what lamports would buy."`
	Buy    buyTokens   `cmd:"" help:"Buy."`
	Sell   sellTokens  `cmd:"" help:"Sell what you hold."`
	Cancel cancelCurve `cmd:"" help:"Take out all that is in a curve of yours, which ends it, unless its liquidity is locked."`
}

// upTo rejects a number that is not from 1 to maximum.
func upTo(flag string, given *int, maximum int) error {
	if given != nil && (*given < 1 || *given > maximum) {
		return usage("%s: must be from 1 to %d", flag, maximum)
	}
	return nil
}

// between rejects a number with two decimals that is out of its bounds.
func between[T interface{ Hundredths() uint64 }](flag string, given *T, minimum, maximum T) error {
	if given != nil && ((*given).Hundredths() < minimum.Hundredths() || (*given).Hundredths() > maximum.Hundredths()) {
		return usage("%s: must be from %v to %v", flag, minimum, maximum)
	}
	return nil
}

// positive rejects an amount of 0.
func positive[T interface{ Uint64() uint64 }](flag string, given *T) error {
	if given != nil && (*given).Uint64() == 0 {
		return usage("%s: must be at least 1", flag)
	}
	return nil
}

// value returns the flag's value, or zero.
func value[T any](given *T) (v T) {
	if given != nil {
		v = *given
	}
	return v
}

// ofToken is embedded in commands about one token.
type ofToken struct {
	Mint string `arg:"" help:"Mint of the token."`
}

// open returns a client without a wallet, and the mint.
func (t ofToken) open(p *program) (*client.Client, solana.PublicKey, error) {
	mint, err := address("the mint", t.Mint)
	if err != nil {
		return nil, mint, err
	}
	c, err := p.client(false)
	return c, mint, err
}

type showCurve struct{ ofToken }

// Run shows a curve.
func (s showCurve) Run(p *program) error {
	c, mint, err := s.open(p)
	if err != nil {
		return err
	}
	curve, err := c.GetCurve(p.ctx, mint)
	if err != nil {
		return err
	}
	if p.json {
		return p.write(curve)
	}
	creator := curve.Creator.String()
	if curve.CreatorSharePercent != nil {
		creator += fmt.Sprintf(", who has %s%% of the supply now", curve.CreatorSharePercent)
	}
	if !curve.Official {
		creator += "; the token was not launched here by that wallet"
	}
	p.table([][2]string{
		{"status", string(curve.Status)},
		{"raised", fmt.Sprintf("%s of %s SOL, %s%%", curve.SOLCollected, curve.TargetMarketCap, curve.Progress)},
		{"sold", fmt.Sprintf("%s of %s", curve.TokensSold, units(curve.TotalTokens))},
		{"price", fmt.Sprintf("%s SOL, from %s to %s at the target", curve.CurrentPrice, curve.CurveParameters.StartPrice, curve.CurveParameters.EndPrice)},
		{"fee on trades", curve.TradeFeePercent.String() + "%"},
		{"trades", fmt.Sprintf("%d, by %d buyers", curve.Trades, curve.UniqueBuyers)},
		{"liquidity", map[bool]string{true: "locked permanently", false: "not locked: it can be taken away"}[curve.LiquidityLocked]},
		{"made by", creator},
		{"made at", curve.CreatedAt.String()},
		{"trades from", moment(curve.StartsAt)},
		{"complete at this pace", moment(curve.EstimatedCompletion)},
		{"completed at", moment(curve.CompletedAt)},
	})
	return nil
}

// moment formats a time; nil is empty.
func moment(t *client.Time) string {
	if t == nil {
		return ""
	}
	return t.String()
}

type listCurves struct {
	Limit int `help:"How many at most; 0 means all." default:"20"`
}

// Run lists curves.
func (l listCurves) Run(p *program) error {
	c, err := p.client(false)
	if err != nil {
		return err
	}
	curves, err := newest(c.AllCurves(p.ctx), l.Limit)
	if err != nil {
		return err
	}
	if p.json {
		return p.write(map[string]any{"launchpad": curves})
	}
	if len(curves) == 0 {
		p.out.printf("There is no curve yet.\n")
		return nil
	}
	rows := [][]string{{"MINT", "STATUS", "RAISED (SOL)", "OF", "PRICE (SOL)", "TRADES", "LIQUIDITY"}}
	for _, one := range curves {
		rows = append(rows, []string{
			one.MintAddress.String(), string(one.Status), string(one.SOLCollected), string(one.TargetMarketCap), string(one.CurrentPrice),
			fmt.Sprint(one.Trades), map[bool]string{true: "locked", false: "not locked"}[one.LiquidityLocked],
		})
	}
	p.columns(rows)
	return nil
}

// howMuch is the amount of a purchase.
type howMuch struct {
	Amount   *client.Amount   `help:"How many base units arrive, after the token's tax; or say --lamports." xor:"how-much" required:"" placeholder:"N"`
	Lamports *client.Lamports `help:"How many lamports are paid, fee included; or say --amount." xor:"how-much" required:"" placeholder:"N"`
}

func (h howMuch) check() error {
	return errors.Join(positive("--amount", h.Amount), positive("--lamports", h.Lamports))
}

type showPrice struct {
	ofToken
	howMuch
}

// Run quotes a purchase.
func (s showPrice) Run(p *program) error {
	if err := s.check(); err != nil {
		return err
	}
	c, mint, err := s.open(p)
	if err != nil {
		return err
	}
	quote := func() (client.PriceQuote, error) { return c.GetPrice(p.ctx, mint, value(s.Amount)) }
	if s.Lamports != nil {
		quote = func() (client.PriceQuote, error) { return c.GetPriceFor(p.ctx, mint, *s.Lamports) }
	}
	q, err := quote()
	if err != nil {
		return err
	}
	if p.json {
		return p.write(q)
	}
	p.table([][2]string{
		{"you get", units(q.TokenAmount) + ", after the token's tax of " + units(q.TokenTax)},
		{"you pay", fmt.Sprintf("%s, of which the fee is %s", q.SOLCostLamports, q.FeeLamports)},
		{"price", strings.Join([]string{string(q.CurrentPrice), "SOL, then", string(q.NextPrice), "SOL, or", q.PriceImpact.String() + "% more"}, " ")},
	})
	return nil
}
