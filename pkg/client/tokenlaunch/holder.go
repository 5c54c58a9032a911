package main

import (
	"errors"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
)

type showLedger struct {
	Wallet string   `arg:"" help:"Address of the wallet."`
	Mints  []string `help:"Mints of tokens that it has sold, with commas between them." placeholder:"MINT"`
}

// Run shows the amounts that a wallet has received and is owed, across tokens.
func (s showLedger) Run(p *program) error {
	wallet, err := address("the wallet", s.Wallet)
	if err != nil {
		return err
	}
	var named []solana.PublicKey
	for _, text := range s.Mints {
		mint, err := address("the mint", text)
		if err != nil {
			return err
		}
		named = append(named, mint)
	}
	c, err := p.client(false)
	if err != nil {
		return err
	}
	tokens, complete := []client.HolderToken{}, true
	for token, err := range c.AllHolderTokens(p.ctx, wallet, named...) {
		switch {
		case errors.Is(err, client.ErrIncomplete):
			complete = false
		case err != nil:
			return err
		default:
			tokens = append(tokens, token)
		}
	}
	if p.json {
		return p.write(map[string]any{"wallet": wallet, "tokens": tokens, "complete": complete})
	}
	if !complete {
		p.errs.printf("The wallet has too many token accounts to look at all of them. Name tokens with --mints.\n")
	}
	if len(tokens) == 0 {
		p.out.printf("The wallet holds no token of this service.\n")
		return nil
	}
	rows := [][]string{{"TOKEN", "RECEIVED", "OWED", "LAST RUN", "WHY IT WAITS", "MINT"}}
	for _, t := range tokens {
		last := "none yet"
		if t.LastRun != nil {
			last = t.LastRun.ScheduledAt.String()
		}
		rows = append(rows, []string{t.Symbol, in(t.Asset, t.Received), in(t.Asset, t.Owed), last, codeOf(t.Reason), t.Mint.String()})
		for _, a := range t.Arrears {
			rows = append(rows, []string{"", in(a.Asset, a.Received), in(a.Asset, a.Owed), "", codeOf(a.Reason), ""})
		}
	}
	p.columns(rows)
	return nil
}

func codeOf(r *client.Reason) string {
	if r == nil {
		return ""
	}
	return string(r.Code)
}
