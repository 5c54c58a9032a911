package main

import "fmt"

type feesCommand struct {
	Show  showFees  `cmd:"" help:"Show what a curve has earned its creator: what can be claimed, and what was."`
	Claim claimFees `cmd:"" help:"Claim it. Locked liquidity earns, too."`
}

type showFees struct{ ofToken }

// Run shows the fees.
func (s showFees) Run(p *program) error {
	c, mint, err := s.open(p)
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
	if f.ClaimableTokens.Uint64() > 0 || f.ClaimedTokens.Uint64() > 0 {
		rows = append(rows,
			[2]string{"of the token can be claimed", fmt.Sprintf("%s base units, before its tax", f.ClaimableTokens)},
			[2]string{"of the token was claimed", fmt.Sprintf("%s base units, before its tax", f.ClaimedTokens)})
	}
	p.table(rows)
	return nil
}

type claimFees struct{ sending }

// Run claims the fees. The client composes the transaction a second time, and the command shows the
// transaction before the signature.
func (f claimFees) Run(p *program) error {
	s, err := f.open(p)
	if err != nil {
		return err
	}
	claim, err := s.api.CreateUnsignedFeeClaim(p.ctx, s.mint)
	if err != nil {
		return err
	}
	return s.send(offered{
		Unsigned: claim.Unsigned, given: claim, what: "claim", refused: "not signed, and nothing was claimed",
		comesTo: fmt.Sprintf("It pays out %s, and costs %s.", claim.SOLAmount, claim.Cost.TotalLamports),
		sign:    func() (string, error) { return s.api.SignFeeClaim(p.ctx, s.mint, claim) },
		rows:    [][2]string{{"claimed", claim.SOLAmount.String()}},
	})
}
