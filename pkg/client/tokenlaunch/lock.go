package main

import (
	"errors"
	"fmt"
	"time"

	"tokenlaunch.example/service/pkg/client"
)

type lockCommand struct {
	Amount    client.Amount `help:"How many base units leave your wallet at most, tax included." required:"" placeholder:"N"`
	First     time.Time     `help:"When the first part is released, such as 2027-03-02T00:00:00Z." required:"" placeholder:"TIME"`
	Releases  int           `help:"In how many equal parts it is released." default:"1" placeholder:"N"`
	Period    int           `help:"Seconds from each release to the next one." placeholder:"SECONDS"`
	Recipient string        `help:"The wallet that can claim what is released; without it, yours." placeholder:"WALLET"`
	sending
}

// check checks the flags. The program compares the time of the first release with the network's
// clock.
func (l lockCommand) check(now time.Time) error {
	const (
		maxReleases = 1000
		year        = 365 * 24 * 60 * 60
		longest     = 10 * year
	)
	bad := []error{positive("--amount", &l.Amount), upTo("--releases", &l.Releases, maxReleases)}
	switch {
	case l.Releases > 1:
		bad = append(bad, upTo("--period", &l.Period, year))
	case l.Period != 0:
		bad = append(bad, usage("--period: leave it out with one release, because no other follows"))
	}
	if l.Releases <= maxReleases && l.Period <= year && (l.Releases-1)*l.Period > longest {
		bad = append(bad, usage("--period: the last release must be within ten years of 365 days"))
	}
	if !l.First.After(now) {
		bad = append(bad, usage("--first: must be in the future"))
	}
	return errors.Join(bad...)
}

// Run locks the tokens. The client composes the transaction a second time, and the command shows
// the transaction before the signature.
func (l lockCommand) Run(p *program) error {
	if err := l.check(time.Now()); err != nil {
		return err
	}
	asked := client.TokenLock{
		TokenAmount: l.Amount, FirstReleaseAt: client.Time{Time: l.First.UTC()}, Releases: l.Releases, PeriodSeconds: l.Period,
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
	tax, err := s.tax()
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
		sign:    func() (string, error) { return s.api.SignLock(p.ctx, s.mint, asked, tax, lock) },
		rows:    [][2]string{{"locked", units(lock.TokenAmountAfterTax)}, {"escrow", lock.EscrowAddress.String()}},
	})
}
