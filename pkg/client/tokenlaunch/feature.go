package main

import (
	"fmt"

	"tokenlaunch.example/service/pkg/client"
)

type featureCommand struct {
	Days int `help:"For how many days, from 1 to 30, 0.3 SOL each." required:"" placeholder:"N"`
	sending
}

// Run pays for a featured placement. The client composes the transaction a second time, and the
// command shows the transaction before the signature.
func (f featureCommand) Run(p *program) error {
	if err := upTo("--days", &f.Days, 30); err != nil {
		return err
	}
	s, err := f.open(p)
	if err != nil {
		return err
	}
	asked := client.PromotionPurchase{TokenMint: s.mint, DurationDays: f.Days}
	promotion, err := s.api.CreateUnsignedPromotion(p.ctx, asked)
	if err != nil {
		return err
	}
	return s.send(offered{
		Unsigned: promotion.Unsigned, given: promotion, what: "promotion", refused: "not signed, and nothing was paid",
		comesTo: fmt.Sprintf("It costs %s, of which %s are paid to %s. Is that the service's wallet?", promotion.Cost.TotalLamports, promotion.Amount, promotion.Recipient),
		sign:    func() (string, error) { return s.api.SignPromotion(p.ctx, asked, promotion) },
		rows:    [][2]string{{"promotion", promotion.PromotionID}, {"paid", promotion.Amount.String()}, {"days", fmt.Sprint(promotion.DurationDays)}},
	})
}
