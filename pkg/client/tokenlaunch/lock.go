package main

import (
	"fmt"
	"time"

	"tokenlaunch.example/service/pkg/client"
)

type lockCommand struct {
	Amount    uint64    `help:"How many base units leave your wallet at most, tax included." required:"" placeholder:"N"`
	First     time.Time `help:"When the first part is released, such as 2027-03-02T00:00:00Z." required:"" placeholder:"TIME"`
	Releases  int       `help:"In how many equal parts it is released." default:"1" placeholder:"N"`
	Period    int       `help:"Seconds from each release to the next one." placeholder:"SECONDS"`
	Recipient string    `help:"The wallet that can claim what is released; without it, yours." placeholder:"WALLET"`
	sending
}

// Run locks the tokens. What is signed is composed a second time, and shown first.
func (l lockCommand) Run(p *program) error {
	asked := client.TokenLock{
		TokenAmount: client.Amount(l.Amount), FirstReleaseAt: client.Time{Time: l.First.UTC()}, Releases: l.Releases, PeriodSeconds: l.Period,
	}
	if l.Recipient != "" {
		var err error
		if asked.Recipient, err = address("recipient", l.Recipient); err != nil {
			return err
		}
	}
	s, err := l.open(p)
	if err != nil {
		return err
	}
	lock, err := s.api.CreateUnsignedLock(p.ctx, s.mint, asked)
	if err != nil {
		return err
	}
	return s.send(offered{
		Unsigned: lock.Unsigned, given: lock, what: "lock", refused: "not signed, and nothing was locked",
		comesTo: fmt.Sprintf("It costs %s.", lock.Cost.TotalLamports),
		sign: func() (string, error) {
			tax, err := s.tax()
			if err != nil {
				return "", err
			}
			return s.api.SignLock(p.ctx, s.mint, asked, tax, lock)
		},
		rows: [][2]string{{"locked", units(lock.TokenAmountAfterTax)}, {"escrow", lock.EscrowAddress.String()}},
	})
}
