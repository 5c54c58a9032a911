package client

import (
	"context"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token/handover"
)

// HandOver orders that the authority over a token's withheld tax goes to another address,
// permanently. The order takes effect after the service's delay and the additional time. The Signer
// signs the order's text, and show is called with the text before. If show returns an error, the
// method returns the error and orders nothing. show may be nil.
func (c *Client) HandOver(ctx context.Context, token string, to solana.PublicKey, additional time.Duration, show func(text string) error) (Handover, error) {
	if c.signer == nil {
		return Handover{}, ErrNoSigner
	}
	mint, err := c.mintOf(ctx, token)
	if err != nil {
		return Handover{}, err
	}
	now, err := c.GetHandover(ctx, token)
	if err != nil {
		return Handover{}, err
	}
	// The service's clock may be ahead of this clock.
	const ahead = 5 * time.Minute
	delay := time.Duration(now.DelaySeconds)*time.Second + additional + ahead
	order := handover.Order{Number: int64(now.Number) + 1, To: to, EffectiveAt: time.Now().UTC().Add(delay).Truncate(time.Second)}
	text := order.Text(mint)
	if show != nil {
		if err := show(text); err != nil {
			return Handover{}, err
		}
	}
	signature, err := c.signer.SignMessage(ctx, []byte(text))
	if err != nil {
		return Handover{}, fmt.Errorf("sign the hand-over: %w", err)
	}
	return c.OrderHandover(ctx, token, HandoverOrder{
		Number: int(order.Number), NewAuthority: to, EffectiveAt: order.EffectiveAt.Format(time.RFC3339), Signature: signature,
	})
}
