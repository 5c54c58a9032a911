package walkthrough

import (
	"context"
	"fmt"
	"net/http"
)

// Offer is the answer to POST /featured/create-unsigned.
type Offer struct{ Transaction, PromotionID, Amount, Recipient string }

// NewCurve is the answer to POST /launchpad/create-unsigned.
type NewCurve struct {
	BondingCurveID, TargetSOL string
	CurveParameters           struct{ StartPrice, EndPrice string }
	Simulation                struct {
		OK     bool
		Reason string
	}
}

// Markets pays for a day among the featured tokens, and has a curve of half of the
// supply prepared, which is not sent.
func (l *Launch) Markets(ctx context.Context) error {
	if err := l.promote(ctx); err != nil {
		return err
	}
	var c NewCurve
	if err := l.Client.Call(ctx, http.MethodPost, "/launchpad/create-unsigned", map[string]any{
		"tokenMint": l.mint(), "tokenAmount": "500000000000000", "targetMarketCap": "100", "targetMarketCapUnit": "SOL",
	}, &c); err != nil {
		return err
	}
	would := "it would work"
	if !c.Simulation.OK {
		would = "simulated: " + c.Simulation.Reason
	}
	l.done("Bonding curve", "%s prepared, to raise %s SOL from %s SOL a token to %s (%s)",
		c.BondingCurveID, c.TargetSOL, c.CurveParameters.StartPrice, c.CurveParameters.EndPrice, would)
	return nil
}

func (l *Launch) promote(ctx context.Context) error {
	var offer Offer
	err := l.Client.Call(ctx, http.MethodPost, "/featured/create-unsigned", map[string]any{"tokenMint": l.mint(), "durationDays": 1}, &offer)
	if err != nil {
		return err
	}
	signed, err := l.Wallet.SignTransaction(offer.Transaction)
	if err != nil {
		return err
	}
	var signature string
	if err := l.Chain.Call(ctx, &signature, "sendTransaction", signed, map[string]string{"encoding": "base64"}); err != nil {
		return fmt.Errorf("pay for promotion %s: %w", offer.PromotionID, err)
	}
	l.done("Featured", "a day for %s lamports, paid; GET /featured has it when that is final", offer.Amount)
	return nil
}
