package main

import (
	"fmt"

	"tokenlaunch.example/service/pkg/client"
)

// sol is an amount of lamports, formatted in SOL.
type sol struct{ client.Lamports }

// UnmarshalText parses SOL with at most nine decimals.
func (s *sol) UnmarshalText(text []byte) (err error) {
	s.Lamports, err = client.ParseSOL(string(text))
	return err
}

// trading has the flags of buying and selling.
type trading struct {
	Slippage *client.Percent `help:"By how many percent the price may get worse before it fails, from 0 to 50; 3 unless you say." placeholder:"PERCENT"`
	sending
}

// check checks the flags. --yes requires a limit, because the price comes from the service, and the
// user does not see the price before the signature.
func (t trading) check(limited bool, limit string) error {
	if err := between("--slippage", t.Slippage, client.Percent{}, client.MustPercent("50")); err != nil {
		return err
	}
	if t.Yes && !limited {
		return usage("--yes needs %s, for the price that is signed is not shown to you first", limit)
	}
	return nil
}

// aside returns the cost of a trade in addition to the price.
func aside(c client.TransactionCost) client.Lamports {
	return client.LamportsOf(c.NetworkFeeLamports.Uint64() + c.RentLamports.Uint64())
}

type buyTokens struct {
	howMuch

	Most  *sol           `help:"The most SOL that --amount may cost, without network fees and rent." placeholder:"SOL"`
	Least *client.Amount `help:"The fewest base units that --lamports may bring." placeholder:"N"`
	trading
}

// Run buys. The client composes the transaction a second time, and the command shows the
// transaction before the signature.
func (b buyTokens) Run(p *program) error {
	if err := b.howMuch.check(); err != nil {
		return err
	}
	limited, limit := b.Most != nil, "--most"
	switch {
	case b.Amount != nil && b.Least != nil:
		return usage("--least goes with --lamports: just --amount arrives; --most limits what it costs")
	case b.Lamports != nil && b.Most != nil:
		return usage("--most goes with --amount: just --lamports are paid; --least limits what arrives")
	case b.Lamports != nil:
		limited, limit = b.Least != nil, "--least"
	}
	if err := b.trading.check(limited, limit); err != nil {
		return err
	}
	s, err := b.open(p)
	if err != nil {
		return err
	}
	asked := client.CurvePurchase{TokenAmount: value(b.Amount), Lamports: value(b.Lamports), SlippagePercent: b.Slippage}
	bought, err := s.api.CreateUnsignedBuy(p.ctx, s.mint, asked)
	if err != nil {
		return err
	}
	pays, gets := bought.MaximumLamports, asked.TokenAmount
	maximum := pays
	if b.Most != nil {
		maximum = b.Most.Lamports
	}
	sign := func() (string, error) { return s.api.SignBuy(p.ctx, s.mint, asked, maximum, bought) }
	if b.Lamports != nil {
		pays, gets = asked.Lamports, bought.MinimumTokenAmount
		minimum := gets
		if b.Least != nil {
			minimum = *b.Least
		}
		sign = func() (string, error) { return s.api.SignSpend(p.ctx, s.mint, asked, minimum, bought) }
	}
	return s.send(offered{
		Unsigned: bought.Unsigned, given: bought, what: "purchase", refused: "not signed, and nothing was bought", sign: sign,
		comesTo: fmt.Sprintf("You pay %s at most and get %s at least; network fees and rent of %s are extra.",
			pays, units(gets), aside(bought.Cost)),
		rows: [][2]string{{"bought at least", units(gets)}, {"paid at most", pays.String()}},
	})
}

type sellTokens struct {
	Amount client.Amount `help:"How many base units leave your wallet, tax included." required:"" placeholder:"N"`
	Least  *sol          `help:"The least SOL that it may bring." placeholder:"SOL"`
	trading
}

// Run sells. The client composes the transaction a second time, and the command shows the
// transaction before the signature.
func (e sellTokens) Run(p *program) error {
	if err := positive("--amount", &e.Amount); err != nil {
		return err
	}
	if err := e.check(e.Least != nil, "--least"); err != nil {
		return err
	}
	s, err := e.open(p)
	if err != nil {
		return err
	}
	asked := client.CurveSale{TokenAmount: e.Amount, SlippagePercent: e.Slippage}
	sold, err := s.api.CreateUnsignedSell(p.ctx, s.mint, asked)
	if err != nil {
		return err
	}
	minimum := sold.MinimumLamports
	if e.Least != nil {
		minimum = e.Least.Lamports
	}
	return s.send(offered{
		Unsigned: sold.Unsigned, given: sold, what: "sale", refused: "not signed, and nothing was sold",
		comesTo: fmt.Sprintf("You give %s and get %s at least; network fees and rent of %s are extra.",
			units(asked.TokenAmount), sold.MinimumLamports, aside(sold.Cost)),
		sign: func() (string, error) { return s.api.SignSell(p.ctx, s.mint, asked, minimum, sold) },
		rows: [][2]string{{"sold", units(asked.TokenAmount)}, {"brought at least", sold.MinimumLamports.String()}},
	})
}

type cancelCurve struct{ sending }

// Run cancels a curve. The client composes the transaction a second time, and the command shows the
// transaction before the signature.
func (c cancelCurve) Run(p *program) error {
	s, err := c.open(p)
	if err != nil {
		return err
	}
	end, err := s.api.CreateUnsignedCancel(p.ctx, s.mint)
	if err != nil {
		return err
	}
	return s.send(offered{
		Unsigned: end.Unsigned, given: end, what: "cancellation", refused: "not signed, and nothing was cancelled",
		comesTo: fmt.Sprintf("It brings back %s and %s of the token before its tax, and costs %s.", end.SOLAmount, units(end.TokenAmount), end.Cost.TotalLamports),
		sign:    func() (string, error) { return s.api.SignCancel(p.ctx, s.mint, end) },
		rows:    [][2]string{{"came back", end.SOLAmount.String()}, {"and of the token", units(end.TokenAmount) + ", before its tax"}},
	})
}
