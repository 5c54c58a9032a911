package main

import (
	"fmt"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/wire"
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
	RPC  string `help:"The Solana node that the claim is sent to." name:"rpc" env:"TOKENLAUNCH_RPC" required:"" placeholder:"URL"`
	Yes  bool   `help:"Do not ask before signing." short:"y"`
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
	node, err := solanarpc.New(f.RPC)
	if err != nil {
		return usage("--rpc: %v", err)
	}
	c, err := p.client(true)
	if err != nil {
		return err
	}
	claim, err := c.CreateUnsignedFeeClaim(p.ctx, mint)
	if err != nil {
		return err
	}
	if !claim.Simulation.OK {
		return fmt.Errorf("the claim would fail: %s %s", claim.Simulation.Reason, claim.Simulation.Detail)
	}
	for _, line := range claim.Explanation {
		_, _ = fmt.Fprintln(p.errs, "  "+line)
	}
	_, _ = fmt.Fprintf(p.errs, "It pays out %s, and costs %s.\n", claim.SOLAmount, claim.Cost.TotalLamports)
	if !f.Yes {
		if err := p.ask("Sign it?", "not signed, and nothing was claimed"); err != nil {
			return err
		}
	}
	signed, err := c.SignFeeClaim(p.ctx, mint, claim)
	if err != nil {
		return err
	}
	tx, err := wire.ParseBase64(signed)
	if err != nil {
		return fmt.Errorf("read what was signed: %w", err)
	}
	if err := node.Execute(p.ctx, tx.Bytes()); err != nil {
		return err
	}
	id, _ := tx.ID() // it is signed
	if p.json {
		return p.write(feesClaimed{id.String(), claim})
	}
	p.table([][2]string{{"claimed", claim.SOLAmount.String()}, {"signature", id.String()}})
	return nil
}
