package main

import (
	"fmt"

	"tokenlaunch.example/service/pkg/client"
)

type feesCommand struct {
	Show  showFees  `cmd:"" help:"Show what a curve has earned its creator: what can be claimed, and what was."`
	Claim claimFees `cmd:"" help:"Claim it. Locked liquidity earns, too."`
}

type showFees struct {
	Mint string `arg:"" help:"Mint of the token."`
}

// Run shows the fees.
func (s showFees) Run(p *program) error {
	mint, err := address("mint", s.Mint)
	if err != nil {
		return err
	}
	c, err := p.client(false)
	if err != nil {
		return err
	}
	f, err := c.GetCurveFees(p.ctx, mint)
	if err != nil {
		return err
	}
	if p.json {
		return p.write(f)
	}
	rows := [][2]string{{"can be claimed", f.ClaimableLamports.String()}, {"was claimed", f.ClaimedLamports.String()}}
	if f.ClaimableTokens > 0 || f.ClaimedTokens > 0 {
		rows = append(rows,
			[2]string{"of the token can be claimed", fmt.Sprintf("%d base units, before its tax", f.ClaimableTokens)},
			[2]string{"of the token was claimed", fmt.Sprintf("%d base units, before its tax", f.ClaimedTokens)})
	}
	p.table(rows)
	return nil
}

type claimFees struct {
	Mint string `arg:"" help:"Mint of the token."`
	sending
}

// feesClaimed is what a claim came to, for programs.
type feesClaimed struct {
	Signature string                  `json:"signature"`
	Claimed   client.UnsignedFeeClaim `json:"claim"`
}

// Run claims the fees. What is signed is composed a second time, and shown first.
func (f claimFees) Run(p *program) error {
	mint, err := address("mint", f.Mint)
	if err != nil {
		return err
	}
	node, err := f.node()
	if err != nil {
		return err
	}
	c, err := p.client(true)
	if err != nil {
		return err
	}
	claim, err := c.CreateUnsignedFeeClaim(p.ctx, mint)
	if err != nil {
		return err
	}
	signature, err := f.send(p, node, offered{
		Unsigned: claim.Unsigned, what: "claim", refused: "not signed, and nothing was claimed",
		comesTo: fmt.Sprintf("It pays out %s, and costs %s.", claim.SOLAmount, claim.Cost.TotalLamports),
		sign:    func() (string, error) { return c.SignFeeClaim(p.ctx, mint, claim) },
	})
	if err != nil {
		return err
	}
	if p.json {
		return p.write(feesClaimed{signature, claim})
	}
	p.table([][2]string{{"claimed", claim.SOLAmount.String()}, {"signature", signature}})
	return nil
}
