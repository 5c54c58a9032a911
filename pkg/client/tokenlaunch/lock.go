package main

import (
	"fmt"
	"time"

	"tokenlaunch.example/service/pkg/client"
)

type lockCommand struct {
	Mint      string    `arg:"" help:"Mint of the token."`
	Amount    uint64    `help:"How many base units leave your wallet at most, tax included." required:"" placeholder:"N"`
	First     time.Time `help:"When the first part is released, such as 2027-03-02T00:00:00Z." required:"" placeholder:"TIME"`
	Releases  int       `help:"In how many equal parts it is released." default:"1" placeholder:"N"`
	Period    int       `help:"Seconds from each release to the next one." placeholder:"SECONDS"`
	Recipient string    `help:"The wallet that can claim what is released; without it, yours." placeholder:"WALLET"`
	sending
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
	node, err := l.node()
	if err != nil {
		return err
	}
	c, err := p.client(true)
	if err != nil {
		return err
	}
	token, err := c.GetToken(p.ctx, mint)
	if err != nil {
		return err
	}
	given, err := c.CreateUnsignedLock(p.ctx, mint, asked)
	if err != nil {
		return err
	}
	signature, err := l.send(p, node, offered{
		Unsigned: given.Unsigned, what: "lock", refused: "not signed, and nothing was locked",
		comesTo: fmt.Sprintf("It costs %s.", given.Cost.TotalLamports),
		sign:    func() (string, error) { return c.SignLock(p.ctx, mint, asked, token.TransferFeePercent, given) },
	})
	if err != nil {
		return err
	}
	if p.json {
		return p.write(locked{signature, given})
	}
	p.table([][2]string{
		{"locked", fmt.Sprintf("%d base units", given.TokenAmountAfterTax)}, {"escrow", given.EscrowAddress.String()}, {"signature", signature},
	})
	return nil
}
