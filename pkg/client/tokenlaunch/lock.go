package main

import (
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/wire"
)

type lockCommand struct {
	Mint      string    `arg:"" help:"Mint of the token."`
	Amount    uint64    `help:"How many base units leave your wallet at most, tax included." required:"" placeholder:"N"`
	First     time.Time `help:"When the first part is released, such as 2027-03-02T00:00:00Z." required:"" placeholder:"TIME"`
	Releases  int       `help:"In how many equal parts it is released." default:"1" placeholder:"N"`
	Period    int       `help:"Seconds from each release to the next one." placeholder:"SECONDS"`
	Recipient string    `help:"The wallet that can claim what is released; without it, yours." placeholder:"WALLET"`
	RPC       string    `help:"The Solana node that the lock is sent to." name:"rpc" env:"TOKENLAUNCH_RPC" required:"" placeholder:"URL"`
	Yes       bool      `help:"Do not ask before signing." short:"y"`
}

// locked is what a lock came to, for programs.
type locked struct {
	Signature string              `json:"signature"`
	Lock      client.UnsignedLock `json:"lock"`
}

// Run locks the tokens. What is signed is composed a second time, and shown first.
func (l lockCommand) Run(p *program) error {
	mint, err := address("mint", l.Mint)
	if err != nil {
		return err
	}
	asked := client.TokenLock{
		TokenAmount: client.Amount(l.Amount), FirstReleaseAt: client.Time{Time: l.First.UTC()}, Releases: l.Releases, PeriodSeconds: l.Period,
	}
	if l.Recipient != "" {
		if asked.Recipient, err = address("recipient", l.Recipient); err != nil {
			return err
		}
	}
	node, err := solanarpc.New(l.RPC)
	if err != nil {
		return usage("--rpc: %v", err)
	}
	c, err := p.client(true)
	if err != nil {
		return err
	}
	given, signed, err := l.sign(p, c, mint, asked)
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
		return p.write(locked{id.String(), given})
	}
	p.table([][2]string{
		{"locked", fmt.Sprintf("%d base units", given.TokenAmountAfterTax)}, {"escrow", given.EscrowAddress.String()}, {"signature", id.String()},
	})
	return nil
}

func (l lockCommand) sign(p *program, c *client.Client, mint solana.PublicKey, asked client.TokenLock) (client.UnsignedLock, string, error) {
	token, err := c.GetToken(p.ctx, mint)
	if err != nil {
		return client.UnsignedLock{}, "", err
	}
	given, err := c.CreateUnsignedLock(p.ctx, mint, asked)
	if err != nil {
		return given, "", err
	}
	if !given.Simulation.OK {
		return given, "", fmt.Errorf("the lock would fail: %s %s", given.Simulation.Reason, given.Simulation.Detail)
	}
	for _, line := range given.Explanation {
		_, _ = fmt.Fprintln(p.errs, "  "+line)
	}
	_, _ = fmt.Fprintf(p.errs, "It costs %s.\n", given.Cost.TotalLamports)
	if !l.Yes {
		if err := p.ask("Sign it?", "not signed, and nothing was locked"); err != nil {
			return given, "", err
		}
	}
	signed, err := c.SignLock(p.ctx, mint, asked, token.TransferFeePercent, given)
	return given, signed, err
}
