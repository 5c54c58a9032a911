package main

import (
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
)

type claimCommand struct {
	Mints []string `help:"Mints of the tokens to claim of, with commas between them; without, all of which something is owed." placeholder:"MINT"`
}

// Run orders the payment of the wallet's rewards.
func (s claimCommand) Run(p *program) error {
	const maximum = 20
	if len(s.Mints) > maximum {
		return usage("--mints: must be at most %d", maximum)
	}
	var mints []solana.PublicKey
	for _, text := range s.Mints {
		mint, err := address("the mint", text)
		if err != nil {
			return err
		}
		mints = append(mints, mint)
	}
	key, err := p.wallet()
	if err != nil {
		return err
	}
	c, err := p.client(true)
	if err != nil {
		return err
	}
	answer, err := c.ClaimRewards(p.ctx, key.PublicKey(), client.ClaimRequest{Mints: mints})
	if err != nil {
		return err
	}
	if p.json {
		return p.write(answer)
	}
	if len(answer.Claims) == 0 {
		p.out.printf("Nothing is owed to the wallet.\n")
		return nil
	}
	rows := [][]string{{"MINT", "CLAIM", "OWED", "WHY NOT"}}
	for _, one := range answer.Claims {
		var owed []string
		for _, a := range one.Assets {
			owed = append(owed, in(a.Asset, a.Owed))
		}
		why := ""
		if one.Problem != nil {
			why = one.Problem.Detail
		}
		rows = append(rows, []string{one.Mint.String(), string(one.Status), strings.Join(owed, ", "), why})
	}
	p.columns(rows)
	return nil
}
