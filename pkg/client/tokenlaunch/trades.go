package main

import (
	"fmt"
	"iter"
	"time"

	"tokenlaunch.example/service/pkg/client"
)

type listTrades struct {
	ofToken
	Limit int `help:"How many at most; 0 means all." default:"20"`
}

// Run lists trades.
func (l listTrades) Run(p *program) error {
	c, mint, err := l.open(p)
	if err != nil {
		return err
	}
	trades, err := newest(c.AllTrades(p.ctx, mint), l.Limit)
	if err != nil {
		return err
	}
	if p.json {
		return p.write(map[string]any{"trades": trades})
	}
	if len(trades) == 0 {
		p.out.printf("Nothing was traded on its curve lately.\n")
		return nil
	}
	rows := [][]string{{"TIME", "SIDE", "PAID OR RECEIVED", "TOKENS (BASE UNITS)", "PRICE AFTER (SOL)", "TRADER"}}
	for _, t := range trades {
		trader := "unknown"
		if t.Trader != nil {
			trader = t.Trader.String()
		}
		rows = append(rows, []string{
			t.Time.Format(time.DateTime), string(t.Side), t.Lamports.String(), fmt.Sprint(t.TokenAmount), string(t.Price), trader,
		})
	}
	p.columns(rows)
	return nil
}

type listCandles struct {
	ofToken
	Interval client.CandleInterval `help:"Interval of a candle: ${enum}." default:"1h" enum:"${candles}"`
	Limit    int                   `help:"How many at most; 0 means all." default:"24"`
}

// Run lists candles.
func (l listCandles) Run(p *program) error {
	c, mint, err := l.open(p)
	if err != nil {
		return err
	}
	candles, err := newest(c.AllCandles(p.ctx, mint, l.Interval), l.Limit)
	if err != nil {
		return err
	}
	if p.json {
		return p.write(map[string]any{"interval": l.Interval, "candles": candles})
	}
	if len(candles) == 0 {
		p.out.printf("Nothing was traded on its curve lately.\n")
		return nil
	}
	rows := [][]string{{"FROM", "OPEN", "HIGH", "LOW", "CLOSE", "VOLUME (SOL)", "TRADES"}}
	for _, one := range candles {
		rows = append(rows, []string{
			one.Time.Format(time.DateTime), string(one.Open), string(one.High), string(one.Low), string(one.Close),
			string(one.Volume), fmt.Sprint(one.Trades),
		})
	}
	p.columns(rows)
	return nil
}

// newest returns the first limit items of a list, or all items if limit is 0.
func newest[T any](all iter.Seq2[T, error], limit int) ([]T, error) {
	taken := []T{}
	for one, err := range all {
		if err != nil {
			return nil, err
		}
		if taken = append(taken, one); len(taken) == limit {
			break
		}
	}
	return taken, nil
}
