package main

import (
	"fmt"

	"tokenlaunch.example/service/pkg/client"
)

type listTokens struct {
	Beginning string `arg:"" optional:"" name:"beginning" help:"How the name or symbol begins."`
	Sort      string `help:"By what was traded (volume), or paid to holders (paid), the most first." enum:"volume,paid," default:""`
	Limit     int    `help:"How many at most, 100 at most." default:"20"`
}

// Run lists tokens.
func (l listTokens) Run(p *program) error {
	c, err := p.client(false)
	if err != nil {
		return err
	}
	tokens, err := c.ListTokens(p.ctx, client.TokenQuery{
		Page: client.Page{Limit: l.Limit}, Beginning: l.Beginning, Sort: client.TokenOrder(l.Sort),
	})
	if err != nil {
		return err
	}
	if p.json {
		return p.write(tokens)
	}
	if len(tokens.Tokens) == 0 {
		p.out.printf("There are no such tokens.\n")
		return nil
	}
	rows := [][]string{{"SYMBOL", "MINT", "TAX %", "NAME"}}
	for _, t := range tokens.Tokens {
		rows = append(rows, []string{t.Symbol, t.MintAddress.String(), t.TransferFeePercent.String(), t.Name})
	}
	p.columns(rows)
	return nil
}

type showStats struct{}

// Run shows the sums of payments to holders.
func (showStats) Run(p *program) error {
	c, err := p.client(false)
	if err != nil {
		return err
	}
	stats, err := c.GetStats(p.ctx)
	if err != nil {
		return err
	}
	if p.json {
		return p.write(stats)
	}
	p.out.printf("%d tokens, %d runs as of %s\n", stats.Tokens, stats.Runs, stats.AsOf)
	rows := [][]string{{"ASSET", "PAID", "RUNS", "LAST DAY", "RUNS", "NEWEST ANCHOR"}}
	for _, a := range stats.Assets {
		newest := ""
		if len(a.Proofs) > 0 {
			newest = anchorURL(a.Proofs[0].Anchor)
		}
		rows = append(rows, []string{
			a.Asset, a.Paid.Text(a.Decimals), fmt.Sprint(a.Runs), a.LastDay.Paid.Text(a.Decimals), fmt.Sprint(a.LastDay.Runs), newest,
		})
	}
	if len(rows) > 1 {
		p.columns(rows)
	}
	return nil
}
