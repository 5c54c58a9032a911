package main

import (
	"tokenlaunch.example/service/pkg/client"
)

type listMine struct {
	All   bool `help:"Launches that failed too, and why."`
	Limit int  `help:"How many at most; 0 means all." default:"20"`
}

// Run lists the wallet's tokens.
func (l listMine) Run(p *program) error {
	c, err := p.client(true)
	if err != nil {
		return err
	}
	list := c.AllMyTokens
	if l.All {
		list = c.AllMyLaunches
	}
	tokens := []client.Token{}
	for t, err := range list(p.ctx) {
		if err != nil {
			return err
		}
		if tokens = append(tokens, t); l.Limit > 0 && len(tokens) == l.Limit {
			break
		}
	}
	if p.json {
		return p.write(map[string]any{"tokens": tokens})
	}
	if len(tokens) == 0 {
		p.out.printf("This wallet has launched no token yet.\n")
		return nil
	}
	rows := [][]string{{"SYMBOL", "NAME", "STATUS", "MINT", "LAUNCH"}}
	for _, t := range tokens {
		status := string(t.Status)
		if t.Reason != "" {
			status += ": " + t.Reason
		}
		rows = append(rows, []string{t.Symbol, t.Name, status, t.MintAddress.String(), t.TransactionID})
	}
	p.columns(rows)
	return nil
}
