package main

import (
	"fmt"

	"tokenlaunch.example/service/pkg/client"
)

type poolCommand struct {
	Amount client.Amount `help:"How many base units leave your wallet for the pool, tax included." required:"" placeholder:"N"`
	SOL    sol           `help:"How much SOL goes into the pool." name:"sol" required:"" placeholder:"SOL"`
	sending
}

// Run creates a pool. The client composes the transaction a second time, and the command shows the
// transaction before the signature.
func (o poolCommand) Run(p *program) error {
	if err := positive("--amount", &o.Amount); err != nil {
		return err
	}
	if o.SOL.Uint64() == 0 {
		return usage("--sol: must be at least 0.000000001")
	}
	s, err := o.open(p)
	if err != nil {
		return err
	}
	asked := client.PoolCreation{TokenMint: s.mint, TokenAmount: o.Amount, SOLAmount: o.SOL.Lamports}
	pool, err := s.api.CreateUnsignedPool(p.ctx, asked)
	if err != nil {
		return err
	}
	return s.send(offered{
		Unsigned: pool.Unsigned, given: pool, what: "pool", refused: "not signed, and no pool was made",
		comesTo: fmt.Sprintf("The pool begins with %s and %s, at %s SOL for a whole token. It costs %s, the SOL in the pool included.",
			units(pool.TokenAmountAfterTax), pool.SOLAmount, pool.InitialPrice, pool.Cost.TotalLamports),
		sign: func() (string, error) { return s.api.SignPool(p.ctx, asked, pool) },
		rows: [][2]string{{"pool", pool.PoolAddress.String()}, {"in it", units(pool.TokenAmountAfterTax)}, {"and", pool.SOLAmount.String()}},
	})
}
