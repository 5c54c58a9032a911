package walkthrough

import (
	"context"
	"fmt"

	"tokenlaunch.example/service/pkg/client"
)

// Markets pays for a day of featured placement, and prepares a curve with half of the supply, which
// is not sent.
func (l *Launch) Markets(ctx context.Context) error {
	if err := l.promote(ctx); err != nil {
		return err
	}
	c, err := l.Client.CreateUnsignedCurve(ctx, client.CurveCreation{
		TokenMint: l.mint(), TokenAmount: client.BaseUnits(l.Creation.Supply.Uint64() / 2), TargetMarketCap: "100", TargetMarketCapUnit: "SOL",
	})
	if err != nil {
		return err
	}
	would := "it would work"
	if !c.Simulation.OK {
		would = "simulated: " + string(c.Simulation.Reason)
	}
	l.done("Bonding curve", "%s prepared, to raise %s SOL from %s SOL a token to %s (%s)",
		c.BondingCurveID, c.TargetSOL, c.CurveParameters.StartPrice, c.CurveParameters.EndPrice, would)
	return nil
}

func (l *Launch) promote(ctx context.Context) error {
	asked := client.PromotionPurchase{TokenMint: l.mint(), DurationDays: 1}
	offer, err := l.Client.CreateUnsignedPromotion(ctx, asked)
	if err != nil {
		return err
	}
	signed, err := l.Client.SignPromotion(ctx, asked, offer)
	if err != nil {
		return err
	}
	if _, err := l.Chain.Send(ctx, signed); err != nil {
		return fmt.Errorf("pay for promotion %s: %w", offer.PromotionID, err)
	}
	l.done("Featured", "a day for %s, paid; GET /featured has it when that is final", offer.Amount)
	return nil
}
